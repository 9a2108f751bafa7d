package shop

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// SerialDetail is the response of Get Serial: the serial, its certificates (each once, in the order in which they were first attached),
// its open deferred steps, its open holds, and where it is away.
type SerialDetail struct {
	Serial              card.Serial
	Certificates        []Certificate
	OpenDeferredStepIDs []string
	Holds               []card.Hold // the open ones, oldest first
	Away                card.Away   // the zero value if the serial is not with a supplier or customer
	Current             CurrentStep
}

// CurrentStep is the current step of a serial in progress, and the name of the next step. Fields without a value are "".
type CurrentStep struct {
	StepID, StepName, NextStepName string
}

// MarshalJSON writes the serial's fields and certs. If there are any, it adds openDeferredStepIds and holds, and from the second pass on,
// pass. It escapes HTML in these. For a serial in progress, currentStepId, currentStepName and nextStepName follow.
func (d SerialDetail) MarshalJSON() ([]byte, error) {
	certificates, err := json.Marshal(d.Certificates)
	if err != nil {
		return nil, err
	}
	detail := struct {
		card.SerialJSON
		Certificates        json.RawMessage `json:"certs"`
		OpenDeferredStepIDs json.RawMessage `json:"openDeferredStepIds,omitempty"`
		Holds               json.RawMessage `json:"holds,omitempty"`
		Away                card.Away       `json:"away,omitzero"`
		Pass                int             `json:"pass,omitempty"`
		CurrentStepID       string          `json:"currentStepId,omitempty"`
		CurrentStepName     string          `json:"currentStepName,omitempty"`
		NextStepName        string          `json:"nextStepName,omitempty"`
	}{
		SerialJSON: d.Serial.Fields(), Certificates: certificates, Away: d.Away,
		CurrentStepID: d.Current.StepID, CurrentStepName: d.Current.StepName, NextStepName: d.Current.NextStepName,
	}
	if len(d.OpenDeferredStepIDs) > 0 {
		if detail.OpenDeferredStepIDs, err = json.Marshal(d.OpenDeferredStepIDs); err != nil {
			return nil, err
		}
	}
	if len(d.Holds) > 0 {
		if detail.Holds, err = json.Marshal(d.Holds); err != nil {
			return nil, err
		}
	}
	if d.Serial.Reworks > 0 {
		detail.Pass = d.Serial.Pass()
	}
	return card.Unescaped(detail)
}

// SerialListItem is one row of List Serials.
type SerialListItem struct {
	ID               string            `json:"id"`
	SerialNumber     string            `json:"serialNumber,omitempty"` // the unit's own number
	JobID            string            `json:"jobId"`
	PathID           string            `json:"pathId"`
	JobName          string            `json:"jobName"`              // "" when the job cannot be resolved
	PathName         string            `json:"pathName"`             // "" when the path cannot be resolved
	CurrentStepIndex int               `json:"currentStepIndex"`     // -1 when completed
	CurrentStepName  string            `json:"currentStepName"`      // "Completed", "Scrapped", or "" when it cannot be resolved
	AssignedTo       string            `json:"assignedTo,omitempty"` // "" if the current step is not assigned
	Status           card.SerialStatus `json:"status"`
	ScrapReason      card.ScrapReason  `json:"scrapReason,omitempty"` // "" unless scrapped
	ForceCompleted   bool              `json:"forceCompleted,omitempty"`
	CreatedAt        ident.Timestamp   `json:"createdAt"`
}

// MarshalJSON writes the contract's SerialListItem.
func (item SerialListItem) MarshalJSON() ([]byte, error) {
	type fields SerialListItem
	shown := fields(item)
	shown.Status = card.SerialStatus(item.Status.DisplayStatus())
	return card.Unescaped(shown)
}

// ListedSerial is a serial in a list as the store returns it: a row of List Serials before names are looked up.
type ListedSerial struct {
	Number      int64
	OwnNumber   string // "" for none
	PathID      string
	Position    int
	Status      card.SerialStatus
	ScrapReason card.ScrapReason
	Forced      bool
	CreatedAt   ident.Timestamp
}

// Item returns the row of List Serials, with the names of a route.
func (l *ListedSerial) Item(prefix ident.Prefix, route *Route) SerialListItem {
	return l.item(prefix, &route.Path, route.JobName)
}

// item returns the row of List Serials. path is the zero value if it cannot be resolved, and jobName is "".
func (l *ListedSerial) item(prefix ident.Prefix, path *card.Path, jobName string) SerialListItem {
	item := SerialListItem{
		ID: prefix.SerialID(l.Number), SerialNumber: l.OwnNumber, JobID: path.JobID, PathID: l.PathID, JobName: jobName,
		PathName:         path.Name,
		CurrentStepIndex: l.Position, Status: l.Status, ScrapReason: l.ScrapReason,
		ForceCompleted: l.Forced, CreatedAt: l.CreatedAt,
	}
	switch l.Status {
	case card.Completed:
		item.CurrentStepIndex, item.CurrentStepName = -1, "Completed"
	case card.Scrapped:
		item.CurrentStepName = "Scrapped"
	case card.InProgress:
		if l.Position < len(path.Steps) {
			item.CurrentStepName = path.Steps[l.Position].Name
			item.AssignedTo = path.Steps[l.Position].AssignedTo
		}
	}
	return item
}

// Serials yields every serial once, oldest first, as of the time at which its page was read. It looks up names once per path, not per
// serial.
func (s *Service) Serials(ctx context.Context) iter.Seq2[SerialListItem, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[SerialListItem, error] {
		return func(yield func(SerialListItem, error) bool) {
			names := RouteNames{}
			for listed, err := range tx.Serials(0) {
				if err != nil {
					yield(SerialListItem{}, err)
					return
				}
				item, err := names.Item(tx, &listed)
				if !yield(item, err) || err != nil {
					return
				}
			}
		}
	})
}

// RouteNames caches the paths and job names of a list.
type RouteNames map[string]*Route

// Item returns the row of List Serials. Names that cannot be resolved are "".
func (r RouteNames) Item(tx interface {
	JobStore
	PathStore
}, listed *ListedSerial) (SerialListItem, error) {
	route := r[listed.PathID]
	if route == nil {
		route = &Route{}
		path, err := tx.Path(listed.PathID)
		if err == nil {
			route.Path = path
			var job Job
			if job, err = tx.Job(path.JobID); err == nil {
				route.JobName = job.Name
			}
		}
		if err != nil && !errors.Is(err, ErrNoRecord) {
			return SerialListItem{}, err
		}
		r[listed.PathID] = route
	}
	return listed.item(tx.SerialPrefix(), &route.Path, route.JobName), nil
}

// Serial implements Get Serial. The response is a snapshot.
func (s *Service) Serial(ctx context.Context, id string) (SerialDetail, error) {
	detail, err := s.store.SerialDetail(ctx, id)
	return detail, OrNotFound(err, NameSerialNumber, id)
}

// DetailOf returns the response of Get Serial for a card and the certificates attached to its serial.
func DetailOf(card card.Card, certificates []Certificate) SerialDetail {
	detail := SerialDetail{
		Serial: card.Serial, Certificates: certificates, OpenDeferredStepIDs: openDeferredSteps(card), Holds: card.Holds,
	}
	detail.Serial.ExternalID = card.ExternalID
	if card.IsAway() {
		detail.Away = card.Away
	}
	if step := card.Current(); step != nil {
		detail.Current.StepID, detail.Current.StepName = step.ID, step.Name
	}
	if next := card.Next(); next != nil {
		detail.Current.NextStepName = next.Name
	}
	return detail
}

// openDeferredSteps returns, in path order, the deferred steps that have been neither completed nor waived.
func openDeferredSteps(unit card.Card) []string {
	if len(unit.Exceptions) == 0 {
		return nil // fast path: most serials bypass nothing
	}
	var open []string
	for i := range unit.Path.Steps {
		if id := unit.Path.Steps[i].ID; unit.Exceptions[id].Status == card.StepDeferred {
			open = append(open, id)
		}
	}
	return open
}

// StepStatusDetail is one row of Get Step Statuses.
type StepStatusDetail struct {
	StepID         string              `json:"stepId"`
	StepName       string              `json:"stepName"`
	StepOrder      int                 `json:"stepOrder"`
	Status         card.StepStatus     `json:"status"`
	Optional       bool                `json:"optional"`
	DependencyType card.DependencyType `json:"dependencyType"`
	HasOverride    bool                `json:"hasOverride"`
}

// StepStatuses implements Get Step Statuses: every step of the serial's path in order.
func (s *Service) StepStatuses(ctx context.Context, id string) ([]StepStatusDetail, error) {
	var details []StepStatusDetail
	err := s.store.View(ctx, func(tx Reader) error {
		card, err := tx.RouteCard(id)
		if err != nil {
			return OrNotFound(err, NameSerial, id)
		}
		details = statusesOf(card)
		return nil
	})
	return details, err
}

func statusesOf(card card.Card) []StepStatusDetail {
	details := make([]StepStatusDetail, len(card.Path.Steps))
	for i, step := range card.Path.Steps {
		_, overridden := card.Overrides[step.ID]
		details[i] = StepStatusDetail{
			StepID: step.ID, StepName: step.Name, StepOrder: i, Status: card.StepStatus(i),
			Optional: step.Optional, DependencyType: step.DependencyType, HasOverride: overridden,
		}
	}
	return details
}

// BatchLimit is the maximum number of serials that one call creates.
const BatchLimit = 100_000

// CreateSerialsInput is the body of Batch Create Serials.
type CreateSerialsInput struct {
	JobID         input.TextInput             `field:"jobId"`
	PathID        input.TextInput             `field:"pathId"`
	Quantity      input.NumberInput           `field:"quantity"`
	SerialNumbers input.TextsInput            `field:"serialNumbers" form:"-"`
	Numbering     input.Input[NumberingInput] `field:"numbering"`
	CertID        input.TextInput             `field:"certId"`
	LotID         input.TextInput             `field:"lotId"`
	LotQuantity   input.WrittenInput          `field:"lotQuantity"` // for each unit, in the unit of the lot
	UserID        input.TextInput             `field:"userId"`
}

// SerialBatch is a batch of new serials that differ only in their numbers.
type SerialBatch struct {
	First    int64 // number of the first serial
	Quantity int64
	JobID    string
	PathID   string
	At       ident.Timestamp
	Numbers  []string     `json:"numbers,omitempty"` // the serials' own numbers in their order, nil for none
	BOM      card.KeptBOM `json:"-"`
}

// Serial returns a serial of the batch in its initial state, on the first step.
func (b SerialBatch) Serial(prefix ident.Prefix, number int64) card.Serial {
	serial := card.Serial{
		ID: prefix.SerialID(number), JobID: b.JobID, PathID: b.PathID,
		Status: card.InProgress, CreatedAt: b.At, UpdatedAt: b.At, BOM: b.BOM,
	}
	if at := number - b.First; at < int64(len(b.Numbers)) {
		serial.SerialNumber = b.Numbers[at]
	}
	return serial
}

// All yields the batch's serials in the order of their identifiers.
func (b SerialBatch) All(prefix ident.Prefix) iter.Seq2[card.Serial, error] {
	return func(yield func(card.Serial, error) bool) {
		for number := b.First; number < b.First+b.Quantity; number++ {
			if !yield(b.Serial(prefix, number), nil) {
				return
			}
		}
	}
}

func (b SerialBatch) metadata(prefix ident.Prefix) json.RawMessage {
	return trail.Metadata(replay.SerialRange{
		FirstSerialID: prefix.SerialID(b.First), LastSerialID: prefix.SerialID(b.First + b.Quantity - 1), KeptBOM: b.BOM,
	})
}

// CreateSerials creates a batch of serials on the first step of a path. If the request has a certificate, it attaches it to each; if the
// request has a lot, it installs the same amount of the lot in each. It adds one audit entry for the batch, and one for each own number,
// each attachment and each installation.
func (s *Service) CreateSerials(ctx context.Context, in CreateSerialsInput) (SerialBatch, error) {
	var batch SerialBatch
	asked, err := in.check(s.SerialPrefix(), CallerOf(ctx))
	if err != nil {
		return batch, err
	}
	err = s.Commit(ctx, &batch, func(tx Tx) error {
		path, err := s.findPlace(tx, asked)
		if err != nil {
			return err
		}
		kept, err := currentBOM(tx, path)
		if err != nil {
			return err
		}
		first, err := tx.TakeSerialNumbers(asked.quantity)
		if err != nil {
			return err
		}
		batch = SerialBatch{First: first, Quantity: asked.quantity, JobID: asked.jobID, PathID: asked.pathID, At: s.Now(), BOM: kept}
		if err := tx.InsertSerials(batch); err != nil {
			return err
		}
		if first := path.Steps[0].ID; path.Counted(first) {
			if err := tx.CountBatch(first, batch); err != nil {
				return err
			}
		}
		if err := tx.AppendAudit(trail.Entry{
			Action: card.ActionSerialCreated, UserID: asked.userID, Timestamp: batch.At,
			JobID: asked.jobID, PathID: asked.pathID, BatchQuantity: asked.quantity, Metadata: batch.metadata(tx.SerialPrefix()),
		}); err != nil {
			return err
		}
		if err := numberBatch(tx, &batch, asked.numbers, asked.userID); err != nil {
			return err
		}
		if err := s.attachToBatch(tx, batch, asked.certID, path.Steps[0].ID, asked.userID); err != nil {
			return err
		}
		return s.installInBatch(ctx, tx, batch, asked.material)
	})
	return batch, err
}

// newSerials is a validated request for new serials.
type newSerials struct {
	jobID, pathID string
	quantity      int64
	numbers       []string       // nil for none
	certID        string         // "" for none
	material      card.Component // what the components of the serials have in common; it has no lot if there are none
	userID        string
}

func (in *CreateSerialsInput) check(prefix ident.Prefix, caller Caller) (asked newSerials, err error) {
	if asked.jobID, err = input.RequiredName("jobId", in.JobID); err != nil {
		return asked, err
	}
	if asked.pathID, err = input.RequiredName("pathId", in.PathID); err != nil {
		return asked, err
	}
	if asked.quantity, asked.numbers, err = in.quantityAndNumbers(prefix); err != nil {
		return asked, err
	}
	if asked.certID, err = input.OptionalWithin("certId", in.CertID, input.NameLimit); err != nil {
		return asked, err
	}
	if asked.material, err = in.material(); err != nil {
		return asked, err
	}
	asked.userID, err = userOrAnonymous(caller, in.UserID)
	asked.material.InstalledBy = asked.userID
	return asked, err
}

// findPlace returns the path of new serials, which must belong to the job. It refuses a closed path, and an unknown certificate or lot.
func (s *Service) findPlace(tx Tx, asked newSerials) (card.Path, error) {
	path, err := findPath(tx, asked.pathID)
	if err != nil {
		return path, err
	}
	if path.JobID != asked.jobID {
		return path, refusal.Refuse(PathOfOtherJob, asked.pathID, asked.jobID)
	}
	if err := path.RefuseClosed(); err != nil {
		return path, err
	}
	if err := knownCertificate(tx, asked.certID); err != nil {
		return path, err
	}
	return path, s.knownLot(tx, asked.material.LotID)
}

// knownCertificate refuses an unknown certificate. "" means no certificate.
func knownCertificate(tx CertificateStore, id string) error {
	if id == "" {
		return nil
	}
	_, err := FindCertificate(tx, id)
	return err
}

// material validates the fields about the lot that new serials are made of. The component has no lot if the request has none.
func (in *CreateSerialsInput) material() (made card.Component, err error) {
	if made.LotID, err = input.OptionalWithin("lotId", in.LotID, input.NameLimit); err != nil {
		return made, err
	}
	made.Quantity, err = optionalAmount("lotQuantity", in.LotQuantity, "")
	if err == nil && made.LotID == "" && made.Quantity != "" {
		err = refusal.RefuseField(refusal.Required, "lotId")
	}
	return made, err
}

// knownLot refuses an unknown lot. "" means no lot.
func (s *Service) knownLot(tx LotStore, id string) error {
	if id == "" {
		return nil
	}
	_, err := s.findLot(tx, id)
	return err
}

// installInBatch installs the same amount of a lot in each of the new serials, at their first step. The lot must have the sum. It does
// nothing for a component without a lot.
func (s *Service) installInBatch(ctx context.Context, tx Tx, batch SerialBatch, made card.Component) error {
	if made.LotID == "" {
		return nil
	}
	p, err := s.portionsOf(tx, made)
	if err != nil {
		return err
	}
	if err := cmp.Or(p.lot.refuseAmount("lotQuantity", made.Quantity), p.lot.RefuseUse()); err != nil {
		return err
	}
	unit, err := tx.RouteCard(s.SerialPrefix().SerialID(batch.First)) // the cards of new serials differ in the serials only
	if err != nil {
		return err
	}
	for first := batch.First; first < batch.First+batch.Quantity; first += ChunkSize {
		if err := ctx.Err(); err != nil {
			return err
		}
		last := min(first+ChunkSize, batch.First+batch.Quantity)
		components, entries := make([]card.Component, 0, last-first), make([]trail.Entry, 0, last-first)
		for number := first; number < last; number++ {
			unit.Serial = batch.Serial(s.SerialPrefix(), number)
			change, err := p.install(unit, batch.At)
			if err != nil {
				return err
			}
			components, entries = append(components, change.Installed...), append(entries, change.Audit...)
		}
		if err := p.refuse(); err != nil {
			return err
		}
		if err := tx.InsertComponents(components, ""); err != nil {
			return err
		}
		if err := tx.AppendAudit(entries...); err != nil {
			return err
		}
	}
	return p.store(tx)
}

// SerialStore lists the database operations for serials.
type SerialStore interface {
	// TakeSerialNumbers reserves consecutive numbers and returns the first. Numbers that were returned to a caller are never returned
	// again.
	TakeSerialNumbers(quantity int64) (first int64, err error)
	InsertSerials(batch SerialBatch) error
	// Serials yields the serials with a number above after, oldest first.
	Serials(after int64) iter.Seq2[ListedSerial, error]
}

// Names of serials in the tables of records, operations and actions.
const (
	RecordSerial ident.RecordKind = "serial"

	NameSerial       refusal.RecordName = "Serial"
	NameSerialNumber refusal.RecordName = "SerialNumber"

	OpAdvance       Operation = "advance"
	OpAdvanceTo     Operation = "advance-to"
	OpScrap         Operation = "scrap"
	OpForceComplete Operation = "force-complete"
	OpCreateSerials Operation = "create-serials"

	AboutUnit Subject = "unit"
)

var serialNoun = noun{
	records: []Record{
		{
			Kind: RecordSerial, Names: named(NameSerial, NameSerialNumber), Table: "serial",
			Tagged: true, External: true, Compared: true,
		},
	},
	operations: []operationRow{
		{operation: OpAdvance, permission: Work, subject: AboutUnit, many: true},
		{operation: OpAdvanceTo, permission: Work, subject: AboutUnit},
		{operation: OpScrap, permission: Decide, subject: AboutUnit, signed: SignScrap, many: true},
		{operation: OpForceComplete, permission: Decide, subject: AboutUnit, signed: SignForceComplete, many: true},
		{operation: OpCreateSerials, permission: Plan, subject: AboutPath},
		{operation: OpSetSerialNumber, permission: Work, subject: AboutUnit}, // a correction checks Decide itself
	},
	actions: []actionRow{
		{action: card.ActionSerialCreated, of: only(RecordSerial), moves: true},
		{action: card.ActionSerialAdvanced, of: only(RecordSerial), moves: true},
		{action: card.ActionSerialCompleted, of: only(RecordSerial), moves: true, closes: true},
		{
			action: card.ActionSerialScrapped, of: only(RecordSerial), moves: true, closes: true,
			signed: SignScrap,
		},
		{
			action: card.ActionSerialForceCompleted, of: only(RecordSerial), moves: true, closes: true,
			signed: SignForceComplete,
		},
		{action: card.ActionSerialNumberSet, of: only(RecordSerial)},
	},
}

// CardStore reads route cards. Store.ChangeCard and the stores of the nouns change them.
type CardStore interface {
	// RouteCard loads one card. Its Path is the zero Path if it cannot be resolved.
	RouteCard(serialID string) (card.Card, error)
	// RouteCards loads the cards of up to a thousand serials. It omits unknown serials.
	RouteCards(serialIDs []string) (map[string]card.Card, error)
}

package shop

import (
	"cmp"
	"context"
	"iter"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// InstallComponentInput is the body of Install Component.
type InstallComponentInput struct {
	ComponentSerialID input.TextInput `field:"componentSerialId"`
	LotID             input.TextInput `field:"lotId"`
	// Quantity is the amount of a lot, in its unit. It is 1 for a unit and for a part with a number of its own.
	Quantity         input.WrittenInput `field:"quantity"`
	PartSerialNumber input.TextInput    `field:"partSerialNumber"`
	StepID           input.TextInput    `field:"stepId"` // default: the unit's current step
	Place            input.TextInput    `field:"place"`
	SubstituteFor    input.TextInput    `field:"substituteFor"` // the part type of the bill that the part replaces
	SubstituteReason input.TextInput    `field:"substituteReason"`
	UserID           input.TextInput    `field:"userId"`
}

// checkPart validates the fields that identify the installed part and its amount.
func (in InstallComponentInput) checkPart(made *card.Component) (err error) {
	if made.ComponentSerialID, err = input.OptionalWithin("componentSerialId", in.ComponentSerialID, input.NameLimit); err != nil {
		return err
	}
	if made.LotID, err = input.OptionalWithin("lotId", in.LotID, input.NameLimit); err != nil {
		return err
	}
	if (made.ComponentSerialID == "") == (made.LotID == "") {
		return refusal.Refuse(card.ComponentUnclear)
	}
	if made.Quantity, err = optionalAmount("quantity", in.Quantity, ""); err != nil {
		return err
	}
	made.PartSerialNumber, err = input.OptionalWithin("partSerialNumber", input.Trimmed(in.PartSerialNumber), input.NameLimit)
	if err != nil || made.LotID != "" && made.PartSerialNumber == "" {
		return err
	}
	if made.Quantity != "" && made.Quantity.Compare("1") != 0 {
		return refusal.RefuseField(card.QuantityNotOne, "quantity")
	}
	made.Quantity = "1"
	return nil
}

// check validates the fields, and requires the permission for a substitute. The step of the component is the unit's current step unless the
// request has another step. The part type is the one that the part replaces; "" if it replaces none.
func (in InstallComponentInput) check(parent card.Card, caller Caller) (made card.Component, err error) {
	if err := in.checkPart(&made); err != nil {
		return made, err
	}
	if made.StepID, err = input.OptionalWithin("stepId", in.StepID, input.NameLimit); err != nil {
		return made, err
	}
	if made.StepID == "" {
		current := parent.Current()
		if current == nil {
			return made, refusal.RefuseField(refusal.Required, "stepId")
		}
		made.StepID = current.ID
	}
	if made.Place, err = input.OptionalWithin("place", in.Place, input.NameLimit); err != nil {
		return made, err
	}
	if made.PartType, err = input.OptionalWithin("substituteFor", in.SubstituteFor, input.NameLimit); err != nil {
		return made, err
	}
	if made.SubstituteReason, err = input.OptionalWithin("substituteReason", in.SubstituteReason, input.TextLimit); err != nil {
		return made, err
	}
	if made.PartType == "" && made.SubstituteReason != "" {
		return made, refusal.RefuseField(refusal.Required, "substituteFor")
	}
	if made.InstalledBy, err = requiredUser(caller, in.UserID); err != nil || made.PartType == "" {
		return made, err
	}
	return made, caller.Require(OpSubstitute.Permission())
}

// installedPart is the unit or the lot to install.
type installedPart struct {
	unit    card.Card
	lot     Lot
	changed trail.ContentsSHA256 // hash of the lot afterwards; "" if it did not change
}

// findPart returns the unit or the lot of a component.
func (s *Service) findPart(tx Tx, made card.Component) (part installedPart, err error) {
	if made.LotID != "" {
		part.lot, err = s.findLot(tx, made.LotID)
		return part, err
	}
	part.unit, err = tx.RouteCard(made.ComponentSerialID)
	return part, OrNotFound(err, NameSerial, made.ComponentSerialID)
}

// partType returns the part type of the parent's bill that the part counts for, "" for none. It refuses a part that the bill does not list
// and that replaces no part type of the bill.
func (p *installedPart) partType(tx JobStore, parent card.Card, made card.Component) (string, error) {
	if len(parent.Bill) == 0 && made.PartType == "" {
		return "", nil
	}
	part := p.lot.fitting()
	if p.lot.ID == "" {
		job, err := tx.Job(p.unit.Serial.JobID)
		if err != nil {
			return "", err
		}
		part = card.Fitting{
			Name: p.unit.Serial.ID, PartNumber: job.Part(), JobID: job.ID, Title: cmp.Or(job.Part(), job.Name),
		}
	}
	part.SubstituteFor, part.SubstituteReason = made.PartType, made.SubstituteReason
	return parent.PartTypeFor(part)
}

// fitting returns the lot as a part to install.
func (l *Lot) fitting() card.Fitting {
	return card.Fitting{Name: l.LotNumber, PartNumber: l.PartNumber, Title: l.Part()}
}

// install refuses a part that cannot be installed in a unit, and deducts the amount of a component from its lot.
func (p *installedPart) install(tx Tx, parent card.Card, made *card.Component) error {
	if made.LotID != "" {
		return p.take(tx, made)
	}
	above, err := unitsAbove(tx, parent)
	if err != nil {
		return err
	}
	return card.RefuseInstalling(parent, p.unit, above)
}

// InstallComponent records that a unit, or an amount of a lot, is inside a unit from now on. A part that replaces a part type of the unit's
// bill needs the permission Decide, and a signature if the policy demands it.
func (s *Service) InstallComponent(ctx context.Context, serialID string, in InstallComponentInput) (card.Component, error) {
	ctx = s.signable(ctx, in, serialID)
	var made card.Component
	err := s.Commit(ctx, &made, func(tx Tx) error {
		if err := tx.LockSerials(unitsOf(serialID, in.ComponentSerialID.Value)); err != nil {
			return err
		}
		parent, err := tx.RouteCard(serialID)
		if err != nil {
			return OrNotFound(err, NameSerial, serialID)
		}
		if err := card.CheckCard(parent); err != nil {
			return err
		}
		if err := card.RefuseInstallingInto(parent); err != nil {
			return err
		}
		if made, err = in.check(parent, CallerOf(ctx)); err != nil {
			return err
		}
		step := parent.Path.StepIndex(made.StepID)
		if step < 0 {
			return card.NameStep.NotFound(made.StepID)
		}
		part, err := s.findPart(tx, made)
		if err != nil {
			return err
		}
		if !parent.MeasurableAt(step) {
			return refusal.RefuseField(NotAtStep, "stepId", serialID, parent.Path.Steps[step].Name)
		}
		if err := refuseComponents(tx, serialID); err != nil {
			return err
		}
		made.SerialID, made.Pass, made.InstalledAt = serialID, parent.Serial.Pass(), s.Now()
		if err := part.install(tx, parent, &made); err != nil {
			return err
		}
		if made.PartType, err = part.partType(tx, parent, made); err != nil {
			return err
		}
		made.ID = s.NewID(prefixComponent)
		if err := tx.InsertComponents([]card.Component{made}, part.lot.Part()); err != nil {
			return err
		}
		if err := tx.AppendAudit(card.InstallEntry(parent, made, part.changed)); err != nil || made.ComponentSerialID == "" {
			return err
		}
		return tx.AppendAudit(card.EnterEntry(part.unit, made))
	})
	return made, err
}

// unitsOf returns the identifiers of the units of a component that are not "".
func unitsOf(parentID, componentID string) []string {
	if componentID == "" || componentID == parentID {
		return []string{parentID}
	}
	return []string{parentID, componentID}
}

// refuseComponents refuses to install one more component in a unit that contains the maximum number.
func refuseComponents(tx ComponentStore, serialID string) error {
	inside, err := tx.CountOpenComponents([]string{serialID})
	if err != nil {
		return err
	}
	return refuseMore(inside[serialID])
}

// refuseMore refuses one more component for a unit with a number of open components.
func refuseMore(inside int) error {
	if inside >= card.ComponentLimit {
		return refusal.Refuse(card.TooManyComponents, card.ComponentLimit)
	}
	return nil
}

// unitsAbove returns the units that contain a unit at any depth. It reads nothing for a unit that is inside no other unit, because such a
// unit cannot become part of itself: the transaction has locked this unit and the unit to install, which is inside no other unit either.
func unitsAbove(tx ComponentStore, parent card.Card) ([]string, error) {
	if parent.Inside == "" {
		return nil, nil
	}
	return tx.UnitsAbove(parent.Serial.ID)
}

// BatchInstallInput is the body of Batch Install Components.
type BatchInstallInput struct {
	BatchInput
	LotID    input.TextInput    `field:"lotId"`
	Quantity input.WrittenInput `field:"quantity"` // for each unit, in the unit of the lot
	Place    input.TextInput    `field:"place"`
	UserID   input.TextInput    `field:"userId"`
}

// check validates the fields, and returns what the new components have in common.
func (in BatchInstallInput) check(caller Caller) (made card.Component, err error) {
	if made.LotID, err = input.RequiredName("lotId", in.LotID); err != nil {
		return made, err
	}
	if made.Quantity, err = optionalAmount("quantity", in.Quantity, ""); err != nil {
		return made, err
	}
	if made.Place, err = input.OptionalWithin("place", in.Place, input.NameLimit); err != nil {
		return made, err
	}
	made.InstalledBy, err = requiredUser(caller, in.UserID)
	return made, err
}

// BatchInstallComponents installs the same amount of a lot in every selected unit, at the current step of each. If the batch changes all
// units or none, the lot must have the sum. Otherwise each unit takes its amount from what the units before it left.
func (s *Service) BatchInstallComponents(ctx context.Context, in BatchInstallInput) (BatchResult, error) {
	var made card.Component
	m := many{in: in.BatchInput, missing: NameSerial}
	m.fields = func(caller Caller) (err error) {
		if made, err = in.check(caller); err != nil {
			return err
		}
		return s.store.View(ctx, func(tx Reader) error {
			lot, err := s.findLot(tx, made.LotID)
			if err != nil {
				return err
			}
			return lot.refuseAmount("quantity", made.Quantity)
		})
	}
	m.begin = func(tx Tx, ids []string, whole bool) (work batchWork, err error) {
		if err := tx.LockSerials(ids); err != nil {
			return work, err
		}
		inside, err := tx.CountOpenComponents(ids)
		if err != nil {
			return work, err
		}
		p, err := s.portionsOf(tx, made)
		if err != nil {
			return work, err
		}
		work.rule = func(unit card.Card, now ident.Timestamp) (card.Change, error) {
			if err := refuseBatchInstalling(unit, inside[unit.Serial.ID]); err != nil {
				return card.Change{}, err
			}
			if !whole {
				if err := p.refuseNext(); err != nil {
					return card.Change{}, err
				}
			}
			return p.install(unit, now)
		}
		work.refuse, work.store = p.refuse, func() error { return p.store(tx) }
		return work, nil
	}
	return s.changeEvery(ctx, &m)
}

// refuseBatchInstalling refuses to install one more component in a unit at its current step.
func refuseBatchInstalling(unit card.Card, inside int) error {
	if err := card.RefuseInstallingInto(unit); err != nil {
		return err
	}
	if unit.Current() == nil {
		return refusal.Refuse(refusal.SerialCompleted)
	}
	return refuseMore(inside)
}

// portions installs equal amounts of a lot in many units, in one transaction that locked the lot.
type portions struct {
	newID  func(prefix string) string
	lot    Lot            // after the installations so far; its remaining quantity is negative if they take more than it had
	had    input.Decimal  // the remaining quantity before
	made   card.Component // what all installations have in common
	booked bool           // whether the remaining quantity changed
}

// portionsOf locks the lot of the components.
func (s *Service) portionsOf(tx LotStore, made card.Component) (*portions, error) {
	lot, err := s.findLot(tx, made.LotID)
	made.Unit = string(lot.Unit)
	return &portions{newID: s.NewID, lot: lot, had: lot.Remaining, made: made}, err
}

// refuseNext refuses one more installation from the lot.
func (p *portions) refuseNext() error {
	if err := p.lot.RefuseUse(); err != nil || p.lot.Quantity == "" {
		return err
	}
	_, err := p.lot.without(p.made.Quantity)
	return err
}

// refuse refuses all installations together if the lot cannot be used, or had less than their sum.
func (p *portions) refuse() error {
	if err := p.lot.RefuseUse(); err != nil {
		return err
	}
	if p.lot.Quantity != "" && p.lot.Remaining.Sign() < 0 {
		return refusal.Refuse(LotShort, p.lot.LotNumber, string(p.had), string(p.lot.Unit))
	}
	return nil
}

// install returns the change that installs an amount in a unit at its current step, and deducts the amount. It refuses a lot that the
// unit's bill does not list.
func (p *portions) install(unit card.Card, now ident.Timestamp) (card.Change, error) {
	change, made := card.Change{Serial: unit.Serial}, p.made
	var err error
	if made.PartType, err = unit.PartTypeFor(p.lot.fitting()); err != nil {
		return change, err
	}
	var contents trail.ContentsSHA256
	if p.lot.Quantity != "" {
		remaining, exact := p.lot.Remaining.Minus(made.Quantity)
		if !exact {
			return change, p.lot.refuse(LotTotalLarge)
		}
		p.lot.Remaining, p.lot.UpdatedAt, p.booked = remaining, now, true
		contents = p.lot.Contents()
	}
	made.ID, made.SerialID, made.StepID = p.newID(prefixComponent), unit.Serial.ID, unit.Current().ID
	made.Pass, made.InstalledAt = unit.Serial.Pass(), now
	change.Installed = []card.Component{made}
	change.Audit = []trail.Entry{card.InstallEntry(unit, made, contents)}
	return change, nil
}

// store stores the remaining quantity of the lot.
func (p *portions) store(tx LotStore) error {
	if !p.booked {
		return nil
	}
	return tx.UpdateLot(p.lot)
}

// RemoveComponentInput is the body of Remove Component.
type RemoveComponentInput struct {
	Reason   input.TextInput `field:"reason"`
	Returned input.FlagInput `field:"returned"`
	UserID   input.TextInput `field:"userId"`
}

func (in RemoveComponentInput) check(made *card.Component, caller Caller) (err error) {
	if made.RemoveReason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required); err != nil {
		return err
	}
	if made.Returned, err = input.OptionalFlag("returned", in.Returned); err != nil {
		return err
	}
	made.RemovedBy, err = requiredUser(caller, in.UserID)
	return err
}

// RemoveComponent records that a component was inside a unit and is out from now on. Removal from a completed or scrapped unit needs the
// permission Decide. A unit that is removed from a scrapped unit is put on hold.
func (s *Service) RemoveComponent(ctx context.Context, serialID, id string, in RemoveComponentInput) (card.Component, error) {
	var made card.Component
	err := s.Commit(ctx, &made, func(tx Tx) (err error) {
		var parent, unit card.Card
		made, parent, unit, err = lockedComponent(tx, serialID, id)
		if err != nil {
			return err
		}
		if err := card.RefuseRemoving(parent, made); err != nil {
			return err
		}
		caller := CallerOf(ctx)
		if err := in.check(&made, caller); err != nil {
			return err
		}
		if parent.Serial.Status != card.InProgress {
			if err := caller.Require(Decide); err != nil {
				return err
			}
		}
		made.RemovedAt = s.Now()
		if err := tx.RemoveComponent(made); err != nil {
			return err
		}
		var lot trail.ContentsSHA256
		if made.Returned {
			if lot, err = giveBack(tx, made, made.RemovedAt); err != nil {
				return err
			}
		}
		if err := tx.AppendAudit(card.RemoveEntry(parent, made, lot)); err != nil || made.ComponentSerialID == "" {
			return err
		}
		if err := tx.AppendAudit(card.LeaveEntry(unit, made)); err != nil || parent.Serial.Status != card.Scrapped {
			return err
		}
		hold := card.Hold{ID: s.NewID(prefixHold), Reason: card.HeldAfterRemoval(parent), PlacedBy: made.RemovedBy}
		return tx.ChangeCards([]card.Change{card.HoldAt(unit, hold, made.RemovedAt)})
	})
	return made, err
}

// lockedComponent returns a component with the cards of its units, which no other transaction changes until this one ends. unit is the zero
// Card for a component that is not a unit. If serialID is not "", the component must be a component of that unit.
func lockedComponent(tx Tx, serialID, id string) (made card.Component, parent, unit card.Card, err error) {
	found, unknown := tx.Component(id)
	if IgnoreNoRecord(unknown) != nil {
		return made, parent, unit, unknown
	}
	if err := tx.LockSerials(unitsOf(cmp.Or(serialID, found.SerialID), found.ComponentSerialID)); err != nil {
		return made, parent, unit, err
	}
	if serialID != "" {
		if parent, err = tx.RouteCard(serialID); err != nil {
			return made, parent, unit, OrNotFound(err, NameSerial, serialID)
		}
	}
	if unknown != nil || serialID != "" && found.SerialID != serialID {
		return made, parent, unit, NameComponent.NotFound(id)
	}
	if serialID == "" {
		if parent, err = tx.RouteCard(found.SerialID); err != nil {
			return made, parent, unit, err
		}
	}
	if found.ComponentSerialID != "" {
		if unit, err = tx.RouteCard(found.ComponentSerialID); err != nil {
			return made, parent, unit, err
		}
	}
	made, err = tx.Component(id) // another transaction may have changed it before the units were locked
	return made, parent, unit, err
}

// VoidComponent voids a component: it counts as never installed. The record stays, with the reason. The user who installed it may void it
// within the undo window while the unit is at the step or has deferred it. Otherwise the caller needs the permission Decide.
func (s *Service) VoidComponent(ctx context.Context, id string, in VoidInput) (card.Component, error) {
	var made card.Component
	err := s.Commit(ctx, &made, func(tx Tx) (err error) {
		var parent, unit card.Card
		made, parent, unit, err = lockedComponent(tx, "", id)
		if err != nil {
			return err
		}
		if made.Voided() {
			return refusal.Refuse(card.ComponentVoided)
		}
		now, caller := s.Now(), CallerOf(ctx)
		if made.Voiding, err = in.check(caller, now); err != nil {
			return err
		}
		if err := s.mayVoidComponent(caller, parent, made, now); err != nil {
			return err
		}
		if err := tx.VoidComponent(id, made.Voiding); err != nil {
			return err
		}
		var lot trail.ContentsSHA256
		if !made.Returned { // otherwise the lot has the amount already
			if lot, err = giveBack(tx, made, now); err != nil {
				return err
			}
		}
		if err := tx.AppendAudit(card.VoidEntry(parent, made.StepID, made, lot)); err != nil || made.ComponentSerialID == "" {
			return err
		}
		return tx.AppendAudit(card.VoidEntry(unit, "", made, ""))
	})
	return made, err
}

// mayVoidComponent refuses a caller who may not void a component.
func (s *Service) mayVoidComponent(caller Caller, parent card.Card, made card.Component, now ident.Timestamp) error {
	if i := parent.Path.StepIndex(made.StepID); i < 0 || !parent.MeasurableAt(i) {
		return caller.Require(Decide)
	}
	return mayVoid(caller, made.InstalledBy, made.InstalledAt, now, s.undoWindow)
}

// ComponentsOfSerial returns all components of a unit, oldest first, including removed and voided ones.
func (s *Service) ComponentsOfSerial(ctx context.Context, id string) (found []card.Component, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		if _, err := tx.RouteCard(id); err != nil {
			return OrNotFound(err, NameSerial, id)
		}
		found, err = tx.ComponentsOfSerial(id)
		return err
	})
	return found, err
}

// ComponentStore lists the database operations for components.
type ComponentStore interface {
	// InsertComponents stores installations. It returns ErrDuplicate if the unit is inside another unit, or if the number of the part is
	// that of an open component. part identifies the part that PartSerialNumber is a number of.
	InsertComponents(made []card.Component, part string) error
	Component(id string) (card.Component, error)
	ComponentsOfSerial(serialID string) ([]card.Component, error) // all of them, oldest first
	AllComponents() iter.Seq2[card.Component, error]              // oldest first
	// ComponentNumbered returns the open component with the number of a part.
	ComponentNumbered(part, partSerialNumber string) (card.Component, error)
	// CountOpenComponents returns the numbers of open components of units. Units without open components are not in the result.
	CountOpenComponents(serialIDs []string) (map[string]int, error)
	// RemoveComponent stores the removal of an open component. It returns ErrNoRecord if the component is not open.
	RemoveComponent(removed card.Component) error
	VoidComponent(id string, voiding card.Voiding) error
	// UnitsAbove returns the units that contain a unit at any depth. Within an Update, no other transaction that calls UnitsAbove changes
	// these units until this transaction ends.
	UnitsAbove(serialID string) ([]string, error)
}

// Names of components in the tables of records, operations and actions.
const (
	RecordComponent ident.RecordKind = "component"

	NameComponent refusal.RecordName = "Component"

	prefixComponent = "comp_"

	OpInstall         Operation = "install"
	OpSubstitute      Operation = "substitute" // installs a part that replaces a part type of the bill
	OpRemoveComponent Operation = "remove-component"

	AboutComponent Subject = "component"
)

var componentNoun = noun{
	records: []Record{
		{
			Kind: RecordComponent, Names: named(NameComponent), Prefix: prefixComponent, Table: "component",
			Voidable: true, StepColumn: "step_id", Compared: true,
			Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
				var told card.InstalledMetadata // a removal has the same two members
				err := trail.ReadMetadata(entry, &told)
				return told.ComponentID, told.Contents, err
			},
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.AllComponents(), func(c card.Component) Kept { return Kept{c.ID, c.Contents()} })
			},
		},
	},
	operations: []operationRow{
		{operation: OpInstall, permission: Work, subject: AboutComponent},
		{operation: OpSubstitute, permission: Decide, subject: AboutComponent, signed: SignSubstitute},
		{operation: OpRemoveComponent, permission: Work, subject: AboutComponent}, // a removal from a closed unit checks Decide itself
	},
	actions: []actionRow{
		{action: card.ActionComponentInstalled, of: []ident.RecordKind{RecordComponent, RecordLot}, signed: SignSubstitute},
		{action: card.ActionComponentRemoved, of: []ident.RecordKind{RecordComponent, RecordLot}},
		{action: card.ActionUnitInstalled, of: only(RecordSerial)},
		{action: card.ActionUnitRemoved, of: only(RecordSerial)},
	},
}

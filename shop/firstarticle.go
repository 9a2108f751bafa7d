package shop

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/firstarticle"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// FirstArticleStatus is the status of a first article inspection.
type FirstArticleStatus string

// The statuses of first article inspections.
const (
	FirstArticleDraft    FirstArticleStatus = "draft"    // filled from the records as they are
	FirstArticleVerified FirstArticleStatus = "verified" // its content is frozen
	FirstArticleApproved FirstArticleStatus = "approved" // nothing changes any more, except for the approval by the customer and voiding
)

// FirstArticleStatuses returns the statuses of first article inspections.
func FirstArticleStatuses() []FirstArticleStatus {
	return []FirstArticleStatus{FirstArticleDraft, FirstArticleVerified, FirstArticleApproved}
}

// CustomerSignOff is the approval of a first article inspection by the customer.
type CustomerSignOff struct {
	Name       string          `json:"name"`
	ApprovedOn string          `json:"approvedOn"`
	SHA256     string          `json:"sha256,omitempty"` // of an uploaded file, such as the letter of the customer
	RecordedBy string          `json:"recordedBy"`
	RecordedAt ident.Timestamp `json:"recordedAt"`
}

// FirstArticle is a first article inspection: the forms of AS9102 Rev C about up to FirstArticleUnits units of one path.
type FirstArticle struct {
	ID              string             `json:"id"`
	Status          FirstArticleStatus `json:"status"`
	JobID           string             `json:"jobId"`
	PathID          string             `json:"pathId"`
	SerialIDs       []string           `json:"serialIds"`
	Kind            firstarticle.Kind  `json:"kind"`
	Reason          string             `json:"reason"`
	Baseline        string             `json:"baseline,omitempty"`        // the earlier first article: its id, or a text
	Characteristics []string           `json:"characteristics,omitempty"` // the numbers of a partial inspection
	Identifier      string             `json:"identifier,omitempty"`
	ExternalID      string             `json:"externalId,omitempty"`
	PartNumber      string             `json:"partNumber,omitempty"` // of the job when it was created or verified
	PartRevision    string             `json:"partRevision,omitempty"`
	CreatedBy       string             `json:"createdBy"`
	CreatedAt       ident.Timestamp    `json:"createdAt"`
	UpdatedAt       ident.Timestamp    `json:"updatedAt"`
	VerifiedBy      string             `json:"verifiedBy,omitempty"`
	VerifiedAt      ident.Timestamp    `json:"verifiedAt,omitzero"`
	SHA256          string             `json:"sha256,omitempty"` // of the file with the frozen content
	ApprovedBy      string             `json:"approvedBy,omitempty"`
	ApprovedAt      ident.Timestamp    `json:"approvedAt,omitzero"`
	Customer        *CustomerSignOff   `json:"customerApproval,omitempty"`
	card.Voiding

	// Fields and Missing are the filled forms; nil in lists. ChangedSince is the time of the first change of a record of a verified
	// content that differs from the records now; 0 if nothing differs.
	Fields       []firstarticle.Field   `json:"fields,omitzero"`
	Missing      []firstarticle.Missing `json:"missing,omitzero"`
	ChangedSince ident.Timestamp        `json:"changedSince,omitzero"`

	Typable []firstarticle.Missing `json:"-"` // of a draft with its forms: the fields that records leave empty, in the order of the forms

	Typed   map[string]string `json:"-"` // typed texts, by firstarticle.Place.Key
	Content string            `json:"-"` // the bytes of the file with the frozen content; "" in lists and in drafts
}

// FirstArticleUnits is the maximum number of units of a first article inspection.
const FirstArticleUnits = 20

// Contents is the SHA-256 that the last entry of a first article inspection records. It covers neither the external id nor the voiding.
func (f *FirstArticle) Contents() trail.ContentsSHA256 {
	kept := *f
	kept.ExternalID, kept.Voiding, kept.UpdatedAt = "", card.Voiding{}, 0
	kept.Fields, kept.Missing, kept.ChangedSince = nil, nil, 0
	if len(f.Typed) == 0 {
		return trail.ContentsOf([]any{kept, nil, digestOf([]byte(f.Content))})
	}
	return trail.ContentsOf([]any{kept, f.Typed, digestOf([]byte(f.Content))})
}

// FirstArticleID returns the identifier of the first article inspection with a number, counted from 1: FAI-00012.
func FirstArticleID(number int64) string { return fmt.Sprintf("%s%05d", prefixFirstArticle, number) }

// ParseFirstArticleID returns the number in an identifier. It returns false unless FirstArticleID could have created the text.
func ParseFirstArticleID(id string) (int64, bool) { return ident.ParseNumbered(id, prefixFirstArticle) }

// CreateFirstArticleInput is the body of Create First Article.
type CreateFirstArticleInput struct {
	SerialIDs       input.TextsInput `field:"serialIds"`
	Kind            input.TextInput  `field:"kind"`
	Reason          input.TextInput  `field:"reason"`
	Baseline        input.TextInput  `field:"baseline"`
	Characteristics input.TextsInput `field:"characteristics"`
	Identifier      input.TextInput  `field:"identifier"`
	ExternalInput
	UserID input.TextInput `field:"userId"`
}

// check validates the fields in the order of the interface.
func (in CreateFirstArticleInput) check(prefix ident.Prefix, caller Caller) (made FirstArticle, err error) {
	if made.SerialIDs, err = input.RequiredItems("serialIds", in.SerialIDs, refusal.ListEmpty); err != nil {
		return made, err
	}
	if len(made.SerialIDs) > FirstArticleUnits {
		return made, refusal.RefuseField(refusal.ListTooLong, "serialIds", FirstArticleUnits)
	}
	for i, id := range made.SerialIDs {
		if slices.Contains(made.SerialIDs[:i], id) {
			return made, refusal.Refuse(ListedTwice, id)
		}
	}
	if in.Kind.Missing() {
		return made, input.NotOneOf("kind", firstarticle.Kinds())
	}
	if made.Kind, err = input.OneOf("kind", in.Kind, firstarticle.Kinds()); err != nil {
		return made, err
	}
	if made.Reason, err = input.RequiredWithin("reason", input.Trimmed(in.Reason), input.TextLimit, refusal.Required); err != nil {
		return made, err
	}
	if made.Baseline, err = input.OptionalWithin("baseline", input.Trimmed(in.Baseline), input.NameLimit); err != nil {
		return made, err
	}
	if made.Characteristics, err = namesIn("characteristics", in.Characteristics); err != nil {
		return made, err
	}
	partial := made.Kind == firstarticle.Partial
	switch {
	case partial && made.Baseline == "":
		return made, refusal.RefuseField(refusal.Required, "baseline")
	case partial && len(made.Characteristics) == 0:
		return made, refusal.RefuseField(refusal.Required, "characteristics")
	case !partial && len(made.Characteristics) > 0:
		return made, refusal.RefuseField(OnlyForPartial, "characteristics")
	}
	if made.Identifier, err = input.OptionalWithin("identifier", input.Trimmed(in.Identifier), input.NameLimit); err != nil {
		return made, err
	}
	if err := in.ExternalInput.Change(prefix, "", &made.ExternalID); err != nil {
		return made, err
	}
	made.CreatedBy, err = requiredUser(caller, in.UserID)
	return made, err
}

// firstArticleFacts are the fields of a first article inspection that the entry of its creation records.
type firstArticleFacts struct {
	FirstArticleID  string               `json:"firstArticleId"`
	SerialIDs       []string             `json:"serialIds"`
	Kind            firstarticle.Kind    `json:"kind"`
	Reason          string               `json:"reason"`
	Baseline        string               `json:"baseline,omitempty"`
	Characteristics []string             `json:"characteristics,omitempty"`
	Identifier      string               `json:"identifier,omitempty"`
	PartNumber      string               `json:"partNumber,omitempty"`
	PartRevision    string               `json:"partRevision,omitempty"`
	Contents        trail.ContentsSHA256 `json:"contentsSha256"`
}

// CreateFirstArticle begins a first article inspection of units of a path, and fills its forms.
func (s *Service) CreateFirstArticle(ctx context.Context, pathID string, in CreateFirstArticleInput) (FirstArticle, error) {
	var made FirstArticle
	err := s.Commit(ctx, &made, func(tx Tx) error {
		path, err := tx.Path(pathID)
		if err != nil {
			return OrNotFound(err, card.NamePath, pathID)
		}
		if made, err = in.check(tx.SerialPrefix(), CallerOf(ctx)); err != nil {
			return err
		}
		if err := made.refuseUnits(tx, pathID); err != nil {
			return err
		}
		job, err := FindJob(tx, path.JobID)
		if err != nil {
			return err
		}
		made.JobID, made.PathID, made.PartNumber, made.PartRevision = job.ID, pathID, job.Part(), job.PartRevision
		if err := made.refusePlan(tx, &path); err != nil {
			return err
		}
		number, err := tx.TakeFirstArticleNumber()
		if err != nil {
			return err
		}
		now := s.Now()
		made.ID, made.Status, made.CreatedAt, made.UpdatedAt = FirstArticleID(number), FirstArticleDraft, now, now
		if err := tx.InsertFirstArticle(made); err != nil {
			return err
		}
		if err := tx.AppendAudit(made.entry(ActionFirstArticleCreated, made.CreatedBy, now, firstArticleFacts{
			made.ID, made.SerialIDs, made.Kind, made.Reason, made.Baseline, made.Characteristics, made.Identifier, made.PartNumber,
			made.PartRevision, made.Contents(),
		})); err != nil {
			return err
		}
		if err := recordExternal(tx, ExternalID{RecordFirstArticle, made.ID, made.ExternalID}, "",
			trail.Entry{UserID: made.CreatedBy, Timestamp: now, JobID: made.JobID, PathID: pathID}); err != nil {
			return err
		}
		return s.fill(tx, &made)
	})
	return made, err
}

// refuseUnits refuses units that do not exist, are not on the path, or are scrapped.
func (f *FirstArticle) refuseUnits(tx Tx, pathID string) error {
	slices.SortFunc(f.SerialIDs, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	cards, err := tx.RouteCards(f.SerialIDs)
	if err != nil {
		return err
	}
	for _, id := range f.SerialIDs {
		if _, exists := cards[id]; !exists {
			return NameSerial.NotFound(id)
		}
	}
	for _, id := range f.SerialIDs {
		switch unit := cards[id]; {
		case unit.Serial.PathID != pathID:
			return refusal.Refuse(NotOnThisPath, id)
		case unit.Serial.Status == card.Scrapped:
			return refusal.Refuse(DecideScrapped, id)
		}
	}
	return nil
}

// refusePlan refuses a baseline that is not an approved first article of the part, and characteristics that the path does not have.
func (f *FirstArticle) refusePlan(tx Tx, path *card.Path) error {
	if _, is := ParseFirstArticleID(f.Baseline); is {
		baseline, err := tx.FirstArticle(f.Baseline)
		switch {
		case err != nil:
			return OrNotFound(err, NameFirstArticle, f.Baseline)
		case baseline.Status != FirstArticleApproved || baseline.Voided():
			return refusal.Refuse(BaselineUnapproved, baseline.ID)
		case baseline.PartNumber != f.PartNumber:
			return refusal.Refuse(BaselineOfOther, baseline.ID, baseline.PartNumber)
		}
	}
	for _, number := range f.Characteristics {
		planned := false
		for i := range path.Steps {
			set := path.CharacteristicsOf(path.Steps[i].ID)
			planned = planned || slices.ContainsFunc(set.Characteristics, func(c card.Characteristic) bool { return c.Number == number })
		}
		if !planned {
			return refusal.Refuse(NotCharacteristicOfPath, number)
		}
	}
	return nil
}

// entry returns an entry about the first article inspection.
func (f *FirstArticle) entry(action trail.Action, userID string, now ident.Timestamp, told any) trail.Entry {
	return trail.Entry{
		Action: action, UserID: userID, Timestamp: now, JobID: f.JobID, PathID: f.PathID, Metadata: trail.Metadata(told),
	}
}

// findFirstArticle returns a first article inspection that is not voided and that the caller has read as it is.
func (s *Service) findFirstArticle(ctx context.Context, tx Tx, id string) (FirstArticle, error) {
	found, err := tx.FirstArticle(id)
	if err != nil {
		return found, OrNotFound(err, NameFirstArticle, id)
	}
	if err := RefuseUnread(ctx, NameFirstArticle, id, func() (any, error) {
		read := found
		err := s.fill(tx, &read)
		return read, err
	}); err != nil {
		return found, err
	}
	if found.Voided() {
		return found, refusal.Refuse(FirstArticleVoided)
	}
	return found, nil
}

// in refuses a first article inspection in another status.
func (f *FirstArticle) in(status FirstArticleStatus) error {
	if f.Status != status {
		return refusal.Refuse(FirstArticleIs, f.Status)
	}
	return nil
}

// change stores and records a change of a first article inspection, and completes it.
func (s *Service) change(tx Tx, f *FirstArticle, action trail.Action, userID string, told func(trail.ContentsSHA256) any) error {
	f.UpdatedAt = s.Now()
	if err := tx.UpdateFirstArticle(*f); err != nil {
		return err
	}
	if err := tx.AppendAudit(f.entry(action, userID, f.UpdatedAt, told(f.Contents()))); err != nil {
		return err
	}
	return s.fill(tx, f)
}

// UpdateFirstArticleInput is the body of Update First Article. Fields has the typed texts by name, such as 1.8 or 2.3.9. Null and blank
// texts remove the typed text.
type UpdateFirstArticleInput struct {
	Fields input.ObjectInput `field:"fields"`
	UserID input.TextInput   `field:"userId"`
}

// check validates the texts.
func (in UpdateFirstArticleInput) check(caller Caller) (texts map[string]string, userID string, err error) {
	if in.Fields.Missing() {
		return nil, "", refusal.RefuseField(refusal.Required, "fields")
	}
	object, err := input.OptionalObject("fields", in.Fields)
	if err != nil {
		return nil, "", err
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(object, &given); err != nil {
		return nil, "", refusal.RefuseField(refusal.NotObject, "fields")
	}
	texts = map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		text, value := input.Null[string](), new(string)
		if err := json.Unmarshal(given[name], &value); err != nil {
			text = input.Mistyped[string]()
		} else if value != nil {
			text = input.Given(strings.TrimSpace(*value))
		}
		if texts[name], err = input.OptionalWithin("fields."+name, text, input.TextLimit); err != nil {
			return nil, "", err
		}
	}
	userID, err = requiredUser(caller, in.UserID)
	return texts, userID, err
}

// typedEvent is the metadata of the entry about typed fields.
type typedEvent struct {
	FirstArticleID string               `json:"firstArticleId"`
	Before         map[string]*string   `json:"before"`
	After          map[string]*string   `json:"after"`
	Contents       trail.ContentsSHA256 `json:"contentsSha256"`
}

// UpdateFirstArticle types fields that the records leave empty.
func (s *Service) UpdateFirstArticle(ctx context.Context, id string, in UpdateFirstArticleInput) (FirstArticle, error) {
	var changed FirstArticle
	err := s.Commit(ctx, &changed, func(tx Tx) (err error) {
		if changed, err = s.findFirstArticle(ctx, tx, id); err != nil {
			return err
		}
		if err := changed.in(FirstArticleDraft); err != nil {
			return err
		}
		texts, userID, err := in.check(CallerOf(ctx))
		if err != nil {
			return err
		}
		records, err := s.firstArticleRecords(tx, &changed)
		if err != nil {
			return err
		}
		places := records.Fill().Places
		typed := maps.Clone(changed.Typed)
		if typed == nil {
			typed = map[string]string{}
		}
		told := typedEvent{id, map[string]*string{}, map[string]*string{}, ""}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			place, known := places[name]
			switch {
			case !known:
				return refusal.RefuseField(UnknownFormField, "fields."+name)
			case place.Filled && texts[name] != "":
				return refusal.RefuseField(FilledFromRecords, "fields."+name)
			case typed[place.Key] == texts[name]:
				continue
			}
			told.Before[name], told.After[name] = OrNull(typed[place.Key]), OrNull(texts[name])
			if typed[place.Key] = texts[name]; texts[name] == "" {
				delete(typed, place.Key)
			}
		}
		if len(told.After) == 0 {
			return s.fill(tx, &changed)
		}
		changed.Typed = typed
		return s.change(tx, &changed, ActionFirstArticleChanged, userID, func(contents trail.ContentsSHA256) any {
			told.Contents = contents
			return told
		})
	})
	return changed, err
}

// FirstArticle returns a first article inspection with its forms.
func (s *Service) FirstArticle(ctx context.Context, id string) (found FirstArticle, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		found, err = s.FirstArticleIn(tx, id)
		return err
	})
	return found, err
}

// FirstArticleIn is FirstArticle within a transaction.
func (s *Service) FirstArticleIn(tx Reader, id string) (FirstArticle, error) {
	found, err := tx.FirstArticle(id)
	if err != nil {
		return found, OrNotFound(err, NameFirstArticle, id)
	}
	err = s.fill(tx, &found)
	return found, err
}

// FirstArticleQuery selects first article inspections.
type FirstArticleQuery struct {
	Text       string             `query:"q"` // part of the id, the identifier or the part number
	PartNumber string             `query:"partNumber"`
	JobID      string             `query:"jobId"`
	PathID     string             `query:"pathId"`
	SerialID   string             `query:"serialId"`
	Status     FirstArticleStatus `query:"status"`
	Before     string             `query:"before"` // the id of the last one on the previous page; "" for the first page
	Limit      int                `query:"limit"`  // 1 to SearchLimit; 0 for SearchDefault
}

// Check refuses unknown words.
func (q FirstArticleQuery) Check() error {
	if q.Status != "" && !slices.Contains(FirstArticleStatuses(), q.Status) {
		return input.NotOneOf("status", FirstArticleStatuses())
	}
	return nil
}

// FirstArticlePage is one page of first article inspections, newest first and without their forms. Next is the value of Before for the next
// page.
type FirstArticlePage = Page[FirstArticle]

// FirstArticles returns one page of first article inspections, newest first.
func (s *Service) FirstArticles(ctx context.Context, query FirstArticleQuery) (page FirstArticlePage, err error) {
	if err := cmp.Or(query.Check(), input.CheckBefore(query.Before, prefixFirstArticle)); err != nil {
		return page, err
	}
	limit := input.PageLimit(query.Limit)
	query.Limit, query.Text = limit+1, strings.TrimSpace(query.Text)
	err = s.store.View(ctx, func(tx Reader) error {
		found, err := tx.FirstArticles(query)
		page = pageOf(found, limit, func(f *FirstArticle) string { return f.ID })
		return err
	})
	return page, err
}

// FirstArticleStore has the database functions for first article inspections.
type FirstArticleStore interface {
	TakeFirstArticleNumber() (int64, error)
	InsertFirstArticle(made FirstArticle) error
	// UpdateFirstArticle stores the fields that change, also the voiding, and marks the files that it names as attached.
	UpdateFirstArticle(changed FirstArticle) error
	FirstArticle(id string) (FirstArticle, error)                  // with content
	FirstArticles(query FirstArticleQuery) ([]FirstArticle, error) // newest first, without content
	FirstArticlesOfUnit(serialID string) ([]FirstArticle, error)   // oldest first, also voided ones, with content
	AllFirstArticles() iter.Seq2[FirstArticle, error]              // oldest first, with content
	// ApprovedFirstArticle returns the newest approved one of a part that is not voided, without content, or ErrNoRecord.
	ApprovedFirstArticle(partNumber, partRevision string) (FirstArticle, error)
	// ProductionOf returns the production of a part and revision: for each path with units, when its first and its last unit was created,
	// in the order of the first.
	ProductionOf(partNumber, partRevision string) ([]Production, error)
}

// Production is a period in which units of a path were created.
type Production struct{ From, To ident.Timestamp }

// Names of first article inspections in the tables of records, operations and actions.
const (
	RecordFirstArticle ident.RecordKind = "firstArticle"

	NameFirstArticle refusal.RecordName = "FirstArticle"

	prefixFirstArticle = "FAI-"

	OpCreateFirstArticle     Operation = "create-first-article"
	OpUpdateFirstArticle     Operation = "update-first-article"
	OpVerifyFirstArticle     Operation = "verify-first-article"
	OpApproveFirstArticle    Operation = "approve-first-article"
	OpReopenFirstArticle     Operation = "reopen-first-article"
	OpRecordCustomerApproval Operation = "record-customer-approval"
	OpVoidFirstArticle       Operation = "void-first-article"

	AboutFirstArticle Subject = "firstArticle"

	ActionFirstArticleCreated          trail.Action = "first_article_created"
	ActionFirstArticleChanged          trail.Action = "first_article_changed"
	ActionFirstArticleVerified         trail.Action = "first_article_verified"
	ActionFirstArticleApproved         trail.Action = "first_article_approved"
	ActionFirstArticleReopened         trail.Action = "first_article_reopened"
	ActionFirstArticleCustomerApproved trail.Action = "first_article_customer_approved"
)

// Reasons for refusing to create, change, verify or approve first article inspections.
var (
	NotOnThisPath           = refusal.NewReason(refusal.Invalid, "not_on_path", "{serialId} is not on this path")
	OnlyForPartial          = refusal.NewReason(refusal.Invalid, "only_for_partial", "{field} is only for a partial first article")
	NotCharacteristicOfPath = refusal.NewReason(refusal.Invalid, "not_characteristic_of_path", "Characteristic {number} is not on this path")
	BaselineUnapproved      = refusal.NewReason(refusal.Invalid, "baseline_not_approved", "{id} is not an approved first article")
	BaselineOfOther         = refusal.NewReason(refusal.Invalid, "baseline_of_other_part", "{id} is a first article of {part}")
	UnknownFormField        = refusal.NewReason(refusal.Invalid, "unknown_form_field", "{field} is not a field of this first article")
	FilledFromRecords       = refusal.NewReason(refusal.Invalid, "filled_from_records", "{field} is filled from records")
	FirstArticleIncomplete  = refusal.NewReason(refusal.Invalid, "first_article_incomplete", "First article is incomplete: {fields}")
	FirstArticleIs          = refusal.NewReason(refusal.Invalid, "first_article_status", "First article is {status}")
	FirstArticleVoided      = refusal.NewReason(refusal.Invalid, "already_voided", "FirstArticle is already voided")
	ApproverVerified        = refusal.NewReason(refusal.Invalid, "approver_verified", "The approver must be somebody else")
	CustomerApprovedBefore  = refusal.NewReason(refusal.Invalid, "customer_approved", "First article was already approved by {name}")
)

var firstArticleNoun = noun{
	records: []Record{{
		Kind: RecordFirstArticle, Names: named(NameFirstArticle), Prefix: prefixFirstArticle, Table: "first_article",
		Tagged: true, Voidable: true, External: true, Compared: true,
		Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
			var told firstArticleEvent // that of the creation has the same two members
			err := trail.ReadMetadata(entry, &told)
			return told.FirstArticleID, told.Contents, err
		},
		Kept: func(tx Tx) iter.Seq2[Kept, error] {
			return keptOf(tx.AllFirstArticles(), func(f FirstArticle) Kept { return Kept{f.ID, f.Contents()} })
		},
	}},
	operations: []operationRow{
		{operation: OpCreateFirstArticle, permission: Work, subject: AboutFirstArticle},
		{operation: OpUpdateFirstArticle, permission: Work, subject: AboutFirstArticle},
		{operation: OpVerifyFirstArticle, permission: Decide, subject: AboutFirstArticle, signed: SignFirstArticle},
		{operation: OpApproveFirstArticle, permission: Decide, subject: AboutFirstArticle, signed: SignFirstArticle},
		{operation: OpReopenFirstArticle, permission: Decide, subject: AboutFirstArticle},
		{operation: OpRecordCustomerApproval, permission: Decide, subject: AboutFirstArticle},
		{operation: OpVoidFirstArticle, permission: Work, subject: AboutFirstArticle}, // for one of another user, it checks Decide itself
	},
	actions: []actionRow{
		{action: ActionFirstArticleCreated, of: only(RecordFirstArticle)},
		{action: ActionFirstArticleChanged, of: only(RecordFirstArticle)},
		{action: ActionFirstArticleVerified, of: only(RecordFirstArticle), signed: SignFirstArticle},
		{action: ActionFirstArticleApproved, of: only(RecordFirstArticle), signed: SignFirstArticle},
		{action: ActionFirstArticleReopened, of: only(RecordFirstArticle)},
		{action: ActionFirstArticleCustomerApproved, of: only(RecordFirstArticle)},
	},
}

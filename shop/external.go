package shop

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// ExternalMark begins what stands in the place of an identifier when a record is named by the identifier that another system gave
// it.
const ExternalMark = "ext:"

// ExternalIDLimit is how many characters an external identifier has at most.
const ExternalIDLimit = 200

// ExternalID says what another system calls a record. It is unique among the records of a kind.
type ExternalID struct {
	Of         ident.RecordKind // whose row has External
	ID         string           // of the record
	ExternalID string
}

// key is what verification calls it: a record has one external identifier at most.
func (e ExternalID) key() string { return string(e.Of) + " " + e.ID }

// Contents is the SHA-256 of what the entries about an external identifier tell; "" when it was taken away.
func (e ExternalID) Contents() trail.ContentsSHA256 {
	if e.ExternalID == "" {
		return ""
	}
	return trail.ContentsOf([]string{string(e.Of), e.ID, e.ExternalID})
}

// ExternalInput is the external identifier in the body of a creation or of an update. Null and blank ones take away what was there.
type ExternalInput struct {
	ExternalID input.TextInput `field:"externalId"`
}

// NameOutside puts the external identifier of an address into the input. It refuses an empty one, which would create a record
// without an external identifier, and another one in the input.
func (in *ExternalInput) NameOutside(externalID string) error {
	if externalID == "" {
		return refusal.RefuseField(refusal.Required, "externalId")
	}
	if in.ExternalID.State == input.StateGiven && strings.TrimSpace(in.ExternalID.Value) != externalID {
		return input.NotOneOf("externalId", []string{externalID})
	}
	if in.ExternalID.Missing() {
		in.ExternalID = input.Given(externalID)
	}
	return nil
}

// Trimmed validates the field and returns it without blanks at its ends.
func (in *ExternalInput) Trimmed() (string, error) {
	given := in.ExternalID
	given.Value = strings.TrimSpace(given.Value)
	return input.OptionalWithin("externalId", given, ExternalIDLimit)
}

// Change replaces the external identifier of the record with an id if the field is present. It refuses a new one that means something
// else when it is scanned.
func (in *ExternalInput) Change(id string, externalID *string) error {
	if !in.ExternalID.Present() {
		return nil
	}
	changed, err := in.Trimmed()
	if err == nil && changed != *externalID {
		err = RefuseReserved("externalId", changed, id)
	}
	if err == nil {
		*externalID = changed
	}
	return err
}

// recordExternal gives a record an external identifier in place of the one it had before and tells of it in an entry, which names
// the record as the given one does. It does nothing when the two are the same.
func recordExternal(tx interface {
	AuditStore
	ExternalStore
}, after ExternalID, before string, entry trail.Entry) error {
	if after.ExternalID == before {
		return nil
	}
	err := tx.SetExternalID(after)
	if errors.Is(err, ErrDuplicate) {
		var other string
		if other, err = tx.RecordOutside(after.Of, after.ExternalID); err == nil {
			return refusal.RefuseField(ExternalIDTaken, "externalId", after.ExternalID, other)
		}
	}
	if err != nil {
		return err
	}
	entry.Action = ActionExternalIDSet
	entry.Metadata = trail.Metadata(externalEvent{
		Kind: after.Of, ID: after.ID, Before: OrNull(before), After: OrNull(after.ExternalID), Contents: after.Contents(),
	})
	return tx.AppendAudit(entry)
}

// externalEvent is the metadata of an entry about an external identifier.
type externalEvent struct {
	Kind   ident.RecordKind `json:"kind"`
	ID     string           `json:"id"`
	Before *string          `json:"before"` // null for none
	After  *string          `json:"after"`  // null when it was taken away

	Contents trail.ContentsSHA256 `json:"contentsSha256,omitempty"` // left out when it was taken away
}

// FindOutside returns the identifier of the record that another system calls so; ErrNoRecord when there is none.
func FindOutside(tx interface {
	ExternalStore
	InstrumentStore
}, kind ident.RecordKind, externalID string) (string, error) {
	switch {
	case externalID == "":
		return "", ErrNoRecord
	case kind == RecordInstrument:
		found, err := tx.InstrumentOutside(externalID)
		return found.ID, err
	}
	return tx.RecordOutside(kind, externalID)
}

// IDOf returns the identifier of the record of a kind that somebody named. What does not begin with ExternalMark is returned as it
// is, and so is an external identifier that nobody has: the operation says of it that there is no such record.
func (s *Service) IDOf(ctx context.Context, kind ident.RecordKind, named string) (string, error) {
	if !strings.HasPrefix(named, ExternalMark) {
		return named, nil
	}
	err := s.store.View(ctx, func(tx Reader) (err error) {
		named, err = IDIn(tx, kind, named)
		return err
	})
	return named, err
}

// IDIn is IDOf within a transaction.
func IDIn(tx interface {
	ExternalStore
	InstrumentStore
}, kind ident.RecordKind, named string) (string, error) {
	externalID, ok := strings.CutPrefix(named, ExternalMark)
	if !ok {
		return named, nil
	}
	id, err := FindOutside(tx, kind, strings.TrimSpace(externalID))
	if err == nil {
		return id, nil
	}
	return named, IgnoreNoRecord(err)
}

// identifying says which kind of record a field or a parameter names by its identifier.
var identifying = map[string]ident.RecordKind{
	"jobId": RecordJob, "contributingJobIds": RecordJob, "pathId": RecordPath, "serialId": RecordSerial, "serialIds": RecordSerial,
	"certId": RecordCertificate, "instrumentId": RecordInstrument, "templateId": RecordTemplate,
}

// Identifies returns the kind of record that a field or a parameter with a name identifies, and whether it identifies one.
func Identifies(name string) (ident.RecordKind, bool) {
	kind, ok := identifying[name]
	return kind, ok
}

// Put changes the record that an address names, or creates it when the address names it by an external identifier that no record
// of the kind has yet. Of two callers at once one creates the record and the other changes it.
func Put[Out any](
	ctx context.Context, s *Service, kind ident.RecordKind, named string, create func() (Out, error), update func(id string) (Out, error),
) (put Out, created bool, err error) {
	if !strings.HasPrefix(named, ExternalMark) {
		put, err = update(named)
		return put, false, err
	}
	id, err := s.IDOf(ctx, kind, named)
	if err != nil {
		return put, false, err
	}
	made, err := s.Repeated(ctx) // the first operation of a run creates, the second changes
	if err != nil {
		return put, false, err
	}
	changed, err := s.repeatedSecond(ctx)
	if err != nil {
		return put, false, err
	}
	expected := ctx.Value(matchKey{}) != nil // who has read it expects it to be there
	if !made && (changed || expected || !strings.HasPrefix(id, ExternalMark)) {
		if run := onceRunOf(ctx); run != nil {
			run.next()
			run.replayed++
		}
		put, err = update(id)
		return put, false, err
	}
	put, err = create()
	if refusal, ok := errors.AsType[*refusal.Error](err); ok && refusal.Reason == ExternalIDTaken {
		if id, err = s.IDOf(ctx, kind, named); err == nil && !strings.HasPrefix(id, ExternalMark) {
			put, err = update(id)
			return put, false, err
		}
		return put, false, refusal
	}
	return put, err == nil, err
}

// UpdateSerialInput is the body of Update Serial.
type UpdateSerialInput struct {
	ExternalInput
	UserID input.TextInput `field:"userId"`
}

// UpdateSerial gives a unit an external identifier, changes it, or takes it away. The unit stays where it is.
func (s *Service) UpdateSerial(ctx context.Context, id string, in UpdateSerialInput) (card.Serial, error) {
	var serial card.Serial
	err := s.Commit(ctx, &serial, func(tx Tx) error {
		card, err := tx.RouteCard(id)
		if err != nil {
			return OrNotFound(err, NameSerialNumber, id)
		}
		if err := RefuseUnread(ctx, NameSerialNumber, id, func() (any, error) {
			certificates, err := tx.CertificatesOfSerial(id)
			return DetailOf(card, certificates), err
		}); err != nil {
			return err
		}
		serial, err = s.updateSerial(ctx, tx, card, in)
		return err
	})
	return serial, err
}

func (s *Service) updateSerial(ctx context.Context, tx Tx, unit card.Card, in UpdateSerialInput) (card.Serial, error) {
	serial := unit.Serial
	serial.ExternalID = unit.ExternalID
	if err := in.ExternalInput.Change(serial.ID, &serial.ExternalID); err != nil {
		return serial, err
	}
	userID, err := userOrAnonymous(CallerOf(ctx), in.UserID)
	if err != nil {
		return serial, err
	}
	return serial, recordExternal(tx, ExternalID{RecordSerial, serial.ID, serial.ExternalID}, unit.ExternalID,
		card.EntryAbout(serial, ActionExternalIDSet, "", userID, s.Now()))
}

// ExternalStore is what external identifiers need of a database.
type ExternalStore interface {
	// SetExternalID gives a record an external identifier in place of the one it has; an empty one takes that away. It returns
	// ErrDuplicate when another record of the kind has it.
	SetExternalID(external ExternalID) error
	// RecordOutside returns the identifier of the record of a kind with an external identifier.
	RecordOutside(kind ident.RecordKind, externalID string) (string, error)
	// ExternalIDs yields all of them, each kind by itself.
	ExternalIDs() iter.Seq2[ExternalID, error]
}

// What the tables of the business call external identifiers.
const (
	RecordExternalID ident.RecordKind = "externalId"

	OpUpdateSerial Operation = "update-serial"

	ActionExternalIDSet trail.Action = "external_id_set"
)

var externalNoun = noun{
	records: []Record{
		{
			Kind: RecordExternalID, Table: "external_id", Compared: true,
			Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
				var told externalEvent
				err := trail.ReadMetadata(entry, &told)
				return ExternalID{Of: told.Kind, ID: told.ID}.key(), told.Contents, err
			},
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.ExternalIDs(), func(e ExternalID) Kept { return Kept{e.key(), e.Contents()} })
			},
		},
	},
	operations: []operationRow{
		{operation: OpUpdateSerial, permission: Plan, subject: AboutPath},
	},
	actions: []actionRow{
		{action: ActionExternalIDSet, of: only(RecordExternalID)},
	},
}

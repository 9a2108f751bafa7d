package shop

import (
	"context"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Override makes one step count as optional for one serial while it is active. A reversed one is kept.
type Override struct {
	ID        string          `json:"id"`
	SerialID  string          `json:"serialId"`
	StepID    string          `json:"stepId"`
	Active    bool            `json:"active"`
	Reason    string          `json:"reason,omitempty"`
	CreatedBy string          `json:"createdBy"`
	CreatedAt ident.Timestamp `json:"createdAt"`
	// ReversedAt is when it was reversed; 0 while it is active.
	ReversedAt ident.Timestamp `json:"-"`
}

// Overrides answers List Overrides: active and reversed, oldest first.
func (s *Service) Overrides(ctx context.Context, serialID string) ([]Override, error) {
	var overrides []Override
	err := s.store.View(ctx, func(tx Reader) error {
		if _, err := tx.RouteCard(serialID); err != nil {
			return OrNotFound(err, NameSerial, serialID)
		}
		var err error
		overrides, err = tx.OverridesOfSerial(serialID)
		return err
	})
	return overrides, err
}

// CreateOverridesInput is the body of Create Override.
type CreateOverridesInput struct {
	SerialIDs input.TextsInput `field:"serialIds"`
	StepID    input.TextInput  `field:"stepId"`
	Reason    input.TextInput  `field:"reason"`
	UserID    input.TextInput  `field:"userId"`
}

func (in CreateOverridesInput) check(caller Caller) (serialIDs []string, override Override, err error) {
	if serialIDs, err = input.RequiredItems("serialIds", in.SerialIDs, refusal.ListEmpty); err != nil {
		return nil, override, err
	}
	if override.StepID, err = input.RequiredName("stepId", in.StepID); err != nil {
		return nil, override, err
	}
	if override.Reason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required); err != nil {
		return nil, override, err
	}
	override.CreatedBy, err = requiredUser(caller, in.UserID)
	return serialIDs, override, err
}

// CreateOverrides makes one step count as optional for every listed serial, or for none of them. It answers the
// overrides that are new: a serial that has an active one for the step is passed over.
func (s *Service) CreateOverrides(ctx context.Context, id string, in CreateOverridesInput) ([]Override, error) {
	ctx = s.signable(ctx, in, id)
	var created []Override
	if err := takeMemoryFor(ctx, len(in.SerialIDs.Value)); err != nil {
		return nil, err
	}
	err := s.Commit(ctx, &created, func(tx Tx) error {
		created = []Override{}
		if _, err := tx.RouteCard(id); err != nil {
			return OrNotFound(err, NameSerial, id)
		}
		serialIDs, override, err := in.check(CallerOf(ctx))
		if err != nil {
			return err
		}
		override.Active, override.CreatedAt = true, s.Now()
		taken := map[string]Override{}
		refuse := func(card RouteCard) error {
			_, err := overridable(card, override.StepID)
			return err
		}
		err = takeListed(ctx, tx, serialIDs, NameSerial, refuse, func(cards []RouteCard) error {
			added, entries := make([]Override, 0, len(cards)), make([]trail.Entry, 0, len(cards))
			for i := range cards {
				if needed, _ := overridable(cards[i], override.StepID); !needed {
					continue
				}
				override.ID, override.SerialID = s.NewID(prefixOverride), cards[i].Serial.ID
				taken[override.SerialID] = override
				added = append(added, override)
				entries = append(entries, overriddenEntry(cards[i].Serial, override))
			}
			if err := tx.InsertOverrides(added); err != nil {
				return err
			}
			return tx.AppendAudit(entries...)
		})
		if err != nil {
			return err
		}
		for _, serialID := range serialIDs {
			if override, added := taken[serialID]; added {
				created = append(created, override)
				delete(taken, serialID)
			}
		}
		return nil
	}, aloneIf(len(in.SerialIDs.Value))...)
	return created, err
}

// overridable refuses steps that cannot be overridden for a serial; it is not needed where one is active already.
func overridable(card RouteCard, stepID string) (needed bool, err error) {
	index := card.Path.StepIndex(stepID)
	if index < 0 {
		return false, NameStep.NotFound(stepID)
	}
	return overridableAt(card, index)
}

// overridableAt is overridable for the step at index i.
func overridableAt(card RouteCard, i int) (needed bool, err error) {
	if _, active := card.Overrides[card.Path.Steps[i].ID]; active {
		return false, nil
	}
	if card.StepStatus(i) == StepCompleted {
		return false, refusal.Refuse(OverrideCompleted)
	}
	return true, nil
}

func overriddenEntry(serial Serial, override Override) trail.Entry {
	entry := entryAbout(serial, ActionStepOverrideCreated, override.StepID, override.CreatedBy, override.CreatedAt)
	entry.Metadata = trail.Metadata(struct {
		Reason string `json:"reason"`
	}{override.Reason})
	return entry
}

// ReverseOverride answers Delete Override: the step gets its own required or optional status back for this serial.
func (s *Service) ReverseOverride(ctx context.Context, id, stepID string, user input.TextInput) error {
	ctx = s.signable(ctx, struct {
		UserID input.TextInput `field:"userId"`
	}{user}, id, stepID)
	return s.changeCard(ctx, id, NameSerial, nil, func(card RouteCard, now ident.Timestamp) (CardChange, error) {
		override, err := reversible(card, stepID)
		if err != nil {
			return CardChange{}, err
		}
		userID, err := requiredUser(CallerOf(ctx), user)
		if err != nil {
			return CardChange{}, err
		}
		override.Active, override.ReversedAt = false, now
		return CardChange{
			Serial:   card.Serial,
			Reversed: []Override{override},
			Audit:    []trail.Entry{entryAbout(card.Serial, ActionStepOverrideReversed, stepID, userID, now)},
		}, nil
	})
}

// reversible finds the active override of a step, unless the step has been resolved under it.
func reversible(card RouteCard, stepID string) (Override, error) {
	override, ok := card.Overrides[stepID]
	if !ok {
		return Override{}, refusal.Refuse(NoOverride)
	}
	status, _, err := recordedStatus(card, stepID)
	if err != nil {
		return Override{}, err
	}
	return override, refuseReverseOf(status)
}

// refuseReverseOf says why an override of a step with a status cannot be taken back.
func refuseReverseOf(status StepStatus) error {
	switch status {
	case StepSkipped:
		return refusal.Refuse(ReverseSkipped)
	case StepCompleted:
		return refusal.Refuse(ReverseCompleted)
	case StepPending, StepInProgress, StepDeferred, StepWaived:
	}
	return nil
}

// OverrideStore is what the operations on overrides need of a database.
type OverrideStore interface {
	InsertOverrides(overrides []Override) error
	OverridesOfSerial(serialID string) ([]Override, error) // oldest first
}

// What the tables of the business call overrides.
const (
	RecordOverride ident.RecordKind = "override"

	prefixOverride = "snso_"

	OpOverride        Operation = "override"
	OpReverseOverride Operation = "reverse-override"

	ActionStepOverrideCreated  trail.Action = "step_override_created"
	ActionStepOverrideReversed trail.Action = "step_override_reversed"
)

// Why it is refused.
var (
	OverrideCompleted = refusal.NewReason(refusal.Invalid, "step_completed", "Cannot override a step that has already been completed")
	ReverseCompleted  = refusal.NewReason(refusal.Invalid, "step_completed", "Cannot reverse override — step has already been completed")
	ReverseSkipped    = refusal.NewReason(refusal.Invalid, "step_skipped", "Cannot reverse override — step has already been skipped")
	NoOverride        = refusal.NewReason(refusal.Invalid, "no_active_override", "No active override found for this step")
)

var overrideNoun = noun{
	records: []Record{
		{Kind: RecordOverride, Prefix: prefixOverride, Table: "step_override", StepColumn: "step_id", Compared: true},
	},
	operations: []operationRow{
		{operation: OpOverride, permission: Decide, subject: AboutUnit, signed: SignOverride},
		{operation: OpReverseOverride, permission: Decide, subject: AboutUnit, signed: SignOverride},
	},
	actions: []actionRow{
		{action: ActionStepOverrideCreated, of: only(RecordOverride), replay: (*Replayed).overridden, signed: SignOverride},
		{action: ActionStepOverrideReversed, of: only(RecordOverride), replay: (*Replayed).overridden, signed: SignOverride},
	},
}

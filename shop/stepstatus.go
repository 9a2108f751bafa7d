package shop

import (
	"cmp"
	"context"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// CompleteDeferredStep records that a deferred step has now been performed. The serial stays at its position; it may have been completed
// or scrapped meanwhile.
func (s *Service) CompleteDeferredStep(ctx context.Context, id, stepID string, user input.TextInput) (card.SerialStepStatus, error) {
	var resolved card.SerialStepStatus
	err := s.changeCard(ctx, id, NameSerial, &resolved, func(unit card.Card, now ident.Timestamp) (change card.Change, err error) {
		if err := card.RefuseCompleteDeferred(unit, stepID); err != nil {
			return card.Change{}, err
		}
		if err := cmp.Or(card.RefuseStopped(unit), card.RefuseUndone(unit, unit.Path.StepIndex(stepID))); err != nil {
			return card.Change{}, err
		}
		userID, err := requiredUser(CallerOf(ctx), user)
		if err != nil {
			return card.Change{}, err
		}
		change, resolved = card.ResolveDeferred(unit, stepID, card.StepCompleted, card.ActionDeferredStepCompleted, userID, now)
		return change, nil
	})
	return resolved, err
}

// WaiveStepInput is the body of Waive Step.
type WaiveStepInput struct {
	Reason     input.TextInput `field:"reason"`
	ApproverID input.TextInput `field:"approverId"`
}

func (in WaiveStepInput) check(caller Caller) (reason, approverID string, err error) {
	if reason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, WaiverIncomplete); err != nil {
		return "", "", err
	}
	approverID, err = actingUser(caller, "approverId", in.ApproverID, WaiverIncomplete)
	return reason, approverID, err
}

// WaiveStep releases a serial from a required step that it had deferred. Only Undo can revert a waiver.
func (s *Service) WaiveStep(ctx context.Context, id, stepID string, in WaiveStepInput) (card.SerialStepStatus, error) {
	ctx = s.signable(ctx, in, id, stepID)
	var resolved card.SerialStepStatus
	err := s.changeCard(ctx, id, NameSerial, &resolved, func(unit card.Card, now ident.Timestamp) (change card.Change, err error) {
		if err := card.RefuseWaive(unit, stepID); err != nil {
			return card.Change{}, err
		}
		reason, approverID, err := in.check(CallerOf(ctx))
		if err != nil {
			return card.Change{}, err
		}
		change, resolved = card.ResolveDeferred(unit, stepID, card.StepWaived, card.ActionStepWaived, approverID, now)
		change.Audit[0].Metadata = trail.Metadata(struct {
			Reason     string `json:"reason"`
			ApproverID string `json:"approverId"`
		}{reason, approverID})
		return change, nil
	})
	return resolved, err
}

// Names of bypassed steps in the tables of records, operations and actions.
const (
	RecordStepStatus ident.RecordKind = "step status"

	OpCompleteDeferred Operation = "complete-deferred"
	OpWaive            Operation = "waive"
)

// Reasons to refuse a change of a bypassed step.
var (
	WaiverIncomplete = refusal.NewReason(refusal.Invalid, "required", "Waiver requires a reason and approver identity")
)

var stepStatusNoun = noun{
	records: []Record{
		{Kind: RecordStepStatus, Names: named(card.NameStepStatus), Prefix: card.StepStatusPrefix, Table: "step_exception", Compared: true},
	},
	operations: []operationRow{
		{operation: OpCompleteDeferred, permission: Work, subject: AboutUnit},
		{operation: OpWaive, permission: Decide, subject: AboutUnit, signed: SignWaive},
	},
	actions: []actionRow{
		{action: card.ActionStepSkipped, of: only(RecordStepStatus)},
		{action: card.ActionStepDeferred, of: only(RecordStepStatus)},
		{action: card.ActionDeferredStepCompleted, of: only(RecordStepStatus)},
		{action: card.ActionStepWaived, of: only(RecordStepStatus), signed: SignWaive},
	},
}

// Overrides implements List Overrides: active and reversed overrides, oldest first.
func (s *Service) Overrides(ctx context.Context, serialID string) ([]card.Override, error) {
	var overrides []card.Override
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

func (in CreateOverridesInput) check(caller Caller) (serialIDs []string, override card.Override, err error) {
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

// CreateOverrides makes one step optional for all listed serials, or for none. It returns the new overrides and skips serials that have
// an active override for the step.
func (s *Service) CreateOverrides(ctx context.Context, id string, in CreateOverridesInput) ([]card.Override, error) {
	ctx = s.signable(ctx, in, id)
	var created []card.Override
	if err := takeMemoryFor(ctx, len(in.SerialIDs.Value)); err != nil {
		return nil, err
	}
	err := s.Commit(ctx, &created, func(tx Tx) error {
		created = []card.Override{}
		if _, err := tx.RouteCard(id); err != nil {
			return OrNotFound(err, NameSerial, id)
		}
		serialIDs, override, err := in.check(CallerOf(ctx))
		if err != nil {
			return err
		}
		override.Active, override.CreatedAt = true, s.Now()
		taken := map[string]card.Override{}
		refuse := func(unit card.Card) error {
			_, err := card.Overridable(unit, override.StepID)
			return err
		}
		err = takeListed(ctx, tx, serialIDs, NameSerial, refuse, func(cards []card.Card) error {
			added, entries := make([]card.Override, 0, len(cards)), make([]trail.Entry, 0, len(cards))
			for i := range cards {
				if needed, _ := card.Overridable(cards[i], override.StepID); !needed {
					continue
				}
				override.ID, override.SerialID = s.NewID(prefixOverride), cards[i].Serial.ID
				taken[override.SerialID] = override
				added = append(added, override)
				entries = append(entries, card.OverriddenEntry(cards[i].Serial, override))
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

// ReverseOverride implements Delete Override: the path determines again whether the step is optional for this serial.
func (s *Service) ReverseOverride(ctx context.Context, id, stepID string, user input.TextInput) error {
	ctx = s.signable(ctx, struct {
		UserID input.TextInput `field:"userId"`
	}{user}, id, stepID)
	return s.changeCard(ctx, id, NameSerial, nil, func(unit card.Card, now ident.Timestamp) (card.Change, error) {
		override, err := card.Reversible(unit, stepID)
		if err != nil {
			return card.Change{}, err
		}
		userID, err := requiredUser(CallerOf(ctx), user)
		if err != nil {
			return card.Change{}, err
		}
		override.Active, override.ReversedAt = false, now
		return card.Change{
			Serial:   unit.Serial,
			Reversed: []card.Override{override},
			Audit:    []trail.Entry{card.EntryAbout(unit.Serial, card.ActionStepOverrideReversed, stepID, userID, now)},
		}, nil
	})
}

// OverrideStore lists the database operations for overrides.
type OverrideStore interface {
	InsertOverrides(overrides []card.Override) error
	OverridesOfSerial(serialID string) ([]card.Override, error) // oldest first
}

// Names of overrides in the tables of records, operations and actions.
const (
	RecordOverride ident.RecordKind = "override"

	prefixOverride = "snso_"

	OpOverride        Operation = "override"
	OpReverseOverride Operation = "reverse-override"
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
		{action: card.ActionStepOverrideCreated, of: only(RecordOverride), signed: SignOverride},
		{action: card.ActionStepOverrideReversed, of: only(RecordOverride), signed: SignOverride},
	},
}

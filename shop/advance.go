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

// Advancement is the response of Advance to Step.
type Advancement struct {
	Serial   card.Serial   `json:"serial"`
	Bypassed []card.Bypass `json:"bypassed"`
}

// AdvanceSerialInput is the body of Advance Serial.
type AdvanceSerialInput struct {
	ExpectedStepIndex input.NumberInput `field:"expectedStepIndex"`
	UserID            input.TextInput   `field:"userId"`
}

// checkFields checks the request's own fields, without a serial. An operation on many serials calls it once, before any of them.
func (in AdvanceSerialInput) checkFields(caller Caller) error {
	_, userErr := userOrAnonymous(caller, in.UserID)
	return cmp.Or(checkExpectation(in.ExpectedStepIndex), userErr)
}

// rule returns the rule that advances one serial for the caller's request.
func (in AdvanceSerialInput) rule(caller Caller) cardRule {
	return func(unit card.Card, now ident.Timestamp) (card.Change, error) {
		if err := card.RefuseAdvance(unit); err != nil {
			return card.Change{}, err
		}
		if err := checkExpected(unit, in.ExpectedStepIndex); err != nil {
			return card.Change{}, err
		}
		if err := cmp.Or(card.RefuseStopped(unit), card.RefuseLeaving(unit, unit.Serial.Position+1)); err != nil {
			return card.Change{}, err
		}
		userID, err := userOrAnonymous(caller, in.UserID)
		if err != nil {
			return card.Change{}, err
		}
		return card.AdvanceByOne(unit, userID, now), nil
	}
}

// AdvanceSerial moves a serial exactly one step forward, or completes it if it is at its last step. A missing or empty user is
// recorded as anonymous.
func (s *Service) AdvanceSerial(ctx context.Context, id string, in AdvanceSerialInput) (card.Serial, error) {
	return s.changeSerial(ctx, id, NameSerialNumber, in.rule(CallerOf(ctx)))
}

// AdvanceToStepInput is the body of Advance to Step.
type AdvanceToStepInput struct {
	TargetStepIndex   input.NumberInput `field:"targetStepIndex"`
	ExpectedStepIndex input.NumberInput `field:"expectedStepIndex"`
	UserID            input.TextInput   `field:"userId"`
}

// checkFields checks the request's own fields, without a serial. An operation on many serials calls it once, before any of them.
func (in AdvanceToStepInput) checkFields(caller Caller) error {
	_, targetErr := in.target()
	_, userErr := requiredUser(caller, in.UserID)
	return cmp.Or(checkExpectation(in.ExpectedStepIndex), targetErr, userErr)
}

func (in AdvanceToStepInput) target() (int64, error) { return targetStepIndex(in.TargetStepIndex) }

// targetStepIndex returns the index of the step to move to. It replaces larger values by NumberLimit: no path has so many steps,
// so the rules for the target refuse it.
func targetStepIndex(in input.NumberInput) (int64, error) {
	const field = "targetStepIndex"
	if in.Missing() {
		return 0, refusal.RefuseField(refusal.Required, field)
	}
	in.Value = min(in.Value, input.NumberLimit)
	return input.Whole(field, in)
}

// judge applies the request to one serial. It returns the change and the steps that the serial bypasses.
func (in AdvanceToStepInput) judge(caller Caller, unit card.Card, now ident.Timestamp) (card.Change, []card.Bypass, error) {
	if err := card.RefuseAdvanceTo(unit); err != nil {
		return card.Change{}, nil, err
	}
	if err := checkExpected(unit, in.ExpectedStepIndex); err != nil {
		return card.Change{}, nil, err
	}
	if err := cmp.Or(card.RefuseStopped(unit), card.RefuseUndone(unit, unit.Serial.Position)); err != nil {
		return card.Change{}, nil, err
	}
	target, err := in.target()
	if err != nil {
		return card.Change{}, nil, err
	}
	if err := card.CheckTarget(unit, target); err != nil {
		return card.Change{}, nil, err
	}
	if int(target) == len(unit.Path.Steps) {
		if err := card.RefuseCompleting(unit); err != nil {
			return card.Change{}, nil, err
		}
	}
	userID, err := requiredUser(caller, in.UserID)
	if err != nil {
		return card.Change{}, nil, err
	}
	change, bypassed := card.AdvanceTo(unit, int(target), userID, now)
	return change, bypassed, nil
}

func (in AdvanceToStepInput) rule(caller Caller) cardRule {
	return func(card card.Card, now ident.Timestamp) (card.Change, error) {
		change, _, err := in.judge(caller, card, now)
		return change, err
	}
}

// AdvanceToStep moves a serial forward to a step, or completes it if the target is the number of steps, as far as the path's mode
// and the steps between allow. It also returns the bypassed steps.
func (s *Service) AdvanceToStep(ctx context.Context, id string, in AdvanceToStepInput) (Advancement, error) {
	caller := CallerOf(ctx)
	var done Advancement
	err := s.changeCard(ctx, id, NameSerial, &done, func(card card.Card, now ident.Timestamp) (card.Change, error) {
		change, bypassed, err := in.judge(caller, card, now)
		done = Advancement{Serial: change.Serial, Bypassed: bypassed}
		return change, err
	})
	return done, err
}

// checkExpected refuses the request if the serial is not at the step that the caller expects: another request moved it first, or
// the same request arrived twice. Without an expected step it refuses nothing.
func checkExpected(card card.Card, expected input.NumberInput) error {
	if expected.Missing() {
		return nil
	}
	index, err := input.Whole("expectedStepIndex", expected)
	if err != nil {
		return err
	}
	if index != int64(card.Serial.Position) {
		return refusal.Refuse(refusal.StandsElsewhere, card.Serial.ID, card.Serial.Position, index)
	}
	return nil
}

// checkExpectation refuses an expected step index that no serial can have.
func checkExpectation(expected input.NumberInput) error {
	if expected.Missing() {
		return nil
	}
	_, err := input.Whole("expectedStepIndex", expected)
	return err
}

// ReworkSerialInput is the body of Rework Serial.
type ReworkSerialInput struct {
	TargetStepIndex input.NumberInput `field:"targetStepIndex"`
	Reason          input.TextInput   `field:"reason"`
	// NonconformanceID is the report that requires the rework; optional.
	NonconformanceID input.TextInput `field:"nonconformanceId"`
	// ExpectedStepIndex is the position that a page showed to the user; the HTTP interface has no such field.
	ExpectedStepIndex input.NumberInput `field:"-" form:"expectedStepIndex"`
	UserID            input.TextInput   `field:"userId"`
}

func (in ReworkSerialInput) check(unit card.Card, caller Caller) (decided card.Rework, err error) {
	target, err := targetStepIndex(in.TargetStepIndex)
	if err != nil {
		return decided, err
	}
	if err := card.CheckReworkTarget(unit, target); err != nil {
		return decided, err
	}
	decided.Target = int(target)
	if decided.Reason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required); err != nil {
		return decided, err
	}
	if decided.NonconformanceID, err = input.OptionalWithin("nonconformanceId", in.NonconformanceID, input.NameLimit); err != nil {
		return decided, err
	}
	decided.By, err = requiredUser(caller, in.UserID)
	return decided, err
}

// ReworkSerial sends a serial back to its current step or an earlier step; it sends a completed serial to any step.
func (s *Service) ReworkSerial(ctx context.Context, id string, in ReworkSerialInput) (card.Serial, error) {
	ctx = s.signable(ctx, in, id)
	var serial card.Serial
	unknown := s.unknownReport(ctx, in.NonconformanceID)
	err := s.Commit(ctx, &serial, func(tx Tx) error {
		unit, err := tx.RouteCard(id)
		if err != nil {
			return OrNotFound(err, NameSerial, id)
		}
		if err := cmp.Or(
			card.CheckCard(unit), card.RefuseRework(unit), checkExpected(unit, in.ExpectedStepIndex), card.RefuseStopped(unit),
		); err != nil {
			return err
		}
		decided, err := in.check(unit, CallerOf(ctx))
		if err == nil {
			err = unknown
		}
		if err != nil {
			return err
		}
		begun, err := tx.Reworks([]string{id})
		if err != nil {
			return err
		}
		decided.Pass = nextPass(begun[id])
		change := card.SendBack(unit, decided, s.Now())
		serial = change.Serial
		return tx.ChangeCards([]card.Change{change})
	})
	return serial, err
}

// nextPass returns the number of the pass that the next rework begins, after a number of reworks that began one, including undone reworks.
func nextPass(reworks int) int { return reworks + 2 }

// Names of rework in the tables of nouns.go.
const (
	OpRework Operation = "rework"
)

var reworkNoun = noun{
	operations: []operationRow{
		{operation: OpRework, permission: Decide, subject: AboutUnit, signed: SignRework},
	},
	actions: []actionRow{
		{action: card.ActionSerialReworked, of: only(RecordSerial), moves: true, signed: SignRework},
	},
}

var scrapReasons = []card.ScrapReason{card.OutOfTolerance, card.ProcessDefect, card.Damaged, card.OperatorError, card.OtherReason}

// ScrapReasons returns all scrap reasons in the order in which the HTTP API lists them.
func ScrapReasons() []card.ScrapReason { return append([]card.ScrapReason(nil), scrapReasons...) }

// ScrapSerialInput is the body of Scrap Serial.
type ScrapSerialInput struct {
	ExpectedStepIndex input.NumberInput `field:"expectedStepIndex"`
	Reason            input.TextInput   `field:"reason"`
	Explanation       input.TextInput   `field:"explanation"`
	UserID            input.TextInput   `field:"userId"`
}

// check checks the fields in the order of the error table: reason, explanation, then the user.
func (in ScrapSerialInput) check(caller Caller) (scrap card.Scrap, err error) {
	if _, err := input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.NoScrapReason); err != nil {
		return scrap, err
	}
	if scrap.Reason, err = input.OneOf("reason", in.Reason, scrapReasons); err != nil {
		return scrap, err
	}
	if scrap.Explanation, err = input.OptionalWithin("explanation", in.Explanation, input.TextLimit); err != nil {
		return scrap, err
	}
	if scrap.Reason == card.OtherReason && scrap.Explanation == "" {
		return scrap, refusal.RefuseField(refusal.NoExplanation, "explanation")
	}
	scrap.By, err = requiredUser(caller, in.UserID)
	return scrap, err
}

// Check returns the error for which the request is refused for every serial, or nil. A client that asks for confirmation calls it
// first.
func (in ScrapSerialInput) Check(caller Caller) error { return in.checkFields(caller) }

// checkFields checks the request's own fields, without a serial. An operation on many serials calls it once, before any of them.
func (in ScrapSerialInput) checkFields(caller Caller) error {
	_, err := in.check(caller)
	return cmp.Or(checkExpectation(in.ExpectedStepIndex), err)
}

// rule returns the rule that scraps one serial for the caller's request.
func (in ScrapSerialInput) rule(caller Caller) cardRule {
	return func(unit card.Card, now ident.Timestamp) (card.Change, error) {
		if err := card.RefuseScrap(unit); err != nil {
			return card.Change{}, err
		}
		if err := checkExpected(unit, in.ExpectedStepIndex); err != nil {
			return card.Change{}, err
		}
		scrap, err := in.check(caller)
		if err != nil {
			return card.Change{}, err
		}
		return card.ScrapAt(unit, scrap, now), nil
	}
}

// ScrapSerial takes a serial out of production and leaves it on its step. Only Undo reverses it.
func (s *Service) ScrapSerial(ctx context.Context, id string, in ScrapSerialInput) (card.Serial, error) {
	return s.changeSerial(s.signable(ctx, in, id), id, NameSerial, in.rule(CallerOf(ctx)))
}

// ForceCompleteInput is the body of Force Complete Serial.
type ForceCompleteInput struct {
	ExpectedStepIndex input.NumberInput `field:"expectedStepIndex"`
	Reason            input.TextInput   `field:"reason"`
	UserID            input.TextInput   `field:"userId"`
}

// check checks the reason, then the user.
func (in ForceCompleteInput) check(caller Caller) (reason, userID string, err error) {
	if reason, err = input.OptionalWithin("reason", in.Reason, input.TextLimit); err != nil {
		return "", "", err
	}
	userID, err = requiredUser(caller, in.UserID)
	return reason, userID, err
}

// checkFields checks the request's own fields, without a serial. An operation on many serials calls it once, before any of them.
func (in ForceCompleteInput) checkFields(caller Caller) error {
	_, _, err := in.check(caller)
	return cmp.Or(checkExpectation(in.ExpectedStepIndex), err)
}

// rule returns the rule that force-completes one serial for the caller's request.
func (in ForceCompleteInput) rule(caller Caller) cardRule {
	return func(unit card.Card, now ident.Timestamp) (card.Change, error) {
		if err := card.RefuseForceComplete(unit); err != nil {
			return card.Change{}, err
		}
		if err := checkExpected(unit, in.ExpectedStepIndex); err != nil {
			return card.Change{}, err
		}
		if err := card.RefuseStopped(unit); err != nil {
			return card.Change{}, err
		}
		open, err := card.Forceable(unit)
		if err != nil {
			return card.Change{}, err
		}
		reason, userID, err := in.check(caller)
		if err != nil {
			return card.Change{}, err
		}
		return card.ForceComplete(unit, open, reason, userID, now), nil
	}
}

// ForceComplete completes a serial that has open required steps. The statuses of the steps do not change.
func (s *Service) ForceComplete(ctx context.Context, id string, in ForceCompleteInput) (card.Serial, error) {
	return s.changeSerial(s.signable(ctx, in, id), id, NameSerial, in.rule(CallerOf(ctx)))
}

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

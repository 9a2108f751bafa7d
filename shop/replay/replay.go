package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Replayed is the state of one serial according to the audit trail.
type Replayed struct {
	// Card is the card that follows from the entries. Its overrides have no identifiers, because entries do not record them.
	Card card.Card
	// Untold lists, by their names in the interface, the fields of the serial that the entries do not determine. It is empty if the trail
	// has the serial's creation.
	Untold []string
	// Components are the open components of the serial, oldest first.
	Components []card.Component

	insideBy string               // id of the component as which the serial is inside another one; "" for none
	receipts map[string]card.Away // by receipt: where the serial was before

	changes []Change               // the changes that are not undone, oldest first
	Gone    map[string]trail.Entry // the entry that undid a change, by the ids of the change's entries
	places  map[string]int         // step indexes by step id
	begun   string                 // id of the step where the serial was created
	late    []lateStep             // oldest first
}

// lateStep is a step that was inserted into the path before the position of the serial.
type lateStep struct {
	stepID   string
	required bool
	status   card.StepStatus // the status of the step for the serial
	at       ident.Timestamp
	by       string
	changes  int // number of changes before the step was inserted
}

// Change is a change of a card with its audit entries. It stores only what the change replaced, so that replaying takes time linear in the
// length of the trail.
type Change struct {
	Before   card.Serial
	replaced map[string]*card.StepException // by step id: the exceptions before the change, nil for none
	Entries  []trail.Entry                  // the first entry identifies the change
	resolved bool                           // whether it only changed the status of a deferred step
	Rerouted bool                           // whether the steps that it passed were reordered later
}

// Replay returns the card of a serial from its entries, oldest first: its creation, if the trail has it, and all entries about the serial.
// The order of the path's steps must not have changed since the first entry; PathHistory.Replay has no such restriction. An error
// identifies the entry that contradicts the entries before it.
func Replay(path card.Path, serialID string, entries []trail.Entry) (Replayed, error) {
	history := PathHistory{Path: path}
	return history.Replay(card.Serial{ID: serialID}, entries)
}

// Replay is like the function Replay, but the order of the path's steps may have changed since. If the trail lacks the creation of the
// serial, its creation time determines which reroutes came later.
func (h *PathHistory) Replay(serial card.Serial, entries []trail.Entry) (Replayed, error) {
	return h.ReplayUntil(math.MaxInt64, serial, entries)
}

// ReplayUntil is like Replay, for the part of the trail before an entry.
func (h *PathHistory) ReplayUntil(until int64, serial card.Serial, entries []trail.Entry) (Replayed, error) {
	next := 0
	if len(h.changes) > 0 {
		next = h.sinceTime(serial.CreatedAt)
		if len(entries) > 0 && entries[0].Action == card.ActionSerialCreated {
			created, _ := ident.AuditSequence(entries[0].ID)
			next = h.since(created)
		}
	}
	path := h.Path
	path.Steps = h.steps(next)
	r := Replayed{
		Card: card.Card{Path: path, Serial: card.Serial{
			ID: serial.ID, JobID: path.JobID, PathID: path.ID, Status: card.InProgress,
		}, Exceptions: map[string]card.StepException{}, Overrides: map[string]card.Override{}},
		Untold: []string{"createdAt", "updatedAt"}, places: path.Places(),
	}
	if len(path.Steps) > 0 {
		r.begun = path.Steps[0].ID
	}
	rerouted := func(before int64) error {
		for ; next < len(h.changes) && h.changes[next].sequence < before; next++ {
			if err := r.rerouted(&h.changes[next], h.steps(next+1)); err != nil {
				return replayError(&h.changes[next].entry, serial.ID, err)
			}
		}
		return nil
	}
	for i := range entries {
		sequence, _ := ident.AuditSequence(entries[i].ID)
		if err := rerouted(sequence); err != nil {
			return Replayed{}, err
		}
		if err := r.add(&entries[i]); err != nil {
			return Replayed{}, replayError(&entries[i], serial.ID, err)
		}
	}
	return r, rerouted(until)
}

func replayError(entry *trail.Entry, serialID string, err error) error {
	return fmt.Errorf("entry %s (%s) of %s: %w", entry.ID, entry.Action, serialID, err)
}

// rerouted changes the order of the path's steps. The serial stays at its step, and its recorded changes still refer to the same steps.
func (r *Replayed) rerouted(change *pathReroute, steps []card.ProcessStep) error {
	serial := &r.Card.Serial
	at := UnitPlace{Position: serial.Position, Done: serial.LeftLastStep()}
	if serial.Position >= len(change.places) || !at.Done && serial.Position >= len(change.before) {
		return errNotThere
	}
	position, err := change.position(at)
	if err != nil {
		return err
	}
	common, after := change.common(), serial.Position
	for i := len(r.changes) - 1; i >= 0; i-- {
		stood := &r.changes[i].Before
		before := stood.Position
		r.changes[i].Rerouted = r.changes[i].Rerouted || r.changes[i].walked() && max(before, after) >= common
		if before < len(change.places) {
			stood.Position = change.placeNow(UnitPlace{Position: before, Done: stood.LeftLastStep()})
		}
		after = before
	}
	serial.Position, r.Card.Path.Steps, r.places = position, steps, OrderOf(steps)
	for _, step := range change.passed(position) {
		late := lateStep{
			stepID: step.StepID, required: step.Status == card.StepDeferred, status: step.Status,
			at: change.entry.Timestamp, by: change.entry.UserID, changes: len(r.changes),
		}
		if serial.Status != card.InProgress {
			late.status = card.StepSkipped
		}
		r.late = append(r.late, late)
		r.Card.Exceptions[step.StepID] = card.StepException{StepID: step.StepID, Status: late.status, UpdatedAt: late.at}
	}
	return nil
}

// Errors in a replayed trail.
var (
	errOtherRoute      = errors.New("it is about another job or path")
	errOtherSerial     = errors.New("it is about another serial")
	errNotInProgress   = errors.New("the serial was not in progress")
	errNotThere        = errors.New("the serial did not stand on that step")
	ErrNoSuchStep      = errors.New("the path has no such step")
	errNotDeferred     = errors.New("the step was not deferred")
	errNoAdvance       = errors.New("no advance over the step came before it")
	errCreatedTwice    = errors.New("the serial existed before")
	errNoSuchOverride  = errors.New("there was no such override")
	errNoSuchHold      = errors.New("there was no such hold")
	errNotLast         = errors.New("what it takes back was not the last change")
	errNoSuchComponent = errors.New("there was no such component inside")
	errInsideTwice     = errors.New("the serial was inside another one already")
	errNotInside       = errors.New("the serial was not inside as this component")
	errAwayTwice       = errors.New("the serial was away already")
	errNotAway         = errors.New("the serial was not away with this shipment")
	errOtherNumber     = errors.New("the serial had another own number")
	errOtherBill       = errors.New("the serial had another bill")
)

// add applies the next entry. It ignores entries that do not change the card, such as an attachment's.
func (r *Replayed) add(entry *trail.Entry) error {
	if entry.Action != card.ActionSerialCreated && entry.SerialID != r.Card.Serial.ID {
		return errOtherSerial
	}
	if entry.PathID != r.Card.Path.ID && entry.PathID != "" {
		return errOtherRoute
	}
	if fits := changesOfComponents[entry.Action]; fits != nil {
		return fits(r, entry)
	}
	change := changesOfCards[entry.Action]
	if change == nil { // other entries, also those of later versions, do not change the card
		return nil
	}
	return change(r, entry)
}

// changesOfCards maps each action to its effect on a card.
var changesOfCards = map[trail.Action]func(*Replayed, *trail.Entry) error{
	card.ActionSerialCreated:         (*Replayed).created,
	card.ActionSerialAdvanced:        (*Replayed).moved,
	card.ActionSerialCompleted:       (*Replayed).moved,
	card.ActionSerialScrapped:        (*Replayed).scrapped,
	card.ActionSerialForceCompleted:  (*Replayed).forceCompleted,
	card.ActionSerialNumberSet:       (*Replayed).numbered,
	card.ActionSerialBOMSet:          (*Replayed).billed,
	card.ActionSerialReworked:        (*Replayed).reworked,
	card.ActionSerialHeld:            (*Replayed).held,
	card.ActionSerialReleased:        (*Replayed).held,
	card.ActionStepSkipped:           (*Replayed).bypassed,
	card.ActionStepDeferred:          (*Replayed).bypassed,
	card.ActionDeferredStepCompleted: (*Replayed).resolved,
	card.ActionStepWaived:            (*Replayed).resolved,
	card.ActionStepOverrideCreated:   (*Replayed).overridden,
	card.ActionStepOverrideReversed:  (*Replayed).overridden,
	ActionChangeUndone:               (*Replayed).undone,
	card.ActionUnitInstalled:         (*Replayed).entered,
	card.ActionUnitRemoved:           (*Replayed).left,
	card.ActionRecordVoided:          (*Replayed).voided,
	card.ActionSerialSent:            (*Replayed).sent,
	card.ActionSerialReceived:        (*Replayed).received,
}

// changesOfComponents maps each action to its effect on the components inside a unit, which are not part of its card.
var changesOfComponents = map[trail.Action]func(*Replayed, *trail.Entry) error{
	card.ActionComponentInstalled: (*Replayed).installed,
	card.ActionComponentRemoved:   (*Replayed).removed,
}

// ChangesCard reports whether an action changes a unit's card, so that Replay applies its entries.
func ChangesCard(a trail.Action) bool { return changesOfCards[a] != nil }

// place returns the index of a step in the path, or -1.
func (r *Replayed) place(stepID string) int {
	if i, known := r.places[stepID]; known {
		return i
	}
	return -1
}

// told adds a change with its entry, before the serial is changed.
func (r *Replayed) told(entry *trail.Entry) {
	r.changes = append(r.changes, Change{Before: r.Card.Serial, Entries: []trail.Entry{*entry}})
}

// replaces stores the exception of a step before the current change replaces it.
func (r *Replayed) replaces(stepID string) {
	last := &r.changes[len(r.changes)-1]
	if _, known := last.replaced[stepID]; known {
		return
	}
	if last.replaced == nil {
		last.replaced = map[string]*card.StepException{}
	}
	last.replaced[stepID] = nil
	if exception, had := r.Card.Exceptions[stepID]; had {
		last.replaced[stepID] = &exception
	}
}

// touched sets the time of the serial's last change.
func (r *Replayed) touched(at ident.Timestamp) {
	r.Card.Serial.UpdatedAt = at
	r.tells("updatedAt")
}

func (r *Replayed) tells(field string) {
	r.Untold = slices.DeleteFunc(r.Untold, func(untold string) bool { return untold == field })
}

func (r *Replayed) created(entry *trail.Entry) error {
	if !slices.Contains(r.Untold, "createdAt") || len(r.changes) > 0 {
		return errCreatedTwice
	}
	made, ok := serialsMade(entry)
	if ok && !made.contains(r.Card.Serial.ID) {
		return errOtherSerial
	}
	r.Card.Serial.BOM = made.KeptBOM
	r.Card.Serial.CreatedAt = entry.Timestamp
	r.tells("createdAt")
	r.touched(entry.Timestamp)
	return nil
}

// SerialRange is the part of a batch's metadata that has the range of the created serials.
type SerialRange struct {
	FirstSerialID string `json:"firstSerialId"`
	LastSerialID  string `json:"lastSerialId"`
	card.KeptBOM
}

// serialsMade returns the range of the serials that a creation created. Entries of older trails lack it.
func serialsMade(creation *trail.Entry) (made SerialRange, told bool) {
	if len(creation.Metadata) == 0 || json.Unmarshal(creation.Metadata, &made) != nil {
		return SerialRange{}, false
	}
	return made, made.FirstSerialID != ""
}

// SerialsMade returns the range of serial numbers that a creation created. Entries of older trails lack it.
func SerialsMade(creation *trail.Entry) (numbers ident.NumberRange, told bool) {
	made, told := serialsMade(creation)
	if told {
		var prefix ident.Prefix
		prefix, numbers.First, _ = ident.SplitSerialID(made.FirstSerialID)
		numbers.Last, _ = prefix.ParseSerialID(made.LastSerialID)
	}
	return numbers, told
}

func (m SerialRange) contains(serialID string) bool {
	prefix, number, ok := ident.SplitSerialID(serialID)
	first, _ := prefix.ParseSerialID(m.FirstSerialID)
	last, _ := prefix.ParseSerialID(m.LastSerialID)
	return ok && first <= number && number <= last
}

// billed applies an entry with another bill.
func (r *Replayed) billed(entry *trail.Entry) error {
	var told card.BOMSetMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	if r.Card.Serial.BOM != told.Before {
		return errOtherBill
	}
	r.Card.Serial.BOM = told.After
	return nil
}

func (r *Replayed) moved(entry *trail.Entry) error {
	serial := &r.Card.Serial
	switch {
	case serial.Status != card.InProgress:
		return errNotInProgress
	case serial.Position != r.place(entry.FromStepID):
		return errNotThere
	}
	target := r.place(entry.ToStepID)
	if entry.ToStepID != "" && target <= serial.Position {
		return ErrNoSuchStep
	}
	r.told(entry)
	if entry.ToStepID != "" {
		serial.Position = target
	} else {
		serial.Status = card.Completed
		serial.Position++
		r.passResolved()
	}
	r.touched(entry.Timestamp)
	return nil
}

// passResolved moves a completed serial past the following steps that have a recorded status. A completing advance does not record the
// path's length. Each remaining step has an entry, except steps that were completed or waived before: passResolved skips these steps.
func (r *Replayed) passResolved() {
	serial, steps := &r.Card.Serial, r.Card.Path.Steps
	for serial.Position < len(steps) {
		if _, resolved := r.Card.Exceptions[steps[serial.Position].ID]; !resolved {
			return
		}
		serial.Position++
	}
}

func (r *Replayed) bypassed(entry *trail.Entry) error {
	step := r.place(entry.StepID)
	if step < 0 {
		return ErrNoSuchStep
	}
	if len(r.changes) == 0 {
		return errNoAdvance
	}
	last := &r.changes[len(r.changes)-1]
	completed := r.Card.Serial.Status == card.Completed
	if !last.passed(step) || !completed && step >= r.Card.Serial.Position {
		return errNoAdvance
	}
	last.Entries = append(last.Entries, *entry)
	status := card.StepSkipped
	if entry.Action == card.ActionStepDeferred {
		status = card.StepDeferred
	}
	r.except(entry, status)
	if completed {
		r.passResolved()
	}
	return nil
}

// passed reports whether the change may have bypassed the step at this index.
func (c *Change) passed(step int) bool {
	switch c.Entries[0].Action {
	case card.ActionSerialAdvanced:
		return step > c.Before.Position
	case card.ActionSerialReworked:
		return step >= c.Before.Position
	default:
		return false
	}
}

func (r *Replayed) except(entry *trail.Entry, status card.StepStatus) {
	r.replaces(entry.StepID)
	r.Card.Exceptions[entry.StepID] = card.StepException{StepID: entry.StepID, Status: status, UpdatedAt: entry.Timestamp}
}

func (r *Replayed) scrapped(entry *trail.Entry) error {
	serial := &r.Card.Serial
	switch {
	case serial.Status != card.InProgress:
		return errNotInProgress
	case r.place(entry.StepID) != serial.Position:
		return errNotThere
	}
	var told struct {
		Reason      card.ScrapReason `json:"reason"`
		Explanation string           `json:"explanation"`
	}
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	r.told(entry)
	serial.Status = card.Scrapped
	serial.Scrap = &card.Scrap{
		Reason: told.Reason, Explanation: told.Explanation, StepID: entry.StepID, At: entry.Timestamp, By: entry.UserID,
	}
	r.touched(entry.Timestamp)
	return nil
}

func (r *Replayed) forceCompleted(entry *trail.Entry) error {
	serial := &r.Card.Serial
	if serial.Status != card.InProgress {
		return errNotInProgress
	}
	var told struct {
		Reason string `json:"reason"`
	}
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	r.told(entry)
	serial.Status = card.Completed
	serial.Completion = &card.ForceCompletion{By: entry.UserID, At: entry.Timestamp, Reason: told.Reason}
	r.touched(entry.Timestamp)
	return nil
}

func (r *Replayed) resolved(entry *trail.Entry) error {
	step := r.place(entry.StepID)
	if step < 0 {
		return ErrNoSuchStep
	}
	if r.Card.StepStatus(step) != card.StepDeferred {
		return errNotDeferred
	}
	r.told(entry)
	r.changes[len(r.changes)-1].resolved = true
	status := card.StepCompleted
	if entry.Action == card.ActionStepWaived {
		status = card.StepWaived
	}
	r.except(entry, status)
	return nil
}

func (r *Replayed) overridden(entry *trail.Entry) error {
	if r.place(entry.StepID) < 0 {
		return ErrNoSuchStep
	}
	overrides := r.Card.Overrides
	if entry.Action == card.ActionStepOverrideReversed {
		if _, active := overrides[entry.StepID]; !active {
			return errNoSuchOverride
		}
		delete(overrides, entry.StepID)
	} else {
		var told struct {
			Reason string `json:"reason"`
		}
		if err := trail.ReadMetadata(entry, &told); err != nil {
			return err
		}
		overrides[entry.StepID] = card.Override{
			SerialID: entry.SerialID, StepID: entry.StepID, Active: true,
			Reason: told.Reason, CreatedBy: entry.UserID, CreatedAt: entry.Timestamp,
		}
	}
	return nil
}

func (r *Replayed) held(entry *trail.Entry) error {
	var told card.HeldMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	is := func(hold card.Hold) bool { return hold.ID == told.HoldID }
	if entry.Action == card.ActionSerialReleased {
		if !slices.ContainsFunc(r.Card.Holds, is) {
			return errNoSuchHold
		}
		r.Card.Holds = slices.DeleteFunc(slices.Clone(r.Card.Holds), is)
		return nil
	}
	r.Card.Holds = append(slices.Clip(r.Card.Holds), card.Hold{
		ID: told.HoldID, SerialID: entry.SerialID, Reason: told.Reason, NonconformanceID: told.NonconformanceID,
		PlacedBy: entry.UserID, PlacedAt: entry.Timestamp,
	})
	return nil
}

func (r *Replayed) installed(entry *trail.Entry) error {
	var told card.InstalledMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	r.Components = append(r.Components, card.Component{
		ID: told.ComponentID, SerialID: entry.SerialID, ComponentSerialID: told.ComponentSerialID, LotID: told.LotID,
		Quantity: told.Quantity, Unit: told.Unit, PartType: told.PartType, PartSerialNumber: told.PartSerialNumber, Place: told.Place,
		SubstituteReason: told.SubstituteReason, StepID: entry.StepID, Pass: told.Pass,
		InstalledBy: entry.UserID, InstalledAt: entry.Timestamp,
	})
	return nil
}

func (r *Replayed) removed(entry *trail.Entry) error {
	var told card.RemovedMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	if !r.without(told.ComponentID) {
		return errNoSuchComponent
	}
	return nil
}

// without removes an open component. It returns false if the serial has no such component.
func (r *Replayed) without(componentID string) bool {
	at := slices.IndexFunc(r.Components, func(c card.Component) bool { return c.ID == componentID })
	if at < 0 {
		return false
	}
	r.Components = slices.Delete(r.Components, at, at+1)
	return true
}

func (r *Replayed) entered(entry *trail.Entry) error {
	var told card.InsideMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	if r.insideBy != "" {
		return errInsideTwice
	}
	r.insideBy, r.Card.Inside = told.ComponentID, told.ParentSerialID
	return nil
}

func (r *Replayed) left(entry *trail.Entry) error {
	var told card.InsideMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	if r.insideBy != told.ComponentID {
		return errNotInside
	}
	r.insideBy, r.Card.Inside = "", ""
	return nil
}

func (r *Replayed) sent(entry *trail.Entry) error {
	var told card.SentMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	if r.Card.Away.ShipmentID != "" {
		return errAwayTwice
	}
	r.Card.Away = told.Away
	return nil
}

// received ends the absence of a unit unless the unit is missing.
func (r *Replayed) received(entry *trail.Entry) error {
	var told card.ReceivedMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	if r.Card.Away.ShipmentID != told.ShipmentID {
		return errNotAway
	}
	if !told.Result.Returns() {
		return nil
	}
	if r.receipts == nil {
		r.receipts = map[string]card.Away{}
	}
	r.receipts[told.ReceiptID], r.Card.Away = r.Card.Away, card.Away{}
	return nil
}

// voided ends the voided component, on the unit that contains it or on the unit inside. After the voiding of a receipt the unit is away
// again. Voiding other records, and components that were removed earlier, changes nothing.
func (r *Replayed) voided(entry *trail.Entry) error {
	var told card.VoidedMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	if r.insideBy != "" && r.insideBy == told.RecordID {
		r.insideBy, r.Card.Inside = "", ""
	}
	r.without(told.RecordID)
	if before, received := r.receipts[told.RecordID]; received {
		if r.Card.Away.ShipmentID != "" {
			return errAwayTwice
		}
		r.Card.Away = before
		delete(r.receipts, told.RecordID)
	}
	return nil
}

func (r *Replayed) reworked(entry *trail.Entry) error {
	var told card.ReworkMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	target := r.place(entry.ToStepID)
	switch {
	case r.Card.Serial.Status == card.Scrapped:
		return errNotInProgress
	case target < 0 || card.CheckReworkTarget(r.Card, int64(target)) != nil:
		return ErrNoSuchStep
	case card.StandingOn(r.Card) != entry.FromStepID:
		return errNotThere
	}
	r.told(entry)
	change := card.SendBack(r.Card, card.Rework{Target: target, Pass: told.Pass}, entry.Timestamp)
	r.Card.Serial = change.Serial
	for _, stepID := range change.Lifted { // later entries record the bypassed steps
		r.replaces(stepID)
		delete(r.Card.Exceptions, stepID)
	}
	r.tells("updatedAt")
	return nil
}

func (r *Replayed) undone(entry *trail.Entry) error {
	var told UndoneMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	last, ok := r.Last()
	if !ok || last.Entries[0].ID != told.EntryID || last.Rerouted {
		return errNotLast
	}
	var missed []int
	r.Card, missed = r.restore(&last, r.Card, entry.Timestamp)
	for i := range r.late {
		r.late[i].changes = min(r.late[i].changes, len(r.changes)-1)
	}
	for _, i := range missed {
		late := r.late[i]
		late.status, late.at, late.by, late.changes = card.StepDeferred, entry.Timestamp, entry.UserID, len(r.changes)-1
		r.late = append(r.late, late)
	}
	if last.moved() {
		r.tells("updatedAt")
	}
	if r.Gone == nil {
		r.Gone = map[string]trail.Entry{}
	}
	for i := range last.Entries {
		r.Gone[last.Entries[i].ID] = *entry
	}
	r.changes = r.changes[:len(r.changes)-1]
	return nil
}

// Differs lists, by their names in the interface, the fields in which a stored card differs from the entries. It ignores the fields in
// Untold.
func (r *Replayed) Differs(unit card.Card) []string {
	var d trail.Differing
	told, kept := r.Card.Serial, unit.Serial
	d.Unless(told.JobID == kept.JobID, "jobId")
	d.Unless(told.PathID == kept.PathID, "pathId")
	d.Unless(told.Position == kept.Position, "currentStepIndex")
	d.Unless(told.Status == kept.Status, "status")
	d.Unless(same(told.Scrap, kept.Scrap), "scrap")
	d.Unless(same(told.Completion, kept.Completion), "forceCompleted")
	d.Unless(told.CreatedAt == kept.CreatedAt, "createdAt")
	d.Unless(told.UpdatedAt == kept.UpdatedAt, "updatedAt")
	d.Unless(maps.Equal(r.Card.Exceptions, unit.Exceptions), "stepStatuses")
	d.Unless(maps.EqualFunc(r.Card.Overrides, unit.Overrides, func(told, kept card.Override) bool {
		kept.ID = ""
		return told == kept
	}), "overrides")
	d.Unless(slices.Equal(r.Card.Holds, unit.Holds), "holds")
	d.Unless(r.Card.Inside == unit.Inside, "inside")
	d.Unless(r.Card.Away == unit.Away, "away")
	d.Unless(told.Reworks == kept.Reworks, "pass")
	d.Unless(told.SerialNumber == kept.SerialNumber, "serialNumber")
	d.Unless(told.BOM == kept.BOM, "bom")
	return slices.DeleteFunc(d, func(name string) bool { return slices.Contains(r.Untold, name) })
}

func same[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

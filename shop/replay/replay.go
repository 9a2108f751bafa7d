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

// Replayed is what the trail tells of one serial.
type Replayed struct {
	// Card is the card that follows from the entries. No entry tells the identifier of an override, so that its
	// overrides have none.
	Card card.Card
	// Untold names the fields of the serial that the entries say nothing about, as the interface names them. A trail
	// that has the serial's creation tells everything.
	Untold []string

	changes []Change               // those that are not taken back, oldest first
	Gone    map[string]trail.Entry // by the identifiers of the entries of changes that are taken back: what took them back
	places  map[string]int         // of the steps, by identifier
	begun   string                 // the step that the serial was created at
	late    []lateStep             // oldest first
}

// lateStep is a step that came into the path when the serial was past it already.
type lateStep struct {
	stepID   string
	required bool
	status   card.StepStatus // what the serial got for it
	at       ident.Timestamp
	by       string
	changes  int // how many changes came before it
}

// Change is a change of a card that the trail tells of, with its entries. It stores only what the change replaced,
// so that replay takes time in proportion to the trail.
type Change struct {
	Before   card.Serial
	replaced map[string]*card.StepException // by step id: what the steps it touched had before, nil for nothing
	Entries  []trail.Entry                  // the first one names the change
	resolved bool                           // whether it changed nothing but the status of a deferred step
	Rerouted bool                           // whether the steps that it passed stand in another order now
}

// Replay makes the card of a serial from its entries, oldest first: its creation, if the trail has it, and all that
// are about the serial. The order of the steps of the path has not changed since; PathHistory.Replay is for every path. An
// error says which entry cannot have come after those before it.
func Replay(path card.Path, serialID string, entries []trail.Entry) (Replayed, error) {
	history := PathHistory{Path: path}
	return history.Replay(card.Serial{ID: serialID}, entries)
}

// Replay is the function Replay for a serial of a path whose steps may have come into another order since. Where the trail
// does not tell of the creation of the serial, the time of the creation decides which reroutes came later.
func (h *PathHistory) Replay(serial card.Serial, entries []trail.Entry) (Replayed, error) {
	return h.ReplayUntil(math.MaxInt64, serial, entries)
}

// ReplayUntil is Replay for the part of the trail in front of an entry.
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

// rerouted puts the steps of the path into their order after a reroute, and the serial and its changes on the same steps as
// before.
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

// What can be wrong with a trail that is replayed.
var (
	errOtherRoute     = errors.New("it is about another job or path")
	errOtherSerial    = errors.New("it is about another serial")
	errNotInProgress  = errors.New("the serial was not in progress")
	errNotThere       = errors.New("the serial did not stand on that step")
	ErrNoSuchStep     = errors.New("the path has no such step")
	errNotDeferred    = errors.New("the step was not deferred")
	errNoAdvance      = errors.New("no advance over the step came before it")
	errCreatedTwice   = errors.New("the serial existed before")
	errNoSuchOverride = errors.New("there was no such override")
	errNoSuchHold     = errors.New("there was no such hold")
	errNotLast        = errors.New("what it takes back was not the last change")
	errOtherNumber    = errors.New("the serial had another own number")
)

// add takes the next entry. Entries that leave the card as it is, such as an attachment's, are passed over.
func (r *Replayed) add(entry *trail.Entry) error {
	if entry.Action != card.ActionSerialCreated && entry.SerialID != r.Card.Serial.ID {
		return errOtherSerial
	}
	if entry.PathID != r.Card.Path.ID && entry.PathID != "" {
		return errOtherRoute
	}
	change := changesOfCards[entry.Action]
	if change == nil { // other entries about a serial, also those of a later version, leave its card as it is
		return nil
	}
	return change(r, entry)
}

// changesOfCards is what each action does to a card.
var changesOfCards = map[trail.Action]func(*Replayed, *trail.Entry) error{
	card.ActionSerialCreated:         (*Replayed).created,
	card.ActionSerialAdvanced:        (*Replayed).moved,
	card.ActionSerialCompleted:       (*Replayed).moved,
	card.ActionSerialScrapped:        (*Replayed).scrapped,
	card.ActionSerialForceCompleted:  (*Replayed).forceCompleted,
	card.ActionSerialNumberSet:       (*Replayed).numbered,
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
}

// ChangesCard reports whether an action changes a unit's card. Replay takes its entries then.
func ChangesCard(a trail.Action) bool { return changesOfCards[a] != nil }

// place returns the place of a step in the path, or -1.
func (r *Replayed) place(stepID string) int {
	if i, known := r.places[stepID]; known {
		return i
	}
	return -1
}

// told records that the serial changes with an entry, before it does.
func (r *Replayed) told(entry *trail.Entry) {
	r.changes = append(r.changes, Change{Before: r.Card.Serial, Entries: []trail.Entry{*entry}})
}

// replaces records what the change that is replayed finds at a step, before it puts something else there.
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

// touched records when the serial was changed last.
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
	if made, ok := serialsMade(entry); ok && !made.contains(r.Card.Serial.ID) {
		return errOtherSerial
	}
	r.Card.Serial.CreatedAt = entry.Timestamp
	r.tells("createdAt")
	r.touched(entry.Timestamp)
	return nil
}

// SerialRange is what the trail tells of a batch beside its quantity: which serials it made.
type SerialRange struct {
	FirstSerialID string `json:"firstSerialId"`
	LastSerialID  string `json:"lastSerialId"`
}

// serialsMade reads which serials a creation made. Entries of older trails do not say.
func serialsMade(creation *trail.Entry) (made SerialRange, told bool) {
	if len(creation.Metadata) == 0 || json.Unmarshal(creation.Metadata, &made) != nil {
		return SerialRange{}, false
	}
	return made, made.FirstSerialID != ""
}

// SerialsMade reads the numbers of the units that a creation made. Entries of older trails do not tell them.
func SerialsMade(creation *trail.Entry) (numbers ident.NumberRange, told bool) {
	made, told := serialsMade(creation)
	if told {
		numbers.First, _ = ident.ParseSerialID(made.FirstSerialID)
		numbers.Last, _ = ident.ParseSerialID(made.LastSerialID)
	}
	return numbers, told
}

func (m SerialRange) contains(serialID string) bool {
	first, _ := ident.ParseSerialID(m.FirstSerialID)
	last, _ := ident.ParseSerialID(m.LastSerialID)
	number, ok := ident.ParseSerialID(serialID)
	return ok && first <= number && number <= last
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

// passResolved moves a completed serial over the steps ahead of it that have a recorded status. A completing advance does
// not record the path's length. Each remaining step has an entry, except those already completed or waived; passResolved
// skips these.
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

// passed reports whether the change may have left the step in a place behind undone.
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
	change := card.SendBack(r.Card, card.Rework{Target: target}, entry.Timestamp)
	r.Card.Serial = change.Serial
	for _, stepID := range change.Lifted { // the entries behind it tell what it bypassed
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

// Differs names the fields, as the interface calls them, in which a stored card differs from what the entries tell. It
// passes over what they do not tell.
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
	d.Unless(told.Reworks == kept.Reworks, "pass")
	d.Unless(told.SerialNumber == kept.SerialNumber, "serialNumber")
	return slices.DeleteFunc(d, func(name string) bool { return slices.Contains(r.Untold, name) })
}

func same[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

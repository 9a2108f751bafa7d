package shop_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// The model implements the contract for one path and its serials a second time, as simply as possible: each serial has a list of the
// statuses of all steps, and operations edit that list. It uses the result types of package shop, but none of its rules.
type model struct {
	now     ident.Timestamp
	path    card.Path
	serials []*modelSerial
	certs   []string      // the existing certificates
	trail   []trail.Entry // oldest first, without ids
	first   int64         // sequence number of the first entry in trail
	reports []*modelReport
	asked   string // the report that requires the current operation, or ""
}

type modelSerial struct {
	serialNumber
	steps       []card.StepStatus
	overrides   []card.Override
	attachments []shop.Attachment
	holds       []card.Hold
	reworks     int // including those that were undone
	done        []modelChange
	at          int // index of its current step, or of the step where it was closed; -1 after it has left its last step
	left        int // number of steps when it left the last step; steps may have been appended since
}

// serialNumber is the contract's SerialNumber.
type serialNumber struct {
	ID                   string           `json:"id"`
	JobID                string           `json:"jobId"`
	PathID               string           `json:"pathId"`
	CurrentStepIndex     int              `json:"currentStepIndex"`
	Status               string           `json:"status"`
	ForceCompleted       bool             `json:"forceCompleted"`
	ScrapReason          string           `json:"scrapReason"`
	ScrapExplanation     string           `json:"scrapExplanation"`
	ScrapStepID          string           `json:"scrapStepId"`
	ScrappedAt           *ident.Timestamp `json:"scrappedAt"`
	ScrappedBy           string           `json:"scrappedBy"`
	ForceCompletedBy     string           `json:"forceCompletedBy"`
	ForceCompletedAt     *ident.Timestamp `json:"forceCompletedAt"`
	ForceCompletedReason string           `json:"forceCompletedReason"`
	CreatedAt            ident.Timestamp  `json:"createdAt"`
	UpdatedAt            ident.Timestamp  `json:"updatedAt"`
}

type refusedAs = *shoptest.Refusal

func bad(format string, args ...any) refusedAs {
	return &shoptest.Refusal{Kind: refusal.Invalid, Message: fmt.Sprintf(format, args...)}
}

func unknown(format string, args ...any) refusedAs {
	return &shoptest.Refusal{Kind: refusal.NotFound, Message: fmt.Sprintf(format, args...)}
}

// first returns the first refusal. By the contract's order of checks, that refusal is the result.
func first(refusals ...refusedAs) refusedAs {
	for _, r := range refusals {
		if r != nil {
			return r
		}
	}
	return nil
}

func (m *model) find(id string) *modelSerial {
	for _, s := range m.serials {
		if s.ID == id {
			return s
		}
	}
	return nil
}

func (m *model) stepIndex(id string) int {
	return slices.IndexFunc(m.path.Steps, func(s card.ProcessStep) bool { return s.ID == id })
}

// closed returns the refusal of an operation on a serial in a terminal state.
func (s *modelSerial) closed(scrapped, completed string) refusedAs {
	switch s.Status {
	case "scrapped":
		return bad("%s", scrapped)
	case "completed":
		return bad("%s", completed)
	}
	return nil
}

// onHold returns the refusal to move on a serial on hold.
func (s *modelSerial) onHold() refusedAs {
	for _, hold := range s.holds {
		if hold.ReleasedBy == "" {
			return bad("Serial is on hold: %s", hold.Reason)
		}
	}
	return nil
}

func (s *modelSerial) overridden(stepID string) bool { return s.activeOverride(stepID) >= 0 }

func (s *modelSerial) activeOverride(stepID string) int {
	return slices.IndexFunc(s.overrides, func(o card.Override) bool { return o.Active && o.StepID == stepID })
}

// optional reports whether the step is "effectively optional" in the sense of the contract.
func (m *model) optional(s *modelSerial, i int) bool {
	return m.path.Steps[i].Optional || s.overridden(m.path.Steps[i].ID)
}

func (m *model) tell(s *modelSerial, entry trail.Entry) {
	entry.SerialID, entry.JobID, entry.PathID, entry.Timestamp = s.ID, s.JobID, s.PathID, m.now
	m.trail = append(m.trail, entry)
}

// object returns metadata with these names and values, without values that are "".
func object(pairs ...any) json.RawMessage {
	values := map[string]any{}
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != "" {
			values[fmt.Sprint(pair[0])] = pair[1]
		}
	}
	encoded, err := json.Marshal(values)
	if err != nil {
		panic(err)
	}
	return encoded
}

func (m *model) create(ids []string, by string) {
	for _, id := range ids {
		statuses := slices.Repeat([]card.StepStatus{"pending"}, len(m.path.Steps))
		statuses[0] = "in_progress"
		m.serials = append(m.serials, &modelSerial{steps: statuses, serialNumber: serialNumber{
			ID: id, JobID: m.path.JobID, PathID: m.path.ID, Status: "in_progress", CreatedAt: m.now, UpdatedAt: m.now,
		}})
	}
	m.trail = append(m.trail, trail.Entry{
		Action: "serial_created", UserID: by, Timestamp: m.now, JobID: m.path.JobID, PathID: m.path.ID, BatchQuantity: int64(len(ids)),
		Metadata: object("firstSerialId", ids[0], "lastSerialId", ids[len(ids)-1]),
	})
}

func (m *model) advance(id string, by field[string]) refusedAs {
	s := m.find(id)
	if s == nil {
		return unknown("SerialNumber not found: %s", id)
	}
	if r := first(
		s.closed("Cannot advance a scrapped serial", "Serial number is already completed"),
		s.onHold(),
		optionalText("userId", by, names),
	); r != nil {
		return r
	}
	action := card.ActionSerialAdvanced
	if s.CurrentStepIndex == len(m.path.Steps)-1 {
		action = card.ActionSerialCompleted
	}
	m.move(s, s.CurrentStepIndex+1, action, orBlank(by, "anonymous"))
	return nil
}

func (m *model) advanceTo(id string, target field[float64], by field[string]) ([]card.Bypass, refusedAs) {
	s := m.find(id)
	if s == nil {
		return nil, unknown("Serial not found: %s", id)
	}
	if r := first(
		s.closed("Cannot advance a scrapped serial", "Cannot advance a completed serial"),
		s.onHold(),
		index("targetStepIndex", target),
		m.reachable(s, target.value),
		user(by),
	); r != nil {
		return nil, r
	}
	return m.move(s, int(target.value), card.ActionSerialAdvanced, by.value), nil
}

// reachable checks a target against the mode and, where jumps are allowed, against the steps in between.
func (m *model) reachable(s *modelSerial, target float64) refusedAs {
	at := s.CurrentStepIndex
	switch {
	case target <= float64(at):
		return bad("Cannot advance to a step at or before the current position")
	case target > float64(len(m.path.Steps)):
		return bad("Target step index is out of range")
	case m.path.AdvancementMode == "strict" && target != float64(at+1):
		return bad("Path is in strict mode — can only advance to the next sequential step")
	}
	var physical, gate refusedAs
	for i := at + 1; i < int(target); i++ {
		if m.optional(s, i) {
			continue
		}
		unresolved := slices.Contains([]card.StepStatus{"pending", "in_progress", "deferred"}, s.steps[i])
		switch {
		case m.path.Steps[i].DependencyType == "physical" && s.steps[i] != "completed":
			physical = bad("Cannot skip step with physical dependency")
		case m.path.Steps[i].DependencyType == "completion_gate" && unresolved:
			gate = bad("Cannot skip step with completion_gate dependency")
		}
	}
	return first(physical, gate)
}

func (m *model) move(s *modelSerial, target int, action trail.Action, by string) []card.Bypass {
	m.keep(s, true)
	at, steps := s.CurrentStepIndex, m.path.Steps
	s.done[len(s.done)-1].walked = true
	moved := trail.Entry{Action: action, UserID: by, FromStepID: steps[at].ID}
	if s.steps[at] != "waived" { // neither a rework nor later work at the step removes a waiver
		s.steps[at] = "completed"
	}
	s.UpdatedAt = m.now
	if target == len(steps) {
		s.Status, s.CurrentStepIndex, s.at, s.left = "completed", -1, -1, target
	} else {
		if s.steps[target] != "waived" {
			s.steps[target] = "in_progress"
		}
		s.CurrentStepIndex, s.at = target, target
		moved.ToStepID = steps[target].ID
	}
	m.tell(s, moved)
	bypassed := []card.Bypass{}
	for i := at + 1; i < target; i++ {
		if s.steps[i] == "completed" || s.steps[i] == "waived" {
			continue
		}
		m.bypass(s, i, by)
		bypassed = append(bypassed, card.Bypass{StepID: steps[i].ID, StepName: steps[i].Name, Classification: s.steps[i]})
	}
	return bypassed
}

// bypass records that the serial passes an undone step, as part of the last change in done.
func (m *model) bypass(s *modelSerial, i int, by string) {
	s.steps[i] = "deferred"
	if m.optional(s, i) {
		s.steps[i] = "skipped"
	}
	s.done[len(s.done)-1].entries = append(s.done[len(s.done)-1].entries, len(m.trail))
	m.tell(s, trail.Entry{Action: "step_" + trail.Action(s.steps[i]), UserID: by, StepID: m.path.Steps[i].ID})
}

func (m *model) scrap(id string, reason, explanation, by field[string]) refusedAs {
	s := m.find(id)
	if s == nil {
		return unknown("Serial not found: %s", id)
	}
	var unnamed, unexplained refusedAs
	if codes := "out_of_tolerance, process_defect, damaged, operator_error, other"; !slices.Contains(
		strings.Split(codes, ", "), reason.value) {
		unnamed = bad("reason must be one of: %s", codes)
	}
	if reason.value == "other" && orBlank(explanation, "") == "" {
		unexplained = bad(`Explanation is required when scrap reason is "other"`)
	}
	if r := first(
		s.closed("Serial is already scrapped", "Cannot scrap a completed serial"),
		text("reason", reason, texts, "Scrap reason is required"),
		unnamed,
		optionalText("explanation", explanation, texts),
		unexplained,
		user(by),
	); r != nil {
		return r
	}
	m.keep(s, true)
	now := m.now
	s.Status, s.UpdatedAt, s.ScrappedAt, s.ScrappedBy = "scrapped", now, &now, by.value
	s.ScrapReason, s.ScrapExplanation = reason.value, orBlank(explanation, "")
	s.ScrapStepID = m.path.Steps[s.CurrentStepIndex].ID
	m.tell(s, trail.Entry{
		Action: "serial_scrapped", UserID: by.value, StepID: s.ScrapStepID,
		Metadata: object("reason", s.ScrapReason, "explanation", s.ScrapExplanation),
	})
	return nil
}

func (m *model) forceComplete(id string, reason, by field[string]) refusedAs {
	s := m.find(id)
	if s == nil {
		return unknown("Serial not found: %s", id)
	}
	var open []string
	for i, step := range m.path.Steps {
		if !m.optional(s, i) && s.steps[i] != "completed" && s.steps[i] != "waived" {
			open = append(open, step.ID)
		}
	}
	var nothingOpen refusedAs
	if len(open) == 0 {
		nothingOpen = bad("Serial has no incomplete required steps — use normal completion")
	}
	if r := first(
		s.closed("Cannot force-complete a scrapped serial", "Serial is already completed"),
		s.onHold(),
		nothingOpen,
		optionalText("reason", reason, texts),
		user(by),
	); r != nil {
		return r
	}
	m.keep(s, true)
	now := m.now
	s.Status, s.CurrentStepIndex, s.UpdatedAt = "completed", -1, now
	s.ForceCompleted, s.ForceCompletedBy, s.ForceCompletedAt = true, by.value, &now
	s.ForceCompletedReason = orBlank(reason, "")
	m.tell(s, trail.Entry{
		Action: "serial_force_completed", UserID: by.value,
		Metadata: object("incompleteStepIds", open, "reason", s.ForceCompletedReason),
	})
	return nil
}

func (m *model) completeDeferred(id, stepID string, by field[string]) refusedAs {
	s, i, r := m.findStep(id, stepID)
	if r != nil {
		return r
	}
	var notDeferred refusedAs
	if s.steps[i] != "deferred" {
		notDeferred = bad("Can only complete deferred steps — step status is: %s", s.steps[i])
	}
	if r := first(notDeferred, s.onHold(), user(by)); r != nil {
		return r
	}
	m.keep(s, false)
	s.steps[i] = "completed"
	m.tell(s, trail.Entry{Action: "deferred_step_completed", UserID: by.value, StepID: stepID})
	return nil
}

func (m *model) waive(id, stepID string, reason, approver field[string]) refusedAs {
	s, i, r := m.findStep(id, stepID)
	if r != nil {
		return r
	}
	var notDeferred, optional refusedAs
	if s.steps[i] != "deferred" {
		notDeferred = bad("Can only waive deferred required steps")
	}
	if m.optional(s, i) {
		optional = bad("Can only waive required steps — this step is optional")
	}
	const incomplete = "Waiver requires a reason and approver identity"
	if r := first(
		notDeferred,
		optional,
		text("reason", reason, texts, incomplete),
		text("approverId", approver, names, incomplete),
	); r != nil {
		return r
	}
	m.keep(s, false)
	s.steps[i] = "waived"
	m.tell(s, trail.Entry{
		Action: "step_waived", UserID: approver.value, StepID: stepID,
		Metadata: object("reason", reason.value, "approverId", approver.value),
	})
	return nil
}

func (m *model) findStep(id, stepID string) (*modelSerial, int, refusedAs) {
	s := m.find(id)
	if s == nil {
		return nil, 0, unknown("Serial not found: %s", id)
	}
	i := m.stepIndex(stepID)
	if i < 0 {
		return nil, 0, unknown("SnStepStatus not found: %s/%s", id, stepID)
	}
	return s, i, nil
}

// createOverrides leaves the identifiers empty; the caller sets them from the response.
func (m *model) createOverrides(id string, serialIDs []string, stepID, reason, by field[string]) ([]card.Override, refusedAs) {
	if m.find(id) == nil {
		return nil, unknown("Serial not found: %s", id)
	}
	var nobody refusedAs
	if len(serialIDs) == 0 {
		nobody = bad("serialIds must have at least one item")
	}
	if r := first(
		nobody,
		text("stepId", stepID, names, "stepId is required"),
		text("reason", reason, texts, "reason is required"),
		user(by),
	); r != nil {
		return nil, r
	}
	created := []card.Override{}
	seen := map[string]bool{}
	i := m.stepIndex(stepID.value)
	for _, serialID := range serialIDs {
		s := m.find(serialID)
		switch {
		case s == nil:
			return nil, unknown("Serial not found: %s", serialID)
		case i < 0:
			return nil, unknown("ProcessStep not found: %s", stepID.value)
		case s.overridden(stepID.value) || seen[serialID]:
			continue
		case s.steps[i] == "completed":
			return nil, bad("Cannot override a step that has already been completed")
		}
		seen[serialID] = true
		created = append(created, card.Override{
			SerialID: serialID, StepID: stepID.value, Active: true, Reason: reason.value, CreatedBy: by.value, CreatedAt: m.now,
		})
	}
	for _, override := range created {
		s := m.find(override.SerialID)
		s.overrides = append(s.overrides, override)
		m.tell(s, trail.Entry{
			Action: "step_override_created", UserID: by.value, StepID: stepID.value, Metadata: object("reason", reason.value),
		})
	}
	return created, nil
}

func (m *model) reverseOverride(id, stepID string, by field[string]) refusedAs {
	s := m.find(id)
	if s == nil {
		return unknown("Serial not found: %s", id)
	}
	active := s.activeOverride(stepID)
	if active < 0 {
		return bad("No active override found for this step")
	}
	var resolved refusedAs
	switch status := s.steps[m.stepIndex(stepID)]; status {
	case "skipped", "completed":
		resolved = bad("Cannot reverse override — step has already been %s", status)
	default:
	}
	if r := first(resolved, user(by)); r != nil {
		return r
	}
	s.overrides[active].Active, s.overrides[active].ReversedAt = false, m.now
	m.tell(s, trail.Entry{Action: "step_override_reversed", UserID: by.value, StepID: stepID})
	return nil
}

// hold leaves the identifier empty; the caller sets it from the response, and records the hold.
func (m *model) hold(id string, reason, by field[string]) refusedAs {
	s := m.find(id)
	if s == nil {
		return unknown("Serial not found: %s", id)
	}
	var scrapped refusedAs
	if s.Status == "scrapped" {
		scrapped = bad("Cannot hold a scrapped serial")
	}
	if r := first(scrapped, text("reason", reason, texts, "reason is required"), user(by)); r != nil {
		return r
	}
	s.holds = append(s.holds, card.Hold{SerialID: id, Reason: reason.value, PlacedBy: by.value, PlacedAt: m.now})
	return nil
}

func (m *model) release(id string, holdID, reason, by field[string]) refusedAs {
	s := m.find(id)
	if s == nil {
		return unknown("Serial not found: %s", id)
	}
	var notOpen refusedAs
	i := slices.IndexFunc(s.holds, func(hold card.Hold) bool { return hold.ID == holdID.value })
	if i < 0 {
		notOpen = unknown("Hold not found: %s", holdID.value)
	} else if s.holds[i].ReleasedBy != "" {
		notOpen = bad("Hold is already released")
	}
	if r := first(
		text("holdId", holdID, names, "holdId is required"),
		text("reason", reason, texts, "reason is required"),
		user(by),
		notOpen,
	); r != nil {
		return r
	}
	s.holds[i].ReleasedBy, s.holds[i].ReleasedAt, s.holds[i].ReleaseReason = by.value, m.now, reason.value
	m.tellHold(s, "serial_released", by.value, holdID.value, reason.value)
	return nil
}

func (m *model) rework(id string, target field[float64], reason, by field[string]) refusedAs {
	s := m.find(id)
	if s == nil {
		return unknown("Serial not found: %s", id)
	}
	var scrapped, unreachable refusedAs
	if s.Status == "scrapped" {
		scrapped = bad("Cannot rework a scrapped serial")
	}
	switch {
	case s.Status == "in_progress" && target.value > float64(s.CurrentStepIndex):
		unreachable = bad("Cannot rework to a step after the current position")
	case target.value < 0 || target.value >= float64(len(m.path.Steps)):
		unreachable = bad("Target step index is out of range")
	}
	if r := first(
		scrapped, s.onHold(), index("targetStepIndex", target), unreachable,
		text("reason", reason, texts, "reason is required"), user(by),
	); r != nil {
		return r
	}
	entry := trail.Entry{Action: "serial_reworked", UserID: by.value, ToStepID: m.path.Steps[int(target.value)].ID}
	if s.at >= 0 {
		entry.FromStepID = m.path.Steps[s.at].ID
	}
	m.keep(s, true)
	s.done[len(s.done)-1].walked = true
	s.reworks++
	entry.Metadata = object("reason", reason.value, "pass", s.reworks+1, "nonconformanceId", m.asked)
	for i := range s.steps {
		if i >= int(target.value) && s.steps[i] != "waived" {
			s.steps[i] = "pending"
		}
	}
	s.at, s.CurrentStepIndex, s.Status, s.UpdatedAt = int(target.value), int(target.value), "in_progress", m.now
	s.ForceCompleted, s.ForceCompletedBy, s.ForceCompletedAt, s.ForceCompletedReason = false, "", nil, ""
	if s.steps[s.at] == "pending" {
		s.steps[s.at] = "in_progress"
	}
	m.tell(s, entry)
	for i := range s.at { // the steps that were open when it was closed
		if s.steps[i] == "pending" || s.steps[i] == "in_progress" {
			m.bypass(s, i, by.value)
		}
	}
	return nil
}

// modelChange is a change that can be undone: the whole serial before it, and its entries in the audit trail.
type modelChange struct {
	before   modelSerial
	entries  []int // indexes in the trail
	moved    bool
	walked   bool // whether the serial moved to another step
	rerouted bool // whether the steps that it passed were reordered later
}

// keep stores a copy of a serial before it is changed.
func (m *model) keep(s *modelSerial, moved bool) {
	before := *s
	before.steps = slices.Clone(s.steps)
	s.done = append(s.done, modelChange{before: before, entries: []int{len(m.trail)}, moved: moved})
}

// undo gets the index of the entry in the trail from the caller: -1 if it is not an entry of this serial.
func (m *model) undo(id string, entry int, entryID, reason, by field[string]) refusedAs {
	s := m.find(id)
	if s == nil {
		return unknown("Serial not found: %s", id)
	}
	if len(s.done) == 0 {
		return bad("Nothing to undo")
	}
	last := s.done[len(s.done)-1]
	var foreign, notLast, rerouted refusedAs
	if last.rerouted {
		rerouted = bad("Cannot undo %s: the order of the steps has changed since. Send the unit back to a step instead", entryID.value)
	}
	if entry < 0 {
		foreign = unknown("Audit entry not found: %s", entryID.value)
	}
	if !slices.Contains(last.entries, entry) {
		notLast = bad("Only the last change can be undone: %s", entryID.value)
	}
	if r := first(
		text("entryId", entryID, names, "entryId is required"), text("reason", reason, texts, "reason is required"),
		user(by), foreign, notLast, rerouted,
	); r != nil {
		return r
	}
	is := func() map[string]any {
		return map[string]any{"currentStepIndex": s.CurrentStepIndex, "status": s.Status}
	}
	before := is()
	overrides, attachments, holds, updated, reworks := s.overrides, s.attachments, s.holds, s.UpdatedAt, s.reworks
	steps, done := len(s.steps), s.done[:len(s.done)-1]
	*s = last.before
	s.done, s.reworks = done, reworks
	s.overrides, s.attachments, s.holds, s.UpdatedAt = overrides, attachments, holds, updated
	for len(s.steps) < steps {
		s.steps = append(s.steps, "pending") // appended to the path since
	}
	if last.moved {
		s.UpdatedAt = m.now
	}
	m.tell(s, trail.Entry{Action: "change_undone", UserID: by.value, Metadata: object(
		"entryId", ident.AuditID(m.first+int64(last.entries[0])), "reason", reason.value, "before", before, "after", is())})
	return nil
}

// tellHold records a hold with the serial's current step, if it has one.
func (m *model) tellHold(s *modelSerial, action trail.Action, by, holdID, reason string) {
	stepID, report := "", ""
	for _, hold := range s.holds {
		if hold.ID == holdID {
			report = hold.NonconformanceID
		}
	}
	if s.at >= 0 {
		stepID = m.path.Steps[s.at].ID
	}
	m.tell(s, trail.Entry{
		Action: action, UserID: by, StepID: stepID, Metadata: object("holdId", holdID, "reason", reason, "nonconformanceId", report),
	})
}

// attach leaves the identifier of a new attachment empty; the caller sets it from the response.
func (m *model) attach(id string, certID, by field[string]) (shop.Attachment, refusedAs) {
	s := m.find(id)
	if s == nil {
		return shop.Attachment{}, unknown("SerialNumber not found: %s", id)
	}
	var completed, nowhere refusedAs
	if s.Status == "completed" { // scrapped serials may have certificates
		completed = bad("Serial is already completed, cannot attach cert")
	}
	if !slices.Contains(m.certs, certID.value) {
		nowhere = unknown("Certificate not found: %s", certID.value)
	}
	if r := first(
		completed,
		text("certId", certID, names, "certId is required"),
		user(by),
		nowhere,
	); r != nil {
		return shop.Attachment{}, r
	}
	stepID := m.path.Steps[s.CurrentStepIndex].ID
	for _, a := range s.attachments {
		if a.CertificateID == certID.value && a.StepID == stepID && a.VoidedBy == "" {
			return a, nil
		}
	}
	added := shop.Attachment{
		SerialID: id, CertificateID: certID.value, StepID: stepID, AttachedAt: m.now, AttachedBy: by.value,
	}
	s.attachments = append(s.attachments, added)
	m.tell(s, trail.Entry{Action: "cert_attached", UserID: by.value, CertID: certID.value, StepID: stepID})
	return added, nil
}

// stepFields is a step in the body of Update Path.
type stepFields struct {
	name, dependency field[string]
	optional         field[bool]
}

// updateSteps leaves the identifiers of appended steps empty; the caller sets them from the response, and records the change.
func (m *model) updateSteps(steps []stepFields) refusedAs {
	if len(steps) == 0 {
		return bad("steps is required")
	}
	updated := make([]card.ProcessStep, len(steps))
	for i, step := range steps {
		at := fmt.Sprintf("steps[%d].", i)
		var noFlag refusedAs
		if step.optional.is == "mistyped" {
			noFlag = bad("%soptional must be a boolean", at)
		}
		if r := first(
			text(at+"name", step.name, names, at+"name is required"),
			noFlag,
			oneOf(at+"dependencyType", step.dependency, "physical, preferred, completion_gate"),
		); r != nil {
			return r
		}
		updated[i] = card.ProcessStep{Name: step.name.value, Order: i, Optional: step.optional.value, DependencyType: "preferred"}
		if !step.dependency.missing() {
			updated[i].DependencyType = card.DependencyType(step.dependency.value)
		}
		if i < len(m.path.Steps) {
			updated[i].ID = m.path.Steps[i].ID
		}
	}
	if len(steps) < len(m.path.Steps) {
		return bad("Cannot remove step because it has associated data (certificates, notes, part statuses, or overrides). " +
			"Remove the associated data first, or keep the step.")
	}
	for _, s := range m.serials {
		for len(s.steps) < len(steps) {
			s.steps = append(s.steps, "pending")
		}
	}
	m.path.Steps, m.path.UpdatedAt = updated, m.now
	return nil
}

// routeStepFields is a step in the body of Replace Steps.
type routeStepFields struct {
	stepFields

	id field[string]
}

// crossing stands for the refusals of a change that would move a step from before a unit to after that unit, or the reverse.
const crossing = "a step comes to the other side of units"

// replaceSteps leaves the identifiers of new steps empty; the caller sets them from the response.
func (m *model) replaceSteps(items []routeStepFields) refusedAs {
	if len(items) == 0 {
		return bad("steps is required")
	}
	var missing refusedAs
	updated, listed := make([]card.ProcessStep, len(items)), map[string]bool{}
	for i, item := range items {
		at := fmt.Sprintf("steps[%d].", i)
		step := card.ProcessStep{DependencyType: "preferred"}
		var twice, noFlag, noName refusedAs
		if !item.id.missing() {
			if listed[item.id.value] {
				twice = bad("%sid is listed twice", at)
			}
			listed[item.id.value] = true
			if place := m.stepIndex(item.id.value); place >= 0 {
				step = m.path.Steps[place]
			} else if missing == nil {
				missing = unknown("ProcessStep not found: %s", item.id.value)
			}
			step.ID = item.id.value
		}
		if item.name.is != "" || step.ID == "" {
			noName = text(at+"name", item.name, names, at+"name is required")
		}
		if item.optional.is == "mistyped" {
			noFlag = bad("%soptional must be a boolean", at)
		}
		if r := first(twice, noName, noFlag, oneOf(at+"dependencyType", item.dependency, "physical, preferred, completion_gate")); r != nil {
			return r
		}
		step.Order = i
		if item.name.is != "" {
			step.Name = item.name.value
		}
		if item.optional.is != "" {
			step.Optional = item.optional.value
		}
		if item.dependency.is != "" {
			step.DependencyType = "preferred"
		}
		if !item.dependency.missing() {
			step.DependencyType = card.DependencyType(item.dependency.value)
		}
		updated[i] = step
	}
	if missing != nil {
		return missing
	}
	now := map[string]int{}
	for i, step := range updated {
		now[step.ID] = i
	}
	places, common := make([]int, len(m.path.Steps)), 0
	for i, step := range m.path.Steps {
		place, stays := now[step.ID]
		if !stays {
			return bad("Cannot remove step because it has associated data (certificates, notes, part statuses, or overrides). " +
				"Remove the associated data first, or keep the step.")
		}
		places[i] = place
		if place == i && common == i {
			common++
		}
	}
	if slices.ContainsFunc(m.serials, func(s *modelSerial) bool { return !s.staysBetween(places) }) {
		return bad(crossing)
	}
	for _, s := range m.serials {
		after := s.place()
		for i := len(s.done) - 1; i >= 0; i-- {
			change := &s.done[i]
			before := change.before.place()
			change.rerouted = change.rerouted || change.walked && max(before, after) >= common && common < len(places)
			change.before.reorder(places, updated)
			after = before
		}
		s.reorder(places, updated)
	}
	for _, report := range m.reports {
		for _, unit := range report.units {
			if unit.found < len(places) { // a unit past its last step was found at no step
				unit.found = places[unit.found]
			}
		}
	}
	m.path.Steps, m.path.UpdatedAt = updated, m.now
	return nil
}

// place returns the number of steps before the serial's position.
func (s *modelSerial) place() int {
	if s.at < 0 {
		return s.left
	}
	return s.at
}

// staysBetween reports whether the steps before the serial stay before it, and the steps after it stay after it.
func (s *modelSerial) staysBetween(places []int) bool {
	for i := range places {
		for j := range places {
			front, after := i < s.place(), j >= s.place()
			if front && after && places[i] > places[j] || s.at >= 0 && i == s.at && j > i && places[i] > places[j] {
				return false
			}
		}
	}
	return true
}

// reorder moves the serial's statuses to the new indexes of their steps. It marks new steps before the serial as skipped or deferred.
func (s *modelSerial) reorder(places []int, steps []card.ProcessStep) {
	statuses := make([]card.StepStatus, len(steps))
	for i, status := range s.steps {
		statuses[places[i]] = status
	}
	if s.at >= 0 {
		s.at = places[s.at]
		if s.Status != "completed" {
			s.CurrentStepIndex = s.at
		}
	} else {
		end := 0
		for i := range s.left {
			end = max(end, places[i]+1)
		}
		s.left = end
	}
	for i, status := range statuses {
		if status != "" {
			continue
		}
		switch {
		case i >= s.place():
			statuses[i] = "pending"
		case steps[i].Optional || s.Status != "in_progress":
			statuses[i] = "skipped"
		default:
			statuses[i] = "deferred"
		}
	}
	s.steps = statuses
}

func (m *model) setMode(mode field[string]) refusedAs {
	const modes = "strict, flexible, per_step"
	if r := first(
		text("advancementMode", mode, names, "advancementMode is required"),
		oneOf("advancementMode", mode, modes),
	); r != nil {
		return r
	}
	before := m.path.AdvancementMode
	m.path.AdvancementMode, m.path.UpdatedAt = card.AdvancementMode(mode.value), m.now
	m.tellPath("advancement_mode_changed", before, m.path.AdvancementMode)
	return nil
}

// tellPath records a change to the path, unless nothing changed.
func (m *model) tellPath(action trail.Action, before, after any) {
	if metadata := object("before", before, "after", after); !reflect.DeepEqual(before, after) {
		m.trail = append(m.trail, trail.Entry{
			Action: action, UserID: "anonymous", Timestamp: m.now, JobID: m.path.JobID, PathID: m.path.ID, Metadata: metadata,
		})
	}
}

// routing returns the fields of a path's steps that the audit trail records.
func (m *model) routing() map[string]any {
	return map[string]any{"steps": m.path.Steps}
}

package shop_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
)

// The model of voided records and nonconformance reports.

type modelReport struct {
	id     string
	closed bool
	units  []*modelUnit // in the order of their numbers
}

type modelUnit struct {
	serialID    string
	disposition string
	found       int // the step where the nonconformity was found
}

func right(value string) field[string] { return field[string]{is: "given", value: value} }

func (m *model) report(id string) *modelReport {
	for _, report := range m.reports {
		if report.id == id {
			return report
		}
	}
	return nil
}

func (r *modelReport) unit(serialID string) *modelUnit {
	for _, unit := range r.units {
		if unit.serialID == serialID {
			return unit
		}
	}
	return nil
}

// void voids an attachment.
func (m *model) void(id string, reason, by field[string]) refusedAs {
	for _, s := range m.serials {
		for i := range s.attachments {
			a := &s.attachments[i]
			if a.ID != id {
				continue
			}
			var voided refusedAs
			if a.VoidedBy != "" {
				voided = bad("Attachment is already voided")
			}
			if r := first(voided, text("reason", reason, texts, "reason is required"), user(by)); r != nil {
				return r
			}
			a.VoidedAt, a.VoidedBy, a.VoidReason = m.now, by.value, reason.value
			m.tell(s, trail.Entry{
				Action: "record_voided", UserID: by.value, CertID: a.CertificateID, StepID: a.StepID,
				Metadata: object("recordId", id, "reason", reason.value),
			})
			return nil
		}
	}
	return unknown("Attachment not found: %s", id)
}

// openReport adds a report with the identifier from the response. The caller sets the identifiers of its holds.
func (m *model) openReport(id string, serialIDs []string, hold bool) *modelReport {
	report := &modelReport{id: id}
	ranges := []map[string]any{}
	for _, serialID := range slices.Sorted(slices.Values(serialIDs)) {
		s := m.find(serialID)
		found := s.at // a unit that was closed with open steps was found at that step
		if found < 0 {
			found = s.left // the unit was found after its last step
		}
		report.units = append(report.units, &modelUnit{serialID: serialID, found: found})
		last := len(ranges) - 1
		number, _ := ident.DefaultPrefix.ParseSerialID(serialID)
		if last >= 0 && ranges[last]["last"] == ident.DefaultPrefix.SerialID(number-1) {
			ranges[last]["last"] = serialID
			continue
		}
		ranges = append(ranges, map[string]any{"first": serialID, "last": serialID})
	}
	m.reports = append(m.reports, report)
	m.trail = append(m.trail, trail.Entry{
		Action: "nonconformance_opened", UserID: "ann", Timestamp: m.now,
		Metadata: object("nonconformanceId", id, "title", "Crack", "description", "At the test", "severity", "minor", "ranges", ranges),
	})
	if hold {
		for _, serialID := range serialIDs {
			s := m.find(serialID)
			s.holds = append(s.holds, card.Hold{
				SerialID: serialID, Reason: id + ": Crack", NonconformanceID: id, PlacedBy: "ann", PlacedAt: m.now,
			})
		}
	}
	return report
}

// dispose decides about one unit of a report, using the model's single operations.
func (m *model) dispose(report *modelReport, serialID, disposition string, target float64) refusedAs {
	unit, s := report.unit(serialID), m.find(serialID)
	if report.closed {
		return bad("Nonconformance is closed")
	}
	if unit == nil {
		return unknown("%s is not on %s", serialID, report.id)
	}
	if unit.decided(s) {
		return bad("%s already has a disposition", serialID)
	}
	if s.Status == "scrapped" {
		return bad("%s is scrapped", serialID)
	}
	pairs := []any{"nonconformanceId", report.id, "disposition", disposition, "reason", "decided"}
	switch disposition {
	case "use_as_is", "repair":
		pairs = append(pairs, "concession", "customer")
	case "scrap":
		pairs = append(pairs, "scrapReason", "other")
	}
	if disposition == "rework" || disposition == "repair" {
		pairs = append(pairs, "targetStepIndex", target)
	}
	pairs = append(pairs, "ranges", []map[string]any{{"first": serialID, "last": serialID}})
	kept, told := *s, len(m.trail)
	kept.holds = slices.Clone(s.holds)
	m.trail = append(m.trail, trail.Entry{
		Action: "nonconformance_dispositioned", UserID: "eve", Timestamp: m.now, Metadata: object(pairs...),
	})
	m.asked = report.id
	defer func() { m.asked = "" }()
	var r refusedAs
	switch disposition {
	case "scrap":
		r = m.scrap(serialID, right("other"), right(report.id+": decided"), right("eve"))
	case "use_as_is", "rework", "repair":
		for _, hold := range slices.Clone(s.holds) {
			if hold.NonconformanceID == report.id && hold.ReleasedBy == "" {
				m.release(serialID, right(hold.ID), right("decided"), right("eve"))
			}
		}
		if disposition != "use_as_is" {
			r = m.rework(serialID, field[float64]{is: "given", value: target}, right("decided"), right("eve"))
		}
	}
	if r != nil {
		*s, m.trail = kept, m.trail[:told]
		return bad("%s (%s)", r.Message, serialID)
	}
	unit.disposition = disposition
	return nil
}

// decided reports whether the unit has a disposition that was not undone.
func (u *modelUnit) decided(s *modelSerial) bool {
	return u.disposition != "" && (u.disposition != "scrap" || s.Status == "scrapped")
}

func (m *model) closeReport(report *modelReport) refusedAs {
	if report.closed {
		return bad("Nonconformance is closed")
	}
	for _, unit := range report.units {
		s := m.find(unit.serialID)
		back := s.Status == "completed" || s.CurrentStepIndex > unit.found
		switch {
		case s.Status == "scrapped":
		case !unit.decided(s):
			return bad("%s has no disposition", unit.serialID)
		case (unit.disposition == "rework" || unit.disposition == "repair") && !back:
			return bad("%s is still being reworked", unit.serialID)
		}
	}
	report.closed = true
	m.trail = append(m.trail, trail.Entry{
		Action: "nonconformance_closed", UserID: "eve", Timestamp: m.now, Metadata: object("nonconformanceId", report.id, "summary", "done"),
	})
	return nil
}

func (m *machine) Void(t *rapid.T) {
	ids := []string{"catt_unknown"}
	for _, s := range m.model.serials {
		for _, a := range s.attachments {
			ids = append(ids, a.ID)
		}
	}
	if len(ids) > 1 && upTo(t, "one there is?", 5) > 0 {
		ids = ids[1:]
	}
	id := rapid.SampledFrom(ids).Draw(t, "attachment")
	reason, by := drawText(t, "reason", seldom, "wrong unit"), drawUser(t)
	m.begin()
	got, err := m.shop.VoidAttachment(t.Context(), id, shop.VoidInput{Reason: reason.input(), UserID: by.input()})
	if m.refusedOrDone(t, "void", err, m.model.void(id, reason, by)) {
		s := m.model.find(got.SerialID)
		same(t, "voided", got, s.attachments[slices.IndexFunc(s.attachments, func(a shop.Attachment) bool { return a.ID == id })])
	}
}

func (m *machine) OpenReport(t *rapid.T) {
	if len(m.model.reports) > 2 {
		t.Skip("enough reports")
	}
	hold := upTo(t, "hold?", 3) > 0
	var ids []string
	for _, s := range m.model.serials {
		if (s.Status != "scrapped" || !hold) && upTo(t, "on it?", 2) > 0 {
			ids = append(ids, s.ID)
		}
	}
	in := shop.OpenNonconformanceInput{
		Title: shoptest.Given("Crack"), Description: shoptest.Given("At the test"), Severity: shoptest.Given("minor"), Hold: input.Given(hold), UserID: shoptest.Given("ann"),
	}
	if len(ids) > 0 {
		in.Selection.SerialIDs = input.GivenTexts(ids...)
	}
	m.begin()
	got := shoptest.Must(m.shop.OpenNonconformance(t.Context(), in))
	m.model.openReport(got.ID, ids, hold)
	m.answers["open report"]++
	if !hold {
		return
	}
	for _, id := range ids {
		s := m.model.find(id)
		held := shoptest.Must(m.shop.HoldsOfSerial(t.Context(), id))
		s.holds[len(s.holds)-1].ID = held[len(held)-1].ID
		m.model.tellHold(s, "serial_held", "ann", held[len(held)-1].ID, got.ID+": Crack")
	}
}

// drawReport draws a report, open reports more often.
func (m *machine) drawReport(t *rapid.T) *modelReport {
	if len(m.model.reports) == 0 {
		t.Skip("no report yet")
	}
	var open []*modelReport
	for _, report := range m.model.reports {
		if !report.closed {
			open = append(open, report)
		}
	}
	if len(open) == 0 || upTo(t, "open?", 4) == 4 {
		open = m.model.reports
	}
	return rapid.SampledFrom(open).Draw(t, "report")
}

func (m *machine) Dispose(t *rapid.T) {
	report := m.drawReport(t)
	id := m.drawSerial(t)
	if len(report.units) > 0 && upTo(t, "on it?", 9) < 9 {
		id = rapid.SampledFrom(report.units).Draw(t, "unit").serialID
	}
	disposition := rapid.SampledFrom([]string{"use_as_is", "rework", "repair", "scrap", "return_to_supplier"}).Draw(t, "disposition")
	target := float64(upTo(t, "target", len(m.model.path.Steps)-1))
	in := shop.DispositionInput{
		SerialIDs: input.GivenTexts(id), Disposition: shoptest.Given(disposition), Reason: shoptest.Given("decided"), UserID: shoptest.Given("eve"),
	}
	if disposition == "use_as_is" || disposition == "repair" {
		in.Concession = shoptest.Given("customer")
	}
	if disposition == "rework" || disposition == "repair" {
		in.TargetStepIndex = shoptest.Number(target)
	}
	m.begin()
	got, err := m.shop.DisposeNonconformance(t.Context(), report.id, in)
	if m.refusedOrDone(t, "dispose", err, m.model.dispose(report, id, disposition, target)) {
		m.sameReport(t, got, report)
	}
}

func (m *machine) CloseReport(t *rapid.T) {
	report := m.drawReport(t)
	for range 1 + upTo(t, "closed twice?", 1) {
		m.begin()
		got, err := m.shop.CloseNonconformance(t.Context(), report.id, shop.CloseNonconformanceInput{
			Summary: shoptest.Given("done"), UserID: shoptest.Given("eve"),
		})
		if m.refusedOrDone(t, "close report", err, m.model.closeReport(report)) {
			m.sameReport(t, got, report)
		}
	}
}

func (m *machine) sameReport(t *rapid.T, got shop.Nonconformance, want *modelReport) {
	t.Helper()
	same(t, "report", got.ID, want.id)
	same(t, "report is closed", got.Status == shop.ReportClosed, want.closed)
	same(t, "units on the report", len(got.Units), len(want.units))
	for i, unit := range want.units {
		same(t, "unit on the report", [2]string{got.Units[i].SerialID, string(got.Units[i].Disposition)}, [2]string{unit.serialID, unit.disposition})
	}
}

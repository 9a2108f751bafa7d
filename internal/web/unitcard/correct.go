package unitcard

import (
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// correctRecord carries out a correction: hold, release, undo, void or rework.
func correctRecord(v *site.Visit, id, do string) (done string, err error) {
	ctx := v.R.Context()
	switch do {
	case "hold":
		_, err = v.Service.HoldSerial(ctx, id, shop.HoldSerialInput{Reason: v.Text("reason"), UserID: v.User()})
		return v.T("{unit} is on hold.", "unit", id), err
	case "release":
		_, err = v.Service.ReleaseSerial(ctx, id, shop.ReleaseSerialInput{
			HoldID: v.Text("holdId"), Reason: v.Text("reason"), UserID: v.User(),
		})
		return v.T("{unit} is released.", "unit", id), err
	case "undo":
		_, err = v.Service.Undo(ctx, id, shop.UndoInput{
			EntryID: v.Text("entryId"), Reason: v.Text("reason"), UserID: v.User(),
		})
		return v.T("Undone."), err
	case "void":
		return v.T("Voided."), voidRecord(v, v.Form.Get("record"))
	default:
		var target input.NumberInput
		if target, err = chosenTarget(v, id); err == nil {
			_, err = v.Service.ReworkSerial(ctx, id, shop.ReworkSerialInput{
				TargetStepIndex: target, ExpectedStepIndex: site.SeenStep(v), Reason: v.Text("reason"), UserID: v.User(),
			})
		}
		return v.T("{unit} was sent back.", "unit", id), err
	}
}

// MoreOpen reports whether a form in the section "More" was refused.
func (p *Page) MoreOpen() bool {
	return p.Rejected != nil && slices.Contains([]string{
		string(shop.OpAdvanceTo), string(shop.OpAttach), string(shop.OpUndo), string(shop.OpScrap), string(shop.OpForceComplete),
		"void", string(shop.OpRework), string(shop.OpSetSerialNumber),
	}, p.Rejected.Form)
}

// Undecided reports whether the report of a hold still requires a decision on the unit.
func (p *Page) Undecided(hold card.Hold) bool {
	return slices.ContainsFunc(p.Reports, func(report views.UnitReport) bool {
		return report.ID == hold.NonconformanceID && report.Unit.Waits(p.Card.Serial.Status)
	})
}

// ReworkSteps lists the steps to which the unit can be sent back.
func (p *Page) ReworkSteps() (steps []card.ProcessStep) {
	for _, action := range p.All(shop.OpRework) {
		if action.Allowed() {
			steps = append(steps, p.Card.Path.Steps[action.StepIndex])
		}
	}
	return steps
}

// These prefixes state, in the form, the kind of record to be voided.
const noteRecord, attachmentRecord, readingRecord = "note:", "attachment:", "reading:"

// voidRecord voids a note, an attachment or a reading.
func voidRecord(v *site.Visit, record string) error {
	if record == "" {
		return refusal.RefuseField(refusal.Required, "record")
	}
	in := shop.VoidInput{Reason: v.Text("reason"), UserID: v.User()}
	if id, ok := strings.CutPrefix(record, noteRecord); ok {
		_, err := v.Service.VoidNote(v.R.Context(), id, in)
		return err
	}
	if id, ok := strings.CutPrefix(record, readingRecord); ok {
		_, err := v.Service.VoidMeasurement(v.R.Context(), id, in)
		return err
	}
	_, err := v.Service.VoidAttachment(v.R.Context(), strings.TrimPrefix(record, attachmentRecord), in)
	return err
}

// Voidable lists, as choices, the certificates, notes and readings of the unit that can be voided. It includes the records of other users,
// which only users with the permission to decide may void.
func (p *Page) Voidable() []site.Choice {
	voids := map[string]bool{}
	for _, action := range p.All(shop.OpVoid) {
		voids[action.RecordID] = true
	}
	var records []site.Choice
	for _, attachment := range p.Attachments {
		if voids[attachment.ID] {
			records = append(records, site.Choice{Value: attachmentRecord + attachment.ID,
				Hint: p.T("Certificate {name}, at {step}", "name", p.CertificateName(attachment),
					"step", p.StepNameAt(attachment.StepID, attachment.AttachedAt))})
		}
	}
	for i := range p.Notes {
		if note := &p.Notes[i]; voids[note.ID] {
			records = append(records, site.Choice{Value: noteRecord + note.ID, Hint: p.T("Note: {text}", "text", shortened(note.Text))})
		}
	}
	for _, reading := range slices.Backward(p.Readings) {
		if !reading.Voided() {
			records = append(records, site.Choice{Value: readingRecord + reading.ID,
				Hint: p.T("Reading {reading}, at {step}",
					"reading", wording.ReadingInWords(p.Language, &reading, reading.Called()),
					"step", p.StepNameAt(reading.StepID, reading.Entered()))})
		}
	}
	return records
}

// shortened returns the beginning of a text on one line.
func shortened(text string) string {
	const most = 60
	line := []rune(strings.Join(strings.Fields(text), " "))
	if len(line) <= most {
		return string(line)
	}
	return string(line[:most]) + "…"
}

// ReportURL is the address at which users open a nonconformance report about the unit.
func (p *Page) ReportURL() string {
	query := url.Values{"units": {p.Card.Serial.ID}, "path": {p.Card.Path.ID}}
	if at := p.Current(); at != nil {
		query.Set("step", at.ID)
	}
	return "/nonconformances/new?" + query.Encode()
}

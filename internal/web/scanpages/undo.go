package scanpages

import (
	"strings"

	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/unitcard"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// The device stores the last change that was made at the station: its kind, the unit, and the identifier of the entry or record.

const (
	actCookie = "did"

	changeAct = "change" // of a unit's card; identified by an audit entry
	noteAct   = "note"
	holdAct   = "hold"
	// readingAct is a recorded reading.
	readingAct = "reading"
	// componentAct is an installed component.
	componentAct = "component"
)

func actOf(kind, unit, record string) string { return kind + " " + unit + " " + record }

// keepAct stores the station's last change; "" for none.
func keepAct(v *site.Visit, act string) {
	if act == "" {
		v.SetCookie(actCookie, "", -1)
		return
	}
	v.SetCookie(actCookie, act, site.YearSeconds)
}

// takable describes the change that an undo would reverse, or returns the refusal. If an undo needs the permission to decide, it must be
// done on the card.
func (run *scanRun) takable(act string) (text, refusal string, err error) {
	parts := strings.Fields(act)
	if len(parts) != 3 {
		return "", run.T("There is nothing to undo at this station."), nil
	}
	kind, unit, record := parts[0], parts[1], parts[2]
	card, err := unitcard.Load(run.Visit, unit)
	if err != nil {
		return "", "", err
	}
	switch kind {
	case changeAct:
		return takableChange(card, record)
	case readingAct:
		text, refusal = run.takableReading(card, record)
	case componentAct:
		text, refusal = run.takableComponent(card, record)
	case noteAct:
		text, refusal = run.takableNote(card, record)
	case holdAct:
		for _, hold := range card.Card.Holds {
			if hold.ID == record {
				return "", run.T("The last change at this station put {unit} on hold. Releasing it is a decision: do that on the card.",
					"unit", unit), nil
			}
		}
		refusal = run.T("The last change at this station put {unit} on hold, and {unit} was released since. Nothing was undone.",
			"unit", unit)
	}
	return text, refusal, nil
}

func takableChange(p *unitcard.Page, entryID string) (text, refusal string, err error) {
	id, last := p.Serial().ID, p.LastChange
	if last == nil {
		return "", p.T("{unit} has no change that can be undone.", "unit", id), nil
	}
	change, who := p.StoryOf(last.Entry), p.SignerThen(last.Entry.UserID, last.Entry.Timestamp)
	switch {
	case last.Entry.ID != entryID:
		return "", p.T("{unit} was changed since: {change}, {name}. Nothing was undone.", "unit", id, "change", change, "name", who), nil
	case !last.Free:
		return "", p.T("The last change of {unit} was long ago or by another person. Undoing it is a decision: do that on the card.",
			"unit", id), nil
	default:
		return p.T("{unit}: {change}, {name}.", "unit", id, "change", change, "name", who), "", nil
	}
}

func (run *scanRun) takableNote(card *unitcard.Page, noteID string) (text, refusal string) {
	id := card.Serial().ID
	for i := range card.Notes {
		note := &card.Notes[i]
		switch {
		case note.ID != noteID:
		case note.Voided():
			return "", run.T("The note on {unit} is voided already.", "unit", id)
		case !run.Service.FreeToVoid(shop.CallerOf(run.R.Context()), note.CreatedBy, note.CreatedAt):
			return "", run.T("The note on {unit} was written long ago or by another person. Voiding it is a decision: do that on the card.",
				"unit", id)
		default:
			return run.T("{unit}: the note “{text}”.", "unit", id, "text", site.Cut(note.Text, 60)), ""
		}
	}
	return "", run.T("The note on {unit} is not there.", "unit", id)
}

// takeBack undoes the station's last change, as the page showed it.
//
// If a check refuses here, takeBack still calls the operation, without a reason. If this form was already carried out, the operation
// returns the stored result. Otherwise the page shows the refusal of the check.
func (run *scanRun) takeBack(act string) (station.Event, error) {
	_, refusal, err := run.takable(act)
	if err != nil {
		return station.Event{}, err
	}
	parts := strings.Fields(act)
	if len(parts) != 3 {
		return refusedWith(refusal), nil
	}
	if refusal == "" && site.ReadCookie(run.R, actCookie) != act {
		refusal = run.T("Another change was made at this station since. Nothing was undone.")
	}
	reason := input.Given("A mistake at the station") // not a text: a reason in the trail, which is English
	if refusal != "" {
		reason = input.TextInput{}
	}
	var text string
	switch unit, record := parts[1], parts[2]; parts[0] {
	case changeAct:
		_, err = run.Service.Undo(run.R.Context(), unit, shop.UndoInput{EntryID: input.Given(record), Reason: reason, UserID: run.actor()})
		text = run.T("{unit}: undone.", "unit", unit)
	case noteAct:
		_, err = run.Service.VoidNote(run.R.Context(), record, shop.VoidInput{Reason: reason, UserID: run.actor()})
		text = run.T("{unit}: the note is voided.", "unit", unit)
	case readingAct:
		_, err = run.Service.VoidMeasurement(run.R.Context(), record, shop.VoidInput{Reason: reason, UserID: run.actor()})
		text = run.T("{unit}: the reading is voided.", "unit", unit)
	case componentAct:
		_, err = run.Service.VoidComponent(run.R.Context(), record, shop.VoidInput{Reason: reason, UserID: run.actor()})
		text = run.T("{unit}: the installation is void.", "unit", unit)
	default:
		return refusedWith(refusal), nil
	}
	if refusal != "" && err != nil {
		if _, refused := site.AsRefusal(err); refused {
			return refusedWith(refusal), nil
		}
	}
	if err != nil {
		return run.refusedBy(parts[1], err)
	}
	if parts[0] == changeAct {
		if card, err := unitcard.Load(run.Visit, parts[1]); err == nil {
			text = whyNotTakenBack(card, parts[2])
		}
	}
	done := station.Event{Kind: station.Acted, Command: station.CodeUndo, Text: text}
	if run.wentBack() {
		return run.doneBefore(station.Effect{}, done)
	}
	keepAct(run.Visit, "")
	return done, nil
}

// whyNotTakenBack says which change was already undone, and where the unit is now.
func whyNotTakenBack(p *unitcard.Page, entryID string) string {
	for _, entry := range p.Trail {
		if entry.ID == entryID {
			return p.T("{unit}: “{change}” was undone.", "unit", p.Serial().ID,
				"change", wording.ActionWords(p.Language, shop.ActionTold(entry))) + " " + p.WhereNow()
		}
	}
	return p.T("{unit}: undone.", "unit", p.Serial().ID) + " " + p.WhereNow()
}

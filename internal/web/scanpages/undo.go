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

// The device stores the station's last change: its kind, the unit, and the identifier of the entry or record.

const (
	actCookie = "did"

	changeAct = "change" // of a unit's card; identified by an audit entry
	noteAct   = "note"
	holdAct   = "hold"
	// readingAct is a recorded reading.
	readingAct = "reading"
)

func actOf(kind, unit, record string) string { return kind + " " + unit + " " + record }

// keepAct stores the station's last change, "" for none.
func keepAct(v *site.Visit, act string) {
	if act == "" {
		v.SetCookie(actCookie, "", -1)
		return
	}
	v.SetCookie(actCookie, act, site.YearSeconds)
}

// takable describes the change to undo, or returns the refusal: a change whose undo is a decision is undone on the card.
func (run *scanRun) takable(act string) (text, refusal string, err error) {
	parts := strings.Fields(act)
	if len(parts) != 3 {
		return "", "There is nothing to undo at this station.", nil
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
	case noteAct:
		text, refusal = run.takableNote(card, record)
	case holdAct:
		for _, hold := range card.Card.Holds {
			if hold.ID == record {
				return "", "The last thing done here put " + unit + " on hold. To release it is a decision: do it on its card.", nil
			}
		}
		refusal = "The last thing done here put " + unit + " on hold, and it was released since. Nothing was undone."
	}
	return text, refusal, nil
}

func takableChange(p *unitcard.Page, entryID string) (text, refusal string, err error) {
	id := p.Serial().ID
	switch last := p.LastChange; {
	case last == nil:
		return "", "Nothing was done to " + id + " that can be undone.", nil
	case last.Entry.ID != entryID:
		return "", "Something else was done to " + id + " since: " + site.LowerFirst(p.StoryOf(last.Entry)) + ", " +
			p.SignerThen(last.Entry.UserID, last.Entry.Timestamp) + ". Nothing was undone.", nil
	case !last.Free:
		return "", "The last change of " + id + " was long ago or is somebody else's. To undo it is a decision: " +
			"do it on its card.", nil
	default:
		return id + ": " + site.LowerFirst(p.StoryOf(last.Entry)) + ", " +
			p.SignerThen(last.Entry.UserID, last.Entry.Timestamp) + ".", "", nil
	}
}

func (run *scanRun) takableNote(card *unitcard.Page, noteID string) (text, refusal string) {
	id := card.Serial().ID
	for i := range card.Notes {
		note := &card.Notes[i]
		switch {
		case note.ID != noteID:
		case note.Voided():
			return "", "The note on " + id + " is voided already."
		case !run.Service.FreeToVoid(shop.CallerOf(run.R.Context()), note.CreatedBy, note.CreatedAt):
			return "", "The note on " + id + " was written long ago or by somebody else. To void it is a decision: " +
				"do it on its card."
		default:
			return id + ": the note “" + site.Cut(note.Text, 60) + "”.", ""
		}
	}
	return "", "The note on " + id + " is not there."
}

// takeBack undoes the station's last change, as the page showed it.
//
// When a check here refuses, takeBack still calls the operation, without a reason. If this form was carried out before, the
// operation returns the stored result; otherwise the page shows the refusal of the check.
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
		refusal = "Something else was done at this station since. Nothing was undone."
	}
	reason := input.Given("A mistake at the station")
	if refusal != "" {
		reason = input.TextInput{}
	}
	var text string
	switch unit, record := parts[1], parts[2]; parts[0] {
	case changeAct:
		_, err = run.Service.Undo(run.R.Context(), unit, shop.UndoInput{EntryID: input.Given(record), Reason: reason, UserID: run.actor()})
		text = unit + ": undone."
	case noteAct:
		_, err = run.Service.VoidNote(run.R.Context(), record, shop.VoidInput{Reason: reason, UserID: run.actor()})
		text = unit + ": the note is voided."
	case readingAct:
		_, err = run.Service.VoidMeasurement(run.R.Context(), record, shop.VoidInput{Reason: reason, UserID: run.actor()})
		text = unit + ": the reading is voided."
	default:
		return refusedWith(refusal), nil
	}
	if refusal != "" && err != nil {
		if _, refused := site.AsRefusal(err); refused {
			return refusedWith(refusal), nil
		}
	}
	if err != nil {
		return refusedBy(parts[1], err)
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

// whyNotTakenBack says which change was undone before, and where the unit is now.
func whyNotTakenBack(p *unitcard.Page, entryID string) string {
	for _, entry := range p.Trail {
		if entry.ID == entryID {
			return p.Serial().ID + ": “" + site.LowerFirst(wording.ActionWords(shop.ActionTold(entry))) +
				"” was undone. " + p.WhereNow()
		}
	}
	return p.Serial().ID + ": undone. " + p.WhereNow()
}

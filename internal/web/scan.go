package web

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/shop"
)

// The station. The scanner types a code and Enter into one field; station.InHand.Scan says what the code means. Here scan
// reads the form, answer decides what to tell, and act calls the operation. In the browser static/station.js sends scans one by
// one, and scans.go keeps the last scans of the device. What is in hand stands in the address and in the form, so that each tab
// has its own.

type scanPage struct {
	frame
	Unit     *cardPage      // nil while no unit is in hand
	Hand     station.InHand // with the question that waits for an answer
	Question string         // in words
	Result   *scanned       // what came of the scan just made, nil when there was none
	Scans    []scanned      // newest first
}

func showScan(v *visit) error {
	query := v.r.URL.Query()
	page := &scanPage{frame: v.frame("Scan", "scan"), Scans: v.scans()}
	page.Hand.SerialID = query.Get("unit")
	if at := query.Get("at"); len(page.Scans) > 0 && at == strconv.FormatInt(int64(page.Scans[0].At), 10) {
		page.Result = &page.Scans[0]
		page.Hand.Question, page.Hand.Words = query.Get("ask"), query.Get("words")
	}
	return v.showHand(page)
}

// showHand shows the station with what is in hand.
func (v *visit) showHand(page *scanPage) error {
	if page.Hand.SerialID == "" {
		return v.show(http.StatusOK, "scan", page)
	}
	unit, err := v.loadCard(page.Hand.SerialID)
	if refusal, ok := asRefusal(err); ok && refusal.Kind == shop.NotFound {
		page.Result = &scanned{Code: page.Hand.SerialID, Kind: "bad", Text: noSuchUnit(page.Hand.SerialID),
			At: shop.TimestampOf(v.clock())}
		page.Hand = station.InHand{}
		return v.show(http.StatusOK, "scan", page)
	}
	if err != nil {
		return err
	}
	page.Unit, page.Question = unit, question(page.Hand)
	return v.show(http.StatusOK, "scan", page)
}

// Yes is what the button says that answers the question.
func (p *scanPage) Yes() string {
	if strings.HasPrefix(p.Hand.Question, station.CodeScrap) {
		return "Yes, scrap " + p.Hand.SerialID
	}
	return "Yes, do it again"
}

func asRefusal(err error) (*shop.Error, bool) {
	return errors.AsType[*shop.Error](err)
}

// scan answers one scan, or one press of a button that stands for a code.
func scan(v *visit) error {
	hand := station.InHand{SerialID: v.form.Get("unit"), Question: v.form.Get("ask"), Words: v.form.Get("words")}
	typed := v.form.Get("code")
	if do := v.form.Get("do"); do != "" {
		typed = do
	}
	if v.access != nil && (isBadge(typed) || isOut(typed)) {
		return v.leaveStation(typed)
	}
	now := shop.TimestampOf(v.clock())
	meant := hand.Scan(typed, v.lastScan(now))
	if before, hides := v.hidesBadge(typed); hides {
		meant = station.Scan{Kind: station.ScanRanTogether, Code: before, Left: meant.Left}
		if hand.AsksWords() {
			meant.Left = hand.Question
		}
	}
	if strings.TrimSpace(typed) == "" && meant.Kind != station.ScanAskWords {
		return v.back(scanURL(station.InHand{SerialID: hand.SerialID}, now-1), "")
	}
	result, after, err := v.answer(hand, meant)
	if err != nil {
		return err
	}
	result.Code, result.Left, result.At = meant.Code, left(hand, meant), now
	if meant.Kind == station.ScanRanTogether {
		result.Code = ending(result.Code, codeKept) // where the code is
	}
	scans := v.keep(result)
	if shop.CheckParameter("words", after.Words) != nil { // too long for an address
		page := &scanPage{frame: v.frame("Scan", "scan"), Hand: after, Result: &result, Scans: scans}
		return v.showHand(page)
	}
	return v.back(scanURL(after, now), "")
}

// answer does what a scan asks for. It returns what to tell and what is in hand afterwards: after a bad scan nothing,
// after a refusal still the unit that the refusal is about.
func (v *visit) answer(hand station.InHand, meant station.Scan) (result scanned, after station.InHand, err error) {
	bad := func(text string) (scanned, station.InHand, error) {
		return scanned{Kind: "bad", Text: text}, station.InHand{SerialID: hand.SerialID}, nil
	}
	unit := hand.SerialID
	switch meant.Kind {
	case station.ScanUnknown:
		return scanned{Kind: "bad", Text: "This is no code that a station knows. No unit is in hand now."}, station.InHand{}, nil
	case station.ScanRanTogether:
		const text = "A code ran into other words or codes. Nothing was done. No unit is in hand now: scan it again."
		return scanned{Kind: "bad", Text: text}, station.InHand{}, nil
	case station.ScanNothing:
		return scanned{Kind: "bad", Text: "Scan a unit first."}, station.InHand{}, nil
	case station.ScanNo:
		return scanned{Kind: "show", Text: nothingChanged(meant)}, meant.After, nil
	case station.ScanAskWords, station.ScanAskSure, station.ScanAskAgain:
		return scanned{Kind: "ask", Text: question(meant.After)}, meant.After, nil
	case station.ScanUnit:
		if _, err := v.service.Serial(v.r.Context(), meant.Code); err != nil {
			if refusal, ok := asRefusal(err); ok && refusal.Kind == shop.NotFound {
				return scanned{Kind: "bad", Text: noSuchUnit(meant.Code)}, station.InHand{}, nil
			}
			return scanned{}, station.InHand{}, err
		}
		return scanned{Kind: "show", Text: "Scan it again, or press the button, when the step is done."}, meant.After, nil
	case station.ScanAdvance, station.ScanScrap, station.ScanWriteNote, station.ScanDeferredDone,
		station.ScanHold, station.ScanUndo:
	}
	if v.operator == "" {
		return bad("Choose who is working first.")
	}
	outcome, err := v.act(unit, meant)
	if refusal, ok := asRefusal(err); ok && refusal.Kind == shop.Conflict {
		return bad(v.standsNow(unit))
	} else if ok && refusal.Kind != shop.Unavailable && refusal.Kind != shop.Uncertain {
		return bad(unit + ": " + told(refusal))
	}
	return outcome, meant.After, err
}

// act changes the unit in hand.
func (v *visit) act(unit string, meant station.Scan) (scanned, error) {
	ctx, user := v.r.Context(), shop.Given(v.operator)
	good := scanned{Kind: "good"}
	switch meant.Kind {
	case station.ScanAdvance:
		serial, err := v.service.AdvanceSerial(ctx, unit, shop.AdvanceSerialInput{ExpectedStepIndex: v.seen(), UserID: user})
		if err != nil {
			return good, err
		}
		good.Text = unit + " moved to the next step."
		if serial.Status == shop.Completed {
			good.Text = unit + " is finished."
		}
		return good, nil
	case station.ScanScrap:
		// The station moves units, which needs less.
		if err := shop.CallerOf(ctx).Require(shop.OpScrap.Permission()); err != nil {
			return good, err
		}
		in := shop.ScrapSerialInput{
			Reason: shop.Given(string(meant.Reason)), ExpectedStepIndex: v.seen(), UserID: user,
		}
		if meant.Words != "" {
			in.Explanation = shop.Given(meant.Words)
		}
		_, err := v.service.ScrapSerial(ctx, unit, in)
		good.Text = unit + " is scrapped: " + words(meant.Reason) + "."
		return good, err
	case station.ScanWriteNote:
		card, err := v.loadCard(unit)
		if err != nil {
			return good, err
		}
		serial := card.Serial()
		_, err = v.service.CreateNote(ctx, shop.CreateNoteInput{
			JobID: shop.Given(serial.JobID), PathID: shop.Given(serial.PathID),
			StepID: shop.Given(card.Card.NoteStep().ID), SerialIDs: shop.GivenTexts(unit),
			Text: shop.Given(meant.Words), UserID: user,
		})
		good.Text = "Note written on " + unit + "."
		return good, err
	case station.ScanDeferredDone:
		return v.completeDeferred(unit, meant.Place, user)
	case station.ScanHold:
		_, err := v.service.HoldSerial(ctx, unit, shop.HoldSerialInput{Reason: shop.Given(meant.Words), UserID: user})
		good.Text = unit + " is on hold: " + meant.Words
		return good, err
	case station.ScanUndo:
		return v.takeBack(unit, user)
	default:
		return good, nil // the other kinds change nothing
	}
}

// takeBack takes the last change of a unit back, as the page showed it, whether by its button or by the code. It refuses if
// the unit has a newer change than the page showed, even on the same step.
//
// When a check here refuses, takeBack still calls Undo, with an empty entryId. If this form was carried out before, Undo
// returns the stored result; otherwise the page shows the refusal of the check.
func (v *visit) takeBack(unit string, user shop.TextInput) (scanned, error) {
	card, err := v.loadCard(unit)
	if err != nil {
		return scanned{}, err
	}
	entry, refusal := shop.Given(""), ""
	switch seen, last := v.seen(), card.LastChange; {
	case seen != (shop.NumberInput{}) && seen != shop.Given(float64(card.Serial().Position)):
		refusal = v.standsNow(unit)
	case last == nil:
		refusal = "Nothing was done to " + unit + " that could be taken back."
	case v.form.Get("entryId") != last.Entry.ID:
		refusal = "Something else was done to " + unit + " since: " + strings.ToLower(actionWords(last.Entry.Told())) + ", " +
			card.Signed(last.Entry.UserID, last.Entry.Timestamp) + ". Nothing was taken back."
	case !last.Free:
		refusal = "The last change of " + unit + " was long ago or is somebody else's: take it back on its card."
	default:
		entry = shop.Given(last.Entry.ID)
	}
	_, err = v.service.Undo(v.r.Context(), unit, shop.UndoInput{
		EntryID: entry, Reason: shop.Given("A mistake at the station"), UserID: user,
	})
	if told, refused := refusedBefore(refusal, err); refused {
		return told, nil
	}
	if err != nil {
		return scanned{}, err
	}
	card, err = v.loadCard(unit)
	if err != nil {
		return scanned{}, err
	}
	done := scanned{Kind: "good", Text: unit + ": taken back."}
	if undoing, ok := card.latest(shop.ActionChangeUndone, v.operator); ok {
		for _, entry := range card.Trail {
			if entry.ID == undoing.TakesBack() {
				done.Text = unit + ": taken back, " + strings.ToLower(words(entry.Action)) + "."
			}
		}
	}
	return done, nil
}

// refusedBefore returns the refusal of a check before the operation, and whether to show it: not when the operation was carried
// out earlier.
func refusedBefore(refusal string, err error) (scanned, bool) {
	failure, refused := asRefusal(err)
	known := refusal != "" && refused && (failure.Kind == shop.Invalid || failure.Kind == shop.NotFound)
	return scanned{Kind: "bad", Text: refusal}, known
}

// latest is the newest entry of the card with an action, by an operator.
func (p *cardPage) latest(action shop.AuditAction, operator string) (shop.AuditEntry, bool) {
	for _, entry := range p.Trail {
		if entry.Action == action && entry.UserID == operator {
			return entry, true
		}
	}
	return shop.AuditEntry{}, false
}

// completeDeferred completes the open deferred step, or the one in the place that is named, counted from 1. A form that
// is repeated is answered as in takeBack.
func (v *visit) completeDeferred(unit string, place int, user shop.TextInput) (scanned, error) {
	card, err := v.loadCard(unit)
	if err != nil {
		return scanned{}, err
	}
	open := card.Deferred()
	chosen := place - 1
	if place == 0 && len(open) == 1 {
		chosen = open[0]
	}
	stepID, refusal := "", scanned{}
	if chosen >= 0 && chosen < len(card.Steps) {
		stepID = card.Steps[chosen].Step.ID
	}
	switch {
	case len(open) == 0:
		refusal = scanned{Kind: "bad", Text: unit + " has no deferred step open."}
	case stepID == "":
		refusal = scanned{Kind: "ask", Text: "More than one step is deferred. Press the one that is done."}
	}
	resolved, err := v.service.CompleteDeferredStep(v.r.Context(), unit, stepID, user)
	if _, refused := refusedBefore(refusal.Text, err); refused {
		return refusal, nil
	}
	return scanned{Kind: "good", Text: unit + ", done afterwards: " + card.StepName(resolved.StepID) + "."}, err
}

// question asks what waits for an answer, and names the unit; "" when nothing does.
func question(hand station.InHand) string {
	reason, scraps := strings.CutPrefix(hand.Question, station.CodeScrap)
	switch {
	case hand.Question == "":
		return ""
	case hand.Question == station.CodeNote:
		return "Type the note for " + hand.SerialID + ", then Enter."
	case hand.Question == station.CodeHold:
		return "Why is " + hand.SerialID + " put on hold? Type it, then Enter."
	case hand.AsksWords():
		return "Why is " + hand.SerialID + " scrapped? Type it, then Enter."
	case scraps && hand.Words != "":
		return "Scrap " + hand.SerialID + ": " + words(strings.ToLower(reason)) + ", “" + hand.Words + "”? Taking it back needs a reason."
	case scraps:
		return "Scrap " + hand.SerialID + ": " + words(strings.ToLower(reason)) + "? Taking it back needs a reason."
	}
	return "The same code twice within three seconds. Do it again to " + hand.SerialID + "?"
}

// left tells of the question that was left by itself.
func left(hand station.InHand, meant station.Scan) string {
	switch {
	case meant.Left == "" || meant.Kind == station.ScanNo:
		return ""
	case meant.Left == station.CodeNote:
		return "No note was written on " + hand.SerialID + "."
	case meant.Left == station.CodeHold:
		return hand.SerialID + " was not put on hold."
	}
	return hand.SerialID + " was not scrapped."
}

func nothingChanged(meant station.Scan) string {
	if meant.Left == "" {
		return "Nothing was asked, and nothing was changed."
	}
	return "Nothing was changed."
}

func noSuchUnit(id string) string { return "There is no unit " + id + ". No unit is in hand now." }

// scanURL is the station with a unit in hand, at is the scan that led there.
func scanURL(hand station.InHand, at shop.Timestamp) string {
	query := url.Values{"at": {strconv.FormatInt(int64(at), 10)}}
	for name, value := range map[string]string{"unit": hand.SerialID, "ask": hand.Question, "words": hand.Words} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return "/scan?" + query.Encode()
}

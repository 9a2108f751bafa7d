package web

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard"
)

// The station mode. The scanner types a code and Enter into one field. A unit's code shows the unit; the code of the
// unit that is shown moves it on. The command codes act on the unit that is shown.
const (
	codeAdvance  = "RC-ADVANCE"
	codeScrap    = "RC-SCRAP-" // and the reason, in capitals with hyphens
	codeNote     = "RC-NOTE"
	codeDeferred = "RC-DEFERRED"
	codeYes      = "RC-YES"
	codeNo       = "RC-NO"
)

// bounce is within what time the same code counts as scanned by accident.
const bounce = 3 * time.Second

// scansKept is how many scans a device remembers.
const scansKept = 20

// scanned is one scan and what came of it, as the device remembers it.
type scanned struct {
	Code string              `json:"c"`
	Kind string              `json:"k"` // good, bad, ask or show
	Text string              `json:"t"`
	At   routecard.Timestamp `json:"a"`
}

type scanPage struct {
	frame
	Unit   *cardPage // nil while no unit is shown
	Result *scanned  // what came of the scan just made, nil when there was none
	Ask    string    // the code that waits to be confirmed
	Mode   string    // what is typed next: "" a code, note a note, explain why a unit is scrapped
	Scans  []scanned // newest first
}

func showScan(v *visit) error {
	query := v.r.URL.Query()
	page := &scanPage{frame: v.frame("Scan", "scan"), Ask: query.Get("ask"), Mode: query.Get("mode"), Scans: v.scans()}
	if at := query.Get("at"); len(page.Scans) > 0 && at == strconv.FormatInt(int64(page.Scans[0].At), 10) {
		page.Result = &page.Scans[0]
	} else {
		page.Ask = ""
	}
	if unit := query.Get("unit"); unit != "" {
		loaded, err := v.loadCard(unit)
		if failure, missing := asRefusal(err); missing {
			page.Result = &scanned{Code: unit, Kind: "bad", Text: failure.Message, At: routecard.TimestampOf(time.Now())}
		} else if err != nil {
			return err
		} else {
			page.Unit = loaded
		}
	}
	return v.show(http.StatusOK, "scan", page)
}

func asRefusal(err error) (*routecard.Error, bool) {
	return errors.AsType[*routecard.Error](err)
}

// scans are the scans that this device remembers.
func (v *visit) scans() []scanned {
	var scans []scanned
	text, err := base64.RawURLEncoding.DecodeString(readCookie(v.r, scansCookie))
	if err != nil || json.Unmarshal(text, &scans) != nil {
		return nil
	}
	return scans[:min(len(scans), scansKept)]
}

// keep puts a scan in front of those that the device remembers. A cookie holds four kilobytes.
func (v *visit) keep(scan scanned) {
	const room = 3500
	scans := append([]scanned{scan}, v.scans()...)
	scans = scans[:min(len(scans), scansKept)]
	for {
		text, err := json.Marshal(scans)
		if err != nil {
			return
		}
		encoded := base64.RawURLEncoding.EncodeToString(text)
		if len(encoded) <= room {
			v.setCookie(scansCookie, encoded, yearSeconds)
			return
		}
		scans = scans[:len(scans)-1]
	}
}

// outcome is what a scan leads to.
type outcome struct {
	kind, text string
	unit       string // the unit that is shown next
	ask, mode  string
}

func scan(v *visit) error {
	code := strings.TrimSpace(v.form.Get("code"))
	unit, mode := v.form.Get("unit"), v.form.Get("mode")
	now := routecard.TimestampOf(time.Now())
	confirmed := false
	switch do := v.form.Get("do"); {
	case do == "yes" || mode == "" && code == codeYes && v.form.Get("ask") != "":
		code, confirmed, mode = v.form.Get("ask"), true, ""
	case do == "no":
		code, mode = codeNo, ""
	case do != "":
		code, mode = do, ""
	}
	var o outcome
	var err error
	if mode == "" && code == "" {
		return v.back(scanURL(unit, "", "", 0), "")
	}
	switch {
	case mode != "" && code != codeNo:
		o, err = v.written(mode, code, unit)
	default:
		code = serialTyped(code)
		if !confirmed && v.bounced(code, unit, now) {
			o = outcome{kind: "ask", unit: unit, ask: code, text: "The same code twice within three seconds. Do it again?"}
		} else {
			o, err = v.command(code, unit, confirmed)
		}
	}
	if failure, ok := asRefusal(err); ok {
		o, err = outcome{kind: "bad", text: failure.Message, unit: unit, mode: o.mode}, nil
	}
	if err != nil {
		return err
	}
	v.keep(scanned{Code: cut(code, 32), Kind: o.kind, Text: cut(o.text, 90), At: now})
	return v.back(scanURL(o.unit, o.ask, o.mode, now), "")
}

func cut(text string, limit int) string {
	runes := []rune(text)
	if len(runes) > limit {
		return string(runes[:limit-1]) + "…"
	}
	return text
}

func scanURL(unit, ask, mode string, at routecard.Timestamp) string {
	query := url.Values{}
	for name, value := range map[string]string{"unit": unit, "ask": ask, "mode": mode} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if at != 0 {
		query.Set("at", strconv.FormatInt(int64(at), 10))
	}
	if len(query) == 0 {
		return "/scan"
	}
	return "/scan?" + query.Encode()
}

// bounced reports whether a code that would act is the one that was scanned just before.
func (v *visit) bounced(code, unit string, now routecard.Timestamp) bool {
	scans := v.scans()
	if len(scans) == 0 || code == codeNo || code == codeYes {
		return false
	}
	acts := code == unit || strings.HasPrefix(code, "RC-")
	return acts && scans[0].Code == cut(code, 32) && now.Time().Sub(scans[0].At.Time()) < bounce
}

// command does what a code asks for.
func (v *visit) command(code, unit string, confirmed bool) (outcome, error) {
	ctx := v.r.Context()
	o := outcome{kind: "good", unit: unit}
	if !strings.HasPrefix(code, "RC-") && code != unit {
		if _, err := v.service.Serial(ctx, code); err != nil {
			return o, err
		}
		return outcome{kind: "show", unit: code, text: "Scan it again, or press the button, when the step is done."}, nil
	}
	if unit == "" {
		return outcome{kind: "bad", text: "Scan a unit first."}, nil
	}
	if code == codeNo {
		return outcome{kind: "show", unit: unit, text: "Nothing was changed."}, nil
	}
	if v.operator == "" {
		return outcome{kind: "bad", unit: unit, text: "Choose who is working first."}, nil
	}
	user := routecard.Given(v.operator)
	reason, scraps := strings.CutPrefix(code, codeScrap)
	switch {
	case code == unit || code == codeAdvance:
		serial, err := v.service.AdvanceSerial(ctx, unit, routecard.AdvanceSerialInput{UserID: user})
		if err != nil {
			return o, err
		}
		o.text = "Done. Moved to the next step."
		if serial.Status == routecard.Completed {
			o.text = "Done. The unit is finished."
		}
		return o, nil
	case scraps:
		reason = strings.ToLower(strings.ReplaceAll(reason, "-", "_"))
		if reason == string(routecard.OtherReason) {
			return outcome{kind: "ask", unit: unit, mode: "explain", text: "Why is it scrapped? Type it, then Enter."}, nil
		}
		if !confirmed {
			question := "Scrap " + unit + ": " + words(reason) + "? This cannot be undone."
			return outcome{kind: "ask", unit: unit, ask: code, text: question}, nil
		}
		_, err := v.service.ScrapSerial(ctx, unit, routecard.ScrapSerialInput{Reason: routecard.Given(reason), UserID: user})
		o.text = "Scrapped: " + words(reason) + "."
		return o, err
	case code == codeNote:
		return outcome{kind: "ask", unit: unit, mode: "note", text: "Type the note, then Enter."}, nil
	case strings.HasPrefix(code, codeDeferred):
		return v.completeDeferred(unit, strings.TrimPrefix(strings.TrimPrefix(code, codeDeferred), "-"), user)
	}
	return outcome{kind: "bad", unit: unit, text: "Unknown code: " + cut(code, 32)}, nil
}

// completeDeferred completes the open deferred step, or the one in the place that is named, counted from 1.
func (v *visit) completeDeferred(unit, place string, user routecard.TextInput) (outcome, error) {
	card, err := v.loadCard(unit)
	if err != nil {
		return outcome{}, err
	}
	open := card.Deferred()
	chosen := -1
	if at, err := strconv.Atoi(place); err == nil {
		chosen = at - 1
	} else if len(open) == 1 {
		chosen = open[0]
	}
	switch {
	case len(open) == 0:
		return outcome{kind: "bad", unit: unit, text: "The unit has no deferred step open."}, nil
	case chosen < 0 || chosen >= len(card.Steps):
		return outcome{kind: "ask", unit: unit, text: "More than one step is deferred. Press the one that is done."}, nil
	}
	step := card.Steps[chosen].Step
	_, err = v.service.CompleteDeferredStep(v.r.Context(), unit, step.ID, user)
	return outcome{kind: "good", unit: unit, text: "Done afterwards: " + step.Name + "."}, err
}

// written takes what was typed after a command that asks for words.
func (v *visit) written(mode, text, unit string) (outcome, error) {
	o := outcome{kind: "good", unit: unit, mode: mode}
	ctx := v.r.Context()
	card, err := v.loadCard(unit)
	if err != nil {
		return o, err
	}
	if mode == "explain" {
		_, err = v.service.ScrapSerial(ctx, unit, routecard.ScrapSerialInput{
			Reason: routecard.Given(string(routecard.OtherReason)), Explanation: routecard.Given(text),
			UserID: routecard.Given(v.operator),
		})
		o.text = "Scrapped."
	} else {
		serial := card.Serial()
		step := card.Card.Path.Steps[min(serial.Position, len(card.Card.Path.Steps)-1)]
		_, err = v.service.CreateNote(ctx, routecard.CreateNoteInput{
			JobID: routecard.Given(serial.JobID), PathID: routecard.Given(serial.PathID), StepID: routecard.Given(step.ID),
			SerialIDs: routecard.GivenTexts(unit), Text: routecard.Given(text), UserID: routecard.Given(v.operator),
		})
		o.text = "Note written."
	}
	if err == nil {
		o.mode = ""
	}
	return o, err
}

type codesPage struct {
	frame
	Codes []commandCode
}

type commandCode struct{ Code, Title, Hint string }

// showCodes is a sheet of command codes to print and hang up at a station.
func showCodes(v *visit) error {
	page := &codesPage{frame: v.frame("Command codes", "scan"), Codes: []commandCode{
		{codeAdvance, "Done, next step", "Moves the unit on the screen one step forward"},
		{codeNote, "Note", "Type the note, then Enter"},
		{codeDeferred, "Deferred step done", "The step that was put off has been performed"},
		{codeYes, "Yes", "Does what the screen asks"},
		{codeNo, "No", "Leaves everything as it is"},
	}}
	for _, reason := range routecard.ScrapReasons() {
		code := codeScrap + strings.ToUpper(strings.ReplaceAll(string(reason), "_", "-"))
		page.Codes = append(page.Codes, commandCode{code, "Scrap: " + words(reason), "Asks before it acts"})
	}
	return v.show(http.StatusOK, "codes", page)
}

// Package station says what a code means that somebody scans at a station, given what is in hand there. It is a pure function:
// InHand.Scan. internal/web/scan.go calls the operation that the answer names.
package station

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/routecard/routecard/shop"
)

// The command codes of a station. A scrap code goes on with a reason, in capitals with hyphens; the code of a deferred
// step may go on with a hyphen and the step's place, counted from 1.
const (
	CodeAdvance  = "RC-ADVANCE"
	CodeNote     = "RC-NOTE"
	CodeDeferred = "RC-DEFERRED"
	CodeHold     = "RC-HOLD"
	CodeUndo     = "RC-UNDO"
	CodeScrap    = "RC-SCRAP-"
	CodeYes      = "RC-YES"
	CodeNo       = "RC-NO"

	codePrefix = "RC-" // of every command code
)

// ScrapCode is the command code that scraps for a reason.
func ScrapCode(reason shop.ScrapReason) string {
	return CodeScrap + strings.ToUpper(strings.ReplaceAll(string(reason), "_", "-"))
}

// DeferredCode is the command code that completes the deferred step at a place of the path, counted from 1.
func DeferredCode(place int) string { return CodeDeferred + "-" + strconv.Itoa(place) }

// ScanKind says what a scan asks for.
type ScanKind int

// The kinds of scan. Those before ScanAdvance change nothing.
const (
	ScanUnknown      ScanKind = iota // no code that a station knows; afterwards no unit is in hand
	ScanRanTogether                  // words that a code ran into, or several codes; afterwards no unit is in hand
	ScanUnit                         // take another unit in hand
	ScanNothing                      // a command that finds no unit in hand
	ScanNo                           // no, or an answer that nobody asked for
	ScanAskWords                     // ask for the words that the command needs
	ScanAskSure                      // ask before doing what cannot be taken back
	ScanAskAgain                     // ask whether the same code is meant twice
	ScanAdvance                      // move the unit in hand to its next step
	ScanScrap                        // scrap it
	ScanWriteNote                    // write a note on it
	ScanDeferredDone                 // complete a deferred step of it
	ScanHold                         // put it on hold
	ScanUndo                         // take its last change back
)

// Acts reports whether a scan of this kind changes something, if it is allowed.
func (k ScanKind) Acts() bool { return k >= ScanAdvance }

// InHand is what a station remembers between two scans: the unit in hand, and the question that waits for an answer.
// The zero InHand has neither.
type InHand struct {
	SerialID string
	Question string // the code that asked, "" for none
	Words    string // what was typed for a scrap code that now waits for a yes
}

// Scan is what a scan asks for, and what the station remembers when that is done. If it is refused, or the unit does
// not exist, the face decides with After and InHand{}.
type Scan struct {
	Kind   ScanKind
	Code   string // the code as understood: 24 is SN-00024; for words the code that asked for them
	Reason shop.ScrapReason
	Words  string // of a note, the reason of a hold, or the explanation of a scrap
	Place  int    // of the deferred step, counted from 1; 0 when the code names none
	After  InHand
	Left   string // the code whose question was left without an answer; "" for none
}

// LastScan is the scan before, so that the same code twice in a moment is noticed.
type LastScan struct {
	Code string
	Ago  time.Duration
}

// ScanBounce is within what time the same code counts as scanned by accident.
const ScanBounce = 3 * time.Second

// Scan says what a code means, given what is in hand. A code that a station knows is a code in every state, never text:
// while words are asked for, only what is no code becomes the words, and nothing that a scanner ran into
// (docs/decisions.md, "Scans").
func (h InHand) Scan(typed string, last LastScan) Scan {
	typed = strings.TrimSpace(typed)
	code := understood(typed)
	switch {
	case code == "" && h.AsksWords() && ranTogether(typed):
		return Scan{Kind: ScanRanTogether, Code: typed, Left: h.left()}
	case code == "" && h.AsksWords() && !looksLikeCode(typed):
		return h.take(typed)
	case code == "" && typed == "":
		return Scan{Kind: ScanNo, After: h}
	case code == "":
		if code = numbered(typed); code == "" {
			return Scan{Kind: ScanUnknown, Code: typed, Left: h.left()}
		}
	}
	switch code {
	case CodeYes:
		return h.yes()
	case CodeNo:
		return Scan{Kind: ScanNo, Code: code, After: InHand{SerialID: h.SerialID}, Left: h.Question}
	}
	if _, isUnit := shop.ParseSerialID(code); isUnit && code != h.SerialID {
		return Scan{Kind: ScanUnit, Code: code, After: InHand{SerialID: code}, Left: h.left()}
	}
	if code == h.SerialID && h.left() != "" {
		// Whoever scans the unit that a question is about looks for the way out of it, and is not done with the step.
		return Scan{Kind: ScanUnit, Code: code, After: InHand{SerialID: code}, Left: h.Question}
	}
	if h.SerialID == "" {
		return Scan{Kind: ScanNothing, Code: code}
	}
	scan := h.command(code)
	if scan.Kind.Acts() && last.Code == code && last.Ago < ScanBounce {
		scan = Scan{Kind: ScanAskAgain, Code: code, After: InHand{SerialID: h.SerialID, Question: code}}
	}
	if left := h.left(); left != code {
		scan.Left = left
	}
	return scan
}

// yes answers the question. Without one, and while words are asked for, there is nothing to say yes to.
func (h InHand) yes() Scan {
	switch {
	case h.SerialID == "" || understood(h.Question) == "":
		return Scan{Kind: ScanNo, Code: CodeYes, After: InHand{SerialID: h.SerialID}}
	case h.AsksWords():
		return Scan{Kind: ScanAskWords, Code: CodeYes, After: h}
	}
	scan := h.command(h.Question)
	if scan.Kind == ScanAskSure || scan.Kind == ScanAskWords && h.Words != "" {
		scan.Kind, scan.Words, scan.After = ScanScrap, h.Words, InHand{SerialID: h.SerialID}
	}
	return scan
}

// take takes what was typed as the words that were asked for.
func (h InHand) take(words string) Scan {
	switch {
	case words == "":
		return Scan{Kind: ScanAskWords, After: h}
	case h.Question == CodeNote:
		return Scan{Kind: ScanWriteNote, Code: h.Question, Words: words, After: InHand{SerialID: h.SerialID}}
	case h.Question == CodeHold:
		return Scan{Kind: ScanHold, Code: h.Question, Words: words, After: InHand{SerialID: h.SerialID}}
	}
	after := InHand{SerialID: h.SerialID, Question: h.Question, Words: words}
	return Scan{Kind: ScanAskSure, Code: h.Question, Reason: scrapReasonOf(h.Question), Words: words, After: after}
}

// command says what a code asks for of the unit in hand.
func (h InHand) command(code string) Scan {
	scan := Scan{Code: code, After: InHand{SerialID: h.SerialID}}
	switch {
	case code == h.SerialID || code == CodeAdvance:
		scan.Kind = ScanAdvance
	case code == CodeUndo:
		scan.Kind = ScanUndo
	case code == CodeNote || code == CodeHold:
		scan.Kind, scan.After.Question = ScanAskWords, code
	case code == CodeDeferred || strings.HasPrefix(code, CodeDeferred+"-"):
		scan.Kind = ScanDeferredDone
		if place, ok := strings.CutPrefix(code, CodeDeferred+"-"); ok {
			scan.Place, _ = strconv.Atoi(place) // understood made sure that it is a number
		}
	default:
		scan.Kind, scan.Reason, scan.After.Question = ScanAskSure, scrapReasonOf(code), code
		if scan.Reason == shop.OtherReason {
			scan.Kind = ScanAskWords
		}
	}
	return scan
}

// AsksWords reports whether what is typed next is the words for a command.
func (h InHand) AsksWords() bool {
	return h.SerialID != "" && (h.Question == CodeNote || h.Question == CodeHold ||
		scrapReasonOf(h.Question) == shop.OtherReason && h.Words == "")
}

// left is the question that is left without an answer by doing something else, "" when leaving it loses nothing: the
// same code scanned a third time is as good as a yes.
func (h InHand) left() string {
	if h.Question == CodeNote || h.Question == CodeHold || strings.HasPrefix(h.Question, CodeScrap) {
		return h.Question
	}
	return ""
}

// looksLikeCode reports whether somebody scanned rather than wrote: a code of ours that is damaged, or two in one.
func looksLikeCode(typed string) bool {
	typed = strings.ToUpper(typed)
	return !strings.ContainsFunc(typed, unicode.IsSpace) &&
		(strings.HasPrefix(typed, codePrefix) || strings.HasPrefix(typed, shop.SerialPrefix))
}

// ranTogether reports whether a scanner typed into the words of a person who had not finished, or several times: at the
// very end stands a code without a blank before it or a command, or there are several codes and nothing else. A unit
// that is named among words, with a blank before it, is a mention.
func ranTogether(typed string) bool {
	pieces := strings.Fields(typed)
	if len(pieces) == 0 {
		return false
	}
	if len(pieces) > 1 && !slices.ContainsFunc(pieces, func(piece string) bool { return !looksLikeCode(piece) }) {
		return true
	}
	last := pieces[len(pieces)-1]
	if len(pieces) == 1 && looksLikeCode(last) {
		return false // a damaged code
	}
	if code := understood(last); code != "" {
		_, mentioned := shop.ParseSerialID(code)
		return !mentioned
	}
	for i := range last {
		if understood(last[i:]) != "" {
			return true
		}
	}
	return false
}

// understood returns the code that was typed, "" for anything else: a damaged code of ours, words, or a bare number.
// Scanners and keyboards differ in their capitals.
func understood(typed string) string {
	code := strings.ToUpper(typed)
	if _, ok := shop.ParseSerialID(code); ok {
		return code
	}
	switch code {
	case CodeAdvance, CodeNote, CodeDeferred, CodeHold, CodeUndo, CodeYes, CodeNo:
		return code
	}
	if place, ok := strings.CutPrefix(code, CodeDeferred+"-"); ok {
		if n, err := strconv.Atoi(place); err == nil && n > 0 {
			return code
		}
	}
	if scrapReasonOf(code) != "" {
		return code
	}
	return ""
}

// scrapReasonOf is the reason that a scrap code names, "" for every other code.
func scrapReasonOf(code string) shop.ScrapReason {
	for _, reason := range shop.ScrapReasons() {
		if code == ScrapCode(reason) {
			return reason
		}
	}
	return ""
}

// numbered returns the identifier of a unit of which only the number was typed, "" for everything else.
func numbered(typed string) string {
	number, err := strconv.ParseInt(typed, 10, 64)
	if err != nil || number <= 0 || typed[0] == '+' {
		return ""
	}
	return shop.SerialID(number)
}

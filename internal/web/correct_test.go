package web_test

import (
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop/card"
)

// A change of the wrong unit can be undone at the station.
func TestMistakeAtTheStation(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(2, "Turn", "Grind")
	v := s.works("Dana")
	v.scan("SN-00001", "show", "SN-00001")
	v.scan("RC-UNDO", "bad", "There is nothing to undo at this station.")
	v.scan("RC-ADVANCE", "good", "SN-00001 moved to the next step.")
	s.stands("SN-00001", 1, card.InProgress)
	v.press("That was a mistake", "do", "RC-UNDO")
	v.says("SN-00001: “Unit advanced” was undone. It is at")
	s.stands("SN-00001", 0, card.InProgress)

	// A scrap can be undone as well, with the code.
	v.scan("SN-00001", "show", "SN-00001")
	v.scan("RC-SCRAP-DAMAGED", "ask", "Scrap SN-00001: Damaged?")
	v.scan("RC-YES", "good", "SN-00001 is scrapped: Damaged.")
	v.scan("RC-UNDO", "good", "SN-00001: “Unit scrapped” was undone. It is at")
	s.stands("SN-00001", 0, card.InProgress)

	// Later, undoing needs the permission to decide, and the station refuses it.
	v.scan("SN-00001", "show", "SN-00001")
	v.scan("RC-ADVANCE", "good", "SN-00001 moved to the next step.")
	s.pass(16 * time.Minute)
	v.scan("RC-UNDO", "bad", "Undoing it is a decision: do that on the card.")
	s.stands("SN-00001", 1, card.InProgress)
}

// A unit on hold cannot be worked on at the station, and every page of the unit shows the reason.
func TestHoldAtTheStation(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(2, "Turn", "Grind")
	v := s.works("Dana")
	v.scan("SN-00001", "show", "SN-00001")
	v.scan("RC-HOLD", "ask", "Why is SN-00001 put on hold?")
	v.scan("SN-00002", "show", "SN-00001 was not put on hold.")
	v.scan("SN-00001", "show", "SN-00001")
	v.scan("RC-HOLD", "ask", "Why is SN-00001 put on hold?")
	v.scan("crack at the flange", "good", "SN-00001 is on hold: crack at the flange")
	v.scan("SN-00001", "warn", "On hold: crack at the flange")
	v.scan("RC-ADVANCE", "bad", "SN-00001: The unit is on hold: crack at the flange")
	s.stands("SN-00001", 0, card.InProgress)
	v.says("On hold: crack at the flange")

	v.visit("/serials/SN-00001")
	v.says("On hold: crack at the flange")
	v.press(">Release<", "reason", "", "do", "release")
	v.says("Say why.")
	v.press(">Release<", "reason", "a scratch", "do", "release")
	v.says("SN-00001 is released.")
	v.scan("RC-ADVANCE", "bad", "Scan a unit first.")
}

// A failed unit is sent back from its card. There its last change is then undone with a reason.
func TestCorrectionsOnTheCard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(1, "Turn", "Grind", "Test")
	v := s.works("Dana")
	v.scan("SN-00001", "show", "SN-00001")
	v.scan("RC-ADVANCE", "good", "SN-00001 moved to the next step.")
	v.visit("/serials/SN-00001")
	v.press(">Send back<", "target", "0", "reason", "too small", "do", "rework")
	v.says("SN-00001 was sent back.")
	s.stands("SN-00001", 0, card.InProgress)
	v.press(">Undo<", "reason", "it was another", "do", "undo")
	v.says("Undone.")
	s.stands("SN-00001", 1, card.InProgress)
	v.press(">Put SN-00001 on hold<", "reason", "drawing?", "do", "hold")
	v.says("SN-00001 is on hold.")
}

// If a certificate and a note were added to the wrong unit, they can be voided. The card then shows the user and the reason, on the screen
// and on paper.
func TestStrikingThrough(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(1, "Turn", "Grind")
	v := s.works("Dana")
	v.visit("/certs").press("Create certificate", "type", "material", "name", "Heat 7")
	v.visit("/serials/SN-00001")
	v.press(">Attach<", "certId", "Heat 7", "do", "attach")
	card, err := s.views.Card(t.Context(), "SN-00001")
	s.must(err)
	v.press(">Write note<", "stepId", card.Card.Path.Steps[0].ID, "text", "Chatter marks", "do", "note")
	card, err = s.views.Card(t.Context(), "SN-00001")
	s.must(err)
	v.press(">Void<", "record", "", "reason", "x", "do", "void")
	v.says("Choose what to void.")
	v.press(">Void<", "record", "attachment:"+card.Attachments[0].ID, "reason", "belongs to SN-00002", "do", "void")
	v.says("Voided.")
	v.press(">Void<", "record", "note:"+card.Notes[0].ID, "reason", "another batch", "do", "void")
	for _, page := range []string{"/serials/SN-00001", "/serials/SN-00001/print"} {
		v.visit(page)
		v.strikes("Heat 7")
		v.says("belongs to SN-00002")
		v.strikes("Chatter marks")
		v.says("another batch")
	}
	v.visit("/certs/" + card.Attachments[0].CertificateID)
	v.strikes("SN-00001")
	// If there is nothing left to void, the card has no form for it.
	v.visit("/serials/SN-00001")
	if strings.Contains(v.page.html, ">Void<") {
		t.Error("there is nothing left to strike through")
	}
	// A certificate that was first attached to another unit can be attached here again.
	v.press(">Attach<", "certId", "Heat 7", "do", "attach")
	v.says("Void")
}

// strikes fails unless the page shows the text struck through.
func (v *visitor) strikes(text string) {
	v.t.Helper()
	if !strings.Contains(v.page.html, "<s>"+text+"</s>") {
		v.t.Errorf("%s does not strike %q through:\n%s", v.page.address, text, v.page.html)
	}
}

// Undoing another user's change needs the permission to decide. The card offers it only with that permission.
func TestUndoIsNotOfferedForWhatOthersDid(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	s.person("anna", "operator")
	s.person("dana", "operator")
	s.units(1, "Turn", "Grind", "Test")
	anna, dana := s.signedIn("anna"), s.signedIn("dana")
	anna.visit("/serials/SN-00001").press(`value="advance"`, "do", "advance")
	dana.visit("/serials/SN-00001")
	if strings.Contains(dana.page.html, ">Undo<") {
		t.Error("it is offered")
	}
	dana.says("Undo the last change: ")
	anna.visit("/serials/SN-00001").press(">Undo<", "reason", "too early", "do", "undo").says("Undone.")
}

package web_test

import (
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/card"
)

// The station shows a unit for any of the unit's codes. For other codes it says what they identify, in the words of the shop, and then no
// unit is in hand. An engraved number is never mistaken for one of Routecard's identifiers.
func TestStationReadsCodes(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(3, "Turn", "Grind")
	s.instrument("M-017", "2999-12-31")
	s.lot("316L", "H80312")
	v := s.works("Dana")
	for _, code := range []string{
		unit, "1", "SN-1", "]Q1" + unit, "\ufeff" + unit + "\r", "https://old.example:8080/serials/" + unit + "/print", "]C121" + unit,
		"[)>\x1e06\x1dS" + unit + "\x1e\x04", "(21)" + unit,
	} {
		v.scan("SN-00003", "show", "SN-00003")
		v.scan(code, "show", "Done, on to Grind")
		if !strings.Contains(v.page.html, `name="unit" value="`+unit+`"`) {
			t.Errorf("%q does not show %s", code, unit)
		}
	}
	for code, says := range map[string]string{
		"(01)09506000134352(21)SN-99999":                "No unit with the own number SN-99999 of part 09506000134352 is known here.",
		"]C12100001":                                    "No unit with the own number 00001 is known here.",
		"[)>\x1e06\x1d17V0CVA5\x1d1P1234\x1dS1\x1e\x04": "No unit with the own number 1 of part 1234 is known here.",
		"[)>0617V0CVA51PA1S2S3":                         "This code can be read in several ways: its separators are lost.",
		"4006381333931":                                 "This is the code of part 4006381333931, not of a unit.",
		"2112345678900":                                 "This is the code of part 2112345678900, not of a unit.",
		"036000291452":                                  "This is the code of part 036000291452, not of a unit.",
		"96385074":                                      "This is the code of part 96385074, not of a unit.",
		"]E04006381333931":                              "This is the code of part 4006381333931, not of a unit.",
		"0104006381333931":                              "This is the code of part 04006381333931, not of a unit.",
		"4006381333932":                                 "There is no unit SN-4006381333932.",
		"]d2240P-7":                                     "This is the code of part P-7, not of a unit.",
		"]C110SN-00001":                                 "Lot SN-00001 is not known here.",
		"(00)006141411234567890":                        "Unknown code: no unit, job or order matches.",
		"NCR-00001":                                     "NCR-00001 is not the code of a unit, but of another record: report.",
		job:                                             job + " is not the code of a unit, but of another record: job.",
		"https://a/certs/cert_01K3ZQ4N8E5T6V7W8X9Y0Z1A2B": "cert_01K3ZQ4N8E5T6V7W8X9Y0Z1A2B is not the code of a unit, but of another record: certificate.",
		"MH80312": "The station does not know this code.",
		"M-017":   "M-017 is not the code of a unit, but of another record: instrument.",
		"h80312":  "h80312 is not the code of a unit, but of another record: lot.",
	} {
		v.scan(unit, "show", unit)
		v.scan(code, "bad", says)
		if strings.HasPrefix(says, "This is the code of part") && strings.Contains(v.page.html, "SN-4006381333931") {
			t.Errorf("%q is told with a number of ours", code)
		}
		if v.says("No unit is in hand now"); strings.Contains(v.page.html, `name="unit"`) {
			t.Errorf("a unit is in hand after %q", code)
		}
		v.scan("RC-DONE", "bad", "Scan a unit first.")
	}
	// If this code is typed as a text, it needs a confirmation first and is then accepted.
	v.scan(unit, "show", unit)
	v.scan("RC-NOTE", "ask", "Type the note")
	v.scan("(10)L7", "ask", "looks like a code. Is it the note?")
	v.scan("RC-YES", "good", unit)
	s.stands(unit, 0, card.InProgress)
}

package web_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// docs/api/identifiers.md, "Serial numbers of your own": If a unit has an own number, every page shows this number first and the identifier
// next to it. For units without own numbers, the same pages show no trace of own numbers.
func TestPagesCallUnitsByTheirOwnNumbers(t *testing.T) {
	t.Parallel()
	for _, own := range []bool{true, false} {
		s := openShop(t)
		job, unit := s.units(4, "Saw", "Turn")
		for i := range 4 {
			if own {
				s.numbered(s.service.SerialPrefix().SerialID(int64(i+1)), fmt.Sprintf("VB-%d", i+1))
			}
		}
		report := s.report(unit)
		_, err := s.service.AddToNonconformance(t.Context(), report, shop.AddToNonconformanceInput{
			Selection: shop.SelectionInput{SerialIDs: input.GivenTexts("SN-00003")}, UserID: input.Given("setup"),
		})
		s.must(err)
		certificate := s.certificate("3.1")
		_, err = s.service.BatchAttachCertificate(t.Context(), shop.BatchAttachInput{
			CertID: input.Given(certificate), SerialIDs: input.GivenTexts("SN-00002", "SN-00003"), UserID: input.Given("setup"),
		})
		s.must(err)
		v := s.works("Dana")
		unnamed := regexp.MustCompile(`(.{0,12})\b(SN-0000\d)\b`)
		names := func(where string) {
			t.Helper()
			found := unnamed.FindAllStringSubmatch(v.text(), -1)
			if len(found) == 0 {
				t.Errorf("%s shows no unit:\n%s", where, v.text())
			}
			for _, one := range found {
				number := "VB-" + strings.TrimLeft(one[2], "SN-0")
				if own && !strings.HasSuffix(one[1], number+" ") && !strings.HasSuffix(one[1], number+" (") {
					t.Errorf("%s has %q", where, one[0])
				}
			}
			if !own && strings.Contains(v.page.html, `class="own"`) {
				t.Errorf("%s speaks of own numbers", where)
			}
		}
		for _, address := range []string{
			"/", "/queue?operator=everybody", "/jobs/" + job, "/serials", "/serials?q=SN-00002", "/holds", "/serials/" + unit,
			"/serials/" + unit + "/print", "/nonconformances/" + report, "/nonconformances/" + report + "/print",
			"/nonconformances/new?units=SN-00002+to+SN-00004", "/certs/" + certificate, "/audit", "/labels?first=1&last=4",
			"/scan?unit=SN-00002", "/search?q=SN-0", "/audit/proof/" + ident.AuditID(6),
			"/files/" + s.fileOn(shop.FileSubject{Kind: shop.RecordSerial, ID: unit}),
		} {
			if v.visit(address).page.status != 200 {
				t.Errorf("%s answers %d", address, v.page.status)
			}
			names(address)
		}
		board := func(do string, pairs ...string) {
			v.visit("/jobs/"+job).press(`class="board-form"`, append([]string{
				"do", do, "serial", "SN-00002", "serial", "SN-00004", "at:SN-00002", "0", "at:SN-00004", "0",
			}, pairs...)...)
			names(do)
		}
		board("ask-scrap")
		board("ask-report")
		board("ask-note")
		v.visit("/serials/SN-00004").press(`value="scrap"`, "do", "scrap", "reason", "damaged")
		names("scrap")
		v.visit("/scan")
		v.scan("SN-00002", "show", "When the step is done")
		names("a scan")
		v.scan("RC-HOLD", "ask", "put on hold?")
		names("a question")
		v.visit("/serials/SN-00099")
		v.says("There is no unit SN-00099.")
	}
}

// Fields for several units accept own numbers in place of identifiers, whether typed, scanned, or copied from a page.
func TestReportsTakeOwnNumbers(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(6, "Saw", "Turn")
	s.ofPart(job, "VB-210")
	other, _ := s.units(1, "Mill")
	s.ofPart(other, "FL-12")
	for i := range 6 {
		s.numbered(s.service.SerialPrefix().SerialID(int64(i+1)), fmt.Sprintf("A, %d", i+1))
	}
	s.numbered("SN-00007", "A, 3")
	v := s.works("Dana")
	const gs, rs, eot = "\x1d", "\x1e", "\x04"
	for i, c := range []struct{ typed, want, refused string }{
		{typed: "a, 2", want: "SN-00002"},
		{typed: "2, SN-00004 and sn-00005 to 6", want: "SN-00002 SN-00004 SN-00005 SN-00006"},
		{typed: "A, 4 to A, 6", want: "SN-00004 SN-00005 SN-00006"},
		{typed: "A, 1 (SN-00001) to A, 2 (SN-00002), SN-00005", want: "SN-00001 SN-00002 SN-00005"},
		{typed: "[)>" + rs + "06" + gs + "1PVB-210" + gs + "SA, 3" + rs + eot + "\nhttps://old.example/serials/SN-00001", want: "SN-00001 SN-00003"},
		{typed: "A, 3", refused: "“A, 3” can be several units: A, 3 (SN-00007), Valve body, Mill; A, 3 (SN-00003), Valve body, Saw."},
		{typed: "A, 1 to A, 3", refused: "“A, 3” can be several units"},
		{typed: "A, 6 to A, 4", refused: "“A, 6 to A, 4” ends before it begins"},
		{typed: "A, 9", refused: "“A” is no unit and no range of units."},
	} {
		v.visit("/nonconformances/new").press("Open the report", "title", "Seat", "severity", "minor", "units", c.typed)
		if c.refused != "" {
			v.says(c.refused)
			continue
		}
		report, err := s.service.Nonconformance(t.Context(), v.page.address[len("/nonconformances/"):])
		s.must(err)
		var units []string
		for _, unit := range report.Units {
			units = append(units, unit.SerialID)
		}
		if got := strings.Join(units, " "); got != c.want {
			t.Errorf("%d: %q puts %s on the report, want %s", i, c.typed, got, c.want)
		}
	}
}

// If an end of a range is an own number, the range is one of own numbers: reports and labels omit units of other jobs whose identifiers are
// in between. A range is refused if it cannot be counted, has gaps, or is ambiguous.
func TestRangesOfOwnNumbers(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ring, _ := s.units(2, "Saw", "Turn") // RG-1 and RG-2
	s.ofPart(ring, "RG")
	other, _ := s.units(2, "Mill")
	s.ofPart(other, "FL")
	more, _ := s.units(3, "Saw") // RG-3 to RG-5, in another job for the same part
	s.ofPart(more, "RG")
	for i, number := range []string{"RG-1", "RG-2", "FL-3", "7", "RG-3", "RG-4", "RG-5"} {
		s.numbered(s.service.SerialPrefix().SerialID(int64(i+1)), number)
	}
	v := s.works("Dana")
	for _, c := range []struct{ typed, want, refused string }{
		{typed: "RG-1 to RG-5", want: "SN-00001 SN-00002 SN-00005 SN-00006 SN-00007"},
		{typed: "rg-2 to SN-00006", want: "SN-00002 SN-00005 SN-00006"},
		{typed: "SN-00001 to RG-3", want: "SN-00001 SN-00002 SN-00005"},
		{typed: "SN-00002 to SN-00003", want: "SN-00002 SN-00003"},
		{typed: "1 to 3", want: "SN-00001 SN-00002 SN-00003"},
		{typed: "SN-00001 bis SN-00003", want: "SN-00001 SN-00002 SN-00003"},
		{typed: "SN-00001 a SN-00003", want: "SN-00001 SN-00002 SN-00003"},
		{typed: "1 Hasta 3", want: "SN-00001 SN-00002 SN-00003"},
		{typed: "SN-00001 à SN-00003", want: "SN-00001 SN-00002 SN-00003"},
		{typed: "1 À 3", want: "SN-00001 SN-00002 SN-00003"},
		{typed: "rg-2 bis SN-00006", want: "SN-00002 SN-00005 SN-00006"},
		{typed: "SN-00002 und SN-00003", want: "SN-00002 SN-00003"},
		{typed: "SN-00002 y SN-00003", want: "SN-00002 SN-00003"},
		{typed: "SN-00002 et SN-00003", want: "SN-00002 SN-00003"},
		{typed: "RG-4 – RG-5, FL-3", want: "SN-00003 SN-00006 SN-00007"},
		{typed: "RG-1 (SN-00001) to RG-2 (SN-00002)", want: "SN-00001 SN-00002"},
		{typed: "RG-1 to 5", refused: "“RG-1 to 5” can mean numbers of Routecard or own numbers."},
		{typed: "RG-1 (SN-00001) to RG-5 (SN-00007)", refused: "can mean numbers of Routecard or own numbers."},
		{typed: "RG-1 to FL-3", refused: "“RG-1 to FL-3” cannot be counted"},
		{typed: "RG-5 to RG-1", refused: "“RG-5 to RG-1” ends before it begins"},
		{typed: "RG-1 to RG-9", refused: "“RG-1 to RG-9” is no unit and no range of units."},
	} {
		v.visit("/nonconformances/new").press("Open the report", "title", "Seat", "severity", "minor", "units", c.typed)
		if c.refused != "" {
			v.says(c.refused)
			continue
		}
		report, err := s.service.Nonconformance(t.Context(), strings.TrimPrefix(v.page.address, "/nonconformances/"))
		s.must(err)
		units := idsOfReport(report)
		if got := strings.Join(units, " "); got != c.want {
			t.Errorf("%q puts %s on the report, want %s", c.typed, got, c.want)
		}
	}
	v.visit("/labels?first=RG-1&last=RG-4").says("SN-00005")
	v.saysNothingOf("SN-00003")
	v.saysNothingOf("SN-00007")
	s.numbered("SN-00005", "RG-33")
	v.visit("/labels?first=RG-1&last=RG-4").says("has own numbers that no unit of this part has: RG-3. Name the units that you mean.")
	v.visit("/labels?first=RG-1&last=RG-33").says("no unit of this part has: RG-3, RG-6, RG-7, RG-8, RG-9, RG-10, RG-11, RG-12, RG-13, RG-14, 18 others")
}

func idsOfReport(report shop.Nonconformance) (units []string) {
	for _, unit := range report.Units {
		units = append(units, unit.SerialID)
	}
	return units
}

// The list of units finds units by own numbers and codes, and also units whose identifier or job begins with the text.
func TestListFindsOwnNumbers(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(2, "Saw", "Turn")
	s.ofPart(job, "VB-210")
	other, _ := s.units(2, "Mill")
	s.ofPart(other, "FL-12")
	s.numbered("SN-00001", "valve")
	s.numbered("SN-00002", "4")
	s.numbered("SN-00003", "4")
	v := s.visitor()
	for text, want := range map[string]string{
		"VALVE": "SN-00001", "Valve b": "SN-00004 SN-00003 SN-00002 SN-00001", "4": "SN-00004 SN-00003 SN-00002", "SN-00004": "SN-00004",
		"[)>\x1e06\x1d1PVB-210\x1dS4\x1e\x04": "SN-00002", "nothing": "",
	} {
		v.visit("/serials?" + url.Values{"q": {text}}.Encode())
		var found []string
		for _, one := range regexp.MustCompile(`href="/serials/(SN-\d+)"`).FindAllStringSubmatch(v.page.html, -1) {
			found = append(found, one[1])
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%q finds %s, want %s", text, got, want)
		}
		if len(found) > 0 && v.total() != len(found) {
			t.Errorf("%q counts %d units, and lists %d", text, v.total(), len(found))
		}
	}
}

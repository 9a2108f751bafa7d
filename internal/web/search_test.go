package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

var foundGroup = regexp.MustCompile(`(?s)<section>\s*<h2>(.*?)</h2>(.*?)</section>`)
var foundHit = regexp.MustCompile(`(?s)<a href="([^"]*)"( class="exact")?>\s*<b>(.*?)</b>`)

// finds types a text and returns the results that are shown while typing: the headings, each with its results. An exact match is followed
// by "!".
func (v *visitor) finds(text string) string {
	v.t.Helper()
	request := httptest.NewRequest(http.MethodGet, "/search?q="+strings.ReplaceAll(text, " ", "+"), nil)
	request.Header.Set("Routecard-Live", "1")
	answer := v.ask(request)
	if answer.Code != http.StatusOK {
		v.t.Fatalf("%q: %d", text, answer.Code)
	}
	var found []string
	for _, group := range foundGroup.FindAllStringSubmatch(answer.Body.String(), -1) {
		var names []string
		for _, hit := range foundHit.FindAllStringSubmatch(group[2], -1) {
			name := hit[3]
			if hit[2] != "" {
				name += "!"
			}
			names = append(names, name)
			if page := v.answer(hit[1]); page.Code != http.StatusOK {
				v.t.Errorf("%s leads to %s, which answers %d", name, hit[1], page.Code)
			}
		}
		found = append(found, group[1]+": "+strings.Join(names, ", "))
	}
	return strings.Join(found, "; ")
}

// Records of every kind are found by their usual names and are listed under their heading. Each result links to its page.
func TestSearchFindsEveryKind(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ctx := t.Context()
	text, one := func(text string) input.TextInput { return input.Given(text) }, input.Given(1.0)
	jobID, _ := s.units(12, "Turn", "Grind") // of the job Valve body
	s.bom("Valve, complete", jobID)
	_, err := s.service.CreateJob(ctx, shop.CreateJobInput{Name: text("Öse klein"), GoalQuantity: one, TicketPart: text("4711-B"),
		TicketKey: text("SHOP-12")})
	s.must(err)
	s.template("Turned parts", "Turn")
	_, err = s.service.CreateCertificate(ctx, shop.CreateCertificateInput{Type: text("material"), Name: text("EN 10204 3.1, 316L"),
		Metadata: input.Given(json.RawMessage(`{"heat":"H48213","supplier":"Nordstahl"}`))})
	s.must(err)
	_, err = s.service.CreateInstrument(ctx, shop.InstrumentInput{Number: text("M-017"), Name: text("Micrometer"), DueDate: text("2999-01-01")})
	s.must(err)
	_, err = s.service.CreateLot(ctx, shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: text("Aluminium"), LotNumber: text("LOT-77"), HeatNumber: text("H990")}, UserID: text("setup"),
	})
	s.must(err)
	_, err = s.service.CreateShipment(ctx, shop.CreateShipmentInput{
		Supplier: text("Galvano Nord"), OrderNumber: text("PO-8895"), UserID: text("setup"),
		Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(s.plated(1)...)},
	})
	s.must(err)
	v := s.works("Tom Fischer")
	_, err = s.service.OpenNonconformance(ctx, shop.OpenNonconformanceInput{Title: text("Pores after milling"), Severity: text("major"),
		UserID: text(s.operator("Quinn"))})
	s.must(err)
	for typed, want := range map[string]string{
		"SN-00007":      "Units: SN-00007!",
		"sn-00007":      "Units: SN-00007!",
		"]C1SN-00007":   "Units: SN-00007!", // the bar code of a label, as a scanner sends it
		"SN-0001":       "Units: SN-00013, SN-00012, SN-00011, SN-00010",
		"7":             "Units: SN-00007",
		"1":             "Units: SN-00001, SN-00013, SN-00012, SN-00011, SN-00010; Certificates: EN 10204 3.1, 316L; Shipments: SHP-00001", // the exact number comes first
		"SN-99999":      "",
		"valve":         "Jobs: Valve body; Bills of material: Valve, complete",
		"body":          "Jobs: Valve body",
		"Valve Body":    "Jobs: Valve body!",
		"öse":           "Jobs: Öse klein",
		"ÖSE KLEIN":     "Jobs: Öse klein!",
		"4711":          "Jobs: Öse klein",
		"4711-b":        "Jobs: Öse klein!",
		"shop-12":       "Jobs: Öse klein!",
		"ncr-00001":     "Nonconformances: Pores after milling!",
		"milling":       "Nonconformances: Pores after milling",
		"en 10204":      "Certificates: EN 10204 3.1, 316L",
		"h48213":        "Certificates: EN 10204 3.1, 316L", // the heat
		"nordstahl en":  "Certificates: EN 10204 3.1, 316L",
		"turned":        "Templates: Turned parts",
		"M-017":         "Instruments: Micrometer!",
		"micro":         "Instruments: Micrometer",
		"lot-77":        "Lots: LOT-77!",
		"h990":          "Lots: LOT-77!", // the heat
		"shp-00001":     "Shipments: SHP-00001!",
		"galvano":       "Shipments: SHP-00001",
		"po-8895":       "Shipments: SHP-00001!",
		"fischer":       "Operators: Tom Fischer",
		"%":             "",
		"_":             "",
		"RC-DONE":       "",
		"' OR 1=1 --":   "",
		"\U0010FFFF":    "",
		"quinn":         "Operators: Quinn!",
		"no such thing": "",
	} {
		if got := v.finds(typed); got != want {
			t.Errorf("%q finds %q, want %q", typed, got, want)
		}
	}
	for i := range 40 {
		_, err := s.service.CreateJob(ctx, shop.CreateJobInput{Name: text(fmt.Sprintf("Bolt %02d", i)), GoalQuantity: one})
		s.must(err)
	}
	if got, want := v.finds("bolt"), "Jobs: Bolt 00, Bolt 01, Bolt 02, Bolt 03, Bolt 04"; got != want {
		t.Errorf("%q, want %q", got, want)
	}

	// Enter opens a result if it is unambiguous, and otherwise a page of results. This works without scripts too.
	for typed, to := range map[string]string{"SN-00007": "/serials/SN-00007", "417-b": "/search?q=417-b", "m-017": "/instruments?id=", "valve": "/search?q=valve"} {
		if v.visit("/search?q=" + typed); !strings.HasPrefix(v.page.address, to) || v.page.status != http.StatusOK {
			t.Errorf("%s leads to %s, want %s", typed, v.page.address, to)
		}
	}
	v.visit("/search?q=valve").says("Bills of material")
	v.says("Search everything")
	v.visit("/search?q=nowhere+to+be+found").says("No exact match.")
	v.visit("/search?q=").says("Search")
	if answer := v.answer("/search?q=" + strings.Repeat("x", 4000)); answer.Code != http.StatusBadRequest && answer.Code != http.StatusOK {
		t.Errorf("a long text: %d", answer.Code)
	}
}

// Visitors without read access cannot search, and pages do not show them the search.
func TestSearchNeedsWhatReadingNeeds(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	stranger := s.visitor()
	if stranger.visit("/search?q=boss"); !strings.HasPrefix(stranger.page.address, "/sign-in") || strings.Contains(stranger.page.html, `action="/search"`) ||
		strings.Contains(stranger.text(), "The Boss") {
		t.Errorf("a stranger sees %s:\n%s", stranger.page.address, stranger.page.html)
	}
	request := httptest.NewRequest(http.MethodGet, "/search?q=boss", nil)
	request.Header.Set("Routecard-Live", "1")
	if answer := stranger.ask(request); answer.Code != http.StatusUnauthorized || strings.Contains(answer.Body.String(), "The Boss") {
		t.Errorf("while typing: %d", answer.Code)
	}
	s.person("olaf", "operator")
	boss, olaf := s.signedIn("boss"), s.signedIn("olaf")
	if boss.visit("/search?q=name+of+olaf"); !strings.HasPrefix(boss.page.address, "/users/") {
		t.Errorf("an administrator is led to %s", boss.page.address)
	}
	if olaf.visit("/search?q=the+boss"); !strings.HasPrefix(olaf.page.address, "/queue?operator=") || olaf.page.status != http.StatusOK {
		t.Errorf("an operator is led to %s", olaf.page.address)
	}
}

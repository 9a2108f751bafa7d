package web_test

import (
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// recalled is a shop with two lots of a heat. A unit has metal of one, and is inside another unit; a scrapped unit has some too.
func recalled(t *testing.T) (s *visitedShop, job string, steel shop.Lot) {
	t.Helper()
	s = openShop(t)
	job, _ = s.units(4, "Turn", "Pack")
	steel = s.lot("316L", "H48213")
	s.lot("316L", "H48213")
	s.fill(steel.ID, "SN-00002", "SN-00003")
	s.complete(2, "SN-00002")
	_, err := s.service.InstallComponent(t.Context(), "SN-00001", shop.InstallComponentInput{
		ComponentSerialID: input.Given("SN-00002"), UserID: input.Given("setup"),
	})
	s.must(err)
	_, err = s.service.ScrapSerial(t.Context(), "SN-00003", shop.ScrapSerialInput{
		Reason: input.Given("damaged"), UserID: input.Given("setup"),
	})
	s.must(err)
	return s, job, steel
}

// fill installs 1 kg of a lot in each of the units.
func (s *visitedShop) fill(lot string, units ...string) {
	s.t.Helper()
	for _, unit := range units {
		_, err := s.service.InstallComponent(s.t.Context(), unit, shop.InstallComponentInput{
			LotID: input.Given(lot), Quantity: input.Given(input.Written("1")), UserID: input.Given("setup"),
		})
		s.must(err)
	}
}

// A heat leads to its units and lots, which one decision puts on hold. A number of units that the user did not see is refused.
func TestRecallOfHeat(t *testing.T) {
	t.Parallel()
	s, _, steel := recalled(t)
	v := s.works("Dana")
	v.visit("/recall").says("A recall lists every unit and lot")
	v.visit("/recall?cause=heat&of=h1").says("Nothing is affected.")
	at := "/recall?cause=heat&of=h48213&contains=ever"
	v.visit(at).says("Recall of heat h48213")
	v.says("Hold 2 units and 2 lots")
	s.fill(steel.ID, "SN-00004")
	v.press(`action="/recall"`, "reason", "cracks").says("There are now 3 units here, not 2. Nothing was changed.")
	v.says("Hold 3 units and 2 lots")
	v.press(`action="/recall"`, "reason", " ").says("Say why.")
	v.press(`action="/recall"`, "reason", "cracks").says("On hold: 3 units and 2 lots.")
	for _, unit := range []string{"SN-00001", "SN-00002", "SN-00004"} {
		v.visit("/serials/" + unit).says("cracks")
	}
	v.visit("/lots?id=" + steel.ID).says("cracks")
	v.visit(at).says("Hold 3 units") // all lots are on hold
	if strings.Contains(v.text(), "and 2 lots") {
		t.Error("lots that are on hold are to be held again")
	}
}

// The causes of a recall are typed as people call them. A cause within a span of days needs its first day.
func TestCausesOfRecall(t *testing.T) {
	t.Parallel()
	s, job, steel := recalled(t)
	today := "&from=" + time.Now().AddDate(0, 0, -2).Format("2006-01-02")
	certificate := s.certificate("EN 10204 3.1")
	_, err := s.service.AttachLotCertificate(t.Context(), steel.ID, shop.AttachLotCertificateInput{
		CertID: input.Given(certificate), UserID: input.Given("setup"),
	})
	s.must(err)
	s.instrument("M-7", "2999-01-01")
	sent := s.sent(2, "2998-01-31")
	v := s.works("Dana")
	for query, want := range map[string]string{
		"cause=shipment&of=" + sent.ID:                          "Hold 2 units",
		"cause=shipment&of=plating":                             "Recall of shipment " + sent.ID,
		"cause=shipment&of=SHP-00077":                           "No shipment is called “SHP-00077”.",
		"cause=lot&of=" + steel.LotNumber:                       "Hold 2 units and 1 lot",
		"cause=lot&of=" + steel.ID:                              steel.LotNumber + " [" + steel.ID + "]",
		"cause=lot&of=none":                                     "No unit and no lot is called “none”.",
		"cause=lot&of=SN-00001":                                 "No unit and no lot is called “SN-00001”.",
		"cause=certificate&of=10204":                            "Recall of certificate EN 10204 3.1",
		"cause=unit&of=2":                                       "Hold 2 units",
		"cause=instrument&of=m-7":                               "Choose the first day.",
		"cause=instrument&of=m-7" + today:                       "Recall of what M-7 measured",
		"cause=operator&of=setup" + today:                       "Recall of what setup did",
		"cause=step&of=Turn&job=" + job + today:                 "Recall of what was at Turn",
		"cause=step&of=Weld&job=" + job + today:                 "No step is called “Weld”.",
		"cause=operator&of=setup&from=" + "2001-13-01":          "Choose the first day.",
		"cause=operator&of=setup&from=2001-01-02&to=1999-01-01": "must not be before",
	} {
		v.visit("/recall?" + query)
		if !strings.Contains(v.text(), want) && !strings.Contains(v.page.html, want) {
			t.Errorf("%s lacks %q: %s", query, want, v.text())
		}
	}
}

// The search for a heat, and the page of a lot, lead to the recall.
func TestLinksToRecall(t *testing.T) {
	t.Parallel()
	s, _, steel := recalled(t)
	certificate, sent := s.certificate("EN 10204 3.1"), s.sent(1, "2998-01-31")
	v := s.visitor()
	for address, link := range map[string]string{
		"/certs/" + certificate:    "/recall?cause=certificate&amp;of=" + certificate,
		"/shipments?id=" + sent.ID: "/recall?cause=shipment&amp;of=" + sent.ID,
		"/search?q=h48213":         "/recall?cause=heat&amp;of=H48213",
		"/lots?id=" + steel.ID:     "/recall?cause=lot&amp;of=" + steel.ID,
		"/":                        `href="/recall"`,
	} {
		if v.visit(address); !strings.Contains(v.page.html, link) {
			t.Errorf("%s has no link to %s", address, link)
		}
	}
}

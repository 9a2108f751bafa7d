package web_test

import (
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// A change of many units is one line in the job's history. A change with several entries is one line on the card.
func TestHistoryIsFoldedByBatch(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(9, "Saw", "Turn", "Pack")
	v := s.works("Dana")
	dana := input.Given(v.cookies["operator"])
	s.pass(1e9)
	_, err := s.service.BatchAdvance(t.Context(), shop.BatchAdvanceInput{
		BatchInput:         shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: input.GivenTexts("SN-00001", "SN-00002", "SN-00003", "SN-00004")}},
		AdvanceSerialInput: shop.AdvanceSerialInput{UserID: dana},
	})
	s.must(err)
	s.pass(1e9)
	_, err = s.service.AdvanceSerial(t.Context(), "SN-00005", shop.AdvanceSerialInput{UserID: dana})
	s.must(err)
	s.pass(1e9)
	_, err = s.service.OpenNonconformance(t.Context(), shop.OpenNonconformanceInput{
		Title: input.Given("Seat too small"), Severity: input.Given("major"), Hold: input.Given(true), UserID: dana,
		Selection: shop.SelectionInput{SerialIDs: input.GivenTexts("SN-00006", "SN-00007")},
	})
	s.must(err)
	v.visit("/jobs/" + job).says("Unit advanced from Saw to Turn 4 units SN-00004 SN-00003 SN-00002 SN-00001")
	v.says("Unit advanced SN-00005 from Saw to Turn")
	v.says("Put on hold at Saw Reason: NCR-00001: Seat too small 2 units SN-00007 SN-00006")
	if moved := strings.Count(v.page.html, "<strong>Unit advanced</strong>"); moved != 2 {
		t.Errorf("the history has %d lines of units that moved on", moved)
	}

	s.pass(1e9)
	_, err = s.service.AdvanceToStep(t.Context(), "SN-00009", shop.AdvanceToStepInput{TargetStepIndex: input.Given(2.0), UserID: dana})
	s.must(err)
	v.visit("/serials/SN-00009").says("at the same time")
	if lines := strings.Count(v.page.html, `<li class="entry`); lines != 2 {
		t.Errorf("the card has %d lines for its creation and one move past a step", lines)
	}
}

// The printed card is complete: it includes released holds, the whole history and voided records.
func TestPrintedCardHasTheWholeHistory(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(1, "Saw", "Turn")
	v := s.works("Dana Weber")
	dana := input.Given(v.cookies["operator"])
	hold, err := s.service.HoldSerial(t.Context(), "SN-00001", shop.HoldSerialInput{Reason: input.Given("chatter"), UserID: dana})
	s.must(err)
	_, err = s.service.ReleaseSerial(t.Context(), "SN-00001", shop.ReleaseSerialInput{HoldID: input.Given(hold.ID), Reason: input.Given("polished"), UserID: dana})
	s.must(err)
	_, err = s.service.AdvanceSerial(t.Context(), "SN-00001", shop.AdvanceSerialInput{UserID: dana})
	s.must(err)
	v.visit("/serials/SN-00001/print").says("Holds that were released Why it was held By When Why it was released By When chatter Dana Weber 2 Mar 2026 08:00 UTC polished Dana Weber")
	v.says("History When What By Entry")
	v.says("Put on hold at Saw; Reason: chatter Dana Weber")
	v.says("Unit advanced from Saw to Turn Dana Weber")
}

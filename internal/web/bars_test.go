package web_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// The bar of a job shows which share of the wanted units is finished, and how many units are missing because of scrap. The bar of a reason
// shows its share of all scrapped units.
func TestBarsMeanWhatTheySay(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	jobID, _ := s.units(5, "Turn")
	ctx := context.Background()
	by := input.Given("dana")
	units := []string{"SN-00001", "SN-00002", "SN-00003", "SN-00004", "SN-00005"}
	for _, unit := range units[:2] {
		if _, err := s.service.AdvanceSerial(ctx, unit, shop.AdvanceSerialInput{UserID: by}); err != nil {
			t.Fatal(err)
		}
	}
	for i, unit := range units[2:] {
		reason := card.Damaged
		if i == 0 {
			reason = card.ProcessDefect
		}
		if _, err := s.service.ScrapSerial(ctx, unit, shop.ScrapSerialInput{Reason: input.Given(string(reason)), UserID: by}); err != nil {
			t.Fatal(err)
		}
	}
	v := s.visitor()
	for _, address := range []string{"/jobs/" + jobID, "/jobs"} {
		v.visit(address)
		v.says("2 of 5 3 scrapped")
		v.says("3 short, create more")
		if full := regexp.MustCompile(`<rect class="full" width="([^"]*)"`).FindStringSubmatch(v.page.html); full == nil || full[1] != "40.0" {
			t.Errorf("%s: the bar is %v wide", address, full)
		}
	}
	v.visit("/")
	var shares []string
	for _, bar := range regexp.MustCompile(`<rect class="scrapped" width="([^"]*)" height="10"/>`).FindAllStringSubmatch(v.page.html, -1) {
		shares = append(shares, bar[1])
	}
	if got := strings.Join(shares, " "); got != "66.7 33.3" {
		t.Errorf("the reasons' bars are %s wide", got)
	}
	v.says("67")
	// After more units were created, none are missing.
	s.more(jobID, 3)
	if v.visit("/jobs/" + jobID); strings.Contains(v.text(), "short") {
		t.Error("three more were made, and the page says that some are short")
	}
	v.says("2 of 5 3 scrapped")
}

// more creates more units on the first route of a job.
func (s *visitedShop) more(jobID string, quantity int) {
	s.t.Helper()
	job, err := s.service.Job(s.t.Context(), jobID)
	if err == nil {
		_, err = s.service.CreateSerials(s.t.Context(), shop.CreateSerialsInput{
			JobID: input.Given(jobID), PathID: input.Given(job.Paths[0].ID), Quantity: input.Given(float64(quantity)),
			UserID: input.Given("setup"),
		})
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

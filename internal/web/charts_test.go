package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/shop"
)

// A chart counts the last reading of a unit in its pass and none that was struck through, has control limits that follow from the
// readings, and marks what breaks a rule, in the picture and in its table.
func TestCharts(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(31, "Hone", "Pack")
	if s.visitor().visit("/jobs/" + job + "/charts").says("No number is measured in this job."); strings.Contains(s.visitor().visit("/jobs/"+job).page.html, "/charts") {
		t.Error("a job in which nothing is measured leads to charts")
	}
	s.measured(job, 0, bore(), edge())
	record := func(unit int64, value string) {
		t.Helper()
		s.pass(time.Second)
		_, err := s.service.RecordMeasurements(t.Context(), shop.SerialID(unit), shop.MeasureInput{
			Values: shop.Given([]shop.Input[shop.MeasuredInput]{shop.Given(shop.MeasuredInput{
				Characteristic: shop.Given(shop.Written("7")), Value: shop.Given(shop.Written(value)),
			})}), UserID: shop.Given("setup"),
		})
		s.must(err)
	}
	v := s.visitor()
	v.visit("/jobs/" + job).says("Charts")
	v.visit("/jobs/" + job + "/charts").says("Nothing was measured yet.")
	record(1, "99") // measured again below, and struck through
	for i := range int64(24) {
		record(i+1, fmt.Sprintf("12.50%d", i%2))
	}
	v.visit("/jobs/" + job + "/charts").says("24 readings")
	v.says("7 Bore Hone · drawing 12.490 to 12.510 mm")
	v.says("Mean 12.50050")
	v.says("Mean moving range 0.00100")
	if text := v.text(); strings.Contains(text, "Cpk") || strings.Contains(text, "breaks a rule") {
		t.Errorf("of 24 readings: %s", text)
	}
	record(25, "12.509")
	record(26, "12.5")
	void := s.lastReading("SN-00026")
	_, err := s.service.VoidMeasurement(t.Context(), void, shop.VoidInput{Reason: shop.Given("dirt"), UserID: shop.Given("setup")})
	s.must(err)
	v.visit("/jobs/" + job + "/charts").says("25 readings")
	v.says("1 point breaks a rule")
	v.says("Cpk")
	if strings.Count(v.page.html, `class="out"`) != 1 || !strings.Contains(v.text(), "SN-00025 12.50900 0.00800 1") {
		t.Errorf("the point is not marked: %s", v.text())
	}
	// The picture has the control limits and never the drawing's.
	_, picture, _ := strings.Cut(v.page.html, `<svg class="chart"`)
	picture, _, _ = strings.Cut(picture, "</svg>")
	if strings.Contains(picture, "12.49000") || strings.Contains(picture, "12.51000") || strings.Count(picture, "<line") != 3 {
		t.Errorf("the picture: %s", picture)
	}
	if v.visit("/jobs/" + job + "/charts?subgroup=5&rules=nelson"); !strings.Contains(v.page.html, "5 points") {
		t.Errorf("by five: %s", v.text())
	}
	for _, query := range []string{"subgroup=11", "subgroup=-1", "rules=all"} {
		if v.visit("/jobs/" + job + "/charts?" + query); v.page.status != 400 {
			t.Errorf("%s: %d", query, v.page.status)
		}
	}
}

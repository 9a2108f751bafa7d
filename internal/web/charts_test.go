package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// A chart counts only the last reading of each unit in its pass, and no voided readings. It computes its control limits from the readings,
// and marks broken rules in the picture and in its table.
func TestCharts(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(31, "Hone", "Pack")
	if s.visitor().visit("/jobs/" + job + "/charts").says("This job has no numeric characteristics."); strings.Contains(s.visitor().visit("/jobs/"+job).page.html, "/charts") {
		t.Error("a job in which nothing is measured leads to charts")
	}
	s.measured(job, 0, bore(), edge())
	record := func(unit int64, value string) {
		t.Helper()
		s.pass(time.Second)
		_, err := s.service.RecordMeasurements(t.Context(), s.service.SerialPrefix().SerialID(unit), shop.MeasureInput{
			Values: input.Given([]input.Input[shop.MeasuredInput]{input.Given(shop.MeasuredInput{
				Characteristic: input.Given(input.Written("7")), Value: input.Given(input.Written(value)),
			})}), UserID: input.Given("setup"),
		})
		s.must(err)
	}
	v := s.visitor()
	v.visit("/jobs/" + job).says("Charts")
	v.visit("/jobs/" + job + "/charts").says("No readings yet.")
	record(1, "99") // measured again below; this reading is voided
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
	_, err := s.service.VoidMeasurement(t.Context(), void, shop.VoidInput{Reason: input.Given("dirt"), UserID: input.Given("setup")})
	s.must(err)
	v.visit("/jobs/" + job + "/charts").says("25 readings")
	v.says("1 point breaks a rule")
	v.says("Cpk")
	if strings.Count(v.page.html, `class="out"`) != 1 || !strings.Contains(v.text(), "SN-00025 12.50900 0.00800 1") {
		t.Errorf("the point is not marked: %s", v.text())
	}
	// The picture shows the control limits and never the limits of the drawing.
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

// Users with the permission to plan freeze the limits of a chart. From then on the chart is evaluated with these limits and says so.
func TestLimitsAreFrozen(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(31, "Hone", "Pack")
	s.measured(job, 0, bore())
	record := func(unit int64, value string) {
		t.Helper()
		s.pass(time.Minute)
		_, err := s.service.RecordMeasurements(t.Context(), s.service.SerialPrefix().SerialID(unit), shop.MeasureInput{
			Values: input.Given([]input.Input[shop.MeasuredInput]{input.Given(shop.MeasuredInput{
				Characteristic: input.Given(input.Written("7")), Value: input.Given(input.Written(value)),
			})}), UserID: input.Given("setup"),
		})
		s.must(err)
	}
	for i := range int64(10) {
		record(i+1, fmt.Sprintf("12.50%d", i%2))
	}
	by := s.operator("Paula")
	v, at, form := s.visitor(), "/jobs/"+job+"/charts", `name="characteristicId"`
	v.visit(at)
	if strings.Contains(v.text(), "Limits frozen") {
		t.Errorf("nothing was frozen yet: %s", v.text())
	}
	v.press(form, "reason", "", "from", "2026-03-02T08:01", "to", "2026-03-02T08:10", "userId", by)
	v.says("Say why")
	v.visit(at).press(form, "reason", "study", "from", "2001-01-01T00:00", "to", "2000-01-01T00:00", "userId", by)
	v.says("The end must be after the start.")
	v.visit(at).press(form, "reason", "study", "from", "2000-01-01T00:00", "to", "2000-01-01T00:00", "userId", by)
	v.says("0 readings in this period are too few for limits.")
	first, last := v.visit(at).filled("from"), v.filled("to")
	v.press(form, "reason", "study of the spindle", "from", first, "to", last, "userId", by)
	v.says("Limits frozen.")
	v.visit(at).says("study of the spindle")
	v.says("from 10 readings")
	for unit := int64(11); unit <= 15; unit++ { // these would be the centre if the limits were computed from all readings
		record(unit, "12.509")
	}
	v.visit(at).says("5 points break a rule")
	if !strings.Contains(v.page.html, "frozen control limits") {
		t.Error("who does not see the picture is not told that its limits are frozen")
	}
}

// filled returns the value of a field.
func (v *visitor) filled(name string) string {
	v.t.Helper()
	for _, tag := range inputTag.FindAllString(v.page.html, -1) {
		if attribute(tag, "name") == name {
			return attribute(tag, "value")
		}
	}
	v.t.Fatalf("no field %s on %s", name, v.page.address)
	return ""
}

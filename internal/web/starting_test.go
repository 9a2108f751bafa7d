package web_test

import (
	"os"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

// TestStarting follows docs/starting.md. The workbook of the example, as a spreadsheet program saves it with German and with American
// settings, is imported. All but two columns have the meaning that the page proposes.
func TestStarting(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Petra")
	s.template("Turned part", "Saw", "Machine")
	s.template("Milled part", "Saw", "Machine")
	columns := [][2]string{
		{"Works order", "externalId"}, {"Part", "partNumber"}, {"Rev", "partRevision"}, {"Description", "name"}, {"Qty", "goalQuantity"},
		{"Due", "dueDate"}, {"Customer", "customer"}, {"Customer order", "orderNumber"}, {"Routing", "template"}, {"Remarks", "description"},
	}
	german, english := readExample(t, "orders-german.csv"), readExample(t, "orders-english.csv")

	form, _ := v.importForm("jobs", "look", german)
	v.sendFile(form, german).says("Nobody knows the column Works order.")
	for _, choice := range []string{"Your own number for it", "Part number", "Goal quantity", "Due", "Customer", "Template of its route"} {
		if !strings.Contains(v.page.html, " selected>"+choice) {
			t.Errorf("no column is taken for %q", choice)
		}
	}
	v.bringAs("jobs", "look", german, columns, "makes", "units").says("12 rows: 12 created")
	v.bringAs("jobs", "import", german, columns, "makes", "units").says("12 created, 0 changed, 0 unchanged.")
	v.bringAs("jobs", "look", english, columns, "makes", "units").says("12 rows refused.")
	v.bringAs("jobs", "import", english, columns, "makes", "units", "days", "month-first").
		says("0 created, 0 changed, 12 unchanged.")

	found, err := s.views.SearchJobs(t.Context(), views.JobQuery{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	made := map[string]shop.Job{}
	for i := range found.Items {
		made[found.Items[i].ExternalID] = found.Items[i].Job
	}
	first, last := made["W26-0412"], made["W26-0416"]
	if first.Name != `Valve body, "short"` || first.PartNumber != "0047110" || first.PartRevision != "C" || first.GoalQuantity != 5 ||
		first.DueDate != "2026-11-23" || first.Customer != "Müller & Söhne GmbH" || first.OrderNumber != "450012300000" {
		t.Errorf("the first order is %+v", first)
	}
	if last.PartNumber != "00815" || last.Name != "Spindle Ø 32 × 410" {
		t.Errorf("the order of spindles is %+v", last)
	}
	if remarks := made["W26-0414"].Description; remarks != "first article,\nwith report" {
		t.Errorf("the remarks are %q", remarks)
	}
	// Searching for the shop's own numbers finds its orders.
	v.visit("/jobs?q=W26-0413").says("W26-0413 · 0047111 rev. A · order 450012300001 · Ostwind Turbines")
	v.saysNothingOf("W26-0412")
	v.visit("/serials").says("SN-00282")
	v.saysNothingOf("SN-00283")
}

func readExample(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile("../../docs/examples/starting/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

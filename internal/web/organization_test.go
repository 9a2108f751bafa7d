package web_test

import (
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// docs/shop-floor.md, "Papers": The form of the organization saves it, papers show it, and a form that was rendered before another change
// saves nothing. The head and the title of pages have its name.
func TestOrganizationOnPapers(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Saw")
	shipment := s.sent(1, "2001-01-31")
	papers := []string{
		"/serials/" + unit + "/print", "/shipments/" + shipment.ID + "/print", "/nonconformances/" + s.report(unit) + "/print",
		"/recall?cause=unit&of=" + unit,
	}
	v, late := s.visitor(), s.visitor()
	for _, paper := range papers {
		if v.visit(paper); strings.Contains(v.page.html, "paper-head") {
			t.Errorf("%s has a head before the organization is set", paper)
		}
	}
	late.visit("/settings/organization")
	v.visit("/settings/organization").press(">Save<", "name", "Northfield", "address", "12 Mill Lane", "supplierCode", "S-4711", "lang", "de").says("Saved.")
	if v.visit("/jobs"); !strings.Contains(v.page.html, "<title>Jobs · Northfield</title>") {
		t.Error("the title of a page does not have the name of the shop")
	}
	v.says("Skip to content Northfield")
	for _, paper := range papers {
		v.visit(paper).says("Northfield 12 Mill Lane Supplier code S-4711")
	}
	v.visit("/settings/organization").press(">Save<", "logo", "x").says("SHA-256")
	late.press(">Save<", "name", "Southfield", "address", "1 Quay", "lang", "en").says("Somebody changed the organization meanwhile.")
	late.says("Southfield (now Northfield)")
	o, err := s.service.Organization(t.Context())
	if want := (shop.Organization{ID: o.ID, Name: "Northfield", Address: "12 Mill Lane", SupplierCode: "S-4711", Lang: "de"}); err != nil || o != want {
		t.Errorf("the organization is %+v, %v", o, err)
	}
}

// docs/api/jobs.md, "Fields": The form of a job has the fields of its papers, and the page of the job shows them.
func TestJobHasFieldsForPapers(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.visitor()
	v.visit("/jobs").press(`Create job`, "name", "Ring", "goalQuantity", "2", "drawingNumber", "D-100", "drawingRevision", "B",
		"orderLine", "10", "customerAddress", "1 Quay", "language", "es")
	v.says("Drawing D-100 Revision of the drawing B Line of the order 10 Address of the customer 1 Quay Language of papers Spanish")
	v.press(`value="edit"`, "do", "edit", "name", "Ring", "goalQuantity", "2", "drawingNumber", "D-100", "drawingRevision", "B", "customerAddress", "1 Quay",
		"language", "", "orderLine", "")
	v.says("Drawing D-100 Revision of the drawing B Address of the customer 1 Quay")
	if strings.Contains(v.text(), "Language of papers Spanish") {
		t.Error("the page shows a language that was removed")
	}
	v.visit("/certs").press("Create certificate", "type", "material", "name", "Bar", "number", "3.1/88213").says("number 3.1/88213")
	certificate, err := s.service.CreateCertificate(t.Context(), shop.CreateCertificateInput{
		Type: input.Given("material"), Name: input.Given("Sheet"), ChangedBy: input.Given("setup"),
	})
	s.must(err)
	if v.visit("/certs/" + certificate.ID); strings.Contains(v.text(), "number") {
		t.Error("a certificate without a number shows one")
	}
}

package web_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// certifiable completes new units of a job of the customer Meyer, and returns the job and the units.
func (s *visitedShop) certifiable(units int) (jobID string, ids []string) {
	s.t.Helper()
	ctx := s.t.Context()
	jobID, first := s.units(units, "Mill")
	number, _ := s.service.SerialPrefix().ParseSerialID(first)
	for n := range int64(units) {
		ids = append(ids, s.service.SerialPrefix().SerialID(number+n))
	}
	_, err := s.service.BatchAdvance(ctx, shop.BatchAdvanceInput{
		BatchInput:         shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(ids...)}},
		AdvanceSerialInput: shop.AdvanceSerialInput{UserID: input.Given("setup")},
	})
	s.must(err)
	return jobID, ids
}

// certified issues a certificate of conformance for new units.
func (s *visitedShop) certified(units int) shop.Conformance {
	s.t.Helper()
	_, ids := s.certifiable(units)
	made, err := s.service.IssueConformance(s.t.Context(), shop.IssueConformanceInput{
		Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(ids...)}, Customer: input.Given("Meyer"), OrderNumber: input.Given("PO-7"),
		UserID: input.Given("setup"),
	})
	s.must(err)
	return made
}

// A certificate is issued from a job and from a shipment, gets a new revision, and is withdrawn. The search finds it.
func TestFormsOfAConformance(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, units := s.certifiable(3)
	v := s.works("Ann")
	v.visit("/jobs/" + job)
	v.visit(v.link("Certificate of conformance"))
	v.says("For ")
	if !strings.Contains(v.page.html, units[0]+" to "+units[2]) {
		t.Error("the form does not begin with the units of the job")
	}
	v.press(`value="issue"`, "do", "issue", "customer", "", "orderNumber", "PO-7").says("Customer")
	v.press(`value="issue"`, "do", "issue", "customer", "Meyer AG", "orderNumber", "PO-7", "units", units[0]+" to "+units[1], "remarks "+job, "Export packed")
	v.says("Certificate COC-00001 issued.")
	at := v.page.address
	v.says("Show the PDF")
	v.says("Revision 1")
	v.visit("/jobs/" + job)
	v.visit(v.link("Certificate of conformance"))
	if strings.Contains(v.page.html, units[0]) || !strings.Contains(v.page.html, units[2]) {
		t.Error("the form begins with units that have a certificate")
	}
	v.press(`value="issue"`, "do", "issue", "customer", "Meyer", "orderNumber", "PO-7", "units", units[1]).says("is on certificate COC-00001 already.")
	late := s.works("Bea")
	late.visit(at)
	v.visit(at).press(`value="reissue"`, "do", "reissue", "reason", "Wrong order", "customer", "Meyer AG", "orderNumber", "PO-8", "units", units[0]).says("Revision 2 issued.")
	v.says("Wrong order")
	late.press(`value="withdraw"`, "do", "withdraw", "reason", "x").says("Somebody changed the certificate meanwhile.")
	v.visit(at).press(`value="withdraw"`, "do", "withdraw", "reason", "Recalled").says("Certificate withdrawn.")
	v.says("Recalled")
	if strings.Contains(v.page.html, `value="reissue"`) {
		t.Error("a withdrawn certificate has a form for a new revision")
	}
	v.visit("/search?q=coc-00001").says("Meyer AG")
	v.visit("/conformances?status=withdrawn").says("COC-00001")
	v.visit("/conformances?status=issued").says("No certificates of conformance match.")

	sent, err := s.service.CreateShipment(t.Context(), shop.CreateShipmentInput{
		Kind: input.Given("customer"), Customer: input.Given("Meyer AG"), OrderNumber: input.Given("PO-9"), UserID: input.Given("setup"),
		Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(units[0])},
	})
	s.must(err)
	v.visit("/shipments?id=" + sent.ID)
	v.visit(v.link("Certificate of conformance")).press(`value="issue"`, "do", "issue", "customer", "Meyer AG", "orderNumber", "PO-9").says("Certificate COC-00002 issued.")
	v.says(sent.ID)
}

// The form has a line for each job of the units that were typed or that a shipment has, also after it was refused, and a new revision keeps
// them.
func TestLinesOfAConformance(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	first, units := s.certifiable(1)
	second, more := s.certifiable(2)
	v := s.works("Ann")
	v.visit("/conformances?units=" + units[0] + "," + more[0] + "&customer=Meyer&orderNumber=PO-7")
	for _, field := range []string{`value="Meyer"`, `value="PO-7"`, `name="remarks ` + first + `"`, `name="orderLine ` + second + `"`} {
		if !strings.Contains(v.page.html, field) {
			t.Errorf("the form lacks %s", field)
		}
	}
	both := []string{
		"do", "issue", "units", units[0] + ", " + more[0], "remarks " + first, "Export packed", "remarks " + second, "With papers",
		"orderLine " + second, "20", "orderNumber", "PO-7",
	}
	v.press(`value="issue"`, append(both, "customer", "")...).says("Please fill in Customer.")
	for _, kept := range []string{">Export packed</textarea>", `value="20"`} {
		if !strings.Contains(v.page.html, kept) {
			t.Errorf("the refused form lost %s", kept)
		}
	}
	v.press(`value="issue"`, append(both, "customer", "Meyer")...).says("Certificate COC-00001 issued.")
	lines := func() string {
		t.Helper()
		made, err := s.service.Conformance(t.Context(), "COC-00001")
		s.must(err)
		var said []string
		for _, line := range made.Lines {
			said = append(said, line.OrderLine+"/"+line.Remarks)
		}
		slices.Sort(said)
		return strings.Join(said, " ")
	}
	if got := lines(); got != "/Export packed 20/With papers" {
		t.Errorf("the lines are %q", got)
	}
	at := "/conformances?id=COC-00001"
	v.visit(at).press(`value="reissue"`, "do", "reissue", "reason", "Wrong order", "customer", "Meyer", "orderNumber", "PO-8", "orderLine "+second, "20",
		"units", units[0]+", "+more[0], "remarks "+first, "Export packed", "remarks "+second, "With papers").says("Revision 2 issued.")
	if got := lines(); got != "/Export packed 20/With papers" {
		t.Errorf("the lines of revision 2 are %q", got)
	}
	// A blank line says nothing about a job without units.
	only := []string{"do", "reissue", "reason", "Only one", "customer", "Meyer", "orderNumber", "PO-8", "units", units[0], "orderLine " + second}
	v.visit(at).press(`value="reissue"`, append(only, "20")...).says("of the job")
	v.press(`value="reissue"`, append(only, "")...).says("Revision 3 issued.")

	sent, err := s.service.CreateShipment(t.Context(), shop.CreateShipmentInput{
		Kind: input.Given("customer"), Customer: input.Given("Meyer AG"), OrderNumber: input.Given("PO-9"), UserID: input.Given("setup"),
		Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(more...)},
	})
	s.must(err)
	v.visit("/conformances?shipment="+sent.ID).press(`value="issue"`, "do", "issue", "customer", "", "orderNumber", "PO-9").says("Please fill in Customer.")
	v.press(`value="issue"`, "do", "issue", "customer", "Meyer", "orderNumber", "PO-9", "remarks "+second, "With the shipment").says("Certificate COC-00002 issued.")
	made, err := s.service.Conformance(t.Context(), "COC-00002")
	s.must(err)
	if made.ShipmentID != sent.ID || len(made.Lines) != 1 || made.Lines[0].Remarks != "With the shipment" {
		t.Errorf("the certificate of the shipment: %+v", made)
	}
}

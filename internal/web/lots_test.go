package web_test

import (
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// lot records a lot of 100 kg of a material with the given heat.
func (s *visitedShop) lot(material, heat string) shop.Lot {
	s.t.Helper()
	made, err := s.service.CreateLot(s.t.Context(), shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: input.Given(material), HeatNumber: input.Given(heat)},
		Quantity:       input.Given(input.Written("100")), Unit: input.Given("kg"), UserID: input.Given("setup"),
	})
	s.must(err)
	return made
}

// The list finds lots by their heat, and shows which lots are on hold. A lot that was split from another lot shows that lot, with its hold
// and its certificate.
func TestLotsAreListed(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	steel := s.lot("316L", "H48213")
	s.lot("6082", "A77")
	_, err := s.service.HoldLot(t.Context(), steel.ID, shop.HoldLotInput{Reason: input.Given("wrong heat"), UserID: input.Given("setup")})
	s.must(err)
	_, err = s.service.AttachLotCertificate(t.Context(), steel.ID, shop.AttachLotCertificateInput{
		CertID: input.Given(s.certificate("EN 10204 3.1")), UserID: input.Given("setup"),
	})
	s.must(err)
	v := s.visitor()
	for query, want := range map[string]string{"": "2 lots", "?q=h48": "1 lot", "?held=true": "1 lot", "?q=6082&held=true": "No lots match."} {
		v.visit("/lots" + query).says(want)
	}
	child, err := s.service.SplitLot(t.Context(), steel.ID, shop.SplitLotInput{
		Quantity: input.Given(input.Written("12.5")), UserID: input.Given("setup"),
	})
	s.must(err)
	v.visit("/lots?id=" + steel.ID).says("87.5 of 100 kg remaining")
	v.visit("/lots?id=" + child.ID).says("12.5 of 12.5 kg remaining")
	v.says("wrong heat of lot " + steel.LotNumber)
	v.says("EN 10204 3.1")
	if !strings.Contains(v.page.html, `href="/lots?id=`+steel.ID+`"`) || !strings.Contains(v.page.html, `data-attach="/api/lots/`+child.ID+`"`) {
		t.Error("the page does not lead to the lot that this one was split from, or does not attach files")
	}
}

// A lot is recorded, counted, put on hold and released by forms. A refusal is shown at its field. An outdated page changes nothing.
func TestFormsOfALot(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	a, b := s.works("Ann"), s.works("Bob")
	a.visit("/lots").press(">Record lot<", "material", "316L", "quantity", "100").says("Choose the unit of the quantity.")
	a.refusedAt("unit")
	a.visit("/lots").press(">Record lot<", "material", "316L", "lotNumber", "A-1", "heatNumber", "H48213", "quantity", "100", "unit", "kg")
	a.says("Lot A-1 recorded.")
	a.says("100 of 100 kg remaining")
	at := a.page.address
	a.visit("/lots").press(">Record lot<", "material", "316L", "lotNumber", "A-1").says("Lot A-1 exists already.")
	a.refusedAt("lotNumber")

	b.visit(at)
	a.visit(at).press(`value="receive"`, "do", "receive", "quantity", "20").says("Delivery recorded.")
	b.press(`value="count"`, "do", "count", "remaining", "90", "reason", "stocktaking").says("Somebody changed the lot meanwhile. Nothing was saved")
	b.press(`value="count"`, "do", "count", "remaining", "90", "reason", "stocktaking").says("Count recorded.")
	b.says("90 of 120 kg remaining")
	b.press(`value="split"`, "do", "split", "quantity", "90.5").says("Lot A-1 has 90 kg left.")
	b.refusedAt("quantity")

	b.visit(at).press(`value="hold"`, "do", "hold", "reason", "wrong heat").says("The lot is on hold.")
	b.visit(at).press(`value="release"`, "do", "release", "reason", "measured again").says("Hold released.")
	b.says("measured again")
	b.visit(at).press(`value="certificate"`, "do", "certificate", "certId", "").says("Choose a certificate.")
	b.press(`value="certificate"`, "do", "certificate", "certId", s.certificate("EN 10204 3.1")).says("Certificate attached.")
	b.visit(at).press(`value="expiry"`, "do", "expiry", "expiresOn", "2001-12-31", "reason", "new test").says("Expiry saved.")
	b.says("Expired")
}

// If another user has saved changes in the meantime, the form of a lot shows them. Changing a lot from which another lot was split requires
// a reason, and such a lot cannot be voided.
func TestChangesOfALot(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	made := s.lot("316L", "H48213")
	at := "/lots?id=" + made.ID
	a, b := s.works("Ann"), s.works("Bob")
	a.visit(at)
	b.visit(at).press(`value="edit"`, "do", "edit", "supplier", "Nordstahl", "certificateRequired", "yes").says("Saved.")
	b.says("This lot needs a certificate, and none is attached.")
	same := []string{"do", "edit", "material", "316L", "lotNumber", made.LotNumber, "heatNumber", "H48213"}
	a.press(`value="edit"`, append(same, "supplier", "Outokumpu")...)
	a.changedMeanwhile("You had typed: Supplier: Outokumpu (now Nordstahl).")
	if !strings.Contains(a.page.html, `value="yes" checked`) {
		t.Error("the form does not show that the lot now needs a certificate")
	}
	a.press(`value="edit"`, append(same, "supplier", "Outokumpu", "certificateRequired", "yes")...).says("Saved.")
	a.says("This lot needs a certificate, and none is attached.")

	a.visit(at).press(`value="split"`, "do", "split", "quantity", "10", "lotNumber", "A-2").says("Lot A-2 was split off.")
	a.says("Split from")
	child := a.page.address
	a.visit(at).press(`value="edit"`, "do", "edit", "heatNumber", "H1").says("Say why.")
	a.refusedAt("reason")
	a.press(`value="edit"`, "do", "edit", "heatNumber", "H1", "reason", "misread").says("Saved.")
	a.visit(at).press(`value="void"`, "do", "void", "reason", "twice").says("is in use. Record a count, or put it on hold.")
	a.visit(child).press(`value="void"`, "do", "void", "reason", "twice").says("Lot voided.")
	if strings.Contains(a.page.html, `value="receive"`) {
		t.Error("a void lot has forms")
	}
}

// The signer of a release, or of a new expiry date, sees for which lot and which hold the signature is.
func TestDecisionsAboutALotAreSigned(t *testing.T) {
	t.Parallel()
	s, anna := openSigningShop(t, "release", "self", "lotExpiry", "self")
	made := s.lot("316L", "H48213")
	at := "/lots?id=" + made.ID
	anna.visit(at).press(`value="hold"`, "do", "hold", "reason", "wrong heat").says("The lot is on hold.")
	anna.visit(at).press(`value="release"`, "do", "release", "reason", "measured again")
	anna.says("Sign the release")
	anna.says("(" + made.LotNumber + ")")
	anna.says("(wrong heat)")
	anna.press("sign-secret", "sure", "yes", "sign-meaning", "review", "sign-secret", browsertest.GoodPassword)
	anna.says("Hold released.")
	anna.visit(at).press(`value="expiry"`, "do", "expiry", "expiresOn", "2998-12-31", "reason", "new test")
	anna.says("Sign the expiry")
	anna.press("sign-secret", "sure", "yes", "sign-meaning", "review", "sign-secret", browsertest.GoodPassword)
	anna.says("Expiry saved.")
}

// refusedAt checks at which field a refusal is shown.
func (v *visitor) refusedAt(field string) {
	v.t.Helper()
	if !strings.Contains(v.page.html, `data-field="`+field+`"`) {
		v.t.Errorf("the refusal is not at the field %s", field)
	}
}

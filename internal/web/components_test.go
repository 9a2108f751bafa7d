package web_test

import (
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// complete moves units past their last step.
func (s *visitedShop) complete(steps int, units ...string) {
	s.t.Helper()
	for _, unit := range units {
		for range steps {
			_, err := s.service.AdvanceSerial(s.t.Context(), unit, shop.AdvanceSerialInput{UserID: input.Given("setup")})
			s.must(err)
		}
	}
}

// A unit, and an amount of a lot, are installed on the card by the codes that a scanner types, removed and voided. The amount goes back to
// the lot. The pages of the parts link to the unit.
func TestComponentsOnTheCard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(3, "Assemble")
	const parent, part, other = "SN-00001", "SN-00002", "SN-00003"
	s.complete(1, part, other)
	lot := s.lot("316L", "H48213")
	v := s.works("Dana")
	at := "/serials/" + parent
	install := func(pairs ...string) *visitor {
		return v.visit(at).press(`value="install"`, append([]string{"do", "install"}, pairs...)...)
	}
	v.visit(at).says("Nothing is installed.")
	install("component", "nothing").says("No unit and no lot is called “nothing”.")
	v.refusedAt("component")
	install("component", " ").says("Scan or type what you install.")
	install("component", parent).says(parent + " cannot contain itself. Take another component.")
	install("component", "]Q1http://shop.example/serials/"+part, "place", "left").says(part + " is installed in " + parent + ".")
	v.visit("/serials/" + part).says("Installed in " + parent)
	install("component", part).says(part + " is installed in " + parent + ". Take another one, or remove it there first.")

	install("component", lot.LotNumber).says("Type how much of the lot you install.")
	v.refusedAt("quantity")
	install("component", lot.LotNumber, "quantity", "101").says("has 100 kg left.")
	install("component", strings.ToLower(lot.LotNumber), "quantity", "12.50").says("Installed in " + parent + ": 12.50 kg of lot " + lot.LotNumber + ".")
	v.visit("/lots?id=" + lot.ID).says("87.50 of 100 kg remaining")
	v.says("Where used")
	v.says(parent)
	v.visit(at).says("12.50 kg")

	remove := func(button, record string, pairs ...string) *visitor {
		v.visit(at)
		_, after, _ := strings.Cut(v.page.html, `value="`+record+`"`)
		form, _, _ := strings.Cut(after, "</form>")
		if !strings.Contains(form, `value="`+button+`"`) {
			t.Fatalf("the form of %s has no button %s", record, button)
		}
		return v.press(`name="componentId" value="`+record+`"`, append([]string{"do", button}, pairs...)...)
	}
	components := func() (ids []string) {
		found, err := s.service.ComponentsOfSerial(t.Context(), parent)
		s.must(err)
		for i := range found {
			if found[i].Open() {
				ids = append(ids, found[i].ID)
			}
		}
		return ids
	}
	open := components()
	remove("remove", open[1], "reason", "").says("Say why.")
	remove("remove", open[1], "reason", "too long", "returned", "yes").says("Component removed.")
	v.visit("/lots?id=" + lot.ID).says("100.00 of 100 kg remaining")
	remove("void", open[0], "reason", "wrong scan").says("The installation is void.")
	v.visit(at).says("2 removed or void")
	v.says("too long, back to the lot")
	v.says("Does not count: wrong scan")
	if v.visit("/serials/" + part); strings.Contains(v.text(), "Installed in") {
		t.Error("a unit whose installation is void is inside")
	}
	install("component", part).says(part + " is installed in " + parent + ".")
	if len(components()) != 1 {
		t.Errorf("%d components are inside", len(components()))
	}
}

// If several lots, or a lot and a unit, have the same number, this number installs nothing. The text in brackets selects the lot.
func TestSeveralPartsOfOneNumber(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(2, "Assemble")
	var lots []shop.Lot
	for _, material := range []string{"316L", "6082"} {
		made, err := s.service.CreateLot(t.Context(), shop.CreateLotInput{
			LotFieldsInput: shop.LotFieldsInput{Material: input.Given(material), LotNumber: input.Given("A-1")}, UserID: input.Given("setup"),
		})
		s.must(err)
		lots = append(lots, made)
	}
	v := s.works("Dana")
	v.visit("/serials/SN-00001").press(`value="install"`, "do", "install", "component", "a-1").says("“a-1” can be several: lot A-1, 6082 [" + lots[1].ID)
	v.visit("/serials/SN-00001").press(`value="install"`, "do", "install", "component", "lot A-1, 316L ["+lots[0].ID+"]")
	v.says("Lot A-1 is installed in SN-00001.")
	v.visit("/lots?id=" + lots[0].ID).says("SN-00001")
}

// Removing a part from a completed unit needs the permission to decide: the card offers the removal only to users who have it.
func TestRemovalFromACompletedUnitIsADecision(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.Writes)
	s.units(2, "Assemble", "Pack")
	s.complete(2, "SN-00002")
	_, err := s.service.InstallComponent(t.Context(), "SN-00001", shop.InstallComponentInput{
		ComponentSerialID: input.Given("SN-00002"), UserID: input.Given("setup"),
	})
	s.must(err)
	s.person("anna", "operator")
	s.person("lena", "lead", "operator")
	anna, lena := s.signedIn("anna"), s.signedIn("lena")
	offers := func(v *visitor) bool {
		v.visit("/serials/SN-00001")
		return strings.Contains(v.page.html, `name="do" value="remove"`)
	}
	if !offers(anna) {
		t.Error("an operator cannot remove a component from a unit in progress")
	}
	s.complete(2, "SN-00001")
	if offers(anna) || !offers(lena) {
		t.Error("removal from a completed unit is offered to an operator, or not to a lead")
	}
}

// RC-INSTALL makes the next scan a component of the unit in hand. Any other scan of a unit takes that unit in hand, even directly after
// RC-INSTALL was refused or a component was installed. If something cannot be installed, it is refused with one sentence, and the station
// asks again.
func TestStationInstallsWhatIsScanned(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(5, "Assemble")
	const parent, part, inside, open = "SN-00001", "SN-00002", "SN-00003", "SN-00004"
	s.complete(1, part, inside)
	lot := s.lot("316L", "H48213")
	grease, err := s.service.CreateLot(t.Context(), shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: input.Given("Grease"), LotNumber: input.Given("G 7")}, UserID: input.Given("setup"),
	})
	s.must(err)
	expired, err := s.service.CreateLot(t.Context(), shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: input.Given("Glue"), LotNumber: input.Given("E-1")},
		ExpiresOn:      input.Given("2001-12-31"), UserID: input.Given("setup"),
	})
	s.must(err)
	held, err := s.service.CreateLot(t.Context(), shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: input.Given("Seal"), LotNumber: input.Given("H-1")},
		HoldReason:     input.Given("wrong heat"), UserID: input.Given("setup"),
	})
	s.must(err)
	_, err = s.service.InstallComponent(t.Context(), "SN-00005", shop.InstallComponentInput{
		ComponentSerialID: input.Given(inside), UserID: input.Given("setup"),
	})
	s.must(err)
	v := s.works("Dana")
	count := func(want int) {
		t.Helper()
		found, err := s.service.ComponentsOfSerial(t.Context(), parent)
		s.must(err)
		n := 0
		for i := range found {
			if found[i].Open() {
				n++
			}
		}
		if n != want {
			t.Errorf("%d components are inside, not %d", n, want)
		}
	}
	scan := func(code, kind, says string) {
		t.Helper()
		s.pass(time.Minute)
		v.scan(code, kind, says)
	}
	scan("RC-INSTALL", "bad", "Scan a unit first.")
	scan(parent, "show", "Install a component")
	scan(part, "warn", part) // not installed
	count(0)
	scan(parent, "show", parent)
	v.press(`value="RC-INSTALL"`, "do", "RC-INSTALL")
	v.band("ask", "Scan the unit or the lot that is installed in SN-00001.")
	for code, says := range map[string]string{
		open: "SN-00004 is not completed.", inside: "SN-00003 is installed in SN-00005.", parent: "SN-00001 cannot contain itself.",
		"X-99": "No unit and no lot is called “X-99”.", expired.LotNumber: "Lot E-1 expired on 2001-12-31. Take another lot.",
		held.LotNumber: "Lot H-1 is on hold. Take another lot. The reason: wrong heat",
	} {
		scan(code, "bad", says)
		v.says("Scan the unit or the lot that is installed in SN-00001.")
	}
	count(0)
	scan("http://shop.example/serials/"+part, "good", "SN-00002 is installed in SN-00001.")
	count(1)
	v.scan("http://shop.example/serials/"+part, "good", "SN-00002 is installed in SN-00001.", "gap", "300") // the scanner reads it twice
	scan(part, "warn", "Installed in "+parent)                                                              // this unit is in hand now
	count(1)

	scan(parent, "show", parent)
	scan("RC-INSTALL", "ask", "Scan the unit or the lot")
	v.scan(grease.LotNumber, "ask", "was scanned before the question was on the screen", "early", "yes")
	scan("RC-NO", "ask", "Scan the unit or the lot")
	count(1)
	scan(grease.ID, "good", "Lot G 7 is installed in SN-00001.")
	count(2)
	scan("RC-INSTALL", "ask", "Scan the unit or the lot")
	scan(lot.LotNumber, "ask", "How much of lot "+lot.LotNumber+" is installed in SN-00001? Type it in kg, then Enter.")
	scan("a bit of it, maybe", "bad", "The station does not know this code.")
	count(2)
	scan(parent, "show", parent)
	scan("RC-INSTALL", "ask", "Scan the unit or the lot")
	scan(lot.LotNumber, "ask", "How much of lot")
	scan("101", "bad", "has 100 kg left.")
	scan("1 mm", "bad", "The quantity has another unit of measure")
	scan("0", "bad", "Quantity must be more than 0.")
	scan("12,5", "good", "Installed in SN-00001: 12.5 kg of lot "+lot.LotNumber+".")
	count(3)
	scan("RC-UNDO", "ask", "lot "+lot.LotNumber+" was installed.")
	scan("RC-YES", "good", "SN-00001: the installation is void.")
	count(2)
	v.visit("/lots?id=" + lot.ID).says("100.0 of 100 kg remaining")
	v.visit("/scan/codes").says("RC-INSTALL")
}

// Nothing can be installed in a unit on hold: the page does not offer it, and the command is refused.
func TestStationInstallsNothingInAHeldUnit(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Assemble")
	s.hold("crack", unit)
	v := s.works("Dana")
	v.scan(unit, "warn", "On hold: crack")
	if strings.Contains(v.page.html, `value="RC-INSTALL"`) {
		t.Error("it is offered to install something in a unit on hold")
	}
	s.pass(time.Minute)
	v.scan("RC-INSTALL", "bad", "The unit is on hold: crack")
}

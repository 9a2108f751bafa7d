package routecard_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/routecard/routecard"
)

// A list in no order is answered in its own order, and the first of the list that refuses decides, wherever its number
// has it judged.
func TestScatteredLists(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	path := s.route(t, routecard.Flexible, "Saw", "Mill", "Pack")
	units := s.units(t, path, 2500)
	scattered := make([]string, len(units))
	for i := range units {
		scattered[i] = units[i*7919%len(units)]
	}
	cert := must(s.CreateCertificate(t.Context(), routecard.CreateCertificateInput{Type: given("material"), Name: given("3.1")}))
	attach := func(ids ...string) ([]routecard.Attachment, error) {
		return s.BatchAttachCertificate(t.Context(), routecard.BatchAttachInput{
			CertID: given(cert.ID), SerialIDs: routecard.GivenTexts(ids...), UserID: given("ann"),
		})
	}
	override := func(stepID string, ids ...string) ([]routecard.Override, error) {
		return s.CreateOverrides(t.Context(), units[0], routecard.CreateOverridesInput{
			SerialIDs: routecard.GivenTexts(ids...), StepID: given(stepID), Reason: given("r"), UserID: given("ann"),
		})
	}
	advance := func(ids ...string) error {
		return failure(s.BatchAdvance(t.Context(), routecard.BatchAdvanceInput{
			BatchInput:         routecard.BatchInput{Selection: routecard.SelectionInput{SerialIDs: routecard.GivenTexts(ids...)}},
			AdvanceSerialInput: routecard.AdvanceSerialInput{UserID: given("ann")},
		}))
	}
	order := func(count int, serial func(i int) string) []string {
		ids := make([]string, count)
		for i := range ids {
			ids[i] = serial(i)
		}
		return ids
	}

	attached := must(attach(append(scattered, scattered[0])...))
	if got := order(len(attached), func(i int) string { return attached[i].SerialID }); !slices.Equal(got, append(scattered, scattered[0])) {
		t.Error("attachments are not answered in the order of the list")
	}
	if attached[0].ID != attached[len(attached)-1].ID {
		t.Error("the same serial listed twice has two records")
	}
	again := must(attach(scattered...))
	if !slices.Equal(again, attached[:len(again)]) {
		t.Error("attaching again answers other records")
	}
	created := must(override(path.Steps[1].ID, append(scattered, scattered...)...))
	if got := order(len(created), func(i int) string { return created[i].SerialID }); !slices.Equal(got, scattered) {
		t.Error("overrides are not answered in the order of the list, each once")
	}

	// The list's first refusal is among its highest numbers, and another is among the lowest.
	for _, id := range []string{units[2400], units[3]} {
		for range path.Steps {
			must(s.AdvanceSerial(t.Context(), id, routecard.AdvanceSerialInput{UserID: given("ann")}))
		}
	}
	list := slices.Concat(units[2300:2450], []string{"SN-99999", "no serial"}, units[:2300])
	for name, test := range map[string]struct {
		run  func(ids ...string) error
		want string
	}{
		"attach":   {func(ids ...string) error { return failure(attach(ids...)) }, "Serial is already completed, cannot attach cert"},
		"override": {func(ids ...string) error { return failure(override(path.Steps[2].ID, ids...)) }, "Cannot override a step that has already been completed"},
		"advance":  {advance, fmt.Sprintf("Serial number is already completed (%s)", units[2400])},
	} {
		if err := refused(test.run(list...)); err == nil || err.Message != test.want {
			t.Errorf("%s is refused with %v, want %s", name, err, test.want)
		}
		if err := refused(test.run(list[150:]...)); err == nil || err.Code != routecard.NotFound {
			t.Errorf("%s of an unknown serial is refused with %v", name, err)
		}
	}
}

// failure is what became of an operation whose answer nobody wants.
func failure[T any](_ T, err error) error { return err }

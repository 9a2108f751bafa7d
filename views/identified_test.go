package views_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// identifierText generates a text that may look like any code.
func identifierText() *rapid.Generator[string] {
	pieces := rapid.SampledFrom([]string{
		"A/8004/77", "(10)55", "(21)7", "]A1", "]C1", "B", "7", "/", "//", "SN-", "RC-", "ext:", "01", "09506000134352", "[)>", "06", "S", "1P", "\ufeff", "ä", " ",
		"serials", "?unit=", "<GS>", "{RS}", "x", "-", ".", "https://", "#",
	})
	return rapid.Custom(func(t *rapid.T) string {
		text := ""
		for _, piece := range rapid.SliceOfN(pieces, 1, 5).Draw(t, "pieces") {
			text += piece
		}
		return text
	})
}

// Any accepted own number or external identifier is found by typing or scanning it.
func TestAcceptedIdentifiersAreFound(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx := t.Context()
	check := func(t rapid.TB, text string) {
		job := shoptest.Must(s.CreateJob(ctx, shop.CreateJobInput{Name: input.Given("Valve"), GoalQuantity: input.Given(1.0)}))
		path := shoptest.Must(s.CreatePath(ctx, shop.CreatePathInput{
			JobID: input.Given(job.ID), Name: input.Given("Main"), GoalQuantity: input.Given(1.0), Steps: shoptest.StepsCalled("Saw"),
		}))
		finds := func(what, id string) {
			resolved := shoptest.Must(s.Resolve(ctx, views.ResolveQuery{Code: text}))
			for _, found := range resolved.Found {
				if found.ID == id {
					return
				}
			}
			t.Fatalf("%s %q does not find %s: %+v", what, text, id, resolved)
		}
		made, err := s.CreateSerials(ctx, shop.CreateSerialsInput{
			JobID: input.Given(job.ID), PathID: input.Given(path.ID), SerialNumbers: input.GivenTexts(text),
		})
		if err == nil {
			finds("own number", s.Service.SerialPrefix().SerialID(made.First))
			_, _ = s.SetSerialNumber(ctx, s.Service.SerialPrefix().SerialID(made.First), shop.SetSerialNumberInput{
				SerialNumber: input.Given("-" + made.JobID), Reason: input.Given("x"), UserID: input.Given("ann"),
			})
		}
		outside := shop.ExternalInput{ExternalID: input.Given(text)}
		if _, err = s.UpdateJob(ctx, job.ID, shop.UpdateJobInput{ExternalInput: outside}); err == nil && strings.TrimSpace(text) != "" {
			finds("external identifier", job.ID)
			_, _ = s.UpdateJob(ctx, job.ID, shop.UpdateJobInput{ExternalInput: shop.ExternalInput{ExternalID: input.Null[string]()}})
		}
	}
	for _, text := range []string{"A/8004/77", "(10)55", "]A1B", "ext:4711", "RC-4711", "rc-x"} {
		check(t, text)
	}
	rapid.Check(t, func(t *rapid.T) {
		if text := identifierText().Draw(t, "text"); len(text) > 0 {
			check(t, text)
		}
	})
}

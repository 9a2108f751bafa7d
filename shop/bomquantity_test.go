package shop_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// The outstanding quantity of a bill of materials is the exact decimal difference, for any typed quantity per build.
func TestOutstandingIsExact(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx := context.Background()
	path := numberedPath(s, "")
	batch := shoptest.Must(s.CreateSerials(ctx, shop.CreateSerialsInput{JobID: input.Given(path.JobID), PathID: input.Given(path.ID), Quantity: input.Given(1.0)}))
	for range 3 {
		shoptest.Must(s.AdvanceSerial(ctx, s.Service.SerialPrefix().SerialID(batch.First), shop.AdvanceSerialInput{UserID: input.Given("ann")}))
	}
	outstanding := func(typed string) string {
		quantity := shoptest.Must(strconv.ParseFloat(typed, 64))
		bom := shoptest.Must(s.CreateBOM(ctx, shop.CreateBOMInput{Name: input.Given("Kit"), Entries: input.Given([]input.Input[shop.BOMEntryInput]{
			input.Given(shop.BOMEntryInput{
				PartType: input.Given("pin"), RequiredQuantityPerBuild: input.Given(quantity), ContributingJobIDs: input.GivenTexts(path.JobID),
			}),
		})}))
		summary := shoptest.Must(s.BOM(ctx, bom.ID)).Summary
		return strconv.FormatFloat(summary.Entries[0].TotalOutstanding, 'f', -1, 64)
	}
	if got := outstanding("1.1"); got != "0.1" {
		t.Errorf("1.1 less 1 is %s", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		whole, thousandths := rapid.IntRange(1, 100_000).Draw(t, "whole"), rapid.IntRange(1, 999).Draw(t, "thousandths")
		want := strconv.FormatFloat(shoptest.Must(strconv.ParseFloat(fmt.Sprintf("%d.%03d", whole-1, thousandths), 64)), 'f', -1, 64)
		if got := outstanding(fmt.Sprintf("%d.%03d", whole, thousandths)); got != want {
			t.Fatalf("%d.%03d less 1 is %s, want %s", whole, thousandths, got, want)
		}
	})
}

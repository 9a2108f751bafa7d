package shop_test

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// weighedShop is a shop with a store that measures work.
type weighedShop struct {
	*shoptest.Shop
	*testing.T
	path   card.Path
	cert   string
	lot    string
	report string
	units  []string
	worked atomic.Int64
}

// docs/running.md, "What fits into one transaction": TestWorkOfLargeRequests measures the work of each operation on many units with two
// sizes, and computes from them whether the promised size fits.
func TestWorkOfLargeRequests(t *testing.T) {
	t.Parallel()
	limit := float64(shop.WorkLimit)
	if enginetest.New(t).Postgres() {
		limit *= shop.PostgresWork
	}
	by := shoptest.Given("ann")
	list := func(units []string) shop.SelectionInput {
		return shop.SelectionInput{SerialIDs: input.GivenTexts(units...)}
	}
	many := func(units []string) shop.BatchInput { return shop.BatchInput{Selection: list(units)} }
	create := func(s *weighedShop, units int, in shop.CreateSerialsInput) error {
		in.JobID, in.PathID, in.UserID = shoptest.Given(s.path.JobID), shoptest.Given(s.path.ID), by
		in.Quantity = shoptest.Number(float64(units))
		_, err := s.CreateSerials(s.Context(), in)
		return err
	}
	for name, c := range map[string]struct {
		most int64 // maximum number of units
		do   func(s *weighedShop, units []string) error
	}{
		"create": {100_000, func(s *weighedShop, units []string) error { return create(s, len(units), shop.CreateSerialsInput{}) }},
		"create with numbers": {15_000, func(s *weighedShop, units []string) error {
			return create(s, len(units), shop.CreateSerialsInput{Numbering: input.Given(shop.NumberingInput{First: shoptest.Number(1)})})
		}},
		"create with a certificate": {15_000, func(s *weighedShop, units []string) error {
			return create(s, len(units), shop.CreateSerialsInput{CertID: shoptest.Given(s.cert)})
		}},
		"create of a lot": {15_000, func(s *weighedShop, units []string) error {
			return create(s, len(units), shop.CreateSerialsInput{LotID: shoptest.Given(s.lot), LotQuantity: input.Given(input.Written("0.125"))})
		}},
		"note": {100_000, func(s *weighedShop, units []string) error {
			_, err := s.CreateNote(s.Context(), shop.CreateNoteInput{
				JobID: shoptest.Given(s.path.JobID), PathID: shoptest.Given(s.path.ID), StepID: shoptest.Given(s.path.Steps[0].ID),
				Text: shoptest.Given("Burr"), SerialIDs: input.GivenTexts(units...), UserID: by,
			})
			return err
		}},
		"attach": {15_000, func(s *weighedShop, units []string) error {
			_, err := s.BatchAttachCertificate(s.Context(), shop.BatchAttachInput{
				CertID: shoptest.Given(s.cert), SerialIDs: input.GivenTexts(units...), UserID: by,
			})
			return err
		}},
		"override": {15_000, func(s *weighedShop, units []string) error {
			_, err := s.CreateOverrides(s.Context(), units[0], shop.CreateOverridesInput{
				StepID: shoptest.Given(s.path.Steps[2].ID), Reason: shoptest.Given("Agreed"), SerialIDs: input.GivenTexts(units...), UserID: by,
			})
			return err
		}},
		"advance neighbours": {100_000, func(s *weighedShop, units []string) error {
			_, err := s.BatchAdvance(s.Context(), shop.BatchAdvanceInput{BatchInput: many(units)})
			return err
		}},
		"advance": {15_000, func(s *weighedShop, units []string) error {
			var scattered []string
			for i := range units {
				scattered = append(scattered, s.units[2*i])
			}
			_, err := s.BatchAdvance(s.Context(), shop.BatchAdvanceInput{BatchInput: many(scattered)})
			return err
		}},
		"scrap": {15_000, func(s *weighedShop, units []string) error {
			_, err := s.BatchScrap(s.Context(), shop.BatchScrapInput{
				BatchInput: many(units), ScrapSerialInput: shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: by},
			})
			return err
		}},
		"report with holds": {10_000, func(s *weighedShop, units []string) error {
			_, err := s.OpenNonconformance(s.Context(), shop.OpenNonconformanceInput{
				Title: shoptest.Given("Crack"), Severity: shoptest.Given("major"), Selection: list(units), Hold: input.Given(true), UserID: by,
			})
			return err
		}},
		"decide": {10_000, func(s *weighedShop, units []string) error {
			_, err := s.DisposeNonconformance(s.Context(), s.report, shop.DispositionInput{
				SerialIDs: input.GivenTexts(units...), Disposition: shoptest.Given("use_as_is"), Reason: shoptest.Given("Fits"),
				Concession: shoptest.Given("C-1"), UserID: by,
			})
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const one, two = 1000, 2000
			s := openWeighed(t)
			var work [2]int64
			for i, size := range []int{one, two} {
				s.prepare(2 * two)
				if name == "decide" {
					report := shoptest.Must(s.OpenNonconformance(s.Context(), shop.OpenNonconformanceInput{
						Title: shoptest.Given("Crack"), Severity: shoptest.Given("major"), Selection: list(s.units[:size]),
						Hold: input.Given(true), UserID: by,
					}))
					s.report = report.ID
				}
				s.worked.Store(0)
				if err := c.do(s, s.units[:size]); err != nil {
					t.Fatal(err)
				}
				work[i] = s.worked.Load()
			}
			slope := float64(work[1]-work[0]) / (two - one)
			if at := float64(work[1]) + slope*float64(c.most-two); at > limit {
				t.Errorf("the work for %d units is %.0f, more than %.0f: %.0f fit", c.most, at, limit, float64(c.most)*limit/at)
			}
			t.Logf("%.0f a unit, about %.0f units at once", slope, limit/slope)
		})
	}
}

func openWeighed(t *testing.T) *weighedShop {
	t.Helper()
	s := &weighedShop{Shop: &shoptest.Shop{Database: enginetest.New(t)}, T: t}
	s.Store = s.Database.OpenWith(t, sqlstore.Options{Worked: func(work int64) { s.worked.Add(work) }})
	s.Clock.Store(time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC).UnixMilli())
	s.Another()
	s.cert = shoptest.Must(s.CreateCertificate(t.Context(), shop.CreateCertificateInput{
		Type: shoptest.Given("material"), Name: shoptest.Given("3.1"),
	})).ID
	s.lot = shoptest.Must(s.CreateLot(t.Context(), shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: shoptest.Given("bar")},
		Quantity:       input.Given(input.Written("9000.000")), Unit: shoptest.Given("m"), UserID: shoptest.Given("ann"),
	})).ID
	return s
}

// prepare creates units on a new path.
func (s *weighedShop) prepare(quantity int) {
	s.path = s.Route(s.T, card.Flexible, "Saw", "Turn", "Test")
	s.units = slices.Clip(s.Units(s.T, s.path, float64(quantity)))
}

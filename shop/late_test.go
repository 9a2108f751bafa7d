package shop_test

import (
	"testing"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/workorder"
)

// docs/api/jobs.md, "Late jobs": A due date ends at midnight in the zone of the shop, also on the days when the clocks change.
func TestWhenADayEnds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		zone, due string
		lasts     string // the last moment at which the job is not late
	}{
		{"UTC", "2026-01-31", "2026-01-31T23:59:59.999Z"},
		{"Europe/Berlin", "2026-01-31", "2026-01-31T22:59:59.999Z"},
		{"Europe/Berlin", "2026-03-29", "2026-03-29T21:59:59.999Z"}, // this day has 23 hours
		{"Europe/Berlin", "2026-10-25", "2026-10-25T22:59:59.999Z"}, // this day has 25 hours
		{"America/Los_Angeles", "2026-03-08", "2026-03-09T06:59:59.999Z"},
		{"America/Havana", "2026-03-07", "2026-03-08T04:59:59.999Z"}, // the clock jumps from midnight to one
		{"Pacific/Kiritimati", "2026-12-31", "2026-12-31T09:59:59.999Z"},
		{"Pacific/Apia", "2011-12-29", "2011-12-30T09:59:59.999Z"}, // the next day was skipped
	} {
		zone, err := time.LoadLocation(test.zone)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, test.lasts)
		if err != nil {
			t.Fatal(err)
		}
		now := at
		service := shop.New(nil, func() time.Time { return now }, ident.NewIdentifiers(time.Now), shop.WithTimeZone(zone))
		if late := workorder.DaysLate(test.due, service.Today(), 1, 0); late != 0 {
			t.Errorf("%s: at %s in %s it is %d days late", test.due, now, test.zone, late)
		}
		if now = at.Add(time.Millisecond); workorder.DaysLate(test.due, service.Today(), 1, 0) < 1 {
			t.Errorf("%s: at %s in %s it is not late", test.due, now, test.zone)
		}
	}
}

// docs/api/jobs.md, "Late jobs": lateness is counted in days of the shop's time zone.
func TestDaysLate(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		due, today      string
		goal, completed int64
		want            int
	}{
		{"", "2026-01-31", 5, 0, 0},
		{"2026-01-31", "2026-01-31", 5, 0, 0},
		{"2026-01-31", "2026-02-01", 5, 0, 1},
		{"2026-01-31", "2026-02-01", 5, 4, 1},
		{"2026-01-31", "2026-02-01", 5, 5, 0},
		{"2026-01-31", "2026-02-01", 5, 6, 0},
		{"2026-03-28", "2026-03-30", 5, 0, 2},
		{"2024-02-28", "2024-03-01", 5, 0, 2},
		{"2025-12-31", "2026-12-31", 5, 0, 365},
		{"0001-01-01", "2026-11-26", 5, 0, 739945},
		{"9999-12-31", "2026-01-31", 5, 0, 0},
		{"damaged", "2026-01-31", 5, 0, 0},
		{"1", "2026-01-31", 5, 0, 0},
	} {
		if got := workorder.DaysLate(test.due, test.today, test.goal, test.completed); got != test.want {
			t.Errorf("due %s, on %s, %d of %d completed: %d days late, want %d", test.due, test.today, test.completed, test.goal, got, test.want)
		}
	}
}

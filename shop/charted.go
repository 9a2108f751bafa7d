package shop

import (
	"slices"

	"github.com/routecard/routecard/internal/spc"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// ChartedReading is what a control chart needs of a reading of a number.
type ChartedReading struct {
	ID         string          `json:"id"`
	SerialID   string          `json:"serialId"`
	Value      string          `json:"value"` // as it was typed
	Pass       int             `json:"-"`     // of the unit along its path
	MeasuredAt ident.Timestamp `json:"-"`
}

// ChartReadings is how many readings a chart has at most.
const ChartReadings = 10_000

// ChartedQuery says which readings of a characteristic to chart. A time of 0 does not narrow; both ends are included.
type ChartedQuery struct {
	CharacteristicID string
	From, To         ident.Timestamp
	Limit            int
}

// Charted are the readings that count in a chart, oldest first, of those that are not voided, newest first: of a unit that was
// measured again in the same pass the last one. What is no number was read while the characteristic was of another type, and does not
// count.
func Charted(newestFirst []ChartedReading) []ChartedReading {
	type measured struct {
		serial string
		pass   int
	}
	seen := make(map[measured]bool, len(newestFirst))
	count := make([]ChartedReading, 0, len(newestFirst))
	for i := range newestFirst {
		r := &newestFirst[i]
		if _, number := input.ParseDecimal(r.Value); !number {
			continue
		}
		if of := (measured{r.SerialID, r.Pass}); !seen[of] {
			seen[of] = true
			count = append(count, *r)
		}
	}
	slices.Reverse(count)
	return count
}

// SampleOf has the values of readings that Charted returned.
func SampleOf(readings []ChartedReading) (spc.Sample, error) {
	values := make([]string, len(readings))
	for i := range readings {
		values[i] = readings[i].Value
	}
	return spc.NewSample(values)
}

// ChartedStore is what charts need of a database.
type ChartedStore interface {
	// ChartedReadings returns readings that are not voided, newest first.
	ChartedReadings(query ChartedQuery) ([]ChartedReading, error)
}

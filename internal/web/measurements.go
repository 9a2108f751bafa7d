package web

import (
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// measurementPages are the page with what is measured at a step, and the charts of a job.
func measurementPages() noun {
	return noun{
		routes: []route{
			{"GET /steps/{id}/characteristics", always(shop.OpRead), showCharacteristics, false},
			{"POST /steps/{id}/characteristics", always(shop.OpSetCharacteristics), editCharacteristics, false},
			{"GET /jobs/{id}/charts", always(shop.OpRead), showCharts, false},
			{"POST /jobs/{id}/charts", always(shop.OpFreezeLimits), freezeLimits, false},
		},
		views: map[string]any{"characteristics": &characteristicsPage{}, "charts": &chartsPage{}},
	}
}

var measurementWords = wording{
	of: []ident.RecordKind{shop.RecordMeasurement, shop.RecordCharacteristics, shop.RecordBaseline},
	sentences: map[*refusal.Reason]sentence{
		card.MeasurementsMissing: {"", "First measure this at {step}: {numbers}."},
		card.OutOfLimits:         {"", "{number} at {step} is out of limits: {value}, limit {limit}. Measure again, or report it."},
		card.FirstPieceMissing:   {"", "The first unit that came to {step} has to be measured before any other leaves it."},
		shop.MeasuredOtherwise:   {"", "What is measured at {step} was changed meanwhile. Nothing was recorded. Look again."},
		shop.NotAtStep:           {"", "{serialId} is not at {step} any more. Nothing was recorded. Look again."},
		shop.MeasurementVoided:   {"", "Somebody struck it through before."},
		shop.InstrumentIsDue:     {"instrumentId", "{number} is due for calibration since {date}: take another instrument."},
		shop.InstrumentHasFailed: {"instrumentId", "{number} failed its last calibration: take another instrument."},
		shop.LimitsBackwards:     {"upper", "The upper limit is below the lower one."},
		shop.CharacteristicTwice: {"number", "Another one has the number {number}."},
		shop.TypedUnit:           {"", "{number} is measured in {planned}, and {value} was typed. Nothing was recorded."},
		shop.OnlyNumbersCharted:  {"", "Only a number has a chart."},
		shop.NoControlLimits:     {"from", "No limits follow from the readings of that time: {n}. Choose a longer one."},
		shop.TooManyReadings:     {"from", "There are more than {n} readings. Choose a shorter time."},
		shop.NotTime:             {"", "Choose a day and a time."},
		shop.NotSubgroup:         {"subgroup", "Choose 1 to 10 readings for a point."},
		shop.OnlyForNumbers:      {"upper", "Only a number has limits."},
	},
	fields: map[string]field{
		"values": {"Readings", "", "Type at least one reading.", ""},
		"value":  {"Reading", "", "", "Choose pass or fail."},
	},
	things: map[refusal.RecordName]string{ //nolint:exhaustive // the noun's own
		shop.NameCharacteristics: "characteristics", shop.NameCharacteristic: "characteristic", shop.NameMeasurement: "reading",
	},
}

package web

import "github.com/routecard/routecard/shop"

var measurementWords = wording{
	sentences: map[*shop.Reason]sentence{
		shop.MeasurementsMissing: {"", "First measure this at {step}: {numbers}."},
		shop.OutOfLimits:         {"", "{number} at {step} is out of limits: {value}, limit {limit}. Measure again, or report it."},
		shop.FirstPieceMissing:   {"", "The first unit that came to {step} has to be measured before any other leaves it."},
		shop.NotAtStep:           {"", "{serialId} is not at {step} any more. Nothing was recorded. Look again."},
		shop.MeasurementVoided:   {"", "Somebody struck it through before."},
		shop.InstrumentIsDue:     {"instrumentId", "{number} is due for calibration since {date}: take another instrument."},
		shop.InstrumentHasFailed: {"instrumentId", "{number} failed its last calibration: take another instrument."},
		shop.LimitsBackwards:     {"upper", "The upper limit is below the lower one."},
		shop.CharacteristicTwice: {"number", "Another one has the number {number}."},
		shop.OnlyForNumbers:      {"upper", "Only a number has limits."},
	},
	things: map[shop.RecordName]string{ //nolint:exhaustive // the noun's own
		shop.NameCharacteristics: "characteristics", shop.NameCharacteristic: "characteristic", shop.NameMeasurement: "reading",
	},
}

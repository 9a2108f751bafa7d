package wording

import (
	"strings"

	"github.com/routecard/routecard/internal/spc"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

var measurementWords = nounWords{
	of: []ident.RecordKind{shop.RecordMeasurement, shop.RecordCharacteristics, shop.RecordBaseline},
	sentences: map[*refusal.Reason]sentence{
		card.MeasurementsMissing: {"", "First measure this at {step}: {numbers}."},
		card.OutOfLimits:         {"", "{number} at {step} is out of limits: {value}, limit {limit}. Measure again, or report it."},
		card.FirstPieceMissing:   {"", "The first unit that came to {step} has to be measured before any other leaves it."},
		shop.MeasuredOtherwise:   {"", "What is measured at {step} was changed meanwhile. Nothing was recorded. Look again."},
		shop.NotAtStep:           {"", "{serialId} is not at {step} any more. Nothing was recorded. Look again."},
		shop.MeasurementVoided:   {"", "It is already voided."},
		shop.InstrumentIsDue:     {"instrumentId", "{number} is due for calibration since {date}: take another instrument."},
		shop.InstrumentHasFailed: {"instrumentId", "{number} failed its last calibration: take another instrument."},
		shop.OutsideRange: {"instrumentId", "{number} measures {limits}, and {value} was typed. Nothing was recorded. " +
			"Measure again, or take another instrument."},
		shop.LimitsBackwards:     {"upper", "The upper limit is below the lower one."},
		shop.CharacteristicTwice: {"number", "Another one has the number {number}."},
		card.TypedUnit:           {"", "{number} is measured in {planned}, and {value} was typed. Nothing was recorded."},
		shop.OnlyNumbersCharted:  {"", "Only a number has a chart."},
		shop.NoControlLimits:     {"from", "No limits follow from the readings of that time: {n}. Choose a longer one."},
		shop.TooManyReadings:     {"from", "There are more than {n} readings. Choose a shorter time."},
		input.NotTime:            {"", "Choose a day and a time."},
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

// RuleSetWords returns the label of a set of rules.
func RuleSetWords(set spc.RuleSet) string {
	if set == spc.Nelson {
		return "Nelson, 1 to 8"
	}
	return "Western Electric, 1 and 4"
}

// LimitsInWords formats limits as on a drawing.
func LimitsInWords(limits card.Limits, unit string) string {
	var text string
	switch {
	case limits.Lower != "" && limits.Upper != "":
		text = string(limits.Lower) + " to " + string(limits.Upper)
	case limits.Lower != "":
		text = "at least " + string(limits.Lower)
	case limits.Upper != "":
		text = "at most " + string(limits.Upper)
	case limits.Nominal != "":
		text = string(limits.Nominal)
	default:
		return ""
	}
	return strings.TrimSpace(text + " " + unit)
}

// VerdictInWords returns the verdict of a reading in words.
func VerdictInWords(verdict card.Verdict) string {
	switch verdict {
	case card.VerdictPass:
		return "passes"
	case card.VerdictFail:
		return "is out of limits"
	case card.VerdictRecorded:
	}
	return "is recorded"
}

// ReadingInWords describes a reading for a status band.
func ReadingInWords(m *card.Measurement, name string) string {
	text := strings.TrimSpace(m.Called() + " " + name)
	if m.Value == string(m.Verdict) { // pass or fail
		return text + ": " + m.Value
	}
	return text + ": " + strings.TrimSpace(m.Value+" "+m.Unit) + " " + VerdictInWords(m.Verdict)
}

// OutInWords describes a reading out of limits, with the limit that it exceeds.
func OutInWords(m *card.Measurement, name string) string {
	text := strings.TrimSpace(m.Called() + " " + name)
	if m.Value == string(m.Verdict) {
		return text + " fails"
	}
	return text + " is " + m.Value + ", limit " + m.Broken()
}

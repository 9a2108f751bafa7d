package wording

import (
	"github.com/routecard/routecard/internal/web/lang"
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
		card.PartsMissing:        {"", "First install this at {step}: {partType}, {have} of {need} installed."},
		card.MaterialMissing:     {"", "First record the material at {step}."},
		card.CertificateMissing:  {"", "First attach a certificate at {step}."},
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
		shop.CharacteristicTwice: {"number", "The number {number} is taken."},
		card.TypedUnit:           {"", "{number} is measured in {planned}, and {value} was typed. Nothing was recorded."},
		shop.OnlyNumbersCharted:  {"", "Only a number has a chart."},
		shop.NoControlLimits:     {"from", "{n} readings in this period are too few for limits. Choose a longer period."},
		shop.TooManyReadings:     {"from", "There are more than {n} readings. Choose a shorter time."},
		input.NotTime:            {"", "Choose a day and a time."},
		shop.NotSubgroup:         {"subgroup", "Choose 1 to 10 readings for a point."},
		shop.OnlyForNumbers:      {"upper", "Only a number has limits."},
	},
	fields: map[string]field{
		"values": {"Readings", "", "Type at least one reading.", ""},
		"value":  {"Reading", "", "", "Choose pass or fail."},
	},
	things: map[refusal.RecordName]lang.Text{ //nolint:exhaustive // the noun's own
		shop.NameRequirements: "requirements", shop.NameCharacteristics: "characteristics", shop.NameCharacteristic: "characteristic",
		shop.NameMeasurement: "reading",
	},
}

// RuleSetWords returns the label of a set of rules.
func RuleSetWords(set spc.RuleSet) lang.Text {
	if set == spc.Nelson {
		return "Nelson, 1 to 8"
	}
	return "Western Electric, 1 and 4"
}

// LimitsInWords formats limits as on a drawing.
func LimitsInWords(l *lang.Language, limits card.Limits, unit string) string {
	var text string
	switch {
	case limits.Lower != "" && limits.Upper != "":
		text = l.T("{lower} to {upper}", "lower", limits.Lower, "upper", limits.Upper)
	case limits.Lower != "":
		text = l.T("at least {limit}", "limit", limits.Lower)
	case limits.Upper != "":
		text = l.T("at most {limit}", "limit", limits.Upper)
	case limits.Nominal != "":
		text = string(limits.Nominal)
	default:
		return ""
	}
	return strings.TrimSpace(text + " " + unit)
}

// VerdictInWords returns the verdict of a reading in words.
func VerdictInWords(verdict card.Verdict) lang.Text {
	switch verdict {
	case card.VerdictPass:
		return "passes"
	case card.VerdictFail:
		return "is out of limits"
	case card.VerdictRecorded:
	}
	return "is recorded"
}

// ReadingInWords describes a reading, without a full stop. called is the name that the page uses for its characteristic.
func ReadingInWords(l *lang.Language, m *card.Measurement, called string) string {
	value := strings.TrimSpace(m.Value + " " + m.Unit)
	switch isVerdict := m.Value == string(m.Verdict); { // the value is pass or fail
	case isVerdict && m.Verdict == card.VerdictPass:
		return l.T("{characteristic}: pass", "characteristic", called)
	case isVerdict && m.Verdict == card.VerdictFail:
		return l.T("{characteristic}: fail", "characteristic", called)
	case m.Verdict == card.VerdictPass:
		return l.T("{characteristic}: {value} passes", "characteristic", called, "value", value)
	case m.Verdict == card.VerdictFail:
		return l.T("{characteristic}: {value} is out of limits", "characteristic", called, "value", value)
	}
	return l.T("{characteristic}: {value} is recorded", "characteristic", called, "value", value)
}

// OutInWords describes a reading out of limits as ReadingInWords does, and adds the limit that it exceeds.
func OutInWords(l *lang.Language, m *card.Measurement, called string) string {
	if m.Value == string(m.Verdict) {
		return l.T("{characteristic} fails", "characteristic", called)
	}
	return l.T("{characteristic} is {value}, limit {limit}", "characteristic", called, "value", m.Value, "limit", m.Broken())
}

package shop

import (
	"testing"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	bore := card.Characteristic{Type: card.NumberReading, Limits: card.Limits{Lower: "12.490", Upper: "12.510"}}
	for _, row := range []struct {
		c           card.Characteristic
		value, want string
		verdict     card.Verdict
	}{
		{bore, "12.490", "12.490", card.VerdictPass},
		{bore, "12.51", "12.51", card.VerdictPass},
		{bore, " 12.500 ", "12.500", card.VerdictPass},
		{bore, "12.5100000000000001", "12.5100000000000001", card.VerdictFail},
		{bore, "12.4899999999999999", "12.4899999999999999", card.VerdictFail},
		{bore, "-12.5", "-12.5", card.VerdictFail},
		{bore, "1.25e1", "1.25e1", card.VerdictPass},
		{card.Characteristic{Type: card.NumberReading, Limits: card.Limits{Upper: "0.02"}}, "-5", "-5", card.VerdictPass},
		{card.Characteristic{Type: card.NumberReading, Limits: card.Limits{Lower: "40"}}, "39.9", "39.9", card.VerdictFail},
		{card.Characteristic{Type: card.NumberReading, Limits: card.Limits{Nominal: "3"}}, "4", "4", card.VerdictRecorded},
		{card.Characteristic{Type: card.PassFailReading}, "pass", "pass", card.VerdictPass},
		{card.Characteristic{Type: card.PassFailReading}, " fail", "fail", card.VerdictFail},
		{card.Characteristic{Type: card.TextReading}, "H48213", "H48213", card.VerdictRecorded},
	} {
		if value, verdict, err := row.c.Judge("value", row.value); err != nil || value != row.want || verdict != row.verdict {
			t.Errorf("%s of %+v: %q, %s, %v", row.value, row.c, value, verdict, err)
		}
	}
	for value, of := range map[string]card.CharacteristicType{"1e400": card.NumberReading, "NaN": card.NumberReading, "12,5": card.NumberReading, "perhaps": card.PassFailReading} {
		if _, _, err := (&card.Characteristic{Type: of}).Judge("value", value); err == nil {
			t.Errorf("%s is a %s", value, of)
		}
	}
}

// Each row is a card with a unit at the second of two steps, and the result of leaving that step.
func TestRefuseUnmeasured(t *testing.T) {
	t.Parallel()
	bore := card.Characteristic{ID: "char_bore", Number: "7", Type: card.NumberReading, Limits: card.Limits{Lower: "1", Upper: "2"}, Required: true, Sample: card.SampleEvery}
	edge := card.Characteristic{ID: "char_edge", Number: "8", Place: "A2", Type: card.PassFailReading, Required: true, Sample: card.SampleEvery}
	read := func(of card.Characteristic, value string, verdict card.Verdict, pass int, at ident.Timestamp) card.Measurement {
		return card.Measurement{CharacteristicID: of.ID, Number: of.Number, Place: of.Place, Value: value, Verdict: verdict, Limits: of.Limits, Pass: pass, MeasuredAt: at}
	}
	good := []card.Measurement{read(bore, "1.5", card.VerdictPass, 1, 10), read(edge, "pass", card.VerdictPass, 1, 10)}
	sampled := func(sample card.Sample) []card.Characteristic {
		c := bore
		c.Sample = sample
		return []card.Characteristic{c}
	}
	optional := bore
	optional.Required = false
	for name, row := range map[string]struct {
		measured []card.Characteristic
		card     card.Card
		want     string
	}{
		"nothing is measured":       {nil, card.Card{}, ""},
		"nothing was read":          {[]card.Characteristic{bore, edge}, card.Card{}, "Measurements missing at Hone: 7, 8 (A2)"},
		"one is missing":            {[]card.Characteristic{bore, edge}, card.Card{Readings: good[:1]}, "Measurements missing at Hone: 8 (A2)"},
		"all is well":               {[]card.Characteristic{bore, edge}, card.Card{Readings: good}, ""},
		"read in the pass before":   {[]card.Characteristic{bore, edge}, card.Card{Serial: card.Serial{Reworks: 1}, Readings: good}, "Measurements missing at Hone: 7, 8 (A2)"},
		"too large":                 {[]card.Characteristic{bore}, card.Card{Readings: []card.Measurement{read(bore, "2.5", card.VerdictFail, 1, 10)}}, "Out of limits at Hone: 7 is 2.5, limit 2"},
		"too small":                 {[]card.Characteristic{bore}, card.Card{Readings: []card.Measurement{read(bore, "0.5", card.VerdictFail, 1, 10)}}, "Out of limits at Hone: 7 is 0.5, limit 1"},
		"it failed":                 {[]card.Characteristic{edge}, card.Card{Readings: []card.Measurement{read(edge, "fail", card.VerdictFail, 1, 10)}}, "Out of limits at Hone: 8 (A2) is fail, limit pass"},
		"measured again, well":      {[]card.Characteristic{bore}, card.Card{Readings: []card.Measurement{read(bore, "2.5", card.VerdictFail, 1, 10), read(bore, "2", card.VerdictPass, 1, 11)}}, ""},
		"measured again, badly":     {[]card.Characteristic{bore}, card.Card{Readings: []card.Measurement{read(bore, "2", card.VerdictPass, 1, 10), read(bore, "3", card.VerdictFail, 1, 11)}}, "Out of limits at Hone: 7 is 3, limit 2"},
		"conceded":                  {[]card.Characteristic{bore}, card.Card{Readings: []card.Measurement{read(bore, "3", card.VerdictFail, 1, 10)}, Concessions: []card.Concession{{FoundAt: 1, DecidedAt: 10}}}, ""},
		"conceded before":           {[]card.Characteristic{bore}, card.Card{Readings: []card.Measurement{read(bore, "3", card.VerdictFail, 1, 10)}, Concessions: []card.Concession{{FoundAt: 1, DecidedAt: 9}}}, "Out of limits at Hone: 7 is 3, limit 2"},
		"conceded for another step": {[]card.Characteristic{bore}, card.Card{Readings: []card.Measurement{read(bore, "3", card.VerdictFail, 1, 10)}, Concessions: []card.Concession{{FoundAt: 0, DecidedAt: 11}}}, "Out of limits at Hone: 7 is 3, limit 2"},
		"conceded, not measured":    {[]card.Characteristic{bore}, card.Card{Concessions: []card.Concession{{FoundAt: 1, DecidedAt: 11}}}, "Measurements missing at Hone: 7"},
		"overridden":                {[]card.Characteristic{bore}, card.Card{Overrides: map[string]card.Override{"step_2": {}}}, ""},
		"another step overridden":   {[]card.Characteristic{bore}, card.Card{Overrides: map[string]card.Override{"step_1": {}}}, "Measurements missing at Hone: 7"},
		"waived":                    {[]card.Characteristic{bore}, card.Card{Exceptions: map[string]card.StepException{"step_2": {Status: card.StepWaived}}}, ""},
		"not required":              {[]card.Characteristic{optional}, card.Card{}, ""},
		"not required, and wrong":   {[]card.Characteristic{optional}, card.Card{Readings: []card.Measurement{read(bore, "3", card.VerdictFail, 1, 10)}}, "Out of limits at Hone: 7 is 3, limit 2"},
		"the third of three":        {sampled("1 of 3"), card.Card{Arrivals: map[string]card.Arrival{"step_2": {Ordinal: 3}}}, "Measurements missing at Hone: 7"},
		"the second of three":       {sampled("1 of 3"), card.Card{Arrivals: map[string]card.Arrival{"step_2": {Ordinal: 2}}}, ""},
		"not counted":               {sampled("1 of 3"), card.Card{}, "Measurements missing at Hone: 7"},
		"the first piece":           {sampled(card.SampleFirst), card.Card{Arrivals: map[string]card.Arrival{"step_2": {Ordinal: 1}}}, "Measurements missing at Hone: 7"},
		"behind the first piece":    {sampled(card.SampleFirst), card.Card{Arrivals: map[string]card.Arrival{"step_2": {Ordinal: 2, Behind: true}}}, "First piece of Hone is not measured yet"},
		"behind it, and overridden": {sampled(card.SampleFirst), card.Card{Arrivals: map[string]card.Arrival{"step_2": {Ordinal: 2, Behind: true}}, Overrides: map[string]card.Override{"step_2": {}}}, ""},
		"after the first piece":     {sampled(card.SampleFirst), card.Card{Path: card.Path{FirstPieces: map[string]string{"step_2": "SN-00001"}}, Arrivals: map[string]card.Arrival{"step_2": {Ordinal: 2}}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			unit := row.card
			unit.Serial.ID, unit.Serial.Status, unit.Serial.Position = "SN-00007", card.InProgress, 1
			unit.Path.Steps = []card.ProcessStep{{ID: "step_1", Name: "Turn"}, {ID: "step_2", Name: "Hone"}}
			if row.measured != nil {
				unit.Path.Characteristics = map[string]card.CharacteristicSet{"step_2": {StepID: "step_2", Revision: 1, Characteristics: row.measured}}
			}
			got := ""
			if err := card.RefuseLeaving(unit, 2); err != nil {
				got = err.Error()
			}
			if got != row.want {
				t.Errorf("%q, want %q", got, row.want)
			}
		})
	}
}

func TestDoubt(t *testing.T) {
	t.Parallel()
	calibration := func(at ident.Timestamp, result, found CalibrationResult) Calibration {
		return Calibration{CalibratedAt: at, Result: result, AsFound: found}
	}
	for name, row := range map[string]struct {
		calibrations []Calibration
		since, until ident.Timestamp
	}{
		"none":                 {nil, 0, 0},
		"always right":         {[]Calibration{calibration(1, CalibrationPass, CalibrationPass), calibration(2, CalibrationPass, "")}, 0, 0},
		"wrong at first":       {[]Calibration{calibration(1, CalibrationPass, CalibrationFail)}, 0, 1},
		"wrong, then right":    {[]Calibration{calibration(1, CalibrationPass, ""), calibration(5, CalibrationPass, CalibrationFail), calibration(7, CalibrationPass, CalibrationPass)}, 1, 5},
		"wrong twice":          {[]Calibration{calibration(1, CalibrationPass, ""), calibration(5, CalibrationPass, CalibrationFail), calibration(7, CalibrationPass, CalibrationFail)}, 5, 7},
		"not repaired between": {[]Calibration{calibration(1, CalibrationPass, ""), calibration(5, CalibrationFail, CalibrationFail), calibration(7, CalibrationPass, CalibrationFail)}, 1, 7},
	} {
		if since, until := doubt(row.calibrations); since != row.since || until != row.until {
			t.Errorf("%s: from %d to %d", name, since, until)
		}
	}
}

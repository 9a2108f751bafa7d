package shop

import (
	"testing"

	"github.com/routecard/routecard/shop/ident"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	bore := Characteristic{Type: NumberReading, Limits: Limits{Lower: "12.490", Upper: "12.510"}}
	for _, row := range []struct {
		c           Characteristic
		value, want string
		verdict     Verdict
	}{
		{bore, "12.490", "12.490", VerdictPass},
		{bore, "12.51", "12.51", VerdictPass},
		{bore, " 12.500 ", "12.500", VerdictPass},
		{bore, "12.5100000000000001", "12.5100000000000001", VerdictFail},
		{bore, "12.4899999999999999", "12.4899999999999999", VerdictFail},
		{bore, "-12.5", "-12.5", VerdictFail},
		{bore, "1.25e1", "1.25e1", VerdictPass},
		{Characteristic{Type: NumberReading, Limits: Limits{Upper: "0.02"}}, "-5", "-5", VerdictPass},
		{Characteristic{Type: NumberReading, Limits: Limits{Lower: "40"}}, "39.9", "39.9", VerdictFail},
		{Characteristic{Type: NumberReading, Limits: Limits{Nominal: "3"}}, "4", "4", VerdictRecorded},
		{Characteristic{Type: PassFailReading}, "pass", "pass", VerdictPass},
		{Characteristic{Type: PassFailReading}, " fail", "fail", VerdictFail},
		{Characteristic{Type: TextReading}, "H48213", "H48213", VerdictRecorded},
	} {
		if value, verdict, err := judgeReading(&row.c, "value", row.value); err != nil || value != row.want || verdict != row.verdict {
			t.Errorf("%s of %+v: %q, %s, %v", row.value, row.c, value, verdict, err)
		}
	}
	for value, of := range map[string]CharacteristicType{"1e400": NumberReading, "NaN": NumberReading, "12,5": NumberReading, "perhaps": PassFailReading} {
		if _, _, err := judgeReading((&Characteristic{Type: of}), "value", value); err == nil {
			t.Errorf("%s is a %s", value, of)
		}
	}
}

// Each row is a card whose unit stands on the second of two steps, and what leaving it says.
func TestRefuseUnmeasured(t *testing.T) {
	t.Parallel()
	bore := Characteristic{ID: "char_bore", Number: "7", Type: NumberReading, Limits: Limits{Lower: "1", Upper: "2"}, Required: true, Sample: SampleEvery}
	edge := Characteristic{ID: "char_edge", Number: "8", Place: "A2", Type: PassFailReading, Required: true, Sample: SampleEvery}
	read := func(of Characteristic, value string, verdict Verdict, pass int, at ident.Timestamp) Measurement {
		return Measurement{CharacteristicID: of.ID, Number: of.Number, Place: of.Place, Value: value, Verdict: verdict, Limits: of.Limits, Pass: pass, MeasuredAt: at}
	}
	good := []Measurement{read(bore, "1.5", VerdictPass, 1, 10), read(edge, "pass", VerdictPass, 1, 10)}
	sampled := func(sample Sample) []Characteristic {
		c := bore
		c.Sample = sample
		return []Characteristic{c}
	}
	optional := bore
	optional.Required = false
	for name, row := range map[string]struct {
		measured []Characteristic
		card     RouteCard
		want     string
	}{
		"nothing is measured":       {nil, RouteCard{}, ""},
		"nothing was read":          {[]Characteristic{bore, edge}, RouteCard{}, "Measurements missing at Hone: 7, 8 (A2)"},
		"one is missing":            {[]Characteristic{bore, edge}, RouteCard{Readings: good[:1]}, "Measurements missing at Hone: 8 (A2)"},
		"all is well":               {[]Characteristic{bore, edge}, RouteCard{Readings: good}, ""},
		"read in the pass before":   {[]Characteristic{bore, edge}, RouteCard{Serial: Serial{Reworks: 1}, Readings: good}, "Measurements missing at Hone: 7, 8 (A2)"},
		"too large":                 {[]Characteristic{bore}, RouteCard{Readings: []Measurement{read(bore, "2.5", VerdictFail, 1, 10)}}, "Out of limits at Hone: 7 is 2.5, limit 2"},
		"too small":                 {[]Characteristic{bore}, RouteCard{Readings: []Measurement{read(bore, "0.5", VerdictFail, 1, 10)}}, "Out of limits at Hone: 7 is 0.5, limit 1"},
		"it failed":                 {[]Characteristic{edge}, RouteCard{Readings: []Measurement{read(edge, "fail", VerdictFail, 1, 10)}}, "Out of limits at Hone: 8 (A2) is fail, limit pass"},
		"measured again, well":      {[]Characteristic{bore}, RouteCard{Readings: []Measurement{read(bore, "2.5", VerdictFail, 1, 10), read(bore, "2", VerdictPass, 1, 11)}}, ""},
		"measured again, badly":     {[]Characteristic{bore}, RouteCard{Readings: []Measurement{read(bore, "2", VerdictPass, 1, 10), read(bore, "3", VerdictFail, 1, 11)}}, "Out of limits at Hone: 7 is 3, limit 2"},
		"conceded":                  {[]Characteristic{bore}, RouteCard{Readings: []Measurement{read(bore, "3", VerdictFail, 1, 10)}, Concessions: []Concession{{FoundAt: 1, DecidedAt: 10}}}, ""},
		"conceded before":           {[]Characteristic{bore}, RouteCard{Readings: []Measurement{read(bore, "3", VerdictFail, 1, 10)}, Concessions: []Concession{{FoundAt: 1, DecidedAt: 9}}}, "Out of limits at Hone: 7 is 3, limit 2"},
		"conceded for another step": {[]Characteristic{bore}, RouteCard{Readings: []Measurement{read(bore, "3", VerdictFail, 1, 10)}, Concessions: []Concession{{FoundAt: 0, DecidedAt: 11}}}, "Out of limits at Hone: 7 is 3, limit 2"},
		"conceded, not measured":    {[]Characteristic{bore}, RouteCard{Concessions: []Concession{{FoundAt: 1, DecidedAt: 11}}}, "Measurements missing at Hone: 7"},
		"overridden":                {[]Characteristic{bore}, RouteCard{Overrides: map[string]Override{"step_2": {}}}, ""},
		"another step overridden":   {[]Characteristic{bore}, RouteCard{Overrides: map[string]Override{"step_1": {}}}, "Measurements missing at Hone: 7"},
		"waived":                    {[]Characteristic{bore}, RouteCard{Exceptions: map[string]StepException{"step_2": {Status: StepWaived}}}, ""},
		"not required":              {[]Characteristic{optional}, RouteCard{}, ""},
		"not required, and wrong":   {[]Characteristic{optional}, RouteCard{Readings: []Measurement{read(bore, "3", VerdictFail, 1, 10)}}, "Out of limits at Hone: 7 is 3, limit 2"},
		"the third of three":        {sampled("1 of 3"), RouteCard{Arrivals: map[string]Arrival{"step_2": {Ordinal: 3}}}, "Measurements missing at Hone: 7"},
		"the second of three":       {sampled("1 of 3"), RouteCard{Arrivals: map[string]Arrival{"step_2": {Ordinal: 2}}}, ""},
		"not counted":               {sampled("1 of 3"), RouteCard{}, "Measurements missing at Hone: 7"},
		"the first piece":           {sampled(SampleFirst), RouteCard{Arrivals: map[string]Arrival{"step_2": {Ordinal: 1}}}, "Measurements missing at Hone: 7"},
		"behind the first piece":    {sampled(SampleFirst), RouteCard{Arrivals: map[string]Arrival{"step_2": {Ordinal: 2, Behind: true}}}, "First piece of Hone is not measured yet"},
		"behind it, and overridden": {sampled(SampleFirst), RouteCard{Arrivals: map[string]Arrival{"step_2": {Ordinal: 2, Behind: true}}, Overrides: map[string]Override{"step_2": {}}}, ""},
		"after the first piece":     {sampled(SampleFirst), RouteCard{Path: Path{FirstPieces: map[string]string{"step_2": "SN-00001"}}, Arrivals: map[string]Arrival{"step_2": {Ordinal: 2}}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			card := row.card
			card.Serial.ID, card.Serial.Status, card.Serial.Position = "SN-00007", InProgress, 1
			card.Path.Steps = []ProcessStep{{ID: "step_1", Name: "Turn"}, {ID: "step_2", Name: "Hone"}}
			if row.measured != nil {
				card.Path.Characteristics = map[string]CharacteristicSet{"step_2": {StepID: "step_2", Revision: 1, Characteristics: row.measured}}
			}
			got := ""
			if err := refuseLeaving(card); err != nil {
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

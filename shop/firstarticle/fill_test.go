package firstarticle_test

import (
	"slices"
	"testing"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/firstarticle"
)

// complete returns records that fill every field that must be filled.
func complete() firstarticle.Records {
	return firstarticle.Records{
		ID: "FAI-00001", PartNumber: "BR-7", Description: "Bracket", PartRevision: "C", DrawingNumber: "D-7", DrawingRevision: "1", Route: "Main",
		Organization: "Meyer", Kind: firstarticle.Full, Reason: "new",
		Units: []firstarticle.Unit{{SerialID: "SN-00001", Number: "A1", Readings: []card.Measurement{
			{StepID: "s", Number: "2", Value: "5.0", Verdict: card.VerdictPass},
		}}},
		Planned: []firstarticle.Planned{{StepID: "s", Characteristic: card.Characteristic{Number: "2", Type: card.NumberReading, Name: "Bore"}}},
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	reading := func(number, value string, verdict card.Verdict) card.Measurement {
		return card.Measurement{StepID: "s", Number: number, Value: value, Verdict: verdict}
	}
	for name, test := range map[string]struct {
		change  func(*firstarticle.Records)
		want    map[string]string
		missing string
	}{
		"complete": {func(*firstarticle.Records) {}, map[string]string{
			"1.1": "BR-7", "1.3": "A1", "1.4": "FAI-00001", "1.8": "N/A", "1.13": "Detail", "1.14": "Full first article. Reason: new",
			"1.19": "No", "3.1.5": "2", "3.1.8": "Bore", "3.1.9": "5.0",
		}, ""},
		"nothing": {func(r *firstarticle.Records) { *r = firstarticle.Records{ID: "FAI-00001", Kind: firstarticle.Full} },
			map[string]string{"1.4": "FAI-00001"}, "1.1, 1.2, 1.3, 1.5, 1.6, 1.7, 1.9, 1.10, 3.5"},
		"identifier": {func(r *firstarticle.Records) { r.Identifier = "X-9" }, map[string]string{"1.4": "X-9"}, ""},
		"parts": {func(r *firstarticle.Records) {
			r.Parts = []firstarticle.Part{
				{Number: "P1", Name: "Lever", Category: "detail", FirstArticle: "FAI-00009", NeedsFirstArticle: true},
				{Number: "P2", Name: "Housing", Category: "sub_assembly", NeedsFirstArticle: true},
				{Number: "P3", Name: "Screw", Category: "cots"},
				{Number: "P4", Name: "Motor", Category: "cots", Owner: "Airframe"},
			}
		}, map[string]string{
			"1.13": "Assembly", "1.1.15": "P1", "1.1.18": "FAI-00009", "1.3.17": "cots", "1.3.18": "", "1.4.18": "Customer furnished",
		}, "1.2.18"},
		"material": {func(r *firstarticle.Records) {
			r.Materials = []firstarticle.Material{
				{LotID: "l1", Material: "Bar", Specification: "EN", Code: "7", Supplier: "M", CustomerApproval: "yes", Certificates: []string{"C1", "C2", "C1"},
					Substitutions: []string{"", "no stock", "no stock"}},
				{LotID: "l2", Material: "Plate", Supplier: "M", Owner: "Airframe", CustomerApproval: "no"},
			}
		}, map[string]string{
			"2.1.5": "Bar", "2.1.6": "EN", "2.1.7": "7", "2.1.8": "M", "2.1.9": "Yes", "2.1.10": "C1, C2", "2.1.13": "no stock",
			"2.2.8": "Customer furnished", "2.2.9": "No",
		}, "2.2.6, 2.2.10"},
		"outside": {func(r *firstarticle.Records) {
			r.Processes = []firstarticle.Process{{StepID: "p", Process: "Plate", Specification: "AMS", Suppliers: []string{"G", "G"}}}
		}, map[string]string{"2.1.5": "Plate", "2.1.8": "G"}, "2.1.9, 2.1.10"},
		"test": {func(r *firstarticle.Records) {
			r.Tests = []firstarticle.Test{{StepID: "t", Step: "Leak", Procedure: "LT-7", Reports: []string{"R-1"}}}
		}, map[string]string{"2.1.5": "Leak", "2.1.11": "LT-7", "2.1.12": "R-1"}, ""},
		"order of numbers": {func(r *firstarticle.Records) {
			r.Planned = nil
			for _, number := range []string{"10", "A", "9", "9b", "2"} {
				r.Planned = append(r.Planned, firstarticle.Planned{StepID: "s", Characteristic: card.Characteristic{
					Number: number, Type: card.TextReading, Name: "n",
				}})
				r.Units[0].Readings = append(r.Units[0].Readings, reading(number, "v", card.VerdictRecorded))
			}
		}, map[string]string{"3.1.5": "2", "3.2.5": "9", "3.3.5": "9b", "3.4.5": "10", "3.5.5": "A"}, ""},
		"attribute": {func(r *firstarticle.Records) {
			r.Planned[0].Type, r.Planned[0].Designator = card.PassFailReading, card.CriticalCharacteristic
			r.Units[0].Readings[0] = reading("2", "pass", card.VerdictPass)
		}, map[string]string{"3.1.7": "Critical", "3.1.9": "Accepted"}, ""},
		"failed without a report": {func(r *firstarticle.Records) { r.Units[0].Readings[0] = reading("2", "9.0", card.VerdictFail) },
			map[string]string{"3.1.9": "9.0", "3.1.11": ""}, "3.1.11"},
		"failed attribute on a report": {func(r *firstarticle.Records) {
			r.Planned[0].Type, r.Units[0].Reports = card.PassFailReading, []string{"NCR-00002"}
			r.Units[0].Readings[0] = reading("2", "fail", card.VerdictFail)
		}, map[string]string{"3.1.9": "Rejected", "3.1.11": "NCR-00002", "1.19": "Yes: NCR-00002"}, ""},
		"the last reading counts": {func(r *firstarticle.Records) {
			r.Units[0].Readings = append(r.Units[0].Readings, reading("2", "5.10", card.VerdictPass))
		}, map[string]string{"3.1.9": "5.10"}, ""},
		"one of two units is not measured": {func(r *firstarticle.Records) {
			r.Units = append(r.Units, firstarticle.Unit{SerialID: "SN-00002", Number: "SN-00002"})
		}, map[string]string{"3.1.9": "", "1.3": "A1, SN-00002"}, "3.1.9"},
		"instrument and note": {func(r *firstarticle.Records) {
			r.Instruments = map[string]string{"inst_1": "CAL-7"}
			r.Units[0].Readings[0].InstrumentID, r.Units[0].Readings[0].Note = "inst_1", "warm"
		}, map[string]string{"3.1.12": "CAL-7; warm"}, ""},
		"limits": {func(r *firstarticle.Records) {
			r.Planned[0].Limits, r.Planned[0].Unit = card.Limits{Upper: "0.80"}, "mm"
		}, map[string]string{"3.1.8": "max. 0.80 mm"}, ""},
		"typed": {func(r *firstarticle.Records) {
			r.PartRevision = ""
			r.Typed = map[string]string{"1||5": "D", "1||1": "never shown", "3|s/2/|6": "B4"}
		}, map[string]string{"1.5": "D", "1.1": "BR-7", "3.1.6": "B4"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			records := complete()
			test.change(&records)
			content := records.Fill()
			found := map[string]string{}
			for i := range content.Fields {
				found[content.Fields[i].Name()] = content.Fields[i].Text
			}
			for field, want := range test.want {
				if found[field] != want {
					t.Errorf("%s is %q, want %q", field, found[field], want)
				}
			}
			if content.Names() != test.missing {
				t.Errorf("missing is %q, want %q", content.Names(), test.missing)
			}
		})
	}
}

func TestSameName(t *testing.T) {
	t.Parallel()
	same := []string{"Vera Müller", "vera MÜLLER", " Vera  Müller", "Vera\u00a0Müller\t"}
	for _, name := range same {
		if !firstarticle.SameName(same[0], name) {
			t.Errorf("%q is another name", name)
		}
	}
	if firstarticle.SameName("Vera Müller", "Vera Muller") {
		t.Error("another name is the same")
	}
}

func TestFrozenEqual(t *testing.T) {
	t.Parallel()
	records := complete()
	frozen := records.Freeze(records.Fill())
	for name, test := range map[string]struct {
		change func(*firstarticle.Records)
		equal  bool
	}{
		"nothing":              {func(*firstarticle.Records) {}, true},
		"the name of the shop": {func(r *firstarticle.Records) { r.Organization = "Other" }, true},
		"a reading":            {func(r *firstarticle.Records) { r.Units[0].Readings[0].Value = "5.00" }, false},
		"a scrapped unit":      {func(r *firstarticle.Records) { r.Units[0].Scrapped = true }, false},
		"a revision":           {func(r *firstarticle.Records) { r.PartRevision = "D" }, false},
	} {
		other := complete()
		other.Units = slices.Clone(other.Units)
		test.change(&other)
		if got := frozen.Equal(other.Freeze(other.Fill())); got != test.equal {
			t.Errorf("%s: equal is %v", name, got)
		}
	}
}

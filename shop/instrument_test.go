package shop

import (
	"testing"
	"time"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// An instrument is due after the end of its due day in UTC, and counts as failed while its last calibration failed.
func TestInstrumentState(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		due    string
		result CalibrationResult
		now    string
		want   InstrumentState
	}{
		{"", "", "2026-01-31T00:00:00.000Z", InstrumentReady},
		{"2026-01-31", "", "2026-01-30T23:59:59.999Z", InstrumentReady},
		{"2026-01-31", CalibrationPass, "2026-01-31T23:59:59.999Z", InstrumentReady},
		{"2026-01-31", CalibrationPass, "2026-02-01T00:00:00.000Z", InstrumentDue},
		{"2026-12-01", "", "2027-01-01T00:00:00.000Z", InstrumentDue},
		{"2026-01-31", CalibrationFail, "2026-01-01T00:00:00.000Z", InstrumentFailed},
		{"", CalibrationFail, "2026-01-01T00:00:00.000Z", InstrumentFailed},
	} {
		now, err := time.Parse(ident.TimestampLayout, test.now)
		if err != nil {
			t.Fatal(err)
		}
		if got := (Instrument{DueDate: test.due, Result: test.result}).At(ident.TimestampOf(now)).State; got != test.want {
			t.Errorf("due %q, %q at %s: %s, want %s", test.due, test.result, test.now, got, test.want)
		}
	}
}

// The last calibration counts: a passed calibration ends a failure, and sets the due date, even to an earlier day.
func TestCalibrated(t *testing.T) {
	t.Parallel()
	gauge := Instrument{Number: "M-1", DueDate: "2026-01-31", Result: CalibrationFail}
	after := gauge.calibrated(Calibration{Result: CalibrationPass, AsFound: CalibrationFail, DueDate: "2025-01-31", CalibratedAt: 7})
	if want := (Instrument{Number: "M-1", DueDate: "2025-01-31", Result: CalibrationPass, UpdatedAt: 7}); after != want {
		t.Errorf("got %+v, want %+v", after, want)
	}
}

// The hash in the entries depends on every field that can be changed in the database, except the time of the last change.
func TestInstrumentContents(t *testing.T) {
	t.Parallel()
	gauge := Instrument{ID: "inst_1", Number: "M-1", Name: "Micrometer", UpdatedAt: 1}
	seen := map[trail.ContentsSHA256]string{gauge.Contents(): "nothing"}
	for name, change := range map[string]func(*Instrument){
		"number": func(i *Instrument) { i.Number = "M-2" }, "name": func(i *Instrument) { i.Name = "" },
		"dueDate": func(i *Instrument) { i.DueDate = "2026-01-31" }, "externalId": func(i *Instrument) { i.ExternalID = "x" },
		"result": func(i *Instrument) { i.Result = CalibrationPass }, "createdAt": func(i *Instrument) { i.CreatedAt = 1 },
	} {
		other := gauge
		change(&other)
		if same, known := seen[other.Contents()]; known {
			t.Errorf("another %s hashes as %s does", name, same)
		}
		seen[other.Contents()] = name
	}
	saved := gauge
	saved.UpdatedAt = 2
	if saved.Contents() != gauge.Contents() {
		t.Error("saving it again changes its contents")
	}
}

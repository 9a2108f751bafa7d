package ident_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop/ident"
)

func TestTimestampForm(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("two hours east", 2*60*60)
	for _, test := range []struct {
		at   time.Time
		want string
	}{
		{time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC), "2026-01-31T09:30:00.000Z"},
		{time.Date(2026, 1, 31, 9, 30, 0, 0, east), "2026-01-31T07:30:00.000Z"},
		{time.Date(2026, 12, 31, 23, 59, 59, 999999999, time.UTC), "2026-12-31T23:59:59.999Z"},
		{time.Date(1969, 12, 31, 23, 59, 59, 5000000, time.UTC), "1969-12-31T23:59:59.005Z"},
		{time.Date(2024, 2, 29, 0, 0, 0, 120000000, time.UTC), "2024-02-29T00:00:00.120Z"},
	} {
		at := ident.TimestampOf(test.at)
		if got := at.String(); got != test.want {
			t.Errorf("%v is written as %s, want %s", test.at, got, test.want)
		}
		if got := string(shoptest.Must(json.Marshal(at))); got != `"`+test.want+`"` {
			t.Errorf("%v is encoded as %s, want %s in quotes", test.at, got, test.want)
		}
		var back ident.Timestamp
		if err := json.Unmarshal([]byte(`"`+test.want+`"`), &back); err != nil || back != at {
			t.Errorf("%s is read as %v, %v, want %v", test.want, back, err, at)
		}
	}
}

func TestTimestampRefusesOtherForms(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "2026-01-31", "2026-01-31T09:30:00Z", "2026-01-31T09:30:00.0Z", "2026-01-31T09:30:00.0000Z",
		"2026-01-31T09:30:00.000", "2026-01-31T09:30:00.000+00:00", "2026-01-31 09:30:00.000Z", "2026-02-30T09:30:00.000Z",
		"2026-01-31T9:30:00.000Z", "2026-01-31T09:30:00,000Z", "2026-01-31T24:00:00.000Z", " 2026-01-31T09:30:00.000Z",
	} {
		at := ident.Timestamp(1)
		if err := at.UnmarshalText([]byte(text)); err == nil || at != 1 {
			t.Errorf("%q is read as %v, %v", text, at, err)
		}
	}
}

// UnmarshalText accepts only the contract's form, and reads every formatted instant back unchanged.
func FuzzTimestamp(f *testing.F) {
	f.Add("2026-01-31T09:30:00.000Z", int64(0))
	f.Add("2026-01-31T9:30:00.000Z", int64(1_769_851_800_000))
	f.Add("0000-01-01T00:00:00.000Z", int64(-1))
	f.Add("9999-12-31T23:59:59,999Z", int64(253_402_300_799_999))
	f.Fuzz(func(t *testing.T, text string, milliseconds int64) {
		var at ident.Timestamp
		if at.UnmarshalText([]byte(text)) == nil && at.String() != text {
			t.Errorf("%q is read as %s", text, at)
		}
		// The form supports years 0 to 9999.
		const first, last = -62_167_219_200_000, 253_402_300_799_999
		written := ident.Timestamp(first + int64(uint64(milliseconds)%(last-first+1)))
		var back ident.Timestamp
		if err := back.UnmarshalText([]byte(written.String())); err != nil || back != written {
			t.Errorf("%s is read back as %s, %v", written, back, err)
		}
	})
}

package ident

import (
	"fmt"
	"time"
)

// Timestamp is an instant in milliseconds since 1970-01-01T00:00:00Z. The contract writes it as
// ISO 8601 in UTC with exactly three decimals: 2026-01-31T09:30:00.000Z.
type Timestamp int64

// TimestampOf truncates t to milliseconds.
func TimestampOf(t time.Time) Timestamp { return Timestamp(t.UnixMilli()) }

// Time returns the instant in UTC.
func (t Timestamp) Time() time.Time { return time.UnixMilli(int64(t)).UTC() }

// TimestampLayout is the form of a time, for time.Format.
const TimestampLayout = "2006-01-02T15:04:05.000Z"

// AppendText appends the contract's form of t to b. It never fails.
func (t Timestamp) AppendText(b []byte) ([]byte, error) {
	return t.Append(b), nil
}

// MarshalText returns the contract's form, for encoding/json.
func (t Timestamp) MarshalText() ([]byte, error) {
	return t.AppendText(make([]byte, 0, len(TimestampLayout)))
}

// UnmarshalText accepts only the contract's form.
func (t *Timestamp) UnmarshalText(text []byte) error {
	at, err := time.Parse(TimestampLayout, string(text))
	if err != nil {
		return err
	}
	read := TimestampOf(at)
	if read.String() != string(text) { // time.Parse also takes an hour of one digit and a comma before the decimals
		return fmt.Errorf("%q is not a timestamp like %s", text, TimestampLayout)
	}
	*t = read
	return nil
}

// Append appends the contract's form, like time.Format but faster. It formats years from 0 to 9999 itself.
func (t Timestamp) Append(b []byte) []byte {
	at := t.Time()
	year, month, day := at.Date()
	if year < 0 || year > 9999 {
		return at.AppendFormat(b, TimestampLayout)
	}
	hour, minute, second := at.Clock()
	b = appendDigits(b, year/100)
	b = appendDigits(b, year%100)
	b = appendDigits(append(b, '-'), int(month))
	b = appendDigits(append(b, '-'), day)
	b = appendDigits(append(b, 'T'), hour)
	b = appendDigits(append(b, ':'), minute)
	b = appendDigits(append(b, ':'), second)
	millisecond := at.Nanosecond() / int(time.Millisecond)
	b = append(b, '.', "0123456789"[millisecond/100])
	b = appendDigits(b, millisecond%100)
	return append(b, 'Z')
}

func appendDigits(b []byte, n int) []byte {
	const digits = "0123456789"
	return append(b, digits[n/10], digits[n%10])
}

func (t Timestamp) String() string { return t.Time().Format(TimestampLayout) }

// ClockSkew is the maximum difference between the clocks of instances that share a database.
const ClockSkew = Timestamp(60_000)

// The valid years of the clock. Stored records are sorted by time and never change, so a wrong time would stay for ever.
const (
	earliestYear = 1970
	latestYear   = 2200
)

// Plausible reports whether the year of a clock is valid.
func Plausible(now time.Time) bool {
	year := now.UTC().Year()
	return year >= earliestYear && year <= latestYear
}

package routecard

import "time"

// Timestamp is an instant in milliseconds since 1970-01-01T00:00:00Z. The contract writes it as
// ISO 8601 in UTC with exactly three decimals: 2026-01-31T09:30:00.000Z.
type Timestamp int64

// TimestampOf truncates t to milliseconds.
func TimestampOf(t time.Time) Timestamp { return Timestamp(t.UnixMilli()) }

// Time returns the instant in UTC.
func (t Timestamp) Time() time.Time { return time.UnixMilli(int64(t)).UTC() }

const timestampLayout = "2006-01-02T15:04:05.000Z"

// AppendText appends the contract's form of t to b. It never fails.
func (t Timestamp) AppendText(b []byte) ([]byte, error) {
	return t.Time().AppendFormat(b, timestampLayout), nil
}

// MarshalText serves encoding/json; the result is the contract's form.
func (t Timestamp) MarshalText() ([]byte, error) {
	return t.AppendText(make([]byte, 0, len(timestampLayout)))
}

// UnmarshalText reads the contract's form.
func (t *Timestamp) UnmarshalText(text []byte) error {
	at, err := time.Parse(timestampLayout, string(text))
	if err != nil {
		return err
	}
	*t = TimestampOf(at)
	return nil
}

func (t Timestamp) String() string { return t.Time().Format(timestampLayout) }

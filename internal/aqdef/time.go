package aqdef

import (
	"fmt"
	"time"
)

const timeLayout = "02.01.2006/15:04:05"

// FormatTime formats a time for K0004, as wall clock time in the zone of the time.
func FormatTime(at time.Time) string { return at.Format(timeLayout) }

// timeLayouts are the formats in which programs write K0004. It has no format with slashes, because that would not show which part is the
// month.
var timeLayouts = [...]string{
	"2.1.2006/15:04:05", "2.1.2006/15:04", "2.1.06/15:04:05", "2.1.06/15:04", "2.1.2006 15:04:05", "2.1.2006 15:04",
	"2006-1-2/15:04:05", "2006-1-2/15:04", "2006-1-2 15:04:05", "2006-1-2 15:04", "2006-1-2T15:04:05",
}

// Clock returns the wall clock's time of the measurement, in the form of FormatTime. It is "" for a value without a time.
func (v *Value) Clock() (string, error) {
	if v.Time == "" {
		return "", nil
	}
	wall, err := v.wall()
	return wall.Format(timeLayout), err
}

// wall returns the time as if it were UTC.
func (v *Value) wall() (time.Time, error) {
	for _, layout := range timeLayouts {
		if at, err := time.Parse(layout, v.Time); err == nil {
			return at, nil
		}
	}
	return time.Time{}, &LineError{v.Line, fmt.Sprintf("K0004 is %q, and not a time such as 26.11.2026/10:00:00", cut(v.Time))}
}

// Measured returns the time of the value in a zone; the zero time if the value has none. It refuses a time that the clocks of the zone
// skipped or showed twice.
func (v *Value) Measured(zone *time.Location) (time.Time, error) {
	if v.Time == "" {
		return time.Time{}, nil
	}
	wall, err := v.wall()
	if err != nil {
		return wall, err
	}
	const day = 24 * time.Hour
	var found []time.Time
	for _, near := range []time.Time{wall.Add(-day), wall.Add(day)} {
		_, offset := near.In(zone).Zone()
		at := wall.Add(-time.Duration(offset) * time.Second).In(zone)
		if FormatTime(at) == FormatTime(wall) && (len(found) == 0 || !at.Equal(found[0])) {
			found = append(found, at)
		}
	}
	if len(found) != 1 {
		return time.Time{}, &LineError{v.Line, fmt.Sprintf("K0004 is %s, which the clocks of %s showed %d times", v.Time, zone, len(found))}
	}
	return found[0], nil
}

package backup

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Keep is the rule for which good backups stay. The newest always stays. With the zero value all stay.
type Keep struct {
	Count int   // the number of newest backups that stay, if there are no ages
	Ages  []Age // the newest backup of each day, week and so on, for a number of these
}

// Age is a number of units of time, in each of which one backup stays.
type Age struct {
	Count int
	Unit  time.Duration
}

const (
	day  = 24 * time.Hour
	week = 7 * day
)

var errKeep = errors.New("must be a number of backups such as 14, or ages such as 14d,12w (h, d and w)")

func keepUnits() map[string]time.Duration {
	return map[string]time.Duration{"h": time.Hour, "d": day, "w": week}
}

// UnmarshalText parses "14", or ages such as "14d,12w". It accepts a negative count, with which all stay; the caller must refuse it.
func (k *Keep) UnmarshalText(text []byte) error {
	*k = Keep{}
	if count, err := strconv.Atoi(string(text)); err == nil {
		k.Count = count
		return nil
	}
	for part := range strings.SplitSeq(string(text), ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			return errKeep
		}
		unit, known := keepUnits()[part[len(part)-1:]]
		count, err := strconv.Atoi(part[:len(part)-1])
		const most = 100_000
		if err != nil || count < 1 || count > most || !known {
			return errKeep
		}
		k.Ages = append(k.Ages, Age{count, unit})
	}
	return nil
}

// String returns the form that UnmarshalText parses.
func (k Keep) String() string {
	if len(k.Ages) == 0 {
		return strconv.Itoa(k.Count)
	}
	var parts []string
	for _, age := range k.Ages {
		for letter, unit := range keepUnits() {
			if age.Unit == unit {
				parts = append(parts, strconv.Itoa(age.Count)+letter)
			}
		}
	}
	return strings.Join(parts, ",")
}

// old returns the backups to remove. A count applies to scheduled backups and to backups by hand separately. With ages, backups by hand are
// removed after the longest age. The given backups are sorted, newest first.
func (k Keep) old(backups []Manifest, now time.Time) []Manifest {
	var scheduled, byHand, old []Manifest
	for _, one := range backups {
		if one.ByHand {
			byHand = append(byHand, one)
		} else {
			scheduled = append(scheduled, one)
		}
	}
	switch {
	case len(k.Ages) > 0:
		old = append(k.outlived(scheduled, now), k.expired(byHand, now)...)
	case k.Count > 0:
		old = slices.Concat(scheduled[min(k.Count, len(scheduled)):], byHand[min(k.Count, len(byHand)):])
	}
	return old
}

func (k Keep) outlived(backups []Manifest, now time.Time) (old []Manifest) {
	type span struct {
		unit   time.Duration
		number int64
	}
	has := map[span]bool{}
	for i, one := range backups {
		at, err := time.Parse(time.RFC3339, one.TakenAt)
		stays := i == 0 || err != nil
		for _, age := range k.Ages {
			const monday = 4 * day // the first Monday after the epoch, because weeks begin on Monday
			in := span{age.Unit, int64(at.Sub(time.Unix(0, 0).Add(monday)) / age.Unit)}
			if now.Sub(at) < time.Duration(age.Count)*age.Unit && !has[in] {
				has[in], stays = true, true
			}
		}
		if !stays {
			old = append(old, one)
		}
	}
	return old
}

func (k Keep) expired(backups []Manifest, now time.Time) (old []Manifest) {
	longest := time.Duration(0)
	for _, age := range k.Ages {
		longest = max(longest, time.Duration(age.Count)*age.Unit)
	}
	for i, one := range backups {
		if at, err := time.Parse(time.RFC3339, one.TakenAt); i > 0 && err == nil && now.Sub(at) >= longest {
			old = append(old, one)
		}
	}
	return old
}

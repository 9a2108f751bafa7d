package notify

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/notice"
	"github.com/routecard/routecard/views"
)

// LowDisk is a folder of the service with too little free space.
type LowDisk struct {
	Folder string
	Free   string // the free space, for people
}

// Sources report the state of the service. A nil function reports nothing.
type Sources struct {
	Backup func() string // the reason why the last backup failed; "" if it did not fail
	Trail  func() string // how the trail differs from what was sealed; "" if it does not
	Disks  func() []LowDisk
	Host   string // the name of this machine
	// Held returns the groups of units on hold, longest on hold first.
	Held func(ctx context.Context, limit int) ([]views.HeldBatch, error)
}

// finder finds the causes of a kind.
type finder struct {
	every time.Duration // the interval between two searches
	find  func(ctx context.Context, n *Notifier, settings notice.Settings, now ident.Timestamp) ([]notice.Cause, error)
}

// Intervals of searches: in the state of the process, and in the database.
const (
	stateEvery    = time.Minute
	databaseEvery = 10 * time.Minute
)

// finders has a row for each of notice.Kinds.
func finders() map[notice.Kind]finder {
	return map[notice.Kind]finder{
		notice.TrailAltered:  {stateEvery, alteredTrail},
		notice.BackupFailed:  {stateEvery, failedBackup},
		notice.DiskFull:      {stateEvery, lowDisks},
		notice.InstrumentDue: {databaseEvery, dueInstruments},
		notice.UnitsHeld:     {databaseEvery, heldUnits},
	}
}

func alteredTrail(_ context.Context, n *Notifier, _ notice.Settings, _ ident.Timestamp) ([]notice.Cause, error) {
	return stated(n.options.Sources.Trail, "trail", "/audit/ledger"), nil
}

func failedBackup(_ context.Context, n *Notifier, _ notice.Settings, _ ident.Timestamp) ([]notice.Cause, error) {
	return stated(n.options.Sources.Backup, "backup", "/audit/ledger"), nil
}

// stated returns the cause that a part of the service reports, if any.
func stated(source func() string, key, page string) []notice.Cause {
	if source == nil {
		return nil
	}
	text := source()
	if text == "" {
		return nil
	}
	return []notice.Cause{{Key: key, Detail: shortened(text), Path: page}}
}

func lowDisks(_ context.Context, n *Notifier, _ notice.Settings, _ ident.Timestamp) (found []notice.Cause, _ error) {
	if n.options.Sources.Disks == nil {
		return nil, nil
	}
	for _, disk := range n.options.Sources.Disks() {
		name := n.options.Sources.Host + ":" + disk.Folder
		found = append(found, notice.Cause{Key: name, Name: name, Detail: disk.Free})
	}
	return found, nil
}

// dueInstruments finds the instruments that need a calibration within the days of the settings. An instrument that failed its calibration
// is out of use and no longer due.
func dueInstruments(ctx context.Context, n *Notifier, settings notice.Settings, now ident.Timestamp) (found []notice.Cause, err error) {
	last := now.Time().In(n.options.Service.Zone()).AddDate(0, 0, int(settings.DueDays)).Format(input.DateLayout)
	err = n.options.Service.Read(ctx, func(tx shop.Reader) error {
		for instrument, err := range tx.Instruments("") {
			if err != nil {
				return err
			}
			if instrument.DueDate == "" || instrument.DueDate > last || instrument.At(now).State == shop.InstrumentFailed {
				continue
			}
			found = append(found, notice.Cause{
				Key: instrument.ID, Name: instrument.Number, Detail: instrument.Name, Day: instrument.DueDate,
				Path: "/instruments/" + instrument.ID,
			})
		}
		return nil
	})
	return found, err
}

// heldAtMost is the number of groups of units that one search returns.
const heldAtMost = 1000

func heldUnits(ctx context.Context, n *Notifier, settings notice.Settings, now ident.Timestamp) (found []notice.Cause, err error) {
	if n.options.Sources.Held == nil {
		return nil, nil
	}
	held, err := n.options.Sources.Held(ctx, heldAtMost)
	if err != nil {
		return nil, err
	}
	zone := n.options.Service.Zone()
	since := ident.TimestampOf(now.Time().Add(-time.Duration(settings.HeldDays) * 24 * time.Hour))
	for _, group := range held {
		if group.Since > since {
			continue
		}
		digest := sha256.Sum256([]byte(group.Reason)) // a reason may be long
		page := "/serials/" + group.First
		if group.NonconformanceID != "" {
			page = "/nonconformances/" + group.NonconformanceID
		}
		found = append(found, notice.Cause{
			Key: group.NonconformanceID + "/" + hex.EncodeToString(digest[:16]), Name: cut(oneLine(group.Reason)), Detail: group.First,
			Day: notice.DayOf(group.Since, zone), Count: group.Units, Path: page,
		})
	}
	return found, nil
}

// cut shortens the name of a cause.
func cut(text string) string {
	const most = 200
	if letters := []rune(text); len(letters) > most {
		return string(letters[:most-1]) + "…"
	}
	return text
}

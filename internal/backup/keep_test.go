package backup_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/sqlstore"
)

func TestKeepReads(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]backup.Keep{
		"0": {}, "14": {Count: 14}, "14d,12w": {Ages: []backup.Age{{14, 24 * time.Hour}, {12, 168 * time.Hour}}}, "6h": {Ages: []backup.Age{{6, time.Hour}}},
	} {
		var got backup.Keep
		if err := got.UnmarshalText([]byte(text)); err != nil || got.Count != want.Count || !slices.Equal(got.Ages, want.Ages) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "14x", "d", "0d", "14d,", "1.5d"} {
		if err := new(backup.Keep).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// Scheduled backups stay, however many backups are requested by hand.
func TestByHandCountsNothingOut(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.work(func(store sqlstore.Store) { s.append(store, "ann", 1) })
	var kept []string
	for range 2 {
		made, err := s.take(2)
		s.must(err)
		kept = append(kept, made.File)
	}
	for range 5 {
		s.clock = s.clock.Add(time.Second)
		_, err := backup.Take(t.Context(), backup.Options{
			Database: s.file, Folder: s.folder, Keep: backup.Keep{Count: 2}, Version: "test", Now: s.clock, ByHand: true,
		})
		s.must(err)
	}
	listed, err := backup.List(s.folder)
	s.must(err)
	byHand := 0
	for _, one := range listed {
		if one.ByHand {
			byHand++
		} else if !slices.Contains(kept, one.File) {
			t.Errorf("%s", one.File)
		}
	}
	if len(listed) != 4 || byHand != 2 {
		t.Errorf("%d are left, %d of them made by hand", len(listed), byHand)
	}
}

func TestKeepAges(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.work(func(store sqlstore.Store) { s.append(store, "ann", 1) })
	var keep backup.Keep
	s.must(keep.UnmarshalText([]byte("3d,3w")))
	s.clock = time.Date(2026, 1, 1, 3, 0, 0, 0, time.UTC) // a Thursday
	for range 60 {
		_, err := backup.Take(t.Context(), backup.Options{Database: s.file, Folder: s.folder, Keep: keep, Version: "test", Now: s.clock})
		s.must(err)
		s.clock = s.clock.Add(12 * time.Hour)
	}
	listed, err := backup.List(s.folder)
	s.must(err)
	var days []string
	for _, one := range listed {
		days = append(days, one.TakenAt)
	}
	want := []string{"2026-01-30T15:00:00Z", "2026-01-29T15:00:00Z", "2026-01-28T15:00:00Z", "2026-01-25T15:00:00Z", "2026-01-18T15:00:00Z",
		"2026-01-11T15:00:00Z"}
	if !slices.Equal(days, want) {
		t.Errorf("there are %q", days)
	}
}

// The work after a backup is reported: the backup is passed to a command, and a failure degrades the service until the next one.
func TestAfterBackup(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.work(func(store sqlstore.Store) { s.append(store, "ann", 1) })
	command, moved := filepath.Join(t.TempDir(), "after"), filepath.Join(t.TempDir(), "moved")
	s.must(os.WriteFile(command, []byte("#!/bin/sh\ncp \"$1\" "+moved+"/ || { echo full >&2; exit 3; }\n"), 0o700)) //nolint:gosec // it is run
	keeper := backup.NewKeeper(backup.Options{Database: s.file, Folder: s.folder, After: command}, time.Hour, time.Now, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { keeper.Run(ctx); close(done) }()
	await := func(count int) backup.Standing {
		t.Helper()
		for until := time.Now().Add(time.Minute); time.Now().Before(until); <-time.After(time.Millisecond) {
			standing, err := keeper.Standing()
			s.must(err)
			if len(standing.Backups) == count && !standing.Running {
				return standing
			}
		}
		t.Fatal("no backup was made")
		return backup.Standing{}
	}
	standing := await(1)
	if standing.Backups[0].ByHand || keeper.Failed() != 1 || !strings.Contains(keeper.Degraded(), "backup: --after-backup "+command+": exit status 3") {
		t.Errorf("%+v, %d failed, %q", standing, keeper.Failed(), keeper.Degraded())
	}
	s.must(os.Mkdir(moved, 0o700))
	keeper.Start()
	standing = await(2)
	if !standing.Backups[0].ByHand || keeper.Degraded() != "" || keeper.Failed() != 1 {
		t.Errorf("%+v, %q", standing, keeper.Degraded())
	}
	if _, err := os.Stat(filepath.Join(moved, standing.Backups[0].File)); err != nil {
		t.Error(err)
	}
	s.must(os.Rename(s.file, s.file+".gone"))
	keeper.Start()
	for until := time.Now().Add(time.Minute); keeper.Degraded() == "" && time.Now().Before(until); <-time.After(time.Millisecond) {
	}
	if keeper.Failed() != 2 {
		t.Errorf("%d failed, %q", keeper.Failed(), keeper.Degraded())
	}
	stop()
	<-done
}

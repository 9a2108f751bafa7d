package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/routecard/routecard/internal/sqlstore"
)

// Limits for the report about a disk.
const (
	leastFree = 256 << 20              // with less space, a backup or a log may fail
	slowSync  = 100 * time.Millisecond // every change waits for a sync
	syncTimes = 9
	pageBytes = 4096
)

// lookAtDisk reports the free space where the service writes, and how long the disk of the database takes to sync a page.
func (c *doctorCommand) lookAtDisk(_ context.Context, found *check) {
	if sqlstore.IsPostgres(c.Database) {
		found.sayf(noted, "The disk of a PostgreSQL server is not seen here.")
	}
	for _, one := range foldersOf(c.Database, c.Files, c.BackupDir) {
		what, folder := one[0], one[1]
		room, err := roomIn(folder)
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			found.sayf(noted, "%s: this system is not asked how much room there is.", what)
		case err != nil:
			v := unknown
			if errors.Is(err, fs.ErrNotExist) {
				v = wrongNow
			}
			found.sayf(v, "%s: the folder %s cannot be used: %v", what, folder, err)
			continue
		default:
			found.value(what+"FreeBytes", room.free)
			found.value(what+"TotalBytes", room.total)
			v, needed := room.verdict()
			found.sayf(v, "%s: %s of %s are free in %s%s.", what, bytesText(room.free), bytesText(room.total), folder, needed)
		}
		if room.network != "" {
			found.sayf(wrongNow, "%s: %s is on a network file system (%s), "+
				"which does not guarantee the locks and the writing that a database needs.", what, folder, room.network)
		}
		if what != "database" {
			continue
		}
		median, slowest, err := syncTime(folder)
		if err != nil {
			v := unknown
			if errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOSPC) {
				v = wrongNow // the service cannot write there either
			}
			found.sayf(v, "%s: how fast the disk is cannot be measured: %v", what, err)
			continue
		}
		found.value("syncMedianMicroseconds", median.Microseconds())
		found.value("syncSlowestMicroseconds", slowest.Microseconds())
		v := allWell
		if median > slowSync {
			v = noted
		}
		found.sayf(v, "%s: the disk keeps a page in %s (the median of %d; the slowest %s). Each change waits for one.", what,
			median.Round(time.Microsecond), syncTimes, slowest.Round(time.Microsecond))
	}
}

// room is the size and the free space of a file system.
type room struct {
	free, total int64
	network     string // the kind of network file system, "" for a local one
}

// verdict also returns how much space must be free, as the end of a sentence; "" if enough is free.
func (r room) verdict() (v verdict, needed string) {
	switch {
	case r.free < leastFree:
		return wrongNow, ": at least " + bytesText(leastFree) + " have to be"
	case r.free < r.total/10:
		return noted, ": " + bytesText(r.total/10) + ", a tenth, should be"
	}
	return allWell, ""
}

// syncTime measures how long writes of one page to a new file in a folder take until they are on disk. The file is removed afterwards.
func syncTime(folder string) (median, slowest time.Duration, err error) {
	file, err := os.CreateTemp(folder, ".routecard-doctor-*")
	if err != nil {
		return 0, 0, err
	}
	gone := os.Remove(file.Name()) // if the system can remove an open file, no file remains even after a crash
	defer func() {
		err = errors.Join(err, file.Close())
		if gone != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	page := make([]byte, pageBytes)
	var took []time.Duration
	for i := range syncTimes {
		begun := time.Now()
		if _, err := file.WriteAt(page, int64(i)*pageBytes); err != nil {
			return 0, 0, err
		}
		if err := file.Sync(); err != nil {
			return 0, 0, err
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	return took[len(took)/2], took[len(took)-1], nil
}

// bytesText formats a size for people.
func bytesText(size int64) string {
	for _, unit := range []struct {
		name string
		size int64
	}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if size >= unit.size {
			return fmt.Sprintf("%.1f %s", float64(size)/float64(unit.size), unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", size)
}

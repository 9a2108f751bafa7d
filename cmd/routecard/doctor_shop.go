package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// clockApart is the time by which the newest entry may lie in the future. If it lies further ahead, the clock counts as wrong.
const clockApart = time.Minute

// missing reports whether there is no database file yet.
func (c *doctorCommand) missing() bool {
	if sqlstore.IsPostgres(c.Database) {
		return false
	}
	_, err := os.Stat(c.Database)
	return errors.Is(err, fs.ErrNotExist)
}

// lookAtDatabase reads a few rows of the database, and reports its size.
func (c *doctorCommand) lookAtDatabase(ctx context.Context, now time.Time, found *check) {
	name := sqlstore.Redacted(c.Database)
	found.value("database", name)
	if c.missing() {
		will := "; a start of the service makes it"
		if _, err := os.Stat(filepath.Dir(c.Database)); err != nil {
			will = "" // lookAtDisk reports the reason
		}
		found.sayf(unknown, "%s does not exist%s. Is --database right?", name, will)
		return
	}
	size, log := sqlstore.FileSizes(c.Database)
	if !sqlstore.IsPostgres(c.Database) {
		found.value("bytes", size)
		found.value("logBytes", log)
		name += " (" + bytesText(size) + ", its log " + bytesText(log) + ")"
	}
	var entries int64
	var newest ident.Timestamp
	var prefix ident.Prefix
	if err := sqlstore.ReadOnly(ctx, c.Database, func(tx shop.Reader) (err error) {
		prefix = tx.SerialPrefix()
		if entries, err = tx.LastAuditSequence(); err != nil || entries == 0 {
			return err
		}
		last, err := tx.AuditAfter(entries-1, 1)
		if err == nil && len(last) == 1 {
			newest = last[0].Timestamp
		}
		return err
	}); err != nil {
		v := unknown
		if errors.Is(err, migrations.ErrTooOld) {
			v = wrongNow
		}
		found.sayf(v, "%v", err)
		return
	}
	if !sqlstore.IsPostgres(c.Database) {
		if err := sqlstore.Writable(c.Database); err != nil {
			found.sayf(wrongNow, "%v", err)
		}
	}
	found.value("entries", entries)
	found.sayf(allWell, "%s can be read, and has %d audit entries.", name, entries)
	found.value("serialPrefix", prefix)
	if wanted := ident.Prefix(c.SerialPrefix); wanted != "" && wanted != prefix {
		found.sayf(wrongNow, "The identifiers of units begin with %s, and --serial-prefix is %s: the service does not start.",
			prefix.Mark(), wanted)
	} else {
		found.sayf(allWell, "The identifiers of units begin with %s.", prefix.Mark())
	}
	if sqlstore.IsPostgres(c.Database) {
		c.lookAtReplication(ctx, found)
		c.lookAtStandbys(ctx, found)
	}
	if entries == 0 {
		return
	}
	found.value("newestEntry", newest.String())
	if ahead := newest.Time().Sub(now); ahead > clockApart {
		found.sayf(wrongNow, "The newest entry is of %s, %s in the future: this clock is wrong, or it was.",
			newest, ahead.Round(time.Second))
	}
}

// lookAtReplication reports the number of servers that have an acknowledged write.
func (c *doctorCommand) lookAtReplication(ctx context.Context, found *check) {
	copies, err := sqlstore.ReplicationOf(ctx, c.Database)
	if err != nil {
		found.sayf(unknown, "%v", err)
		return
	}
	if copies.Standby {
		found.sayf(noted, "The server is a standby: it takes no writes.")
		return
	}
	found.value("synchronousCommit", copies.Commit)
	found.value("synchronousStandbyNames", copies.Names)
	if copies.Seen {
		found.value("synchronousStandbys", copies.Synchronous)
	}
	switch {
	case copies.Names == "":
		found.sayf(noted, "No standby is synchronous, since synchronous_standby_names is empty: writes are lost with this server.")
	case copies.Commit == "local" || copies.Commit == "remote_write":
		found.sayf(noted, "synchronous_commit is %s: responses do not wait until a write is on the disk of a standby.", copies.Commit)
	case !copies.Seen:
		found.sayf(noted, "synchronous_commit is %s, synchronous_standby_names is %s. How many standbys are synchronous "+
			"can be seen by members of pg_monitor only.", copies.Commit, copies.Names)
	case copies.Synchronous == 0:
		found.sayf(wrongNow, "No synchronous standby is connected: writes wait. synchronous_standby_names is %s.", copies.Names)
	default:
		found.sayf(allWell, "Synchronous standbys: %d. synchronous_commit is %s, synchronous_standby_names is %s.",
			copies.Synchronous, copies.Commit, copies.Names)
	}
}

// lookAtLedger reports how much of the trail is sealed. routecard verify proves it.
func (c *doctorCommand) lookAtLedger(ctx context.Context, now time.Time, found *check) {
	keys := keyFiles(c.Database, c.LedgerKeyFile)
	switch {
	case c.Ledger == "off" || len(keys) == 0:
		found.sayf(noted, "It is off: nothing proves that the trail was not changed.")
		return
	case c.missing():
		found.sayf(unknown, "There is no database.")
		return
	}
	var log shop.LedgerTree
	var sealed shop.LedgerCheckpoint
	var behind int64
	var waiting ident.Timestamp // the time of the oldest entry that is not sealed
	err := sqlstore.ReadOnly(ctx, c.Database, func(tx shop.Reader) (err error) {
		if log, err = tx.LedgerTree(); err != nil {
			return err
		}
		if sealed, err = tx.LastLedgerCheckpoint(log.Number); err != nil && !errors.Is(err, shop.ErrNoRecord) {
			return err
		}
		newest, err := tx.LastAuditSequence()
		if behind = max(0, newest-sealed.Size); err != nil || behind == 0 {
			return err
		}
		next, err := tx.AuditAfter(sealed.Size, 1)
		if err == nil && len(next) == 1 {
			waiting = next[0].Timestamp
		}
		return err
	})
	switch {
	case errors.Is(err, shop.ErrNoRecord):
		found.sayf(noted, "It is not begun yet; a start of the service begins it.")
		return
	case err != nil:
		found.sayf(unknown, "%v", err)
		return
	}
	lookAtKeys(keys, found)
	found.value("origin", log.Origin)
	found.value("sealed", sealed.Size)
	found.value("behind", behind)
	if sealed.Size == 0 {
		found.sayf(allWell, "%s has sealed nothing yet.", log.Origin)
	} else {
		found.sayf(allWell, "%s has sealed %d entries, the last time at %s; routecard verify proves them.",
			log.Origin, sealed.Size, sealed.SealedAt)
	}
	late := 2*c.LedgerInterval + time.Minute
	if waited := now.Sub(waiting.Time()); behind > 0 && waited > late {
		v := noted // the next start seals the entries
		if c.answers {
			v = wrongNow
		}
		found.sayf(v, "%d entries are not sealed, the oldest since %s.", behind, waited.Round(time.Second))
	} else if behind > 0 {
		found.sayf(allWell, "%d entries are not sealed yet.", behind)
	}
}

// lookAtKeys reports whether the private keys of an existing ledger exist.
func lookAtKeys(files []string, found *check) {
	for _, file := range files {
		_, err := os.Stat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			found.sayf(wrongNow, "The private key %s cannot be found: %v", file, err)
		case err != nil:
			found.sayf(unknown, "The private key %s cannot be looked at: %v", file, err)
		}
	}
}

// backupsMade returns the good backups, the newest first.
func (c *doctorCommand) backupsMade(ctx context.Context) ([]backup.Manifest, error) {
	bucket, err := c.backupBucket("--backup-dir", c.BackupDir)
	if err != nil {
		return nil, err
	}
	if bucket == nil {
		if _, err := os.ReadDir(c.BackupDir); err != nil {
			return nil, err
		}
	}
	options := backup.Options{Folder: c.BackupDir, Bucket: bucket}
	return options.List(ctx)
}

// lookAtBackups reports the age of the newest good backup.
func (c *doctorCommand) lookAtBackups(ctx context.Context, now time.Time, found *check) {
	switch {
	case sqlstore.IsPostgres(c.Database):
		found.sayf(noted, "A PostgreSQL server has backups of its own, which are not seen here (see docs/postgres.md).")
		return
	case c.BackupDir == "":
		found.sayf(noted, "The service makes none by itself; --backup-dir names a folder for them.")
		return
	}
	made, err := c.backupsMade(ctx)
	if err != nil {
		found.sayf(unknown, "%v", err)
		return
	}
	found.value("count", len(made))
	if len(made) == 0 {
		v := noted // the next start makes a backup
		if c.answers {
			v = wrongNow
		}
		found.sayf(v, "%s has no good backup.", c.BackupDir)
		return
	}
	newest := made[0]
	found.value("newest", newest)
	at, err := time.Parse(time.RFC3339, newest.TakenAt)
	if err != nil {
		found.sayf(unknown, "%s: %v", newest.File, err)
		return
	}
	age := now.Sub(at).Round(time.Second)
	found.sayf(allWell, "Good backups in %s: %d. The newest, %s with %s, is %s old.", c.BackupDir, len(made), newest.File,
		bytesText(newest.Bytes), age)
	for _, known := range newest.Findings {
		found.sayf(noted, "It has what is known to be wrong with the trail's past: %s", known)
	}
	if age > 2*c.BackupEvery {
		found.sayf(wrongNow, "There should be one every %s.", c.BackupEvery)
	}
}

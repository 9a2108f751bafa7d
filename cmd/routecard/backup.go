package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sqlstore"
)

type backupCommand struct {
	Database string      `help:"The database file; a service may have it open." required:"true" placeholder:"FILE"`
	To       string      `help:"Folder to write the backup to." required:"true" placeholder:"FOLDER"`
	Keep     backup.Keep `help:"Which backups to keep: a number, or ages such as 14d,12w. 0 keeps all." default:"0"`
	placeSettings
}

// Run makes a backup.
func (c *backupCommand) Run(w *world) error {
	if info, err := os.Stat(c.To); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", c.To)
	}
	place, err := c.place(c.Database)
	if err != nil {
		return wrongSettings(err)
	}
	made, err := backup.Take(w.ctx, backup.Options{
		Database: c.Database, Files: place, Folder: c.To, Keep: c.Keep, Version: version(), Now: time.Now(),
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w.stdout, "%s\n%d bytes, checked; last serial %s, last entry %s\n",
		filepath.Join(c.To, made.File), made.Bytes, orNone(made.LastSerial), orNone(made.LastEntry))
	if err == nil && made.Files.Count > 0 {
		_, err = fmt.Fprintf(w.stdout, "%d files with %d bytes, checked\n", made.Files.Count, made.Files.Bytes)
	}
	return err
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// backupSettings are the flags for backups that the service makes by itself.
type backupSettings struct {
	BackupDir   string        `help:"Folder for scheduled backups of the database file. Default: no backups." placeholder:"FOLDER"`
	BackupEvery time.Duration `help:"Time between two backups." default:"24h"`
	BackupKeep  backup.Keep   `help:"Which backups to keep: a number, or ages such as 14d,12w. 0 keeps all." default:"14"`
	AfterBackup string        `help:"Command to run after each backup. Its argument is the path of the backup." placeholder:"COMMAND"`
}

// check validates the settings.
func (s *backupSettings) check(database string) error {
	if s.BackupDir == "" {
		return nil
	}
	info, err := os.Stat(s.BackupDir)
	switch {
	case sqlstore.IsPostgres(database):
		return errors.New("--backup-dir is for a database file; a PostgreSQL server has backups of its own (see docs/postgres.md)")
	case err != nil || !info.IsDir():
		return fmt.Errorf("--backup-dir %s is not a folder", s.BackupDir)
	case s.BackupEvery < time.Minute:
		return errors.New("--backup-every must be at least 1m")
	}
	if s.BackupKeep.Count < 0 {
		return errors.New("--backup-keep must not be negative")
	}
	probe, err := os.CreateTemp(s.BackupDir, ".routecard-*")
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		err = failure.Err // its path is of no interest
	}
	if err != nil {
		return fmt.Errorf("--backup-dir %s cannot be written: %w", s.BackupDir, err)
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return fmt.Errorf("--backup-dir %s: %w", s.BackupDir, err)
	}
	if s.AfterBackup != "" {
		if _, err := exec.LookPath(s.AfterBackup); err != nil {
			return fmt.Errorf("--after-backup: %w", err)
		}
	}
	return nil
}

// keeper makes backups; nil for none.
func (s *backupSettings) keeper(database string, place files.Place, logger *slog.Logger) *backup.Keeper {
	if s.BackupDir == "" {
		return nil
	}
	return backup.NewKeeper(backup.Options{
		Database: database, Files: place, Folder: s.BackupDir, Keep: s.BackupKeep, Version: version(), After: s.AfterBackup,
	}, s.BackupEvery, time.Now, logger)
}

// backupTrouble reports the troubles of a keeper for the health of the service.
func backupTrouble(keeper *backup.Keeper) func() string {
	if keeper == nil {
		return nil
	}
	return keeper.Degraded
}

// startBackups runs a keeper alongside the service, until stop.
func startBackups(ctx context.Context, keeper *backup.Keeper) (stop func()) {
	if keeper == nil {
		return func() {}
	}
	running, end := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() { keeper.Run(running) })
	return func() {
		end()
		done.Wait()
	}
}

type restoreCommand struct {
	From            string   `help:"Backup to restore: a .db file with its .json file in the same folder." required:"true" placeholder:"FILE"`
	WithoutManifest bool     `help:"Accept a copy that another program created, such as sqlite3 with .backup."`
	KeepCredentials bool     `help:"Keep sessions, tokens and secrets as they were in the backup. Requires --reason."`
	Reason          string   `help:"Why they are kept. The audit trail records it."`
	To              string   `help:"New database file. It must not exist." required:"true" placeholder:"FILE"`
	Files           string   `help:"Folder to restore files to. Default: next to the database." placeholder:"FOLDER"`
	SkipSerials     int64    `help:"How many serial numbers to skip, since labels may have been printed after the backup." default:"10000"`
	User            string   `help:"Person who restores it, for the audit trail." default:"administrator"`
	LedgerKeyFile   []string `help:"Files with the ledger's private keys. Default: next to the database." placeholder:"FILE"`
	logSettings
}

// Run restores a backup.
func (c *restoreCommand) Run(w *world) error {
	logger, err := c.logger(w.stderr)
	if err != nil {
		return err
	}
	if c.SkipSerials < 0 {
		return wrongSettings(errors.New("--skip-serials must not be negative"))
	}
	reason := strings.TrimSpace(c.Reason)
	if c.KeepCredentials != (reason != "") {
		return wrongSettings(errors.New("--keep-credentials and --reason belong together"))
	}
	done, err := backup.Restore(w.ctx, backup.Restoration{
		From: c.From, To: c.To, Files: c.Files, Skip: c.SkipSerials, KeyFiles: keyFiles(c.To, c.LedgerKeyFile), User: c.User,
		WithoutManifest: c.WithoutManifest, KeepCredentials: reason, Clock: time.Now, Logger: logger,
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w.stdout, "%s is the shop as of %s, up to %s.\n", c.To, done.Manifest.TakenAt, orNone(done.Manifest.LastEntry))
	if done.Files.Count > 0 {
		fmt.Fprintf(w.stdout, "%d files with %d bytes came with it.\n", done.Files.Count, done.Files.Bytes)
	}
	if done.Next != "" {
		fmt.Fprintf(w.stdout, "The next serial is %s.\n", done.Next)
	}
	if c.KeepCredentials {
		fmt.Fprintln(w.stdout, "Sessions, tokens and secrets are as the backup has them, also those that were revoked since.")
	} else if len(done.Active) > 0 {
		fmt.Fprintf(w.stdout, "Ended: %d sessions, %d tokens. %d passwords, PINs and badges have to be replaced.\n",
			done.Told.SessionsEnded, done.Told.TokensRevoked, done.Told.SecretsExpired)
	}
	if len(done.Active) > 0 {
		fmt.Fprintf(w.stdout, "Look at stations, and at who was made inactive or lost a role after %s. Active now:\n",
			done.Manifest.TakenAt)
		for _, login := range done.Active {
			fmt.Fprintf(w.stdout, "- %s\n", login)
		}
	}
	switch {
	case done.Anew:
		fmt.Fprintf(w.stdout, "The ledger begins anew as %s: what was signed after the backup is not in it.\n", done.Origin)
	case done.Origin != "":
		fmt.Fprintf(w.stdout, "The ledger %s goes on.\n", done.Origin)
	}
	return nil
}

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
	To       string      `help:"Where to write the backup to: a folder, or s3://bucket/prefix." required:"true" placeholder:"PLACE"`
	Keep     backup.Keep `help:"Which backups to keep: a number, or ages such as 14d,12w. 0 keeps all." default:"0"`
	backupBucketSettings
	placeSettings
}

// backupBucketSettings are the flags for backups in a bucket.
type backupBucketSettings struct {
	BackupEndpoint      string `help:"With backups in s3://: address of the server." placeholder:"URL"`
	BackupAccessKeyFile string `help:"With backups in s3://: file with the access key." placeholder:"FILE"`
	BackupSecretKeyFile string `help:"With backups in s3://: file with the secret key." placeholder:"FILE"`
}

// backupBucket returns the bucket at the S3 address that a flag has; nil for a path.
func (s *backupBucketSettings) backupBucket(flag, address string) (*files.Bucket, error) {
	if !files.IsS3(address) {
		return nil, nil //nolint:nilnil // there is none
	}
	return bucketAt(flag, address, bucketFlags{"--backup", s.BackupEndpoint, s.BackupAccessKeyFile, s.BackupSecretKeyFile})
}

// Run makes a backup.
func (c *backupCommand) Run(w *world) error {
	bucket, err := c.backupBucket("--to", c.To)
	if err != nil {
		return wrongSettings(err)
	}
	if bucket == nil {
		if info, err := os.Stat(c.To); err != nil {
			return err
		} else if !info.IsDir() {
			return fmt.Errorf("%s is not a folder", c.To)
		}
	}
	place, err := c.place(c.Database)
	if err != nil {
		return wrongSettings(err)
	}
	options := backup.Options{
		Database: c.Database, Files: place, Folder: c.To, Bucket: bucket, Keep: c.Keep, Version: version(), Now: time.Now(),
	}
	made, err := backup.Take(w.ctx, options)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w.stdout, "%s\n%d bytes, checked; last serial %s, last entry %s\n",
		options.Address(made.File), made.Bytes, orNone(made.LastSerial), orNone(made.LastEntry))
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
	BackupDir   string        `help:"Where scheduled backups of the database file go: a folder, or s3://bucket/prefix. Default: no backups." placeholder:"PLACE"`
	BackupEvery time.Duration `help:"Time between two backups." default:"24h"`
	BackupKeep  backup.Keep   `help:"Which backups to keep: a number, or ages such as 14d,12w. 0 keeps all." default:"14"`
	AfterBackup string        `help:"Command to run after each backup. Its argument is the path of the backup, or its s3:// address." placeholder:"COMMAND"`
	backupBucketSettings
}

// check validates the settings.
func (s *backupSettings) check(database string) error {
	if s.BackupDir == "" {
		return nil
	}
	switch {
	case sqlstore.IsPostgres(database):
		return errors.New("--backup-dir is for a database file; a PostgreSQL server has backups of its own (see docs/postgres.md)")
	case s.BackupEvery < time.Minute:
		return errors.New("--backup-every must be at least 1m")
	case s.BackupKeep.Count < 0:
		return errors.New("--backup-keep must not be negative")
	}
	bucket, err := s.backupBucket("--backup-dir", s.BackupDir)
	if err != nil {
		return err
	}
	if bucket == nil {
		if err := s.checkFolder(); err != nil {
			return err
		}
	}
	if s.AfterBackup != "" {
		if _, err := exec.LookPath(s.AfterBackup); err != nil {
			return fmt.Errorf("--after-backup: %w", err)
		}
	}
	return nil
}

// checkFolder refuses a folder that cannot be written. A bucket is not checked, because its server may be unavailable for a while.
func (s *backupSettings) checkFolder() error {
	if info, err := os.Stat(s.BackupDir); err != nil || !info.IsDir() {
		return fmt.Errorf("--backup-dir %s is not a folder", s.BackupDir)
	}
	probe, err := os.CreateTemp(s.BackupDir, ".routecard-*")
	if failure, ok := errors.AsType[*fs.PathError](err); ok {
		err = failure.Err // the path of the test file would only confuse
	}
	if err != nil {
		return fmt.Errorf("--backup-dir %s cannot be written: %w", s.BackupDir, err)
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return fmt.Errorf("--backup-dir %s: %w", s.BackupDir, err)
	}
	return nil
}

// keeper returns the keeper that makes backups; nil if backups are off. The settings must have passed check.
func (s *backupSettings) keeper(database string, place files.Place, logger *slog.Logger) (*backup.Keeper, error) {
	if s.BackupDir == "" {
		return nil, nil //nolint:nilnil // there is none
	}
	bucket, err := s.backupBucket("--backup-dir", s.BackupDir)
	if err != nil {
		return nil, err
	}
	return backup.NewKeeper(backup.Options{
		Database: database, Files: place, Folder: s.BackupDir, Bucket: bucket, Keep: s.BackupKeep, Version: version(), After: s.AfterBackup,
	}, s.BackupEvery, time.Now, logger), nil
}

// backupTrouble reports the troubles of a keeper for the health of the service.
func backupTrouble(keeper *backup.Keeper) func() string {
	if keeper == nil {
		return nil
	}
	return keeper.Degraded
}

// startBackups makes a keeper from the settings and runs it in the background until stop is called. keeper is nil if the settings have no
// place for backups.
func (s *backupSettings) startBackups(
	ctx context.Context, database string, place files.Place, logger *slog.Logger,
) (keeper *backup.Keeper, stop func(), err error) {
	keeper, err = s.keeper(database, place, logger)
	if keeper == nil {
		return nil, func() {}, err
	}
	running, end := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() { keeper.Run(running) })
	return keeper, func() {
		end()
		done.Wait()
	}, nil
}

type restoreCommand struct {
	From            string   `help:"Backup to restore: a .db file with its .json file in the same folder, or s3://bucket/prefix for the newest one there, or with its name." required:"true" placeholder:"FILE"`
	WithoutManifest bool     `help:"Accept a copy that another program created, such as sqlite3 with .backup."`
	KeepCredentials bool     `help:"Keep sessions, tokens and secrets as they were in the backup. Requires --reason."`
	Reason          string   `help:"Why they are kept. The audit trail records it."`
	To              string   `help:"New database file. It must not exist." required:"true" placeholder:"FILE"`
	Files           string   `help:"Folder to restore files to. Default: next to the database." placeholder:"FOLDER"`
	SkipSerials     int64    `help:"How many serial numbers to skip, since labels may have been printed after the backup." default:"10000"`
	User            string   `help:"Person who restores it, for the audit trail." default:"administrator"`
	LedgerKeyFile   []string `help:"Files with the ledger's private keys. Default: next to the database." placeholder:"FILE"`
	backupBucketSettings
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
	from, attached, remove, err := c.fetch(w.ctx)
	if err != nil {
		return err
	}
	defer remove()
	done, err := backup.Restore(w.ctx, backup.Restoration{
		From: from, Attached: attached, To: c.To, Files: c.Files, Skip: c.SkipSerials,
		KeyFiles: keyFiles(c.To, c.LedgerKeyFile), User: c.User,
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

// fetch copies a backup from a bucket next to the new database. It returns the file, the place of the attached files, and a function that
// removes the copy. A backup in a folder stays where it is.
func (c *restoreCommand) fetch(ctx context.Context) (file string, attached files.Place, remove func(), err error) {
	address, name := c.From, ""
	if files.IsS3(address) && strings.HasSuffix(address, ".db") {
		cut := strings.LastIndex(address, "/")
		address, name = address[:cut], address[cut+1:]
	}
	bucket, err := c.backupBucket("--from", address)
	if err != nil {
		return "", nil, nil, wrongSettings(err)
	}
	if bucket == nil {
		return c.From, nil, func() {}, nil
	}
	folder, err := os.MkdirTemp(filepath.Dir(c.To), ".routecard-restore-*")
	if err != nil {
		return "", nil, nil, err
	}
	remove = func() { _ = os.RemoveAll(folder) }
	if file, err = backup.Fetch(ctx, bucket, name, folder); err != nil {
		remove()
		return "", nil, nil, err
	}
	return file, backup.FilesIn(bucket), remove, nil
}

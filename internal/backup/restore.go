package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// Restoration are the settings of Restore.
type Restoration struct {
	From     string
	To       string
	Files    string      // the folder that gets the files; "" for the one next to the database
	Attached files.Place // the place of the backup's files; nil for the folder next to it
	Skip     int64       // the number of serial numbers to skip, because they may have been printed after the backup
	KeyFiles []string    // the key files of the ledger
	User     string
	// WithoutManifest accepts a copy without a manifest, made by another tool. Whether such a copy is complete cannot be checked.
	WithoutManifest bool
	// KeepCredentials is the reason for keeping sessions, tokens and secrets valid. If it is "", they are revoked.
	KeepCredentials string
	Clock           func() time.Time
	Logger          *slog.Logger
}

// Restored is the result of Restore.
type Restored struct {
	Manifest Manifest
	Next     string // the next serial
	Origin   string // the name of the ledger; "" without a ledger
	Anew     bool   // whether the ledger restarts
	Told     shop.Restored
	Files    CopiedFiles
	Active   []string // the logins of the active people in the backup, with their roles
}

// Restore restores a backup to a new database. It checks the backup again before it writes anything.
func Restore(ctx context.Context, r Restoration) (done Restored, err error) {
	if err := r.unoccupied(); err != nil {
		return done, err
	}
	if err := r.identify(ctx, &done.Manifest); err != nil {
		return done, err
	}
	if err := Interrupted(r.To); err != nil {
		return done, err
	}
	unfinished := r.To + restoring
	if err := writeSynced(unfinished, nil); err != nil { // fails if another restore begins at the same moment
		return done, err
	}
	renamed := false // once true, the name of the unfinished database may belong to the next restore
	defer func() {
		if !renamed {
			removeSides(unfinished)
			_ = os.Remove(unfinished) // removed last, because after that another restore may begin
		}
	}()
	if err := r.unoccupied(); err != nil { // another restore may have finished since the first check
		return done, err
	}
	examined := r.From
	if errors.Is(tablesKnown(ctx, r.From), migrations.ErrOlder) { // this program verifies only its own tables
		examined = unfinished
		if err := r.bringUpToDate(ctx, unfinished); err != nil {
			return done, err
		}
	}
	if err := r.examine(ctx, examined, &done.Manifest); err != nil {
		return done, err
	}
	if examined == r.From {
		if err := copyFile(ctx, r.From, unfinished); err != nil {
			return done, err
		}
	}
	if err := r.goOn(ctx, unfinished, &done); err != nil {
		return done, err
	}
	if done.Files, err = r.restoreFiles(ctx, unfinished); err != nil {
		return done, err
	}
	removeSides(unfinished)
	if err := os.Rename(unfinished, r.To); err != nil {
		return done, err
	}
	renamed = true
	if err := syncFolder(filepath.Dir(r.To)); err != nil {
		return done, fmt.Errorf("%s is complete, but its folder could not be synced: %w", r.To, err)
	}
	return done, nil
}

// unoccupied returns an error if the database, or a file that would belong to it, already exists.
func (r *Restoration) unoccupied() error {
	for _, end := range []string{"", "-wal", "-shm"} {
		if _, err := os.Stat(r.To + end); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s exists: move it away first, with what lies beside it", r.To+end)
		}
	}
	return nil
}

// removeSides removes the files that belong to an unfinished database. The database itself keeps other restores away from them.
func removeSides(unfinished string) {
	for _, end := range restoringEnds()[1:] {
		_ = os.Remove(unfinished + end)
	}
}

// restoring is the suffix of the name of a database that Restore has not finished.
const restoring = ".restoring"

// restoringEnds returns the suffixes of the names of an unfinished database and of the files that belong to it.
func restoringEnds() []string { return []string{"", "-wal", "-shm", ".lock"} }

// Interrupted returns an error with instructions if a restore of the database was killed.
func Interrupted(database string) error {
	var left []string
	for _, end := range restoringEnds() {
		if _, err := os.Lstat(database + restoring + end); err == nil {
			left = append(left, database+restoring+end)
		}
	}
	if len(left) == 0 {
		return nil
	}
	return fmt.Errorf("a restore of %s did not finish, or is under way: when none is, delete %s and restore again",
		database, strings.Join(left, ", "))
}

// identify checks a backup against its manifest. A copy made by other tools has none.
func (r *Restoration) identify(ctx context.Context, manifest *Manifest) (err error) {
	if r.WithoutManifest {
		for _, end := range []string{"-wal", "-journal"} {
			if _, err := os.Stat(r.From + end); !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("%s lies beside the copy, which is not whole without it: make one with sqlite3's .backup", r.From+end)
			}
		}
		*manifest = Manifest{File: filepath.Base(r.From)}
		return nil
	}
	if *manifest, err = readManifest(manifestOf(r.From)); err != nil {
		return fmt.Errorf("the manifest of the backup (a copy made by other means has none: --without-manifest): %w", err)
	}
	if sum, _, err := digest(ctx, r.From); err != nil {
		return err
	} else if sum != manifest.SHA256 {
		return fmt.Errorf("%s is not what its manifest says: its SHA-256 is %s", r.From, sum)
	}
	return nil
}

// bringUpToDate makes a copy of an older program's backup, with the tables of this program.
func (r *Restoration) bringUpToDate(ctx context.Context, file string) error {
	if err := copyFile(ctx, r.From, file); err != nil {
		return err
	}
	store, err := sqlstore.OpenSQLite(ctx, file, sqlstore.Options{Logger: r.Logger})
	if err != nil {
		return err
	}
	return store.Close()
}

// examine checks the contents of a backup, in its file or in an up-to-date copy of it. If there is no manifest, it fills in one.
func (r *Restoration) examine(ctx context.Context, file string, manifest *Manifest) error {
	if !r.WithoutManifest {
		return new(Manifest).check(ctx, file)
	}
	if err := manifest.check(ctx, file); err != nil {
		return err
	}
	return sqlstore.ReadOnly(ctx, file, func(tx shop.Reader) error { // with a clock that is not before the newest entry
		for entry, err := range tx.AuditEntries(1, 0) {
			if err != nil {
				return err
			}
			manifest.TakenAt = entry.Timestamp.Time().Format(time.RFC3339)
		}
		return nil
	})
}

// credentials revokes the credentials that may have been revoked since the backup, unless KeepCredentials is set.
func (r *Restoration) credentials(tx shop.Tx, told *shop.Restored) (err error) {
	if told.CredentialsKept = r.KeepCredentials; told.CredentialsKept != "" {
		return nil
	}
	ending, ok := tx.(interface {
		EndCredentials(at ident.Timestamp) (sessions, tokens, secrets int64, err error)
	})
	if !ok {
		return errors.New("this database keeps no credentials")
	}
	told.SessionsEnded, told.TokensRevoked, told.SecretsExpired, err = ending.EndCredentials(ident.TimestampOf(r.Clock()))
	return err
}

// forgetUnattached deletes the records of unattached files, because backups do not contain these files.
func forgetUnattached(tx shop.UploadStore) error {
	for {
		dismissed, err := tx.DismissFiles(math.MaxInt64, shop.ChunkSize)
		if err != nil {
			return err
		}
		for _, digest := range dismissed {
			if err := tx.ForgetFile(digest); err != nil {
				return err
			}
		}
		if len(dismissed) < shop.ChunkSize {
			return nil
		}
	}
}

// goOn prepares a copy of a backup for use as the database.
func (r *Restoration) goOn(ctx context.Context, file string, done *Restored) (err error) {
	store, err := sqlstore.OpenSQLite(ctx, file, sqlstore.Options{Logger: r.Logger})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	told := shop.Restored{
		From: filepath.Base(r.From), TakenAt: done.Manifest.TakenAt, LastEntry: done.Manifest.LastEntry,
		LastSerial: done.Manifest.LastSerial, SkippedSerials: r.Skip,
	}
	var log shop.LedgerTree
	if err := store.Update(ctx, func(tx shop.Tx) error {
		if r.Skip > 0 {
			first, err := tx.TakeSerialNumbers(r.Skip)
			if err != nil {
				return err
			}
			done.Next = tx.SerialPrefix().SerialID(first + r.Skip)
		}
		if log, err = tx.LedgerTree(); err != nil && !errors.Is(err, shop.ErrNoRecord) {
			return err
		}
		if err := r.credentials(tx, &told); err != nil {
			return err
		}
		if err := forgetUnattached(tx); err != nil {
			return err
		}
		done.Told = told
		return tx.AppendAudit(shop.DatabaseRestored(told, r.User, ident.TimestampOf(r.Clock())))
	}); err != nil {
		return err
	}
	if err := store.View(ctx, func(tx shop.Reader) error {
		for user, err := range tx.Users() {
			if err != nil {
				return err
			}
			if user.Login != "" && user.Active {
				done.Active = append(done.Active, strings.TrimSpace(user.Login+" "+strings.Join(user.Roles, ",")))
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if log.Number == 0 {
		return nil
	}
	if err := sealer.RemoveMarks(ctx, store, r.KeyFiles); err != nil { // the marks are of the former database
		return err
	}
	config := sealer.Config{Store: store, Clock: r.Clock, Logger: r.Logger, KeyFiles: r.KeyFiles}
	if sealer.Continues(ctx, config) {
		done.Origin = log.Origin
		return nil
	}
	accepted, err := sealer.Accept(ctx, config, "restored from "+told.From+", taken at "+told.TakenAt, r.User)
	done.Origin, done.Anew = accepted.Tree.Origin, true
	return err
}

// restoreFiles restores the files of the backup, next to the database or elsewhere. It does not replace existing files, because equal
// digests mean equal bytes.
func (r *Restoration) restoreFiles(ctx context.Context, database string) (CopiedFiles, error) {
	to := r.Files
	if to == "" {
		to = files.Beside(r.To)
	}
	from := r.Attached
	if from == nil {
		from = files.NewFolder(filesOf(r.From), false)
	}
	return copyFiles(ctx, database, from, to)
}

// copyFile replaces the contents of a file by those of another file.
func copyFile(ctx context.Context, from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_TRUNC|os.O_WRONLY, private)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, reader{ctx, source})
	return errors.Join(err, target.Sync(), target.Close())
}

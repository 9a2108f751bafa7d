// Package backup makes copies of a database file, checks them, and restores them.
//
// A copy is a consistent snapshot, taken while the service runs. Its pages, the references between its rows, its audit
// trail and every serial's row are checked before the copy gets its final name. The manifest is written last: a file
// without a manifest is no backup.
package backup

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// Manifest describes a backup.
type Manifest struct {
	File       string           `json:"file"` // without its folder
	TakenAt    string           `json:"takenAt"`
	Version    string           `json:"version"`          // of the program that made it
	ByHand     bool             `json:"byHand,omitempty"` // whether it was requested
	Bytes      int64            `json:"bytes"`
	SHA256     string           `json:"sha256"`
	Rows       map[string]int64 `json:"rows"` // by table
	LastSerial string           `json:"lastSerial,omitempty"`
	LastEntry  string           `json:"lastEntry,omitempty"`
	Checkpoint string           `json:"checkpoint,omitempty"` // the newest signed one
	Files      CopiedFiles      `json:"files,omitzero"`       // in the folder next to it; omitted when there are none
	Findings   []string         `json:"findings,omitempty"`   // the known faults of the trail's past, a sentence each
}

// Options are the settings of Take.
type Options struct {
	Database string
	Folder   string
	Keep     Keep
	ByHand   bool        // whether it was requested
	After    string      // of a Keeper: a command that is run with the path of each backup as its argument; "" for none
	Files    files.Place // where the service keeps files; nil where it keeps none
	Version  string
	Now      time.Time
}

const (
	private  = 0o600
	prefix   = "routecard-"
	partial  = ".partial"
	nameTime = "20060102T150405.000Z"
	lockName = ".routecard-backup.lock"
)

// ErrUnderWay reports that another backup into the same folder has not ended.
var ErrUnderWay = errors.New("another backup into this folder is under way")

// Take makes a backup. If it fails it leaves no files.
func Take(ctx context.Context, options Options) (manifest Manifest, err error) {
	if sqlstore.IsPostgres(options.Database) {
		return manifest, errors.New("a PostgreSQL database is backed up with pg_dump or your point-in-time recovery; " +
			"then check it with: routecard verify --database postgres://... (see docs/postgres.md)")
	}
	if _, err := os.Stat(options.Database); err != nil {
		return manifest, err
	}
	lock := flock.New(filepath.Join(options.Folder, lockName))
	if locked, err := lock.TryLock(); err != nil {
		return manifest, err
	} else if !locked {
		return manifest, ErrUnderWay
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	if err := removePartial(options.Folder); err != nil { // of a backup that was killed
		return manifest, err
	}
	manifest = Manifest{
		File:    prefix + strings.ReplaceAll(options.Now.UTC().Format(nameTime), ".", "") + ".db",
		TakenAt: options.Now.UTC().Format(time.RFC3339), Version: options.Version, ByHand: options.ByHand,
	}
	final := filepath.Join(options.Folder, manifest.File)
	unfinished := final + partial
	defer func() {
		if err != nil {
			_ = removePartial(options.Folder)
		}
	}()
	if err := copyDatabase(ctx, options.Database, unfinished); err != nil {
		return manifest, err
	}
	if err := manifest.check(ctx, unfinished); err != nil {
		return manifest, err
	}
	if manifest.Files, err = copyFiles(ctx, unfinished, options.Files, filesOf(final)+partial); err != nil {
		return manifest, err
	}
	text, err := json.MarshalIndent(manifest, "", "  ")
	if err != nil {
		return manifest, err
	}
	if err := writeSynced(manifestOf(final)+partial, append(text, '\n')); err != nil {
		return manifest, err
	}
	if manifest.Files.Count > 0 {
		if err := os.Rename(filesOf(final)+partial, filesOf(final)); err != nil {
			return manifest, err
		}
	}
	err = errors.Join(os.Rename(unfinished, final), syncFolder(options.Folder))
	if err == nil {
		err = errors.Join(os.Rename(manifestOf(final)+partial, manifestOf(final)), syncFolder(options.Folder))
	}
	if err != nil {
		return manifest, errors.Join(err, os.RemoveAll(filesOf(final)), os.Remove(final))
	}
	return manifest, prune(options)
}

func copyDatabase(ctx context.Context, database, to string) error {
	made, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, private)
	if err != nil {
		return err
	}
	if err := made.Close(); err != nil {
		return err
	}
	if err := sqlstore.CopyInto(ctx, database, to); err != nil {
		return err
	}
	written, err := os.OpenFile(to, os.O_RDWR, private)
	if err != nil {
		return err
	}
	return errors.Join(written.Sync(), written.Close())
}

// check checks a copy and fills the manifest with what the copy has.
func (m *Manifest) check(ctx context.Context, file string) error {
	err := tablesKnown(ctx, file)
	if errors.Is(err, migrations.ErrOlder) || errors.Is(err, migrations.ErrTooOld) {
		return err
	}
	if m.Rows, err = sqlstore.Inspect(ctx, file); err != nil {
		return err
	}
	if m.SHA256, m.Bytes, err = digest(ctx, file); err != nil {
		return err
	}
	last, err := sqlstore.LastSerial(ctx, file)
	if err != nil {
		return err
	}
	if last > 0 {
		m.LastSerial = ident.SerialID(last)
	}
	return sqlstore.ReadOnly(ctx, file, func(tx shop.Reader) error {
		newest, err := tx.LastAuditSequence()
		if err != nil {
			return err
		}
		if newest > 0 {
			m.LastEntry = ident.AuditID(newest)
		}
		log, err := tx.LedgerTree()
		if errors.Is(err, shop.ErrNoRecord) { // there is no ledger to verify the copy by
			return nil
		}
		if err != nil {
			return err
		}
		if checkpoint, err := tx.LastLedgerCheckpoint(log.Number); err == nil {
			m.Checkpoint = string(checkpoint.Signed)
		}
		verified, err := sealer.Verify(tx, sealer.Evidence{})
		switch {
		case errors.Is(err, sealer.ErrNothingSigned):
			return nil
		case err != nil:
			return err
		}
		for _, finding := range verified.Findings {
			switch finding.Kind {
			case ledger.AcceptedMisfit, ledger.WrittenWhileStopped: // the sealed log is whole
				m.Findings = append(m.Findings, finding.Text)
			default:
				return fmt.Errorf("the trail is not what was sealed: %s", finding.Text)
			}
		}
		return nil
	})
}

// tablesKnown says why the tables of a copy are not those of this program.
func tablesKnown(ctx context.Context, file string) error {
	return sqlstore.ReadOnly(ctx, file, func(shop.Reader) error { return nil })
}

func digest(ctx context.Context, file string) (sum string, bytes int64, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	hash := sha256.New()
	bytes, err = io.Copy(hash, reader{ctx, f})
	return hex.EncodeToString(hash.Sum(nil)), bytes, err
}

func manifestOf(file string) string { return strings.TrimSuffix(file, ".db") + ".json" }

func removePartial(folder string) error {
	left, err := filepath.Glob(filepath.Join(folder, prefix+"*"+partial+"*"))
	for _, file := range left {
		err = errors.Join(err, os.RemoveAll(file))
	}
	return err
}

func writeSynced(file string, content []byte) error {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, private)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}

func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// List returns the backups in a folder, the newest first.
func List(folder string) ([]Manifest, error) {
	files, err := filepath.Glob(filepath.Join(folder, prefix+"*.json"))
	if err != nil {
		return nil, err
	}
	manifests := []Manifest{}
	for _, file := range files {
		manifest, err := readManifest(file)
		if err != nil {
			continue // not the manifest of a backup
		}
		if info, err := os.Stat(filepath.Join(folder, manifest.File)); err == nil && info.Size() == manifest.Bytes {
			manifests = append(manifests, manifest)
		}
	}
	slices.SortFunc(manifests, func(a, b Manifest) int { return cmp.Compare(b.File, a.File) })
	return manifests, nil
}

func readManifest(file string) (manifest Manifest, err error) {
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err == nil && (manifest.File == "" || filepath.Base(manifest.File) != manifest.File || manifest.SHA256 == "") {
		err = fmt.Errorf("%s is no manifest of a backup", file)
	}
	return manifest, err
}

// prune removes the backups that are not to stay, never the newest, and nothing that is not a backup.
func prune(options Options) error {
	manifests, err := List(options.Folder)
	if err != nil {
		return err
	}
	for _, old := range options.Keep.old(manifests, options.Now) {
		file := filepath.Join(options.Folder, old.File)
		err = errors.Join(err, os.Remove(manifestOf(file)), os.Remove(file), os.RemoveAll(filesOf(file)))
	}
	return err
}

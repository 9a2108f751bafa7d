// Package backup makes copies of a database file, checks them, and restores them.
//
// A copy is a consistent snapshot, taken while the service runs. Its pages, the references between its rows, its audit trail and every
// serial's row are checked before the copy gets its final name. The manifest is written last: a file without a manifest does not count as a
// backup.
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
	File       string           `json:"file"` // the name without the folder
	TakenAt    string           `json:"takenAt"`
	Version    string           `json:"version"`          // the version of the program that made the backup
	ByHand     bool             `json:"byHand,omitempty"` // whether it was requested
	Bytes      int64            `json:"bytes"`
	SHA256     string           `json:"sha256"`
	Rows       map[string]int64 `json:"rows"` // the number of rows by table
	LastSerial string           `json:"lastSerial,omitempty"`
	LastEntry  string           `json:"lastEntry,omitempty"`
	Checkpoint string           `json:"checkpoint,omitempty"` // the newest signed checkpoint
	Files      CopiedFiles      `json:"files,omitzero"`       // the files in the folder next to it; omitted if there are none
	Findings   []string         `json:"findings,omitempty"`   // the known faults of the trail's past, one sentence each
}

// Options are the settings of Take.
type Options struct {
	Database string
	Folder   string
	Bucket   *files.Bucket // where backups go instead of a folder; nil for none
	Keep     Keep
	ByHand   bool        // whether it was requested
	After    string      // for a Keeper: a command that is run with the path of each backup as its argument; "" for none
	Files    files.Place // the place where the service stores files; nil if it stores none
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

// ErrUnderWay means that another backup into the same folder has not ended.
var ErrUnderWay = errors.New("another backup into this folder is under way")

// Take makes a backup. If it fails, it leaves no files.
func Take(ctx context.Context, options Options) (manifest Manifest, err error) {
	if sqlstore.IsPostgres(options.Database) {
		return manifest, errors.New("a PostgreSQL database is backed up with pg_dump or your point-in-time recovery; " +
			"then check it with: routecard verify --database postgres://... (see docs/postgres.md)")
	}
	if _, err := os.Stat(options.Database); err != nil {
		return manifest, err
	}
	if options.Bucket != nil {
		return takeToBucket(ctx, options)
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
	return manifest, options.prune(ctx)
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

// check checks a copy and describes its contents in the manifest.
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
	return sqlstore.ReadOnly(ctx, file, func(tx shop.Reader) error {
		if last > 0 {
			m.LastSerial = tx.SerialPrefix().SerialID(last)
		}
		newest, err := tx.LastAuditSequence()
		if err != nil {
			return err
		}
		if newest > 0 {
			m.LastEntry = ident.AuditID(newest)
		}
		log, err := tx.LedgerTree()
		if errors.Is(err, shop.ErrNoRecord) { // there is no ledger for verifying the copy
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
			case ledger.AcceptedMisfit, ledger.WrittenWhileStopped: // the sealed log is complete
				m.Findings = append(m.Findings, finding.Text)
			default:
				return fmt.Errorf("the trail is not what was sealed: %s", finding.Text)
			}
		}
		return nil
	})
}

// tablesKnown returns an error if the tables of a copy are not those of this program.
func tablesKnown(ctx context.Context, file string) error {
	return sqlstore.ReadOnly(ctx, file, func(shop.Reader) error { return nil })
}

func digest(ctx context.Context, file string) (sum string, bytes int64, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", 0, err
	}
	return digestOf(ctx, f)
}

// digestOf reads to the end, closes the reader, and returns the digest and the length.
func digestOf(ctx context.Context, from io.ReadCloser) (sum string, bytes int64, err error) {
	hash := sha256.New()
	bytes, err = io.Copy(hash, reader{ctx, from})
	return hex.EncodeToString(hash.Sum(nil)), bytes, errors.Join(err, from.Close())
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
	newestFirst(manifests)
	return manifests, nil
}

func newestFirst(manifests []Manifest) {
	slices.SortFunc(manifests, func(a, b Manifest) int { return cmp.Compare(b.File, a.File) })
}

func readManifest(file string) (manifest Manifest, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return manifest, err
	}
	return parseManifest(file, text)
}

var errNoManifest = errors.New("is no manifest of a backup")

// parseManifest reads a manifest, whose file must not be in another folder. For any other text it returns errNoManifest.
func parseManifest(where string, text []byte) (m Manifest, err error) {
	if err := json.Unmarshal(text, &m); err != nil {
		return m, fmt.Errorf("%s %w: %w", where, errNoManifest, err)
	}
	if m.File == "" || filepath.Base(m.File) != m.File || m.SHA256 == "" {
		return m, fmt.Errorf("%s %w", where, errNoManifest)
	}
	return m, nil
}

// List returns the backups in the folder or bucket of the options, the newest first.
func (o *Options) List(ctx context.Context) ([]Manifest, error) {
	if o.Bucket != nil {
		return ListBucket(ctx, o.Bucket)
	}
	return List(o.Folder)
}

func (o *Options) remove(ctx context.Context, old *Manifest) error {
	if o.Bucket != nil {
		return errors.Join(o.Bucket.Remove(ctx, manifestOf(old.File)), o.Bucket.Remove(ctx, old.File))
	}
	file := o.Address(old.File)
	return errors.Join(os.Remove(manifestOf(file)), os.Remove(file), os.RemoveAll(filesOf(file)))
}

// Address returns the address of a backup: a path, or an address in a bucket.
func (o *Options) Address(file string) string {
	if o.Bucket != nil {
		return o.Bucket.Address(file)
	}
	return filepath.Join(o.Folder, file)
}

// prune removes expired backups. It never removes the newest backup, or a file that is not part of a backup.
func (o *Options) prune(ctx context.Context) error {
	manifests, err := o.List(ctx)
	if err != nil {
		return err
	}
	for _, old := range o.Keep.old(manifests, o.Now) {
		err = errors.Join(err, o.remove(ctx, &old))
	}
	return err
}

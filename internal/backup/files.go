package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
)

// CopiedFiles are the attached files of a backup.
type CopiedFiles struct {
	Count int64 `json:"count"`
	Bytes int64 `json:"bytes"`
}

// filesOf returns the folder with the files of a backup. It has the layout of the folder of a service.
func filesOf(file string) string { return strings.TrimSuffix(file, ".db") + ".files" }

// FilesOf returns the folder with the files of a backup. ok is false if the database has no manifest, and so is not a backup.
func FilesOf(database string) (folder string, ok bool) {
	manifest, err := readManifest(manifestOf(database))
	return filesOf(database), err == nil && manifest.File == filepath.Base(database)
}

// copyFiles copies the files that are attached to records in the copy of a database, checks their digests, and syncs them. The database was
// copied before. Since attached files are never removed, all of them still exist.
func copyFiles(ctx context.Context, database string, from files.Place, to string) (copied CopiedFiles, err error) {
	to = filepath.Clean(to)
	synced := missingUnder(to)
	err = sqlstore.ReadOnly(ctx, database, func(tx shop.Reader) error {
		for file, err := range tx.KeptFiles() {
			if err != nil {
				return err
			}
			if !file.Attached {
				continue
			}
			if from == nil {
				return errors.New("the database names files, and nothing says where they are: --files")
			}
			if err := copyOne(ctx, from, to, file.SHA256, synced); err != nil {
				return fmt.Errorf("the file %s: %w", file.SHA256, err)
			}
			copied.Count++
			copied.Bytes += file.Size
		}
		return nil
	})
	for folder := range synced {
		err = errors.Join(err, syncFolder(folder))
	}
	return copied, err
}

// missingUnder returns the folders in which a folder or one of its parents has to be created.
func missingUnder(folder string) map[string]bool {
	changed := map[string]bool{}
	for parent := filepath.Dir(folder); parent != folder; folder, parent = parent, filepath.Dir(parent) {
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		changed[parent] = true
	}
	return changed
}

// copyOne puts a file into its place below a folder: with a hard link if possible, and otherwise as a copy. In both cases it reads the
// whole file. A copy gets its final name when it is complete, so that a killed process leaves no incomplete file under that name.
func copyOne(ctx context.Context, from files.Place, to, name string, folders map[string]bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	target, err := files.NewFolder(to, false).Path(name)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
		return err
	}
	second := filepath.Dir(target) // two levels below the folder, as in files.Folder
	for _, folder := range []string{second, filepath.Dir(second), to, filepath.Dir(to)} {
		folders[folder] = true
	}
	if found, _, err := digest(ctx, target); !errors.Is(err, fs.ErrNotExist) {
		return same(name, found, err)
	}
	if linking, ok := from.(interface{ Path(string) (string, error) }); ok {
		source, err := linking.Path(name)
		if err != nil {
			return err
		}
		if os.Link(source, target) == nil {
			found, _, err := digest(ctx, target)
			return same(name, found, err)
		}
	}
	content, err := from.Open(ctx, name)
	if err != nil {
		return err
	}
	defer content.Close()
	written, err := os.OpenFile(target+partial, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, private)
	if err != nil {
		return err
	}
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(written, hash), reader{ctx, content})
	err = same(name, hex.EncodeToString(hash.Sum(nil)), errors.Join(err, written.Sync(), written.Close()))
	if err != nil {
		return errors.Join(err, os.Remove(target+partial))
	}
	return os.Rename(target+partial, target)
}

// reader reads until ctx ends.
type reader struct {
	ctx  context.Context
	from io.Reader
}

// Read implements io.Reader.
func (r reader) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(b)
}

func same(digest, found string, err error) error {
	if err == nil && found != digest {
		err = fmt.Errorf("it was altered: its bytes have the digest %s", found)
	}
	return err
}

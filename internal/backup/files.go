package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
)

// CopiedFiles says which files a backup has, beside the database.
type CopiedFiles struct {
	Count int64 `json:"count"`
	Bytes int64 `json:"bytes"`
}

// filesOf is the folder with the files of a backup, laid out like the one that a service keeps.
func filesOf(file string) string { return strings.TrimSuffix(file, ".db") + ".files" }

// copyFiles copies the files that are attached to anything in the copy of a database, checks their digests, and makes them
// durable. The database was copied before: what is attached is never removed, so that all that it names is there.
func copyFiles(ctx context.Context, database string, from files.Place, to string) (copied CopiedFiles, err error) {
	synced := map[string]bool{}
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

// copyOne puts a file where it belongs below a folder: by a hard link, where that can be, and otherwise byte by byte. Either
// way it is read to its end.
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
	for folder := filepath.Dir(target); len(folder) >= len(filepath.Dir(to)); folder = filepath.Dir(folder) {
		folders[folder] = true
	}
	if found, _, err := digest(target); err == nil {
		return same(name, found, nil)
	}
	if linking, ok := from.(interface{ Path(string) (string, error) }); ok {
		source, err := linking.Path(name)
		if err != nil {
			return err
		}
		if os.Link(source, target) == nil {
			found, _, err := digest(target)
			return same(name, found, err)
		}
	}
	content, err := from.Open(ctx, name)
	if err != nil {
		return err
	}
	defer content.Close()
	written, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, private)
	if err != nil {
		return err
	}
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(written, hash), content)
	return same(name, hex.EncodeToString(hash.Sum(nil)), errors.Join(err, written.Sync(), written.Close()))
}

func same(digest, found string, err error) error {
	if err == nil && found != digest {
		err = fmt.Errorf("it was altered: its bytes have the digest %s", found)
	}
	return err
}

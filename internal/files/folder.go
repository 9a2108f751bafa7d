package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Folder is a Place in a folder: ab/cd/abcd... under its root, mode 0600. Incomplete files are in the folder incoming. It creates its
// folders when the first file is stored.
type Folder struct {
	root string
	// made means that an administrator creates the root. A missing root is then an error, for example a share that is not mounted.
	made bool
	disk disk
}

// disk has the operations of a Folder on a disk other than writing files. Tests record them.
type disk struct {
	mkdir      func(folder string) error
	rename     func(from, to string) error
	syncFolder func(folder string) error
}

const (
	incoming    = "incoming"
	folderMode  = 0o700
	probePrefix = "probe-"
)

// NewFolder returns a Place that stores files in a folder. If made is true, the folder must already exist.
func NewFolder(root string, made bool) *Folder {
	return &Folder{filepath.Clean(root), made, disk{makeFolder, os.Rename, syncFolder}}
}

// Beside returns the folder for the files of a database file.
func Beside(database string) string { return database + ".files" }

func makeFolder(folder string) error {
	if err := os.Mkdir(folder, folderMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func syncFolder(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// begin creates the root, unless an administrator has to create it.
func (f *Folder) begin() error {
	if f.made {
		_, err := os.Stat(f.root)
		return err
	}
	return f.disk.mkdir(f.root)
}

// Aside implements Place.
func (f *Folder) Aside() (*os.File, error) { return f.temporary("upload-") }

func (f *Folder) temporary(prefix string) (*os.File, error) {
	if err := f.begin(); err != nil {
		return nil, err
	}
	if err := f.disk.mkdir(filepath.Join(f.root, incoming)); err != nil {
		return nil, err
	}
	return os.CreateTemp(filepath.Join(f.root, incoming), prefix) // mode 0600
}

// at returns the path of a file, and the folders on that path from the root.
func (f *Folder) at(digest string) (file string, folders []string, err error) {
	if !isDigest(digest) {
		return "", nil, fmt.Errorf("%q %w", digest, errNoDigest)
	}
	first := filepath.Join(f.root, digest[:2])
	second := filepath.Join(first, digest[2:4])
	return filepath.Join(second, digest), []string{filepath.Dir(f.root), f.root, first, second}, nil
}

// Keep implements Place. It replaces an existing file, because otherwise it would not be known whether that file is complete. It syncs
// every folder on the path, because another upload may have created a folder without having synced it yet.
func (f *Folder) Keep(_ context.Context, aside, digest string) error {
	file, folders, err := f.at(digest)
	if err != nil {
		return err
	}
	for _, folder := range folders[2:] {
		if err := f.disk.mkdir(folder); err != nil {
			return err
		}
	}
	if err := f.disk.rename(aside, file); err != nil {
		return err
	}
	if f.made {
		folders = folders[1:] // the parent of the root does not belong to the service
	}
	for _, folder := range slices.Backward(folders) {
		if err := f.disk.syncFolder(folder); err != nil {
			return err
		}
	}
	return nil
}

// Open implements Place.
func (f *Folder) Open(_ context.Context, digest string) (*Content, error) {
	file, err := f.Path(digest)
	if err != nil {
		return nil, err
	}
	opened, err := os.Open(file)
	if err != nil {
		return nil, missing(err)
	}
	info, err := opened.Stat()
	if err != nil {
		return nil, errors.Join(err, opened.Close())
	}
	return &Content{opened, info.Size()}, nil
}

// Path returns the path of a file, so that a backup can link to it. The file may be missing.
func (f *Folder) Path(digest string) (string, error) {
	file, _, err := f.at(digest)
	return file, err
}

func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrMissing
	}
	return err
}

// Remove implements Place.
func (f *Folder) Remove(_ context.Context, digest string) error {
	file, err := f.Path(digest)
	if err != nil {
		return err
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// All implements Place.
func (f *Folder) All(ctx context.Context) iter.Seq2[Stored, error] {
	return func(yield func(Stored, error) bool) {
		err := filepath.WalkDir(f.root, func(_ string, entry fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil // nothing was uploaded yet, or the folder was removed meanwhile
			case err != nil:
				return err
			case ctx.Err() != nil:
				return ctx.Err()
			case !entry.Type().IsRegular() || !isDigest(entry.Name()):
				return nil
			}
			info, err := entry.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			if !yield(Stored{entry.Name(), info.Size(), info.ModTime()}, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(Stored{}, err)
		}
	}
}

// Probe implements Place. It writes a small file and removes it.
func (f *Folder) Probe(context.Context) error {
	if _, err := os.Stat(f.root); errors.Is(err, fs.ErrNotExist) && !f.made {
		return nil // the first upload creates it
	}
	probe, err := f.temporary(probePrefix)
	if err != nil {
		return err
	}
	_, err = probe.Write(make([]byte, 4<<10))
	return errors.Join(err, probe.Sync(), probe.Close(), os.Remove(probe.Name()))
}

// Tidy implements Place.
func (f *Folder) Tidy(before time.Time) error {
	entries, err := os.ReadDir(filepath.Join(f.root, incoming))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		info, infoErr := entry.Info()
		if infoErr == nil && info.ModTime().Before(before) {
			err = errors.Join(err, os.Remove(filepath.Join(f.root, incoming, entry.Name())))
		}
	}
	return err
}

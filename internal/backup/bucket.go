package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"github.com/routecard/routecard/internal/files"
)

// A bucket has the databases and manifests of all backups and, below filesInBucket, the attached files. All backups share these: each file
// is stored once under its digest. Attached files are never removed from a shop, so newer backups need the files of older backups too.
const filesInBucket = "files"

// manifestLimit is the maximum size of a manifest in bytes.
const manifestLimit = 1 << 20

// stagingOf returns the folder next to a database in which a backup is made and checked before it is sent to a bucket.
func stagingOf(database string) string { return database + ".sending" }

// takeToBucket makes a backup next to the database, checks it, and sends it to the bucket. Every object is read back and compared. The
// manifest is sent last, so that a lost connection leaves no incomplete backup.
func takeToBucket(ctx context.Context, options Options) (manifest Manifest, err error) {
	kept := stagingOf(options.Database)
	staging := filepath.Join(kept, "made")
	if err := os.MkdirAll(kept, 0o700); err != nil {
		return manifest, err
	}
	lock := flock.New(filepath.Join(kept, lockName))
	if locked, err := lock.TryLock(); err != nil {
		return manifest, err
	} else if !locked {
		return manifest, ErrUnderWay
	}
	defer func() { err = errors.Join(err, os.RemoveAll(staging), lock.Unlock()) }()
	if err := errors.Join(os.RemoveAll(staging), os.Mkdir(staging, 0o700)); err != nil { // of a backup that was killed
		return manifest, err
	}
	local := options
	local.Folder, local.Bucket, local.Keep = staging, nil, Keep{}
	if manifest, err = Take(ctx, local); err != nil {
		return manifest, err
	}
	file := filepath.Join(staging, manifest.File)
	if err := sendFiles(ctx, files.NewFolder(filesOf(file), false), FilesIn(options.Bucket)); err != nil {
		return manifest, err
	}
	if err := send(ctx, options.Bucket, file, manifest.SHA256); err != nil {
		return manifest, err
	}
	described, _, err := digest(ctx, manifestOf(file))
	if err != nil {
		return manifest, err
	}
	if err := send(ctx, options.Bucket, manifestOf(file), described); err != nil {
		return manifest, err
	}
	return manifest, options.prune(ctx)
}

// send stores a file in a bucket, reads it back, and compares it with its digest.
func send(ctx context.Context, to *files.Bucket, file, sum string) error {
	key := filepath.Base(file)
	if err := to.Put(ctx, key, file); err != nil {
		return fmt.Errorf("%s: %w", to.Address(key), err)
	}
	content, err := to.Open(ctx, key)
	if err := readBack(ctx, content, sum, err); err != nil {
		return fmt.Errorf("%s: %w", to.Address(key), err)
	}
	return nil
}

// readBack compares the content on the server with the digest of the content that was sent. err is the error of opening the content.
func readBack(ctx context.Context, content *files.Content, sum string, err error) error {
	if err != nil {
		return err
	}
	found, _, err := digestOf(ctx, content)
	return same(sum, found, err)
}

// sendFiles sends the files of a backup that the bucket does not have yet.
func sendFiles(ctx context.Context, from *files.Folder, to files.Place) error {
	kept := map[string]int64{}
	for file, err := range to.All(ctx) {
		if err != nil {
			return fmt.Errorf("the files in the bucket: %w", err)
		}
		kept[file.Digest] = file.Size
	}
	for file, err := range from.All(ctx) {
		if errors.Is(err, fs.ErrNotExist) { // the shop has no files
			return nil
		}
		if err != nil {
			return err
		}
		if size, there := kept[file.Digest]; there && size == file.Size {
			continue
		}
		if err := sendFile(ctx, from, to, file.Digest); err != nil {
			return fmt.Errorf("the file %s: %w", file.Digest, err)
		}
	}
	return nil
}

func sendFile(ctx context.Context, from *files.Folder, to files.Place, name string) error {
	file, err := from.Path(name)
	if err != nil {
		return err
	}
	if err := to.Keep(ctx, file, name); err != nil {
		return err
	}
	content, err := to.Open(ctx, name)
	return readBack(ctx, content, name, err)
}

// ListBucket returns the backups in a bucket, the newest first.
func ListBucket(ctx context.Context, bucket *files.Bucket) ([]Manifest, error) {
	sizes := map[string]int64{}
	manifests := []Manifest{}
	for object, err := range bucket.All(ctx, prefix) {
		if err != nil {
			return nil, err
		}
		sizes[object.Key] = object.Size
	}
	for key := range sizes {
		if !strings.HasSuffix(key, ".json") || path.Base(key) != key {
			continue
		}
		manifest, err := manifestIn(ctx, bucket, key)
		if errors.Is(err, errNoManifest) || errors.Is(err, files.ErrMissing) { // another program removed it meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		if size, there := sizes[manifest.File]; there && size == manifest.Bytes {
			manifests = append(manifests, manifest)
		}
	}
	newestFirst(manifests)
	return manifests, nil
}

func manifestIn(ctx context.Context, bucket *files.Bucket, key string) (manifest Manifest, err error) {
	content, err := bucket.Open(ctx, key)
	if err != nil {
		return manifest, err
	}
	text, err := io.ReadAll(io.LimitReader(reader{ctx, content}, manifestLimit))
	if err := errors.Join(err, content.Close()); err != nil {
		return manifest, err
	}
	return parseManifest(bucket.Address(key), text)
}

// Fetch copies a backup from a bucket to a folder, and checks it against its manifest. name is the file of a backup; "" means the newest
// one. The attached files stay in the bucket: FilesIn returns their place.
func Fetch(ctx context.Context, bucket *files.Bucket, name, folder string) (file string, err error) {
	if name == "" {
		made, err := ListBucket(ctx, bucket)
		if err != nil {
			return "", err
		}
		if len(made) == 0 {
			return "", fmt.Errorf("%s has no backup", bucket.Address(""))
		}
		name = made[0].File
	}
	file = filepath.Join(folder, filepath.Base(name))
	for _, one := range []string{manifestOf(name), name} {
		if err := fetchOne(ctx, bucket, one, filepath.Join(folder, filepath.Base(one))); err != nil {
			return "", fmt.Errorf("%s: %w", bucket.Address(one), err)
		}
	}
	return file, nil
}

func fetchOne(ctx context.Context, bucket *files.Bucket, key, file string) error {
	content, err := bucket.Open(ctx, key)
	if err != nil {
		return err
	}
	defer content.Close()
	written, err := os.OpenFile(file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, private)
	if err != nil {
		return err
	}
	_, err = io.Copy(written, reader{ctx, content})
	return errors.Join(err, written.Sync(), written.Close())
}

// FilesIn returns the place of the attached files of all backups in a bucket.
func FilesIn(bucket *files.Bucket) files.Place { return files.S3{Bucket: bucket.Below(filesInBucket)} }

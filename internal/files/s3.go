package files

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path"
	"path/filepath"
	"time"
)

// S3 is a Place in a bucket: prefix/ab/cd/abcd... An upload is written to this machine first, because the digest is known only after the
// last byte.
type S3 struct {
	Bucket *Bucket
}

const asidePart = "routecard-upload-"

// Aside implements Place.
func (S3) Aside() (*os.File, error) { return os.CreateTemp("", asidePart) } // mode 0600

func s3Key(digest string) (string, error) {
	if !isDigest(digest) {
		return "", fmt.Errorf("%q %w", digest, errNoDigest)
	}
	return path.Join(digest[:2], digest[2:4], digest), nil
}

// Keep implements Place.
func (s S3) Keep(ctx context.Context, aside, digest string) error {
	key, err := s3Key(digest)
	if err != nil {
		return err
	}
	return s.Bucket.Put(ctx, key, aside)
}

// Open implements Place.
func (s S3) Open(ctx context.Context, digest string) (*Content, error) {
	key, err := s3Key(digest)
	if err != nil {
		return nil, err
	}
	return s.Bucket.Open(ctx, key)
}

// Remove implements Place.
func (s S3) Remove(ctx context.Context, digest string) error {
	key, err := s3Key(digest)
	if err != nil {
		return err
	}
	return s.Bucket.Remove(ctx, key)
}

// All implements Place.
func (s S3) All(ctx context.Context) iter.Seq2[Stored, error] {
	return func(yield func(Stored, error) bool) {
		for object, err := range s.Bucket.All(ctx, "") {
			stored := Stored{path.Base(object.Key), object.Size, object.At}
			if err == nil && !isDigest(stored.Digest) {
				continue
			}
			if !yield(stored, err) {
				return
			}
		}
	}
}

// Probe implements Place. It writes a small object.
func (s S3) Probe(ctx context.Context) error { return s.Bucket.Probe(ctx) }

// Tidy implements Place.
func (S3) Tidy(before time.Time) error {
	left, err := filepath.Glob(filepath.Join(os.TempDir(), asidePart+"*"))
	for _, file := range left {
		if info, infoErr := os.Stat(file); infoErr == nil && info.ModTime().Before(before) {
			err = errors.Join(err, os.Remove(file))
		}
	}
	return err
}

package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/routecard/routecard/shop"
)

// Checked has the number of files and bytes that Check read.
type Checked struct {
	Files int64
	Bytes int64
}

// Check reads the bytes of files and compares them with their digests. It calls found with a sentence for each missing or altered file. An
// unattached file may have been removed meanwhile.
func Check(ctx context.Context, place Place, kept iter.Seq2[shop.File, error], found func(digest, why string)) (done Checked, err error) {
	for file, err := range kept {
		if err != nil {
			return done, err
		}
		digest, size, err := sum(ctx, place, file.SHA256)
		switch {
		case errors.Is(err, ErrMissing) && !file.Attached:
			continue
		case errors.Is(err, errNoDigest):
			found(file.SHA256, "file "+file.SHA256+" cannot be read: its digest is no SHA-256")
			continue
		case errors.Is(err, ErrMissing):
			found(file.SHA256, "the bytes of the file "+file.SHA256+" are missing")
		case err != nil:
			return done, err
		case digest != file.SHA256:
			found(file.SHA256, fmt.Sprintf("the bytes of the file %s were altered: they have the digest %s", file.SHA256, digest))
		}
		done.Files++
		done.Bytes += size
	}
	return done, nil
}

// sum computes the digest of the bytes that a place stores under a digest.
func sum(ctx context.Context, place Place, digest string) (found string, size int64, err error) {
	content, err := place.Open(ctx, digest)
	if err != nil {
		return "", 0, err
	}
	defer content.Close()
	hash := sha256.New()
	size, err = io.Copy(hash, untilDone{ctx, content})
	return hex.EncodeToString(hash.Sum(nil)), size, err
}

// untilDone is a reader that fails when a context ends.
type untilDone struct {
	ctx context.Context //nolint:containedctx // used only during one call
	io.Reader
}

func (u untilDone) Read(piece []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.Reader.Read(piece)
}

// Prune removes stored files without a record in the database, and calls removed for each. It may run during uploads.
func Prune(ctx context.Context, place Place, service *shop.Service, removed func(Stored)) error {
	for stored, err := range place.All(ctx) {
		if err != nil {
			return err
		}
		unknown, err := service.DismissUnknownFile(ctx, shop.File{SHA256: stored.Digest, Size: stored.Size})
		if err != nil {
			return err
		}
		if !unknown {
			continue
		}
		if err := place.Remove(ctx, stored.Digest); err != nil {
			return err
		}
		if err := service.ForgetFile(ctx, stored.Digest); err != nil {
			return err
		}
		removed(stored)
	}
	return nil
}

package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// Upload stores the bytes of a body. If it returns nil, they are stored permanently; otherwise they are never served. It returns a
// *ReadError if the body cannot be read to its end.
func (k *Keeper) Upload(ctx context.Context, body io.Reader) (shop.File, error) {
	if k == nil {
		return shop.File{}, refusal.Refuse(shop.NoFiles)
	}
	aside, err := k.place.Aside()
	if err != nil {
		return shop.File{}, k.cannot(ctx, unwritable, err)
	}
	defer func() {
		_ = aside.Close()
		_ = os.Remove(aside.Name()) // after a success the file has been moved
	}()
	file, err := receive(body, aside)
	if _, cut := errors.AsType[*ReadError](err); cut {
		return shop.File{}, err
	}
	if err != nil {
		return shop.File{}, k.cannot(ctx, unwritable, err)
	}
	if err := k.service.ExpectFile(ctx, file); err != nil {
		return shop.File{}, err
	}
	if err := k.place.Keep(ctx, aside.Name(), file.SHA256); err != nil {
		return shop.File{}, k.cannot(ctx, unwritable, err)
	}
	return k.service.KeepFile(ctx, file.SHA256)
}

// ReadError means that a body could not be read to its end: the connection was cut, or the body was too long.
type ReadError struct{ Err error }

func (e *ReadError) Error() string { return "read the upload: " + e.Err.Error() }
func (e *ReadError) Unwrap() error { return e.Err }

// piece is the number of bytes of a file that are in memory at a time.
const piece = 64 << 10

// receive writes bytes to a file and syncs it. It detects the type from the bytes.
func receive(body io.Reader, into *os.File) (file shop.File, err error) {
	digest := sha256.New()
	buffer := make([]byte, piece)
	synced := syncAlong(into)
	defer func() { _ = synced.wait() }() // waits, so that the file is not closed during a sync; earlier failures were reported
	for {
		n, readErr := body.Read(buffer)
		_, _ = digest.Write(buffer[:n]) // never fails
		if _, err := into.Write(buffer[:n]); err != nil {
			return file, err
		}
		file.Size += int64(n)
		synced.wrote(n)
		if errors.Is(readErr, io.EOF) {
			break
		}
		if readErr != nil {
			return file, &ReadError{readErr}
		}
	}
	if err := errors.Join(synced.wait(), into.Sync()); err != nil {
		return file, err
	}
	file.SHA256 = hex.EncodeToString(digest.Sum(nil))
	if file.Type, err = typeOf(into); err != nil {
		return file, err
	}
	if strings.HasPrefix(file.Type, "image/") {
		file.Pixels, err = pixelsOf(into)
	}
	return file, err
}

package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"image"
	_ "image/jpeg" // to read how large a picture is
	_ "image/png"
	"io"
	"os"
	"strings"

	"github.com/gabriel-vasile/mimetype"
	_ "golang.org/x/image/webp" // likewise

	"github.com/routecard/routecard/shop"
)

// ReadError is bytes that did not come to their end: the connection was cut, or there were too many.
type ReadError struct{ Err error }

func (e *ReadError) Error() string { return "read the upload: " + e.Err.Error() }
func (e *ReadError) Unwrap() error { return e.Err }

// piece is how much of a file is in memory at a time.
const piece = 64 << 10

// receive writes bytes into a file and syncs it. It says what they are by looking at them.
func receive(body io.Reader, into *os.File) (file shop.File, err error) {
	digest := sha256.New()
	buffer := make([]byte, piece)
	synced := syncAlong(into)
	defer func() { _ = synced.wait() }() // nothing closes the file during a sync; earlier failures were reported
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

// typeOf looks at the first bytes of a file. Its name and what the client says of it count for nothing.
func typeOf(file io.ReadSeeker) (string, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	found, err := mimetype.DetectReader(file)
	if err != nil {
		return "", err
	}
	return found.String(), nil
}

// pixelsOf is how many pixels a picture says that it has, and 0 for one that cannot be read. It does not unpack the picture: a
// few bytes can stand for gigabytes of pixels.
func pixelsOf(file io.ReadSeeker) (int64, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	config, _, err := image.DecodeConfig(io.LimitReader(file, headLimit))
	if err != nil {
		return 0, nil //nolint:nilerr // it is not displayed then, and can be downloaded
	}
	return int64(config.Width) * int64(config.Height), nil
}

// headLimit is how much of a picture is read to find its size. Cameras put a small picture and more in front of it.
const headLimit = 1 << 20

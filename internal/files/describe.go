package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"image"
	_ "image/jpeg" // to read the size of a picture
	_ "image/png"
	"io"
	"os"
	"strings"

	"github.com/gabriel-vasile/mimetype"
	_ "golang.org/x/image/webp" // likewise

	"github.com/routecard/routecard/shop"
)

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

// typeOf detects the type of a file from its first bytes. It ignores the file name and the type that the client sent.
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

// pixelsOf returns the number of pixels according to the header of a picture, or 0 if the header cannot be read. It does not decompress the
// picture: a few bytes can expand to gigabytes of pixels.
func pixelsOf(file io.ReadSeeker) (int64, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return 0, err
	}
	config, _, err := image.DecodeConfig(io.LimitReader(file, headLimit))
	if err != nil {
		return 0, nil //nolint:nilerr // such a picture is not displayed but can be downloaded
	}
	return int64(config.Width) * int64(config.Height), nil
}

// headLimit is the number of bytes of a picture that are searched for its dimensions. Cameras write a thumbnail and metadata before them.
const headLimit = 1 << 20

package files

import (
	"image"
	_ "image/jpeg" // to read the size of a picture
	_ "image/png"
	"io"

	"github.com/gabriel-vasile/mimetype"
	_ "golang.org/x/image/webp" // likewise
)

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

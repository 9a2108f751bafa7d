package files

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"strings"
	"time"
)

// Place stores bytes, each file under its digest: the SHA-256 of its bytes in lower-case hex. It is safe for concurrent use, even by
// several instances that share the storage.
type Place interface {
	// Aside creates an empty file on this machine, for bytes whose digest is not known yet. The caller must close and remove it.
	Aside() (*os.File, error)
	// Keep stores a file of Aside under its digest. The file must be complete and synced; Keep may move it. If Keep returns nil, the
	// bytes are stored permanently, even after a power failure. The same bytes may be stored again, also at the same time.
	Keep(ctx context.Context, aside, digest string) error
	// Open opens a file for reading. It returns ErrMissing if the file does not exist. The caller must close the content.
	Open(ctx context.Context, digest string) (*Content, error)
	// Remove removes a file. It succeeds if the file does not exist.
	Remove(ctx context.Context, digest string) error
	// All yields every stored file, in the order of the digests.
	All(ctx context.Context) iter.Seq2[Stored, error]
	// Probe returns the reason why bytes cannot be stored at the moment, or nil.
	Probe(ctx context.Context) error
	// Tidy removes the remains of interrupted uploads from before a time.
	Tidy(before time.Time) error
}

// ErrMissing means that a place has no file with this digest.
var ErrMissing = errors.New("there is no such file")

// errNoDigest means that a text is not a digest and cannot identify a file.
var errNoDigest = errors.New("is no digest")

// Content is an open file.
type Content struct {
	io.ReadSeekCloser
	Size int64
}

// Stored is a file in a place.
type Stored struct {
	Digest string
	Size   int64
	At     time.Time // the time when the file was stored
}

// digestLength is the length of a SHA-256 in hex.
const digestLength = 64

// isDigest reports whether a text is a digest, and so safe to use in a path.
func isDigest(text string) bool {
	return len(text) == digestLength && strings.Trim(text, "0123456789abcdef") == ""
}

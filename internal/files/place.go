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

// Place stores bytes, each file under its digest: the SHA-256 of its bytes in lower-case hex. It is safe for concurrent use, also by
// several instances that share the storage.
type Place interface {
	// Aside makes an empty file on this machine, for bytes whose digest is not known yet. The caller closes and removes it.
	Aside() (*os.File, error)
	// Keep makes a file that Aside made available under its digest. Its bytes are whole and synced; it may be moved. When Keep
	// returns nil they are there for good, also when the power fails. Keeping the same bytes again, or twice at once, is well.
	Keep(ctx context.Context, aside, digest string) error
	// Open opens a file for reading; ErrMissing when there is none. The caller closes it.
	Open(ctx context.Context, digest string) (*Content, error)
	// Remove removes a file. Removing one that is not there is well.
	Remove(ctx context.Context, digest string) error
	// All yields every file that is kept, in the order of the digests.
	All(ctx context.Context) iter.Seq2[Stored, error]
	// Probe reports why bytes cannot be kept just now, or nil.
	Probe(ctx context.Context) error
	// Tidy removes the remains of interrupted uploads from before a time.
	Tidy(before time.Time) error
}

// ErrMissing says that a place has no file with a digest.
var ErrMissing = errors.New("there is no such file")

// errNoDigest says that a text cannot identify a file.
var errNoDigest = errors.New("is no digest")

// Content is a file that is open for reading.
type Content struct {
	io.ReadSeekCloser
	Size int64
}

// Stored is a file as a place knows it.
type Stored struct {
	Digest string
	Size   int64
	At     time.Time // when it came
}

// digestLength is the length of a SHA-256 in hex.
const digestLength = 64

// isDigest reports whether a text is a digest, so that it can stand in a path.
func isDigest(text string) bool {
	return len(text) == digestLength && strings.Trim(text, "0123456789abcdef") == ""
}

package ledger

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Checkpoint is the state of a log when it was signed.
type Checkpoint struct {
	Origin string // the log's name
	Size   int64  // the number of leaves
	Root   Hash
}

// Text returns the signed text.
func (c Checkpoint) Text() string {
	return c.Origin + "\n" + strconv.FormatInt(c.Size, 10) + "\n" + c.Root.String() + "\n"
}

// Sign makes a signed note of a checkpoint.
func (c Checkpoint) Sign(signers ...note.Signer) ([]byte, error) {
	return note.Sign(&note.Note{Text: c.Text()}, signers...)
}

// ParseCheckpoint reads the text of a checkpoint. It does not check signatures.
func ParseCheckpoint(text string) (Checkpoint, error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 || lines[0] == "" || lines[len(lines)-1] != "" {
		return Checkpoint{}, errors.New("a checkpoint has at least three lines")
	}
	if slices.Contains(lines[3:len(lines)-1], "") {
		return Checkpoint{}, errors.New("a checkpoint has no empty lines")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != lines[1] {
		return Checkpoint{}, fmt.Errorf("%q is no size of a tree", lines[1])
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil || root.String() != lines[2] {
		return Checkpoint{}, fmt.Errorf("%q is no hash", lines[2])
	}
	return Checkpoint{Origin: lines[0], Size: size, Root: root}, nil
}

// UnverifiedCheckpoint reads a signed checkpoint without checking the signatures.
func UnverifiedCheckpoint(signed []byte) (Checkpoint, error) {
	text, _, found := strings.Cut(string(signed), "\n\n")
	if !found {
		return Checkpoint{}, errors.New("a signed checkpoint has an empty line before its signatures")
	}
	return ParseCheckpoint(text + "\n")
}

// ErrUnsigned means that none of the given keys signed the checkpoint.
var ErrUnsigned = errors.New("the checkpoint is not signed by the key that was given")

// Open checks that the log signed a checkpoint with one of its keys, and reads it.
func (k Keys) Open(signed []byte) (Checkpoint, error) {
	checkpoint, err := UnverifiedCheckpoint(signed)
	if err != nil {
		return checkpoint, err
	}
	verifiers, err := k.named(checkpoint.Origin)
	if err != nil {
		return checkpoint, err
	}
	opened, err := note.Open(signed, verifiers)
	if _, unknown := errors.AsType[*note.UnverifiedNoteError](err); unknown {
		return checkpoint, fmt.Errorf("%w: %s", ErrUnsigned, k)
	}
	if err != nil {
		return checkpoint, fmt.Errorf("the checkpoint: %w", err)
	}
	return ParseCheckpoint(opened.Text)
}

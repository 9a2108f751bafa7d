package ledger

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"
)

// OpenStatement checks that a log signed a note other than a checkpoint, with one of its keys, and returns the text of the note. The first
// line of such a note is the origin of the log, a slash, and a word: it cannot be read as the checkpoint of the log.
func (k Keys) OpenStatement(signed []byte, origin string) (string, error) {
	verifiers, err := k.named(origin)
	if err != nil {
		return "", err
	}
	opened, err := note.Open(signed, verifiers)
	if _, unknown := errors.AsType[*note.UnverifiedNoteError](err); unknown {
		return "", fmt.Errorf("%w: %s", ErrUnsigned, k)
	}
	if err != nil {
		return "", fmt.Errorf("the statement: %w", err)
	}
	return opened.Text, nil
}

// CheckLeaf checks that a leaf has an index in the tree of a checkpoint, which the caller has verified, and that it is of the entry with
// that index. It returns ErrNotProved if not.
func CheckLeaf(checkpoint Checkpoint, index int64, leaf []byte, proof []Hash) error {
	if index < 0 || index >= checkpoint.Size {
		return ErrNotProved
	}
	p := Proof{Index: index, Leaf: leaf, Hashes: proof}
	return p.within(checkpoint)
}

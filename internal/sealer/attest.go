package sealer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/routecard/routecard/ledger"
)

// ErrTooSmall means that a tree of the requested size does not have all entries.
var ErrTooSmall = errors.New("the tree does not have all entries")

// Attestation proves entries within one signed tree, and signs statements about them with the keys of the log. It is not safe for
// concurrent use.
type Attestation struct {
	Checkpoint ledger.Checkpoint
	Signed     []byte // the checkpoint
	prove      func(index int64, leaf []byte) ([]ledger.Hash, error)
	signers    []note.Signer
}

// Prove proves an entry. It returns ledger.ErrNotProved if the entry differs from the sealed one.
func (a *Attestation) Prove(index int64, leaf []byte) ([]ledger.Hash, error) {
	return a.prove(index, leaf)
}

// Sign signs a note whose first line is the origin of the log, a slash and a word.
func (a *Attestation) Sign(text string) ([]byte, error) {
	return note.Sign(&note.Note{Text: text}, a.signers...)
}

// Attest returns an attestation for a tree of a size that has the entry with index last. Size 0 is the newest tree. Until the entry is
// sealed, it waits as long as patience, and then returns ErrNotSealed. The same size gives the same signed checkpoint as long as the keys
// stay the same.
func (s *Sealer) Attest(ctx context.Context, last, size int64, patience time.Duration) (*Attestation, error) {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		s.mu.Lock()
		news := s.news
		s.mu.Unlock()
		a, err := s.attest(ctx, last, size)
		if !errors.Is(err, ErrNotSealed) {
			return a, err
		}
		select {
		case <-news:
		case <-waiting.Done():
			return nil, errors.Join(err, ctx.Err())
		}
	}
}

func (s *Sealer) attest(ctx context.Context, last, size int64) (*Attestation, error) {
	if trouble := s.Status().Trouble; trouble != "" {
		return nil, ErrNotSealed
	}
	log := s.current()
	signed, err := s.Checkpoint(ctx)
	if err != nil {
		return nil, err
	}
	keys, err := ledger.Verifiers(s.keys...)
	if err != nil {
		return nil, err
	}
	newest, err := keys.Open(signed)
	switch {
	case err != nil:
		return nil, err
	case newest.Size <= last, newest.Size < size:
		return nil, ErrNotSealed
	case size != 0 && size <= last:
		return nil, ErrTooSmall
	case size == 0:
		size = newest.Size
	}
	read := remembered(s.tiles(ctx, log))
	a := &Attestation{Checkpoint: ledger.Checkpoint{Origin: newest.Origin, Size: size}, signers: s.signers}
	if a.Checkpoint.Root, err = ledger.RootAt(size, read); err != nil {
		return nil, err
	}
	if err := within(a.Checkpoint, newest, read); err != nil {
		return nil, err
	}
	if a.Signed, err = a.Checkpoint.Sign(s.signers...); err != nil {
		return nil, err
	}
	a.prove = func(index int64, leaf []byte) ([]ledger.Hash, error) {
		proof, err := ledger.MakeProof(index, leaf, a.Signed, read)
		return proof.Hashes, err
	}
	return a, nil
}

// tilesRemembered is the maximum number of tiles, of 8 KiB each, that a reader remembers. Proofs of entries in their order need few at a
// time.
const tilesRemembered = 256

// remembered returns a reader that reads a tile once for many proofs. It is not safe for concurrent use.
func remembered(read ledger.TileReader) ledger.TileReader {
	type place struct {
		level  int
		number int64
	}
	known := map[place][]ledger.Hash{}
	return func(level int, number int64, width int) ([]ledger.Hash, error) {
		at := place{level, number}
		if hashes := known[at]; len(hashes) >= width {
			return hashes, nil
		}
		hashes, err := read(level, number, width)
		if err != nil {
			return nil, err
		}
		if len(known) == tilesRemembered {
			clear(known)
		}
		known[at] = hashes
		return hashes, nil
	}
}

// within checks that a tree begins the newest signed tree: the tiles in the database could have been edited, and only a tree that was
// signed before may be signed again.
func within(tree, newest ledger.Checkpoint, read ledger.TileReader) error {
	if tree.Size == newest.Size {
		if tree.Root != newest.Root {
			return fmt.Errorf("%w: the stored tiles do not fit the checkpoint", ledger.ErrNotProved)
		}
		return nil
	}
	proof, err := ledger.ProveConsistency(tree.Size, newest.Size, read)
	if err != nil {
		return err
	}
	return ledger.CheckConsistency(proof, tree, newest)
}

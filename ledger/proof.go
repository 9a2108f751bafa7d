package ledger

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Proof proves that an entry is in the log. Everyone with the log's verifier key can check it. Its text is a tlog-proof of C2SP whose extra
// data is the leaf.
type Proof struct {
	Index      int64
	Leaf       []byte
	Hashes     []Hash
	Checkpoint []byte // signed
}

const proofHeader = "c2sp.org/tlog-proof@v1"

// MakeProof proves a leaf of the tree of a signed checkpoint. It returns ErrNotProved if the tree has another leaf at this index.
func MakeProof(index int64, leaf, signed []byte, read TileReader) (Proof, error) {
	checkpoint, err := UnverifiedCheckpoint(signed)
	if err != nil {
		return Proof{}, err
	}
	if index < 0 || index >= checkpoint.Size {
		return Proof{}, fmt.Errorf("leaf %d is not in a tree of %d", index, checkpoint.Size)
	}
	hashes, err := tlog.ProveRecord(checkpoint.Size, index, Hashes(read))
	if err != nil {
		return Proof{}, err
	}
	if tlog.CheckRecord(hashes, checkpoint.Size, checkpoint.Root, index, LeafHash(leaf)) != nil {
		return Proof{}, ErrNotProved
	}
	return Proof{Index: index, Leaf: leaf, Hashes: hashes, Checkpoint: signed}, nil
}

// Text returns the proof as a file.
func (p Proof) Text() []byte {
	var b bytes.Buffer
	b.WriteString(proofHeader + "\nextra " + base64.StdEncoding.EncodeToString(p.Leaf) + "\n")
	b.WriteString("index " + strconv.FormatInt(p.Index, 10) + "\n")
	for _, hash := range p.Hashes {
		b.WriteString(hash.String() + "\n")
	}
	b.WriteByte('\n')
	b.Write(p.Checkpoint)
	return b.Bytes()
}

// proofLimit is the maximum size of a proof in bytes. It has room for the largest leaf, as many hashes as a tree has levels, and many
// signatures.
const proofLimit = 2 << 20

// ParseProof parses a proof. It does not verify the proof.
func ParseProof(text []byte) (Proof, error) {
	var p Proof
	head, checkpoint, found := strings.Cut(string(text), "\n\n")
	lines := strings.Split(head, "\n")
	if len(text) > proofLimit || !found || len(lines) < 3 || lines[0] != proofHeader {
		return p, errors.New("this is no tlog-proof")
	}
	extra, hasLeaf := strings.CutPrefix(lines[1], "extra ")
	index, hasIndex := strings.CutPrefix(lines[2], "index ")
	if !hasLeaf || !hasIndex {
		return p, errors.New("this is no tlog-proof of an audit entry: it needs lines that begin with extra and index")
	}
	var err error
	if p.Leaf, err = base64.StdEncoding.DecodeString(extra); err != nil {
		return p, errors.New("the leaf in the proof is not in base64")
	}
	if p.Index, err = strconv.ParseInt(index, 10, 64); err != nil || p.Index < 0 {
		return p, fmt.Errorf("%q in the proof is no index", index)
	}
	for _, line := range lines[3:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return p, fmt.Errorf("%q in the proof is no hash", line)
		}
		p.Hashes = append(p.Hashes, hash)
	}
	p.Checkpoint = []byte(checkpoint)
	return p, nil
}

// ErrNotProved means that a proof is not valid.
var ErrNotProved = errors.New("the proof does not hold")

// Verify checks that the log signed the checkpoint, and that the leaf is in its tree at the index that the identifier of the entry has.
func (p Proof) Verify(keys Keys) (Checkpoint, error) {
	checkpoint, err := keys.Open(p.Checkpoint)
	if err != nil {
		return checkpoint, err
	}
	if p.Index >= checkpoint.Size {
		return checkpoint, fmt.Errorf("%w: the tree of the checkpoint has %d entries", ErrNotProved, checkpoint.Size)
	}
	return checkpoint, p.within(checkpoint)
}

// within checks the proof against a verified checkpoint.
func (p Proof) within(checkpoint Checkpoint) error {
	if err := tlog.CheckRecord(p.Hashes, checkpoint.Size, checkpoint.Root, p.Index, LeafHash(p.Leaf)); err != nil {
		return ErrNotProved
	}
	if !bytes.Contains(p.Leaf, []byte(`"id":"`+EntryID(p.Index)+`"`)) {
		return fmt.Errorf("%w: the entry is not %s", ErrNotProved, EntryID(p.Index))
	}
	return nil
}

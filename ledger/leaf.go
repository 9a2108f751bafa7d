package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Hash is a hash of the tree: of a leaf, a node or the root.
type Hash = tlog.Hash

// LeafHash returns the hash of a leaf.
func LeafHash(leaf []byte) Hash { return tlog.RecordHash(leaf) }

// LargestLeaf is the length of the longest leaf that fits into a bundle of entries.
const LargestLeaf = 1<<16 - 1

// Leaf makes the leaf of an audit entry from its JSON as GET /api/audit returns it.
func Leaf(entry []byte) ([]byte, error) { return new(LeafMaker).Leaf(entry) }

// LeafMaker makes many leaves with little memory. It is not safe for concurrent use.
type LeafMaker struct{ canonical canonicaliser }

// Leaf is like the function [Leaf]. The returned leaf is valid until the next call.
func (m *LeafMaker) Leaf(entry []byte) ([]byte, error) {
	c := &m.canonical
	c.text, c.at, c.out, c.depth, c.entry = entry, 0, c.out[:0], 0, true
	if err := c.whole(); err != nil {
		return nil, err
	}
	switch {
	case c.out[0] != '{':
		return nil, c.wrong("an audit entry is an object")
	case len(c.out) > LargestLeaf:
		return nil, fmt.Errorf("an entry of %d bytes is too large for a leaf", len(c.out))
	}
	return c.out, nil
}

// digest reads the metadata of an entry and replaces the member whose name begins at start by a member with the digest. It returns the end
// of the new name.
func (c *canonicaliser) digest(start int) (nameEnd int, err error) {
	begin := len(c.out)
	if err := c.value(); err != nil {
		return 0, err
	}
	sum := sha256.Sum256(c.out[begin:])
	c.out = append(c.out[:start], `"metadataSha256":"`...)
	c.out = hex.AppendEncode(c.out, sum[:])
	c.out = append(c.out, '"')
	return start + len(`"metadataSha256`), nil
}

// EntryID returns the identifier of the audit entry that a leaf is made of.
func EntryID(index int64) string { return fmt.Sprintf("aud_%016d", index+1) }

// EntryIndex returns the index of the leaf of an audit entry. It returns false if id is not the identifier of an entry.
func EntryIndex(id string) (int64, bool) {
	digits, ok := strings.CutPrefix(id, "aud_")
	if !ok || len(digits) < 16 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	sequence, err := strconv.ParseInt(digits, 10, 64)
	return sequence - 1, err == nil && sequence > 0 && EntryID(sequence-1) == id
}

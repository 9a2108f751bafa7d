package ledger

import (
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// TileWidth is the number of hashes in a full tile.
const TileWidth = 1 << tileHeight

const tileHeight = 8

// Tree is the right edge of a Merkle tree: the hashes needed to add leaves and to compute the root. It holds a few thousand hashes at most,
// regardless of its size. The zero Tree is empty. It is not safe for concurrent use.
type Tree struct {
	size  int64
	edge  [][]Hash // for each level of tiles, the hashes of the last, unfinished tile
	added []Tile   // completed tiles that Completed has not returned yet
}

// Size returns the number of leaves.
func (t *Tree) Size() int64 { return t.size }

// Clone returns an independent copy without completed tiles.
func (t *Tree) Clone() *Tree {
	edge := make([][]Hash, len(t.edge))
	for i, hashes := range t.edge {
		edge[i] = slices.Clone(hashes)
	}
	return &Tree{size: t.size, edge: edge}
}

// Add adds the hash of the next leaf.
func (t *Tree) Add(leaf Hash) {
	number := t.size
	t.size++
	for level := 0; ; level++ {
		if level == len(t.edge) {
			t.edge = append(t.edge, make([]Hash, 0, TileWidth))
		}
		t.edge[level] = append(t.edge[level], leaf)
		if len(t.edge[level]) < TileWidth {
			return
		}
		number >>= tileHeight
		whole := Tile{Level: level, Number: number, Hashes: slices.Clone(t.edge[level])}
		t.added = append(t.added, whole)
		t.edge[level] = t.edge[level][:0]
		leaf = whole.Root()
	}
}

// Completed returns the tiles that were completed since the last call, and removes them from the tree.
func (t *Tree) Completed() []Tile {
	added := t.added
	t.added = nil
	return added
}

// Unfinished returns the partial tiles at the edge. They share the tree's memory until the next Add.
func (t *Tree) Unfinished() []Tile {
	var tiles []Tile
	for level, hashes := range t.edge {
		if len(hashes) > 0 {
			tiles = append(tiles, Tile{Level: level, Number: t.size >> (tileHeight * (level + 1)), Hashes: hashes})
		}
	}
	return tiles
}

// Root returns the root of the tree.
func (t *Tree) Root() Hash {
	root, err := tlog.TreeHash(t.size, Hashes(func(level int, number int64, _ int) ([]Hash, error) {
		if level >= len(t.edge) || number != t.size>>(tileHeight*(level+1)) {
			return nil, fmt.Errorf("tile %d/%d is not at the edge", level, number)
		}
		return t.edge[level], nil
	}))
	if err != nil { // never: the hashes for the root of a tree are at its edge
		panic(err)
	}
	return root
}

// TreeFromTiles reads the edge of a tree from its partial tiles.
func TreeFromTiles(size int64, read TileReader) (*Tree, error) {
	t := &Tree{size: size}
	for level := 0; size>>(tileHeight*level) > 0; level++ {
		width := int(size >> (tileHeight * level) & (TileWidth - 1))
		hashes := make([]Hash, 0, TileWidth)
		if width > 0 {
			stored, err := read(level, size>>(tileHeight*(level+1)), width)
			if err != nil {
				return nil, err
			}
			if len(stored) < width {
				return nil, fmt.Errorf("a tile of level %d has %d hashes of %d", level, len(stored), width)
			}
			hashes = append(hashes, stored[:width]...)
		}
		t.edge = append(t.edge, hashes)
	}
	return t, nil
}

// TileReader reads at least the first width hashes of a tile. It may return more.
type TileReader func(level int, number int64, width int) ([]Hash, error)

// Hashes returns a tlog.HashReader that reads tiles, so that golang.org/x/mod/sumdb/tlog can compute proofs.
func Hashes(read TileReader) tlog.HashReader {
	return tlog.HashReaderFunc(func(indexes []int64) ([]Hash, error) {
		found := make([]Hash, 0, len(indexes))
		for _, index := range indexes {
			place := tlog.TileForIndex(tileHeight, index)
			hashes, err := read(place.L, place.N, place.W)
			if err != nil {
				return nil, err
			}
			if len(hashes) < place.W {
				return nil, fmt.Errorf("tile %d/%d has %d hashes of %d", place.L, place.N, len(hashes), place.W)
			}
			hash, err := tlog.HashFromTile(place, joined(hashes[:place.W]), index)
			if err != nil {
				return nil, err
			}
			found = append(found, hash)
		}
		return found, nil
	})
}

// RootAt returns the root of the tree when it had the given number of leaves.
func RootAt(size int64, read TileReader) (Hash, error) { return tlog.TreeHash(size, Hashes(read)) }

// ProveConsistency proves that a tree begins with all leaves of a smaller tree.
func ProveConsistency(from, to int64, read TileReader) ([]Hash, error) {
	if from == to || from == 0 {
		return nil, nil
	}
	return tlog.ProveTree(to, from, Hashes(read))
}

// CheckConsistency checks a proof of ProveConsistency.
func CheckConsistency(proof []Hash, from, to Checkpoint) error {
	switch {
	case from.Size > to.Size:
		return fmt.Errorf("the later checkpoint has %d entries, the earlier %d", to.Size, from.Size)
	case from.Size == to.Size && from.Root == to.Root && len(proof) == 0, from.Size == 0 && len(proof) == 0:
		return nil
	case from.Size == to.Size:
		return fmt.Errorf("two checkpoints of %d entries have different roots", to.Size)
	}
	return tlog.CheckTree(proof, to.Size, to.Root, from.Size, from.Root)
}

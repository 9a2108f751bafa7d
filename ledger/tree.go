package ledger

import (
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/tlog"
)

// TileWidth is how many hashes a whole tile has.
const TileWidth = 1 << tileHeight

const tileHeight = 8

// Tree is the right edge of a tree: what it takes to add leaves, and to name the root. It holds a few thousand hashes at
// most, whatever the size. The zero Tree is empty. It is not safe for concurrent use.
type Tree struct {
	size  int64
	edge  [][]Hash // for each level of tiles, the hashes of the last, unfinished tile
	added []Tile   // tiles that were completed and not taken yet
}

// Size is the number of leaves.
func (t *Tree) Size() int64 { return t.size }

// Clone is a copy that changes on its own. It has no tiles to take.
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

// Completed takes the tiles that were completed since it was last called.
func (t *Tree) Completed() []Tile {
	added := t.added
	t.added = nil
	return added
}

// Unfinished are the tiles at the edge that are not whole. They share the tree's memory until the next Add.
func (t *Tree) Unfinished() []Tile {
	var tiles []Tile
	for level, hashes := range t.edge {
		if len(hashes) > 0 {
			tiles = append(tiles, Tile{Level: level, Number: t.size >> (tileHeight * (level + 1)), Hashes: hashes})
		}
	}
	return tiles
}

// Root is the root of the tree.
func (t *Tree) Root() Hash {
	root, err := tlog.TreeHash(t.size, Hashes(func(level int, number int64, _ int) ([]Hash, error) {
		if level >= len(t.edge) || number != t.size>>(tileHeight*(level+1)) {
			return nil, fmt.Errorf("tile %d/%d is not at the edge", level, number)
		}
		return t.edge[level], nil
	}))
	if err != nil { // the hashes that make the root of a tree are at its edge
		panic(err)
	}
	return root
}

// TreeFromTiles takes the edge of a tree from its unfinished tiles.
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

// TileReader reads a tile of which at least width hashes exist. It may return more than width.
type TileReader func(level int, number int64, width int) ([]Hash, error)

// Hashes makes of tiles what golang.org/x/mod/sumdb/tlog makes proofs of.
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

// RootAt is the root of the tree when it had so many leaves.
func RootAt(size int64, read TileReader) (Hash, error) { return tlog.TreeHash(size, Hashes(read)) }

// ProveConsistency proves that a tree of one size begins with all of a smaller one.
func ProveConsistency(from, to int64, read TileReader) ([]Hash, error) {
	if from == to || from == 0 {
		return nil, nil
	}
	return tlog.ProveTree(to, from, Hashes(read))
}

// CheckConsistency checks such a proof.
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

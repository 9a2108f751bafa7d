package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Tile is a piece of the tree: up to 256 neighbouring hashes of one level. Level 0 has the hashes of leaves, and each higher level has the
// roots of the full tiles below it.
type Tile struct {
	Level  int
	Number int64
	Hashes []Hash
}

// Data returns the bytes of the tile as the log serves them.
func (t Tile) Data() []byte { return joined(t.Hashes) }

// Root returns the root of a full tile.
func (t Tile) Root() Hash {
	place := tlog.Tile{H: tileHeight, L: t.Level, N: t.Number, W: TileWidth}
	data := t.Data()
	half := func(n int64) Hash {
		hash, err := tlog.HashFromTile(place, data, tlog.StoredHashIndex((t.Level+1)*tileHeight-1, 2*t.Number+n))
		if err != nil { // a full tile has both halves
			panic(err)
		}
		return hash
	}
	return tlog.NodeHash(half(0), half(1))
}

func joined(hashes []Hash) []byte {
	data := make([]byte, 0, len(hashes)*tlog.HashSize)
	for i := range hashes {
		data = append(data, hashes[i][:]...)
	}
	return data
}

// ParseHashes reads the hashes of a tile.
func ParseHashes(data []byte) ([]Hash, error) {
	if len(data)%tlog.HashSize != 0 || len(data) > TileWidth*tlog.HashSize {
		return nil, fmt.Errorf("a tile has %d bytes", len(data))
	}
	hashes := make([]Hash, len(data)/tlog.HashSize)
	for i := range hashes {
		hashes[i] = Hash(data[i*tlog.HashSize:])
	}
	return hashes, nil
}

// EntriesLevel is the level of a Place that is a bundle of entries.
const EntriesLevel = -1

// Place identifies a tile or a bundle of entries in the log.
type Place struct {
	Level  int // EntriesLevel for entries
	Number int64
	Width  int
}

// Path returns the path of a place below the log's address.
func (p Place) Path() string {
	var b strings.Builder
	b.WriteString("tile/")
	if p.Level == EntriesLevel {
		b.WriteString("entries/")
	} else {
		b.WriteString(strconv.Itoa(p.Level) + "/")
	}
	groups := ""
	number := p.Number
	for first := true; first || number > 0; first = false {
		mark := "x"
		if first {
			mark = ""
		}
		group := fmt.Sprintf("%s%03d", mark, number%1000)
		if groups != "" {
			group += "/"
		}
		groups = group + groups
		number /= 1000
	}
	b.WriteString(groups)
	if p.Width < TileWidth {
		b.WriteString(".p/" + strconv.Itoa(p.Width))
	}
	return b.String()
}

// deepestLevel is the highest level that a tree of 2^63 leaves can have.
const deepestLevel = 7

// ParsePlace parses a path. Every place has exactly one path.
func ParsePlace(path string) (Place, error) {
	place := Place{Width: TileWidth}
	wrong := fmt.Errorf("%q is no path of a tile", path)
	rest, ok := strings.CutPrefix(path, "tile/")
	if !ok {
		return place, wrong
	}
	level, rest, _ := strings.Cut(rest, "/")
	if level == "entries" {
		place.Level = EntriesLevel
	} else {
		number, err := strconv.Atoi(level)
		if err != nil || number < 0 || number > deepestLevel {
			return place, wrong
		}
		place.Level = number
	}
	if before, width, partial := strings.Cut(rest, ".p/"); partial {
		number, err := strconv.Atoi(width)
		if err != nil || number < 1 || number >= TileWidth {
			return place, wrong
		}
		rest, place.Width = before, number
	}
	for group := range strings.SplitSeq(rest, "/") {
		digits := strings.TrimPrefix(group, "x")
		number, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || number < 0 || len(digits) != 3 || place.Number > math.MaxInt64/TileWidth/1000-1 {
			return place, wrong
		}
		place.Number = place.Number*1000 + number
	}
	if place.Path() != path {
		return place, wrong
	}
	return place, nil
}

// WidthAt returns the number of hashes or entries at a place in a tree of the given size.
func (p Place) WidthAt(size int64) int {
	level := max(p.Level, 0)
	return int(max(0, min(TileWidth, size>>(tileHeight*level)-p.Number*TileWidth)))
}

// AppendEntry appends a leaf to a bundle of entries.
func AppendEntry(bundle, leaf []byte) []byte {
	bundle = binary.BigEndian.AppendUint16(bundle, uint16(len(leaf))) //nolint:gosec // Leaf refuses longer ones
	return append(bundle, leaf...)
}

// ParseEntries reads a bundle of entries.
func ParseEntries(bundle []byte) ([][]byte, error) {
	var leaves [][]byte
	for len(bundle) > 0 {
		if len(bundle) < 2 || len(bundle)-2 < int(binary.BigEndian.Uint16(bundle)) {
			return nil, errors.New("a bundle of entries is cut off")
		}
		length := int(binary.BigEndian.Uint16(bundle))
		leaves = append(leaves, bundle[2:2+length])
		bundle = bundle[2+length:]
	}
	if len(leaves) > TileWidth {
		return nil, fmt.Errorf("a bundle has %d entries", len(leaves))
	}
	return leaves, nil
}

package ledger

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"
)

// Entry is an entry of the trail in its current state.
type Entry struct {
	Index int64
	Leaf  []byte // valid until the next entry
	Wrong string // the reason why the entry has no leaf; "" if it has one
}

// Trail is the input of Verify.
type Trail struct {
	// Entries yields all entries in order.
	Entries iter.Seq2[Entry, error]
	// Tile reads the tiles that were stored when entries were sealed. It returns the stored part of a tile, or nil. With Tile, Verify can
	// identify the wrong entry; without it, only the two checkpoints between which the wrong entry is.
	Tile func(level int, number int64) ([]Hash, error)
	// Checkpoints are checkpoints of this log whose signatures were checked.
	Checkpoints []Checkpoint
	// Sealed is the number of entries in the log's own newest checkpoint. Tiles are stored up to this size.
	Sealed int64
}

// Kind is the kind of a finding.
type Kind string

// The kinds of findings.
const (
	Changed         Kind = "changed"          // an entry differs from the sealed one
	Moved           Kind = "moved"            // the entry here was sealed at another place
	Missing         Kind = "missing"          // a sealed entry does not exist
	UnknownEntry    Kind = "unknown-entry"    // one of several entries is wrong, but it is not known which
	WrongTile       Kind = "tile"             // a stored tile differs from the sealed one; the entries do not
	WrongCheckpoint Kind = "checkpoint"       // a signed checkpoint does not match the trail
	WrongSerial     Kind = "serial"           // the row of a serial does not follow from its entries
	WrongReport     Kind = "report"           // a nonconformance report does not follow from its entries
	WrongRecord     Kind = "record"           // another record does not follow from its entries
	WrongFile       Kind = "file"             // the bytes of a file are missing or do not match its digest
	WrongSignature  Kind = "signature"        // a signature does not match the entries before it
	Unsigned        Kind = "unsigned"         // an entry needed a signature when it was written, but has none
	NoWitness       Kind = "witness"          // required cosignatures are missing
	RemovedSeals    Kind = "checkpoints-gone" // signed checkpoints are missing in the database

	UnreadableRow Kind = "unreadable" // the row of a record in the database cannot be read

	// AcceptedMisfit is a checkpoint in the trail's own entries that does not match the trail: the log was restarted over a changed trail.
	AcceptedMisfit Kind = "accepted"

	WrittenWhileStopped Kind = "stopped" // entries that were written while the service was stopped
)

// Finding is one fault of the trail, the records or the files.
type Finding struct {
	Kind  Kind   `json:"kind"`
	Entry string `json:"entry,omitempty"` // the first entry concerned
	Until string `json:"until,omitempty"` // the last entry, if several are concerned
	Text  string `json:"text"`            // a sentence for people
}

// Report is the result of Verify.
type Report struct {
	Entries  int64     // the number of existing entries
	Sealed   int64     // the number of entries that the largest matching checkpoint proves, from the first on
	Started  int64     // the number of entries from before the log began: they are proved only from that time on
	Restarts []int64   // the numbers of entries after which the log restarted
	Findings []Finding // in the order of the trail; none if everything is right
	More     int64     // the number of findings that are not listed
	Tree     *Tree     // the tree of the entries in the database, up to the largest checkpoint
}

// OK reports whether nothing is wrong.
func (r *Report) OK() bool { return len(r.Findings) == 0 }

// listed is the maximum number of findings of each kind in a report, so that many findings of one kind do not hide those of another.
const listed = 20

// Add adds a finding.
func (r *Report) Add(finding Finding) {
	alike := 0
	for i := range r.Findings {
		if r.Findings[i].Kind == finding.Kind {
			alike++
		}
	}
	if alike >= listed {
		r.More++
		return
	}
	r.Findings = append(r.Findings, finding)
}

// Verify reads a trail once, from its first entry to its last, and reports whether it matches the checkpoints. It returns an error if
// reading failed; then nothing is known about the trail.
func Verify(trail Trail) (*Report, error) {
	v := &verification{trail: trail, report: &Report{}, tree: &Tree{}, tileNumber: -1}
	v.checkpoints = slices.Clone(trail.Checkpoints)
	slices.SortStableFunc(v.checkpoints, func(a, b Checkpoint) int { return cmp.Compare(a.Size, b.Size) })
	for _, checkpoint := range v.checkpoints {
		v.signed = max(v.signed, checkpoint.Size)
	}
	if err := v.reached(); err != nil {
		return nil, err
	}
	for entry, err := range trail.Entries {
		if err == nil {
			err = v.entry(entry)
		}
		if err != nil {
			return nil, err
		}
	}
	v.conclude()
	return v.report, nil
}

type verification struct {
	trail       Trail
	report      *Report
	checkpoints []Checkpoint // sorted by size
	signed      int64        // the size of the largest checkpoint
	judged      int          // the number of checkpoints that were compared
	fits        int64        // the size of the largest matching checkpoint
	misfit      []Checkpoint // the checkpoints that do not match
	tree        *Tree
	next        int64 // the next index
	tileNumber  int64 // the number of the current tile of leaves
	tile        []Hash
	wrongLeaves []Finding // the places where entries and stored tiles differ
	wrongTiles  []wrongTile
	missing     []Finding
	more        int64
}

// wrongTile is a stored tile above the leaves that does not follow from the entries.
type wrongTile struct {
	level       int
	number      int64
	first, last int64 // the leaves below this tile
}

func (v *verification) entry(entry Entry) error {
	if entry.Index < 0 && v.next == 0 {
		v.note(&v.missing, Finding{Kind: Changed, Text: fmt.Sprintf("an entry with the number %d stands before the first", entry.Index+1)})
		return nil
	}
	if entry.Index < v.next {
		return fmt.Errorf("entry %s comes after %s", EntryID(entry.Index), EntryID(v.next-1))
	}
	if entry.Index > v.next {
		v.gap(entry.Index)
		for v.next < min(entry.Index, v.signed) { // so that the following entries are compared at their own positions
			if err := v.add(Hash{}); err != nil {
				return err
			}
		}
		v.next = entry.Index
	}
	v.report.Entries++
	hash := Hash{}
	if entry.Wrong == "" {
		hash = LeafHash(entry.Leaf)
	}
	if err := v.compare(entry, hash); err != nil {
		return err
	}
	if entry.Wrong == "" {
		switch {
		case bytes.HasPrefix(entry.Leaf, []byte(`{"action":"ledger_started"`)) && v.report.Started == 0:
			v.report.Started = entry.Index
		case bytes.HasPrefix(entry.Leaf, []byte(`{"action":"ledger_restarted"`)):
			v.report.Restarts = append(v.report.Restarts, entry.Index)
		}
	}
	return v.add(hash)
}

// add extends the tree until the largest checkpoint is reached.
func (v *verification) add(hash Hash) error {
	v.next++
	if v.tree.Size() >= v.signed {
		return nil
	}
	v.tree.Add(hash)
	for _, tile := range v.tree.Completed() {
		if err := v.completed(tile); err != nil {
			return err
		}
	}
	return v.reached()
}

// reached compares the tree with the checkpoints of its current size.
func (v *verification) reached() error {
	size := v.tree.Size()
	if size == v.trail.Sealed {
		for _, tile := range v.tree.Unfinished() {
			if err := v.completed(tile); err != nil {
				return err
			}
		}
	}
	for ; v.judged < len(v.checkpoints) && v.checkpoints[v.judged].Size == size; v.judged++ {
		if checkpoint := v.checkpoints[v.judged]; checkpoint.Root == v.tree.Root() {
			v.fits = size
		} else {
			v.misfit = append(v.misfit, checkpoint)
		}
	}
	return nil
}

func (v *verification) gap(until int64) {
	finding := Finding{Kind: Missing, Entry: EntryID(v.next), Text: EntryID(v.next) + " is missing"}
	if until-v.next > 1 {
		finding.Until = EntryID(until - 1)
		finding.Text = fmt.Sprintf("%s to %s are missing", finding.Entry, finding.Until)
	}
	v.note(&v.missing, finding)
}

func (v *verification) note(list *[]Finding, finding Finding) {
	if len(*list) >= listed {
		v.more++
		return
	}
	*list = append(*list, finding)
}

// compare compares an entry with the stored hash of its leaf.
func (v *verification) compare(entry Entry, hash Hash) error {
	if entry.Index >= v.trail.Sealed || v.trail.Tile == nil {
		if entry.Wrong != "" {
			v.note(&v.wrongLeaves, v.unreadable(entry))
		}
		return nil
	}
	if number := entry.Index / TileWidth; number != v.tileNumber {
		var err error
		if v.tile, err = v.trail.Tile(0, number); err != nil {
			return err
		}
		v.tileNumber = number
	}
	at := int(entry.Index % TileWidth)
	if at < len(v.tile) && v.tile[at] == hash && entry.Wrong == "" {
		return nil
	}
	switch {
	case entry.Wrong != "":
		v.note(&v.wrongLeaves, v.unreadable(entry))
	case at >= len(v.tile):
		if at == 0 || at == len(v.tile) {
			v.wrongTiles = append(v.wrongTiles, wrongTile{0, v.tileNumber, entry.Index, v.tileNumber*TileWidth + TileWidth - 1})
		}
	default:
		finding := Finding{Kind: Changed, Entry: EntryID(entry.Index), Text: EntryID(entry.Index) + " was changed"}
		if len(v.wrongLeaves) == 0 {
			other, err := v.sealedAs(entry)
			if err != nil {
				return err
			}
			if other >= 0 {
				finding.Kind = Moved
				finding.Text = fmt.Sprintf("%s is not what was sealed by that id: the entry that stands there was sealed as %s",
					EntryID(entry.Index), EntryID(other))
			}
		}
		v.note(&v.wrongLeaves, finding)
	}
	return nil
}

func (v *verification) unreadable(entry Entry) Finding {
	return Finding{Kind: Changed, Entry: EntryID(entry.Index), Text: EntryID(entry.Index) + " was changed: " + entry.Wrong}
}

// sealedAs searches nearby tiles for the index that an entry had when it was sealed; -1 if it is not found.
func (v *verification) sealedAs(entry Entry) (int64, error) {
	own := []byte(`"id":"` + EntryID(entry.Index) + `"`)
	at := bytes.Index(entry.Leaf, own)
	if at < 0 {
		return -1, nil
	}
	leaf := bytes.Clone(entry.Leaf)
	for number := max(0, v.tileNumber-1); number <= v.tileNumber+1 && number*TileWidth < v.trail.Sealed; number++ {
		hashes, err := v.trail.Tile(0, number)
		if err != nil {
			return -1, err
		}
		for i, hash := range hashes {
			index := number*TileWidth + int64(i)
			if index == entry.Index {
				continue
			}
			copy(leaf[at:], `"id":"`+EntryID(index))
			if LeafHash(leaf) == hash {
				return index, nil
			}
		}
	}
	return -1, nil
}

// completed compares a tile that follows from the entries with the stored tile. It skips tiles of leaves, which were compared one by one.
func (v *verification) completed(tile Tile) error {
	if tile.Level == 0 || v.trail.Tile == nil {
		return nil
	}
	span := int64(1) << (tileHeight * tile.Level)
	first := tile.Number * TileWidth * span
	if first+int64(len(tile.Hashes))*span > v.trail.Sealed {
		return nil
	}
	stored, err := v.trail.Tile(tile.Level, tile.Number)
	if err != nil {
		return err
	}
	for i, hash := range tile.Hashes {
		if i >= len(stored) || stored[i] != hash {
			from := first + int64(i)*span
			v.wrongTiles = append(v.wrongTiles, wrongTile{tile.Level, tile.Number, from, from + span - 1})
			return nil
		}
	}
	return nil
}

// conclude turns the differences into findings.
func (v *verification) conclude() {
	r := v.report
	r.Sealed, r.Tree = v.fits, v.tree
	if v.next < v.signed {
		r.Add(v.cutOff())
	}
	for _, missing := range v.missing {
		r.Add(missing)
	}
	// A matching checkpoint proves every entry before it. If a tile differs from these entries, the tile is wrong.
	for _, finding := range v.wrongLeaves {
		if index, _ := EntryIndex(finding.Entry); index < v.fits {
			r.Add(Finding{Kind: WrongTile, Entry: finding.Entry,
				Text: fmt.Sprintf("the stored tile tile/0/%d does not fit %s; the entry itself is proved", index/TileWidth, finding.Entry)})
			continue
		}
		r.Add(finding)
	}
	v.concludeTiles()
	for _, checkpoint := range v.misfit {
		if len(r.Findings) == 0 && checkpoint.Size > v.fits { // an attacker made everything match except the signature
			r.Add(Finding{Kind: UnknownEntry, Entry: EntryID(v.fits), Until: EntryID(checkpoint.Size - 1), Text: fmt.Sprintf(
				"one of %s to %s was changed; which one cannot be said, because the tiles were changed with it",
				EntryID(v.fits), EntryID(checkpoint.Size-1))})
		}
		r.Add(Finding{Kind: WrongCheckpoint, Text: fmt.Sprintf("the checkpoint of %s with %d entries does not fit the trail",
			checkpoint.Origin, checkpoint.Size)})
	}
	r.More += v.more
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(place(a), place(b)) })
}

// cutOff returns the finding for signed entries that are missing at the end.
func (v *verification) cutOff() Finding {
	finding := Finding{Kind: Missing, Entry: EntryID(v.next), Until: EntryID(v.signed - 1)}
	finding.Text = fmt.Sprintf("%s to %s were signed and are missing", finding.Entry, finding.Until)
	if v.signed-v.next == 1 {
		finding.Until, finding.Text = "", finding.Entry+" was signed and is missing"
	}
	return finding
}

func (v *verification) concludeTiles() {
	r := v.report
	for _, tile := range v.wrongTiles {
		known := slices.ContainsFunc(r.Findings, func(finding Finding) bool {
			index, ok := EntryIndex(finding.Entry)
			return ok && index >= tile.first && index <= tile.last
		})
		last := min(tile.last, v.signed-1)
		switch {
		case tile.last < v.fits || last < v.fits:
			r.Add(Finding{Kind: WrongTile, Entry: EntryID(tile.first), Until: EntryID(last),
				Text: fmt.Sprintf("the stored tile tile/%d/%d does not fit its entries; they are proved", tile.level, tile.number)})
		case known || tile.level == 0 || len(v.missing) > 0:
		default:
			r.Add(Finding{Kind: UnknownEntry, Entry: EntryID(tile.first), Until: EntryID(last), Text: fmt.Sprintf(
				"one of %s to %s was changed, and their tile with it", EntryID(tile.first), EntryID(last))})
		}
	}
}

// place returns the position of a finding in the trail; findings without an entry come last.
func place(finding Finding) int64 {
	if index, ok := EntryIndex(finding.Entry); ok {
		return index
	}
	return 1<<63 - 1
}

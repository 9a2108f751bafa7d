package ledger

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"
)

// Entry is an entry of the trail as it is now.
type Entry struct {
	Index int64
	Leaf  []byte // valid until the next entry
	Wrong string // why no leaf can be made of it, "" when one can
}

// Trail is the input of Verify.
type Trail struct {
	// Entries yields the entries from the first on, in order.
	Entries iter.Seq2[Entry, error]
	// Tile reads the tiles that were stored when entries were sealed; it returns the stored part, nil for nothing. With it, Verify can name
	// the wrong entry; without it, only the checkpoints between which it is.
	Tile func(level int, number int64) ([]Hash, error)
	// Checkpoints are checkpoints of this log whose signatures were checked.
	Checkpoints []Checkpoint
	// Sealed is how many entries the log's own newest checkpoint has: tiles are stored up to there.
	Sealed int64
}

// Kind is the kind of a finding.
type Kind string

// What can be wrong.
const (
	Changed         Kind = "changed"          // an entry differs from the sealed one
	Moved           Kind = "moved"            // the entry here was sealed at another place
	Missing         Kind = "missing"          // an entry that was sealed is not there
	UnknownEntry    Kind = "unknown-entry"    // one of several entries is wrong, and it cannot be said which
	WrongTile       Kind = "tile"             // a stored tile differs from the sealed one; the entries do not
	WrongCheckpoint Kind = "checkpoint"       // a checkpoint that was signed does not fit the trail
	WrongSerial     Kind = "serial"           // the row of a serial does not follow from its entries
	WrongReport     Kind = "report"           // a report of a nonconformance does not
	WrongRecord     Kind = "record"           // another record does not follow from its entries
	WrongFile       Kind = "file"             // the bytes of a file are missing, or are not those of its digest
	WrongSignature  Kind = "signature"        // an entry has a signature that is not of the entries before it
	Unsigned        Kind = "unsigned"         // an entry had to be signed when it was made, and is not
	NoWitness       Kind = "witness"          // cosignatures that are asked for are not there
	RemovedSeals    Kind = "checkpoints-gone" // signed checkpoints are missing in the database

	UnreadableRow Kind = "unreadable" // what a database has of a record cannot be read

	// AcceptedMisfit is a checkpoint that the trail itself has kept and that does not fit it: the log restarted over a trail that was
	// changed.
	AcceptedMisfit Kind = "accepted"

	WrittenWhileStopped Kind = "stopped" // entries that were written while the service was stopped
)

// Finding is one thing that is wrong.
type Finding struct {
	Kind  Kind   `json:"kind"`
	Entry string `json:"entry,omitempty"` // the first entry that it concerns
	Until string `json:"until,omitempty"` // the last one, when there are several
	Text  string `json:"text"`            // a sentence for people
}

// Report is the result of Verify.
type Report struct {
	Entries  int64     // entries that are there
	Sealed   int64     // of which a checkpoint, the largest that fits, proves so many from the first on
	Started  int64     // entries that were there before the log was begun: they are proved from then on only
	Restarts []int64   // after how many entries the log restarted
	Findings []Finding // in the order of the trail; none when all is well
	More     int64     // findings beyond those that are listed
	Tree     *Tree     // of the entries as they are, up to the largest checkpoint
}

// OK reports whether nothing is wrong.
func (r *Report) OK() bool { return len(r.Findings) == 0 }

// listed is the number of findings of each kind that a report lists, so that many of one kind hide none of another.
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

// Verify reads a trail once, from its first entry to its last, and reports whether it fits the checkpoints. The error concerns reading:
// then nothing is known.
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
	checkpoints []Checkpoint // by size
	signed      int64        // the size of the largest
	judged      int          // how many of them were compared
	fits        int64        // the largest that fits
	misfit      []Checkpoint // those that do not
	tree        *Tree
	next        int64 // the index that comes next
	tileNumber  int64 // the tile of leaves at hand
	tile        []Hash
	wrongLeaves []Finding // where entries and stored tiles differ
	wrongTiles  []wrongTile
	missing     []Finding
	more        int64
}

// wrongTile is a stored tile above the leaves that does not follow from the entries.
type wrongTile struct {
	level       int
	number      int64
	first, last int64 // leaves that it concerns
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
		for v.next < min(entry.Index, v.signed) { // so that what follows is compared in its place
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

// add extends the tree while there are checkpoints to reach.
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

// reached compares the checkpoints of the size that the tree has now.
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

// sealedAs looks in the neighbourhood for the index that an entry had when it was sealed; -1 when it is not there.
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

// completed compares a tile that follows from the entries with the stored one. Leaves were compared one by one.
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

// conclude says what the differences mean.
func (v *verification) conclude() {
	r := v.report
	r.Sealed, r.Tree = v.fits, v.tree
	if v.next < v.signed {
		r.Add(v.cutOff())
	}
	for _, missing := range v.missing {
		r.Add(missing)
	}
	// A checkpoint that fits proves every entry before it, whatever the tiles say: then it is the tile that is wrong.
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
		if len(r.Findings) == 0 && checkpoint.Size > v.fits { // everything was made to fit, except the signature
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

// cutOff is the finding of entries that were signed and are missing.
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

// place is the position of a finding in the trail; findings about no entry come last.
func place(finding Finding) int64 {
	if index, ok := EntryIndex(finding.Entry); ok {
		return index
	}
	return 1<<63 - 1
}

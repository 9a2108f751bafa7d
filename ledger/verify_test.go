package ledger_test

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/ledger"
)

// trail is a trail with its stored tiles and checkpoints, for tests to change.
type trail struct {
	entries     []ledger.Entry
	tiles       map[[2]int64][]ledger.Hash
	checkpoints []ledger.Checkpoint
	sealed      int64
}

// sealedTrail returns a trail with this number of entries, and with checkpoints of these sizes. The last checkpoint is the log's own.
func sealedTrail(t testing.TB, entries int, sizes ...int) *trail {
	t.Helper()
	m := newMemory()
	made := &trail{}
	for _, size := range sizes {
		m.grow(t, size)
		made.checkpoints = append(made.checkpoints, ledger.Checkpoint{Origin: "shop", Size: int64(size), Root: m.tree.Root()})
		made.sealed = int64(size)
	}
	made.tiles = m.tiles
	for i := range entries {
		made.entries = append(made.entries, ledger.Entry{Index: int64(i), Leaf: leafOf(i)})
	}
	return made
}

func (s *trail) verify(t testing.TB) *ledger.Report {
	t.Helper()
	report, err := ledger.Verify(ledger.Trail{
		Entries: s.list(),
		Tile: func(level int, number int64) ([]ledger.Hash, error) {
			return s.tiles[[2]int64{int64(level), number}], nil
		},
		Checkpoints: s.checkpoints, Sealed: s.sealed,
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func (s *trail) list() iter.Seq2[ledger.Entry, error] {
	return func(yield func(ledger.Entry, error) bool) {
		for _, entry := range s.entries {
			if !yield(entry, nil) {
				return
			}
		}
	}
}

// renumber gives entries the identifiers of their places, to cover up a removal.
func (s *trail) renumber() {
	for i := range s.entries {
		old := ledger.EntryID(s.entries[i].Index)
		s.entries[i].Index = int64(i)
		s.entries[i].Leaf = bytes.Replace(s.entries[i].Leaf, []byte(old), []byte(ledger.EntryID(int64(i))), 1)
	}
}

func (s *trail) edit(index int) {
	s.entries[index].Leaf = bytes.Replace(s.entries[index].Leaf, []byte("anna"), []byte("otto"), 1)
}

// fitTile makes a tile of leaves match the current entries.
func (s *trail) fitTile(number int) {
	hashes := s.tiles[[2]int64{0, int64(number)}]
	for i := range hashes {
		hashes[i] = ledger.LeafHash(s.entries[number*256+i].Leaf)
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		change func(*trail)
		want   []string // kind, entry and until of each finding
		text   string   // the text of the first finding
	}{
		{"nothing", func(*trail) {}, nil, ""},
		{"an entry changed", func(s *trail) { s.edit(300) }, []string{"changed aud_0000000000000301", "checkpoint", "checkpoint"}, "was changed"},
		{"the first entry changed", func(s *trail) { s.edit(0) }, []string{"changed aud_0000000000000001", "checkpoint", "checkpoint", "checkpoint"}, ""},
		{"the last sealed entry changed", func(s *trail) { s.edit(1299) }, []string{"changed aud_0000000000001300", "checkpoint"}, ""},
		{"an entry that is not sealed yet changed", func(s *trail) { s.edit(1300) }, nil, ""},
		{"two changed", func(s *trail) { s.edit(900); s.edit(700) },
			[]string{"changed aud_0000000000000701", "changed aud_0000000000000901", "checkpoint", "checkpoint"}, ""},
		{"an entry cannot be read", func(s *trail) { s.entries[700].Leaf, s.entries[700].Wrong = nil, "metadata is no JSON" },
			[]string{"changed aud_0000000000000701", "checkpoint", "checkpoint"}, "metadata is no JSON"},
		{"an entry removed", func(s *trail) { s.entries = slices.Delete(s.entries, 700, 701) },
			[]string{"missing aud_0000000000000701", "checkpoint", "checkpoint"}, "aud_0000000000000701 is missing"},
		{"entries removed over the border of a tile", func(s *trail) { s.entries = slices.Delete(s.entries, 760, 800) },
			[]string{"missing aud_0000000000000761 aud_0000000000000800", "checkpoint", "checkpoint"}, ""},
		{"the first entries removed", func(s *trail) { s.entries = s.entries[3:] },
			[]string{"missing aud_0000000000000001 aud_0000000000000003", "checkpoint", "checkpoint", "checkpoint"}, ""},
		{"an entry removed and the rest renumbered", func(s *trail) { s.entries = slices.Delete(s.entries, 1200, 1201); s.renumber() },
			[]string{"moved aud_0000000000001201"}, "was sealed as aud_0000000000001202"},
		{"an entry inserted and the rest renumbered", func(s *trail) {
			s.entries = slices.Insert(s.entries, 1290, ledger.Entry{Index: 5, Leaf: []byte(`{"action":"x","id":"` + ledger.EntryID(5) + `"}`)})
			s.renumber()
		}, []string{"changed aud_0000000000001291", "changed aud_0000000000001292"}, ""},
		{"two entries swapped", func(s *trail) {
			s.edit(1250)
			s.entries[1250], s.entries[1260] = s.entries[1260], s.entries[1250]
			s.renumber()
		}, []string{"moved aud_0000000000001251", "changed aud_0000000000001261", "checkpoint"}, "was sealed as aud_0000000000001261"},
		{"the tail cut off", func(s *trail) { s.entries = s.entries[:1000] }, []string{"missing aud_0000000000001001 aud_0000000000001300"},
			"aud_0000000000001001 to aud_0000000000001300 were signed and are missing"},
		{"one entry cut off", func(s *trail) { s.entries = s.entries[:1299] }, []string{"missing aud_0000000000001300"}, "was signed and is missing"},
		{"everything cut off", func(s *trail) { s.entries = nil }, []string{"missing aud_0000000000000001 aud_0000000000001300"}, ""},
		{"an entry and its tile changed", func(s *trail) { s.edit(700); s.fitTile(2) },
			[]string{"unknown-entry aud_0000000000000513 aud_0000000000000768", "checkpoint", "checkpoint"}, "and their tile with it"},
		{"an entry and all tiles changed", func(s *trail) {
			s.edit(700)
			m := newMemory()
			m.leaves = nil
			for _, entry := range s.entries[:1300] {
				m.tree.Add(ledger.LeafHash(entry.Leaf))
			}
			for _, tile := range slices.Concat(m.tree.Completed(), m.tree.Unfinished()) {
				s.tiles[[2]int64{int64(tile.Level), tile.Number}] = tile.Hashes
			}
		}, []string{"unknown-entry aud_0000000000000301 aud_0000000000000900", "checkpoint", "checkpoint"}, "which one cannot be said"},
		{"a tile changed", func(s *trail) { s.tiles[[2]int64{0, 2}][7][0]++ }, []string{"tile aud_0000000000000520"}, "the entry itself is proved"},
		{"a tile above changed", func(s *trail) { s.tiles[[2]int64{1, 0}][2][0]++ }, []string{"tile aud_0000000000000513 aud_0000000000000768"}, "tile/1/0"},
		{"a tile removed", func(s *trail) { delete(s.tiles, [2]int64{0, 2}) }, []string{"tile aud_0000000000000513 aud_0000000000000768"}, "tile/0/2"},
		{"the newest checkpoint removed", func(s *trail) { s.checkpoints = s.checkpoints[:2]; s.sealed = 900 }, nil, ""},
		{"a checkpoint of more than there is", func(s *trail) {
			s.checkpoints = append(s.checkpoints, ledger.Checkpoint{Origin: "shop", Size: 5000})
		}, []string{"missing aud_0000000000001401 aud_0000000000005000"}, ""},
		{"a checkpoint of another history", func(s *trail) { s.checkpoints[0].Root[5]++ },
			[]string{"checkpoint"}, "the checkpoint of shop with 300 entries does not fit"},
		{"a number far away", func(s *trail) { s.entries[1399].Index = 1 << 60 },
			[]string{"missing aud_0000000000001400 aud_1152921504606846976"}, ""},
	} {
		s := sealedTrail(t, 1400, 300, 900, 1300)
		test.change(s)
		report := s.verify(t)
		var got []string
		for _, finding := range report.Findings {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s", finding.Kind, finding.Entry, finding.Until)))
		}
		if strings.Contains(test.name, "renumbered") {
			got = got[:min(len(got), len(test.want))] // later entries are wrong too
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: found %q, want %q", test.name, got, test.want)
		} else if len(got) > 0 && !strings.Contains(report.Findings[0].Text, test.text) {
			t.Errorf("%s: %s", test.name, report.Findings[0].Text)
		}
	}
}

func TestVerifyTellsWhereTheLogBegan(t *testing.T) {
	t.Parallel()
	s := &trail{}
	for i := range 10 {
		action := "serial_advanced"
		switch i {
		case 4:
			action = "ledger_started"
		case 7:
			action = "ledger_restarted"
		}
		s.entries = append(s.entries, ledger.Entry{Index: int64(i), Leaf: fmt.Appendf(nil, `{"action":%q,"id":"%s"}`, action, ledger.EntryID(int64(i)))})
	}
	report := s.verify(t)
	if !report.OK() || report.Entries != 10 || report.Started != 4 || !slices.Equal(report.Restarts, []int64{7}) || report.Sealed != 0 {
		t.Errorf("%+v", report)
	}
}

// Every change of a trail is found, and the first finding is at the beginning of the change. An unchanged trail has no findings.
func TestVerifyFindsEveryEdit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 1200).Draw(t, "entries")
		sealed := rapid.IntRange(1, size).Draw(t, "sealed")
		kept := rapid.IntRange(0, sealed).Draw(t, "kept")
		s := sealedTrail(&testing.T{}, size, kept, sealed)
		if report := s.verify(&testing.T{}); !report.OK() || report.Sealed != int64(sealed) || report.Entries != int64(size) {
			t.Fatalf("untouched: %+v", report.Findings)
		}
		at := rapid.IntRange(0, sealed-1).Draw(t, "at")
		exact := true
		switch rapid.SampledFrom([]string{"change", "remove", "cut", "insert", "swap", "change with tile"}).Draw(t, "edit") {
		case "change":
			s.edit(at)
		case "remove":
			s.entries = slices.Delete(s.entries, at, at+1)
			if rapid.Bool().Draw(t, "renumber") {
				s.renumber()
			}
		case "cut":
			s.entries = s.entries[:at]
		case "insert":
			s.entries = slices.Insert(s.entries, at, ledger.Entry{Index: 0, Leaf: []byte(`{"action":"x","id":"` + ledger.EntryID(0) + `"}`)})
			s.renumber()
		case "swap":
			other := rapid.IntRange(0, sealed-1).Draw(t, "other")
			if other == at {
				t.Skip("an entry cannot change places with itself")
			}
			s.edit(at)
			s.entries[at], s.entries[other] = s.entries[other], s.entries[at]
			s.renumber()
			at = min(at, other)
		case "change with tile":
			s.edit(at)
			s.fitTile(at / 256)
			exact = false
		}
		report := s.verify(&testing.T{})
		if report.OK() {
			t.Fatal("it was not found")
		}
		first := report.Findings[0]
		if exact && first.Entry != ledger.EntryID(int64(at)) {
			t.Fatalf("named %s (%s), but it begins at %s", first.Entry, first.Text, ledger.EntryID(int64(at)))
		}
		from, _ := ledger.EntryIndex(first.Entry)
		if until, ok := ledger.EntryIndex(first.Until); !exact && (!ok && from != int64(at) || ok && (int64(at) < from || int64(at) > until)) {
			t.Fatalf("named %s to %s (%s), and it is %d", first.Entry, first.Until, first.Text, at)
		}
	})
}

func TestVerifyReportsWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	failing := func(yield func(ledger.Entry, error) bool) { yield(ledger.Entry{}, fmt.Errorf("the disk fails")) }
	if _, err := ledger.Verify(ledger.Trail{Entries: failing}); err == nil {
		t.Error("a trail that cannot be read is judged")
	}
	back := &trail{entries: []ledger.Entry{{Index: 0, Leaf: leafOf(0)}, {Index: 0, Leaf: leafOf(0)}}}
	if _, err := ledger.Verify(ledger.Trail{Entries: back.list()}); err == nil {
		t.Error("an order that no trail has is accepted")
	}
}

// Many findings of one kind do not hide findings of another kind.
func TestFindingsOfOneKindHideNoOther(t *testing.T) {
	t.Parallel()
	var report ledger.Report
	for range 30 {
		report.Add(ledger.Finding{Kind: ledger.WrongRecord})
	}
	report.Add(ledger.Finding{Kind: ledger.WrongSerial})
	if len(report.Findings) != 21 || report.More != 10 || report.Findings[20].Kind != ledger.WrongSerial {
		t.Errorf("%d findings and %d more", len(report.Findings), report.More)
	}
}

package ledger_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	flog "github.com/transparency-dev/formats/log"
	fnote "github.com/transparency-dev/formats/note"
	fproof "github.com/transparency-dev/formats/proof"
	fwitness "github.com/transparency-dev/formats/witness"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/routecard/routecard/ledger"
)

// memory is a log in memory. It is compared with a log of golang.org/x/mod that has its own storage.
type memory struct {
	tree   *ledger.Tree
	tiles  map[[2]int64][]ledger.Hash
	leaves [][]byte
	others []tlog.Hash
}

func newMemory() *memory { return &memory{tree: &ledger.Tree{}, tiles: map[[2]int64][]ledger.Hash{}} }

func leafOf(index int) []byte {
	return fmt.Appendf(nil, `{"action":"serial_advanced","id":"%s","serialId":"SN-%05d","userId":"anna"}`, ledger.EntryID(int64(index)), index)
}

func (m *memory) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var found []tlog.Hash
	for _, index := range indexes {
		found = append(found, m.others[index])
	}
	return found, nil
}

func (m *memory) grow(t testing.TB, to int) {
	t.Helper()
	for i := len(m.leaves); i < to; i++ {
		leaf := leafOf(i)
		stored, err := tlog.StoredHashes(int64(i), leaf, m)
		if err != nil {
			t.Fatal(err)
		}
		m.others = append(m.others, stored...)
		m.leaves = append(m.leaves, leaf)
		m.tree.Add(ledger.LeafHash(leaf))
	}
	for _, tile := range slices.Concat(m.tree.Completed(), m.tree.Unfinished()) {
		m.tiles[[2]int64{int64(tile.Level), tile.Number}] = slices.Clone(tile.Hashes)
	}
}

func (m *memory) tile(level int, number int64, width int) ([]ledger.Hash, error) {
	hashes := m.tiles[[2]int64{int64(level), number}]
	if len(hashes) < width {
		return nil, fmt.Errorf("tile %d/%d has %d hashes", level, number, len(hashes))
	}
	return hashes, nil
}

var sizes = []int{0, 1, 2, 3, 255, 256, 257, 511, 512, 700, 65535, 65536, 65537, 70_001}

func TestTreeIsThatOfOthers(t *testing.T) {
	t.Parallel()
	m := newMemory()
	for _, size := range sizes {
		m.grow(t, size)
		want, err := tlog.TreeHash(int64(size), m)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.tree.Root(); got != want || m.tree.Size() != int64(size) {
			t.Errorf("the root of %d leaves is %s, others have %s", size, got, want)
		}
		if again, err := ledger.TreeFromTiles(int64(size), m.tile); err != nil || again.Root() != want {
			t.Errorf("the tree of %d leaves, from its tiles: %v", size, err)
		}
	}
	for _, old := range sizes {
		root, err := ledger.RootAt(int64(old), m.tile)
		want, _ := tlog.TreeHash(int64(old), m)
		if err != nil || root != want {
			t.Errorf("the root when there were %d leaves is %s, %v", old, root, err)
		}
		proof, err := ledger.ProveConsistency(int64(old), m.tree.Size(), m.tile)
		from, to := ledger.Checkpoint{Size: int64(old), Root: root}, ledger.Checkpoint{Size: m.tree.Size(), Root: m.tree.Root()}
		if err != nil || ledger.CheckConsistency(proof, from, to) != nil {
			t.Errorf("from %d leaves: %v", old, err)
		}
		if from.Root[0]++; old > 0 && ledger.CheckConsistency(proof, from, to) == nil {
			t.Errorf("from %d leaves another root passes", old)
		}
	}
}

// A copy of a growing tree is independent of the original.
func TestTreeClone(t *testing.T) {
	t.Parallel()
	m := newMemory()
	m.grow(t, 700)
	copied := m.tree.Clone()
	root := copied.Root()
	m.grow(t, 70_000)
	if copied.Root() != root || copied.Size() != 700 {
		t.Error("the copy changed")
	}
	for i := 700; i < 70_000; i++ {
		copied.Add(ledger.LeafHash(leafOf(i)))
	}
	if copied.Root() != m.tree.Root() {
		t.Error("the copy grew into another tree")
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]ledger.Place{
		"tile/0/000":                     {Level: 0, Number: 0, Width: 256},
		"tile/0/x001/x234/067":           {Level: 0, Number: 1234067, Width: 256},
		"tile/1/x001/000.p/7":            {Level: 1, Number: 1000, Width: 7},
		"tile/entries/999.p/255":         {Level: ledger.EntriesLevel, Number: 999, Width: 255},
		"tile/entries/x001/x000/000":     {Level: ledger.EntriesLevel, Number: 1_000_000, Width: 256},
		"tile/7/000.p/1":                 {Level: 7, Number: 0, Width: 1},
		"tile/0/x123/x456/x789/x012/345": {Level: 0, Number: 123_456_789_012_345, Width: 256},
	} {
		got, err := ledger.ParsePlace(path)
		if err != nil || got != want || want.Path() != path {
			t.Errorf("%s is %+v (%v), and %+v is %s", path, got, err, want, want.Path())
		}
	}
	for _, path := range []string{
		"", "tile", "tile/", "tile/0", "tile/0/", "tile/0/0", "tile/0/0000", "tile/0/x000/001", "tile/0/001/002", "tile/00/001", "tile/8/000",
		"tile/-1/000", "tile/+1/000", "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01", "tile/0/000.p/", "tile/0/x001", "tile/0/-01",
		"tile/data/000", "tile/0/000.p/1/2", "tile/0/x999/x999/x999/x999/x999/x999/999", "tile/0/../000", "tile/entries/x/001",
	} {
		if got, err := ledger.ParsePlace(path); err == nil {
			t.Errorf("%q is taken for %+v", path, got)
		}
	}
	for _, test := range []struct {
		place ledger.Place
		size  int64
		want  int
	}{
		{ledger.Place{Level: 0, Number: 0}, 0, 0},
		{ledger.Place{Level: 0, Number: 0}, 255, 255},
		{ledger.Place{Level: 0, Number: 0}, 1000, 256},
		{ledger.Place{Level: 0, Number: 3}, 1000, 232},
		{ledger.Place{Level: ledger.EntriesLevel, Number: 3}, 1000, 232},
		{ledger.Place{Level: 0, Number: 4}, 1000, 0},
		{ledger.Place{Level: 1, Number: 0}, 1000, 3},
		{ledger.Place{Level: 2, Number: 0}, 65536, 1},
		{ledger.Place{Level: 7, Number: 1 << 40}, 65536, 0},
	} {
		if got := test.place.WidthAt(test.size); got != test.want {
			t.Errorf("%+v has %d at size %d, want %d", test.place, got, test.size, test.want)
		}
	}
}

func TestEntryBundles(t *testing.T) {
	t.Parallel()
	var bundle []byte
	want := [][]byte{[]byte("one"), {}, bytes.Repeat([]byte("x"), ledger.LargestLeaf)}
	for _, leaf := range want {
		bundle = ledger.AppendEntry(bundle, leaf)
	}
	got, err := ledger.ParseEntries(bundle)
	if err != nil || len(got) != 3 || !bytes.Equal(got[0], want[0]) || !bytes.Equal(got[2], want[2]) {
		t.Errorf("%d entries, %v", len(got), err)
	}
	if _, err := ledger.ParseEntries(bundle[:len(bundle)-1]); err == nil {
		t.Error("a bundle that is cut off is read")
	}
}

// newLog makes the key of a log.
func newLog(t testing.TB, origin string) (signer note.Signer, verifierKey string) {
	t.Helper()
	key, err := ledger.NewKey(origin)
	if err != nil {
		t.Fatal(err)
	}
	signer, verifierKey, err = ledger.SignerFor(key, origin)
	if err != nil {
		t.Fatal(err)
	}
	return signer, verifierKey
}

func keysOf(t testing.TB, texts ...string) ledger.Keys {
	t.Helper()
	keys, err := ledger.Verifiers(texts...)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestCheckpointIsReadByOthers(t *testing.T) {
	t.Parallel()
	signer, key := newLog(t, "routecard/0123abcd")
	m := newMemory()
	m.grow(t, 700)
	want := ledger.Checkpoint{Origin: "routecard/0123abcd", Size: 700, Root: m.tree.Root()}
	signed, err := want.Sign(signer)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		t.Fatal(err)
	}
	theirs, rest, _, err := flog.ParseCheckpoint(signed, want.Origin, verifier)
	if err != nil || len(rest) != 0 || theirs.Size != 700 || !bytes.Equal(theirs.Hash, want.Root[:]) {
		t.Errorf("others read %+v, %v", theirs, err)
	}
	if got, err := keysOf(t, key).Open(signed); err != nil || got != want {
		t.Errorf("read again it is %+v, %v", got, err)
	}
	for name, wrong := range map[string]string{
		"another size":    strings.Replace(string(signed), "\n700\n", "\n701\n", 1),
		"another origin":  strings.Replace(string(signed), "routecard/0123abcd\n", "routecard/0123abce\n", 1),
		"no signature":    want.Text() + "\n",
		"a leading zero":  strings.Replace(string(signed), "\n700\n", "\n0700\n", 1),
		"nothing":         "",
		"two empty lines": strings.Replace(string(signed), "\n700\n", "\n\n700\n", 1),
	} {
		if got, err := keysOf(t, key).Open([]byte(wrong)); err == nil {
			t.Errorf("%s is read as %+v", name, got)
		}
	}
	_, other := newLog(t, "routecard/0123abcd")
	if _, err := keysOf(t, other).Open(signed); err == nil {
		t.Error("another key of that name opens it")
	}
	_, other = newLog(t, "elsewhere")
	if _, err := keysOf(t, other).Open(signed); err == nil || !strings.Contains(err.Error(), "of another") {
		t.Errorf("the key of another log: %v", err)
	}
}

// While keys are exchanged, both keys sign, so that a verifier with only one of them can still read checkpoints.
func TestTwoKeys(t *testing.T) {
	t.Parallel()
	first, firstKey := newLog(t, "shop")
	second, secondKey := newLog(t, "shop")
	signed, err := ledger.Checkpoint{Origin: "shop"}.Sign(first, second)
	if err != nil {
		t.Fatal(err)
	}
	for _, keys := range [][]string{{firstKey}, {secondKey}, {firstKey, secondKey}} {
		if _, err := keysOf(t, keys...).Open(signed); err != nil {
			t.Errorf("with %d keys: %v", len(keys), err)
		}
	}
}

// A restarted log keeps its key under its new name. The verifier key with the first name can still verify it.
func TestLaterOrigins(t *testing.T) {
	t.Parallel()
	key, err := ledger.NewKey("shop/west")
	if err != nil {
		t.Fatal(err)
	}
	_, firstKey, err := ledger.SignerFor(key, "shop/west")
	if err != nil {
		t.Fatal(err)
	}
	signer, laterKey, err := ledger.SignerFor(key, ledger.LaterOrigin("shop/west", 2))
	if err != nil {
		t.Fatal(err)
	}
	signed, err := ledger.Checkpoint{Origin: "shop/west/2"}.Sign(signer)
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range []string{firstKey, laterKey} {
		if _, err := keysOf(t, known).Open(signed); err != nil {
			t.Error(err)
		}
	}
	if _, err := note.Open(signed, note.VerifierList(mustVerifier(t, laterKey))); err != nil {
		t.Errorf("others cannot open it: %v", err)
	}
	for origin, want := range map[string]string{
		"shop/2": "shop", "shop/12": "shop", "shop/1": "shop/1", "shop/02": "shop/02", "shop": "shop", "/2": "/2",
		"routecard/12345678": "routecard/12345678", "shop/west": "shop/west", "shop/": "shop/",
	} {
		if got := ledger.FirstOrigin(origin); got != want {
			t.Errorf("the first name of %s is %s", origin, got)
		}
	}
	for _, origin := range []string{"", "a b", "a+b", "a\nb", "a\u00a0b", strings.Repeat("x", 300)} {
		if _, err := ledger.NewKey(origin); err == nil {
			t.Errorf("a log can be called %q", origin)
		}
	}
	for _, text := range []string{"", "PRIVATE+KEY+a+b", "x", firstKey, key[:len(key)-8]} {
		if _, _, err := ledger.SignerFor(text, "shop"); err == nil || strings.Contains(err.Error(), key[40:]) {
			t.Errorf("%.20q is taken for a key: %v", text, err)
		}
	}
}

func mustVerifier(t testing.TB, key string) note.Verifier {
	t.Helper()
	verifier, err := note.NewVerifier(key)
	if err != nil {
		t.Fatal(err)
	}
	return verifier
}

func TestProofIsReadByOthers(t *testing.T) {
	t.Parallel()
	signer, key := newLog(t, "shop")
	m := newMemory()
	m.grow(t, 70_001)
	checkpoint := ledger.Checkpoint{Origin: "shop", Size: 70_001, Root: m.tree.Root()}
	signed, err := checkpoint.Sign(signer)
	if err != nil {
		t.Fatal(err)
	}
	for _, index := range []int64{0, 255, 256, 65_536, 70_000} {
		proof, err := ledger.MakeProof(index, m.leaves[index], signed, m.tile)
		if err != nil {
			t.Fatal(err)
		}
		var theirs fproof.TLogProof
		if err := theirs.Unmarshal(proof.Text()); err != nil || int64(theirs.Index) != index || !bytes.Equal(theirs.ExtraData, m.leaves[index]) {
			t.Errorf("others read %d, %v", theirs.Index, err)
		}
		if !bytes.Equal(theirs.Marshal(), proof.Text()) {
			t.Error("others write it in another way")
		}
		var hashes tlog.RecordProof
		for _, hash := range theirs.Hashes {
			hashes = append(hashes, hash)
		}
		if err := tlog.CheckRecord(hashes, checkpoint.Size, checkpoint.Root, index, tlog.RecordHash(theirs.ExtraData)); err != nil {
			t.Errorf("others do not accept it: %v", err)
		}
		again, err := ledger.ParseProof(proof.Text())
		if err != nil {
			t.Fatal(err)
		}
		if got, err := again.Verify(keysOf(t, key)); err != nil || got != checkpoint {
			t.Errorf("%+v, %v", got, err)
		}
		for name, wrong := range map[string]func(*ledger.Proof){
			"leaf":       func(p *ledger.Proof) { p.Leaf = bytes.Replace(p.Leaf, []byte("anna"), []byte("otto"), 1) },
			"index":      func(p *ledger.Proof) { p.Index++ },
			"beyond":     func(p *ledger.Proof) { p.Index += 1 << 40 },
			"hash":       func(p *ledger.Proof) { p.Hashes[0][3]++ },
			"fewer":      func(p *ledger.Proof) { p.Hashes = p.Hashes[1:] },
			"checkpoint": func(p *ledger.Proof) { p.Checkpoint = bytes.Replace(p.Checkpoint, []byte("70001"), []byte("70002"), 1) },
		} {
			changed, err := ledger.ParseProof(proof.Text())
			if err != nil {
				t.Fatal(err)
			}
			wrong(&changed)
			if _, err := changed.Verify(keysOf(t, key)); err == nil {
				t.Errorf("with another %s it passes", name)
			}
		}
	}
	for _, text := range []string{"", "c2sp.org/tlog-proof@v1\n", "c2sp.org/tlog-proof@v1\nindex 0\n\nx", "c2sp.org/tlog-proof@v1\nextra !\nindex 0\n\nx",
		"c2sp.org/tlog-proof@v1\nextra YQ==\nindex -1\n\nx", "c2sp.org/tlog-proof@v1\nextra YQ==\nindex 1\nzzz\n\nx"} {
		if _, err := ledger.ParseProof([]byte(text)); err == nil {
			t.Errorf("%q is read as a proof", text)
		}
	}
	if _, err := ledger.MakeProof(70_001, nil, signed, m.tile); err == nil {
		t.Error("a leaf behind the tree is proved")
	}
}

func FuzzProof(f *testing.F) {
	f.Add([]byte("c2sp.org/tlog-proof@v1\nextra YQ==\nindex 1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\nshop\n1\nx\n\n- x"))
	f.Fuzz(func(t *testing.T, text []byte) {
		proof, err := ledger.ParseProof(text)
		if err != nil {
			t.Skip("no proof")
		}
		keys, err := ledger.Verifiers("shop+4e2fe2ec+AUvJWbTrSgSfkFkkAGCUDMwfsBC0FNZJBnFBbGGXNLb0")
		if err == nil {
			if _, err := proof.Verify(keys); err == nil {
				t.Fatal("what nobody signed is accepted")
			}
		}
	})
}

// witness makes a witness with the cosigner of an external library.
func witness(t testing.TB, name string) (signer *fnote.Signer, key string) {
	t.Helper()
	secret, _, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		t.Fatal(err)
	}
	signer, err = fnote.NewSignerForCosignatureV1(secret)
	if err != nil {
		t.Fatal(err)
	}
	_, public, err := ledger.SignerFor(secret, name)
	if err != nil {
		t.Fatal(err)
	}
	if key, err = fnote.VKeyToCosignatureV1(public); err != nil {
		t.Fatal(err)
	}
	return signer, key
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	logSigner, logKey := newLog(t, "shop")
	one, oneKey := witness(t, "one.example")
	two, twoKey := witness(t, "two.example")
	three, threeKey := witness(t, "three.example")
	policy := fmt.Sprintf(`# who has to have seen it
log %s

witness w1 %s https://one.example/submit/
witness w2 %s https://two.example
witness w3 %s https://three.example
group others any w2 w3
group enough all w1 others
quorum enough
`, logKey, oneKey, twoKey, threeKey)
	ours, err := ledger.ParsePolicy([]byte(policy))
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := fwitness.ParsePolicy([]byte(policy))
	if err != nil {
		t.Fatal(err)
	}
	if len(ours.Logs) != 1 || ours.Logs[0] != logKey || ours.Witnesses[0].URL != "https://one.example/submit" {
		t.Errorf("%+v", ours)
	}
	for bits := range 8 {
		signers := []note.Signer{logSigner}
		for i, signer := range []note.Signer{one, two, three} {
			if bits>>i&1 == 1 {
				signers = append(signers, signer)
			}
		}
		signed, err := ledger.Checkpoint{Origin: "shop", Size: 3}.Sign(signers...)
		if err != nil {
			t.Fatal(err)
		}
		witnesses, enough := ours.Judge(signed)
		if enough != theirs.Satisfied(signed) {
			t.Errorf("with witnesses %03b it is %t, others say %t", bits, enough, theirs.Satisfied(signed))
		}
		for i, cosigned := range witnesses {
			if did := bits>>i&1 == 1; did == cosigned.At.IsZero() || did && time.Since(cosigned.At).Abs() > time.Minute {
				t.Errorf("with witnesses %03b %s cosigned at %s", bits, cosigned.Witness, cosigned.At)
			}
		}
		forged := bytes.Replace(signed, []byte("\n3\n"), []byte("\n4\n"), 1)
		if _, enough := ours.Judge(forged); enough {
			t.Error("cosignatures of another checkpoint are enough")
		}
	}
	if open, err := ledger.ParsePolicy([]byte("quorum none\n")); err != nil {
		t.Error(err)
	} else if _, enough := open.Judge(nil); !enough {
		t.Error("a policy that asks for nobody is not satisfied")
	}
	alone, err := ledger.ParsePolicy([]byte("witness w1 " + oneKey + "\nquorum w1\n"))
	if err != nil || alone.Witnesses[0].URL != "" {
		t.Errorf("a witness without an address: %v", err)
	}
	_, plain := newLog(t, "one.example")
	for _, wrong := range []string{
		"", "witness w1 " + oneKey, "quorum w1", "quorum none\nquorum none", "witness w1 " + plain + "\nquorum w1", "witness any " + oneKey + "\nquorum any",
		"witness w1 " + oneKey + " ftp://x\nquorum w1", "witness w1 " + oneKey + "\nwitness w1 " + twoKey + "\nquorum w1",
		"witness w1 " + oneKey + "\nwitness w2 " + oneKey + "\nquorum w1", "witness w1 " + oneKey + "\ngroup g 2 w1\nquorum g",
		"witness w1 " + oneKey + "\ngroup g 1 w1 w1\nquorum g", "witness w1 " + oneKey + "\ngroup g any w9\nquorum g", "log x\nquorum none", "nonsense",
	} {
		if _, err := ledger.ParsePolicy([]byte(wrong)); err == nil {
			t.Errorf("this policy is read:\n%s", wrong)
		}
	}
}

package dossier_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Files of the dossier: a picture, the content of a first article, and its approval by the customer.
var (
	picture = []byte("\x89PNG of a flange")
	frozen  = []byte(`{"id":"FAI-00001","kind":"full","serialIds":["SN-00001"],"fields":[]}`)
	letter  = []byte("Approved by Airframe Ltd.\n")
)

func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// log is a ledger in memory.
type log struct {
	testing.TB
	signer  note.Signer
	key     string
	entries []trail.Entry
	hashes  []tlog.Hash
}

func newLog(t testing.TB, origin string) *log {
	t.Helper()
	secret, err := ledger.NewKey(origin)
	if err != nil {
		t.Fatal(err)
	}
	signer, key, err := ledger.SignerFor(secret, origin)
	if err != nil {
		t.Fatal(err)
	}
	return &log{TB: t, signer: signer, key: key}
}

func (l *log) append(entries ...trail.Entry) {
	l.Helper()
	for _, entry := range entries {
		index := int64(len(l.entries))
		entry.ID = ledger.EntryID(index)
		text, err := json.Marshal(entry)
		if err != nil {
			l.Fatal(err)
		}
		leaf, err := ledger.Leaf(text)
		if err != nil {
			l.Fatal(err)
		}
		stored, err := tlog.StoredHashesForRecordHash(index, ledger.LeafHash(leaf), l.reader())
		if err != nil {
			l.Fatal(err)
		}
		l.entries, l.hashes = append(l.entries, entry), append(l.hashes, stored...)
	}
}

func (l *log) reader() tlog.HashReaderFunc {
	return func(indexes []int64) (found []tlog.Hash, err error) {
		for _, index := range indexes {
			found = append(found, l.hashes[index])
		}
		return found, nil
	}
}

// sealed returns the log up to a size.
func (l *log) sealed(size int64) *dossier.Ledger {
	l.Helper()
	root, err := tlog.TreeHash(size, l.reader())
	if err != nil {
		l.Fatal(err)
	}
	signed, err := ledger.Checkpoint{Origin: l.signer.Name(), Size: size, Root: root}.Sign(l.signer)
	if err != nil {
		l.Fatal(err)
	}
	return &dossier.Ledger{
		Checkpoint: signed,
		Prove:      func(index int64, _ []byte) ([]ledger.Hash, error) { return tlog.ProveRecord(size, index, l.reader()) },
		Sign:       func(text string) ([]byte, error) { return note.Sign(&note.Note{Text: text}, l.signer) },
	}
}

func (l *log) verifiers() ledger.Keys {
	l.Helper()
	keys, err := ledger.Verifiers(l.key)
	if err != nil {
		l.Fatal(err)
	}
	return keys
}

// content returns a dossier of SN-00001, which has SN-00002 inside, a reading, a picture, and an entry that names SN-00003.
func (l *log) content(size int64) dossier.Content {
	var about []trail.Entry
	for _, entry := range l.entries[:size] {
		if entry.SerialID != "SN-00003" {
			about = append(about, entry)
		}
	}
	content := dossier.Content{
		Prefix: ident.DefaultPrefix,
		About:  "SN-00001", Units: []string{"SN-00001", "SN-00002"}, Entries: about, Day: "2026-01-31", Ledger: l.sealed(size),
		Payload: []dossier.Payload{{Name: "certificates.json", Text: []byte("[]\n")}},
		Open: func(digest string) (io.ReadCloser, error) {
			for _, file := range [][]byte{frozen, letter} {
				if digest == digestOf(file) {
					return io.NopCloser(bytes.NewReader(file)), nil
				}
			}
			return io.NopCloser(bytes.NewReader(picture)), nil
		},
	}
	if slices.ContainsFunc(about, func(entry trail.Entry) bool { return entry.Action == shop.ActionFirstArticleVerified }) {
		content.Documents = []dossier.Document{
			{Name: "first-articles/FAI-00001.json", SHA256: digestOf(frozen), Size: int64(len(frozen))},
			{Name: "files/" + digestOf(letter) + ".txt", SHA256: digestOf(letter), Size: int64(len(letter))},
		}
	}
	return content
}

// Names of a file: composed, and decomposed as some systems write them.
const (
	composed   = "Gr\u00f6\u00dfe.png"
	decomposed = "Gro\u0308\u00dfe.png"
)

// largerSize is the number of entries of aLargerShop.
const largerSize = 15

// aLargerShop is aShop with a first article whose verification is signed and that the customer approved with a letter, and with a file that
// is attached under two names that look the same.
func aLargerShop(t testing.TB, origin string) *log {
	t.Helper()
	l := aShop(t, origin)
	attached := func(id, name string) trail.Entry {
		return trail.Entry{
			Action: shop.ActionFileAttached, UserID: "ann", Timestamp: 1769850000000, SerialID: "SN-00001",
			Metadata: json.RawMessage(fmt.Sprintf(`{"linkId":%q,"sha256":%q,"size":%d,"type":"image/png","name":%q,"kind":"photo"}`,
				id, digestOf(picture), len(picture), name)),
		}
	}
	l.append(
		trail.Entry{
			Action: shop.ActionFirstArticleVerified, UserID: "vera", Timestamp: 1769850000000, JobID: "job_1", PathID: "path_1",
			Metadata: json.RawMessage(fmt.Sprintf(`{"firstArticleId":"FAI-00001","serialIds":["SN-00001"],"sha256":%q,"size":%d,"contentsSha256":"00"}`,
				digestOf(frozen), len(frozen))),
		},
	)
	l.append(
		trail.Entry{
			Action: shop.ActionRecordSigned, UserID: "vera", Timestamp: 1769850000000, JobID: "job_1", PathID: "path_1",
			Metadata: json.RawMessage(fmt.Sprintf(`{"operation":"firstArticle","meaning":"approval","login":"vera","printedName":"Vera Klein",`+
				`"method":"password","signedAt":"2026-01-31T09:00:00.000Z","entries":1,"sha256":%q}`, signedDigest(t, l.entries[len(l.entries)-1]))),
		},
		trail.Entry{
			Action: shop.ActionFirstArticleCustomerApproved, UserID: "ann", Timestamp: 1769850000000, JobID: "job_1", PathID: "path_1",
			Metadata: json.RawMessage(fmt.Sprintf(`{"firstArticleId":"FAI-00001","name":"Airframe Ltd","approvedOn":"2026-01-31","sha256":%q,`+
				`"size":%d,"type":"text/plain; charset=utf-8","contentsSha256":"00"}`, digestOf(letter), len(letter))),
		},
		attached("flnk_2", composed), attached("flnk_3", decomposed),
	)
	return l
}

// signedDigest returns what a signature of one entry signs.
func signedDigest(t testing.TB, entry trail.Entry) string {
	t.Helper()
	var unnumbered map[string]any
	text, err := json.Marshal(entry)
	if err == nil {
		err = json.Unmarshal(text, &unnumbered)
	}
	delete(unnumbered, "id")
	if err == nil {
		text, err = json.Marshal(unnumbered)
	}
	if err == nil {
		text, err = ledger.Leaf(text)
	}
	if err != nil {
		t.Fatal(err)
	}
	return digestOf(append(text, '\n'))
}

func aShop(t testing.TB, origin string) *log {
	t.Helper()
	l := newLog(t, origin)
	entry := func(action trail.Action, serial, metadata string) trail.Entry {
		return trail.Entry{Action: action, UserID: "ann", Timestamp: 1769850000000, SerialID: serial, Metadata: json.RawMessage(metadata)}
	}
	l.append(
		entry("serial_created", "", `{"firstSerialId":"SN-00001","lastSerialId":"SN-00003"}`),
		entry("serial_advanced", "SN-00003", ``),
		entry("measured", "SN-00001", `{"revision":1,"pass":1,"values":[{"id":"meas_1","characteristicId":"char_1","number":"7","value":"12.500","unit":"mm","verdict":"pass","limits":{"upper":"12.6"},"note":"=1+1"}]}`),
		entry("component_installed", "SN-00001", `{"componentId":"comp_1","componentSerialId":"SN-00002","quantity":"1","pass":1,"contentsSha256":"00"}`),
		entry("unit_installed", "SN-00002", `{"componentId":"comp_1","parentSerialId":"SN-00001"}`),
		entry("component_installed", "SN-00002", `{"componentId":"comp_2","lotId":"lot_1","quantity":"2.50","unit":"kg","pass":1,"contentsSha256":"00"}`),
		entry("file_attached", "SN-00001", fmt.Sprintf(`{"linkId":"flnk_1","sha256":%q,"size":%d,"type":"image/png","name":"flange.png","kind":"photo"}`, digestOf(picture), len(picture))),
		entry("measured", "SN-00001", `{"revision":1,"pass":1,"values":[{"id":"meas_2","characteristicId":"char_1","number":"7","value":"12.7","verdict":"fail","limits":{"upper":"12.6"}}]}`),
		entry("record_voided", "SN-00001", `{"recordId":"meas_2","reason":"wrong gauge"}`),
		entry("serial_advanced", "SN-00003", ``),
	)
	return l
}

func written(t testing.TB, c dossier.Content) []byte {
	t.Helper()
	plan, err := dossier.Prepare(c)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := plan.Write(&b); err != nil {
		t.Fatal(err)
	}
	if plan.Size() != int64(b.Len()) {
		t.Errorf("the size of a dossier of %d bytes was given as %d", b.Len(), plan.Size())
	}
	return b.Bytes()
}

func verified(t testing.TB, archive []byte, keys ledger.Keys) *dossier.Report {
	t.Helper()
	report, err := dossier.Verify(bytes.NewReader(archive), int64(len(archive)), keys)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// members returns the members of an archive by name.
func members(t testing.TB, archive []byte) (names []string, texts map[string][]byte) {
	t.Helper()
	reader, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	texts = map[string][]byte{}
	for _, member := range reader.File {
		content, err := member.Open()
		if err != nil {
			t.Fatal(err)
		}
		if texts[member.Name], err = io.ReadAll(content); err != nil {
			t.Fatal(err)
		}
		names = append(names, member.Name)
	}
	return names, texts
}

// A dossier is proved with the key of its log. It has what the entries say, and lists what is not proved.
func TestDossierIsProved(t *testing.T) {
	t.Parallel()
	l := aShop(t, "shop.example")
	archive := written(t, l.content(10))
	report := verified(t, archive, l.verifiers())
	if !report.Proved || report.About != "SN-00001" || report.Size != 10 || report.Entries != 8 || report.Files != 1 ||
		!slices.Equal(report.Units, []string{"SN-00001", "SN-00002"}) {
		t.Errorf("%+v", report)
	}
	want := []string{
		"the details of aud_0000000000000001 (serial_created), which the dossier omits because they identify other units",
		"the content of certificates.json: it is signed with the dossier, but no entry proves it",
		"that verify.html in the dossier is the page of the shop: take the page from the shop",
	}
	if !slices.Equal(report.NotProved, want) {
		t.Errorf("not proved: %q", report.NotProved)
	}
	if !bytes.Equal(archive, written(t, l.content(10))) {
		t.Error("the same content gives other bytes")
	}
	names, texts := members(t, archive)
	if !slices.IsSorted(names) {
		t.Errorf("%q", names)
	}
	in := func(name string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !bytes.Contains(texts["dossier-SN-00001/"+name], []byte(part)) {
				t.Errorf("%s lacks %s:\n%s", name, part, texts["dossier-SN-00001/"+name])
			}
		}
	}
	in("data/as-built.json", `"components":[{"componentId":"comp_1"`, `"components":[{"componentId":"comp_2","lotId":"lot_1","quantity":"2.50"`)
	in("data/measurements.csv", "meas_1,SN-00001,,char_1,7,,12.500,mm,pass,,,12.6,1,,'=1+1,1,ann,", ",wrong gauge,")
	in("data/files.json", `"name":"flange.png"`)
	in("bag-info.txt", "Bagging-Date: 2026-01-31\n", "Routecard-Ledger: shop.example 10\n")
	if bytes.Contains(archive, []byte("SN-00003")) {
		t.Error("the dossier names a unit that is not in it")
	}
}

// A service without a ledger says so, and its dossiers are never proved.
func TestDossierWithoutLedger(t *testing.T) {
	t.Parallel()
	l := aShop(t, "shop.example")
	content := l.content(10)
	content.Ledger = nil
	archive := written(t, content)
	if !bytes.Contains(archive, []byte("Routecard-Ledger: none: this service has no ledger, so nothing here is proved\n")) {
		t.Error("the dossier does not say that there is no ledger")
	}
	if report := verified(t, archive, l.verifiers()); report.Proved {
		t.Errorf("%+v", report)
	}
}

// refitted returns members with manifests that fit them, as the author of a changed dossier would write them.
func refitted(names []string, texts map[string][]byte) map[string][]byte {
	const folder = "dossier-SN-00001/"
	fitted := maps.Clone(texts)
	manifest := func(of func(name string) bool) []byte {
		var b bytes.Buffer
		for _, name := range names {
			if name = strings.TrimPrefix(name, folder); of(name) {
				fmt.Fprintf(&b, "%s  %s\n", digestOf(fitted[folder+name]), name)
			}
		}
		return b.Bytes()
	}
	fitted[folder+"manifest-sha256.txt"] = manifest(func(name string) bool { return strings.HasPrefix(name, "data/") })
	fitted[folder+"tagmanifest-sha256.txt"] = manifest(func(name string) bool {
		return name == "bag-info.txt" || name == "bagit.txt" || name == "manifest-sha256.txt"
	})
	return fitted
}

// repacked writes members as an archive that only their content distinguishes from a dossier.
func repacked(t testing.TB, names []string, texts map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		to, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := to.Write(texts[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tampering has a dossier and its tampered versions, none of which may be proved.
type tampering struct {
	archive []byte
	earlier []byte // an earlier dossier, which is proved too
	log     *log
}

// eachTampered yields dossiers with a changed byte, with a changed, removed, added or swapped entry or file, with an earlier checkpoint, and
// of another shop. Of the bytes, it changes one in every.
func eachTampered(t testing.TB, every int) (tampering, iter.Seq2[string, []byte]) {
	t.Helper()
	l, other := aLargerShop(t, "shop.example"), aLargerShop(t, "shop.example")
	of := tampering{written(t, l.content(largerSize)), written(t, l.content(9)), l}
	others := written(t, other.content(largerSize))
	names, texts := members(t, of.archive)
	_, shorterTexts := members(t, of.earlier)
	_, otherTexts := members(t, others)
	pageSize := len(verifyPage(t))
	page := bytes.Index(of.archive, verifyPage(t))
	return of, func(yield func(string, []byte) bool) {
		give := func(what string, tampered []byte) bool {
			return bytes.Equal(tampered, of.archive) || bytes.Equal(tampered, of.earlier) || yield(what, tampered)
		}
		more := give("another shop's dossier", others) && give("nothing", nil)
		for from, to := range map[string]string{"dossier-SN-00001": "dossier-SN-00002", composed: decomposed, decomposed: composed} {
			renamed, other := []string{}, map[string][]byte{}
			for _, name := range names {
				name, text := strings.ReplaceAll(name, from, to), bytes.ReplaceAll(texts[name], []byte(from), []byte(to))
				renamed, other[name] = append(renamed, name), text
			}
			more = more && give("a dossier with "+to+" for "+from, repacked(t, renamed, other))
		}
		for at := 0; more && at < len(of.archive); at += every { // of the page, which is in each dossier, fewer bytes
			if at > page && at < page+pageSize-1 && at/every%101 != 0 {
				continue
			}
			tampered := slices.Clone(of.archive)
			tampered[at] ^= 0x20
			more = give(fmt.Sprintf("a dossier whose byte %d was changed", at), tampered)
		}
		with := func(what string, changed map[string][]byte, order ...string) {
			all := maps.Clone(texts)
			maps.Copy(all, changed)
			if order == nil {
				order = names
			}
			more = more && give(what+" and new manifests", repacked(t, order, refitted(order, all))) && give(what, repacked(t, order, all))
		}
		trailName := "dossier-SN-00001/data/trail.ndjson"
		lines := slices.Collect(strings.Lines(string(texts[trailName])))
		for i := range lines {
			without := slices.Delete(slices.Clone(lines), i, i+1)
			with("a dossier without an entry", map[string][]byte{trailName: []byte(strings.Join(without, ""))})
			swapped := slices.Clone(lines)
			j := (i + 1) % len(lines)
			swapped[i], swapped[j] = swapped[j], swapped[i]
			with("a dossier with swapped entries", map[string][]byte{trailName: []byte(strings.Join(swapped, ""))})
		}
		for _, name := range names {
			with("a dossier with the other shop's "+name, map[string][]byte{name: otherTexts[name]})
			with("a dossier with the earlier "+name, map[string][]byte{name: shorterTexts[name]})
			with("a dossier without "+name, nil, slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == name })...)
			with("a dossier with two "+name, nil, append(slices.Clone(names), name)...)
			for _, extra := range []string{"dossier-SN-00001/data/extra", "dossier-SN-00001/../x", "/x", "dossier-SN-00001/data/../bagit.txt"} {
				with("a dossier with "+extra, map[string][]byte{extra: []byte("x")}, append(slices.Clone(names), extra)...)
			}
		}
	}
}

// No tampered dossier is proved, nor one in which any bytes are replaced, removed or added.
func TestTamperedDossiersAreNeverProved(t *testing.T) {
	t.Parallel()
	of, all := eachTampered(t, 1)
	archive, keys := of.archive, of.log.verifiers()
	names, texts := members(t, archive)
	if !bytes.Equal(repacked(t, names, texts), archive) {
		t.Error("the test writes archives in another way")
	}
	for what, tampered := range all {
		report, err := dossier.Verify(bytes.NewReader(tampered), int64(len(tampered)), keys)
		if err == nil && (report.Proved || len(report.Findings) == 0) {
			t.Errorf("%s is proved: %+v", what, report)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		at := rapid.IntRange(0, len(archive)).Draw(r, "at")
		until := rapid.IntRange(at, min(len(archive), at+200)).Draw(r, "until")
		text := rapid.SliceOfN(rapid.Byte(), 0, 60).Draw(r, "text")
		tampered := slices.Concat(archive[:at], text, archive[until:])
		if bytes.Equal(tampered, archive) {
			return
		}
		report, err := dossier.Verify(bytes.NewReader(tampered), int64(len(tampered)), keys)
		if err == nil && report.Proved {
			r.Errorf("a dossier with %q for bytes %d to %d is proved", text, at, until)
		}
	})
}

// The approval of a first article by the customer is proved like other files, and so are the signatures of the first article. Without the
// approval, or with a wrong signature, the dossier says so.
func TestApprovalsOfFirstArticlesAreProved(t *testing.T) {
	t.Parallel()
	l := aLargerShop(t, "shop.example")
	name := "files/" + digestOf(letter) + ".txt"
	archive := written(t, l.content(largerSize))
	report := verified(t, archive, l.verifiers())
	_, texts := members(t, archive)
	if !report.Proved || report.Files != 2 || string(texts["dossier-SN-00001/data/"+name]) != string(letter) ||
		slices.ContainsFunc(report.NotProved, func(text string) bool { return strings.Contains(text, "approval") || strings.Contains(text, name) }) {
		t.Errorf("%+v", report)
	}
	if signatures := string(texts["dossier-SN-00001/data/signatures.json"]); !strings.Contains(signatures, `"printedName":"Vera Klein"`) {
		t.Error(signatures)
	}
	without := l.content(largerSize)
	without.Documents = without.Documents[:1]
	report = verified(t, written(t, without), l.verifiers())
	if !report.Proved || !slices.Contains(report.NotProved, "the approval of FAI-00001 by the customer: the dossier does not have its file") {
		t.Errorf("without the letter: %+v", report)
	}
	unasked := l.content(largerSize)
	unasked.Entries = slices.DeleteFunc(unasked.Entries, func(entry trail.Entry) bool {
		return entry.Action == shop.ActionFirstArticleCustomerApproved || entry.Action == shop.ActionFirstArticleVerified
	})
	report = verified(t, written(t, unasked), l.verifiers())
	found := fmt.Sprint(report.Findings)
	if report.Proved || !strings.Contains(found, "no entry attached data/"+name) || !strings.Contains(found, "it is not the signature of the entries before it") {
		t.Errorf("without the entries: %+v", report)
	}
}

// Names of files stay as they were typed, also names that differ only in the normal form of Unicode.
func TestNamesOfFilesInADossier(t *testing.T) {
	t.Parallel()
	l := aLargerShop(t, "shop.example")
	archive := written(t, l.content(largerSize))
	if report := verified(t, archive, l.verifiers()); !report.Proved {
		t.Errorf("%+v", report)
	}
	names, texts := members(t, archive)
	for _, name := range []string{composed, decomposed} {
		if got := bytes.Count(texts["dossier-SN-00001/data/files.json"], []byte(`"name":"`+name+`"`)); got != 1 {
			t.Errorf("files.json has %+q %d times", name, got)
		}
	}
	for _, name := range names {
		if strings.ContainsFunc(name, func(c rune) bool { return c > unicode.MaxASCII }) {
			t.Errorf("the dossier has a member %+q", name)
		}
	}
}

// An earlier dossier is proved too, and says how many entries its checkpoint has: a later one cannot pass for it, or it for a later one.
func TestEarlierDossierSaysItsSize(t *testing.T) {
	t.Parallel()
	l := aLargerShop(t, "shop.example")
	for _, size := range []int64{9, largerSize} {
		if report := verified(t, written(t, l.content(size)), l.verifiers()); !report.Proved || report.Size != size {
			t.Errorf("with a checkpoint of %d entries: %+v", size, report)
		}
	}
}

// With the dossier and another key a bag can be written again, with entries and proofs, but not signed.
func TestDossierSignedWithAnotherKeyIsNotProved(t *testing.T) {
	t.Parallel()
	l, thief := aShop(t, "shop.example"), newLog(t, "shop.example")
	left := l.content(10)
	left.Entries = slices.DeleteFunc(left.Entries, func(entry trail.Entry) bool { return entry.Action == "record_voided" })
	left.Ledger.Sign = thief.sealed(0).Sign
	report := verified(t, written(t, left), l.verifiers())
	if report.Proved || len(report.Findings) != 1 || report.Findings[0].Part != dossier.PartSignature {
		t.Errorf("an entry was left out: %+v", report)
	}
}

// A dossier whose entry of a removal names another unit says that its files leave the removal out.
func TestDossierSaysWhichEntriesItsFilesLeaveOut(t *testing.T) {
	t.Parallel()
	l := aShop(t, "shop.example")
	l.append(trail.Entry{
		Action: "component_removed", UserID: "ann", Timestamp: 1769850000000, SerialID: "SN-00002",
		Metadata: json.RawMessage(`{"componentId":"comp_2","reason":"now in SN-00003"}`),
	})
	archive := written(t, l.content(11))
	report := verified(t, archive, l.verifiers())
	if !report.Proved || !slices.ContainsFunc(report.NotProved, func(text string) bool {
		return strings.HasPrefix(text, "the details of aud_0000000000000011 (component_removed)") && strings.HasSuffix(text, "may still be shown")
	}) {
		t.Errorf("%+v", report)
	}
	_, texts := members(t, archive)
	if text := texts["dossier-SN-00001/data/as-built.json"]; !bytes.Contains(text, []byte(`"incomplete":["aud_0000000000000011"]`)) {
		t.Errorf("%s", text)
	}
}

package dossier

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// Part is a part of a dossier that Verify checks.
type Part string

// The parts of a dossier, in the order in which they are checked.
const (
	PartBag        Part = "bag"        // complete, nothing more, byte for byte as Write writes it
	PartCheckpoint Part = "checkpoint" // signed by the key that was given
	PartSignature  Part = "signature"  // of the bag, by the same key
	PartEntries    Part = "entries"    // in the ledger, in its order
	PartFiles      Part = "files"      // as the entries say
	PartDerived    Part = "derived"    // as-built.json, measurements.csv, signatures.json and files.json follow from the entries
)

// Finding is a fault of a dossier.
type Finding struct {
	Part Part   `json:"part"`
	Text string `json:"text"`
}

// Report is the result of a verification.
type Report struct {
	Proved    bool      `json:"proved"` // whether there are no findings
	About     string    `json:"about"`  // the record that it concerns; "" if it is no dossier
	Origin    string    `json:"origin"`
	Size      int64     `json:"size"` // the number of entries in the tree of the checkpoint
	Entries   int       `json:"entries"`
	Units     []string  `json:"serialIds"`
	Files     int       `json:"files"`
	Findings  []Finding `json:"findings"`
	NotProved []string  `json:"notProved"` // what the dossier has or mentions and nothing in it proves
}

func (r *Report) findf(of Part, format string, args ...any) {
	r.Findings = append(r.Findings, Finding{of, fmt.Sprintf(format, args...)})
}

// textLimit is the maximum size of a text in a dossier that Verify reads into memory.
const textLimit = 1 << 30

// verification is the state of Verify.
type verification struct {
	*Report
	keys   ledger.Keys
	folder string
	texts  map[string][]byte   // members other than files, without the folder
	sums   map[string]digested // all members
	order  []digested
	shown  []trail.Entry
	lacks  map[string]bool // entries without their metadata, by identifier
}

// Verify checks a dossier with verifier keys of the log, which must not come from the dossier. It needs no database and no network. It
// reports Proved only if every byte of the archive is as the log's key signed it. An error means that the archive could not be read.
func Verify(archived io.ReaderAt, size int64, keys ledger.Keys) (*Report, error) {
	v := &verification{
		Report: &Report{Findings: []Finding{}, NotProved: []string{}, Units: []string{}},
		keys:   keys, texts: map[string][]byte{}, sums: map[string]digested{}, lacks: map[string]bool{},
	}
	reader, err := zip.NewReader(archived, size)
	if err != nil {
		if !errors.Is(err, zip.ErrFormat) && !errors.Is(err, zip.ErrInsecurePath) && !errors.Is(err, zip.ErrChecksum) {
			return nil, err
		}
		v.findf(PartBag, "it is no dossier: %v", err)
		return v.Report, nil
	}
	if !v.named(reader.File) {
		return v.Report, nil
	}
	if err := v.readAll(reader.File, archived, size); err != nil {
		v.findf(PartBag, "it cannot be read: %v", err)
		return v.Report, nil //nolint:nilerr // it is a finding
	}
	if v.tagged() {
		v.sealed()
		v.filesFit()
	}
	v.Proved = len(v.Findings) == 0
	return v.Report, nil
}

// named checks the names of all members, and finds the folder.
func (v *verification) named(members []*zip.File) bool {
	seen := map[string]bool{}
	for i, member := range members {
		folder, name, found := strings.Cut(member.Name, "/")
		if i == 0 {
			v.folder = folder + "/"
			v.About = strings.TrimPrefix(folder, "dossier-")
		}
		switch {
		case !found || name == "" || folder+"/" != v.folder || folderOf(v.About) != v.folder:
			v.findf(PartBag, "%q is not in the folder of the dossier", member.Name)
		case path.Clean(member.Name) != member.Name || strings.Contains(member.Name, `\`) || strings.HasPrefix(name, "../"):
			v.findf(PartBag, "%q is not a name of a dossier", member.Name)
		case seen[member.Name]:
			v.findf(PartBag, "%q is there twice", member.Name)
		case member.Method != zip.Store:
			v.findf(PartBag, "%q is compressed", member.Name)
		default:
			seen[member.Name] = true
			continue
		}
		return false
	}
	if len(members) == 0 {
		v.findf(PartBag, "it is empty")
	}
	return len(members) > 0
}

// comparer compares what is written to it with the archive.
type comparer struct {
	with io.ReaderAt
	at   int64
	same bool
}

func (c *comparer) Write(text []byte) (int, error) {
	there := make([]byte, len(text))
	n, err := c.with.ReadAt(there, c.at)
	if n < len(text) && !errors.Is(err, io.EOF) {
		return 0, err
	}
	c.same = c.same && n == len(text) && bytes.Equal(there, text)
	c.at += int64(len(text))
	return len(text), nil
}

// readAll reads all members and computes their digests. It writes the archive again, which must give the same bytes: an archive can hide
// bytes between its members, and readers disagree about doubtful ones.
func (v *verification) readAll(members []*zip.File, archived io.ReaderAt, size int64) error {
	same := &comparer{with: archived, same: true}
	again := newArchive(same, v.folder)
	for _, member := range members {
		content, err := member.Open()
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(member.Name, v.folder)
		var kept bytes.Buffer
		from := io.Reader(content)
		if !strings.HasPrefix(name, dataFolder+filesFolder) {
			if member.UncompressedSize64 > textLimit {
				return fmt.Errorf("%s is too large", name)
			}
			from = io.TeeReader(content, &kept)
		}
		one, err := again.add(name, from)
		if err := errors.Join(err, content.Close()); err != nil {
			return err
		}
		v.sums[name], v.texts[name] = one, kept.Bytes()
	}
	if err := again.zip.Close(); err != nil {
		return err
	}
	v.order = again.digests
	if !same.same || same.at != size {
		v.findf(PartBag, "the archive is not as a service writes it")
	}
	return nil
}

// tagged checks the tag files of the bag. It returns false if there is no bag to check further.
func (v *verification) tagged() bool {
	var payload []digested
	for _, one := range v.order {
		if strings.HasPrefix(one.name, dataFolder) {
			payload = append(payload, one)
			continue
		}
		if !slices.Contains([]string{bagItFile, bagInfoFile, manifestFile, tagFile, signatureFile}, one.name) {
			v.findf(PartBag, "%s does not belong to a dossier", one.name)
		}
	}
	for _, name := range []string{bagItFile, bagInfoFile, manifestFile, tagFile} {
		if _, there := v.sums[name]; !there {
			v.findf(PartBag, "%s is missing", name)
			return false
		}
	}
	if !slices.IsSortedFunc(v.order, func(a, b digested) int { return strings.Compare(a.name, b.name) }) {
		v.findf(PartBag, "its members are out of order")
	}
	if string(v.texts[bagItFile]) != bagItText {
		v.findf(PartBag, "%s is not that of a bag", bagItFile)
	}
	if string(v.texts[manifestFile]) != manifest(payload) {
		v.findf(PartBag, "%s", differing(v.texts[manifestFile], payload))
	}
	tags := manifest([]digested{v.sums[bagInfoFile], v.sums[bagItFile], v.sums[manifestFile]})
	if string(v.texts[tagFile]) != tags {
		v.findf(PartBag, "%s does not fit the bag", tagFile)
	}
	return true
}

// differing describes the first difference between a manifest and the files.
func differing(text []byte, payload []digested) string {
	listed := map[string]string{}
	for one := range strings.Lines(string(text)) {
		digest, name, _ := strings.Cut(strings.TrimSuffix(one, "\n"), "  ")
		listed[name] = digest
	}
	for _, one := range payload {
		switch digest, there := listed[one.name]; {
		case !there:
			return one.name + " is not in the manifest"
		case digest != one.sha256:
			return one.name + " was changed"
		}
		delete(listed, one.name)
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		return name + " is missing"
	}
	return manifestFile + " is not as a service writes it"
}

// sealed checks the checkpoint, the signature of the bag, and the entries.
func (v *verification) sealed() {
	signed, there := v.texts[dataFolder+checkpointOf]
	if !there {
		v.findf(PartSignature, "it is not signed: the service that made it has no ledger")
		return
	}
	checkpoint, err := v.keys.Open(signed)
	if err != nil {
		v.findf(PartCheckpoint, "%v", err)
		return
	}
	v.Origin, v.Size = checkpoint.Origin, checkpoint.Size
	text, err := v.keys.OpenStatement(v.texts[signatureFile], checkpoint.Origin)
	switch {
	case err != nil:
		v.findf(PartSignature, "the bag is not signed by the key that was given: %v", err)
	case text != statement(checkpoint.Origin, checkpoint.Size, string(v.texts[tagFile])):
		v.findf(PartSignature, "the signature is that of another dossier")
	}
	v.entries(checkpoint)
}

// entries checks that every entry is in the ledger, and that the derived files follow from the entries.
func (v *verification) entries(checkpoint ledger.Checkpoint) {
	last := int64(-1)
	for text := range strings.Lines(string(v.texts[dataFolder+trailFile])) {
		var row line
		var entry trail.Entry
		if err := errors.Join(json.Unmarshal([]byte(text), &row), json.Unmarshal(row.Entry, &entry)); err != nil {
			v.findf(PartEntries, "a line of %s cannot be read: %v", trailFile, err)
			return
		}
		leaf, err := ledger.Leaf(row.Entry)
		if err == nil {
			err = ledger.CheckLeaf(checkpoint, row.Index, leaf, row.Proof)
		}
		if err != nil {
			v.findf(PartEntries, "%s is not in the ledger: %v", ledger.EntryID(row.Index), err)
			return
		}
		if row.Index <= last {
			v.findf(PartEntries, "%s is out of order", entry.ID)
		}
		last = row.Index
		if len(entry.Metadata) == 0 && bytes.Contains(leaf, []byte(`"metadataSha256":`)) {
			v.lacks[entry.ID] = true
			effect := ""
			if hidden(&entry) {
				effect = ": what it undid may still be shown"
			}
			v.NotProved = append(v.NotProved, fmt.Sprintf(
				"the details of %s (%s), which the dossier omits because they identify other units%s", entry.ID, entry.Action, effect))
		}
		v.shown = append(v.shown, entry)
	}
	v.Entries = len(v.shown)
	among, err := units(v.About, v.shown)
	if err != nil {
		v.findf(PartEntries, "%v", err)
		return
	}
	v.Units = slices.AppendSeq(v.Units, maps.Keys(among))
	slices.SortFunc(v.Units, byNumber)
	v.signatures()
	derived, links, err := derive(v.About, v.shown)
	if err != nil {
		v.findf(PartDerived, "%v", err)
		return
	}
	for _, file := range derived {
		if there, is := v.texts[dataFolder+file.Name]; !is || !bytes.Equal(there, file.Text) {
			v.findf(PartDerived, "%s does not follow from the entries", file.Name)
		}
	}
	approvals, err := approvalsIn(v.shown)
	if err != nil {
		v.findf(PartFiles, "%v", err)
	}
	v.attached(links, approvals)
	documents, err := documentsIn(v.shown)
	if err != nil {
		v.findf(PartFiles, "%v", err)
	}
	v.unproved(derived, documents)
}

// signatures checks that people signed the entries before their signatures. Those about no unit are in the dossier only with the entries
// that they sign.
func (v *verification) signatures() {
	all := bySerial(v.shown)
	if id, err := (shop.Signing{Canonical: ledger.Leaf}).Check(all[""]); err != nil {
		v.findf(PartEntries, "%s: %v", id, err)
	}
	for _, unit := range v.Units {
		about := all[unit]
		if slices.ContainsFunc(about, func(entry trail.Entry) bool { return entry.Action == shop.ActionRecordSigned }) {
			if slices.ContainsFunc(about, func(entry trail.Entry) bool { return v.lacks[entry.ID] }) {
				v.NotProved = append(v.NotProved, "what people signed of "+unit+": the dossier omits details of some of its entries")
				continue
			}
			if id, err := (shop.Signing{Canonical: ledger.Leaf}).Check(about); err != nil {
				v.findf(PartEntries, "%s: %v", id, err)
			}
		}
	}
}

// attached compares the files with the entries that attach them. The files of approvals belong to first articles that the dossier has.
func (v *verification) attached(links []attached, approvals []approval) {
	wanted := map[string]bool{}
	for i := range links {
		name := dataFolder + storedAs(links[i].SHA256, links[i].Type)
		one, there := v.sums[name]
		switch {
		case !there && !links[i].Voided():
			v.NotProved = append(v.NotProved, fmt.Sprintf("the file %q: the dossier does not have it", links[i].Name))
		case there && (one.sha256 != links[i].SHA256 || one.size != links[i].Size):
			v.findf(PartFiles, "%s is not the file that %s attached", name, links[i].EntryID)
		}
		wanted[name] = true
	}
	for _, a := range approvals {
		if _, has := v.sums[dataFolder+firstArticleFile(a.FirstArticleID)]; !has {
			continue
		}
		name := dataFolder + a.file()
		one, there := v.sums[name]
		switch {
		case !there:
			v.NotProved = append(v.NotProved, "the approval of "+a.FirstArticleID+" by the customer: the dossier does not have its file")
		case one.sha256 != a.SHA256:
			v.findf(PartFiles, "%s is not the file that %s attached", name, a.EntryID)
		}
		wanted[name] = true
	}
	for _, one := range v.order {
		if strings.HasPrefix(one.name, dataFolder+filesFolder) {
			v.Files++
			if !wanted[one.name] {
				v.findf(PartFiles, "no entry attached %s", one.name)
			}
		}
	}
}

// unproved lists the files that only the signature of the bag covers. Documents have the digests that the entries say.
func (v *verification) unproved(derived []Payload, documents map[string]string) {
	for _, one := range v.order {
		name, payload := strings.CutPrefix(one.name, dataFolder)
		if !payload || name == trailFile || name == checkpointOf || strings.HasPrefix(name, filesFolder) ||
			slices.ContainsFunc(derived, func(file Payload) bool { return file.Name == name }) {
			continue
		}
		if digest, issued := documents[name]; issued {
			if digest != one.sha256 {
				v.findf(PartFiles, "%s is not the document that was issued", name)
			}
			continue
		}
		if name == verifyFile {
			v.NotProved = append(v.NotProved, "that verify.html in the dossier is the page of the shop: take the page from the shop")
			continue
		}
		v.NotProved = append(v.NotProved, "the content of "+name+": it is signed with the dossier, but no entry proves it")
	}
}

// filesFit checks that bag-info.txt describes this bag.
func (v *verification) filesFit() {
	about := info{about: v.About, origin: v.Origin, size: v.Size}
	for _, one := range v.order {
		if strings.HasPrefix(one.name, dataFolder) {
			about.bytes, about.files = about.bytes+one.size, about.files+1
		}
	}
	_, rest, _ := strings.Cut(string(v.texts[bagInfoFile]), "Bagging-Date: ")
	about.day, _, _ = strings.Cut(rest, "\n")
	if _, rest, found := strings.Cut(string(v.texts[bagInfoFile]), "\nRoutecard-Language: "); found {
		about.language, _, _ = strings.Cut(rest, "\n")
	}
	if string(v.texts[bagInfoFile]) != about.text() {
		v.findf(PartBag, "%s does not describe this bag", bagInfoFile)
	}
}

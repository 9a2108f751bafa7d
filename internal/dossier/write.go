package dossier

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"mime"
	"slices"
	"strings"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// member is a file below data/ before it is written.
type member struct {
	name   string
	size   int64
	stored bool // whether its bytes are a file of the service
	open   func() (io.ReadCloser, error)
}

func textMember(name string, text []byte) member {
	return member{name, int64(len(text)), false, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }}
}

// Plan is a dossier that is ready to be written.
type Plan struct {
	about   string
	info    info
	members []member
	ledger  *Ledger
	Missing []Missing
}

// Prepare computes everything of a dossier but the bytes of its files.
func Prepare(c Content) (*Plan, error) {
	p := &Plan{about: c.About, ledger: c.Ledger, Missing: c.Missing}
	p.info = info{about: c.About, day: c.Day, language: c.Language.Tag()}
	if c.Ledger != nil {
		checkpoint, err := ledger.UnverifiedCheckpoint(c.Ledger.Checkpoint)
		if err != nil {
			return nil, err
		}
		p.info.origin, p.info.size = checkpoint.Origin, checkpoint.Size
		p.members = append(p.members, textMember(checkpointOf, c.Ledger.Checkpoint))
	}
	shown, text, err := c.trail()
	if err != nil {
		return nil, err
	}
	p.members = append(p.members, textMember(trailFile, text))
	derived, links, err := derive(c.About, shown)
	if err != nil {
		return nil, err
	}
	if c.verify == nil {
		if c.verify, err = VerifyPage(c.Language); err != nil {
			return nil, err
		}
	}
	for _, file := range slices.Concat(derived, c.Payload, []Payload{{verifyFile, c.verify}}) {
		p.members = append(p.members, textMember(file.Name, file.Text))
	}
	known, used := map[string]bool{}, usedAt(shown)
	for i := range links {
		link := &links[i]
		leftOut := slices.Contains(onRequest(), link.Kind) && !slices.Contains(c.Include, link.Kind)
		if leftOut || known[link.SHA256] || link.Voided() && !used.shown(link) {
			continue
		}
		known[link.SHA256] = true
		p.members = append(p.members, member{
			storedAs(link.SHA256, link.Type), link.Size, true, func() (io.ReadCloser, error) { return c.Open(link.SHA256) },
		})
	}
	for _, document := range c.Documents {
		sameFile := func(m member) bool { return m.name == document.Name }
		if strings.HasPrefix(document.Name, filesFolder) && slices.ContainsFunc(p.members, sameFile) {
			continue // it is attached to a record, too
		}
		p.members = append(p.members, member{
			document.Name, document.Size, true, func() (io.ReadCloser, error) { return c.Open(document.SHA256) },
		})
	}
	slices.SortFunc(p.members, func(a, b member) int { return cmp.Compare(a.name, b.name) })
	for i := range p.members {
		if i > 0 && p.members[i].name == p.members[i-1].name {
			return nil, fmt.Errorf("two files of the dossier are called %s", p.members[i].name)
		}
		p.info.bytes, p.info.files = p.info.bytes+p.members[i].size, p.info.files+1
	}
	return p, nil
}

// inUse has the times of the entries about units, by step and by job.
type inUse map[string][]ident.Timestamp

func usedAt(entries []trail.Entry) inUse {
	used := inUse{}
	for i := range entries {
		entry := &entries[i]
		if entry.SerialID == "" {
			continue
		}
		for _, id := range []string{entry.StepID, entry.FromStepID, entry.JobID} {
			used[id] = append(used[id], entry.Timestamp)
		}
	}
	return used
}

// shown reports whether a file on a step or job was attached and not voided when something was done to a unit of the dossier there.
func (used inUse) shown(link *attached) bool {
	return slices.ContainsFunc(used[link.OnID], func(at ident.Timestamp) bool { return link.AttachedAt <= at && at < link.VoidedAt })
}

// trail returns the entries as the dossier shows them, and trail.ndjson.
func (c Content) trail() (shown []trail.Entry, text []byte, err error) {
	var b bytes.Buffer
	within, last := scopeOf(c.Prefix, c.Units), int64(-1)
	for i := range c.Entries {
		index, ok := ledger.EntryIndex(c.Entries[i].ID)
		if !ok || index <= last {
			return nil, nil, fmt.Errorf("the entry %s is out of order", c.Entries[i].ID)
		}
		last = index
		entry, one, err := within.shownEntry(c.Entries[i])
		if err != nil {
			return nil, nil, err
		}
		row := line{Index: index, Entry: entry}
		if c.Ledger != nil {
			leaf, err := ledger.Leaf(entry)
			if err != nil {
				return nil, nil, err
			}
			if row.Proof, err = c.Ledger.Prove(index, leaf); err != nil {
				return nil, nil, err
			}
		}
		encoded, err := marshal(row)
		if err != nil {
			return nil, nil, err
		}
		b.Write(encoded)
		b.WriteByte('\n')
		shown = append(shown, one)
	}
	return shown, b.Bytes(), nil
}

// storedAs returns the name of a file in the bag.
func storedAs(digest, kind string) string {
	plain, _, _ := strings.Cut(kind, ";")
	extension := map[string]string{
		"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "application/pdf": "pdf", "text/plain": "txt",
	}[plain]
	if _, _, err := mime.ParseMediaType(kind); err != nil || extension == "" {
		extension = "bin"
	}
	return filesFolder + digest + "." + extension
}

// Bytes is the size of the files below data/.
func (p *Plan) Bytes() int64 { return p.info.bytes }

// Files is the number of files below data/.
func (p *Plan) Files() int64 { return p.info.files }

// Size is the size of the archive in bytes. It is 0 if the signature cannot be made.
func (p *Plan) Size() int64 {
	const (
		stamp    = 9 // of the time, in both headers
		local    = 30 + stamp
		central  = 46 + stamp
		large    = 28 // more in the directory for a size or place from 4 GiB
		ending   = 22
		more     = 76 // more at the end of such an archive
		limit    = 1<<32 - 1
		manyFile = 1<<16 - 1
	)
	var size, directory, count int64
	place := func(name string, bytes int64) {
		length := int64(len(folderOf(p.about)) + len(name))
		directory += central + length
		descriptor := int64(16)
		if bytes >= limit {
			descriptor = 24
		}
		if bytes >= limit || size >= limit {
			directory += large
		}
		size += local + length + bytes + descriptor
		count++
	}
	line := func(name string) int64 { return int64(sha256.Size*2 + len("  \n") + len(name)) }
	var payload int64
	place(bagInfoFile, int64(len(p.info.text())))
	place(bagItFile, int64(len(bagItText)))
	for i := range p.members {
		place(dataFolder+p.members[i].name, p.members[i].size)
		payload += line(dataFolder + p.members[i].name)
	}
	place(manifestFile, payload)
	if p.ledger != nil {
		signed, err := p.ledger.Sign(statement(p.info.origin, p.info.size, ""))
		if err != nil {
			return 0
		}
		place(signatureFile, int64(len(signed)))
	}
	place(tagFile, line(bagInfoFile)+line(bagItFile)+line(manifestFile))
	if size >= limit || directory >= limit || count >= manyFile {
		return size + directory + ending + more
	}
	return size + directory + ending
}

// CheckFiles opens every file once, so that a missing one is found before anything is written.
func (p *Plan) CheckFiles() error {
	for i := range p.members {
		if !p.members[i].stored {
			continue
		}
		content, err := p.members[i].open()
		if err != nil {
			return err
		}
		if err := content.Close(); err != nil {
			return err
		}
	}
	return nil
}

// Write writes the dossier. It needs no more memory for large files.
func (p *Plan) Write(to io.Writer) error {
	a := newArchive(to, folderOf(p.about))
	if _, err := a.add(bagInfoFile, strings.NewReader(p.info.text())); err != nil {
		return err
	}
	if _, err := a.add(bagItFile, strings.NewReader(bagItText)); err != nil {
		return err
	}
	for i := range p.members {
		if err := p.copy(a, &p.members[i]); err != nil {
			return err
		}
	}
	return p.finish(a)
}

func (p *Plan) copy(a *archive, m *member) error {
	content, err := m.open()
	if err != nil {
		return err
	}
	one, err := a.add(dataFolder+m.name, content)
	if err == nil && one.size != m.size {
		err = fmt.Errorf("%s has %d bytes, and had %d", m.name, one.size, m.size)
	}
	return errors.Join(err, content.Close())
}

// finish writes the manifests and the signature.
func (p *Plan) finish(a *archive) error {
	payload := manifest(a.digests[2:])
	if _, err := a.add(manifestFile, strings.NewReader(payload)); err != nil {
		return err
	}
	tags := manifest([]digested{a.digests[0], a.digests[1], a.digests[len(a.digests)-1]})
	if p.ledger != nil {
		signed, err := p.ledger.Sign(statement(p.info.origin, p.info.size, tags))
		if err != nil {
			return err
		}
		if _, err := a.add(signatureFile, bytes.NewReader(signed)); err != nil {
			return err
		}
	}
	if _, err := a.add(tagFile, strings.NewReader(tags)); err != nil {
		return err
	}
	return a.zip.Close()
}

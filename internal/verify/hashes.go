package verify

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// The entries of notes, certificates, bills of materials, templates and users have the SHA-256 of the record's contents (docs/ledger.md,
// "Contents by their hashes"). If the last entry of a record has no hash, an older program without such hashes changed the record last. The
// contents are then unproved, which is a remark and not a finding.

// Unproved has the records of one kind whose contents no entry proves.
type Unproved struct {
	Kind  ident.RecordKind `json:"kind"`
	Count int64            `json:"count"`
	First []string         `json:"first"` // the identifiers of the first few
}

// unprovedNamed is the maximum number of unproved records of a kind that a report lists.
const unprovedNamed = 10

// Unproved returns the records that Compare could not prove, sorted by kind.
func (c *RecordCheck) Unproved() []Unproved {
	unproved := make([]Unproved, 0, len(c.hashes.unproved))
	for _, kind := range slices.Sorted(maps.Keys(c.hashes.unproved)) {
		unproved = append(unproved, *c.hashes.unproved[kind])
	}
	return unproved
}

// toldHashes are the hashes of records' contents according to the trail.
type toldHashes struct {
	since    ident.Timestamp // the time of the first entry with a hash; 0 if there is none
	first    int64           // the number of that entry
	unhashed int64           // the number of entries from before hashes existed, according to the database
	records  map[ident.RecordKind]map[string]toldHash
	bills    map[string]*toldBill
	unnamed  map[unnamedNote]int // notes whose entries do not have their identifier
	unproved map[ident.RecordKind]*Unproved
}

// toldHash is the hash in the last entry of a record.
type toldHash struct {
	contents trail.ContentsSHA256 // "" if the entry has none
	deleted  bool
}

// unnamedNote is the description of a note in an entry from before there were hashes.
type unnamedNote struct {
	jobID, pathID, stepID, by string
	at                        ident.Timestamp
}

// toldBill is the description of a bill of materials, for its versions.
type toldBill struct {
	name     *string // nil if the name is not known
	contents trail.ContentsSHA256
	versions map[int64]toldVersion
}

// toldVersion is the description of a version of a bill: the bill's contents before the edit.
type toldVersion struct {
	name        *string
	contents    trail.ContentsSHA256
	description string
	by          string
	at          ident.Timestamp
}

func newToldHashes() toldHashes {
	return toldHashes{
		records: make(map[ident.RecordKind]map[string]toldHash), bills: map[string]*toldBill{}, unnamed: map[unnamedNote]int{},
		unproved: make(map[ident.RecordKind]*Unproved),
	}
}

// take records the description of a record in an entry.
func (h *toldHashes) take(entry *trail.Entry, kind ident.RecordKind, id string, contents trail.ContentsSHA256) {
	if contents != "" {
		h.begin(entry)
	}
	if h.records[kind] == nil {
		h.records[kind] = map[string]toldHash{}
	}
	h.records[kind][strings.Clone(id)] = toldHash{contents: contents}
}

// begin records the first entry with a hash.
func (h *toldHashes) begin(entry *trail.Entry) {
	if h.since == 0 {
		h.since = entry.Timestamp
		h.first, _ = ident.AuditSequence(entry.ID)
	}
}

// hashMetadata has the members of the metadata of entries with hashes.
type hashMetadata struct {
	NoteID     string `json:"noteId"`
	BOMID      string `json:"bomId"`
	TemplateID string `json:"templateId"`
	UserID     string `json:"userId"`
	AccountID  string `json:"accountId"`

	ChangeDescription string `json:"changeDescription"` // of a bill's version
	VersionNumber     int64  `json:"versionNumber"`
	After             *struct {
		Name *string `json:"name"`
	} `json:"after"`

	Contents trail.ContentsSHA256 `json:"contentsSha256"`
}

func (c *RecordCheck) note(entry *trail.Entry) error {
	if len(entry.Metadata) == 0 {
		c.hashes.unnamed[unnamedNote{
			strings.Clone(entry.JobID), strings.Clone(entry.PathID), strings.Clone(entry.StepID), strings.Clone(entry.UserID),
			entry.Timestamp,
		}]++
		return nil
	}
	var told hashMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	c.hashes.take(entry, shop.RecordNote, told.NoteID, told.Contents)
	return nil
}

func (c *RecordCheck) bill(entry *trail.Entry) error {
	var told hashMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	bill := c.hashes.bills[told.BOMID]
	if bill == nil {
		bill = &toldBill{versions: map[int64]toldVersion{}}
		c.hashes.bills[told.BOMID] = bill
	}
	if told.VersionNumber > 0 {
		bill.versions[told.VersionNumber] = toldVersion{
			bill.name, bill.contents, told.ChangeDescription, strings.Clone(entry.UserID), entry.Timestamp,
		}
	}
	if told.After != nil && told.After.Name != nil {
		bill.name = told.After.Name
	}
	bill.contents = told.Contents
	c.hashes.take(entry, shop.RecordBOM, told.BOMID, told.Contents)
	return nil
}

func (c *RecordCheck) template(entry *trail.Entry) error {
	var told hashMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	c.hashes.take(entry, shop.RecordTemplate, told.TemplateID, told.Contents)
	if entry.Action == shop.ActionTemplateDeleted {
		c.hashes.records[shop.RecordTemplate][told.TemplateID] = toldHash{deleted: true}
	}
	return nil
}

// user reads an entry about a user or the user's account. Its metadata has one hash of both.
func (c *RecordCheck) user(entry *trail.Entry) error {
	var told hashMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	c.hashes.take(entry, shop.RecordUser, told.UserID+told.AccountID, told.Contents) // the entry has only one of the two identifiers
	return nil
}

// passed accepts an entry about a compared record that does not describe the record's contents.
func (*RecordCheck) passed(*trail.Entry) error { return nil }

// compare compares the contents of a record with its entries. at is the time of its creation.
func (h *toldHashes) compare(
	kind ident.RecordKind, id string, at ident.Timestamp, contents trail.ContentsSHA256, field string, found func(RecordDifference),
) {
	told, known := h.records[kind][id]
	switch {
	case told.deleted:
		found(RecordDifference{Kind: kind, ID: id, Why: errRecordDeleted})
	case told.contents != "":
		if told.contents != contents {
			reportFields(found, kind, id, []string{field})
		}
	case !known && (h.unhashed == 0 || h.since != 0 && at > h.since+ident.ClockSkew): // every record from after that time has an entry
		found(RecordDifference{Kind: kind, ID: id, Why: errRecordUntold})
	default:
		h.leave(kind, id)
	}
}

// leave counts a record as unproved.
func (h *toldHashes) leave(kind ident.RecordKind, id string) {
	if h.unproved[kind] == nil {
		h.unproved[kind] = &Unproved{Kind: kind}
	}
	unproved := h.unproved[kind]
	unproved.Count++
	if len(unproved.First) < unprovedNamed {
		unproved.First = append(unproved.First, id)
	}
}

// missing reports records that have a hash in the trail but were not seen.
func (h *toldHashes) missing(kind ident.RecordKind, seen map[string]bool, found func(RecordDifference)) {
	missing(found, kind, seen, func(yield func(string) bool) {
		for id, told := range h.records[kind] {
			if told.contents != "" && !yield(id) {
				return
			}
		}
	})
}

// begun reads the number of entries from before hashes existed.
func (h *toldHashes) begun(tx shop.Reader, found func(RecordDifference)) (err error) {
	h.unhashed, err = tx.UnhashedEntries()
	if errors.Is(err, shop.ErrNoRecord) || err == nil && h.first != 0 && h.first <= h.unhashed {
		reportFields(found, Counters, "", []string{"unhashed"})
		return nil
	}
	return err
}

func (h *toldHashes) compareNotes(tx shop.Reader, found func(RecordDifference)) error {
	seen, ended := map[string]bool{}, false // ended: reading ended at a row without a readable identifier
	for note, err := range tx.Notes() {
		seen[note.ID] = true
		if err != nil {
			if !cannotBeRead(err, shop.RecordNote, note.ID, found) {
				return err
			}
			ended = ended || note.ID == ""
			continue
		}
		unnamed := unnamedNote{note.JobID, note.PathID, note.StepID, note.CreatedBy, note.CreatedAt}
		if _, known := h.records[shop.RecordNote][note.ID]; !known && h.unnamed[unnamed] > 0 {
			h.unnamed[unnamed]--
			h.leave(shop.RecordNote, note.ID)
			continue
		}
		h.compare(shop.RecordNote, note.ID, note.CreatedAt, note.Contents(), "contents", found)
	}
	if !ended {
		h.missing(shop.RecordNote, seen, found)
	}
	return nil
}

func (h *toldHashes) compareUsers(tx shop.Reader, found func(RecordDifference)) error {
	seen := map[string]bool{}
	for user, err := range tx.Users() {
		if err != nil {
			return err
		}
		seen[user.ID] = true
		h.compare(shop.RecordUser, user.ID, user.CreatedAt, user.Contents(), "contents", found)
	}
	h.missing(shop.RecordUser, seen, found)
	return nil
}

func (h *toldHashes) compareTemplates(tx shop.Reader, found func(RecordDifference)) error {
	seen, ended := map[string]bool{}, false
	for template, err := range tx.Templates() {
		if err != nil && !cannotBeRead(err, shop.RecordTemplate, template.ID, found) {
			return err
		}
		ended = ended || template.ID == ""
		if seen[template.ID] = true; err == nil {
			h.compare(shop.RecordTemplate, template.ID, template.CreatedAt, template.Contents(), "contents", found)
		}
	}
	if !ended {
		h.missing(shop.RecordTemplate, seen, found)
	}
	return nil
}

func (h *toldHashes) compareBills(tx shop.Reader, found func(RecordDifference)) error {
	seen, ended := map[string]bool{}, false
	for bom, err := range tx.BOMs() {
		if err != nil && !cannotBeRead(err, shop.RecordBOM, bom.ID, found) {
			return err
		}
		if bom.ID == "" {
			ended = true
			continue
		}
		if seen[bom.ID] = true; err == nil {
			h.compare(shop.RecordBOM, bom.ID, bom.CreatedAt, bom.Contents(), "contents", found)
		}
		if err := h.compareVersions(tx, bom, found); err != nil {
			return err
		}
	}
	if !ended {
		h.missing(shop.RecordBOM, seen, found)
	}
	return nil
}

func (h *toldHashes) compareVersions(tx shop.Reader, bom shop.BOM, found func(RecordDifference)) error {
	var told map[int64]toldVersion
	if bill := h.bills[bom.ID]; bill != nil {
		told = bill.versions
	}
	seen := map[int64]bool{}
	for version, err := range tx.BOMVersions(bom.ID) {
		if err != nil {
			return err
		}
		seen[version.VersionNumber] = true
		entries, err := version.Entries()
		if err != nil {
			cannotBeRead(&shop.UnreadableError{Table: "bom_version", ID: version.ID, Err: errNoJSON}, "", "", found)
			continue
		}
		told, known := told[version.VersionNumber]
		if !known {
			found(RecordDifference{Kind: shop.RecordBOMVersion, ID: version.ID, Why: errRecordUntold})
			continue
		}
		var d trail.Differing
		d.Unless(told.description == version.ChangeDescription, "changeDescription")
		d.Unless(told.by == version.ChangedBy, "changedBy")
		d.Unless(told.at == version.CreatedAt, "createdAt")
		if told.name == nil || told.contents == "" {
			h.leave(shop.RecordBOMVersion, version.ID)
		} else {
			was := shop.BOM{ID: bom.ID, Name: *told.name, Entries: entries, CreatedAt: bom.CreatedAt}
			d.Unless(told.contents == was.Contents(), "entriesSnapshot")
		}
		reportFields(found, shop.RecordBOMVersion, version.ID, d)
	}
	for _, number := range slices.Sorted(maps.Keys(told)) {
		if !seen[number] {
			found(RecordDifference{Kind: shop.RecordBOMVersion, ID: fmt.Sprintf("%d of %s", number, bom.ID), Why: errRecordMissing})
		}
	}
	return nil
}

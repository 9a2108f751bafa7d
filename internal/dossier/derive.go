package dossier

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
)

// Names of the files that follow from the entries.
const (
	asBuiltFile    = "as-built.json"
	readingsFile   = "measurements.csv"
	signaturesFile = "signatures.json"
	filesFile      = "files.json"
)

// part is a component in as-built.json.
type part struct {
	ComponentID       string          `json:"componentId"`
	ComponentSerialID string          `json:"componentSerialId,omitempty"`
	LotID             string          `json:"lotId,omitempty"`
	Quantity          input.Decimal   `json:"quantity,omitempty"`
	Unit              string          `json:"unit,omitempty"`
	PartType          string          `json:"partType,omitempty"`
	PartSerialNumber  string          `json:"partSerialNumber,omitempty"`
	Place             string          `json:"place,omitempty"`
	SubstituteReason  string          `json:"substituteReason,omitempty"`
	StepID            string          `json:"stepId,omitempty"`
	Pass              int             `json:"pass"`
	InstalledBy       string          `json:"installedBy"`
	InstalledAt       ident.Timestamp `json:"installedAt"`
	EntryID           string          `json:"entryId"`
	Components        []part          `json:"components,omitempty"`
}

// builtUnit is a unit in as-built.json that is not inside another unit of the dossier.
type builtUnit struct {
	SerialID   string `json:"serialId"`
	Components []part `json:"components"`
}

// asBuilt is the content of as-built.json.
type asBuilt struct {
	Units []builtUnit `json:"units"` // in the order of their identifiers
	// Incomplete are the entries that this file and the other derived files leave out, because the dossier lacks their metadata.
	Incomplete []string `json:"incomplete,omitempty"`
}

// hidden reports whether the dossier lacks the metadata of an entry that a derived file needs. Derived files skip such an entry.
func hidden(entry *trail.Entry) bool {
	switch entry.Action { //nolint:exhaustive // other entries are not needed
	case card.ActionComponentInstalled, card.ActionComponentRemoved, shop.ActionRecordVoided, shop.ActionMeasured, shop.ActionFileAttached,
		shop.ActionRecordSigned:
		return len(entry.Metadata) == 0
	}
	return false
}

// installed returns the parts that are inside each unit after the entries, in the order of installation.
func installed(entries []trail.Entry) (map[string][]part, error) {
	within := map[string][]part{}
	leave := func(serialID, componentID string) {
		within[serialID] = slices.DeleteFunc(within[serialID], func(p part) bool { return p.ComponentID == componentID })
	}
	for i := range entries {
		entry := &entries[i]
		if hidden(entry) {
			continue
		}
		switch entry.Action { //nolint:exhaustive // other entries change no component
		case card.ActionComponentInstalled:
			var told card.InstalledMetadata
			if err := metadataOf(entry, &told); err != nil {
				return nil, err
			}
			within[entry.SerialID] = append(within[entry.SerialID], part{
				told.ComponentID, told.ComponentSerialID, told.LotID, told.Quantity, told.Unit, told.PartType, told.PartSerialNumber,
				told.Place, told.SubstituteReason, entry.StepID, told.Pass, entry.UserID, entry.Timestamp, entry.ID, nil,
			})
		case card.ActionComponentRemoved:
			var told card.RemovedMetadata
			if err := metadataOf(entry, &told); err != nil {
				return nil, err
			}
			leave(entry.SerialID, told.ComponentID)
		case shop.ActionRecordVoided:
			var told card.VoidedMetadata
			if err := metadataOf(entry, &told); err != nil {
				return nil, err
			}
			leave(entry.SerialID, told.RecordID)
		}
	}
	return within, nil
}

func metadataOf(entry *trail.Entry, into any) error {
	if err := trail.ReadMetadata(entry, into); err != nil {
		return &entryError{entry.ID, err}
	}
	return nil
}

// entryError is an entry from which a file cannot be derived.
type entryError struct {
	id  string
	err error
}

func (e *entryError) Error() string { return e.id + ": " + e.err.Error() }

func (e *entryError) Unwrap() error { return e.err }

// UnitsInside returns the units and all units inside them at any depth, each once, by the entries of these units.
func UnitsInside(units []string, entriesOf func(serialID string) ([]trail.Entry, error)) ([]string, error) {
	units = slices.Clone(units)
	known := map[string]bool{}
	for _, id := range units {
		known[id] = true
	}
	for i := 0; i < len(units); i++ {
		entries, err := entriesOf(units[i])
		if err != nil {
			return nil, err
		}
		within, err := installed(entries)
		if err != nil {
			return nil, err
		}
		for _, p := range within[units[i]] {
			if p.ComponentSerialID != "" && !known[p.ComponentSerialID] {
				known[p.ComponentSerialID] = true
				units = append(units, p.ComponentSerialID)
			}
		}
	}
	return units, nil
}

// trees returns the units that are not inside another of them, with what is inside them. A unit appears once.
func trees(among map[string]bool, within map[string][]part) []builtUnit {
	insideAny := map[string]bool{}
	for parent, parts := range within {
		for _, p := range parts {
			if among[parent] {
				insideAny[p.ComponentSerialID] = true
			}
		}
	}
	built := []builtUnit{}
	for _, id := range slices.SortedFunc(maps.Keys(among), byNumber) {
		if !insideAny[id] {
			built = append(built, builtUnit{id, append([]part{}, tree(id, within)...)})
		}
	}
	return built
}

// byNumber orders identifiers of units or of entries by their numbers.
func byNumber(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

// tree returns the parts of a unit with what is inside them. A unit appears once.
func tree(unit string, within map[string][]part) []part {
	parts := within[unit]
	delete(within, unit)
	for i := range parts {
		if parts[i].ComponentSerialID != "" {
			parts[i].Components = tree(parts[i].ComponentSerialID, within)
		}
	}
	return parts
}

// derive returns the files that follow from the entries as the dossier has them.
func derive(about string, entries []trail.Entry) (payload []Payload, links []attached, err error) {
	among, err := units(about, entries)
	if err != nil {
		return nil, nil, err
	}
	within, err := installed(entries)
	if err != nil {
		return nil, nil, err
	}
	built := asBuilt{Units: trees(among, within)}
	for i := range entries {
		if hidden(&entries[i]) {
			built.Incomplete = append(built.Incomplete, entries[i].ID)
		}
	}
	signatures := []shop.Signature{}
	for _, about := range bySerial(entries) {
		signed, err := shop.SignaturesIn(slices.DeleteFunc(about, func(entry trail.Entry) bool {
			return entry.Action == shop.ActionRecordSigned && hidden(&entry)
		}))
		if err != nil {
			return nil, nil, err
		}
		signatures = append(signatures, signed...)
	}
	slices.SortFunc(signatures, func(a, b shop.Signature) int { return byNumber(a.ID, b.ID) })
	readings, err := readings(entries)
	if err != nil {
		return nil, nil, err
	}
	if links, err = filesIn(entries); err != nil {
		return nil, nil, err
	}
	payload = append(payload, Payload{readingsFile, readings})
	for _, file := range []struct {
		name  string
		value any
	}{{asBuiltFile, built}, {signaturesFile, signatures}, {filesFile, links}} {
		text, err := marshal(file.value)
		if err != nil {
			return nil, nil, err
		}
		payload = append(payload, Payload{file.name, append(text, '\n')})
	}
	return payload, links, nil
}

// units returns the units that a dossier has by its entries: the unit that it concerns, those that entries concern, and those that entries
// created.
func units(about string, entries []trail.Entry) (map[string]bool, error) {
	found := map[string]bool{}
	if shop.IsSerialID(about) {
		found[about] = true
	}
	for i := range entries {
		if entries[i].SerialID != "" {
			found[entries[i].SerialID] = true
		}
		made, is := shop.SerialsCreatedBy(entries[i])
		if !is {
			continue
		}
		if made.Last-made.First >= 10*UnitLimit {
			return nil, &entryError{entries[i].ID, errors.New("it created more units than a dossier can have")}
		}
		for number := made.First; number <= made.Last; number++ {
			found[made.Prefix.SerialID(number)] = true
		}
	}
	return found, nil
}

// bySerial returns the entries by the unit that they concern, "" for none.
func bySerial(entries []trail.Entry) map[string][]trail.Entry {
	about := map[string][]trail.Entry{}
	for i := range entries {
		about[entries[i].SerialID] = append(about[entries[i].SerialID], entries[i])
	}
	return about
}

// voided returns the voiding of records, by identifier.
func voided(entries []trail.Entry) (map[string]card.Voiding, error) {
	found := map[string]card.Voiding{}
	for i := range entries {
		if entries[i].Action != shop.ActionRecordVoided || hidden(&entries[i]) {
			continue
		}
		var told card.VoidedMetadata
		if err := metadataOf(&entries[i], &told); err != nil {
			return nil, err
		}
		found[told.RecordID] = card.Voiding{VoidedAt: entries[i].Timestamp, VoidedBy: entries[i].UserID, VoidReason: told.Reason}
	}
	return found, nil
}

// readings returns measurements.csv.
func readings(entries []trail.Entry) ([]byte, error) {
	voidings, err := voided(entries)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	table := csv.NewWriter(&b)
	row := func(cells ...string) {
		for i := range cells {
			cells[i] = sheet.Harmless(cells[i])
		}
		_ = table.Write(cells) // to memory
	}
	row("id", "serialId", "stepId", "characteristicId", "number", "place", "value", "unit", "verdict", "nominal", "lower", "upper",
		"revision", "instrumentId", "note", "pass", "measuredBy", "measuredAt", "voidedAt", "voidedBy", "voidReason", "entryId")
	for i := range entries {
		entry := &entries[i]
		if entry.Action != shop.ActionMeasured || hidden(entry) {
			continue
		}
		measured, err := shop.MeasurementsOf(entry)
		if err != nil {
			return nil, &entryError{entry.ID, err}
		}
		for _, m := range measured {
			void, voidedAt := voidings[m.ID], ""
			if void.Voided() {
				voidedAt = void.VoidedAt.String()
			}
			row(m.ID, m.SerialID, m.StepID, m.CharacteristicID, m.Number, m.Place, m.Value, m.Unit, string(m.Verdict),
				string(m.Limits.Nominal), string(m.Limits.Lower), string(m.Limits.Upper), strconv.Itoa(m.Revision), m.InstrumentID, m.Note,
				strconv.Itoa(m.Pass), m.MeasuredBy, m.MeasuredAt.String(), voidedAt, void.VoidedBy, void.VoidReason, entry.ID)
		}
	}
	table.Flush()
	return b.Bytes(), table.Error()
}

// attached is a file in files.json.
type attached struct {
	shop.FileLink
	On      string `json:"on"` // the kind of record that the file is attached to
	OnID    string `json:"onId"`
	EntryID string `json:"entryId"`
}

// filesIn returns the files that entries attach, in the order of the trail.
func filesIn(entries []trail.Entry) ([]attached, error) {
	voidings, err := voided(entries)
	if err != nil {
		return nil, err
	}
	links := []attached{}
	for i := range entries {
		if entries[i].Action != shop.ActionFileAttached || hidden(&entries[i]) {
			continue
		}
		link, err := shop.LinkOf(&entries[i])
		if err != nil {
			return nil, &entryError{entries[i].ID, err}
		}
		link.Voiding = voidings[link.ID]
		links = append(links, attached{link, string(link.On.Kind), link.On.ID, entries[i].ID})
	}
	return links, nil
}

// conformanceFile returns the name of the PDF of a revision.
func conformanceFile(id string, revision int) string {
	return "conformances/" + id + "-" + strconv.Itoa(revision) + ".pdf"
}

// firstArticleFile returns the name of the content of a first article inspection.
func firstArticleFile(id string) string { return "first-articles/" + id + ".json" }

// documentsIn returns the digests of the documents that entries issued, by name. An entry without its metadata issues none here.
func documentsIn(entries []trail.Entry) (map[string]string, error) {
	found := map[string]string{}
	for i := range entries {
		entry := &entries[i]
		if len(entry.Metadata) == 0 {
			continue
		}
		var told struct {
			ConformanceID  string `json:"conformanceId"`
			FirstArticleID string `json:"firstArticleId"`
			Revision       int    `json:"revision"`
			SHA256         string `json:"sha256"`
		}
		switch entry.Action { //nolint:exhaustive // other entries issue no document
		case shop.ActionConformanceIssued, shop.ActionConformanceReissued, shop.ActionFirstArticleVerified:
			if err := metadataOf(entry, &told); err != nil {
				return nil, err
			}
		}
		switch {
		case told.ConformanceID != "":
			found[conformanceFile(told.ConformanceID, told.Revision)] = told.SHA256
		case told.FirstArticleID != "":
			found[firstArticleFile(told.FirstArticleID)] = told.SHA256
		}
	}
	return found, nil
}

// approval is the customer's approval of a first article inspection that has a file.
type approval struct {
	FirstArticleID string `json:"firstArticleId"`
	SHA256         string `json:"sha256"`
	Type           string `json:"type"`
	EntryID        string `json:"-"`
}

// file returns the name of the file of an approval.
func (a approval) file() string { return storedAs(a.SHA256, a.Type) }

// approvalsIn returns the approvals by customers that entries record with a file, in the order of the trail.
func approvalsIn(entries []trail.Entry) (found []approval, err error) {
	for i := range entries {
		entry := &entries[i]
		if entry.Action != shop.ActionFirstArticleCustomerApproved || len(entry.Metadata) == 0 {
			continue
		}
		told := approval{EntryID: entry.ID}
		if err := metadataOf(entry, &told); err != nil {
			return nil, err
		}
		if told.SHA256 != "" {
			found = append(found, told)
		}
	}
	return found, nil
}

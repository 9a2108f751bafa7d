package shop

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strconv"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// BOM is a bill of materials: the part types that one build needs and the jobs that produce them.
type BOM struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Entries   []BOMEntry      `json:"entries"` // at least one, in the order given
	CreatedAt ident.Timestamp `json:"createdAt"`
	UpdatedAt ident.Timestamp `json:"updatedAt"`

	ExternalID string `json:"externalId,omitempty"`

	Used bool `json:"-"` // whether a path or a unit refers or referred to it; if so, every change of its entries creates a version
}

// BOMEntry is one part type of a BOM.
type BOMEntry struct {
	ID                       string   `json:"id"`
	BOMID                    string   `json:"bomId"`
	PartType                 string   `json:"partType"`
	PartNumber               string   `json:"partNumber,omitempty"`     // part number of this part type; "" if PartType is the part number
	RequiredQuantityPerBuild float64  `json:"requiredQuantityPerBuild"` // above 0; fractions are allowed
	ContributingJobIDs       []string `json:"contributingJobIds"`       // never nil; the jobs need not exist
}

// BOMVersion has a BOM's entries as they were before its n-th versioned edit, counted from 1.
type BOMVersion struct {
	ID                string          `json:"id"`
	BOMID             string          `json:"bomId"`
	VersionNumber     int64           `json:"versionNumber"`
	EntriesSnapshot   json.RawMessage `json:"entriesSnapshot"`
	ChangeDescription string          `json:"changeDescription"`
	ChangedBy         string          `json:"changedBy"`
	CreatedAt         ident.Timestamp `json:"createdAt"`
}

// BOMSummary compares the quantities that a BOM requires with the quantities that its jobs have produced.
type BOMSummary struct {
	BOMID   string            `json:"bomId"`
	BOMName string            `json:"bomName"`
	Entries []BOMSummaryEntry `json:"entries"`
}

// BOMSummaryEntry is one part type of a summary.
type BOMSummaryEntry struct {
	PartType                 string  `json:"partType"`
	RequiredQuantityPerBuild float64 `json:"requiredQuantityPerBuild"`
	TotalCompleted           int64   `json:"totalCompleted"`
	TotalInProgress          int64   `json:"totalInProgress"`
	TotalOutstanding         float64 `json:"totalOutstanding"`
}

// BOMDetail is a BOM with its summary.
type BOMDetail struct {
	BOM
	Summary BOMSummary `json:"summary"`
}

// summaryOf counts the serials of the contributing jobs of each entry. Scrapped serials do not count, and a job that an entry
// lists twice counts once.
func summaryOf(bom BOM, counts map[string]SerialCounts) BOMSummary {
	summary := BOMSummary{BOMID: bom.ID, BOMName: bom.Name, Entries: make([]BOMSummaryEntry, len(bom.Entries))}
	for i, entry := range bom.Entries {
		row := &summary.Entries[i]
		row.PartType, row.RequiredQuantityPerBuild = entry.PartType, entry.RequiredQuantityPerBuild
		seen := map[string]bool{}
		for _, jobID := range entry.ContributingJobIDs {
			if !seen[jobID] {
				seen[jobID] = true
				row.TotalCompleted += counts[jobID].Completed
				row.TotalInProgress += counts[jobID].InProgress
			}
		}
		row.TotalOutstanding = max(0, outstanding(row.RequiredQuantityPerBuild, row.TotalCompleted))
	}
	return summary
}

// outstanding returns quantity minus count in exact decimal arithmetic: 1.1 minus 1 is 0.1, not 0.10000000000000009 as in binary
// floating point.
func outstanding(quantity float64, count int64) float64 {
	exact, ok := new(big.Rat).SetString(strconv.FormatFloat(quantity, 'f', -1, 64))
	if !ok { // never: a quantity is finite
		return quantity
	}
	left, _ := exact.Sub(exact, new(big.Rat).SetInt64(count)).Float64()
	return left
}

// BOMEntryInput is one entry in the body of the BOM operations.
type BOMEntryInput struct {
	PartType                 input.TextInput   `field:"partType"`
	PartNumber               input.TextInput   `field:"partNumber"`
	RequiredQuantityPerBuild input.NumberInput `field:"requiredQuantityPerBuild"`
	ContributingJobIDs       input.TextsInput  `field:"contributingJobIds"`
}

// BOMEntriesInput is a list of BOM entries.
type BOMEntriesInput = input.Input[[]input.Input[BOMEntryInput]]

// checkEntries validates the list of entries in a request. The entries that it returns have no ids yet.
func checkEntries(in BOMEntriesInput) ([]BOMEntry, error) {
	if err := in.Typed("entries"); err != nil {
		return nil, err
	}
	if len(in.Value) == 0 {
		return nil, refusal.RefuseField(refusal.ListEmpty, "entries")
	}
	if err := input.CheckItems("entries", len(in.Value)); err != nil {
		return nil, err
	}
	entries := make([]BOMEntry, len(in.Value))
	for i, given := range in.Value {
		field := fmt.Sprintf("entries[%d]", i)
		if given.State != input.StateGiven {
			return nil, refusal.RefuseField(refusal.NotObject, field)
		}
		var err error
		if entries[i], err = given.Value.check(field); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

func (in BOMEntryInput) check(field string) (entry BOMEntry, err error) {
	if entry.PartType, err = input.RequiredName(field+".partType", in.PartType); err != nil {
		return entry, err
	}
	if entry.PartNumber, err = input.OptionalWithin(field+".partNumber", input.Trimmed(in.PartNumber), input.NameLimit); err != nil {
		return entry, err
	}
	quantity := field + ".requiredQuantityPerBuild"
	if in.RequiredQuantityPerBuild.Missing() {
		return entry, refusal.RefuseField(refusal.NotAboveZero, quantity)
	}
	if err := in.RequiredQuantityPerBuild.Typed(quantity); err != nil {
		return entry, err
	}
	entry.RequiredQuantityPerBuild = in.RequiredQuantityPerBuild.Value
	switch {
	case entry.RequiredQuantityPerBuild <= 0:
		return entry, refusal.RefuseField(refusal.NotAboveZero, quantity)
	case entry.RequiredQuantityPerBuild > input.NumberLimit:
		return entry, refusal.RefuseField(refusal.NumberTooLarge, quantity, int64(input.NumberLimit))
	}
	entry.ContributingJobIDs = []string{}
	if !in.ContributingJobIDs.Missing() {
		jobs := field + ".contributingJobIds"
		if err := in.ContributingJobIDs.Typed(jobs); err != nil {
			return entry, err
		}
		entry.ContributingJobIDs, err = input.ItemsOf(jobs, in.ContributingJobIDs.Value)
	}
	return entry, err
}

// replaceEntries replaces the entries of a BOM and assigns an id to each.
func (s *Service) replaceEntries(bom *BOM, entries []BOMEntry) {
	for i := range entries {
		entries[i].ID, entries[i].BOMID = s.NewID(prefixBOMEntry), bom.ID
	}
	bom.Entries = entries
}

// CreateBOMInput is the body of Create BOM.
type CreateBOMInput struct {
	Name    input.TextInput `field:"name"`
	Entries BOMEntriesInput `field:"entries"`
	ExternalInput
	ChangedBy input.TextInput `field:"changedBy"` // only for the audit trail
}

// CreateBOM creates a BOM. Its first version is created by the first versioned edit.
func (s *Service) CreateBOM(ctx context.Context, in CreateBOMInput) (BOM, error) {
	var bom BOM
	name, err := input.RequiredTrimmed(in.Name)
	if err != nil {
		return bom, err
	}
	if in.Entries.Missing() {
		return bom, refusal.RefuseField(refusal.ListEmpty, "entries")
	}
	entries, err := checkEntries(in.Entries)
	if err != nil {
		return bom, err
	}
	var externalID string
	if err := in.ExternalInput.Change(s.SerialPrefix(), "", &externalID); err != nil {
		return bom, err
	}
	userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
	if err != nil {
		return bom, err
	}
	err = s.Commit(ctx, &bom, func(tx Tx) error {
		now := s.Now()
		bom = BOM{ID: s.NewID(prefixBOM), Name: name, CreatedAt: now, UpdatedAt: now, ExternalID: externalID}
		s.replaceEntries(&bom, entries)
		if err := tx.InsertBOM(bom); err != nil {
			return err
		}
		if err := tx.AppendAudit(trail.Entry{
			Action: ActionBOMCreated, UserID: userID, Timestamp: now,
			Metadata: trail.Metadata(bomEvent{BOMID: bom.ID, After: &bomFacts{&bom.Name, factsOf(bom.Entries)}, Contents: bom.Contents()}),
		}); err != nil {
			return err
		}
		return bom.recordExternal(tx, "", userID)
	})
	return bom, err
}

// recordExternal records a change of a BOM's external id in the trail.
func (b *BOM) recordExternal(tx Tx, before, userID string) error {
	return recordExternal(tx, ExternalID{RecordBOM, b.ID, b.ExternalID}, before, trail.Entry{UserID: userID, Timestamp: b.UpdatedAt})
}

// BOMs yields every BOM, newest first.
func (s *Service) BOMs(ctx context.Context) iter.Seq2[BOM, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[BOM, error] { return tx.BOMs() })
}

// BOM returns a BOM and its production summary, read in one transaction.
func (s *Service) BOM(ctx context.Context, id string) (BOMDetail, error) {
	var detail BOMDetail
	err := s.store.View(ctx, func(tx Reader) (err error) {
		if detail.BOM, err = findBOM(tx, id); err != nil {
			return err
		}
		counts, err := s.CountJobs(tx, detail.BOM.jobIDs())
		if err != nil {
			return err
		}
		detail.Summary = summaryOf(detail.BOM, counts)
		return nil
	})
	return detail, err
}

// jobIDs returns the ids of the jobs that contribute to a BOM.
func (b *BOM) jobIDs() (ids []string) {
	for _, entry := range b.Entries {
		ids = append(ids, entry.ContributingJobIDs...)
	}
	return ids
}

func findBOM(tx BOMStore, id string) (BOM, error) {
	bom, err := tx.BOM(id)
	return bom, OrNotFound(err, NameBOM, id)
}

// refuseUnreadBOM refuses to change a BOM that has changed since the caller read it.
func refuseUnreadBOM(ctx context.Context, tx Counting, bom BOM) error {
	return RefuseUnread(ctx, NameBOM, bom.ID, func() (any, error) {
		counts, err := CountJobsNow(tx, bom.jobIDs())
		return BOMDetail{BOM: bom, Summary: summaryOf(bom, counts)}, err
	})
}

// UpdateBOMInput is the body of Update BOM.
type UpdateBOMInput struct {
	Name    input.TextInput `field:"name"`
	Entries BOMEntriesInput `field:"entries"`
	ExternalInput
	ChangedBy input.TextInput `field:"changedBy"` // only for the audit trail
}

// replacedByUpdate is the description of versions that Update BOM creates, since its request has no description.
const replacedByUpdate = "Entries replaced by an update of the bill"

// UpdateBOM changes the fields that the request contains. If the caller is known, or a path or a unit refers to the bill, changing the
// entries is a versioned edit. Other updates create no versions.
func (s *Service) UpdateBOM(ctx context.Context, id string, in UpdateBOMInput) (BOM, error) {
	ctx = s.signable(ctx, in, id)
	var bom BOM
	err := s.Commit(ctx, &bom, func(tx Tx) (err error) {
		before, err := findBOM(tx, id)
		if err != nil {
			return err
		}
		if err := refuseUnreadBOM(ctx, tx, before); err != nil {
			return err
		}
		if bom, err = s.updatedBOM(before, in); err != nil {
			return err
		}
		userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
		if err != nil {
			return err
		}
		bom.UpdatedAt = s.Now()
		was, is := bomChange(before, bom)
		var told []trail.Entry
		if CallerOf(ctx).Known() || bom.Used {
			if was.Entries == nil {
				bom.Entries = before.Entries
			} else {
				edited, err := s.keepVersion(tx, before, bom, replacedByUpdate, userID, bom.UpdatedAt)
				if err != nil {
					return err
				}
				told = append(told, edited)
			}
			was.Entries, is.Entries = nil, nil
		}
		if err := tx.UpdateBOM(bom); err != nil {
			return err
		}
		if was != (bomFacts{}) {
			told = append(told, trail.Entry{
				Action: ActionBOMUpdated, UserID: userID, Timestamp: bom.UpdatedAt,
				Metadata: trail.Metadata(bomEvent{BOMID: id, Before: &was, After: &is, Contents: bom.Contents()}),
			})
		}
		if err := tx.AppendAudit(told...); err != nil {
			return err
		}
		return bom.recordExternal(tx, before.ExternalID, userID)
	})
	return bom, err
}

// updatedBOM returns a BOM with the changes of an update.
func (s *Service) updatedBOM(bom BOM, in UpdateBOMInput) (_ BOM, err error) {
	if in.Name.Present() {
		if bom.Name, err = input.ChangedName(in.Name, refusal.Required); err != nil {
			return bom, err
		}
	}
	if in.Entries.Present() {
		entries, err := checkEntries(in.Entries)
		if err != nil {
			return bom, err
		}
		s.replaceEntries(&bom, entries)
	}
	return bom, in.ExternalInput.Change(s.SerialPrefix(), bom.ID, &bom.ExternalID)
}

// bomEvent is the metadata of a BOM's audit entry for a change that creates no version.
type bomEvent struct {
	BOMID  string    `json:"bomId"`
	Before *bomFacts `json:"before"`
	After  *bomFacts `json:"after"`

	Contents trail.ContentsSHA256 `json:"contentsSha256"`
}

// bomFacts has the fields of a BOM that can change, as the audit trail records them. Nil fields are left out.
type bomFacts struct {
	Name    *string         `json:"name,omitempty"`
	Entries *[]bomEntryFact `json:"entries,omitempty"`
}

// bomEntryFact is a BOM entry without its ids, which change with every edit.
type bomEntryFact struct {
	PartType                 string   `json:"partType"`
	PartNumber               string   `json:"partNumber,omitempty"`
	RequiredQuantityPerBuild float64  `json:"requiredQuantityPerBuild"`
	ContributingJobIDs       []string `json:"contributingJobIds"`
}

func factsOf(entries []BOMEntry) *[]bomEntryFact {
	facts := make([]bomEntryFact, len(entries))
	for i, entry := range entries {
		facts[i] = bomEntryFact{entry.PartType, entry.PartNumber, entry.RequiredQuantityPerBuild, entry.ContributingJobIDs}
	}
	return &facts
}

// bomChange returns the fields that differ between two states of a BOM, with the old and the new values.
func bomChange(before, after BOM) (was, is bomFacts) {
	if before.Name != after.Name {
		was.Name, is.Name = &before.Name, &after.Name
	}
	same := func(a, b BOMEntry) bool {
		return a.PartType == b.PartType && a.PartNumber == b.PartNumber && a.RequiredQuantityPerBuild == b.RequiredQuantityPerBuild &&
			slices.Equal(a.ContributingJobIDs, b.ContributingJobIDs)
	}
	if !slices.EqualFunc(before.Entries, after.Entries, same) {
		was.Entries, is.Entries = factsOf(before.Entries), factsOf(after.Entries)
	}
	return was, is
}

// EditBOMInput is the body of Edit BOM.
type EditBOMInput struct {
	Entries           BOMEntriesInput `field:"entries"`
	ChangeDescription input.TextInput `field:"changeDescription"`
	UserID            input.TextInput `field:"userId"`
}

// EditBOM replaces a BOM's entries and stores the previous entries as the next version.
func (s *Service) EditBOM(ctx context.Context, id string, in EditBOMInput) (BOM, error) {
	ctx = s.signable(ctx, in, id)
	var bom BOM
	err := s.Commit(ctx, &bom, func(tx Tx) (err error) {
		if bom, err = findBOM(tx, id); err != nil {
			return err
		}
		if err := refuseUnreadBOM(ctx, tx, bom); err != nil {
			return err
		}
		if in.Entries.Missing() {
			return refusal.RefuseField(refusal.ListEmpty, "entries")
		}
		entries, err := checkEntries(in.Entries)
		if err != nil {
			return err
		}
		description, err := input.RequiredWithin("changeDescription", in.ChangeDescription, input.TextLimit, refusal.Required)
		if err != nil {
			return err
		}
		userID, err := requiredUser(CallerOf(ctx), in.UserID)
		if err != nil {
			return err
		}
		now := s.Now()
		before := bom
		s.replaceEntries(&bom, entries)
		bom.UpdatedAt = now
		edited, err := s.keepVersion(tx, before, bom, description, userID, now)
		if err != nil {
			return err
		}
		if err := tx.UpdateBOM(bom); err != nil {
			return err
		}
		return tx.AppendAudit(edited)
	})
	return bom, err
}

// keepVersion stores the entries of before as the BOM's next version and returns the audit entry of the edit.
func (s *Service) keepVersion(tx Tx, before, after BOM, description, userID string, now ident.Timestamp) (trail.Entry, error) {
	snapshot, err := json.Marshal(before.Entries)
	if err != nil {
		return trail.Entry{}, err
	}
	latest, err := tx.LatestBOMVersion(before.ID)
	if err != nil {
		return trail.Entry{}, err
	}
	version := BOMVersion{
		ID: s.NewID(prefixBOMVersion), BOMID: before.ID, VersionNumber: latest + 1, EntriesSnapshot: snapshot,
		ChangeDescription: description, ChangedBy: userID, CreatedAt: now,
	}
	return trail.Entry{
		Action: ActionBOMEdited, UserID: userID, Timestamp: now,
		Metadata: trail.Metadata(struct {
			BOMID             string `json:"bomId"`
			ChangeDescription string `json:"changeDescription"`
			VersionNumber     int64  `json:"versionNumber"`

			Contents trail.ContentsSHA256 `json:"contentsSha256"`
		}{before.ID, description, version.VersionNumber, after.Contents()}),
	}, tx.InsertBOMVersion(version)
}

// BOMLine compares one part type in two states of a BOM.
type BOMLine struct {
	PartType      string
	Before, After *BOMEntry // nil if that state has no such entry
}

// Changed reports whether quantity or jobs differ, or one of the two sides is missing.
func (l BOMLine) Changed() bool {
	return l.Before == nil || l.After == nil || l.Before.PartNumber != l.After.PartNumber ||
		l.Before.RequiredQuantityPerBuild != l.After.RequiredQuantityPerBuild ||
		!slices.Equal(l.Before.ContributingJobIDs, l.After.ContributingJobIDs)
}

// CompareBOM compares two states of a BOM's entries: first the entries of the earlier state, in its order, then the entries that only the
// later state has. If a part type occurs more than once, its first entries are compared with each other, then its second entries.
func CompareBOM(before, after []BOMEntry) []BOMLine {
	lines := make([]BOMLine, 0, max(len(before), len(after)))
	places := map[string][]int{} // by part type: the lines that have no later entry yet
	for i := range before {
		places[before[i].PartType] = append(places[before[i].PartType], len(lines))
		lines = append(lines, BOMLine{PartType: before[i].PartType, Before: &before[i]})
	}
	for i := range after {
		part := after[i].PartType
		if open := places[part]; len(open) > 0 {
			lines[open[0]].After, places[part] = &after[i], open[1:]
			continue
		}
		lines = append(lines, BOMLine{PartType: part, After: &after[i]})
	}
	return lines
}

// Entries decodes the entries of a version.
func (v BOMVersion) Entries() ([]BOMEntry, error) {
	var entries []BOMEntry
	err := json.Unmarshal(v.EntriesSnapshot, &entries)
	return entries, err
}

// BOMVersions yields the versions of a BOM, newest first.
func (s *Service) BOMVersions(ctx context.Context, id string) iter.Seq2[BOMVersion, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[BOMVersion, error] {
		if _, err := findBOM(tx, id); err != nil {
			return failed[BOMVersion](err)
		}
		return tx.BOMVersions(id)
	})
}

// BOMStore has the database functions for bills of materials.
type BOMStore interface {
	InsertBOM(bom BOM) error
	UpdateBOM(bom BOM) error
	BOM(id string) (BOM, error)
	BOMs() iter.Seq2[BOM, error] // newest first
	InsertBOMVersion(version BOMVersion) error
	BOMVersions(bomID string) iter.Seq2[BOMVersion, error] // newest first
	LatestBOMVersion(bomID string) (int64, error)          // 0 when there is none
}

// Contents returns the SHA-256 of the contents that a BOM's audit entries record. Its entries are hashed without their ids, which
// change with every edit.
func (b *BOM) Contents() trail.ContentsSHA256 {
	return trail.ContentsOf(struct {
		ID        string          `json:"id"`
		Name      string          `json:"name"`
		Entries   *[]bomEntryFact `json:"entries"`
		CreatedAt ident.Timestamp `json:"createdAt"`
	}{b.ID, b.Name, factsOf(b.Entries), b.CreatedAt})
}

// Names of bills of materials in the tables of nouns.go.
const (
	RecordBOM        ident.RecordKind = "bill of materials"
	RecordBOMVersion ident.RecordKind = "version of a bill of materials"

	NameBOM refusal.RecordName = "BOM"

	prefixBOM        = "bom_"
	prefixBOMEntry   = "bome_"
	prefixBOMVersion = "bomv_"

	OpCreateBOM Operation = "create-bom"
	OpUpdateBOM Operation = "update-bom"
	OpEditBOM   Operation = "edit-bom"

	AboutBOM Subject = "bom"

	ActionBOMCreated trail.Action = "bom_created"
	ActionBOMUpdated trail.Action = "bom_updated"
	ActionBOMEdited  trail.Action = "bom_edited"
)

var bomNoun = noun{
	records: []Record{
		{
			Kind: RecordBOM, Names: named(NameBOM), Prefix: prefixBOM, Table: "bom", Called: []string{"name"},
			Tagged: true, External: true, Compared: true,
		},
		{Kind: RecordBOMVersion, Prefix: prefixBOMVersion, Table: "bom_version", Compared: true},
	},
	operations: []operationRow{
		{operation: OpCreateBOM, permission: Plan, subject: AboutBOM},
		{operation: OpUpdateBOM, permission: Plan, subject: AboutBOM, signed: SignBOMEdit}, // only when it changes the entries
		{operation: OpEditBOM, permission: Plan, subject: AboutBOM, signed: SignBOMEdit},
	},
	actions: []actionRow{
		{action: ActionBOMCreated, of: only(RecordBOM)},
		{action: ActionBOMUpdated, of: only(RecordBOM)},
		{action: ActionBOMEdited, of: []ident.RecordKind{RecordBOM, RecordBOMVersion}, signed: SignBOMEdit},
	},
}

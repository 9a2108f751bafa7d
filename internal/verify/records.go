package verify

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// RecordCheck compares the records that do not belong to a single serial with the trail: reports with their units and dispositions, voided
// notes and attachments, jobs, paths, certificates and released holds. It compares notes, bills of materials, templates and users by the
// hashes of their contents. It also checks the assigned numbers, the signature policy, signatures without a serial, and changes that lack a
// signature. The caller passes every entry of the trail to Add, oldest first, and then calls Compare. The memory of the check grows with
// the number of such records, not with the number of entries.
type RecordCheck struct {
	prefix  ident.Prefix
	signing shop.Signing
	found   []RecordDifference
	reports map[string]*toldReport
	voided  map[string]card.Voiding // by identifier of the record
	signed  unsignedCheck
	second  []string      // the roles that need a second factor
	recent  []trail.Entry // about no serial
	told    toldContents  // the contents of other records
	hashes  toldHashes    // the hashes of records whose entries have one
	numbers toldNumbers
	kinds   map[trail.Action][]shop.Record // by action; see hashed
}

// RecordDifference is a record that differs from its entries.
type RecordDifference struct {
	Kind   ident.RecordKind // VoidedRecord if only the voiding of the record differs
	ID     string           // the identifier of the record, or of the entry
	Fields []string         // the fields that differ, with their names in the interface; none if Why says everything
	Why    error
}

// VoidedRecord is used as the kind of a record that is voided although its entries do not say so, or the reverse.
const VoidedRecord ident.RecordKind = "void"

// UnsignedEntry is used as the kind of an entry that needed a signature and has none.
const UnsignedEntry ident.RecordKind = "unsigned"

// UnreadableRow is used as the kind of a record whose row cannot be read; Why is a *shop.UnreadableError.
const UnreadableRow ident.RecordKind = "row"

// The differences of a record as a whole.
var (
	errNoJSON        = errors.New("it is no JSON")
	errRecordUntold  = errors.New("no entry tells of it")
	errRecordMissing = errors.New("it is missing")
	errRecordDeleted = errors.New("it was deleted, and is there")
	errNotVoided     = errors.New("it was voided, and does not say so")
	errReportUnknown = errors.New("no entry before it opens the report")
)

// NewRecordCheck returns an empty check. canonical returns the form in which an entry is signed.
func NewRecordCheck(prefix ident.Prefix, canonical func(entry []byte) ([]byte, error)) *RecordCheck {
	return &RecordCheck{
		prefix:  prefix,
		signing: shop.Signing{Canonical: canonical}, reports: map[string]*toldReport{}, voided: map[string]card.Voiding{},
		signed: newUnsignedCheck(), told: newToldContents(), hashes: newToldHashes(),
		kinds: make(map[trail.Action][]shop.Record),
	}
}

// toldReport is a report according to the trail.
type toldReport struct {
	head        shop.Nonconformance // without units
	undescribed bool                // the trail does not have the description
	added       []toldUnits
	decided     []toldUnits
}

// toldUnits are the units of an entry.
type toldUnits struct {
	sequence int64
	ranges   []ident.NumberRange
	decided  shop.NonconformingUnit // the decision about these units
}

// Add reads the next entry of the trail. It does not retain the memory of the entry.
func (c *RecordCheck) Add(entry *trail.Entry) {
	c.numbers.add(entry)
	var err error
	if taker, known := takers[entry.Action]; known && (!taker.older || len(entry.Metadata) > 0) {
		err = taker.take(c, entry)
	} else if !known {
		err = c.takeHash(entry)
	}
	if err != nil {
		c.differs(RecordDifference{
			Kind: shop.RecordEntry, ID: strings.Clone(entry.ID), Why: fmt.Errorf("%s: %w", strings.Clone(string(entry.Action)), err),
		})
	}
	if entry.Action == shop.ActionRecordSigned {
		return
	}
	c.signed.add(entry)
	if entry.SerialID == "" {
		c.remember(entry)
	}
}

// differencesLimit is the maximum number of differences in a result.
const differencesLimit = 100

func (c *RecordCheck) differs(difference RecordDifference) {
	if len(c.found) < differencesLimit {
		c.found = append(c.found, difference)
	}
}

// recentEntries is the number of entries without a serial that are stored for the signatures after them, which belong to the same change.
// It is more than any signed operation writes.
const recentEntries = 512

func (c *RecordCheck) remember(entry *trail.Entry) {
	if len(c.recent) == 2*recentEntries {
		c.recent = slices.Delete(c.recent, 0, recentEntries)
	}
	kept := *entry
	for _, text := range []*string{
		&kept.ID, (*string)(&kept.Action), &kept.UserID, &kept.CertID, &kept.JobID, &kept.PathID, &kept.StepID, &kept.FromStepID,
		&kept.ToStepID, &kept.Actor, &kept.Means,
	} {
		*text = strings.Clone(*text)
	}
	c.recent = append(c.recent, kept)
}

// reportMetadata has the members of the metadata of entries about reports.
type reportMetadata struct {
	NonconformanceID string            `json:"nonconformanceId"`
	Title            string            `json:"title"`
	Description      *string           `json:"description"`
	Severity         shop.Severity     `json:"severity"`
	Ranges           []shop.SerialSpan `json:"ranges"`
	Disposition      shop.Disposition  `json:"disposition"`
	Reason           string            `json:"reason"`
	Concession       string            `json:"concession"`
	Summary          string            `json:"summary"`
}

func (c *RecordCheck) report(entry *trail.Entry) error {
	var told reportMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	by, at := strings.Clone(entry.UserID), entry.Timestamp
	report := c.reports[told.NonconformanceID]
	if entry.Action == shop.ActionNonconformanceOpened {
		report = &toldReport{undescribed: told.Description == nil, head: shop.Nonconformance{
			ID: told.NonconformanceID, Title: told.Title, Severity: told.Severity, StepID: strings.Clone(entry.StepID),
			Status: shop.ReportOpen, OpenedBy: by, OpenedAt: at,
		}}
		if told.Description != nil {
			report.head.Description = *told.Description
		}
		c.reports[told.NonconformanceID] = report
	}
	if report == nil {
		return errReportUnknown
	}
	units := toldUnits{ranges: make([]ident.NumberRange, 0, len(told.Ranges))}
	units.sequence, _ = ident.AuditSequence(entry.ID)
	for _, span := range told.Ranges {
		first, _ := c.prefix.ParseSerialID(span.First)
		last, _ := c.prefix.ParseSerialID(span.Last)
		units.ranges = append(units.ranges, ident.NumberRange{First: first, Last: last})
	}
	switch entry.Action {
	case shop.ActionNonconformanceOpened, shop.ActionNonconformanceExtended:
		report.added = append(report.added, units)
	case shop.ActionNonconformanceDispositioned:
		units.decided = shop.NonconformingUnit{
			Disposition: told.Disposition, DecidedBy: by, DecidedAt: at, Reason: told.Reason, Concession: told.Concession,
		}
		report.decided = append(report.decided, units)
	case shop.ActionNonconformanceClosed:
		report.head.Status, report.head.ClosedBy, report.head.ClosedAt, report.head.Summary = shop.ReportClosed, by, at, told.Summary
	default:
	}
	return nil
}

// Compare compares the records of a database with the trail, and calls found for each record that differs. It returns the number of
// reports. If one comparison fails, the others still run.
func (c *RecordCheck) Compare(tx shop.Reader, found func(RecordDifference)) (reports int64, err error) {
	for _, difference := range c.found {
		found(difference)
	}
	c.signed.unsigned(found)
	for _, compare := range []func(shop.Reader, func(RecordDifference)) error{
		func(tx shop.Reader, found func(RecordDifference)) (err error) {
			reports, err = c.compareReports(tx, found)
			return err
		},
		c.hashes.begun, c.compareVoided, c.told.compareNumbers, c.told.compareJobs, c.compareCertificates, c.told.compareHolds,
		c.told.compareFiles, compareCharacteristics, c.told.compareMeasurements, c.told.compareArrivals, c.told.compareOwnNumbers,
		c.comparePolicy, c.compareAccessPolicy, c.compareCounters,
		c.hashes.compareNotes, c.hashes.compareUsers, c.hashes.compareTemplates, c.hashes.compareBills, c.hashes.compareKept,
	} {
		if one := compare(tx, found); one != nil && !cannotBeRead(one, "", "", found) {
			err = errors.Join(err, one)
		}
	}
	return reports, err
}

// unreadable reports whether an error means that a row cannot be read.
func unreadable(err error) bool {
	_, is := errors.AsType[*shop.UnreadableError](err)
	return is
}

// cannotBeRead reports a record that cannot be read, or that another record refers to and that does not exist. It returns false
// for every other error.
func cannotBeRead(err error, kind ident.RecordKind, id string, found func(RecordDifference)) bool {
	wrong, ok := errors.AsType[*shop.UnreadableError](err)
	if !ok && kind != "" && errors.Is(err, shop.ErrNoRecord) {
		wrong, ok = &shop.UnreadableError{Table: string(kind), ID: id, Err: errRecordMissing}, true
	}
	if ok {
		found(RecordDifference{Kind: UnreadableRow, ID: wrong.ID, Why: wrong})
	}
	return ok
}

func (c *RecordCheck) comparePolicy(tx shop.Reader, found func(RecordDifference)) error {
	policy, err := tx.SignaturePolicy()
	if err != nil {
		return err
	}
	var d trail.Differing
	for _, operation := range shop.SignedOperations() {
		d.Unless(policy.Demand(operation) == c.signed.policy.Demand(operation), string(operation))
	}
	reportFields(found, shop.RecordSignaturePolicy, "", d)
	return nil
}

func (c *RecordCheck) compareReports(tx shop.Reader, found func(RecordDifference)) (checked int64, err error) {
	seen := make(map[string]bool, len(c.reports))
	for query := (shop.NonconformanceQuery{Limit: shop.ChunkSize}); ; {
		heads, err := tx.Nonconformances(query)
		if err != nil {
			return checked, err
		}
		for _, head := range heads {
			checked++
			seen[head.ID] = true
			told := c.reports[head.ID]
			if told == nil {
				found(RecordDifference{Kind: shop.RecordNonconformance, ID: head.ID, Why: errRecordUntold})
				continue
			}
			fields, err := told.differs(tx, head)
			if err != nil && !cannotBeRead(err, shop.RecordNonconformance, head.ID, found) {
				return checked, err
			}
			reportFields(found, shop.RecordNonconformance, head.ID, fields)
		}
		if len(heads) < query.Limit {
			break
		}
		query.Before = heads[len(heads)-1].ID
	}
	missing(found, shop.RecordNonconformance, seen, maps.Keys(c.reports))
	return checked, nil
}

// differs returns the fields in which a stored report differs from its entries.
func (r *toldReport) differs(tx shop.Reader, head shop.Nonconformance) ([]string, error) {
	var d trail.Differing
	told := r.head
	d.Unless(told.Title == head.Title, "title")
	d.Unless(r.undescribed || told.Description == head.Description, "description")
	d.Unless(told.Severity == head.Severity, "severity")
	d.Unless(told.StepID == head.StepID, "stepId")
	d.Unless(told.Status == head.Status, "status")
	d.Unless(told.OpenedBy == head.OpenedBy, "openedBy")
	d.Unless(told.OpenedAt == head.OpenedAt, "openedAt")
	d.Unless(told.ClosedBy == head.ClosedBy, "closedBy")
	d.Unless(told.ClosedAt == head.ClosedAt, "closedAt")
	d.Unless(told.Summary == head.Summary, "summary")
	units, err := r.unitsDiffer(tx, head.ID)
	return append(d, units...), err
}

// expectedUnit is a unit of a report according to the trail.
type expectedUnit struct {
	kept    shop.NonconformingUnit
	number  int64
	told    shop.NonconformingUnit
	addedBy int64 // the sequence number of the entry that added the unit to the report, 0 for none
}

// unitsDiffer describes the units of a report that differ from its entries, with the fields that differ.
func (r *toldReport) unitsDiffer(tx shop.Reader, id string) ([]string, error) {
	report, err := tx.Nonconformance(id)
	if err != nil {
		return nil, err
	}
	units := make([]expectedUnit, len(report.Units))
	for i, unit := range report.Units {
		units[i].kept = unit
		units[i].number, _ = tx.SerialPrefix().ParseSerialID(unit.SerialID)
		units[i].told = shop.NonconformingUnit{SerialID: unit.SerialID, FoundAt: unit.FoundAt}
	}
	slices.SortFunc(units, func(a, b expectedUnit) int { return cmp.Compare(a.number, b.number) })
	var absent []string
	for _, added := range r.added {
		for _, span := range added.ranges {
			on := unitsWithin(units, span)
			for i := range on {
				on[i].addedBy = added.sequence
			}
			if int64(len(on)) != span.Last-span.First+1 {
				absent = append(absent, "units of "+tx.SerialPrefix().SerialID(firstAbsent(on, span)))
			}
		}
	}
	for _, decided := range r.decided {
		for _, span := range decided.ranges {
			on := unitsWithin(units, span)
			for i := range on {
				kept := on[i].told
				on[i].told = decided.decided
				on[i].told.SerialID, on[i].told.FoundAt = kept.SerialID, kept.FoundAt
			}
		}
	}
	if err := r.foundAt(tx, units); err != nil {
		return nil, err
	}
	return summarised(units, absent), nil
}

// unitsWithin returns the units in a range. units must be sorted by number.
func unitsWithin(units []expectedUnit, span ident.NumberRange) []expectedUnit {
	at := func(number int64) int {
		i, _ := slices.BinarySearchFunc(units, number, func(u expectedUnit, n int64) int { return cmp.Compare(u.number, n) })
		return i
	}
	first, last := at(span.First), at(span.Last+1)
	return units[first:max(first, last)]
}

func firstAbsent(on []expectedUnit, span ident.NumberRange) int64 {
	next := span.First
	for i := range on {
		if on[i].number != next {
			break
		}
		next++
	}
	return next
}

// foundAt computes the places at which the units were found to be nonconforming.
func (r *toldReport) foundAt(tx shop.Reader, units []expectedUnit) error {
	for chunk := range slices.Chunk(units, shop.ChunkSize) {
		ids := make([]string, len(chunk))
		for i := range chunk {
			ids[i] = chunk[i].kept.SerialID
		}
		cards, err := tx.RouteCards(ids)
		if err != nil {
			return err
		}
		for i := range chunk {
			card, exists := cards[chunk[i].kept.SerialID]
			if !exists || chunk[i].addedBy == 0 {
				continue
			}
			stood, err := stoodAt(tx, card, chunk[i].addedBy, r.head.StepID)
			if err != nil {
				return err
			}
			if stood >= 0 {
				chunk[i].told.FoundAt = stood
			}
		}
	}
	return nil
}

// stoodAt returns the place in its path at which a unit stood when an entry added it to a report. It returns -1 if the entries of the unit
// are not possible; the check of serials reports that.
func stoodAt(tx shop.Reader, card card.Card, sequence int64, stepID string) (int, error) {
	if place := card.Path.StepIndex(stepID); place >= 0 {
		return place, nil
	}
	entries, err := shop.TrailOf(tx, card.Serial)
	if err != nil {
		return -1, err
	}
	history, err := replay.ReadHistory(tx, card.Path)
	if err != nil {
		return -1, err
	}
	later := slices.IndexFunc(entries, func(entry trail.Entry) bool {
		at, _ := ident.AuditSequence(entry.ID)
		return at >= sequence
	})
	if later >= 0 {
		entries = entries[:later]
	}
	replayed, err := history.ReplayUntil(sequence, card.Serial, entries)
	if err != nil {
		return -1, nil //nolint:nilerr // see above
	}
	return history.PlaceNow(shop.FoundAt(replayed.Card, stepID), sequence), nil
}

// unitsNamed is the maximum number of units that a difference of a report lists.
const unitsNamed = 3

// summarised lists the first few of the units that differ.
func summarised(units []expectedUnit, names []string) []string {
	for i := range units {
		kept, told := units[i].kept, units[i].told
		var d trail.Differing
		d.Unless(units[i].addedBy != 0, "units")
		d.Unless(kept.Disposition == told.Disposition, "disposition")
		d.Unless(kept.DecidedBy == told.DecidedBy, "decidedBy")
		d.Unless(kept.DecidedAt == told.DecidedAt, "decidedAt")
		d.Unless(kept.Reason == told.Reason, "reason")
		d.Unless(kept.Concession == told.Concession, "concession")
		d.Unless(kept.FoundAt == told.FoundAt, "the step where it was found")
		for _, field := range d {
			names = append(names, field+" of "+kept.SerialID)
		}
	}
	if more := len(names) - unitsNamed; more > 0 {
		names = append(names[:unitsNamed], fmt.Sprintf("and %d more of its units", more))
	}
	return names
}

// compareVoided checks that the voided notes and attachments are exactly those that are voided in the trail.
func (c *RecordCheck) compareVoided(tx shop.Reader, found func(RecordDifference)) error {
	seen := make(map[string]bool, len(c.voided))
	for after := ""; ; {
		records, err := tx.VoidedRecords(after, shop.ChunkSize)
		if err != nil {
			return err
		}
		for _, record := range records {
			after = record.ID
			seen[record.ID] = true
			told, ok := c.voided[record.ID]
			if !ok {
				found(RecordDifference{Kind: VoidedRecord, ID: record.ID, Why: errRecordUntold})
				continue
			}
			reportFields(found, VoidedRecord, record.ID, voidingDiffers(told, record.Voiding))
		}
		if len(records) < shop.ChunkSize {
			break
		}
	}
	for _, id := range slices.Sorted(maps.Keys(c.voided)) {
		if !seen[id] {
			found(RecordDifference{Kind: VoidedRecord, ID: id, Why: errNotVoided})
		}
	}
	return nil
}

func voidingDiffers(v, kept card.Voiding) []string {
	var d trail.Differing
	d.Unless(v.VoidedAt == kept.VoidedAt, "voidedAt")
	d.Unless(v.VoidedBy == kept.VoidedBy, "voidedBy")
	d.Unless(v.VoidReason == kept.VoidReason, "voidReason")
	return d
}

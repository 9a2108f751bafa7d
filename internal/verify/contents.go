package verify

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// The entries of jobs, paths, certificates and holds describe these records. Missing descriptions are not an error: an older trail has no
// entries for some records, and the entry of a path that was made from a template does not have the steps.

// toldContents are the contents of records according to the trail.
type toldContents struct {
	jobs         map[string]*toldJob
	closings     map[string]shop.JobClosing // jobs that were closed at some time, including reopened ones
	paths        map[string]*toldPath       // nil for a deleted path
	certificates map[string]toldCertificate
	holds        map[string]card.Hold
	attached     map[string]int64 // the number of attachments of each certificate
	files        map[string]shop.FileLink
	measured     map[string]trail.ContentsSHA256 // the hashes of readings
	arrived      map[arrival]int64               // the arrival number of a unit at a step
	ownNumbers   map[int64][]shop.OwnNumber      // by number of the serial, oldest first
	serials      []ident.NumberRange             // the serials in order; adjacent ranges are merged
}

func newToldContents() toldContents {
	return toldContents{
		jobs: map[string]*toldJob{}, paths: map[string]*toldPath{}, certificates: map[string]toldCertificate{},
		closings: map[string]shop.JobClosing{}, holds: map[string]card.Hold{},
		attached: map[string]int64{}, files: map[string]shop.FileLink{}, measured: map[string]trail.ContentsSHA256{},
		arrived: map[arrival]int64{}, ownNumbers: map[int64][]shop.OwnNumber{},
	}
}

type toldJob struct {
	shop.JobFacts
	shop.TicketFields
	createdAt ident.Timestamp
}

type toldPath struct {
	shop.Routing
	jobID     string
	bomID     string
	createdAt ident.Timestamp
}

type toldCertificate struct {
	shop.Certificate
	contents trail.ContentsSHA256
}

// made records the numbers of created serials, which usually come in order.
func (c *toldContents) made(made ident.NumberRange) {
	last := len(c.serials) - 1
	if last >= 0 && c.serials[last].Last+1 == made.First {
		c.serials[last].Last = made.Last
		return
	}
	c.serials = append(c.serials, made)
}

func (t *toldJob) change(entry *trail.Entry) error {
	var told struct{ After shop.JobFacts }
	err := trail.ReadMetadata(entry, &told)
	replace(&t.Name, told.After.Name)
	replace(&t.GoalQuantity, told.After.GoalQuantity)
	t.Follow(told.After.OrderFacts)
	return err
}

// replace replaces an earlier description by a later one.
func replace[T any](before **T, told *T) {
	if told != nil {
		*before = told
	}
}

// change reads an entry about an existing path.
func (t *toldPath) change(entry *trail.Entry) error {
	switch entry.Action {
	case card.ActionPathUpdated:
		var told struct{ After shop.Routing }
		err := trail.ReadMetadata(entry, &told)
		replace(&t.Name, told.After.Name)
		replace(&t.GoalQuantity, told.After.GoalQuantity)
		replace(&t.AdvancementMode, told.After.AdvancementMode)
		replace(&t.Steps, told.After.Steps)
		replace(&t.DueDate, told.After.DueDate)
		return err
	case shop.ActionAdvancementModeChanged:
		var told struct{ After *card.AdvancementMode }
		err := trail.ReadMetadata(entry, &told)
		replace(&t.AdvancementMode, told.After)
		return err
	case shop.ActionPathBOMSet:
		var told struct {
			After struct {
				BOMID string `json:"bomId"`
			}
		}
		err := trail.ReadMetadata(entry, &told)
		t.bomID = told.After.BOMID
		return err
	default:
		return t.changeStep(entry)
	}
}

// changeStep reads an entry about a step of the path.
func (t *toldPath) changeStep(entry *trail.Entry) error {
	if t.Steps == nil {
		return nil
	}
	place := slices.IndexFunc(*t.Steps, func(step card.ProcessStep) bool { return step.ID == entry.StepID })
	if place < 0 {
		return replay.ErrNoSuchStep
	}
	step := &(*t.Steps)[place]
	if entry.Action == shop.ActionStepConfigChanged {
		return trail.ReadMetadata(entry, &struct{ After *card.ProcessStep }{step}) // the entry has only two of the step's fields
	}
	var told struct{ After string } // null without a step
	err := trail.ReadMetadata(entry, &told)
	step.AssignedTo = told.After
	return err
}

func (c *toldContents) hold(entry *trail.Entry) error {
	var told card.HeldMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return err
	}
	by := strings.Clone(entry.UserID)
	hold := c.holds[told.HoldID]
	if entry.Action == card.ActionSerialReleased {
		hold.ReleasedBy, hold.ReleasedAt, hold.ReleaseReason = by, entry.Timestamp, told.Reason
	} else {
		hold = card.Hold{
			ID: told.HoldID, SerialID: strings.Clone(entry.SerialID), Reason: told.Reason, NonconformanceID: told.NonconformanceID,
			PlacedBy: by, PlacedAt: entry.Timestamp,
		}
	}
	c.holds[told.HoldID] = hold
	return nil
}

// compareNumbers reports serials that were created but are missing.
func (c *toldContents) compareNumbers(tx shop.Reader, found func(RecordDifference)) error {
	slices.SortFunc(c.serials, func(a, b ident.NumberRange) int { return cmp.Compare(a.First, b.First) })
	next, at := int64(0), 0
	absent := func(until int64) { // reports the numbers from next up to until
		for ; at < len(c.serials) && c.serials[at].First < until; at++ {
			first, last := max(next, c.serials[at].First), min(until-1, c.serials[at].Last)
			if first <= last {
				found(RecordDifference{Kind: shop.RecordSerial, ID: tx.SerialPrefix().SerialID(first), Why: missingUntil(last - first)})
			}
			if c.serials[at].Last >= until {
				return
			}
		}
	}
	for listed, err := range tx.Serials(0) {
		if err != nil {
			return err
		}
		absent(listed.Number)
		next = listed.Number + 1
	}
	absent(math.MaxInt64)
	return nil
}

func missingUntil(more int64) error {
	if more == 0 {
		return errRecordMissing
	}
	return fmt.Errorf("%w, with the %d behind it", errRecordMissing, more)
}

func (c *toldContents) compareJobs(tx shop.Reader, found func(RecordDifference)) error {
	jobs, paths := map[string]bool{}, map[string]bool{}
	for job, err := range tx.Jobs() {
		if err != nil && !cannotBeRead(err, shop.RecordJob, job.ID, found) {
			return err
		}
		jobs[job.ID] = true
		if err == nil {
			var differs []string
			if told := c.jobs[job.ID]; told != nil {
				differs = told.differs(&job)
			}
			reportFields(found, shop.RecordJob, job.ID, append(differs, closingDiffers(c.closings[job.ID], job.JobClosing)...))
		}
		ofJob, err := tx.PathsOfJob(job.ID)
		if err != nil {
			return err
		}
		for _, path := range ofJob {
			paths[path.ID] = true
			told, known := c.paths[path.ID]
			switch {
			case known && told == nil:
				found(RecordDifference{Kind: shop.RecordPath, ID: path.ID, Why: errRecordDeleted})
			case known:
				reportFields(found, shop.RecordPath, path.ID, told.differs(&path))
			}
		}
	}
	missing(found, shop.RecordJob, jobs, maps.Keys(c.jobs))
	missing(found, shop.RecordPath, paths, func(yield func(string) bool) {
		for id, told := range c.paths {
			if told != nil && !yield(id) {
				return
			}
		}
	})
	return nil
}

func (t *toldJob) differs(job *shop.Job) []string {
	var d trail.Differing
	d.Unless(t.Name == nil || *t.Name == job.Name, "name")
	d.Unless(t.GoalQuantity == nil || *t.GoalQuantity == job.GoalQuantity, "goalQuantity")
	d.Unless(t.TicketKey == job.TicketKey, "trackerTicketKey")
	d.Unless(t.TicketSummary == job.TicketSummary, "trackerTicketSummary")
	d.Unless(t.TicketPart == job.TicketPart, "trackerPartNumber")
	d.Unless(t.TicketPriority == job.TicketPriority, "trackerPriority")
	d.Unless(t.EpicLink == job.EpicLink, "trackerEpicLink")
	d.Unless((t.Labels == nil) == (job.Labels == nil) && (t.Labels == nil || slices.Equal(*t.Labels, *job.Labels)), "trackerLabels")
	d.Unless(t.createdAt == job.CreatedAt, "createdAt")
	return append(d, t.OrderFacts.Differs(job.OrderFields)...)
}

func closingDiffers(told, kept shop.JobClosing) []string {
	var d trail.Differing
	d.Unless(told.ClosedAt == kept.ClosedAt, "closedAt")
	d.Unless(told.ClosedBy == kept.ClosedBy, "closedBy")
	d.Unless(told.CloseReason == kept.CloseReason, "closeReason")
	return d
}

func (t *toldPath) differs(path *card.Path) []string {
	var d trail.Differing
	d.Unless(t.jobID == path.JobID, "jobId")
	d.Unless(t.Name == nil || *t.Name == path.Name, "name")
	d.Unless(t.GoalQuantity == nil || *t.GoalQuantity == path.GoalQuantity, "goalQuantity")
	d.Unless(t.AdvancementMode == nil || *t.AdvancementMode == path.AdvancementMode, "advancementMode")
	d.Unless(t.Steps == nil || slices.Equal(*t.Steps, path.Steps), "steps")
	d.Unless(t.DueDate == nil && path.DueDate == "" || t.DueDate != nil && *t.DueDate == path.DueDate, "dueDate")
	d.Unless(t.bomID == path.BOMID, "bomId")
	d.Unless(t.createdAt == path.CreatedAt, "createdAt")
	return d
}

func (c *RecordCheck) compareCertificates(tx shop.Reader, found func(RecordDifference)) error {
	seen := map[string]bool{}
	for certificate, err := range tx.Certificates() {
		if err != nil {
			return err
		}
		seen[certificate.ID] = true
		if len(certificate.Metadata) > 0 && !json.Valid(certificate.Metadata) {
			cannotBeRead(&shop.UnreadableError{Table: "certificate", ID: certificate.ID, Err: errNoJSON}, "", "", found)
		}
		var d trail.Differing
		told, known := c.told.certificates[certificate.ID]
		if known {
			d.Unless(told.Type == certificate.Type, "type")
			d.Unless(told.Name == certificate.Name, "name")
			d.Unless(told.Number == certificate.Number, "number")
			d.Unless(told.CreatedAt == certificate.CreatedAt, "createdAt")
			if len(d) == 0 { // the other contents differ
				d.Unless(told.contents == "" || told.contents == certificate.Contents(), "metadata")
			}
		}
		switch {
		case !known:
			c.hashes.compare(shop.RecordCertificate, certificate.ID, certificate.CreatedAt, "", "", found)
		case told.contents == "":
			c.hashes.leave(shop.RecordCertificate, certificate.ID)
		}
		attached := int64(0)
		for _, err := range tx.AttachmentsOfCertificate(certificate.ID) {
			if err != nil {
				return err
			}
			attached++
		}
		d.Unless(attached == c.told.attached[certificate.ID], "attachments")
		reportFields(found, shop.RecordCertificate, certificate.ID, d)
	}
	missing(found, shop.RecordCertificate, seen, maps.Keys(c.told.certificates))
	return nil
}

// compareHolds compares released holds. Open holds are compared with their serials.
func (c *toldContents) compareHolds(tx shop.Reader, found func(RecordDifference)) error {
	seen := map[string]bool{}
	for before := ""; ; {
		holds, err := tx.Holds(false, before, shop.ChunkSize)
		if err != nil {
			return err
		}
		for _, hold := range holds {
			before = hold.ID
			seen[hold.ID] = true
			told, known := c.holds[hold.ID]
			switch {
			case hold.ReleasedAt == 0 && told.ReleasedAt == 0:
			case !known:
				found(RecordDifference{Kind: shop.RecordHold, ID: hold.ID, Why: errRecordUntold})
			default:
				reportFields(found, shop.RecordHold, hold.ID, holdDiffers(told, hold))
			}
		}
		if len(holds) < shop.ChunkSize {
			break
		}
	}
	missing(found, shop.RecordHold, seen, func(yield func(string) bool) {
		for id, told := range c.holds {
			if told.ReleasedAt != 0 && !yield(id) {
				return
			}
		}
	})
	return nil
}

func holdDiffers(h, kept card.Hold) []string {
	var d trail.Differing
	d.Unless(h.SerialID == kept.SerialID, "serialId")
	d.Unless(h.Reason == kept.Reason, "reason")
	d.Unless(h.NonconformanceID == kept.NonconformanceID, "nonconformanceId")
	d.Unless(h.PlacedBy == kept.PlacedBy, "placedBy")
	d.Unless(h.PlacedAt == kept.PlacedAt, "placedAt")
	d.Unless(h.ReleasedBy == kept.ReleasedBy, "releasedBy")
	d.Unless(h.ReleasedAt == kept.ReleasedAt, "releasedAt")
	d.Unless(h.ReleaseReason == kept.ReleaseReason, "releaseReason")
	return d
}

// reportFields reports the fields of a record that differ, if any do.
func reportFields(found func(RecordDifference), kind ident.RecordKind, id string, fields []string) {
	if len(fields) > 0 {
		found(RecordDifference{Kind: kind, ID: id, Fields: fields})
	}
}

// missing reports records that have entries but were not seen.
func missing(found func(RecordDifference), kind ident.RecordKind, seen map[string]bool, told iter.Seq[string]) {
	for _, id := range slices.Sorted(told) {
		if !seen[id] {
			found(RecordDifference{Kind: kind, ID: id, Why: errRecordMissing})
		}
	}
}

// attachmentsDiffer compares the certificates on a serial with its entries, and returns the differences. If the entries have no attachment,
// it compares nothing: another check counts the attachments of each certificate over all serials.
func attachmentsDiffer(tx shop.Reader, serialID string, entries []trail.Entry) ([]string, error) {
	var told []string
	for i := range entries {
		if e := &entries[i]; e.Action == shop.ActionCertAttached {
			told = append(told, attachmentText(e.CertID, e.StepID, e.UserID, e.Timestamp))
		}
	}
	if len(told) == 0 {
		return nil, nil
	}
	attachments, err := tx.AttachmentsOfSerial(serialID)
	if err != nil {
		return nil, err
	}
	kept := make([]string, len(attachments))
	for i, a := range attachments {
		kept[i] = attachmentText(a.CertificateID, a.StepID, a.AttachedBy, a.AttachedAt)
	}
	slices.Sort(told)
	slices.Sort(kept)
	var d trail.Differing
	d.Unless(slices.Equal(told, kept), "certificates")
	return d, nil
}

func attachmentText(certificateID, stepID, by string, at ident.Timestamp) string {
	return fmt.Sprintf("%q %q %q %d", certificateID, stepID, by, at)
}

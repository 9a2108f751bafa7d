package routecard

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
)

// The entries of jobs, paths, certificates and holds tell what these have. What a trail does not tell of one is passed over:
// an older trail has no entries for some, and the entry of a path that was made from a template does not have its steps.

// toldContents is what the trail tells of the contents of records.
type toldContents struct {
	jobs         map[string]*toldJob
	paths        map[string]*toldPath // nil for one that was deleted
	certificates map[string]Certificate
	holds        map[string]Hold
	attached     map[string]int64 // by certificate: how often it was attached
	serials      []NumberRange    // in order; what follows on each other is one
}

func newToldContents() toldContents {
	return toldContents{
		jobs: map[string]*toldJob{}, paths: map[string]*toldPath{}, certificates: map[string]Certificate{}, holds: map[string]Hold{},
		attached: map[string]int64{},
	}
}

type toldJob struct {
	jobFacts
	TicketFields
	createdAt Timestamp
}

type toldPath struct {
	routing
	jobID     string
	createdAt Timestamp
}

// add takes an entry. It keeps nothing of the memory that the entry uses.
func (c *toldContents) add(entry *AuditEntry) error {
	if entry.Action == ActionCertAttached {
		c.attached[strings.Clone(entry.CertID)]++
	}
	if len(entry.Metadata) == 0 { // by a program that did not tell
		return nil
	}
	switch entry.Action {
	case ActionSerialCreated:
		if made, told := entry.Created(); told {
			c.made(made)
		}
	case ActionJobCreated:
		told := struct{ After toldJob }{After: toldJob{createdAt: entry.Timestamp}}
		err := readMetadata(entry, &told)
		c.jobs[strings.Clone(entry.JobID)] = &told.After
		return err
	case ActionJobChanged:
		if job := c.jobs[entry.JobID]; job != nil {
			return job.change(entry)
		}
	case ActionPathCreated, ActionTemplateApplied:
		told := struct{ After toldPath }{After: toldPath{jobID: strings.Clone(entry.JobID), createdAt: entry.Timestamp}}
		err := readMetadata(entry, &told)
		c.paths[strings.Clone(entry.PathID)] = &told.After
		return err
	case ActionPathDeleted:
		c.paths[strings.Clone(entry.PathID)] = nil
	case ActionPathUpdated, ActionAdvancementModeChanged, ActionStepAssigned, ActionStepConfigChanged:
		if path := c.paths[entry.PathID]; path != nil {
			return path.change(entry)
		}
	case ActionCertificateCreated:
		told := struct{ After Certificate }{After: Certificate{CreatedAt: entry.Timestamp}}
		err := readMetadata(entry, &told)
		c.certificates[strings.Clone(entry.CertID)] = told.After
		return err
	case ActionSerialHeld, ActionSerialReleased:
		return c.hold(entry)
	default:
	}
	return nil
}

// made takes numbers of serials, which mostly come in order.
func (c *toldContents) made(made NumberRange) {
	last := len(c.serials) - 1
	if last >= 0 && c.serials[last].Last+1 == made.First {
		c.serials[last].Last = made.Last
		return
	}
	c.serials = append(c.serials, made)
}

func (t *toldJob) change(entry *AuditEntry) error {
	var told struct{ After jobFacts }
	err := readMetadata(entry, &told)
	replace(&t.Name, told.After.Name)
	replace(&t.GoalQuantity, told.After.GoalQuantity)
	return err
}

// replace puts what is told in the place of what was told before.
func replace[T any](before **T, told *T) {
	if told != nil {
		*before = told
	}
}

// change takes an entry about a path that is there.
func (t *toldPath) change(entry *AuditEntry) error {
	switch entry.Action {
	case ActionPathUpdated:
		var told struct{ After routing }
		err := readMetadata(entry, &told)
		replace(&t.Name, told.After.Name)
		replace(&t.GoalQuantity, told.After.GoalQuantity)
		replace(&t.AdvancementMode, told.After.AdvancementMode)
		replace(&t.Steps, told.After.Steps)
		return err
	case ActionAdvancementModeChanged:
		var told struct{ After *AdvancementMode }
		err := readMetadata(entry, &told)
		replace(&t.AdvancementMode, told.After)
		return err
	default:
		return t.changeStep(entry)
	}
}

// changeStep takes an entry about one of its steps.
func (t *toldPath) changeStep(entry *AuditEntry) error {
	if t.Steps == nil {
		return nil
	}
	place := slices.IndexFunc(*t.Steps, func(step ProcessStep) bool { return step.ID == entry.StepID })
	if place < 0 {
		return errNoSuchStep
	}
	step := &(*t.Steps)[place]
	if entry.Action == ActionStepConfigChanged {
		return readMetadata(entry, &struct{ After *ProcessStep }{step}) // of whose fields it has two
	}
	var told struct{ After string } // null for nobody
	err := readMetadata(entry, &told)
	step.AssignedTo = told.After
	return err
}

func (c *toldContents) hold(entry *AuditEntry) error {
	var told heldMetadata
	if err := readMetadata(entry, &told); err != nil {
		return err
	}
	by := strings.Clone(entry.UserID)
	hold := c.holds[told.HoldID]
	if entry.Action == ActionSerialReleased {
		hold.ReleasedBy, hold.ReleasedAt, hold.ReleaseReason = by, entry.Timestamp, told.Reason
	} else {
		hold = Hold{
			ID: told.HoldID, SerialID: strings.Clone(entry.SerialID), Reason: told.Reason, NonconformanceID: told.NonconformanceID,
			PlacedBy: by, PlacedAt: entry.Timestamp,
		}
	}
	c.holds[told.HoldID] = hold
	return nil
}

// compare calls found for each record that is otherwise than it was told.
func (c *toldContents) compare(tx Reader, found func(RecordDifference)) error {
	if err := c.compareNumbers(tx, found); err != nil {
		return err
	}
	if err := c.compareJobs(tx, found); err != nil {
		return err
	}
	if err := c.compareCertificates(tx, found); err != nil {
		return err
	}
	return c.compareHolds(tx, found)
}

// compareNumbers tells of serials that were made and are not there.
func (c *toldContents) compareNumbers(tx Reader, found func(RecordDifference)) error {
	slices.SortFunc(c.serials, func(a, b NumberRange) int { return cmp.Compare(a.First, b.First) })
	next, at := int64(0), 0
	absent := func(until int64) { // of those from next on
		for ; at < len(c.serials) && c.serials[at].First < until; at++ {
			first, last := max(next, c.serials[at].First), min(until-1, c.serials[at].Last)
			if first <= last {
				found(RecordDifference{Kind: CheckedSerial, ID: SerialID(first), Why: missingUntil(last - first)})
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

func (c *toldContents) compareJobs(tx Reader, found func(RecordDifference)) error {
	jobs, paths := map[string]bool{}, map[string]bool{}
	for job, err := range tx.Jobs() {
		if err != nil {
			return err
		}
		jobs[job.ID] = true
		if told := c.jobs[job.ID]; told != nil {
			tell(found, CheckedJob, job.ID, told.differs(&job))
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
				found(RecordDifference{Kind: CheckedPath, ID: path.ID, Why: errRecordDeleted})
			case known:
				tell(found, CheckedPath, path.ID, told.differs(&path))
			}
		}
	}
	missing(found, CheckedJob, jobs, maps.Keys(c.jobs))
	missing(found, CheckedPath, paths, func(yield func(string) bool) {
		for id, told := range c.paths {
			if told != nil && !yield(id) {
				return
			}
		}
	})
	return nil
}

func (t *toldJob) differs(job *Job) []string {
	var d differing
	d.unless(t.Name == nil || *t.Name == job.Name, "name")
	d.unless(t.GoalQuantity == nil || *t.GoalQuantity == job.GoalQuantity, "goalQuantity")
	d.unless(t.TicketKey == job.TicketKey, "trackerTicketKey")
	d.unless(t.TicketSummary == job.TicketSummary, "trackerTicketSummary")
	d.unless(t.PartNumber == job.PartNumber, "trackerPartNumber")
	d.unless(t.Priority == job.Priority, "trackerPriority")
	d.unless(t.EpicLink == job.EpicLink, "trackerEpicLink")
	d.unless((t.Labels == nil) == (job.Labels == nil) && (t.Labels == nil || slices.Equal(*t.Labels, *job.Labels)), "trackerLabels")
	d.unless(t.createdAt == job.CreatedAt, "createdAt")
	return d
}

func (t *toldPath) differs(path *Path) []string {
	var d differing
	d.unless(t.jobID == path.JobID, "jobId")
	d.unless(t.Name == nil || *t.Name == path.Name, "name")
	d.unless(t.GoalQuantity == nil || *t.GoalQuantity == path.GoalQuantity, "goalQuantity")
	d.unless(t.AdvancementMode == nil || *t.AdvancementMode == path.AdvancementMode, "advancementMode")
	d.unless(t.Steps == nil || slices.Equal(*t.Steps, path.Steps), "steps")
	d.unless(t.createdAt == path.CreatedAt, "createdAt")
	return d
}

func (c *toldContents) compareCertificates(tx Reader, found func(RecordDifference)) error {
	seen := map[string]bool{}
	for certificate, err := range tx.Certificates() {
		if err != nil {
			return err
		}
		seen[certificate.ID] = true
		var d differing
		if told, known := c.certificates[certificate.ID]; known {
			d.unless(told.Type == certificate.Type, "type")
			d.unless(told.Name == certificate.Name, "name")
			d.unless(told.CreatedAt == certificate.CreatedAt, "createdAt")
		}
		attached := int64(0)
		for _, err := range tx.AttachmentsOfCertificate(certificate.ID) {
			if err != nil {
				return err
			}
			attached++
		}
		d.unless(attached == c.attached[certificate.ID], "attachments")
		tell(found, CheckedCertificate, certificate.ID, d)
	}
	missing(found, CheckedCertificate, seen, maps.Keys(c.certificates))
	return nil
}

// compareHolds compares those that were released. Open ones are compared with their serials.
func (c *toldContents) compareHolds(tx Reader, found func(RecordDifference)) error {
	seen := map[string]bool{}
	for before := ""; ; {
		holds, err := tx.Holds(false, before, chunkSize)
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
				found(RecordDifference{Kind: CheckedHold, ID: hold.ID, Why: errRecordUntold})
			default:
				tell(found, CheckedHold, hold.ID, told.differs(hold))
			}
		}
		if len(holds) < chunkSize {
			break
		}
	}
	missing(found, CheckedHold, seen, func(yield func(string) bool) {
		for id, told := range c.holds {
			if told.ReleasedAt != 0 && !yield(id) {
				return
			}
		}
	})
	return nil
}

func (h Hold) differs(kept Hold) []string {
	var d differing
	d.unless(h.SerialID == kept.SerialID, "serialId")
	d.unless(h.Reason == kept.Reason, "reason")
	d.unless(h.NonconformanceID == kept.NonconformanceID, "nonconformanceId")
	d.unless(h.PlacedBy == kept.PlacedBy, "placedBy")
	d.unless(h.PlacedAt == kept.PlacedAt, "placedAt")
	d.unless(h.ReleasedBy == kept.ReleasedBy, "releasedBy")
	d.unless(h.ReleasedAt == kept.ReleasedAt, "releasedAt")
	d.unless(h.ReleaseReason == kept.ReleaseReason, "releaseReason")
	return d
}

// tell tells of the fields of a record that differ, if any do.
func tell(found func(RecordDifference), kind CheckedRecord, id string, fields []string) {
	if len(fields) > 0 {
		found(RecordDifference{Kind: kind, ID: id, Fields: fields})
	}
}

// missing tells of records that are told of and were not seen.
func missing(found func(RecordDifference), kind CheckedRecord, seen map[string]bool, told iter.Seq[string]) {
	for _, id := range slices.Sorted(told) {
		if !seen[id] {
			found(RecordDifference{Kind: kind, ID: id, Why: errRecordMissing})
		}
	}
}

// attachmentsDiffer says what of the certificates on a serial is otherwise than its entries tell. Where they tell of none it
// does not look: how often each certificate is attached is compared for all serials together.
func attachmentsDiffer(tx Reader, serialID string, entries []AuditEntry) ([]string, error) {
	var told []string
	for i := range entries {
		if e := &entries[i]; e.Action == ActionCertAttached {
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
	var d differing
	d.unless(slices.Equal(told, kept), "certificates")
	return d, nil
}

func attachmentText(certificateID, stepID, by string, at Timestamp) string {
	return fmt.Sprintf("%q %q %q %d", certificateID, stepID, by, at)
}

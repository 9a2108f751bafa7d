package views

import (
	"context"
	"errors"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// StepRecord is one line of a unit's route card: a step, its status for the unit, and who brought it there and when.
type StepRecord struct {
	Step     card.ProcessStep
	Status   card.StepStatus
	Override *card.Override    // the active one, or nil
	By       string            // who did it; "" while nobody has done anything at the step
	At       ident.Timestamp   // when; for the step in progress, since when the unit stands there; 0 when that is not known
	Ended    card.SerialStatus // how the unit ended at this step without leaving it: scrapped or, closed with steps open, completed
}

// CardDetail is everything that is known of one serial, as of one moment.
type CardDetail struct {
	Card         card.Card
	JobName      string
	Order        WorkOrder // what it is made for
	Steps        []StepRecord
	Actions      []shop.Action
	Attachments  []shop.Attachment
	Certificates map[string]shop.Certificate // by id: those that are attached, voided or not
	Notes        []shop.Note
	Overrides    []card.Override
	Trail        []trail.Entry          // oldest first; its creation in front, unless the trail does not say
	PastNames    PastNames              // of people, and of the steps of its path
	LastChange   *shop.LastChange       // what could be taken back now, nil when there is nothing
	Undone       map[string]trail.Entry // by the identifiers of entries of the trail: what took them back
	Reports      []UnitReport           // that the serial is on, newest first
	Signatures   []shop.Signature       // about the serial, oldest first
}

// Card answers everything about one serial, for a person to read.
func (v *Views) Card(ctx context.Context, id string) (CardDetail, error) {
	var detail CardDetail
	err := v.store.Look(ctx, func(tx Reader) error {
		card, err := tx.RouteCard(id)
		if err != nil {
			return shop.OrNotFound(err, shop.NameSerialNumber, id)
		}
		detail = CardDetail{Card: card, Certificates: map[string]shop.Certificate{}}
		if detail.JobName, detail.Order, err = v.madeFor(tx, card); err != nil {
			return err
		}
		if detail.Attachments, err = tx.AttachmentsOfSerial(id); err != nil {
			return err
		}
		if err := detail.readCertificates(tx, id); err != nil {
			return err
		}
		if detail.Reports, err = unitReports(tx, card); err != nil {
			return err
		}
		if detail.Overrides, err = tx.OverridesOfSerial(id); err != nil {
			return err
		}
		for note, err := range tx.NotesOfSerial(id) {
			if err != nil {
				return err
			}
			detail.Notes = append(detail.Notes, note)
		}
		if detail.Trail, err = shop.TrailOf(tx, card.Serial); err != nil {
			return err
		}
		if detail.Signatures, err = signaturesAbout(tx, detail.Trail, detail.Reports); err != nil {
			return err
		}
		if detail.PastNames.People, err = people(tx); err != nil {
			return err
		}
		detail.PastNames.Steps = newStepNames()
		if err := addSteps(tx, card.Serial.PathID, detail.PastNames.Steps); err != nil {
			return err
		}
		history, err := shop.ReadHistory(tx, card.Path)
		if err != nil {
			return err
		}
		var standing []trail.Entry
		detail.LastChange, standing, detail.Undone = v.shop.LastChangeOf(shop.CallerOf(ctx), card, history, detail.Trail)
		detail.Steps = stepRecords(card, standing, detail.PastNames.Steps)
		detail.Actions = shop.Actions(detail.asked(v.shop.Ask(shop.CallerOf(ctx))))
		return nil
	})
	return detail, err
}

// readCertificates reads the certificates of a serial, also those whose attachment is void.
func (d *CardDetail) readCertificates(tx Reader, id string) error {
	certificates, err := tx.CertificatesOfSerial(id)
	if err != nil {
		return err
	}
	d.PastNames.Certificates = map[string]string{}
	for _, certificate := range certificates {
		d.Certificates[certificate.ID] = certificate
		d.PastNames.Certificates[certificate.ID] = certificate.Name
	}
	return d.nameVoided(tx)
}

// madeFor is the name of a serial's job, and what it is for.
func (v *Views) madeFor(tx Reader, card card.Card) (jobName string, order WorkOrder, err error) {
	job, err := tx.Job(card.Serial.JobID)
	if err != nil && !errors.Is(err, shop.ErrNoRecord) {
		return "", order, err
	}
	order, err = v.orderOfPath(tx, card.Path, &job)
	return job.Name, order, err
}

// asked adds to a question of what a caller could do what is known of the serial.
func (d *CardDetail) asked(asked shop.Asked) shop.Asked {
	asked.Card, asked.LastChange, asked.Notes, asked.Attachments = d.Card, d.LastChange, d.Notes, d.Attachments
	for i := range d.Reports {
		report := &d.Reports[i]
		asked.Reports = append(asked.Reports, shop.OnReport{ReportID: report.ID, Status: report.Status, Unit: report.Unit})
	}
	return asked
}

// nameVoided looks up the certificates of attachments that do not count any more.
func (d *CardDetail) nameVoided(tx Reader) error {
	for i := range d.Attachments {
		id := d.Attachments[i].CertificateID
		if _, known := d.Certificates[id]; known {
			continue
		}
		certificate, err := tx.Certificate(id)
		if err != nil {
			return err
		}
		d.Certificates[id], d.PastNames.Certificates[id] = certificate, certificate.Name
	}
	return nil
}

// aboutSteps finds what may tell of a step, by its identifier, oldest first.
func aboutSteps(entries []trail.Entry) map[string][]*trail.Entry {
	about := map[string][]*trail.Entry{}
	for i := range entries {
		entry := &entries[i]
		for _, stepID := range []string{entry.StepID, entry.FromStepID, entry.ToStepID} {
			if stepID != "" {
				about[stepID] = append(about[stepID], entry)
			}
		}
	}
	return about
}

// stepRecords reads from a serial's trail who brought each step to its status: the last entry that left, bypassed or
// resolved it. A step in progress names nobody, since nobody has done it; the step where a serial was scrapped or closed
// names who did that. A step that is done, and every step of a closed serial that cannot be done any more, is called what
// it was called then; what is still to be done has its present name.
func stepRecords(unit card.Card, trail []trail.Entry, names StepNames) []StepRecord {
	closed := closedWhen(unit.Serial, trail)
	about := aboutSteps(trail)
	records := make([]StepRecord, len(unit.Path.Steps))
	for i, step := range unit.Path.Steps {
		record := &records[i]
		record.Step, record.Status = step, unit.StepStatus(i)
		if override, ok := unit.Overrides[step.ID]; ok {
			record.Override = &override
		}
		if scrap := unit.Serial.Scrap; scrap != nil && scrap.StepID == step.ID {
			record.By, record.At, record.Ended, record.Step = scrap.By, scrap.At, card.Scrapped, names.At(step, closed)
			continue
		}
		if forced := unit.Serial.Completion; forced != nil && i == unit.Serial.Position {
			record.By, record.At, record.Ended, record.Step = forced.By, forced.At, card.Completed, names.At(step, closed)
			continue
		}
		when := closed
		for _, entry := range slices.Backward(about[step.ID]) {
			switch {
			case entry.StepID == step.ID && shop.TellsOf(entry.Action, shop.RecordStepStatus),
				entry.FromStepID == step.ID && record.Status == card.StepCompleted:
				record.By, record.At = entry.UserID, entry.Timestamp
				if !shop.Unresolved(record.Status) {
					when = WhenOf(*entry)
				}
			case entry.ToStepID == step.ID && record.Status == card.StepInProgress:
				record.At = entry.Timestamp
			default:
				continue
			}
			break
		}
		if record.At == 0 && i == 0 && record.Status == card.StepInProgress {
			record.At = unit.Serial.CreatedAt
		}
		if record.Status != card.StepDeferred {
			record.Step = names.At(step, when)
		}
	}
	return records
}

// closedWhen is the place of the entry that closed a serial, and now for one that is in progress.
func closedWhen(serial card.Serial, trail []trail.Entry) When {
	if serial.Status != card.InProgress {
		for _, entry := range slices.Backward(trail) {
			if shop.ClosesUnits(shop.ActionTold(entry)) {
				return WhenOf(entry)
			}
		}
	}
	return When{}
}

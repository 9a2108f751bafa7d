package views

import (
	"context"
	"errors"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// StepRecord is one line of a unit's route card: a step, its status for the unit, and who gave it that status when.
type StepRecord struct {
	Step     card.ProcessStep
	Status   card.StepStatus
	Override *card.Override    // the active override, or nil
	By       string            // who gave the step its status; "" while the step has no entry in the trail
	At       ident.Timestamp   // when; for the step in progress, when the unit arrived; 0 if unknown
	Ended    card.SerialStatus // how the unit ended at this step without leaving it: scrapped, or closed with steps open
}

// CardDetail is a snapshot of everything known about one serial.
type CardDetail struct {
	Card         card.Card
	JobName      string
	Order        WorkOrder
	Steps        []StepRecord
	Actions      []shop.Action
	Attachments  []shop.Attachment
	Certificates map[string]shop.Certificate // by id: the attached certificates, voided or not
	Notes        []shop.Note
	Overrides    []card.Override
	Trail        []trail.Entry          // oldest first; begins with the creation, if the trail records it
	PastNames    PastNames              // past names of people, and of the steps of the unit's path
	LastChange   *shop.LastChange       // the change that could be undone now; nil for none
	Undone       map[string]trail.Entry // by the identifier of an undone entry: the entry that undid it
	Reports      []UnitReport           // the reports on the serial, newest first
	Signatures   []shop.Signature       // signatures on the serial, oldest first
	Installed    Installed              // what is or was inside the serial
}

// Card returns everything known about one serial, for a person to read.
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
		if detail.Installed, err = installed(tx, id); err != nil {
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
		history, err := replay.ReadHistory(tx, card.Path)
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

// readCertificates reads the certificates of a serial, including those whose attachment is void.
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

// madeFor returns the name of a serial's job and the order that the serial is made for.
func (v *Views) madeFor(tx Reader, card card.Card) (jobName string, order WorkOrder, err error) {
	job, err := tx.Job(card.Serial.JobID)
	if err != nil && !errors.Is(err, shop.ErrNoRecord) {
		return "", order, err
	}
	order, err = v.orderOfPath(tx, card.Path, &job)
	return job.Name, order, err
}

// asked adds the state of the serial to a query for the operations that a caller may perform.
func (d *CardDetail) asked(asked shop.Asked) shop.Asked {
	asked.Card, asked.LastChange, asked.Notes, asked.Attachments = d.Card, d.LastChange, d.Notes, d.Attachments
	for i := range d.Reports {
		report := &d.Reports[i]
		asked.Reports = append(asked.Reports, shop.OnReport{ReportID: report.ID, Status: report.Status, Unit: report.Unit})
	}
	return asked
}

// nameVoided looks up the certificates of voided attachments.
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

// aboutSteps groups the entries that may concern a step by the identifier of the step, oldest first.
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

// stepRecords finds in a serial's trail who gave each step its status: the user of the last entry in which the serial left, bypassed or
// resolved the step. A step in progress has no such user, since it is not done yet. The step where a serial was scrapped or closed has the
// user who did that. A step that is done, and a step that a closed serial can no longer do, have the names of that time. A step that is
// still to be done has its present name.
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

// closedWhen returns the place of the entry that closed a serial, and the zero When for a serial in progress.
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

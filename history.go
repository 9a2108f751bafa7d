package routecard

import (
	"context"
	"errors"
	"slices"
)

// StepRecord is one line of a unit's route card: a step, its status for the unit, and who brought it there and when.
type StepRecord struct {
	Step     ProcessStep
	Status   StepStatus
	Override *Override // the active one, or nil
	By       string    // "" while nobody has done anything at the step
	At       Timestamp // 0 then
}

// CardDetail is everything that is known of one serial, as of one moment.
type CardDetail struct {
	Card         RouteCard
	JobName      string
	Steps        []StepRecord
	Actions      []Action
	Attachments  []Attachment
	Certificates map[string]Certificate // by id: those that are attached
	Notes        []Note
	Overrides    []Override
	Trail        []AuditEntry // oldest first
}

// Card answers everything about one serial, for a person to read.
func (s *Service) Card(ctx context.Context, id string) (CardDetail, error) {
	var detail CardDetail
	err := s.store.View(ctx, func(tx Reader) error {
		card, err := tx.RouteCard(id)
		if err != nil {
			return orNotFound(err, "SerialNumber not found: %s", id)
		}
		detail = CardDetail{Card: card, Actions: Actions(card), Certificates: map[string]Certificate{}}
		job, err := tx.Job(card.Serial.JobID)
		if err != nil && !errors.Is(err, ErrNoRecord) {
			return err
		}
		detail.JobName = job.Name
		if detail.Attachments, err = tx.AttachmentsOfSerial(id); err != nil {
			return err
		}
		certificates, err := tx.CertificatesOfSerial(id)
		if err != nil {
			return err
		}
		for _, certificate := range certificates {
			detail.Certificates[certificate.ID] = certificate
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
		for entry, err := range tx.AuditOfSerial(id) {
			if err != nil {
				return err
			}
			detail.Trail = append(detail.Trail, entry)
		}
		detail.Steps = stepRecords(card, detail.Trail)
		return nil
	})
	return detail, err
}

// stepRecords reads from a serial's trail who brought each step to its status: the last entry that left, bypassed or
// resolved it. A step in progress names who moved the serial there.
func stepRecords(card RouteCard, trail []AuditEntry) []StepRecord {
	stepActions := []AuditAction{ActionStepSkipped, ActionStepDeferred, ActionDeferredStepCompleted, ActionStepWaived}
	records := make([]StepRecord, len(card.Path.Steps))
	for i, step := range card.Path.Steps {
		record := &records[i]
		record.Step, record.Status = step, card.StepStatus(i)
		if override, ok := card.Overrides[step.ID]; ok {
			record.Override = &override
		}
		told := func(entry AuditEntry) bool {
			if entry.StepID == step.ID {
				return slices.Contains(stepActions, entry.Action)
			}
			return entry.FromStepID == step.ID && record.Status == StepCompleted ||
				entry.ToStepID == step.ID && record.Status == StepInProgress
		}
		for _, entry := range slices.Backward(trail) {
			if told(entry) {
				record.By, record.At = entry.UserID, entry.Timestamp
				break
			}
		}
	}
	return records
}

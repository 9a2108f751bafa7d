package dossier

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// What is a kind of document.
type What string

// The kinds of documents that a dossier can lack.
const (
	MissingCertificate What = "certificate" // of a lot that needs one, or of a step that requires one
	MissingReading     What = "reading"     // of a required characteristic at a step that was done
	MissingPart        What = "part"        // of the unit's bill, or material that a step requires
	MissingReceipt     What = "receipt"     // from outside work at a step that was done
	MissingSignature   What = "signature"   // of an operation that the policy now requires to be signed
	// MissingFirstArticle is an approved first article of the part and revision of a job, or the approval of one of the units.
	MissingFirstArticle What = "firstArticle"
)

// Missing is a document that a dossier lacks.
type Missing struct {
	What   What   `json:"what"`
	Record string `json:"record"`           // the unit or lot that lacks it; the job or the unapproved one for first articles
	StepID string `json:"stepId,omitempty"` // the step at which it is missing
	Name   string `json:"name,omitempty"`   // of the lot, the step, the characteristic, the part or part type, or the action
}

// missing returns what the dossier lacks: of the lots, of first articles, then unit by unit.
func (r *reading) missing() (missing []Missing, err error) {
	for _, id := range slices.Sorted(maps.Keys(r.lots)) {
		lot := r.lots[id]
		if !lot.CertificateRequired {
			continue
		}
		certificates, err := r.LotCertificates(id)
		if err != nil {
			return nil, err
		}
		if len(certificates) == 0 {
			missing = append(missing, Missing{What: MissingCertificate, Record: id, Name: lot.LotNumber})
		}
	}
	articles, err := r.missingFirstArticles()
	if err != nil {
		return nil, err
	}
	missing = append(missing, articles...)
	policy, err := r.SignaturePolicy()
	if err != nil {
		return nil, err
	}
	for _, id := range r.units {
		unit := r.cards[id]
		missing = append(missing, ofSteps(unit)...)
		for _, part := range unit.PartCounts() {
			if part.Lacks() {
				missing = append(missing, Missing{MissingPart, id, part.StepID, part.PartType})
			}
		}
		unsigned, err := r.unsigned(id, policy)
		if err != nil {
			return nil, err
		}
		missing = append(missing, unsigned...)
	}
	return missing, nil
}

// missingFirstArticles returns the first articles of the units that are not approved, and then the jobs of the units whose part has neither
// an approved first article nor one of those.
func (r *reading) missingFirstArticles() (missing []Missing, err error) {
	begun := map[[2]string]bool{}
	for _, id := range slices.Sorted(maps.Keys(r.articles)) {
		f := r.articles[id]
		if f.Voided() || f.Status == shop.FirstArticleApproved {
			continue
		}
		begun[[2]string{f.PartNumber, f.PartRevision}] = true
		missing = append(missing, Missing{What: MissingFirstArticle, Record: id, Name: partOf(f.PartNumber, f.PartRevision)})
	}
	jobs := map[string]bool{}
	for _, id := range r.units {
		jobs[r.cards[id].Serial.JobID] = true
	}
	for _, id := range slices.Sorted(maps.Keys(jobs)) {
		job, err := r.Job(id)
		if err != nil {
			return nil, err
		}
		if job.Part() == "" || begun[[2]string{job.Part(), job.PartRevision}] {
			continue
		}
		if _, err := r.ApprovedFirstArticle(job.Part(), job.PartRevision); errors.Is(err, shop.ErrNoRecord) {
			missing = append(missing, Missing{What: MissingFirstArticle, Record: id, Name: partOf(job.Part(), job.PartRevision)})
		} else if err != nil {
			return nil, err
		}
	}
	return missing, nil
}

// partOf returns a part number with its revision.
func partOf(number, revision string) string { return strings.TrimSpace(number + " " + revision) }

// ofSteps returns what the steps that were done, and the current one, require of a unit and do not have.
func ofSteps(unit card.Card) (missing []Missing) {
	for i := range unit.Path.Steps {
		step, status := &unit.Path.Steps[i], unit.StepStatus(i)
		if status != card.StepCompleted && status != card.StepInProgress {
			continue
		}
		lacks := func(what What, name string) {
			missing = append(missing, Missing{what, unit.Serial.ID, step.ID, name})
		}
		for _, demand := range unit.Demands(i) {
			if demand.Missing() {
				lacks(MissingReading, demand.Characteristic.Number)
			}
		}
		unmet := unit.Unmet(i)
		if unmet.Material {
			lacks(MissingPart, step.Name)
		}
		if unmet.Receipt {
			lacks(MissingReceipt, step.Name)
		}
		if unmet.Certificate {
			lacks(MissingCertificate, step.Name)
		}
	}
	return missing
}

// unsigned returns the entries of a unit that the policy requires to be signed, and that are not signed.
func (r *reading) unsigned(id string, policy shop.SignaturePolicy) (missing []Missing, err error) {
	entries := r.trails[id]
	signatures, err := shop.SignaturesIn(entries)
	if err != nil {
		return nil, err
	}
	signed := map[string]bool{}
	for i := range signatures {
		for _, entryID := range signatures[i].EntryIDs {
			signed[entryID] = true
		}
	}
	for i := range entries {
		operation := shop.SigningOf(&entries[i])
		if operation == "" || entries[i].SerialID == "" || policy.Demand(operation) == shop.SignedByNobody || signed[entries[i].ID] {
			continue
		}
		missing = append(missing, Missing{MissingSignature, id, entries[i].StepID, string(entries[i].Action)})
	}
	return missing, nil
}

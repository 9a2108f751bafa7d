package card

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Requirements are conditions that a unit must meet before it leaves a step, in addition to measurements.
type Requirements struct {
	Components          []string        `json:"components"` // part types of the unit's bill, each once; never nil in responses
	LotRequired         bool            `json:"lotRequired"`
	Outside             *OutsideWork    `json:"outside,omitempty"`
	CertificateRequired bool            `json:"certificateRequired"`
	FunctionalTest      *FunctionalTest `json:"functionalTest,omitempty"` // recorded only
}

// FunctionalTest is the test that is made at a step.
type FunctionalTest struct {
	Procedure string `json:"procedure"`
}

// Equal reports whether two steps require the same.
func (r Requirements) Equal(other Requirements) bool {
	return slices.Equal(r.Components, other.Components) && r.LotRequired == other.LotRequired &&
		r.CertificateRequired == other.CertificateRequired && r.test() == other.test() && r.Outside.Equal(other.Outside)
}

func (r Requirements) test() FunctionalTest {
	if r.FunctionalTest == nil {
		return FunctionalTest{}
	}
	return *r.FunctionalTest
}

// IsZero reports whether the step requires nothing.
func (r Requirements) IsZero() bool { return r.Equal(Requirements{}) }

// RequirementSet has the requirements of a step. Every edit creates a set with the next revision; a set is never changed.
type RequirementSet struct {
	ID       string `json:"-"`
	StepID   string `json:"stepId"`
	Revision int    `json:"revision"` // 0 if the step has never had requirements
	Requirements
	ChangedBy string          `json:"changedBy,omitempty"`
	ChangedAt ident.Timestamp `json:"changedAt,omitzero"`
}

// Contents returns the SHA-256 that the audit entry of a set records.
func (s *RequirementSet) Contents() trail.ContentsSHA256 {
	return trail.ContentsOf([]any{s.ID, s.StepID, s.Revision, s.Requirements, s.ChangedBy, s.ChangedAt})
}

// RequirementsOf returns the requirements of a step, or an empty set.
func (p *Path) RequirementsOf(stepID string) RequirementSet {
	if set, ok := p.Requirements[stepID]; ok {
		return set
	}
	return RequirementSet{StepID: stepID, Requirements: Requirements{Components: []string{}}}
}

// BillEntry is one part type of the bill that a unit keeps. The JSON names are the names in the stored versions of bills.
type BillEntry struct {
	PartType                 string   `json:"partType"`
	PartNumber               string   `json:"partNumber"` // "" if it is the part type
	RequiredQuantityPerBuild float64  `json:"requiredQuantityPerBuild"`
	ContributingJobIDs       []string `json:"contributingJobIds"`
}

// Installed is an open component of a unit, with the fields that requirements depend on.
type Installed struct {
	PartType   string
	StepID     string
	Quantity   input.Decimal // "" for an unknown amount of a lot without a quantity
	OfLot      bool
	Substitute bool
}

// PartCount compares how much of a part type the bill of a unit requires with how much is installed. Numbers are written without zeros at
// their end.
type PartCount struct {
	PartType    string `json:"partType"`
	Required    string `json:"required"`
	Installed   string `json:"installed"`   // including substitutes
	Substituted string `json:"substituted"` // substitutes among the installed parts
	Missing     string `json:"missing"`
	StepID      string `json:"stepId,omitempty"` // the first step that requires the part type; "" for completion
}

// Lacks reports whether more must be installed.
func (p PartCount) Lacks() bool { return p.Missing != "0" }

// count is the amount of a part type.
type count struct{ required, installed, substituted big.Rat }

// PartCounts counts each part type of the unit's bill once, in the order of the bill. An unknown installed amount counts as the whole
// required quantity.
func (c Card) PartCounts() []PartCount {
	if len(c.Bill) == 0 {
		return nil
	}
	types, counts := make([]string, 0, len(c.Bill)), make(map[string]*count, len(c.Bill))
	for i := range c.Bill {
		entry := &c.Bill[i]
		if counts[entry.PartType] == nil {
			types, counts[entry.PartType] = append(types, entry.PartType), &count{}
		}
		required := &counts[entry.PartType].required
		required.Add(required, input.Decimal(strconv.FormatFloat(entry.RequiredQuantityPerBuild, 'f', -1, 64)).Rat())
	}
	for i := range c.Installed {
		part := &c.Installed[i]
		of := counts[part.PartType]
		if of == nil {
			continue
		}
		amount := &of.required
		if part.Quantity != "" {
			amount = part.Quantity.Rat()
		}
		of.installed.Add(&of.installed, amount)
		if part.Substitute {
			of.substituted.Add(&of.substituted, amount)
		}
	}
	steps := c.Path.stepsRequiring()
	parts := make([]PartCount, len(types))
	for i, partType := range types {
		of := counts[partType]
		missing := new(big.Rat)
		if of.installed.Cmp(&of.required) < 0 {
			missing.Sub(&of.required, &of.installed)
		}
		parts[i] = PartCount{
			partType, amountOf(&of.required), amountOf(&of.installed), amountOf(&of.substituted), amountOf(missing), steps[partType],
		}
	}
	return parts
}

// amountOf writes an exact decimal number without zeros at its end.
func amountOf(number *big.Rat) string {
	places, _ := number.FloatPrec()
	return number.FloatString(places)
}

// stepsRequiring returns the first step that requires each part type.
func (p *Path) stepsRequiring() map[string]string {
	if len(p.Requirements) == 0 {
		return nil
	}
	steps := map[string]string{}
	for i := range p.Steps {
		for _, partType := range p.Requirements[p.Steps[i].ID].Components {
			if steps[partType] == "" {
				steps[partType] = p.Steps[i].ID
			}
		}
	}
	return steps
}

// DependsOnParts reports whether the unit has a bill, or its path has requirements: Bill, Installed, Certified and
// Returned are then set.
func (c Card) DependsOnParts() bool { return c.Serial.BOM.BOMID != "" || len(c.Path.Requirements) > 0 }

// RefuseUndone returns the refusal to let a unit leave the step at index i as done, or nil: first for the measurements of the step, then
// for its other requirements.
func RefuseUndone(card Card, i int) error {
	if err := RefuseUnmeasured(card, i); err != nil || len(card.Path.Requirements) == 0 {
		return err
	}
	return refuseUnmet(card, i)
}

// Unmet are the requirements of a step that a unit does not meet.
type Unmet struct {
	Parts       []PartCount // the part types of which more must be installed
	Material    bool        // an amount of a lot must be installed at the step
	Receipt     bool        // the unit must come back from outside work
	Certificate bool        // a certificate must be attached in this pass
}

// Any reports whether a requirement is not met.
func (u *Unmet) Any() bool { return len(u.Parts) > 0 || u.Material || u.Receipt || u.Certificate }

// Unmet returns the requirements of the step at index i that the unit does not meet, without measurements.
func (c Card) Unmet(i int) (unmet Unmet) {
	if i < 0 || i >= len(c.Path.Steps) {
		return unmet
	}
	step := &c.Path.Steps[i]
	set, ok := c.Path.Requirements[step.ID]
	if !ok || c.released(i) {
		return unmet
	}
	if len(set.Components) > 0 {
		for _, part := range c.PartCounts() {
			if part.Lacks() && slices.Contains(set.Components, part.PartType) {
				unmet.Parts = append(unmet.Parts, part)
			}
		}
	}
	unmet.Material = set.LotRequired &&
		!slices.ContainsFunc(c.Installed, func(part Installed) bool { return part.OfLot && part.StepID == step.ID })
	unmet.Receipt = set.Outside != nil && !c.Returned[step.ID]
	unmet.Certificate = set.CertificateRequired && !c.Certified[step.ID]
	return unmet
}

// UnmetNow returns what keeps the unit at its current step: the unmet requirements of that step and, at the last step, the parts of the
// unit's bill that no step requires.
func (c Card) UnmetNow() Unmet {
	current := c.Serial.Position
	unmet := c.Unmet(current)
	if c.Current() != nil && c.Next() == nil && !c.released(current) {
		unmet.Parts = append(unmet.Parts, c.missingAtCompletion()...)
	}
	return unmet
}

func refuseUnmet(card Card, i int) error {
	unmet := card.Unmet(i)
	if !unmet.Any() {
		return nil
	}
	switch step := card.Path.Steps[i].Name; {
	case len(unmet.Parts) > 0:
		part := unmet.Parts[0]
		return refusal.Refuse(PartsMissing, step, part.PartType, part.Installed, part.Required)
	case unmet.Material:
		return refusal.Refuse(MaterialMissing, step)
	case unmet.Receipt:
		return refusal.Refuse(NotBack, step)
	default:
		return refusal.Refuse(CertificateMissing, step)
	}
}

// released reports whether a unit may leave the step at index i without meeting its requirements.
func (c Card) released(i int) bool {
	_, overridden := c.Overrides[c.Path.Steps[i].ID]
	return overridden || c.StepStatus(i) == StepWaived
}

// missingAtCompletion returns the part types of the unit's bill that no step requires, and of which more must be installed.
func (c Card) missingAtCompletion() (missing []PartCount) {
	if len(c.Bill) == 0 {
		return nil
	}
	for _, part := range c.PartCounts() {
		if part.Lacks() && part.StepID == "" {
			missing = append(missing, part)
		}
	}
	return missing
}

// RefuseCompleting returns the refusal to complete a unit by an advance from its current step, or nil: the part types of its bill that no
// step of its path requires must be installed by then.
func RefuseCompleting(card Card) error {
	current := card.Serial.Position
	if len(card.Bill) == 0 || current >= len(card.Path.Steps) || card.released(current) {
		return nil
	}
	if missing := card.missingAtCompletion(); len(missing) > 0 {
		return refusal.Refuse(PartsMissing, card.Path.Steps[current].Name, missing[0].PartType, missing[0].Installed, missing[0].Required)
	}
	return nil
}

// RefuseLeaving returns the refusal to let a unit leave its current step as done and go to the step at index target, or nil. A target
// after the last step completes the unit.
func RefuseLeaving(card Card, target int) error {
	if err := RefuseUndone(card, card.Serial.Position); err != nil || target < len(card.Path.Steps) {
		return err
	}
	return RefuseCompleting(card)
}

// Matching returns the part type in the unit's bill for which a part counts, or "". If several part types match, it returns the first of
// which more must be installed, or else the first. The part is an amount of a lot with a part number, or a unit with its job and the part
// number of the job.
func (c Card) Matching(partNumber, jobID string) string {
	counts, found := c.PartCounts(), ""
	for i := range c.Bill {
		entry := &c.Bill[i]
		if !entry.fits(partNumber, jobID) {
			continue
		}
		lacks := slices.ContainsFunc(counts, func(part PartCount) bool { return part.PartType == entry.PartType && part.Lacks() })
		if lacks {
			return entry.PartType
		}
		if found == "" {
			found = entry.PartType
		}
	}
	return found
}

// fits reports whether a part matches the entry: by its part number, or by the job of the unit.
func (e *BillEntry) fits(partNumber, jobID string) bool {
	return partNumber != "" && partNumber == cmp.Or(e.PartNumber, e.PartType) ||
		jobID != "" && slices.Contains(e.ContributingJobIDs, jobID)
}

// Reasons for refusing to let a unit leave a step.
var (
	PartsMissing       = refusal.NewReason(refusal.Invalid, "parts_missing", "Parts missing at {step}: {partType} ({have} of {need})")
	MaterialMissing    = refusal.NewReason(refusal.Invalid, "material_missing", "Material missing at {step}")
	CertificateMissing = refusal.NewReason(refusal.Invalid, "certificate_missing", "Certificate missing at {step}")
)

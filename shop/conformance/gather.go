package conformance

import (
	"cmp"
	"slices"

	"github.com/routecard/routecard/shop/card"
)

// Decision is the decision of a nonconformance report about a unit.
type Decision struct{ ReportID, Disposition, Concession string }

// LotFacts are the facts about a lot that a certificate says.
type LotFacts struct{ ID, Number, Heat, ExpiresOn string }

// Gathering collects what a certificate says about units. The zero Gathering is empty.
type Gathering struct {
	lines        []gatheredLine // in the order of their first units
	lineOf       map[string]int // by job
	reports      grouped[Decision]
	steps        grouped[bypassed]
	certificates []Certificate
	certificate  map[string]bool // by id
	expires      string
}

type gatheredLine struct {
	jobID   string
	serials []string
	lots    []Lot
	known   map[string]bool // lots, by id
}

type bypassed struct {
	name   string
	waived bool
}

// grouped collects the units for which the same holds, in the order in which they come.
type grouped[K comparable] struct {
	keys    []K
	serials map[K][]string
}

func (g *grouped[K]) add(key K, serial string) {
	if g.serials == nil {
		g.serials = map[K][]string{}
	}
	if g.serials[key] == nil {
		g.keys = append(g.keys, key)
	}
	g.serials[key] = append(g.serials[key], serial)
}

// called returns the name of a unit on certificates: the number that the shop gave it, or else its identifier.
func called(unit *card.Serial) string { return cmp.Or(unit.SerialNumber, unit.ID) }

// Deliver adds a unit that is delivered.
func (g *Gathering) Deliver(unit card.Card, decisions []Decision) {
	line := g.line(unit.Serial.JobID)
	line.serials = append(line.serials, called(&unit.Serial))
	g.Contain(unit, decisions)
}

// Contain adds a unit that is inside a delivered unit.
func (g *Gathering) Contain(unit card.Card, decisions []Decision) {
	name := called(&unit.Serial)
	for i := range unit.Path.Steps {
		if status := unit.StepStatus(i); status == card.StepWaived || status == card.StepSkipped {
			g.steps.add(bypassed{unit.Path.Steps[i].Name, status == card.StepWaived}, name)
		}
	}
	for _, decision := range decisions {
		g.reports.add(decision, name)
	}
}

// Use adds a lot whose material is in a delivered unit of a job.
func (g *Gathering) Use(jobID string, lot LotFacts) {
	line := g.line(jobID)
	if line.known[lot.ID] {
		return
	}
	line.known[lot.ID] = true
	line.lots = append(line.lots, Lot{lot.Number, lot.Heat})
	if lot.ExpiresOn != "" && (g.expires == "" || lot.ExpiresOn < g.expires) {
		g.expires = lot.ExpiresOn
	}
}

// Certify adds a certificate of a unit, once.
func (g *Gathering) Certify(id string, certificate Certificate) {
	if g.certificate == nil {
		g.certificate = map[string]bool{}
	}
	if !g.certificate[id] {
		g.certificate[id] = true
		g.certificates = append(g.certificates, certificate)
	}
}

func (g *Gathering) line(jobID string) *gatheredLine {
	at, known := g.lineOf[jobID]
	if !known {
		if g.lineOf == nil {
			g.lineOf = map[string]int{}
		}
		at = len(g.lines)
		g.lineOf[jobID] = at
		g.lines = append(g.lines, gatheredLine{jobID: jobID, known: map[string]bool{}})
	}
	return &g.lines[at]
}

// Jobs returns the jobs of the delivered units, in the order of their first units.
func (g *Gathering) Jobs() []string {
	jobs := make([]string, len(g.lines))
	for i := range g.lines {
		jobs[i] = g.lines[i].jobID
	}
	return jobs
}

// Quantity returns the number of delivered units of a job.
func (g *Gathering) Quantity(jobID string) int {
	if at, known := g.lineOf[jobID]; known {
		return len(g.lines[at].serials)
	}
	return 0
}

// Fill completes a line with the serials and lots of a job.
func (g *Gathering) Fill(jobID string, line *Line) {
	from := g.line(jobID)
	line.Quantity, line.Serials, line.Lots = len(from.serials), from.serials, slices.Clone(from.lots)
	slices.SortFunc(line.Lots, func(a, b Lot) int { return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Heat, b.Heat)) })
}

// Details returns what was collected for field 13. reason says why an earlier revision is replaced.
func (g *Gathering) Details(reason string) Details {
	details := Details{Certificates: slices.Clone(g.certificates), EarliestExpiry: g.expires, Reason: reason}
	for _, key := range g.reports.keys {
		details.Reports = append(details.Reports, Report{key.ReportID, key.Disposition, key.Concession, g.reports.serials[key]})
	}
	slices.SortStableFunc(details.Reports, func(a, b Report) int { return cmp.Compare(a.ID, b.ID) })
	for _, key := range g.steps.keys {
		details.Steps = append(details.Steps, Step{key.name, key.waived, g.steps.serials[key]})
	}
	slices.SortFunc(details.Certificates, func(a, b Certificate) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Number, b.Number))
	})
	return details
}

package genealogy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Contains says which installations pass on the cause of a recall.
type Contains string

// The values of Contains.
const (
	Ever Contains = "ever" // a unit stays affected after the affected part was removed
	Now  Contains = "now"  // only parts that are inside now count
)

// AllContains returns all values of Contains.
func AllContains() []Contains { return []Contains{Ever, Now} }

// Query is the cause of a recall: exactly one of its fields from LotID to By is set. From and To narrow the last three of them.
type Query struct {
	LotID        string          `query:"lotId"`
	HeatNumber   string          `query:"heatNumber"` // in any case
	CertID       string          `query:"certId"`     // attached to a unit, a lot or a receipt
	SerialID     string          `query:"serialId"`
	ShipmentID   string          `query:"shipmentId"`
	InstrumentID string          `query:"instrumentId"` // measured the unit
	StepID       string          `query:"stepId"`       // the unit was there
	By           string          `query:"by"`           // the user of an entry of the unit
	From         ident.Timestamp `query:"from"`
	To           ident.Timestamp `query:"to"` // 0 for now
	Contains     Contains        `query:"contains"`
}

// Check validates a query. It trims the heat number, and sets the defaults.
func (q *Query) Check() error {
	q.HeatNumber = strings.TrimSpace(q.HeatNumber)
	causes := 0
	for _, cause := range []string{q.LotID, q.HeatNumber, q.CertID, q.SerialID, q.ShipmentID, q.InstrumentID, q.StepID, q.By} {
		if cause != "" {
			causes++
		}
	}
	if causes != 1 {
		return refusal.Refuse(CauseUnclear)
	}
	switch {
	case !q.Timed() && (q.From != 0 || q.To != 0):
		return refusal.Refuse(TimesUnused)
	case q.Timed() && q.From == 0:
		return refusal.RefuseField(refusal.Required, "from")
	case q.To != 0 && q.To < q.From:
		return refusal.RefuseField(EndsEarly, "to")
	}
	q.Contains = cmp.Or(q.Contains, Ever)
	if !slices.Contains(AllContains(), q.Contains) {
		return input.NotOneOf("contains", AllContains())
	}
	return nil
}

// Timed reports whether the cause of the recall happened within a period.
func (q *Query) Timed() bool { return q.InstrumentID != "" || q.StepID != "" || q.By != "" }

// Until returns the end of the period.
func (q *Query) Until() ident.Timestamp { return cmp.Or(q.To, LastTime) }

// How says in which way a unit or a lot is affected.
type How string

// The values of How.
const (
	HasCause     How = "cause"    // it has the cause of the recall itself
	SplitFrom    How = "split"    // the lot was split from an affected lot
	ContainedOne How = "contains" // an affected unit or lot is inside it or, with Ever, was
)

// Affected is a unit or a lot that a recall affects, and the time since when.
type Affected struct {
	SerialID string
	LotID    string
	Since    ident.Timestamp
	How      How
}

// Earliest returns each unit and lot once, with the earliest time: lots by identifier, then units by number. It sorts found.
func Earliest(found []Affected) []Affected {
	slices.SortFunc(found, func(a, b Affected) int {
		if c := a.compare(&b); c != 0 {
			return c
		}
		if c := cmp.Compare(a.Since, b.Since); c != 0 {
			return c
		}
		return cmp.Compare(a.How.rank(), b.How.rank())
	})
	return slices.CompactFunc(found, func(a, b Affected) bool { return a.compare(&b) == 0 })
}

// compare orders lots by identifier, then units by number.
func (a *Affected) compare(b *Affected) int {
	if c := cmp.Compare(numberOf(a.SerialID, 0), numberOf(b.SerialID, 0)); c != 0 {
		return c
	}
	return cmp.Compare(a.LotID, b.LotID)
}

// rank is lower for a more direct way.
func (h How) rank() int { return slices.Index([]How{HasCause, SplitFrom, ContainedOne}, h) }

// Item is a unit or a lot in the list of a recall.
type Item struct {
	State
	Since ident.Timestamp `json:"since"`
	How   How             `json:"how"`
}

// Summary counts what a recall affects.
type Summary struct {
	Units    int `json:"units"`
	Scrapped int `json:"scrapped"` // of the units
	Shipped  int `json:"shipped"`  // of the units: with a customer
	Lots     int `json:"lots"`
}

// Recall lists everything that a cause affects: lots by number, then units by number.
type Recall struct {
	Summary Summary
	Items   []Item
}

// RecallOf returns the list of a recall. Items has lots, then units by number, as Earliest returns them.
func RecallOf(items []Item) Recall {
	recall := Recall{Items: items}
	for i := range items {
		switch {
		case items[i].LotID != "":
			recall.Summary.Lots++
			continue
		case items[i].Status == card.Scrapped:
			recall.Summary.Scrapped++
		case items[i].At.Customer != "":
			recall.Summary.Shipped++
		}
		recall.Summary.Units++
	}
	SortStates(items[:recall.Summary.Lots], func(i *Item) *State { return &i.State })
	return recall
}

// Reasons for refusing the query of a recall.
var (
	CauseUnclear = refusal.NewReason(refusal.Invalid, "exactly_one_cause",
		"Exactly one of lotId, heatNumber, certId, serialId, shipmentId, instrumentId, stepId, by is required")
	TimesUnused = refusal.NewReason(refusal.Invalid, "times_unused", "from and to are for instrumentId, stepId and by")
	EndsEarly   = refusal.NewReason(refusal.Invalid, "ends_early", "{field} must not be before from")
)

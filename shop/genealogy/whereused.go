package genealogy

import (
	"cmp"
	"math"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// State is a unit or a lot as it is now.
type State struct {
	SerialID  string            `json:"serialId,omitempty"`
	LotID     string            `json:"lotId,omitempty"`
	LotNumber string            `json:"lotNumber,omitempty"`
	Status    card.SerialStatus `json:"status,omitempty"` // status of a unit
	Held      bool              `json:"held"`
	Remaining input.Decimal     `json:"remaining,omitempty"` // remaining quantity of a lot
	Unit      string            `json:"unit,omitempty"`
	Inside    string            `json:"inside,omitempty"` // the unit that contains this one
	Root      string            `json:"root,omitempty"`   // the outermost unit that contains this one
	At        Place             `json:"at,omitzero"`      // of a unit in progress, or with a supplier or customer

	Customer    string `json:"customer,omitempty"`    // of the unit's job
	OrderNumber string `json:"orderNumber,omitempty"` // of the unit's job
	ShipmentID  string `json:"shipmentId,omitempty"`  // with which the unit, or the outermost unit around it, is away
}

// Place is where a unit is.
type Place struct {
	StepID string `json:"stepId,omitempty"`
	Step   string `json:"step,omitempty"`

	Supplier string `json:"supplier,omitempty" export:"atSupplier"` // the unit is there for outside work
	Customer string `json:"customer,omitempty" export:"atCustomer"` // the unit was delivered there
}

// Compare orders lots by number, then units by number.
func (s *State) Compare(other *State) int {
	if c := cmp.Compare(numberOf(s.SerialID, 0), numberOf(other.SerialID, 0)); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(s.LotNumber, other.LotNumber), cmp.Compare(s.LotID, other.LotID))
}

// Use is a unit that contains another unit or a lot at any depth, or a lot that was split from the lot.
type Use struct {
	State
	Depth int `json:"depth"` // 1 for what contains it directly, 0 for a lot that was split from it
}

// Link says that a unit contains a unit or a lot. A Link without ParentID is a lot that was split from the lot in question.
type Link struct {
	ParentID string // the unit that contains the other
	SerialID string
	LotID    string
}

// Uses returns the lots and units that links connect with a unit or a lot, with the least depth of each. The result is not in order, and
// its states have only identifiers.
func Uses(id string, links []Link) []Use {
	above := map[string][]string{}
	found := []Use{}
	level := []string{id}
	for _, link := range links {
		switch {
		case link.ParentID != "":
			below := cmp.Or(link.SerialID, link.LotID)
			above[below] = append(above[below], link.ParentID)
		case link.LotID != id:
			level = append(level, link.LotID)
			found = append(found, Use{State: State{LotID: link.LotID}})
		}
	}
	seen := map[string]bool{id: true}
	for depth := 1; len(level) > 0; depth++ {
		var next []string
		for _, below := range level {
			for _, parent := range above[below] {
				if !seen[parent] {
					seen[parent] = true
					next = append(next, parent)
					found = append(found, Use{State{SerialID: parent}, depth})
				}
			}
		}
		level = next
	}
	return found
}

// SetRoots sets the outermost unit of each unit that is inside another unit, and where the unit is if the outermost unit is away. known has
// the states of all units that contain one of these.
func SetRoots(states []*State, known map[string]*State) {
	roots := map[string]string{}
	for _, s := range states {
		if s.Inside == "" {
			continue
		}
		var passed []string
		seen := map[string]bool{}
		root := s.Inside
		for at := s.Inside; at != "" && !seen[at]; at = insideOf(known[at]) {
			seen[at] = true
			if known := roots[at]; known != "" {
				root = known
				break
			}
			root, passed = at, append(passed, at)
		}
		for _, unit := range passed {
			roots[unit] = root
		}
		s.Root = root
		if around := known[root]; s.ShipmentID == "" && around != nil && around.ShipmentID != "" {
			s.ShipmentID, s.At.Supplier, s.At.Customer = around.ShipmentID, around.At.Supplier, around.At.Customer
		}
	}
}

// insideOf returns the unit that contains a unit.
func insideOf(s *State) string {
	if s == nil {
		return ""
	}
	return s.Inside
}

// SortStates orders rows by their states: lots by number, then units by number.
func SortStates[T any](rows []T, state func(*T) *State) {
	slices.SortFunc(rows, func(a, b T) int { return state(&a).Compare(state(&b)) })
}

// LastTime is later than every installation.
const LastTime ident.Timestamp = math.MaxInt64

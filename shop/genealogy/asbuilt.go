package genealogy

import (
	"cmp"
	"math"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// Part is a component of a unit, with the components of the part itself.
type Part struct {
	card.Component
	LotNumber  string `json:"lotNumber,omitempty"`
	Material   string `json:"material,omitempty"`
	HeatNumber string `json:"heatNumber,omitempty"`
	Components []Part `json:"components,omitempty"`
}

// AsBuilt is a unit with all that it contains, or contained at a time.
type AsBuilt struct {
	SerialID   string          `json:"serialId"`
	At         ident.Timestamp `json:"at,omitzero"` // 0 for now
	Components []Part          `json:"components"`
}

// TimeQuery is a moment. The zero TimeQuery is now.
type TimeQuery struct {
	At ident.Timestamp `query:"at"`
}

// Tree returns the components of a unit. rows has the components of the unit and of all units inside it. Units come first, by number, then
// lots, by lot number. The components of a unit are listed once, also where the rows form a circle.
func Tree(serialID string, rows []Part) []Part {
	of := map[string][]Part{}
	for i := range rows {
		of[rows[i].SerialID] = append(of[rows[i].SerialID], rows[i])
	}
	return tree(serialID, of)
}

func tree(serialID string, of map[string][]Part) []Part {
	parts := of[serialID]
	delete(of, serialID)
	slices.SortFunc(parts, func(a, b Part) int {
		return cmp.Or(
			cmp.Compare(numberOf(a.ComponentSerialID, math.MaxInt64), numberOf(b.ComponentSerialID, math.MaxInt64)),
			cmp.Compare(a.LotNumber, b.LotNumber), cmp.Compare(a.ID, b.ID),
		)
	})
	for i := range parts {
		if parts[i].ComponentSerialID != "" {
			parts[i].Components = tree(parts[i].ComponentSerialID, of)
		}
	}
	return parts
}

// numberOf returns the number of a unit, and other for an identifier that is not a unit's.
func numberOf(serialID string, other int64) int64 {
	if _, number, ok := ident.SplitSerialID(serialID); ok {
		return number
	}
	return other
}

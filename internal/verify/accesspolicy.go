package verify

import (
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// accessPolicy reads the roles that need a second factor from an entry.
func (c *RecordCheck) accessPolicy(entry *trail.Entry) error {
	var told struct {
		After struct {
			SecondFactor []string `json:"secondFactor"`
		} `json:"after"`
	}
	err := trail.ReadMetadata(entry, &told)
	if err == nil {
		c.second = slices.Sorted(slices.Values(told.After.SecondFactor))
	}
	return err
}

func (c *RecordCheck) compareAccessPolicy(tx shop.Reader, found func(RecordDifference)) error {
	roles, err := tx.SecondFactorRoles()
	if err != nil {
		return err
	}
	var d trail.Differing
	d.Unless(slices.Equal(roles, c.second), "secondFactor")
	reportFields(found, shop.RecordAccessPolicy, "", d)
	return nil
}

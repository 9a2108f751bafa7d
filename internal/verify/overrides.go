package verify

import (
	"fmt"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// overridesDiffer reports whether the overrides of a serial, including reversed ones, differ from its entries. Without an entry for an
// override it compares nothing: active overrides are on the card, which another check compares.
func overridesDiffer(tx shop.Reader, serialID string, entries []trail.Entry) ([]string, error) {
	var told []card.Override
	for i := range entries {
		switch e := &entries[i]; e.Action { //nolint:exhaustive // only these actions concern overrides
		case card.ActionStepOverrideCreated:
			var made struct {
				Reason string `json:"reason"`
			}
			if err := trail.ReadMetadata(e, &made); err != nil {
				return nil, nil //nolint:nilerr // entries that cannot be replayed were reported before
			}
			told = append(told, card.Override{
				StepID: e.StepID, Active: true, Reason: made.Reason, CreatedBy: e.UserID, CreatedAt: e.Timestamp,
			})
		case card.ActionStepOverrideReversed:
			for j := range told {
				if told[j].StepID == e.StepID {
					told[j].Active = false
				}
			}
		}
	}
	if len(told) == 0 {
		return nil, nil
	}
	kept, err := tx.OverridesOfSerial(serialID)
	if err != nil {
		return nil, err
	}
	var d trail.Differing
	d.Unless(slices.Equal(overrideTexts(told), overrideTexts(kept)), "overrides")
	return d, nil
}

// overrideTexts describes overrides as entries do, sorted.
func overrideTexts(overrides []card.Override) []string {
	texts := make([]string, len(overrides))
	for i, o := range overrides {
		texts[i] = fmt.Sprintf("%q %t %q %q %d", o.StepID, o.Active, o.Reason, o.CreatedBy, o.CreatedAt)
	}
	slices.Sort(texts)
	return texts
}

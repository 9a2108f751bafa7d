package web

import (
	"strings"

	"github.com/routecard/routecard/shop"
)

// unitTyped is the identifier of the unit that somebody typed or scanned into a field: the identifier, its number alone, or a number
// that is engraved on it, in whatever code. Several units are refused, by name. What names no unit stays as serialTyped has it.
func (v *visit) unitTyped(typed string) (string, error) {
	units, err := v.views.UnitsCalled(v.r.Context(), strings.TrimSpace(typed))
	switch {
	case err != nil:
		return "", err
	case len(units) == 1:
		return units[0].ID, nil
	case len(units) == 0:
		return serialTyped(typed), nil
	}
	const shown = 5
	ids := make([]string, len(units))
	for i := range units {
		ids[i] = units[i].ID
	}
	more := ""
	if len(ids) > shown {
		more = " and others"
	}
	return "", shop.Refuse(manyUnits, visible(typed), strings.Join(ids[:min(len(ids), shown)], ", ")+more)
}

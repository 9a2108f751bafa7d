package unitcard

import (
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
)

// setSerialNumber sets or corrects a unit's own number.
func setSerialNumber(v *site.Visit, id string) (done string, err error) {
	_, err = v.Service.SetSerialNumber(v.R.Context(), id, shop.SetSerialNumberInput{
		SerialNumber: v.Text("serialNumber"), Reason: v.Text("reason"), UserID: v.User(),
	})
	return v.T("Own number set: {unit}.", "unit", id), err
}

// NumberReserved reports whether the unit has an own number, from an earlier version, that a scan would read as one of Routecard's codes.
func (p *Page) NumberReserved() bool {
	number := p.Serial().SerialNumber
	return number != "" && shop.RefuseReserved(p.Prefix, "serialNumber", number, "") != nil
}

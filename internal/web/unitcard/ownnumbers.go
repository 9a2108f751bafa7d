package unitcard

import (
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
)

// setSerialNumber gives a unit its own number, or corrects it.
func setSerialNumber(v *site.Visit, id string) (done string, err error) {
	_, err = v.Service.SetSerialNumber(v.R.Context(), id, shop.SetSerialNumberInput{
		SerialNumber: v.Text("serialNumber"), Reason: v.Text("reason"), UserID: v.User(),
	})
	return "Own number set: " + id + ".", err
}

// NumberReserved reports whether the unit got an own number from an earlier version that a scan reads as a code of Routecard.
func (p *Page) NumberReserved() bool {
	number := p.Serial().SerialNumber
	return number != "" && shop.RefuseReserved("serialNumber", number, "") != nil
}

package web

import (
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

var ownNumberWords = wording{
	of: []ident.RecordKind{shop.RecordSerial},
	sentences: map[*refusal.Reason]sentence{
		shop.OwnNumberTaken:  {"serialNumber", "Another unit has it, {serialId}: look which of the two it is engraved on."},
		shop.NotVisible:      {"serialNumber", "An own number has visible characters only."},
		shop.NumberIsID:      {"serialNumber", "That looks like the number of another unit here: a scan of it could mean both."},
		shop.NumberTwice:     {"serialNumbers", "A number is there twice."},
		shop.NumberingFull:   {"digits", "{last} has more digits."},
		shop.TwoNumberings:   {"first", "Either list the numbers, or say how to count."},
		shop.QuantityDiffers: {"quantity", "There are {count} numbers."},
	},
	fields: map[string]field{
		"serialNumber": {name: "serialNumber", label: "own number", absent: "Type the number that is engraved."},
	},
}

// setSerialNumber gives a unit its own number, or corrects it.
func setSerialNumber(v *visit, id string) (done string, err error) {
	_, err = v.service.SetSerialNumber(v.r.Context(), id, shop.SetSerialNumberInput{
		SerialNumber: v.text("serialNumber"), Reason: v.text("reason"), UserID: v.user(),
	})
	return "Own number set: " + id + ".", err
}

// NumberReserved reports whether the unit got an own number from an earlier version that a scan reads as a code of Routecard.
func (p *cardPage) NumberReserved() bool {
	number := p.Serial().SerialNumber
	return number != "" && shop.RefuseReserved("serialNumber", number, "") != nil
}

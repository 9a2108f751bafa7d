package wording

import (
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

var ownNumberWords = nounWords{
	of: []ident.RecordKind{shop.RecordSerial},
	sentences: map[*refusal.Reason]sentence{
		shop.OwnNumberTaken:  {"serialNumber", "Another unit has it, {serialId}: look which of the two it is engraved on."},
		shop.NotVisible:      {"serialNumber", "An own number has visible characters only."},
		shop.NumberIsID:      {"serialNumber", "That looks like the number of another unit here: a scan of it could mean either."},
		shop.NumberTwice:     {"serialNumbers", "A number is there twice."},
		shop.NumberingFull:   {"digits", "{last} has more digits."},
		shop.TwoNumberings:   {"first", "Either list the numbers, or say how to count."},
		shop.QuantityDiffers: {"quantity", "There are {count} numbers."},
	},
	fields: map[string]field{
		"serialNumber": {name: "serialNumber", Label: "own number", Absent: "Type the number that is engraved."},
	},
}

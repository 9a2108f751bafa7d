package wording

import (
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

var instrumentWords = nounWords{
	of: []ident.RecordKind{shop.RecordInstrument},
	sentences: map[*refusal.Reason]sentence{
		shop.InstrumentNumberTaken: {"number", "Another instrument has that number."},
	},
	fields: map[string]field{
		"number":    {"Number", "number", "", ""},
		"dueDate":   {"Due", "dueDate", "Choose until when it may be used.", ""},
		"result":    {"", "result", "", "Choose the result."},
		"rangeFrom": {"Reads from", "rangeFrom", "", ""},
		"rangeTo":   {"Reads to", "rangeTo", "", ""},
		"unit":      {"Unit", "unit", "Type the unit of the range, such as mm.", ""},
		"asFound":   {"", "asFound", "", "Choose how it was before."},
	},
	things: map[refusal.RecordName]lang.Text{shop.NameInstrument: "instrument"}, //nolint:exhaustive // the noun's own
}

package wording

import (
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

var componentWords = nounWords{
	of: []ident.RecordKind{shop.RecordComponent},
	sentences: map[*refusal.Reason]sentence{
		card.InstallScrapped:   {"", "The unit is scrapped: nothing can be installed in it."},
		card.InsideItself:      {"component", "{serialId} cannot contain itself. Take another component."},
		card.InstalledAlready:  {"component", "{component} is installed in {serialId}. Take another one, or remove it there first."},
		card.ComponentScrapped: {"component", "{serialId} is scrapped. Take another one."},
		card.ComponentOpen:     {"component", "{serialId} is not completed. Complete its steps first, or take another one."},
		card.ComponentHeld:     {"component", "{serialId} is on hold. Have it released first, or take another one. The reason: {reason}"},
		card.InsideAnother:     {"", "{serialId} is installed in {parentId}. Remove it there first."},
		card.ComponentRemoved:  {"", "It is already removed."},
		card.ComponentVoided:   {"", "It is already voided."},
		card.TooManyComponents: {"component", "A unit contains at most {limit} components."},
		card.PartUnneeded:      {"component", "{component} is {partNumber}. The unit needs: {partTypes}. Take one of these."},
		card.PartTypeUnlisted:  {"substituteFor", "The bill of {serialId} has no “{partType}”. Type a part type of the bill."},
		card.NoSubstitute:      {"substituteFor", "{component} is {partType} itself. Leave the substitute empty."},
		card.ComponentUnclear:  {"component", "Scan or type what you install."},
		card.QuantityNotOne:    {"quantity", "The quantity is 1 for a unit, and for a part with its own number."},
		card.LotHeldBack:       {"component", "Lot {lotNumber} is on hold. Take another lot. The reason: {reason}"},
		card.LotExpired:        {"component", "Lot {lotNumber} expired on {date}. Take another lot."},
	},
	fields: map[string]field{
		"quantity":         {"Quantity", "quantity", "Type how much of the lot you install.", ""},
		"partSerialNumber": {"Own number of the part", "partSerialNumber", "", ""},
		"place":            {"Place", "place", "", ""},
		"substituteFor":    {"Substitute for", "substituteFor", "Type the part type of the bill that it replaces.", ""},
		"substituteReason": {"Reason for the substitute", "substituteReason", "Type why it replaces that part.", ""},
		"stepId":           {"At step", "stepId", "", ""},
		"returned":         {"", "returned", "", ""},
	},
	things: map[refusal.RecordName]lang.Text{shop.NameComponent: "component"}, //nolint:exhaustive // the noun's own
}

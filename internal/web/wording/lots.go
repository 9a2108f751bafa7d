package wording

import (
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

var lotWords = nounWords{
	of: []ident.RecordKind{shop.RecordLot},
	sentences: map[*refusal.Reason]sentence{
		shop.LotExists:     {"lotNumber", "Lot {lotNumber} exists already."},
		shop.LotInUse:      {"", "Lot {lotNumber} is in use. Record a count, or put it on hold."},
		shop.LotVoided:     {"", "It is already voided."},
		shop.LotIsVoid:     {"", "Lot {lotNumber} is void."},
		shop.LotUncounted:  {"", "Lot {lotNumber} has no quantity."},
		shop.LotShort:      {"quantity", "Lot {lotNumber} has {remaining} {unit} left."},
		shop.LotTotalLarge: {"quantity", "Use fewer decimal places."},
	},
	fields: map[string]field{
		"material":            {"Material", "material", "", ""},
		"lotNumber":           {"Lot number", "lotNumber", "", ""},
		"category":            {"Category", "category", "", "Choose the category."},
		"supplierLot":         {"Lot number of the supplier", "supplierLot", "", ""},
		"heatNumber":          {"Heat number", "heatNumber", "", ""},
		"supplier":            {"Supplier", "supplier", "", ""},
		"manufacturer":        {"Manufacturer", "manufacturer", "", ""},
		"orderNumber":         {"Purchase order", "orderNumber", "", ""},
		"specification":       {"Specification", "specification", "", ""},
		"code":                {"Code", "code", "", ""},
		"customerApproval":    {"Source", "customerApproval", "", "Choose whether the customer approved the source."},
		"owner":               {"Property of", "owner", "", ""},
		"receivedOn":          {"Received on", "receivedOn", "", ""},
		"expiresOn":           {"May be used until", "expiresOn", "", ""},
		"certificateRequired": {"", "certificateRequired", "", ""},
		"quantity":            {"Quantity", "quantity", "", ""},
		"unit":                {"Unit of measure", "unit", "Choose the unit of the quantity.", "Choose the unit of the quantity."},
		"remaining":           {"Remaining", "remaining", "", ""},
		"holdReason":          {"Reason", "holdReason", "", ""},
		"holdId":              {"", "holdId", "Choose the hold.", ""},
	},
	things: map[refusal.RecordName]lang.Text{shop.NameLot: "lot"}, //nolint:exhaustive // the noun's own
}

package wording

import (
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// PaperLanguages are the names of the languages of papers.
var PaperLanguages = map[string]lang.Text{"en": "English", "de": "German", "es": "Spanish"}

var organizationWords = nounWords{
	of: []ident.RecordKind{shop.RecordOrganization},
	sentences: map[*refusal.Reason]sentence{
		shop.NotPicture: {"logo", "The logo must be a PNG, JPEG or WebP picture."},
	},
	fields: map[string]field{
		"address":      {"Address", "address", "Type the address.", ""},
		"supplierCode": {"Supplier code", "supplierCode", "", ""},
		"logo":         {"Logo", "logo", "", ""},
		"statement":    {"Statement on certificates", "statement", "", ""},
		"lang":         {"Language of papers", "lang", "Choose the language.", "Choose the language."},
	},
	things: map[refusal.RecordName]lang.Text{ //nolint:exhaustive // the noun's own
		shop.NameOrganization: "organization",
	},
}

package wording

import (
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

var firstArticleWords = nounWords{
	of: []ident.RecordKind{shop.RecordFirstArticle},
	sentences: map[*refusal.Reason]sentence{
		shop.NoFiles:                 {"", "This service stores no files. Contact your administrator."},
		shop.NotOnThisPath:           {"units", "{serialId} is not on this route."},
		shop.OnlyForPartial:          {"characteristics", "Leave the characteristics empty, or choose a partial first article."},
		shop.NotCharacteristicOfPath: {"characteristics", "No step of this route has the characteristic {number}."},
		shop.BaselineUnapproved:      {"baseline", "{id} is not an approved first article."},
		shop.BaselineOfOther:         {"baseline", "{id} is a first article of {part}."},
		shop.UnknownFormField:        {"", "The forms have changed. Reload the page."},
		shop.FilledFromRecords:       {"", "Records fill this field now. Reload the page."},
		shop.FirstArticleIncomplete:  {"", "These fields are missing: {fields}."},
		shop.FirstArticleIs:          {"", "It is {status:words} now. Reload the page."},
		shop.FirstArticleVoided:      {"", "It is already voided."},
		shop.ApproverVerified:        {"", "Another person must approve it."},
		shop.CustomerApprovedBefore:  {"", "{name} has already approved it."},
	},
	fields: map[string]field{
		"baseline":        {"Earlier first article", "baseline", "", ""},
		"characteristics": {"Characteristics", "characteristics", "", ""},
		"identifier":      {"FAIR identifier", "identifier", "", ""},
		"approvedOn":      {"Approved on", "approvedOn", "", ""},
	},
	things: map[refusal.RecordName]lang.Text{shop.NameFirstArticle: "first article"}, //nolint:exhaustive // the noun's own
}

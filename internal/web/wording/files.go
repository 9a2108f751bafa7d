package wording

import (
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

var fileWords = nounWords{
	of:        []ident.RecordKind{shop.RecordFileLink},
	sentences: map[*refusal.Reason]sentence{shop.FileLinkVoided: {"", "It is already voided."}},
	things:    map[refusal.RecordName]lang.Text{shop.NameFileLink: "file"}, //nolint:exhaustive // the noun's own
}

package wording

import (
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

var conformanceWords = nounWords{
	of: []ident.RecordKind{shop.RecordConformance},
	sentences: map[*refusal.Reason]sentence{
		shop.SelectionOrShipment:   {"units", "Choose at least one unit."},
		shop.OnConformance:         {"units", "{serialId} is on certificate {conformance} already."},
		shop.ConformanceNotIssued:  {"", "Certificate {conformance} is withdrawn."},
		shop.ConformanceLineTwice:  {"", "The job {jobId} is listed more than once."},
		shop.ConformanceLineEmpty:  {"units", "No unit of the job {jobId} is listed."},
		shop.ShipmentNotToCustomer: {"", "Shipment {shipment} is not to a customer."},
	},
	things: map[refusal.RecordName]lang.Text{ //nolint:exhaustive // the noun's own
		shop.NameConformance: "certificate of conformance",
	},
}

package wording

import (
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

var shipmentWords = nounWords{
	of: []ident.RecordKind{shop.RecordShipment, shop.RecordReceipt},
	sentences: map[*refusal.Reason]sentence{
		card.UnitAway:            {"", "{serialId} is at {party} since {date}. Receive it first, with shipment {id}."},
		card.NotAtOutsideWork:    {"units", "{serialId} is not at a step with outside work."},
		card.SupplierNotApproved: {"supplier", "{supplier} is not approved for {process}."},
		card.NotBack:             {"", "First send the unit out for {step}, and receive it."},
		card.LeftTheStep:         {"", "{serialId} has left the step since. Send it back first."},
		shop.PartyOfOtherKind:    {"", "Choose whether this goes to a supplier or to a customer."},
		shop.NotOnShipment:       {"units", "{serialId} is not on {shipment}."},
		shop.ReceivedAlready:     {"units", "{serialId} was already received. Reload the page."},
		shop.ListedTwice:         {"units", "{serialId} is listed more than once. Leave it in one of the lists."},
		shop.NothingReceived:     {"units", "Choose at least one unit."},
		shop.ReceiptVoided:       {"", "It is already voided."},
		shop.ReportUndecided:     {"units", "{serialId} is on {report}. Decide about it there first."},
		shop.StepsDeferred:       {"units", "{serialId} has deferred steps: {steps}. Complete or waive them first."},
		shop.ForcedUnconceded:    {"units", "{serialId} was completed with open steps, and there is no concession for it."},
		shop.PartMissing:         {"units", "{serialId} lacks this part: {partType}. Install it first."},
		shop.LotUncertified:      {"units", "Lot {lotNumber} has no certificate. Attach it to the lot first."},
	},
	fields: map[string]field{
		"expectedBack":      {"Expected back", "expectedBack", "", ""},
		"packingSlip":       {"Packing slip", "packingSlip", "", ""},
		"rejected.title":    {"What is wrong", "title", "Say what is wrong with the rejected units.", ""},
		"rejected.severity": {"Severity", "severity", "", "Choose the severity."},
	},
	things: map[refusal.RecordName]lang.Text{ //nolint:exhaustive // the noun's own
		shop.NameShipment: "shipment", shop.NameReceipt: "receipt",
	},
}

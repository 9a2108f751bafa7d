package wording

import (
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// ToldInWords are the labels of audit entries for which the name of the action is not clear enough or does not comply with docs/words.md.
var ToldInWords = map[trail.Action]lang.Text{ //nolint:exhaustive // see above
	card.ActionSerialCreated:               "Unit created",
	card.ActionSerialAdvanced:              "Unit advanced",
	card.ActionSerialCompleted:             "Unit completed",
	card.ActionSerialScrapped:              "Unit scrapped",
	card.ActionSerialForceCompleted:        "Unit completed with open steps",
	card.ActionSerialNumberSet:             "Own number set",
	card.ActionStepOverrideCreated:         "Step made optional for a unit",
	card.ActionStepOverrideReversed:        "Override removed",
	shop.ActionCertAttached:                "Certificate attached",
	shop.ActionLotCertAttached:             "Certificate attached to a lot",
	card.ActionSerialSent:                  "Unit sent",
	card.ActionSerialReceived:              "Unit received",
	shop.ActionReceiptCertAttached:         "Certificate attached to a receipt",
	card.ActionSerialHeld:                  "Put on hold",
	card.ActionSerialReleased:              "Released from hold",
	card.ActionSerialReworked:              "Sent back for rework",
	shop.ActionLimitsFrozen:                "Control limits frozen",
	shop.ActionRecordVoided:                "Voided",
	shop.ActionNonconformanceDispositioned: "Nonconformance decided",
	shop.ActionRecordSigned:                "Signed",
	shop.ActionPathCreated:                 "Route created",
	card.ActionPathUpdated:                 "Route changed",
	shop.ActionPathDeleted:                 "Route deleted",
	shop.ActionAdvancementModeChanged:      "Way of moving changed",
	shop.ActionStepConfigChanged:           "Step changed",
	card.ActionSerialBOMSet:                "Bill of material of the unit changed",
	shop.ActionPathBOMSet:                  "Bill of material of the route changed",
	shop.ActionBOMCreated:                  "Bill of material created",
	shop.ActionBOMUpdated:                  "Bill of material renamed",
	shop.ActionBOMEdited:                   "Bill of material changed",
	shop.ActionUserCreated:                 "Operator added",
	shop.ActionUserChanged:                 "Operator changed",
	shop.ActionLedgerEntriesFound:          "Entries found after a stop",
}

// PermissionWords returns the label of a permission.
func PermissionWords(l *lang.Language, permission shop.Permission) string {
	if permission == shop.ActFor {
		return l.T("act for others")
	}
	return l.Lookup(lang.Text("a permission|" + string(permission))) // not a text: a context
}

// MeansWords describes how the author of an entry signed in. It returns "" if there is nothing to describe.
func MeansWords(l *lang.Language, means string) string {
	kind, id, _ := strings.Cut(means, ":")
	switch kind {
	case "session":
		return l.T("signed in")
	case "token":
		return l.T("with the token {id}", "id", id)
	case "station":
		return l.T("at the station {id}", "id", id)
	default:
		return means
	}
}

// ActionWords returns the label of an audit entry: the label in ToldInWords, or else the name of the action in words.
func ActionWords(l *lang.Language, action trail.Action) string {
	if text, known := ToldInWords[action]; known {
		return l.Lookup(text)
	}
	return lang.Words(l, action)
}

package wording

import (
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// ToldInWords are the labels of audit entries for which the name of the action is not clear enough or does not follow docs/words.md.
var ToldInWords = map[trail.Action]string{ //nolint:exhaustive // see above
	card.ActionSerialCreated:               "Unit created",
	card.ActionSerialAdvanced:              "Unit advanced",
	card.ActionSerialCompleted:             "Unit completed",
	card.ActionSerialScrapped:              "Unit scrapped",
	card.ActionSerialForceCompleted:        "Unit completed with open steps",
	card.ActionSerialNumberSet:             "Own number set",
	card.ActionStepOverrideCreated:         "Step made optional for a unit",
	card.ActionStepOverrideReversed:        "Override removed",
	shop.ActionCertAttached:                "Certificate attached",
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
	shop.ActionBOMCreated:                  "Bill of material created",
	shop.ActionBOMUpdated:                  "Bill of material renamed",
	shop.ActionBOMEdited:                   "Bill of material changed",
	shop.ActionUserCreated:                 "Operator added",
	shop.ActionUserChanged:                 "Operator changed",
	shop.ActionLedgerEntriesFound:          "Entries found after a stop",
}

// PermissionWords returns the label of a permission.
func PermissionWords(permission shop.Permission) string {
	if permission == shop.ActFor {
		return "act for others"
	}
	return string(permission)
}

// MeansWords describes how the author of an entry signed in, "" for nothing.
func MeansWords(means string) string {
	kind, id, _ := strings.Cut(means, ":")
	switch kind {
	case "session":
		return "signed in"
	case "token":
		return "with the token " + id
	case "station":
		return "at the station " + id
	default:
		return means
	}
}

// ActionWords returns the label of an audit entry: its entry in ToldInWords, or else the name of the action as words.
func ActionWords(action trail.Action) string {
	if text, known := ToldInWords[action]; known {
		return text
	}
	return Words(action)
}

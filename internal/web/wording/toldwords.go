package wording

import (
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// ToldInWords are the words for what an entry of the trail tells, where the name of the action does not say it well enough, or not
// in the words of docs/words.md.
var ToldInWords = map[trail.Action]string{ //nolint:exhaustive // see above
	shop.ActionSerialCreated:               "Unit created",
	card.ActionSerialAdvanced:              "Unit advanced",
	card.ActionSerialCompleted:             "Unit completed",
	card.ActionSerialScrapped:              "Unit scrapped",
	card.ActionSerialForceCompleted:        "Unit completed with open steps",
	shop.ActionSerialNumberSet:             "Own number set",
	card.ActionStepOverrideCreated:         "Step made optional for a unit",
	shop.ActionStepOverrideReversed:        "Override removed",
	shop.ActionCertAttached:                "Certificate attached",
	card.ActionSerialHeld:                  "Put on hold",
	card.ActionSerialReleased:              "Released from hold",
	card.ActionSerialReworked:              "Sent back for rework",
	shop.ActionLimitsFrozen:                "Control limits frozen",
	shop.ActionRecordVoided:                "Voided",
	shop.ActionNonconformanceDispositioned: "Nonconformance decided",
	shop.ActionRecordSigned:                "Signed",
	shop.ActionPathCreated:                 "Route created",
	shop.ActionPathUpdated:                 "Route changed",
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

// PermissionWords is what a permission is called on the pages.
func PermissionWords(permission shop.Permission) string {
	if permission == shop.ActFor {
		return "act for others"
	}
	return string(permission)
}

// MeansWords say what whoever made an entry came in with, "" for nothing.
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

// ActionWords says what an audit entry tells in the words of the shop: the name of the action as words, unless toldInWords has
// others.
func ActionWords(action trail.Action) string {
	if text, known := ToldInWords[action]; known {
		return text
	}
	return Words(action)
}

package web

import (
	"strings"

	"github.com/routecard/routecard/shop"
)

// toldInWords are the words for what an entry of the trail tells, where the name of the action does not say it well enough.
var toldInWords = map[shop.AuditAction]string{ //nolint:exhaustive // see above
	shop.ActionSerialHeld:         "Put on hold",
	shop.ActionSerialReleased:     "Released from hold",
	shop.ActionSerialReworked:     "Sent back for rework",
	shop.ActionChangeUndone:       "Change taken back",
	shop.ActionRecordVoided:       "Struck through",
	shop.ActionRecordSigned:       "Signed",
	shop.ActionLedgerEntriesFound: "Entries found after a stop",
}

// meansWords say what whoever made an entry came in with, "" for nothing.
func meansWords(means string) string {
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

// actionWords says what an audit entry tells in the words of the shop: the name of the action as words, unless toldInWords has
// others.
func actionWords(action shop.AuditAction) string {
	if text, known := toldInWords[action]; known {
		return text
	}
	return words(action)
}

package web

import (
	"strings"

	"github.com/routecard/routecard/shop"
)

// toldInWords are the words for what an entry of the trail tells: a line for each action.
var toldInWords = map[shop.AuditAction]string{
	shop.ActionSerialCreated:               "Serial created",
	shop.ActionSerialAdvanced:              "Serial advanced",
	shop.ActionSerialCompleted:             "Serial completed",
	shop.ActionSerialScrapped:              "Serial scrapped",
	shop.ActionSerialForceCompleted:        "Serial force completed",
	shop.ActionStepSkipped:                 "Step skipped",
	shop.ActionStepDeferred:                "Step deferred",
	shop.ActionDeferredStepCompleted:       "Deferred step completed",
	shop.ActionStepWaived:                  "Step waived",
	shop.ActionStepOverrideCreated:         "Step override created",
	shop.ActionStepOverrideReversed:        "Step override reversed",
	shop.ActionCertAttached:                "Cert attached",
	shop.ActionNoteCreated:                 "Note created",
	shop.ActionFileAttached:                "File attached",
	shop.ActionSerialHeld:                  "Put on hold",
	shop.ActionSerialReleased:              "Released from hold",
	shop.ActionSerialReworked:              "Sent back for rework",
	shop.ActionChangeUndone:                "Change taken back",
	shop.ActionRecordVoided:                "Struck through",
	shop.ActionNonconformanceOpened:        "Nonconformance opened",
	shop.ActionNonconformanceExtended:      "Nonconformance extended",
	shop.ActionNonconformanceDispositioned: "Nonconformance dispositioned",
	shop.ActionNonconformanceClosed:        "Nonconformance closed",
	shop.ActionRecordSigned:                "Signed",
	shop.ActionJobCreated:                  "Job created",
	shop.ActionJobChanged:                  "Job changed",
	shop.ActionPathCreated:                 "Path created",
	shop.ActionPathUpdated:                 "Path updated",
	shop.ActionPathDeleted:                 "Path deleted",
	shop.ActionAdvancementModeChanged:      "Advancement mode changed",
	shop.ActionStepAssigned:                "Step assigned",
	shop.ActionStepConfigChanged:           "Step config changed",
	shop.ActionTemplateApplied:             "Template applied",
	shop.ActionCertificateCreated:          "Certificate created",
	shop.ActionBOMCreated:                  "Bom created",
	shop.ActionBOMUpdated:                  "Bom updated",
	shop.ActionBOMEdited:                   "Bom edited",
	shop.ActionUserCreated:                 "User created",
	shop.ActionUserChanged:                 "User changed",
	shop.ActionTemplateCreated:             "Template created",
	shop.ActionTemplateChanged:             "Template changed",
	shop.ActionTemplateDeleted:             "Template deleted",
	shop.ActionLedgerStarted:               "Ledger started",
	shop.ActionLedgerRestarted:             "Ledger restarted",
	shop.ActionLedgerEntriesFound:          "Entries found after a stop",
	shop.ActionLedgerKeyAdded:              "Ledger key added",
	shop.ActionLedgerKeyRetired:            "Ledger key retired",
	shop.ActionDatabaseRestored:            "Database restored",
	shop.ActionAccountChanged:              "Account changed",
	shop.ActionAccountConfirmed:            "Account confirmed",
	shop.ActionSecretChanged:               "Secret changed",
	shop.ActionTokenCreated:                "Token created",
	shop.ActionTokenRevoked:                "Token revoked",
	shop.ActionStationCreated:              "Station created",
	shop.ActionStationRevoked:              "Station revoked",
	shop.ActionSignInLocked:                "Sign in locked",
	shop.ActionAccountUnlocked:             "Account unlocked",
	shop.ActionSessionEnded:                "Session ended",
	shop.ActionSignaturePolicyChanged:      "Signature policy changed",
	shop.ActionAccessPolicyChanged:         "Access policy changed",
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

// actionWords says what an audit entry tells in the words of the shop, and the name of an action that is not known here, such
// as one of a later version, as words.
func actionWords(action shop.AuditAction) string {
	if text, known := toldInWords[action]; known {
		return text
	}
	return words(action)
}

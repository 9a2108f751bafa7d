package tracker

import "github.com/routecard/routecard/shop/refusal"

// The reasons of refusals that only this package uses, one a line.
var (
	notEnabled     = refusal.NewReason(refusal.Invalid, "tracker_not_enabled", "Tracker integration is not enabled")
	ticketTaken    = refusal.NewReason(refusal.Invalid, "ticket_linked", "Ticket {ticketKey} is already linked to job {jobId}")
	ticketTakenBy  = refusal.NewReason(refusal.Invalid, "ticket_linked", "Ticket {ticketKey} is already linked to another job")
	quantityUnread = refusal.NewReason(refusal.Invalid, "ticket_quantity_unread",
		"The quantity of ticket {ticketKey} is no whole number: {quantity}. Send {field}")
	notLinked     = refusal.NewReason(refusal.Invalid, "job_not_linked", "Job is not linked to a tracker ticket")
	noteOfOther   = refusal.NewReason(refusal.Invalid, "note_of_other_job", "Note {noteId} does not belong to job {jobId}")
	trackerFailed = refusal.NewReason(refusal.Upstream, "tracker_failed", "Tracker API error: {status}")
)

package tracker

import "github.com/routecard/routecard/shop"

// The reasons for which only this package refuses, one a line.
var (
	notEnabled     = shop.NewReason(shop.Invalid, "tracker_not_enabled", "Tracker integration is not enabled")
	ticketTaken    = shop.NewReason(shop.Invalid, "ticket_linked", "Ticket {ticketKey} is already linked to job {jobId}")
	ticketTakenBy  = shop.NewReason(shop.Invalid, "ticket_linked", "Ticket {ticketKey} is already linked to another job")
	quantityUnread = shop.NewReason(shop.Invalid, "ticket_quantity_unread",
		"The quantity of ticket {ticketKey} is no whole number: {quantity}. Send {field}")
	notLinked     = shop.NewReason(shop.Invalid, "job_not_linked", "Job is not linked to a tracker ticket")
	noteOfOther   = shop.NewReason(shop.Invalid, "note_of_other_job", "Note {noteId} does not belong to job {jobId}")
	trackerFailed = shop.NewReason(shop.Upstream, "tracker_failed", "Tracker API error: {status}")
)

package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/internal/tracker"
)

func linkTicket(s *Server, c *call) error {
	linked, err := s.tracker.LinkTicket(c.r.Context(), tracker.LinkTicketInput{
		TicketKey: c.body.text("ticketKey"), TemplateID: c.body.text("templateId"),
		GoalQuantity: c.body.number("goalQuantity"), ChangedBy: c.body.text("changedBy"),
	})
	return answer(c, http.StatusOK, linked, err)
}

func postComment(s *Server, c *call) error {
	posted, err := s.tracker.PostComment(c.r.Context(), tracker.CommentInput{
		JobID: c.body.text("jobId"), NoteID: c.body.text("noteId"),
	})
	return answer(c, http.StatusOK, posted, err)
}

func listTickets(s *Server, c *call) error {
	tickets, err := s.tracker.Tickets(c.r.Context())
	return answer(c, http.StatusOK, tickets, err)
}

func getTicket(s *Server, c *call) error {
	ticket, err := s.tracker.Ticket(c.r.Context(), c.r.PathValue("key"))
	return answer(c, http.StatusOK, ticket, err)
}

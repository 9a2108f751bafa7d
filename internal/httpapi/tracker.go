package httpapi

import (
	"net/http"

	"github.com/routecard/routecard"
)

func linkTicket(s *Server, c *call) error {
	linked, err := s.service.LinkTicket(c.r.Context(), routecard.LinkTicketInput{
		TicketKey: c.body.text("ticketKey"), TemplateID: c.body.text("templateId"),
		GoalQuantity: c.body.number("goalQuantity"), ChangedBy: c.body.text("changedBy"),
	})
	return answer(c, http.StatusOK, linked, err)
}

func postComment(s *Server, c *call) error {
	posted, err := s.service.PostComment(c.r.Context(), routecard.CommentInput{
		JobID: c.body.text("jobId"), NoteID: c.body.text("noteId"),
	})
	return answer(c, http.StatusOK, posted, err)
}

func listTickets(s *Server, c *call) error {
	tickets, err := s.service.Tickets(c.r.Context())
	return answer(c, http.StatusOK, tickets, err)
}

func getTicket(s *Server, c *call) error {
	ticket, err := s.service.Ticket(c.r.Context(), c.r.PathValue("key"))
	return answer(c, http.StatusOK, ticket, err)
}

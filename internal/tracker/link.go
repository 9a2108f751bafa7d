package tracker

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// IssueTracker is all that the operations need of an issue tracker. It is safe for concurrent use, every call ends
// within a bounded time, and whatever goes wrong is an *APIError or the error of the ended context.
// What it returns is not trusted; the operations clean it.
type IssueTracker interface {
	// Ticket returns one ticket. Its key may differ from the requested one, if the ticket was moved.
	Ticket(ctx context.Context, key string) (Ticket, error)
	// Tickets returns the open tickets, newest first, up to a limit of the tracker's own.
	Tickets(ctx context.Context) ([]Ticket, error)
	// AddComment adds a comment whose last line is the marker, and returns the comment's identifier. It does not look
	// for the marker first. Should it try again by itself, it looks before.
	AddComment(ctx context.Context, key, text, marker string) (commentID string, err error)
	// FindComment returns the identifier of the ticket's comment whose last line is the marker, or "".
	FindComment(ctx context.Context, key, marker string) (commentID string, err error)
}

// APIError says that the tracker did not do what it was asked.
type APIError struct {
	// Status is the HTTP status of the tracker's response, or one of the words below.
	Status string
	// Maybe is true when a comment that was being added may have been added all the same.
	Maybe bool
	// Pending is true when the tracker may still add it.
	Pending bool
}

// The statuses of an APIError without an HTTP status.
const (
	TrackerTimeout     = "timeout"          // it did not respond in time
	TrackerUnreachable = "unreachable"      // no connection, or one that broke
	TrackerInvalid     = "invalid response" // its response cannot be read, or is too large
	TrackerUnavailable = "unavailable"      // it failed so often that it is not asked for a while
	TrackerPending     = "pending"          // an earlier attempt to post the note has not ended yet
)

func (f *APIError) Error() string { return "Tracker API error: " + f.Status }

// upstream makes what a caller may see of a tracker's failure.
func upstream(err error) error {
	if failure, ok := errors.AsType[*APIError](err); ok {
		return refusal.Refuse(trackerFailed, failure.Status)
	}
	return err
}

// Link connects the business to an issue tracker: it makes jobs from tickets, and posts comments to tickets. It is safe for concurrent use.
type Link struct {
	shop   *shop.Service
	store  shop.Store
	issues IssueTracker // nil when there is none
	pause  shop.Pause
}

// NewLink connects a shop to an issue tracker. Where that is nil, every operation is refused.
func NewLink(service *shop.Service, issues IssueTracker, pause shop.Pause) *Link {
	return &Link{shop: service, store: service.Store(), issues: issues, pause: pause}
}

// issueTracker returns the tracker, or the refusal when there is none.
func (l *Link) issueTracker() (IssueTracker, error) {
	if l.issues == nil {
		return nil, refusal.Refuse(notEnabled)
	}
	return l.issues, nil
}

// Ticket is a ticket of the tracker, as far as jobs need it.
type Ticket struct {
	Key        string   `json:"key"`
	Summary    string   `json:"summary"`
	Status     string   `json:"status,omitempty"`
	Priority   string   `json:"priority,omitempty"`
	PartNumber string   `json:"partNumber,omitempty"`
	Quantity   int64    `json:"quantity,omitempty"` // 0 when the ticket names none
	EpicLink   string   `json:"epicLink,omitempty"`
	Labels     []string `json:"labels,omitempty"`
	URL        string   `json:"url,omitempty"` // its page, http or https only

	// Issue identifies the ticket for good, with the tracker that it belongs to; its key changes when it is moved. "" if unknown.
	Issue string `json:"-"`

	QuantityUnread string `json:"-"` // what its quantity says when that is not a whole number above zero
}

// labelLimit is how many labels of a ticket are taken over.
const labelLimit = 100

// clean makes a tracker's words fit to be stored and shown: one line each, no control characters, of bounded length.
func (t Ticket) clean() Ticket {
	for _, text := range []*string{&t.Key, &t.Summary, &t.Status, &t.Priority, &t.PartNumber, &t.EpicLink} {
		*text = oneLine(*text)
	}
	if issue := oneLine(t.Issue); issue != t.Issue || utf8.RuneCountInString(issue) >= input.NameLimit { // it may be cut
		t.Issue = ""
	}
	labels := make([]string, 0, min(len(t.Labels), labelLimit))
	for _, label := range t.Labels {
		if label = oneLine(label); label != "" && len(labels) < labelLimit {
			labels = append(labels, label)
		}
	}
	t.Labels = slices.Clip(labels)
	if t.Quantity < 0 || t.Quantity > input.NumberLimit {
		t.Quantity, t.QuantityUnread = 0, strconv.FormatInt(t.Quantity, 10)
	}
	if page, err := url.Parse(t.URL); err != nil || page.Host == "" || (page.Scheme != "http" && page.Scheme != "https") {
		t.URL = ""
	}
	return t
}

// oneLine makes a name of a foreign text. White space of any kind becomes single spaces; invisible characters, and those that change the
// direction of writing, are removed; a name that is too long is cut.
func oneLine(text string) string {
	text = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case unicode.IsControl(c), unicode.Is(unicode.Cf, c), c == utf8.RuneError:
			return -1
		}
		return c
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > input.NameLimit {
		text = strings.TrimSpace(string([]rune(text)[:input.NameLimit]))
	}
	return text
}

// Tickets returns the open tickets of the tracker.
func (l *Link) Tickets(ctx context.Context) ([]Ticket, error) {
	worktracker, err := l.issueTracker()
	if err != nil {
		return nil, err
	}
	tickets, err := worktracker.Tickets(ctx)
	if err != nil {
		return nil, upstream(err)
	}
	cleaned := make([]Ticket, 0, len(tickets))
	for _, ticket := range tickets {
		if ticket = ticket.clean(); ticket.Key != "" {
			cleaned = append(cleaned, ticket)
		}
	}
	return cleaned, nil
}

// Ticket returns one ticket.
func (l *Link) Ticket(ctx context.Context, key string) (Ticket, error) {
	worktracker, err := l.issueTracker()
	if err != nil {
		return Ticket{}, err
	}
	ticket, err := worktracker.Ticket(ctx, key)
	if err != nil {
		return Ticket{}, upstream(err)
	}
	if ticket = ticket.clean(); ticket.Key == "" {
		return Ticket{}, upstream(&APIError{Status: TrackerInvalid})
	}
	return ticket, nil
}

// LinkTicketInput is the body of Link Tracker Ticket.
type LinkTicketInput struct {
	TicketKey    input.TextInput   `field:"ticketKey"`
	TemplateID   input.TextInput   `field:"templateId"`   // no path when missing
	GoalQuantity input.NumberInput `field:"goalQuantity"` // the ticket's quantity when missing, or 1
	ChangedBy    input.TextInput   `field:"changedBy"`
}

// LinkedTicket is a job that was made from a ticket, and its path when a template was named.
type LinkedTicket struct {
	Job  shop.Job   `json:"job"`
	Path *card.Path `json:"path,omitempty"`
}

// ticketOrder is a validated request to link a ticket.
type ticketOrder struct {
	key          string
	templateID   string
	goalQuantity int64 // 0 to take the ticket's
	userID       string
}

func (in LinkTicketInput) check(caller shop.Caller) (order ticketOrder, err error) {
	if order.key, err = input.RequiredName("ticketKey", in.TicketKey); err != nil {
		return order, err
	}
	order.key = strings.TrimSpace(order.key)
	if order.templateID, err = input.OptionalText("templateId", in.TemplateID); err != nil {
		return order, err
	}
	if !in.GoalQuantity.Missing() {
		if order.goalQuantity, err = input.ChangedQuantity("goalQuantity", in.GoalQuantity); err != nil {
			return order, err
		}
	}
	order.userID, err = shop.ChangedBy(caller, in.ChangedBy)
	return order, err
}

// job is the job that a ticket asks for.
func (order ticketOrder) job(ticket Ticket) shop.Job {
	job := shop.Job{Name: ticket.Summary, GoalQuantity: order.goalQuantity}
	if job.Name == "" {
		job.Name = ticket.Key
	}
	if job.GoalQuantity == 0 {
		job.GoalQuantity = max(ticket.Quantity, 1)
	}
	job.TicketFields = shop.TicketFields{
		TicketKey: ticket.Key, TicketSummary: ticket.Summary, TicketPart: ticket.PartNumber,
		TicketPriority: ticket.Priority, EpicLink: ticket.EpicLink,
	}
	if len(ticket.Labels) > 0 {
		job.TicketFields.Labels = &ticket.Labels
	}
	return job
}

// LinkTicket makes a job from a ticket and, with a template, its path. A ticket that a job carries already is refused:
// the same order would be made twice. Nothing is made when the tracker fails.
func (l *Link) LinkTicket(ctx context.Context, in LinkTicketInput) (LinkedTicket, error) {
	var linked LinkedTicket
	if done, err := l.shop.DoneBefore(ctx, &linked); done || err != nil {
		return linked, err
	}
	if _, err := l.issueTracker(); err != nil {
		return LinkedTicket{}, err
	}
	order, err := in.check(shop.CallerOf(ctx))
	if err != nil {
		return LinkedTicket{}, err
	}
	if order.templateID != "" {
		// Checked again below, where it counts: this spares the tracker a useless request.
		if _, err := l.shop.Template(ctx, order.templateID); err != nil {
			return LinkedTicket{}, err
		}
	}
	ticket, err := l.Ticket(ctx, order.key)
	if err != nil {
		return LinkedTicket{}, err
	}
	err = l.shop.Commit(ctx, &linked, func(tx shop.Tx) error {
		linked = LinkedTicket{Job: order.job(ticket)}
		if err := l.insertLinkedJob(tx, &linked.Job, ticket.Issue, order.userID); err != nil {
			return err
		}
		if order.goalQuantity == 0 && ticket.QuantityUnread != "" { // after the refusal of a ticket that is linked already
			return refusal.RefuseField(quantityUnread, "goalQuantity", ticket.Key, ticket.QuantityUnread)
		}
		if order.templateID == "" {
			return nil
		}
		template, err := shop.FindTemplate(tx, order.templateID)
		if err != nil {
			return err
		}
		path, err := l.shop.AddPathBy(tx, template, linked.Job.ID, template.Name, linked.Job.GoalQuantity, order.userID)
		linked.Path = &path
		return err
	})
	if err != nil {
		return LinkedTicket{}, err
	}
	return linked, nil
}

// insertLinkedJob adds a job unless another one carries its ticket, also under an earlier key.
func (l *Link) insertLinkedJob(tx interface {
	shop.AuditStore
	shop.ExternalStore
	shop.JobStore
	shop.TicketStore
}, job *shop.Job, issue, userID string) error {
	other, err := tx.JobOfIssue(issue)
	if errors.Is(err, shop.ErrNoRecord) {
		other, err = tx.JobOfTicket(job.TicketKey)
	}
	if err == nil {
		return refusal.Refuse(ticketTaken, job.TicketKey, other)
	}
	if !errors.Is(err, shop.ErrNoRecord) {
		return err
	}
	if err := l.shop.AddJob(tx, job, userID); err != nil {
		return err
	}
	err = tx.InsertTicketLink(job.TicketKey, issue, job.ID)
	if errors.Is(err, shop.ErrDuplicate) {
		return refusal.Refuse(ticketTakenBy, job.TicketKey)
	}
	return err
}

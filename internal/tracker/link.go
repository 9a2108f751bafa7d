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

// IssueTracker has the methods of an issue tracker that the operations need. It is safe for concurrent use, and every call ends within a
// bounded time. Every error is an *APIError or the error of the context that ended. Its results are not trusted; the operations clean them.
type IssueTracker interface {
	// Ticket returns one ticket. Its key may differ from the requested one, if the ticket was moved.
	Ticket(ctx context.Context, key string) (Ticket, error)
	// Tickets returns the open tickets, newest first, up to a limit of the tracker's own.
	Tickets(ctx context.Context) ([]Ticket, error)
	// AddComment adds a comment whose last line is the marker, and returns the comment's identifier. The first attempt does not look for
	// the marker; further attempts look for it first.
	AddComment(ctx context.Context, key, text, marker string) (commentID string, err error)
	// FindComment returns the identifier of the ticket's comment whose last line is the marker, or "".
	FindComment(ctx context.Context, key, marker string) (commentID string, err error)
}

// APIError is a failure of a request to the tracker.
type APIError struct {
	// Status is the HTTP status of the tracker's response, or one of the words below.
	Status string
	// Maybe is true if the comment may have been added in spite of the failure.
	Maybe bool
	// Pending is true if the tracker may still add the comment.
	Pending bool
}

// The statuses of an APIError without an HTTP status.
const (
	TrackerTimeout     = "timeout"          // the tracker did not respond in time
	TrackerUnreachable = "unreachable"      // no connection, or a broken one
	TrackerInvalid     = "invalid response" // the response cannot be read, or is too large
	TrackerUnavailable = "unavailable"      // the tracker failed so often that requests are suspended for a while
	TrackerPending     = "pending"          // an earlier attempt to post the note has not ended yet
)

func (f *APIError) Error() string { return "Tracker API error: " + f.Status }

// upstream returns the parts of a tracker's failure that callers may see.
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
	issues IssueTracker // nil without a tracker
	pause  shop.Pause
}

// NewLink connects a shop to an issue tracker. If issues is nil, every operation is refused.
func NewLink(service *shop.Service, issues IssueTracker, pause shop.Pause) *Link {
	return &Link{shop: service, store: service.Store(), issues: issues, pause: pause}
}

// issueTracker returns the tracker, or a refusal if there is none.
func (l *Link) issueTracker() (IssueTracker, error) {
	if l.issues == nil {
		return nil, refusal.Refuse(notEnabled)
	}
	return l.issues, nil
}

// Ticket has the data of a ticket that jobs need.
type Ticket struct {
	Key        string   `json:"key"`
	Summary    string   `json:"summary"`
	Status     string   `json:"status,omitempty"`
	Priority   string   `json:"priority,omitempty"`
	PartNumber string   `json:"partNumber,omitempty"`
	Quantity   int64    `json:"quantity,omitempty"` // 0 if the ticket has none
	EpicLink   string   `json:"epicLink,omitempty"`
	Labels     []string `json:"labels,omitempty"`
	URL        string   `json:"url,omitempty"` // the page of the ticket, http or https only

	// Issue identifies the ticket permanently, including its tracker. Unlike the key, it stays the same when the ticket is moved. "" if
	// unknown.
	Issue string `json:"-"`

	QuantityUnread string `json:"-"` // the quantity as text, if it is not a whole number above zero
}

// labelLimit is the maximum number of labels that a job takes from a ticket.
const labelLimit = 100

// clean makes the texts of a tracker safe to store and to show: one line each, without control characters, of limited length.
func (t Ticket) clean() Ticket {
	for _, text := range []*string{&t.Key, &t.Summary, &t.Status, &t.Priority, &t.PartNumber, &t.EpicLink} {
		*text = oneLine(*text)
	}
	if issue := oneLine(t.Issue); issue != t.Issue || utf8.RuneCountInString(issue) >= input.NameLimit { // the text may have been cut
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

// oneLine makes a name from an untrusted text. White space of any kind becomes single spaces; invisible characters, and those that change
// the direction of writing, are removed; a name that is too long is cut.
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
	TemplateID   input.TextInput   `field:"templateId"`   // if missing, no path is created
	GoalQuantity input.NumberInput `field:"goalQuantity"` // if missing, the ticket's quantity, or 1
	ChangedBy    input.TextInput   `field:"changedBy"`
}

// LinkedTicket is a job that was made from a ticket, and its path if the request had a template.
type LinkedTicket struct {
	Job  shop.Job   `json:"job"`
	Path *card.Path `json:"path,omitempty"`
}

// ticketOrder is a validated request to link a ticket.
type ticketOrder struct {
	key          string
	templateID   string
	goalQuantity int64 // 0 for the ticket's quantity
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

// job returns the job for a ticket.
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

// LinkTicket makes a job from a ticket and, with a template, its path. It refuses a ticket that another job already has, because the same
// order would be made twice. If the tracker fails, it creates nothing.
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
		// Checked here to save a useless request to the tracker. The check that counts follows in the transaction.
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
		if order.goalQuantity == 0 && ticket.QuantityUnread != "" { // a ticket that is already linked was refused above
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

// insertLinkedJob adds a job unless another job has its ticket, possibly under an earlier key.
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

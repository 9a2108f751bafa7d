package shop

import "github.com/routecard/routecard/shop/ident"

// TicketStore is what linking tickets of the issue tracker needs of a database.
type TicketStore interface {
	// JobOfTicket returns the identifier of the oldest job that carries a ticket's key.
	JobOfTicket(key string) (jobID string, err error)
	// JobOfIssue returns the identifier of the job that was made from a ticket, whatever the key of the ticket is now.
	JobOfIssue(issue string) (jobID string, err error)
	// InsertTicketLink records which job was made from a ticket with a key and an issue, "" if that is unknown; ErrDuplicate when one
	// was already.
	InsertTicketLink(key, issue, jobID string) error
}

// NotePost is the intention to post a note to the tracker.
type NotePost struct {
	NoteID       string
	Claimant     string          // who is posting it; "" for nobody, after an attempt of which it is not known how far it came
	ClaimedUntil ident.Timestamp // until when the claimant may be
}

// CommentStore is what posting notes to the issue tracker needs of a database.
type CommentStore interface {
	NotePost(noteID string) (NotePost, error)
	PutNotePost(post NotePost) error // in the place of the one before it
	DeleteNotePost(noteID string) error
}

// What the tables of the business call tickets.
const (
	OpLinkTicket  Operation = "link-ticket"
	OpPostComment Operation = "post-comment"
)

var ticketNoun = noun{
	operations: []operationRow{
		{operation: OpLinkTicket, permission: Plan, subject: AboutJob},
		{operation: OpPostComment, permission: Plan, subject: AboutJob},
	},
}

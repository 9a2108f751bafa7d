package routecard

import (
	"context"
	"iter"
)

// Store keeps everything. It is safe for concurrent use; package internal/storetest says, as a test suite, what a
// store has to promise.
type Store interface {
	// View runs read on one consistent snapshot, taken when it first reads. The Tx refuses to write, and must not be
	// used after read returns.
	View(ctx context.Context, read func(Tx) error) error

	// Update runs change in one transaction. When it returns nil the changes are durable; when it returns an error
	// nothing of them remains, nor when change panics, which its caller sees. A statement that fails fails the Update,
	// also when change carries on. Updates behave as if they ran one after the other.
	// change may run more than once and must not keep anything from a run that was not the last.
	Update(ctx context.Context, change func(Tx) error) error

	// ChangeCard loads the route card of one serial, hands it to change, and commits what it returns, with the same
	// promises as Update. It exists because it is nearly everything a shop does all day: change reads nothing else,
	// so a store may load and write the cards of many callers together.
	// It returns ErrNoRecord when there is no such serial. change may run more than once and must not block.
	ChangeCard(ctx context.Context, serialID string, change func(RouteCard) (CardChange, error)) error

	// Version names the state of everything that is stored: it differs from every name given before something changed.
	// It may also differ when nothing did. What is read afterwards is at least as new as the state it names.
	Version(ctx context.Context) (string, error)

	// Ready reports why the store cannot answer reads and writes just now, or nil.
	Ready(ctx context.Context) error

	// Close waits for what is under way and releases the store; from then on everything else returns an error. It may
	// be called more than once.
	Close() error
}

// Tx is one transaction. It is not safe for concurrent use.
//
// Methods that look one record up return ErrNoRecord when it does not exist. Within Update, what a lookup returned
// stays as it is until the transaction ends. Sequences hold the transaction until they end; while one is being read,
// a View may be asked for further records and an Update may not. Slices are empty rather than nil.
type Tx interface {
	InsertJob(job Job) error
	UpdateJob(job Job) error
	Job(id string) (Job, error)
	Jobs() iter.Seq2[Job, error] // newest first
	// CountSerialsByJob counts the serials of jobs; jobs without serials, and unknown ones, are left out.
	CountSerialsByJob(jobIDs []string) (map[string]SerialCounts, error)
	// JobOfTicket returns the identifier of the oldest job that carries a ticket's key.
	JobOfTicket(key string) (jobID string, err error)
	// InsertTicketLink records which job was made from a ticket; ErrDuplicate when one was already.
	InsertTicketLink(key, jobID string) error

	InsertPath(path Path) error
	// UpdatePath makes the path as before into the path as after. Steps are the same when their ids are.
	UpdatePath(before, after Path) error
	DeletePath(path Path) error
	Path(id string) (Path, error)
	PathsOfJob(jobID string) ([]Path, error) // oldest first
	PathOfStep(stepID string) (Path, error)
	PathHasSerials(id string) (bool, error)
	// StepReferred reports whether an attachment, a note or an override names the step.
	StepReferred(stepID string) (bool, error)
	CountPath(id string) (PathCounts, error)

	// TakeSerialNumbers takes the next numbers out of the counter and returns the first. Numbers that were handed
	// out to a caller are never handed out again.
	TakeSerialNumbers(quantity int64) (first int64, err error)
	InsertSerials(batch SerialBatch) error
	// Serials yields the serials whose number is above after, oldest first.
	Serials(after int64) iter.Seq2[ListedSerial, error]
	// RouteCard loads one card. Its Path is the zero Path when it cannot be resolved.
	RouteCard(serialID string) (RouteCard, error)
	// RouteCards loads the cards of up to a thousand serials; unknown ones are left out.
	RouteCards(serialIDs []string) (map[string]RouteCard, error)

	InsertOverrides(overrides []Override) error
	OverridesOfSerial(serialID string) ([]Override, error) // oldest first

	InsertCertificate(certificate Certificate) error
	Certificate(id string) (Certificate, error)
	Certificates() iter.Seq2[Certificate, error] // newest first
	CertificatesOfSerial(serialID string) ([]Certificate, error)
	InsertAttachments(attachments []Attachment) error
	AttachmentsOfSerial(serialID string) ([]Attachment, error)                  // oldest first
	AttachmentsOfCertificate(certificateID string) iter.Seq2[Attachment, error] // oldest first
	// AttachmentsAmong returns where a certificate is attached to any of up to a thousand serials.
	AttachmentsAmong(certificateID string, serialIDs []string) ([]Attachment, error)

	InsertNote(note Note) error
	Note(id string) (Note, error)
	MarkNotePushed(id, commentID string) error
	NotesOfSerial(serialID string) iter.Seq2[Note, error] // oldest first
	NotesOfStep(stepID string) iter.Seq2[Note, error]     // oldest first
	NotePost(noteID string) (NotePost, error)
	PutNotePost(post NotePost) error // in the place of the one before it
	DeleteNotePost(noteID string) error

	InsertBOM(bom BOM) error
	UpdateBOM(bom BOM) error
	BOM(id string) (BOM, error)
	BOMs() iter.Seq2[BOM, error] // newest first
	InsertBOMVersion(version BOMVersion) error
	BOMVersions(bomID string) iter.Seq2[BOMVersion, error] // newest first
	LatestBOMVersion(bomID string) (int64, error)          // 0 when there is none

	// InsertLibraryEntry returns ErrDuplicate when the library has an entry of that name.
	InsertLibraryEntry(library Library, entry LibraryEntry) error
	LibraryEntries(library Library) iter.Seq2[LibraryEntry, error] // by name, in byte order
	DeleteLibraryEntry(library Library, id string) error           // ErrNoRecord when there is none

	InsertUser(user User) error
	UpdateUser(user User) error
	User(id string) (User, error)
	Users() iter.Seq2[User, error] // active and not, by name in byte order

	InsertTemplate(template Template) error
	UpdateTemplate(template Template) error
	DeleteTemplate(id string) error // ErrNoRecord when there is none
	Template(id string) (Template, error)
	Templates() iter.Seq2[Template, error] // newest first

	// RoutesWithWork returns the paths at whose steps serials in progress may stand: of one operator's steps, or all
	// for "". Only identifiers, names and steps of the paths are filled in.
	RoutesWithWork(operatorID string) ([]Route, error)
	// WaitingSerials returns the serials in progress at one operator's steps, or all for "", by path, position, number.
	WaitingSerials(operatorID string) ([]WaitingSerial, error)
	WaitingAt(pathID string, position int) (numbers []int64, err error) // oldest first
	CountWaitingAt(pathID string, position int) (int64, error)

	// AppendAudit adds entries to the trail in this order. Their ids are made here.
	AppendAudit(entries ...AuditEntry) error
	AuditEntries(limit, offset int64) iter.Seq2[AuditEntry, error] // newest first
	AuditOfSerial(serialID string) iter.Seq2[AuditEntry, error]    // oldest first
	AuditOfJob(jobID string) iter.Seq2[AuditEntry, error]          // oldest first

	// What the pages and the live stream need beside the operations.

	// Places returns the paths that match a filter, or the positions on them when it names a step, newest first.
	Places(filter PlaceFilter, limit int) ([]Place, error)
	// SearchSerials returns the newest serials that match, newest first.
	SearchSerials(search SerialSearch) ([]ListedSerial, error)
	// SerialsStanding returns which serials are in progress at a position of a path, oldest first.
	SerialsStanding(pathID string, position, limit int) ([]string, error)
	StepNames(limit int) ([]string, error) // of the library and of paths, each once
	// SearchAudit returns the entries that match with sequence numbers between after and before, both excluded,
	// newest first. The query's own Before and Limit are not looked at.
	SearchAudit(query AuditQuery, after, before, limit int64) ([]AuditEntry, error)
	AuditAfter(sequence int64, limit int) ([]AuditEntry, error) // oldest first
	LastAuditSequence() (int64, error)                          // 0 when there is none
	// StandingByPosition counts the serials in progress by path and position.
	StandingByPosition() ([]PositionCount, error)
	// FirstStanding returns the oldest serial in progress of each path and position, with the number of them all.
	FirstStanding() ([]FirstStanding, error)
	JobsInProgress() ([]string, error) // jobs with serials in progress, newest first
	// ClosedByQuarter counts the serials that were completed or scrapped since a time.
	ClosedByQuarter(since Timestamp) ([]ClosedCount, error)
	// StandingLongest returns the serials in progress whose last move is longest ago, the longest first.
	StandingLongest(limit int) ([]StandingSerial, error)
}

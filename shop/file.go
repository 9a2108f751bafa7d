package shop

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// File is an uploaded file, identified by its SHA-256. internal/files stores its bytes outside the database.
type File struct {
	SHA256 string `json:"sha256"` // lower-case hex
	Size   int64  `json:"size"`
	Type   string `json:"type"` // detected from the bytes, such as image/png; never the type that the client sent
	// Existed reports whether the bytes were stored before this upload.
	Existed bool `json:"existed"`

	Pixels     int64           `json:"-"` // number of pixels of a picture of known size; otherwise 0
	UploadedAt ident.Timestamp `json:"-"` // time of the last upload
	State      FileState       `json:"-"`
	Attached   bool            `json:"-"` // whether it was ever attached to a record
}

// FileState is the state of a file's bytes.
type FileState string

// The states of a file. Bytes are reliable only in the state FileKept.
const (
	FileArriving FileState = "arriving" // being stored
	FileKept     FileState = "kept"
	FileLeaving  FileState = "leaving" // being removed
)

// pixelLimit is the size of the largest picture that a page shows. A browser decodes it to a bitmap with four bytes per pixel,
// however few bytes the file has.
const pixelLimit = 64 << 20

// pictureTypes are the types of pictures that pages show.
var pictureTypes = []string{"image/png", "image/jpeg", "image/webp"}

// Picture reports whether a page may show the bytes as a picture.
func (f File) Picture() bool {
	return slices.Contains(pictureTypes, f.Type) && 0 < f.Pixels && f.Pixels <= pixelLimit
}

// PDF reports whether the bytes are a PDF document.
func (f File) PDF() bool { return f.Type == "application/pdf" }

// Inline reports whether a browser may display the bytes. All other files are downloaded: markup, including SVG, can contain
// scripts.
func (f File) Inline() bool {
	kind, _, _ := strings.Cut(f.Type, ";")
	return f.Picture() || f.PDF() || kind == "text/plain"
}

// ServedAs returns the type with which the bytes are served. Types that a browser could run or render as a page are served as
// application/octet-stream.
func (f File) ServedAs() string {
	kind, _, _ := strings.Cut(f.Type, ";")
	active := kind == "" || kind != "text/plain" && strings.HasPrefix(kind, "text/") ||
		strings.Contains(kind, "xml") || strings.Contains(kind, "script")
	if active {
		return "application/octet-stream"
	}
	return f.Type
}

// FileKind is the purpose of a file.
type FileKind string

// The kinds of files.
const (
	Drawing         FileKind = "drawing"
	Instruction     FileKind = "instruction"
	Photo           FileKind = "photo"
	CertificateFile FileKind = "certificate"
	ReportFile      FileKind = "report"
	ProgramFile     FileKind = "program"
	OtherFile       FileKind = "other"
)

// FileKinds returns all kinds of files in the order in which the HTTP API lists them.
func FileKinds() []FileKind {
	return []FileKind{Drawing, Instruction, Photo, CertificateFile, ReportFile, ProgramFile, OtherFile}
}

// Needs returns the permission required to attach a file of this kind to a kind of record. Drawings, instructions and programs of
// jobs and routes define how units are produced, so they require Plan.
func (k FileKind) Needs(on ident.RecordKind) Permission {
	planned := on == RecordJob || on == RecordStep || on == RecordTemplate
	if planned && (k == Drawing || k == Instruction || k == ProgramFile) {
		return Plan
	}
	return Work
}

// FileSubject is the record that a file is attached to.
type FileSubject struct {
	Kind ident.RecordKind // one of FileSubjects
	ID   string
}

// FileSubjects returns the kinds of records that files are attached to.
func FileSubjects() []ident.RecordKind {
	return []ident.RecordKind{RecordSerial, RecordJob, RecordStep, RecordCertificate, RecordNonconformance, RecordInstrument, RecordLot}
}

// FileLink is a file attached to a record. It can be voided, but not changed otherwise.
type FileLink struct {
	ID         string          `json:"id"`
	SHA256     string          `json:"sha256"`
	Size       int64           `json:"size"`
	Type       string          `json:"type"`
	Name       string          `json:"name"`
	Kind       FileKind        `json:"kind"`
	Note       string          `json:"note,omitempty"`
	AttachedBy string          `json:"attachedBy"`
	AttachedAt ident.Timestamp `json:"attachedAt"`
	card.Voiding

	On     FileSubject `json:"-"`
	Pixels int64       `json:"-"` // as in File
}

// File returns the file of the link with the fields that the link has.
func (l FileLink) File() File {
	return File{SHA256: l.SHA256, Size: l.Size, Type: l.Type, Pixels: l.Pixels, State: FileKept, Attached: true}
}

// AttachFileInput is the body of Attach File.
type AttachFileInput struct {
	SHA256 input.TextInput `field:"sha256"`
	Name   input.TextInput `field:"name"`
	Kind   input.TextInput `field:"kind"`
	Note   input.TextInput `field:"note"`
	UserID input.TextInput `field:"userId"`
}

func (in AttachFileInput) check(caller Caller) (link FileLink, err error) {
	if link.SHA256, err = input.RequiredName("sha256", in.SHA256); err != nil {
		return link, err
	}
	if link.Name, err = fileName(in.Name); err != nil {
		return link, err
	}
	if in.Kind.Missing() {
		return link, input.NotOneOf("kind", FileKinds())
	}
	if link.Kind, err = input.OneOf("kind", in.Kind, FileKinds()); err != nil {
		return link, err
	}
	if link.Note, err = input.OptionalWithin("note", in.Note, input.TextLimit); err != nil {
		return link, err
	}
	link.AttachedBy, err = requiredUser(caller, in.UserID)
	return link, err
}

// fileName validates the name of a file. Downloads use it, so it must not contain a path.
func fileName(in input.TextInput) (string, error) {
	name, err := input.RequiredTrimmed(in)
	if err != nil {
		return "", err
	}
	if name == "." || name == ".." || strings.ContainsAny(name, `/\`) {
		return "", refusal.RefuseField(NotFileName, "name")
	}
	return name, nil
}

// AttachFile attaches a file to a record. A file can be attached to many records, and to the same record more than once.
func (s *Service) AttachFile(ctx context.Context, on FileSubject, in AttachFileInput) (FileLink, error) {
	var link FileLink
	err := s.Commit(ctx, &link, func(tx Tx) error {
		about, err := entryOfSubject(tx, on)
		if err != nil {
			return err
		}
		if link, err = in.check(CallerOf(ctx)); err != nil {
			return err
		}
		if err := CallerOf(ctx).Require(link.Kind.Needs(on.Kind)); err != nil {
			return err
		}
		file, err := attachableFile(tx, link.SHA256, CallerOf(ctx))
		if err != nil {
			return err
		}
		link = s.linked(link, file, on, s.Now())
		if err := tx.AttachFile([]FileLink{link}); err != nil {
			return err
		}
		return tx.AppendAudit(link.entry(about))
	})
	return link, err
}

// BatchAttachFileInput is the body of Batch Attach File.
type BatchAttachFileInput struct {
	Selection SelectionInput
	DryRun    input.FlagInput `field:"dryRun"`
	AttachFileInput
}

// BatchAttachFile attaches a file to all selected serials, or to none of them.
func (s *Service) BatchAttachFile(ctx context.Context, in BatchAttachFileInput) (result BatchResult, err error) {
	selection, err := in.Selection.check(s.SerialPrefix())
	if err != nil {
		return result, err
	}
	dryRun, err := input.OptionalFlag("dryRun", in.DryRun)
	if err != nil {
		return result, err
	}
	link, err := in.check(CallerOf(ctx))
	if err != nil {
		return result, err
	}
	if err := in.Selection.takeMemory(ctx); err != nil {
		return result, err
	}
	attach := func(tx Tx) error {
		file, err := attachableFile(tx, link.SHA256, CallerOf(ctx))
		if err != nil {
			return err
		}
		ids, err := selection.resolve(tx)
		if err != nil {
			return err
		}
		result = BatchResult{Selected: len(ids), Changed: len(ids), Refused: []Refusal{}}
		now := s.Now()
		return takeListed(ctx, tx, ids, NameSerial, card.CheckCard, func(cards []card.Card) error {
			if dryRun {
				return nil
			}
			links, entries := make([]FileLink, len(cards)), make([]trail.Entry, len(cards))
			for i := range cards {
				links[i] = s.linked(link, file, FileSubject{RecordSerial, cards[i].Serial.ID}, now)
				entries[i] = links[i].entry(entryOfCard(cards[i]))
			}
			if err := tx.AttachFile(links); err != nil {
				return err
			}
			return tx.AppendAudit(entries...)
		})
	}
	if dryRun {
		if err := s.KeyIsFree(ctx); err != nil {
			return result, err
		}
		err = s.store.View(ctx, func(tx Reader) error { return attach(tx) })
		return result, err
	}
	err = s.Commit(ctx, &result, attach, Alone)
	return result, err
}

// linked completes a new link to a file.
func (s *Service) linked(link FileLink, file File, on FileSubject, now ident.Timestamp) FileLink {
	link.ID, link.On, link.AttachedAt = s.NewID(prefixFileLink), on, now
	link.Size, link.Type, link.Pixels = file.Size, file.Type, file.Pixels
	return link
}

// attachableFile returns a file whose bytes are stored and that the caller may read.
func attachableFile(tx FileStore, digest string, caller Caller) (File, error) {
	file, err := tx.File(digest)
	if err == nil {
		err = visibleTo(tx, caller, file)
	}
	return file, OrNotFound(err, NameFile, digest)
}

// visibleTo returns ErrNoRecord unless the caller may read the file. An unattached file is visible only to its uploaders.
func visibleTo(tx FileStore, caller Caller, file File) error {
	if file.State != FileKept {
		return ErrNoRecord
	}
	if file.Attached {
		return nil
	}
	uploaded, err := tx.FileUploadedBy(file.SHA256, caller.Login)
	if err == nil && !uploaded {
		err = ErrNoRecord
	}
	return err
}

// entryOfSubject returns an audit entry that identifies a record to which files can be attached, or a refusal if the record does
// not exist.
func entryOfSubject(tx Tx, on FileSubject) (entry trail.Entry, err error) {
	switch on.Kind {
	case RecordSerial:
		unit, err := tx.RouteCard(on.ID)
		if err != nil {
			return entry, OrNotFound(err, NameSerial, on.ID)
		}
		return entryOfCard(unit), card.CheckCard(unit)
	case RecordJob:
		job, err := FindJob(tx, on.ID)
		return trail.Entry{JobID: job.ID}, err
	case RecordStep:
		path, err := FindPathOfStep(tx, on.ID)
		return trail.Entry{JobID: path.JobID, PathID: path.ID, StepID: on.ID}, err
	case RecordCertificate:
		certificate, err := FindCertificate(tx, on.ID)
		return trail.Entry{CertID: certificate.ID}, err
	case RecordNonconformance:
		report, err := FindNonconformance(tx, on.ID)
		return trail.Entry{StepID: report.StepID}, err
	case RecordInstrument:
		_, err := tx.Instrument(on.ID)
		return entry, OrNotFound(err, NameInstrument, on.ID)
	case RecordLot:
		_, err := tx.Lot(on.ID)
		return entry, OrNotFound(err, NameLot, on.ID)
	default:
		return entry, refusal.RecordName(on.Kind).NotFound(on.ID)
	}
}

func entryOfCard(unit card.Card) trail.Entry {
	return card.EntryAbout(unit.Serial, "", card.StandingOn(unit), "", 0)
}

// FileMetadata is the metadata of the audit entry of an attached file. Its digest proves the bytes.
type FileMetadata struct {
	LinkID           string   `json:"linkId"`
	NonconformanceID string   `json:"nonconformanceId,omitempty"` // the report that the file is attached to
	InstrumentID     string   `json:"instrumentId,omitempty"`     // the instrument that the file is attached to
	LotID            string   `json:"lotId,omitempty"`            // the lot that the file is attached to
	SHA256           string   `json:"sha256"`
	Size             int64    `json:"size"`
	Type             string   `json:"type"`
	Name             string   `json:"name"`
	Kind             FileKind `json:"kind"`
	Note             string   `json:"note,omitempty"`
}

// entry returns the audit entry of attaching the file. about identifies the record.
func (l FileLink) entry(about trail.Entry) trail.Entry {
	about.Action, about.UserID, about.Timestamp = ActionFileAttached, l.AttachedBy, l.AttachedAt
	told := FileMetadata{
		LinkID: l.ID, SHA256: l.SHA256, Size: l.Size, Type: l.Type, Name: l.Name, Kind: l.Kind, Note: l.Note,
	}
	switch l.On.Kind { //nolint:exhaustive // the entry itself identifies the other records
	case RecordNonconformance:
		told.NonconformanceID = l.On.ID
	case RecordInstrument:
		told.InstrumentID = l.On.ID
	case RecordLot:
		told.LotID = l.On.ID
	}
	about.Metadata = trail.Metadata(told)
	return about
}

// LinkOf returns the link that an entry with the action file_attached records.
func LinkOf(entry *trail.Entry) (link FileLink, err error) {
	var told FileMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return link, err
	}
	link = FileLink{
		ID: told.LinkID, SHA256: told.SHA256, Size: told.Size, Type: told.Type, Name: told.Name, Kind: told.Kind, Note: told.Note,
		AttachedBy: entry.UserID, AttachedAt: entry.Timestamp,
	}
	switch {
	case entry.SerialID != "":
		link.On = FileSubject{RecordSerial, entry.SerialID}
	case told.NonconformanceID != "":
		link.On = FileSubject{RecordNonconformance, told.NonconformanceID}
	case told.InstrumentID != "":
		link.On = FileSubject{RecordInstrument, told.InstrumentID}
	case told.LotID != "":
		link.On = FileSubject{RecordLot, told.LotID}
	case entry.CertID != "":
		link.On = FileSubject{RecordCertificate, entry.CertID}
	case entry.StepID != "":
		link.On = FileSubject{RecordStep, entry.StepID}
	default:
		link.On = FileSubject{RecordJob, entry.JobID}
	}
	return link, nil
}

// FilesOf returns the files attached to a record, oldest first, including voided links.
func (s *Service) FilesOf(ctx context.Context, on FileSubject) ([]FileLink, error) {
	var links []FileLink
	err := s.store.View(ctx, func(tx Reader) error {
		if _, err := entryOfSubject(tx, on); err != nil {
			return err
		}
		var err error
		links, err = tx.FileLinks(on)
		return err
	})
	return links, err
}

// FileLink returns one link, voided or not.
func (s *Service) FileLink(ctx context.Context, id string) (link FileLink, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		link, err = tx.FileLink(id)
		return OrNotFound(err, NameFileLink, id)
	})
	return link, err
}

// VoidFileLink voids a file that does not belong to its record. The link and the bytes stay.
func (s *Service) VoidFileLink(ctx context.Context, id string, in VoidInput) (FileLink, error) {
	var link FileLink
	err := s.Commit(ctx, &link, func(tx Tx) (err error) {
		if link, err = tx.FileLink(id); err != nil {
			return OrNotFound(err, NameFileLink, id)
		}
		if link.Voided() {
			return refusal.Refuse(FileLinkVoided)
		}
		now := s.Now()
		if link.Voiding, err = in.check(CallerOf(ctx), now); err != nil {
			return err
		}
		if err := mayVoid(CallerOf(ctx), link.AttachedBy, link.AttachedAt, now, s.undoWindow); err != nil {
			return err
		}
		if err := tx.VoidFileLink(id, link.Voiding); err != nil {
			return err
		}
		entry, err := entryOfSubject(tx, link.On)
		if err != nil && link.On.Kind == RecordStep { // the step was removed from its path, and the entry needs no path
			entry, err = trail.Entry{StepID: link.On.ID}, nil
		}
		if err != nil {
			return err
		}
		entry.Action, entry.UserID, entry.Timestamp = ActionRecordVoided, link.VoidedBy, now
		entry.Metadata = trail.Metadata(card.VoidedMetadata{RecordID: id, Reason: link.VoidReason})
		return tx.AppendAudit(entry)
	})
	return link, err
}

// Shown returns the files of a step that an operator saw at a time: the newest drawing and the newest instruction that were attached and
// not voided at that time. A new file replaces the previous file of its kind.
func Shown(links []FileLink, at ident.Timestamp) (shown []FileLink) {
	for _, kind := range []FileKind{Drawing, Instruction} {
		for _, link := range slices.Backward(links) {
			if link.Kind == kind && link.AttachedAt <= at && (!link.Voided() || link.VoidedAt > at) {
				shown = append(shown, link)
				break
			}
		}
	}
	return shown
}

// ShownAt returns the files of a step that an operator sees now.
func (s *Service) ShownAt(ctx context.Context, stepID string) (shown []FileLink, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		links, err := tx.FileLinks(FileSubject{RecordStep, stepID})
		shown = Shown(links, s.Now())
		return err
	})
	return shown, err
}

// UnattachedFor is the time for which a file is stored without being attached to a record.
const UnattachedFor = 24 * time.Hour

// ExpectFile records a file and its uploader before the bytes of the file are stored. It is refused while the same bytes are being removed.
func (s *Service) ExpectFile(ctx context.Context, file File) error {
	return s.store.Update(ctx, func(tx Tx) error {
		known, err := tx.File(file.SHA256)
		switch {
		case errors.Is(err, ErrNoRecord):
			file.State = FileArriving
		case err != nil:
			return err
		case known.State == FileLeaving:
			return refusal.Refuse(refusal.ServiceBusy)
		default:
			file.State = known.State
		}
		file.UploadedAt = s.Now()
		if err := tx.PutFile(file); err != nil {
			return err
		}
		return tx.PutFileUpload(file.SHA256, CallerOf(ctx).Login, file.UploadedAt)
	}, Aside)
}

// KeepFile records that the bytes of an expected file are stored, and returns the file. If several callers upload the same bytes at once,
// Existed is false for only one of them.
func (s *Service) KeepFile(ctx context.Context, digest string) (file File, err error) {
	err = s.store.Update(ctx, func(tx Tx) error {
		if file, err = tx.File(digest); err != nil {
			return err
		}
		if file.State == FileLeaving { // storing the bytes took longer than UnattachedFor
			return refusal.Refuse(refusal.ServiceBusy)
		}
		file.Existed = file.State == FileKept
		file.State = FileKept
		return tx.PutFile(file)
	}, Aside)
	return file, err
}

// KeepBytesWith sets the function that stores the bytes of files that operations create, such as the content of a first article inspection.
// Call it before the service is used.
func (s *Service) KeepBytesWith(keep func(ctx context.Context, bytes io.Reader) (File, error)) {
	s.keepBytes = keep
}

// keepNothing is keepBytes of a service without a place for files.
func keepNothing(context.Context, io.Reader) (File, error) { return File{}, refusal.Refuse(NoFiles) }

// FindFile returns a file. It refuses a file that the caller may not read.
func (s *Service) FindFile(ctx context.Context, digest string) (file File, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		if file, err = tx.File(digest); err == nil {
			err = visibleTo(tx, CallerOf(ctx), file)
		}
		return OrNotFound(err, NameFile, digest)
	})
	return file, err
}

// DismissFiles marks files as leaving if they have not been attached within UnattachedFor, and returns up to limit of these files. A file
// that is leaving cannot be attached. The result includes files that were dismissed before and are not yet forgotten.
func (s *Service) DismissFiles(ctx context.Context, limit int) (digests []string, err error) {
	err = s.store.Update(ctx, func(tx Tx) error {
		digests, err = tx.DismissFiles(s.Now()-ident.Timestamp(UnattachedFor.Milliseconds()), limit)
		return err
	}, Aside)
	return digests, err
}

// DismissUnknownFile marks a stored file as leaving if the database does not know the file. For a file in the database, it changes nothing
// and returns false.
func (s *Service) DismissUnknownFile(ctx context.Context, file File) (unknown bool, err error) {
	err = s.store.Update(ctx, func(tx Tx) error {
		_, err := tx.File(file.SHA256)
		if unknown = errors.Is(err, ErrNoRecord); !unknown {
			return err
		}
		file.State, file.UploadedAt = FileLeaving, s.Now()-ident.Timestamp(UnattachedFor.Milliseconds())-1
		return tx.PutFile(file)
	}, Aside)
	return unknown, err
}

// ForgetFile deletes the record of a dismissed file whose bytes have been removed.
func (s *Service) ForgetFile(ctx context.Context, digest string) error {
	return s.store.Update(ctx, func(tx Tx) error { return tx.ForgetFile(digest) }, Aside)
}

// KeptFiles yields every file whose bytes must be stored, in the order of their digests.
func (s *Service) KeptFiles(ctx context.Context) iter.Seq2[File, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[File, error] { return tx.KeptFiles() })
}

// UploadStore lists the database operations for uploads.
type UploadStore interface {
	// PutFile inserts or replaces the record of a file. It does not change whether the file was ever attached.
	PutFile(file File) error
	PutFileUpload(digest, login string, at ident.Timestamp) error
	// DismissFiles marks files as leaving that are not attached and were uploaded before a time. It returns all files that are leaving,
	// at most limit.
	DismissFiles(before ident.Timestamp, limit int) ([]string, error)
	ForgetFile(digest string) error // the file must be leaving
	KeptFiles() iter.Seq2[File, error]
}

// FileStore has the database functions for files.
type FileStore interface {
	// File returns a file in any state.
	File(digest string) (File, error)
	// FileUploadedBy reports whether a user uploaded a file; "" is the unauthenticated caller.
	FileUploadedBy(digest, login string) (bool, error)
	// AttachFile inserts links to one file and marks the file as attached.
	AttachFile(links []FileLink) error
	FileLink(id string) (FileLink, error)
	FileLinks(on FileSubject) ([]FileLink, error) // including voided ones, oldest first
	AllFileLinks() iter.Seq2[FileLink, error]     // including voided ones, oldest first
	VoidFileLink(id string, voiding card.Voiding) error
}

// Names of files in the tables of nouns.go.
const (
	RecordFile     ident.RecordKind = "file"
	RecordFileLink ident.RecordKind = "attached file"

	NameFile     refusal.RecordName = "File"
	NameFileLink refusal.RecordName = "FileLink"

	prefixFileLink = "flnk_"

	OpAttachFile Operation = "attach-file"

	AboutFile Subject = "file"

	ActionFileAttached trail.Action = "file_attached"
)

// Reasons for refusing to attach or void files.
var (
	NoFiles        = refusal.NewReason(refusal.NotFound, "files_not_enabled", "Files are not enabled")
	NotFileName    = refusal.NewReason(refusal.Invalid, "must_be_file_name", "{field} must be the name of a file, without a path")
	FileLinkVoided = refusal.NewReason(refusal.Invalid, "already_voided", "FileLink is already voided")
)

var fileNoun = noun{
	records: []Record{
		{Kind: RecordFile, Names: named(NameFile), Table: "file", Compared: true},
		{
			Kind: RecordFileLink, Names: named(NameFileLink), Prefix: prefixFileLink, Table: "file_link",
			Voidable: true, StepColumn: "on_id", Compared: true,
		},
	},
	operations: []operationRow{
		{operation: OpAttachFile, permission: Work, subject: AboutFile},
	},
	actions: []actionRow{
		{action: ActionFileAttached, of: []ident.RecordKind{RecordFileLink, RecordFile}},
	},
}

package shop

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"strconv"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/shop/workorder"
)

// CertificateType is the kind of object that a certificate documents.
type CertificateType string

// The certificate types.
const (
	MaterialCertificate CertificateType = "material"
	ProcessCertificate  CertificateType = "process"
)

var certificateTypes = []CertificateType{MaterialCertificate, ProcessCertificate}

// Certificate is a quality document of a material or a process. Only its external id can change, and it is never deleted.
type Certificate struct {
	ID        string          `json:"id"`
	Type      CertificateType `json:"type"`
	Name      string          `json:"name"`
	Number    string          `json:"number,omitempty"`   // the number that the issuer gave it; "" for none
	Metadata  json.RawMessage `json:"metadata,omitempty"` // a JSON object, compacted
	CreatedAt ident.Timestamp `json:"createdAt"`

	ExternalID string `json:"externalId,omitempty"` // omitted in the certificates of a serial
	// Via is the receipt of outside work or the installed lot with the certificate, in the certificates of a serial to which it is not
	// attached.
	Via string `json:"via,omitempty" export:"-"`
}

// Attachment is a certificate attached to a serial at one step: CertAttachment in the contract. Among attachments that are not
// voided, serial, certificate and step together are unique.
type Attachment struct {
	ID            string          `json:"id"`
	SerialID      string          `json:"serialId"`
	CertificateID string          `json:"certId"`
	StepID        string          `json:"stepId"`
	AttachedAt    ident.Timestamp `json:"attachedAt"`
	AttachedBy    string          `json:"attachedBy"`
	Pass          int             `json:"-"` // the unit's pass; only InsertAttachments uses it
	card.Voiding
}

// CreateCertificateInput is the body of Create Certificate.
type CreateCertificateInput struct {
	Type     input.TextInput   `field:"type"`
	Name     input.TextInput   `field:"name"`
	Number   input.TextInput   `field:"number"`
	Metadata input.ObjectInput `field:"metadata"`
	ExternalInput
	ChangedBy input.TextInput `field:"changedBy"` // only for the audit trail
}

func (in CreateCertificateInput) check(prefix ident.Prefix) (certificate Certificate, err error) {
	if certificate.Type, err = input.OneOf("type", in.Type, certificateTypes); err != nil {
		return certificate, input.NotOneOf("type", certificateTypes) // also if it is missing or has the wrong type
	}
	if certificate.Name, err = input.RequiredName("name", in.Name); err != nil {
		return certificate, err
	}
	if certificate.Number, err = input.OptionalWithin("number", input.Trimmed(in.Number), workorder.OrderTextLimit); err != nil {
		return certificate, err
	}
	if err := in.ExternalInput.Change(prefix, certificate.ID, &certificate.ExternalID); err != nil || in.Metadata.Missing() {
		return certificate, err
	}
	if err := in.Metadata.Typed("metadata"); err != nil {
		return certificate, err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, in.Metadata.Value); err != nil {
		return certificate, refusal.RefuseField(refusal.NotObject, "metadata")
	}
	if compact.Len() > input.MetadataLimit {
		return certificate, refusal.RefuseField(refusal.TooLong, "metadata")
	}
	if depth(compact.Bytes()) > input.MetadataDepth {
		return certificate, refusal.RefuseField(refusal.TooDeep, "metadata")
	}
	certificate.Metadata = compact.Bytes()
	return certificate, checkMetadata(certificate.Metadata)
}

// checkMetadata refuses text that JSON parsers read differently: unpaired surrogates in strings and names, and numbers beyond
// float64.
func checkMetadata(text []byte) error {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			end, whole := quotedEnd(text, i)
			if !whole {
				return refusal.RefuseField(refusal.NotUTF8, "metadata")
			}
			i = end - 1
		case c == '-' || '0' <= c && c <= '9':
			end := i + 1
			for end < len(text) && strings.IndexByte("+-.0123456789Ee", text[end]) >= 0 {
				end++
			}
			if _, err := strconv.ParseFloat(string(text[i:end]), 64); err != nil {
				return refusal.RefuseField(refusal.NumbersBeyond, "metadata")
			}
			i = end - 1
		}
	}
	return nil
}

// quotedEnd returns the end of the JSON string that begins at a position, and whether all its surrogates are paired.
func quotedEnd(text []byte, at int) (end int, whole bool) {
	whole = true
	pending := false // whether the last character was the first half of a pair
	for i := at + 1; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return i + 1, whole && !pending
		case text[i] == '\\' && text[i+1] == 'u':
			code, err := strconv.ParseUint(string(text[i+2:i+6]), 16, 16)
			first, second := err == nil && code >= 0xD800 && code < 0xDC00, err == nil && code >= 0xDC00 && code < 0xE000
			whole = whole && pending == second
			pending = first
			i += 5
		default:
			whole = whole && !pending
			pending = false
			if text[i] == '\\' {
				i++
			}
		}
	}
	return len(text), false
}

// depth returns the maximum nesting of objects and lists in a JSON text.
func depth(text []byte) (deepest int) {
	open, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			open++
			deepest = max(deepest, open)
		case c == '}' || c == ']':
			open--
		}
	}
	return deepest
}

// CreateCertificate creates a certificate. Its name is stored as given and need not be unique.
func (s *Service) CreateCertificate(ctx context.Context, in CreateCertificateInput) (Certificate, error) {
	certificate, err := in.check(s.SerialPrefix())
	if err != nil {
		return Certificate{}, err
	}
	userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
	if err != nil {
		return Certificate{}, err
	}
	err = s.Commit(ctx, &certificate, func(tx Tx) error {
		certificate.ID = s.NewID(prefixCertificate)
		certificate.CreatedAt = s.Now()
		if err := tx.InsertCertificate(certificate); err != nil {
			return err
		}
		if err := tx.AppendAudit(trail.Entry{
			Action: ActionCertificateCreated, UserID: userID, Timestamp: certificate.CreatedAt, CertID: certificate.ID,
			Metadata: trail.Metadata(struct {
				Before   any                  `json:"before"`
				After    certificateFact      `json:"after"`
				Contents trail.ContentsSHA256 `json:"contentsSha256"`
			}{nil, certificateFact{certificate.Type, certificate.Name, certificate.Number}, certificate.Contents()}),
		}); err != nil {
			return err
		}
		return certificate.recordExternal(tx, "", userID, certificate.CreatedAt)
	})
	return certificate, err
}

// recordExternal records a new or changed external id of a certificate in the trail.
func (c *Certificate) recordExternal(tx interface {
	AuditStore
	ExternalStore
}, before, userID string, now ident.Timestamp) error {
	return recordExternal(tx, ExternalID{RecordCertificate, c.ID, c.ExternalID}, before,
		trail.Entry{UserID: userID, Timestamp: now, CertID: c.ID})
}

// UpdateCertificateInput is the body of Update Certificate.
type UpdateCertificateInput struct {
	Type     input.TextInput   `field:"type"`
	Name     input.TextInput   `field:"name"`
	Number   input.TextInput   `field:"number"`
	Metadata input.ObjectInput `field:"metadata"`
	ExternalInput
	ChangedBy input.TextInput `field:"changedBy"` // only for the audit trail
}

// Apply returns the certificate with the external id of the request. It refuses other values in fields that cannot change.
func (in UpdateCertificateInput) Apply(prefix ident.Prefix, certificate Certificate) (Certificate, error) {
	same := CreateCertificateInput{
		Type: input.Given(string(certificate.Type)), Name: input.Given(certificate.Name), Number: input.Given(certificate.Number),
		ExternalInput: in.ExternalInput,
	}
	if in.Type.Present() {
		same.Type = in.Type
	}
	if in.Name.Present() {
		same.Name = in.Name
	}
	if in.Number.Present() {
		same.Number = in.Number
	}
	if in.Metadata.Present() {
		same.Metadata = in.Metadata
	} else if certificate.Metadata != nil {
		same.Metadata = input.Given(certificate.Metadata)
	}
	after, err := same.check(prefix)
	if err != nil {
		return certificate, err
	}
	if after.Type != certificate.Type || after.Name != certificate.Name || after.Number != certificate.Number ||
		!bytes.Equal(after.Metadata, certificate.Metadata) {
		return certificate, refusal.Refuse(CertificateFixed, certificate.ID)
	}
	return certificate, in.ExternalInput.Change(prefix, certificate.ID, &certificate.ExternalID)
}

// UpdateCertificate changes or removes the external id of a certificate. The other fields cannot change: the request may repeat their
// values, and is refused if it contains other values.
func (s *Service) UpdateCertificate(ctx context.Context, id string, in UpdateCertificateInput) (Certificate, error) {
	var after Certificate
	err := s.Commit(ctx, &after, func(tx Tx) error {
		before, err := FindCertificate(tx, id)
		if err != nil {
			return err
		}
		if err := RefuseUnread(ctx, NameCertificate, id, func() (any, error) { return before, nil }); err != nil {
			return err
		}
		if after, err = in.Apply(tx.SerialPrefix(), before); err != nil {
			return err
		}
		userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
		if err != nil {
			return err
		}
		if after.ExternalID == before.ExternalID {
			return nil
		}
		now := s.Now()
		if err := tx.NoteCertificateChanged(id, now); err != nil {
			return err
		}
		return after.recordExternal(tx, before.ExternalID, userID, now)
	})
	return after, err
}

// certificateFact has the fields of a certificate that the trail records in plain text.
type certificateFact struct {
	Type   CertificateType `json:"type"`
	Name   string          `json:"name"`
	Number string          `json:"number,omitempty"`
}

// Certificates yields every certificate, newest first.
func (s *Service) Certificates(ctx context.Context) iter.Seq2[Certificate, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[Certificate, error] { return tx.Certificates() })
}

// Certificate returns a certificate.
func (s *Service) Certificate(ctx context.Context, id string) (Certificate, error) {
	var certificate Certificate
	err := s.store.View(ctx, func(tx Reader) (err error) {
		certificate, err = FindCertificate(tx, id)
		return err
	})
	return certificate, err
}

// FindCertificate returns a certificate, or a refusal if it does not exist.
func FindCertificate(tx CertificateStore, id string) (Certificate, error) {
	certificate, err := tx.Certificate(id)
	return certificate, OrNotFound(err, NameCertificate, id)
}

// AttachmentsOfCertificate yields the attachments of a certificate, oldest first.
func (s *Service) AttachmentsOfCertificate(ctx context.Context, id string) iter.Seq2[Attachment, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[Attachment, error] {
		if _, err := FindCertificate(tx, id); err != nil {
			return failed[Attachment](err)
		}
		return tx.AttachmentsOfCertificate(id)
	})
}

// AttachmentsOfSerial returns the attachments of a serial, oldest first.
func (s *Service) AttachmentsOfSerial(ctx context.Context, id string) ([]Attachment, error) {
	var attachments []Attachment
	err := s.store.View(ctx, func(tx Reader) error {
		if _, err := tx.RouteCard(id); err != nil {
			return OrNotFound(err, NameSerialNumber, id)
		}
		var err error
		attachments, err = tx.AttachmentsOfSerial(id)
		return err
	})
	return attachments, err
}

// AttachCertificateInput is the body of Attach Certificate.
type AttachCertificateInput struct {
	CertID input.TextInput `field:"certId"`
	// ExpectedStepIndex is the position that a page showed to the user; the HTTP interface has no such field.
	ExpectedStepIndex input.NumberInput `field:"-" form:"expectedStepIndex"`
	UserID            input.TextInput   `field:"userId"`
}

// AttachCertificate attaches a certificate to a serial at its current step. If the certificate is already attached there, AttachCertificate
// returns that attachment.
func (s *Service) AttachCertificate(ctx context.Context, id string, in AttachCertificateInput) (Attachment, error) {
	var attachment Attachment
	err := s.Commit(ctx, &attachment, func(tx Tx) error {
		unit, err := tx.RouteCard(id)
		if err != nil {
			return OrNotFound(err, NameSerialNumber, id)
		}
		if err := attachable(unit); err != nil {
			return err
		}
		if err := checkExpected(unit, in.ExpectedStepIndex); err != nil {
			return err
		}
		certID, err := input.RequiredName("certId", in.CertID)
		if err != nil {
			return err
		}
		userID, err := requiredUser(CallerOf(ctx), in.UserID)
		if err != nil {
			return err
		}
		if _, err := FindCertificate(tx, certID); err != nil {
			return err
		}
		attachments, err := s.attach(tx, []card.Card{unit}, certID, userID, func(a Attachment) trail.Entry {
			return attachedEntry(a, unit.Serial.JobID, unit.Serial.PathID)
		})
		if err != nil {
			return err
		}
		attachment = attachments[0]
		return nil
	})
	return attachment, err
}

// attachable refuses to attach certificates to completed serials. Scrapped serials accept them.
func attachable(unit card.Card) error {
	if err := card.CheckCard(unit); err != nil {
		return err
	}
	if unit.Serial.Status == card.Completed {
		return refusal.Refuse(AttachCompleted)
	}
	return nil
}

// BatchAttachInput is the body of Batch Attach Certificate.
type BatchAttachInput struct {
	CertID    input.TextInput  `field:"certId"`
	SerialIDs input.TextsInput `field:"serialIds"`
	// ExpectedStepIndexes are the positions that a page showed to the user, by serial id; the HTTP interface has no such field.
	ExpectedStepIndexes map[string]input.NumberInput `field:"-"`
	UserID              input.TextInput              `field:"userId"`
}

// refuse returns the error for which a serial cannot take the certificate, or nil.
func (in BatchAttachInput) refuse(card card.Card) error {
	if err := attachable(card); err != nil {
		return err
	}
	return checkExpected(card, in.ExpectedStepIndexes[card.Serial.ID])
}

// BatchAttachCertificate attaches a certificate to all listed serials, each at its current step, or to none of them. It returns
// one attachment per listed serial, in the order of the list.
func (s *Service) BatchAttachCertificate(ctx context.Context, in BatchAttachInput) ([]Attachment, error) {
	certID, err := input.RequiredName("certId", in.CertID)
	if err != nil {
		return nil, err
	}
	serialIDs, err := input.RequiredItems("serialIds", in.SerialIDs, refusal.ListEmpty)
	if err != nil {
		return nil, err
	}
	userID, err := requiredUser(CallerOf(ctx), in.UserID)
	if err != nil {
		return nil, err
	}
	if err := takeMemoryFor(ctx, len(serialIDs)); err != nil {
		return nil, err
	}
	var attachments []Attachment
	err = s.Commit(ctx, &attachments, func(tx Tx) error {
		attachments = make([]Attachment, 0, len(serialIDs))
		if _, err := FindCertificate(tx, certID); err != nil {
			return err
		}
		taken := make(map[string]Attachment, len(serialIDs))
		err := takeListed(ctx, tx, serialIDs, NameSerialNumber, in.refuse, func(cards []card.Card) error {
			attached, err := s.attach(tx, cards, certID, userID, func(a Attachment) trail.Entry {
				return attachedEntry(a, "", "") // only the entry of Attach Certificate has job and path
			})
			for _, attachment := range attached {
				taken[attachment.SerialID] = attachment
			}
			return err
		})
		if err != nil {
			return err
		}
		for _, serialID := range serialIDs {
			attachments = append(attachments, taken[serialID])
		}
		return nil
	}, aloneIf(len(serialIDs))...)
	return attachments, err
}

// attach attaches a certificate to serials at their current steps and returns an attachment for each: the existing attachment, or a new
// one. entry creates the audit entries of new attachments.
func (s *Service) attach(tx interface {
	AuditStore
	CertificateStore
}, cards []card.Card, certID, userID string, entry func(Attachment) trail.Entry) ([]Attachment, error) {
	serialIDs := make([]string, len(cards))
	for i := range cards {
		serialIDs[i] = cards[i].Serial.ID
	}
	existing, err := tx.AttachmentsAmong(certID, serialIDs)
	if err != nil {
		return nil, err
	}
	type place struct{ serialID, stepID string }
	known := make(map[place]Attachment, len(existing))
	for _, attachment := range existing {
		known[place{attachment.SerialID, attachment.StepID}] = attachment
	}
	now := s.Now()
	attachments := make([]Attachment, len(cards))
	var added []Attachment
	var entries []trail.Entry
	for i := range cards {
		at := place{cards[i].Serial.ID, cards[i].Path.Steps[cards[i].Serial.Position].ID}
		attachment, ok := known[at]
		if !ok {
			attachment = Attachment{
				ID: s.NewID(prefixAttachment), SerialID: at.serialID, CertificateID: certID, StepID: at.stepID,
				AttachedAt: now, AttachedBy: userID,
			}
			known[at] = attachment
			stored := attachment
			stored.Pass = cards[i].Serial.Pass()
			added = append(added, stored)
			entries = append(entries, entry(attachment))
		}
		attachments[i] = attachment
	}
	if err := tx.InsertAttachments(added); err != nil {
		return nil, err
	}
	return attachments, tx.AppendAudit(entries...)
}

// attachToBatch attaches a certificate to newly created serials at their first step. "" means no certificate.
func (s *Service) attachToBatch(tx interface {
	AuditStore
	CertificateStore
}, batch SerialBatch, certID, stepID, userID string) error {
	if certID == "" {
		return nil
	}
	for first := batch.First; first < batch.First+batch.Quantity; first += ChunkSize {
		last := min(first+ChunkSize, batch.First+batch.Quantity)
		attachments := make([]Attachment, 0, last-first)
		entries := make([]trail.Entry, 0, last-first)
		for number := first; number < last; number++ {
			attachment := Attachment{
				ID: s.NewID(prefixAttachment), SerialID: s.SerialPrefix().SerialID(number), CertificateID: certID, StepID: stepID,
				AttachedAt: batch.At, AttachedBy: userID, Pass: 1,
			}
			attachments = append(attachments, attachment)
			entries = append(entries, attachedEntry(attachment, batch.JobID, batch.PathID))
		}
		if err := tx.InsertAttachments(attachments); err != nil {
			return err
		}
		if err := tx.AppendAudit(entries...); err != nil {
			return err
		}
	}
	return nil
}

func attachedEntry(attachment Attachment, jobID, pathID string) trail.Entry {
	return trail.Entry{
		Action: ActionCertAttached, UserID: attachment.AttachedBy, Timestamp: attachment.AttachedAt,
		SerialID: attachment.SerialID, CertID: attachment.CertificateID, StepID: attachment.StepID,
		JobID: jobID, PathID: pathID,
	}
}

// CertificateStore has the database functions for certificates.
type CertificateStore interface {
	InsertCertificate(certificate Certificate) error
	// NoteCertificateChanged stores the time when a certificate's external id last changed.
	NoteCertificateChanged(id string, at ident.Timestamp) error
	Certificate(id string) (Certificate, error)
	Certificates() iter.Seq2[Certificate, error] // newest first
	// CertificatesOfSerial returns the certificates attached to a serial, each once, in the order in which they were attached.
	CertificatesOfSerial(serialID string) ([]Certificate, error)
	InsertAttachments(attachments []Attachment) error
	AttachmentsOfSerial(serialID string) ([]Attachment, error)                  // including voided ones, oldest first
	AttachmentsOfCertificate(certificateID string) iter.Seq2[Attachment, error] // including voided ones, oldest first
	// AttachmentsAmong returns the attachments of a certificate to any of up to a thousand serials, without voided ones.
	AttachmentsAmong(certificateID string, serialIDs []string) ([]Attachment, error)
}

// Contents returns the SHA-256 of the contents that a certificate's audit entry records. It hashes the metadata as stored text,
// so it works even if the stored text was edited and is no longer JSON.
func (c *Certificate) Contents() trail.ContentsSHA256 {
	return trail.ContentsOf(struct {
		ID        string          `json:"id"`
		Type      CertificateType `json:"type"`
		Name      string          `json:"name"`
		Metadata  string          `json:"metadata"`
		CreatedAt ident.Timestamp `json:"createdAt"`
		Number    string          `json:"number,omitempty"`
	}{c.ID, c.Type, c.Name, string(c.Metadata), c.CreatedAt, c.Number})
}

// Names of certificates and attachments in the tables of nouns.go.
const (
	RecordCertificate ident.RecordKind = "certificate"
	RecordAttachment  ident.RecordKind = "attachment"

	NameCertificate refusal.RecordName = "Certificate"
	NameAttachment  refusal.RecordName = "Attachment"

	prefixCertificate = "cert_"
	prefixAttachment  = "catt_"

	OpAttach            Operation = "attach"
	OpCreateCertificate Operation = "create-certificate"
	OpUpdateCertificate Operation = "update-certificate"

	AboutCertificate Subject = "certificate"

	ActionCertAttached       trail.Action = "cert_attached"
	ActionCertificateCreated trail.Action = "certificate_created"
)

// Reasons for refusing to change or attach certificates.
var (
	AttachmentVoided = refusal.NewReason(refusal.Invalid, "already_voided", "Attachment is already voided")
	CertificateFixed = refusal.NewReason(refusal.Invalid, "certificate_fixed", "What certificate {id} says cannot be changed")
	AttachCompleted  = refusal.NewReason(refusal.Invalid, "serial_completed", "Serial is already completed, cannot attach cert")
)

var certificateNoun = noun{
	records: []Record{
		{
			Kind: RecordCertificate, Names: named(NameCertificate), Prefix: prefixCertificate, Table: "certificate",
			Called: []string{"name"}, Detailed: "metadata", Tagged: true, External: true, Compared: true,
		},
		{
			Kind: RecordAttachment, Names: named(NameAttachment), Prefix: prefixAttachment, Table: "attachment",
			Voidable: true, StepColumn: "step_id", Compared: true,
		},
	},
	operations: []operationRow{
		{operation: OpAttach, permission: Work, subject: AboutUnit, many: true},
		{operation: OpCreateCertificate, permission: Plan, subject: AboutCertificate},
		{operation: OpUpdateCertificate, permission: Plan, subject: AboutCertificate},
	},
	actions: []actionRow{
		{action: ActionCertAttached, of: only(RecordAttachment)},
		{action: ActionCertificateCreated, of: only(RecordCertificate)},
	},
}

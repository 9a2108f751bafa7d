package sqlstore

import (
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

const (
	certificateStored  = `id, type, name, metadata, created_at`
	certificateColumns = certificateStored + externalOf + string(shop.RecordCertificate) +
		`' AND x.record_id = certificate.id` + externalEnd
)

func scanCertificate(r rows) (c shop.Certificate, err error) {
	var metadata string
	err = r.Scan(&c.ID, &c.Type, &c.Name, &metadata, &c.CreatedAt, &c.ExternalID)
	if metadata != "" {
		c.Metadata = []byte(metadata)
	}
	return c, err
}

func (t *transaction) InsertCertificate(c shop.Certificate) error {
	return run(t, `INSERT INTO certificate (`+certificateStored+`, changed_at) VALUES ($1, $2, $3, $4, $5, $5)`,
		c.ID, string(c.Type), c.Name, string(c.Metadata), int64(c.CreatedAt))
}

func (t *transaction) NoteCertificateChanged(id string, at ident.Timestamp) error {
	return expectOne(t, `UPDATE certificate SET changed_at = $2 WHERE id = $1`, id, int64(at))
}

func (t *transaction) Certificate(id string) (shop.Certificate, error) {
	return one(t, scanCertificate, `SELECT `+certificateColumns+` FROM certificate WHERE id = $1`, id)
}

func (t *transaction) Certificates() iter.Seq2[shop.Certificate, error] {
	return t.CertificatesBefore("")
}

func (t *transaction) CertificatesBefore(id string) iter.Seq2[shop.Certificate, error] {
	return pages(func(last shop.Certificate, first bool, limit int) ([]shop.Certificate, bool, error) {
		if first {
			if last.ID = id; id == "" {
				last.ID = beforeAll
			}
		}
		return page(t, scanCertificate, `SELECT `+certificateColumns+` FROM certificate
			WHERE id < $1 ORDER BY id DESC LIMIT $2`, last.ID, limit)
	})
}

func (t *transaction) CertificatesOfSerial(serialID string) ([]shop.Certificate, error) {
	number, _ := ident.ParseSerialID(serialID)
	return all(t, scanCertificate, `SELECT c.id, c.type, c.name, c.metadata, c.created_at, ''
		FROM (SELECT certificate_id, MIN(id) AS first_id FROM attachment WHERE serial_number = $1 AND voided_as = ''
			GROUP BY certificate_id) a
		JOIN certificate c ON c.id = a.certificate_id ORDER BY a.first_id`, number)
}

const (
	attachmentKept    = `id, serial_number, certificate_id, step_id, attached_at, attached_by`
	attachmentColumns = attachmentKept + `, voided_at, voided_by, void_reason`
)

func scanAttachment(r rows) (a shop.Attachment, err error) {
	var number int64
	err = r.Scan(&a.ID, &number, &a.CertificateID, &a.StepID, &a.AttachedAt, &a.AttachedBy, &a.VoidedAt, &a.VoidedBy,
		&a.VoidReason)
	a.SerialID = ident.SerialID(number)
	return a, err
}

func (t *transaction) InsertAttachments(attachments []shop.Attachment) error {
	const width = 6
	args := make([]any, 0, width*len(attachments))
	for _, a := range attachments {
		number, _ := ident.ParseSerialID(a.SerialID)
		args = append(args, a.ID, number, a.CertificateID, a.StepID, int64(a.AttachedAt), a.AttachedBy)
	}
	return insertAll(t, `INSERT INTO attachment (`+attachmentKept+`) VALUES`, width, args, "")
}

func (t *transaction) Attachment(id string) (shop.Attachment, error) {
	return one(t, scanAttachment, `SELECT `+attachmentColumns+` FROM attachment WHERE id = $1`+t.lock, id)
}

func (t *transaction) VoidAttachment(id string, v card.Voiding) error {
	return expectOne(t, `UPDATE attachment SET voided_as = id, voided_at = $2, voided_by = $3, void_reason = $4
		WHERE id = $1 AND voided_as = ''`, id, int64(v.VoidedAt), v.VoidedBy, v.VoidReason)
}

func (t *transaction) AttachmentsOfSerial(serialID string) ([]shop.Attachment, error) {
	number, _ := ident.ParseSerialID(serialID)
	return all(t, scanAttachment, `SELECT `+attachmentColumns+` FROM attachment WHERE serial_number = $1 ORDER BY id`, number)
}

func (t *transaction) AttachmentsOfCertificate(certificateID string) iter.Seq2[shop.Attachment, error] {
	return pages(func(last shop.Attachment, _ bool, limit int) ([]shop.Attachment, bool, error) {
		return page(t, scanAttachment, `SELECT `+attachmentColumns+` FROM attachment
			WHERE certificate_id = $1 AND id > $2 ORDER BY id LIMIT $3`, certificateID, last.ID, limit)
	})
}

func (t *transaction) AttachmentsAmong(certificateID string, serialIDs []string) ([]shop.Attachment, error) {
	if len(serialIDs) == 0 {
		return []shop.Attachment{}, nil
	}
	numbers := make([]int64, len(serialIDs))
	for i, id := range serialIDs {
		numbers[i], _ = ident.ParseSerialID(id)
	}
	placeholders, args := inList(2, numbers)
	return all(t, scanAttachment, `SELECT `+attachmentColumns+` FROM attachment
		WHERE voided_as = '' AND certificate_id = $1 AND serial_number IN (`+placeholders+`)`, append([]any{certificateID}, args...)...)
}

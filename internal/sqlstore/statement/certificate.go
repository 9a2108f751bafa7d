package statement

import (
	"iter"
	"slices"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

type certificates struct{ *db.Core }

const (
	certificateStored  = `id, type, name, metadata, created_at, number`
	certificateColumns = certificateStored + db.ExternalOf + string(shop.RecordCertificate) +
		`' AND x.record_id = certificate.id` + db.ExternalEnd
)

func scanCertificate(r db.Rows) (c shop.Certificate, err error) {
	var metadata string
	err = r.Scan(&c.ID, &c.Type, &c.Name, &metadata, &c.CreatedAt, &c.Number, &c.ExternalID)
	if metadata != "" {
		c.Metadata = []byte(metadata)
	}
	return c, err
}

func scanCertificateVia(r db.Rows) (c shop.Certificate, err error) {
	var via string
	c, err = scanCertificate(db.Widened{Rows: r, Behind: []any{&via}})
	c.Via = via
	return c, err
}

func (t certificates) InsertCertificate(c shop.Certificate) error {
	return db.Run(t, `INSERT INTO certificate (`+certificateStored+`, changed_at) VALUES ($1, $2, $3, $4, $5, $6, $5)`,
		c.ID, string(c.Type), c.Name, string(c.Metadata), int64(c.CreatedAt), c.Number)
}

func (t certificates) NoteCertificateChanged(id string, at ident.Timestamp) error {
	return db.ExpectOne(t, `UPDATE certificate SET changed_at = $2 WHERE id = $1`, id, int64(at))
}

func (t certificates) Certificate(id string) (shop.Certificate, error) {
	return db.One(t, scanCertificate, `SELECT `+certificateColumns+` FROM certificate WHERE id = $1`, id)
}

func (t certificates) Certificates() iter.Seq2[shop.Certificate, error] {
	return t.CertificatesBefore("")
}

func (t certificates) CertificatesBefore(id string) iter.Seq2[shop.Certificate, error] {
	return db.Pages(func(last shop.Certificate, first bool, limit int) ([]shop.Certificate, bool, error) {
		if first {
			if last.ID = id; id == "" {
				last.ID = db.BeforeAll
			}
		}
		return db.Page(t, scanCertificate, `SELECT `+certificateColumns+` FROM certificate
			WHERE id < $1 ORDER BY id DESC LIMIT $2`, last.ID, limit)
	})
}

func (t certificates) CertificatesOfSerial(serialID string) ([]shop.Certificate, error) {
	number, _ := t.Prefix.ParseSerialID(serialID)
	found, err := db.All(t, scanCertificateVia, `WITH RECURSIVE line (via, id) AS (
			SELECT c.lot_id, c.lot_id FROM component c
			WHERE c.serial_number = $1 AND c.lot_id <> '' AND c.removed_at = 0 AND c.voided_at = 0
			UNION SELECT line.via, p.parent_id FROM line JOIN lot p ON p.id = line.id WHERE p.parent_id <> '')
		SELECT c.id, c.type, c.name, c.metadata, c.created_at, c.number, '', a.via
		FROM (SELECT certificate_id, MIN(id) AS first_id, '' AS via FROM attachment WHERE serial_number = $1 AND voided_as = ''
			GROUP BY certificate_id
			UNION ALL
			SELECT r.certificate_id, MIN(r.id), MIN(r.receipt_id) FROM shipment_line l
			JOIN receipt_certificate r ON r.receipt_id = l.receipt_id
			WHERE l.serial_number = $1 AND l.settled_at <> 0 GROUP BY r.certificate_id
			UNION ALL
			SELECT n.certificate_id, MIN(n.id), MIN(line.via) FROM line CROSS JOIN lot_certificate n WHERE n.lot_id = line.id
			GROUP BY n.certificate_id) a
		JOIN certificate c ON c.id = a.certificate_id ORDER BY CASE WHEN a.via = '' THEN 0 ELSE 1 END, a.first_id`, number)
	once := []shop.Certificate{}
	for _, certificate := range found {
		if !slices.ContainsFunc(once, func(other shop.Certificate) bool { return other.ID == certificate.ID }) {
			once = append(once, certificate)
		}
	}
	return once, err
}

// AttachmentKept has the columns of an attachment that is not voided.
const (
	AttachmentKept    = `id, serial_number, certificate_id, step_id, attached_at, attached_by`
	attachmentColumns = AttachmentKept + `, voided_at, voided_by, void_reason`
)

func scanAttachment(prefix ident.Prefix, r db.Rows) (a shop.Attachment, err error) {
	var number int64
	err = r.Scan(&a.ID, &number, &a.CertificateID, &a.StepID, &a.AttachedAt, &a.AttachedBy, &a.VoidedAt, &a.VoidedBy,
		&a.VoidReason)
	a.SerialID = prefix.SerialID(number)
	return a, err
}

func (t certificates) InsertAttachments(attachments []shop.Attachment) error {
	const width = 7
	args := make([]any, 0, width*len(attachments))
	for _, a := range attachments {
		number, _ := t.Prefix.ParseSerialID(a.SerialID)
		args = append(args, a.ID, number, a.CertificateID, a.StepID, int64(a.AttachedAt), a.AttachedBy, max(a.Pass, 1))
	}
	return db.InsertAll(t, `INSERT INTO attachment (`+AttachmentKept+`, pass) VALUES`, width, args, "")
}

func (t certificates) Attachment(id string) (shop.Attachment, error) {
	return db.One(t, db.Named(t.Prefix, scanAttachment), `SELECT `+attachmentColumns+` FROM attachment WHERE id = $1`+t.Lock, id)
}

func (t certificates) VoidAttachment(id string, v card.Voiding) error {
	return db.ExpectOne(t, `UPDATE attachment SET voided_as = id, voided_at = $2, voided_by = $3, void_reason = $4
		WHERE id = $1 AND voided_as = ''`, id, int64(v.VoidedAt), v.VoidedBy, v.VoidReason)
}

func (t certificates) AttachmentsOfSerial(serialID string) ([]shop.Attachment, error) {
	number, _ := t.Prefix.ParseSerialID(serialID)
	return db.All(t, db.Named(t.Prefix, scanAttachment),
		`SELECT `+attachmentColumns+` FROM attachment WHERE serial_number = $1 ORDER BY id`, number)
}

func (t certificates) AttachmentsOfCertificate(certificateID string) iter.Seq2[shop.Attachment, error] {
	return db.Pages(func(last shop.Attachment, _ bool, limit int) ([]shop.Attachment, bool, error) {
		return db.Page(t, db.Named(t.Prefix, scanAttachment), `SELECT `+attachmentColumns+` FROM attachment
			WHERE certificate_id = $1 AND id > $2 ORDER BY id LIMIT $3`, certificateID, last.ID, limit)
	})
}

func (t certificates) AttachmentsAmong(certificateID string, serialIDs []string) ([]shop.Attachment, error) {
	if len(serialIDs) == 0 {
		return []shop.Attachment{}, nil
	}
	placeholders, args := db.InList(2, numbersOf(t.Prefix, serialIDs))
	return db.All(t, db.Named(t.Prefix, scanAttachment), `SELECT `+attachmentColumns+` FROM attachment
		WHERE voided_as = '' AND certificate_id = $1 AND serial_number IN (`+placeholders+`)`, append([]any{certificateID}, args...)...)
}

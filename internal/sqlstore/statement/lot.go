package statement

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

type lots struct{ *db.Core }

// CROSS JOIN makes SQLite read the lots of a line first.

// lineOfLot begins a subquery over line, the table of a lot and all lots from which it was split, directly or through other lots.
const lineOfLot = `(WITH RECURSIVE line (id) AS (SELECT lot.id UNION
	SELECT p.parent_id FROM line JOIN lot p ON p.id = line.id WHERE p.parent_id <> '') `

const (
	lotStored = `lot.id, lot_number, material, category, part_number, part_revision, supplier_lot, heat_number, supplier, manufacturer,
	order_number, specification, code, customer_approval, owner, quantity, unit, remaining, received_on, expires_on, certificate_required,
	parent_id, created_by, created_at, updated_at`
	lotVoiding = `, voided_at, voided_by, void_reason`
	lotColumns = lotStored + lotVoiding + `, COALESCE(` + lineOfLot + `SELECT h.reason
		FROM line CROSS JOIN lot_hold h WHERE h.lot_id = line.id AND +h.released_at = 0
		ORDER BY h.id LIMIT 1), ''), COALESCE(` + lineOfLot + `SELECT string_agg(c.certificate_id, ' ' ORDER BY c.id)
		FROM line CROSS JOIN lot_certificate c WHERE c.lot_id = line.id), '')` +
		db.ExternalOf + string(shop.RecordLot) + `' AND x.record_id = lot.id` + db.ExternalEnd
	selectLots = `SELECT ` + lotColumns + ` FROM lot`
)

func scanLot(r db.Rows) (l shop.Lot, err error) {
	var certificateRequired int64
	var certificates string
	err = r.Scan(&l.ID, &l.LotNumber, &l.Material, &l.Category, &l.PartNumber, &l.PartRevision, &l.SupplierLot, &l.HeatNumber,
		&l.Supplier, &l.Manufacturer, &l.OrderNumber, &l.Specification, &l.Code, &l.CustomerApproval, &l.Owner, &l.Quantity, &l.Unit,
		&l.Remaining, &l.ReceivedOn, &l.ExpiresOn, &certificateRequired, &l.ParentID, &l.CreatedBy, &l.CreatedAt, &l.UpdatedAt,
		&l.VoidedAt, &l.VoidedBy, &l.VoidReason, &l.HoldReason, &certificates, &l.ExternalID)
	l.CertificateRequired, l.Held = certificateRequired != 0, l.HoldReason != ""
	for id := range strings.FieldsSeq(certificates) {
		if !slices.Contains(l.CertIDs, id) { // a lot may have the same certificate as the lot from which it was split
			l.CertIDs = append(l.CertIDs, id)
		}
	}
	return l, err
}

// lotValues returns the values of the stored columns after the identifier.
func lotValues(l *shop.Lot) []any {
	return []any{
		l.LotNumber, l.Material, string(l.Category), l.PartNumber, l.PartRevision, l.SupplierLot, l.HeatNumber, l.Supplier,
		l.Manufacturer, l.OrderNumber, l.Specification, l.Code, string(l.CustomerApproval), l.Owner, string(l.Quantity), string(l.Unit),
		string(l.Remaining), l.ReceivedOn, l.ExpiresOn, numberOf(l.CertificateRequired), l.ParentID, l.CreatedBy, int64(l.CreatedAt),
		int64(l.UpdatedAt),
	}
}

func (t lots) TakeLotNumber() (int64, error) {
	return db.One(t, db.Scalar[int64], `UPDATE counter SET value = value + 1 WHERE name = 'lot' RETURNING value`)
}

func (t lots) InsertLot(l shop.Lot) error {
	n, err := db.Affecting(t, `INSERT INTO lot (`+strings.TrimPrefix(lotStored, "lot.")+`, part)
		VALUES ($1, `+db.PlaceholderList(2, 25)+`) ON CONFLICT DO NOTHING`, append(append([]any{l.ID}, lotValues(&l)...), l.Part())...)
	if err == nil && n == 0 {
		err = shop.ErrDuplicate
	}
	return err
}

func (t lots) UpdateLot(l shop.Lot) error {
	return db.ExpectOne(t, `UPDATE lot SET lot_number = $2, material = $3, category = $4, part_number = $5, part_revision = $6,
		supplier_lot = $7, heat_number = $8, supplier = $9, manufacturer = $10, order_number = $11, specification = $12, code = $13,
		customer_approval = $14, owner = $15, quantity = $16, unit = $17, remaining = $18, received_on = $19, expires_on = $20,
		certificate_required = $21, parent_id = $22, created_by = $23, created_at = $24, updated_at = $25, part = $26 WHERE id = $1`,
		append(append([]any{l.ID}, lotValues(&l)...), l.Part())...)
}

func (t lots) VoidLot(id string, voiding card.Voiding) error {
	return db.ExpectOne(t, `UPDATE lot SET voided_at = $2, voided_by = $3, void_reason = $4, updated_at = $2
		WHERE id = $1 AND voided_at = 0`, id, int64(voiding.VoidedAt), voiding.VoidedBy, voiding.VoidReason)
}

func (t lots) Lot(id string) (shop.Lot, error) {
	return db.One(t, scanLot, selectLots+` WHERE lot.id = $1`+t.Lock, id)
}

func (t lots) LotsByID(ids []string) ([]shop.Lot, error) {
	placeholders, args := db.InList(1, ids)
	return db.All(t, scanLot, selectLots+` WHERE lot.id IN (`+placeholders+`)`, args...)
}

func (t lots) LotNamed(lotNumber, part, supplier string) (shop.Lot, error) {
	if err := t.LockAbsent("lot " + lotNumber); err != nil {
		return shop.Lot{}, err
	}
	return db.One(t, scanLot, selectLots+` WHERE lot_number = $1 AND part = $2 AND supplier = $3 AND voided_at = 0`,
		lotNumber, part, supplier)
}

func (t lots) LotUsed(id string) (bool, error) {
	split, err := db.One(t, db.Scalar[int64], `SELECT COUNT(*) FROM lot WHERE id = $1
		AND (EXISTS (SELECT 1 FROM lot c WHERE c.parent_id = $1 AND c.parent_id <> '')
			OR EXISTS (SELECT 1 FROM component c WHERE c.lot_id = $1 AND c.lot_id <> '' AND c.voided_at = 0))`, id)
	return split > 0, err
}

func (t lots) Lots(query shop.LotQuery) ([]shop.Lot, error) {
	var c db.Conditions
	c.Add(`lot.id < ?`, cmp.Or(query.Before, db.BeforeAll))
	NarrowLots(&c, query)
	return db.All(t, scanLot, selectLots+c.Where()+fmt.Sprintf(` ORDER BY lot.id DESC LIMIT $%d`, len(c.Args)+1),
		append(c.Args, query.Limit)...)
}

// NarrowLots adds the conditions of a query, except for the cursor.
func NarrowLots(c *db.Conditions, query shop.LotQuery) {
	c.AddContaining(query.Text, "lot_number", "material", "part_number", "heat_number", "supplier_lot", "supplier", "order_number", "code")
	if query.PartNumber != "" {
		c.Add(`part_number = ?`, query.PartNumber)
	}
	if query.HeatNumber != "" {
		c.Add(`lower(heat_number) = ?`, db.Lowered(query.HeatNumber))
	}
	if query.Supplier != "" {
		c.Add(`supplier = ?`, query.Supplier)
	}
	if query.Held {
		c.Add(`lot.id IN (WITH RECURSIVE held (id) AS (SELECT lot_id FROM lot_hold WHERE released_at = 0 AND lot_id > '' UNION
			SELECT s.id FROM held JOIN lot s ON s.parent_id = held.id AND s.parent_id <> '') SELECT id FROM held)`)
	}
}

func (t lots) LotsNumbered(lotNumber string) ([]shop.Lot, error) {
	return db.All(t, scanLot, selectLots+` WHERE lower(lot_number) = $1 AND voided_at = 0 ORDER BY lot.id DESC LIMIT 20`,
		db.Lowered(lotNumber))
}

func (t lots) LotsCoded(code string) ([]shop.Lot, error) {
	return db.All(t, scanLot, selectLots+` WHERE lower(code) = $1 AND code <> '' AND voided_at = 0 ORDER BY lot.id DESC LIMIT 20`,
		db.Lowered(code))
}

func (t lots) EveryLot() iter.Seq2[shop.Lot, error] {
	return db.Pages(func(last shop.Lot, _ bool, limit int) ([]shop.Lot, bool, error) {
		return db.Page(t, scanLot, selectLots+` WHERE lot.id > $1 ORDER BY lot.id LIMIT $2`, last.ID, limit)
	})
}

const (
	lotHoldColumns = `id, lot_id, reason, nonconformance_id, placed_by, placed_at, released_by, released_at, release_reason`
	selectLotHolds = `SELECT ` + lotHoldColumns + ` FROM lot_hold`
)

func scanLotHold(r db.Rows) (h shop.LotHold, err error) {
	err = r.Scan(&h.ID, &h.LotID, &h.Reason, &h.NonconformanceID, &h.PlacedBy, &h.PlacedAt, &h.ReleasedBy, &h.ReleasedAt,
		&h.ReleaseReason)
	return h, err
}

func (t lots) InsertLotHold(h shop.LotHold) error {
	return db.Run(t, `INSERT INTO lot_hold (`+lotHoldColumns+`) VALUES ($1, $2, $3, $4, $5, $6, '', 0, '')`,
		h.ID, h.LotID, h.Reason, h.NonconformanceID, h.PlacedBy, int64(h.PlacedAt))
}

func (t lots) ReleaseLotHold(h shop.LotHold) error {
	return db.ExpectOne(t, `UPDATE lot_hold SET released_by = $2, released_at = $3, release_reason = $4 WHERE id = $1 AND released_at = 0`,
		h.ID, h.ReleasedBy, int64(h.ReleasedAt), h.ReleaseReason)
}

// withLineOf begins a statement over line, the table of the lot $1 and all lots from which it was split.
const withLineOf = `WITH RECURSIVE line (lot) AS (SELECT lot.id FROM lot WHERE lot.id = $1 UNION
	SELECT p.parent_id FROM line JOIN lot p ON p.id = line.lot WHERE p.parent_id <> '') `

func (t lots) LotHolds(lotID string) ([]shop.LotHold, error) {
	return db.All(t, scanLotHold, withLineOf+`SELECT `+lotHoldColumns+`
		FROM line CROSS JOIN lot_hold WHERE lot_id = line.lot ORDER BY id`, lotID)
}

func (t lots) EveryLotHold() iter.Seq2[shop.LotHold, error] {
	return db.Pages(func(last shop.LotHold, _ bool, limit int) ([]shop.LotHold, bool, error) {
		return db.Page(t, scanLotHold, selectLotHolds+` WHERE id > $1 ORDER BY id LIMIT $2`, last.ID, limit)
	})
}

const lotCertificateColumns = `id, lot_id, certificate_id, attached_by, attached_at`

func scanLotCertificate(r db.Rows) (a shop.LotCertificate, err error) {
	err = r.Scan(&a.ID, &a.LotID, &a.CertID, &a.AttachedBy, &a.AttachedAt)
	return a, err
}

func (t lots) InsertLotCertificate(a shop.LotCertificate) error {
	return db.Run(t, `INSERT INTO lot_certificate (`+lotCertificateColumns+`) VALUES ($1, $2, $3, $4, $5)`,
		a.ID, a.LotID, a.CertID, a.AttachedBy, int64(a.AttachedAt))
}

func (t lots) LotCertificates(lotID string) ([]shop.LotCertificate, error) {
	return db.All(t, scanLotCertificate, withLineOf+`SELECT `+lotCertificateColumns+`
		FROM line CROSS JOIN lot_certificate WHERE lot_id = line.lot ORDER BY id`, lotID)
}

func (t lots) EveryLotCertificate() iter.Seq2[shop.LotCertificate, error] {
	return db.Pages(func(last shop.LotCertificate, _ bool, limit int) ([]shop.LotCertificate, bool, error) {
		return db.Page(t, scanLotCertificate, `SELECT `+lotCertificateColumns+` FROM lot_certificate WHERE id > $1 ORDER BY id LIMIT $2`,
			last.ID, limit)
	})
}

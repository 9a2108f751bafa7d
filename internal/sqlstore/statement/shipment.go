package statement

import (
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

type shipments struct{ *db.Core }

// openLines begins the count of the lines of a shipment that are not received.
const openLines = `(SELECT COUNT(*) FROM shipment_line l JOIN serial s ON s.number = l.serial_number
	WHERE l.shipment_id = shipment.id AND l.settled_at = 0`

const (
	shipmentStored  = `id, number, kind, supplier, customer, order_number, sent_on, expected_back, sent, created_by, created_at, updated_at`
	shipmentColumns = `shipment.id, kind, supplier, customer, order_number, sent_on, expected_back, sent, created_by, created_at,
		updated_at,
		(SELECT CAST(COALESCE(SUM(r.received), 0) AS BIGINT) FROM receipt r WHERE r.shipment_id = shipment.id AND r.voided_at = 0),
		(SELECT CAST(COALESCE(SUM(r.rejected), 0) AS BIGINT) FROM receipt r WHERE r.shipment_id = shipment.id AND r.voided_at = 0),
		` + openLines + ` AND l.result = 'missing' AND s.status <> 'scrapped'),
		` + openLines + ` AND s.status = 'scrapped')` +
		db.ExternalOf + string(shop.RecordShipment) + `' AND x.record_id = shipment.id` + db.ExternalEnd
	selectShipments = `SELECT ` + shipmentColumns + ` FROM shipment`
)

func scanShipment(r db.Rows) (s shop.Shipment, err error) {
	c := &s.Counts
	err = r.Scan(&s.ID, &s.Kind, &s.Supplier, &s.Customer, &s.OrderNumber, &s.SentOn, &s.ExpectedBack, &c.Sent, &s.CreatedBy,
		&s.CreatedAt, &s.UpdatedAt, &c.Received, &c.Rejected, &c.Missing, &c.Scrapped, &s.ExternalID)
	c.Away = c.Sent - c.Received - c.Rejected - c.Scrapped
	return s, err
}

func (t shipments) TakeShipmentNumber() (int64, error) {
	return db.One(t, db.Scalar[int64], `UPDATE counter SET value = value + 1 WHERE name = 'shipment' RETURNING value`)
}

func (t shipments) InsertShipment(s shop.Shipment) error {
	number, _ := shop.ParseShipmentID(s.ID)
	return db.Run(t, `INSERT INTO shipment (`+shipmentStored+`) VALUES (`+db.PlaceholderList(1, 12)+`)`,
		s.ID, number, string(s.Kind), s.Supplier, s.Customer, s.OrderNumber, s.SentOn, s.ExpectedBack, s.Counts.Sent, s.CreatedBy,
		int64(s.CreatedAt), int64(s.UpdatedAt))
}

func (t shipments) NoteShipmentChanged(id string, at ident.Timestamp) error {
	return db.ExpectOne(t, `UPDATE shipment SET updated_at = $2 WHERE id = $1`, id, int64(at))
}

// Shipment locks the row in a statement of its own, because the counts must not be older than the lock.
func (t shipments) Shipment(id string) (shop.Shipment, error) {
	if t.Lock != "" {
		if _, err := db.One(t, db.Scalar[string], `SELECT id FROM shipment WHERE id = $1`+t.Lock, id); err != nil {
			return shop.Shipment{}, err
		}
	}
	return db.One(t, scanShipment, selectShipments+` WHERE shipment.id = $1`, id)
}

func (t shipments) Shipments(query shop.ShipmentQuery) ([]shop.Shipment, error) {
	var c db.Conditions
	c.AddBefore(query.Before, shop.ParseShipmentID)
	NarrowShipments(t.Prefix, &c, query)
	return db.All(t, scanShipment, selectShipments+c.Where()+fmt.Sprintf(` ORDER BY number DESC LIMIT $%d`, len(c.Args)+1),
		append(c.Args, query.Limit)...)
}

// NarrowShipments adds the conditions of a query, except for the cursor and for the day on which a shipment is overdue.
func NarrowShipments(prefix ident.Prefix, c *db.Conditions, query shop.ShipmentQuery) {
	c.AddContaining(query.Text, "supplier", "customer", "order_number", "shipment.id")
	for _, same := range []struct{ column, value string }{
		{"kind", string(query.Kind)}, {"supplier", query.Supplier}, {"customer", query.Customer},
	} {
		if same.value != "" {
			c.Add(same.column+` = ?`, same.value)
		}
	}
	if query.SerialID != "" {
		number, _ := prefix.ParseSerialID(query.SerialID)
		c.Add(`shipment.id IN (SELECT l.shipment_id FROM shipment_line l WHERE l.serial_number = ?)`, number)
	}
	const unsettled = `EXISTS (SELECT 1 FROM shipment_line l JOIN serial s ON s.number = l.serial_number
		WHERE l.shipment_id = shipment.id AND l.settled_at = 0 AND s.status <> 'scrapped')`
	switch query.Status {
	case shop.ShipmentShipped:
		c.Add(`kind = 'customer'`)
	case shop.ShipmentClosed:
		c.Add(`kind = 'outside' AND NOT ` + unsettled)
	case shop.ShipmentOpen:
		c.Add(`kind = 'outside' AND ` + unsettled)
	case shop.ShipmentOverdue:
		c.Add(`kind = 'outside' AND expected_back <> '' AND ` + unsettled)
	}
}

func (t shipments) AllShipments() iter.Seq2[shop.Shipment, error] {
	return db.Pages(func(last shop.Shipment, _ bool, limit int) ([]shop.Shipment, bool, error) {
		number, _ := shop.ParseShipmentID(last.ID)
		return db.Page(t, scanShipment, selectShipments+` WHERE number > $1 ORDER BY number LIMIT $2`, number, limit)
	})
}

const (
	lineColumns = `shipment_id, serial_number, step_id, pass, result, receipt_id, reason, settled_at, updated_at`
	selectLines = `SELECT ` + lineColumns + ` FROM shipment_line`
)

func scanLine(prefix ident.Prefix, r db.Rows) (l card.ShipmentLine, err error) {
	var number int64
	err = r.Scan(&l.ShipmentID, &number, &l.StepID, &l.Pass, &l.Result, &l.ReceiptID, &l.Reason, &l.SettledAt, &l.UpdatedAt)
	l.SerialID = prefix.SerialID(number)
	return l, err
}

// The lines of a shipment as the interface shows them.
const (
	listedLineColumns = `l.shipment_id, l.serial_number, l.step_id, l.pass, l.result, l.receipt_id, l.reason, l.settled_at, l.updated_at,
		s.own_number, s.status`
	listedLines = `shipment_line l JOIN serial s ON s.number = l.serial_number`
)

func scanListedLine(prefix ident.Prefix, r db.Rows) (shop.ListedLine, error) {
	var ownNumber string
	var status card.SerialStatus
	line, err := scanLine(prefix, db.Widened{Rows: r, Behind: []any{&ownNumber, &status}})
	return shop.ListedLineOf(line, ownNumber, status), err
}

func (t shipments) LinesOfShipment(shipmentID string) iter.Seq2[shop.ListedLine, error] {
	return db.Pages(func(last shop.ListedLine, _ bool, limit int) ([]shop.ListedLine, bool, error) {
		number, _ := t.Prefix.ParseSerialID(last.SerialID)
		return db.Page(t, db.Named(t.Prefix, scanListedLine), `SELECT `+listedLineColumns+` FROM `+listedLines+`
			WHERE l.shipment_id = $1 AND l.serial_number > $2 ORDER BY l.serial_number LIMIT $3`, shipmentID, number, limit)
	})
}

func (t shipments) InsertShipmentLines(lines []card.ShipmentLine) error {
	const width = 9
	args := make([]any, 0, width*len(lines))
	for i := range lines {
		l := &lines[i]
		if l.StepID != "" && (i == 0 || lines[i-1].StepID != l.StepID) {
			if err := lockStep(t.Core, l.StepID); err != nil {
				return err
			}
		}
		number, _ := t.Prefix.ParseSerialID(l.SerialID)
		args = append(args, l.ShipmentID, number, l.StepID, l.Pass, string(l.Result), l.ReceiptID, l.Reason, int64(l.SettledAt),
			int64(l.UpdatedAt))
	}
	inserted := int64(0)
	for _, statement := range db.Inserts(`INSERT INTO shipment_line (`+lineColumns+`) VALUES`, width, args, ` ON CONFLICT DO NOTHING`) {
		n, err := db.Affecting(t, statement.SQL, statement.Args...)
		if err != nil {
			return err
		}
		inserted += n
	}
	if inserted != int64(len(lines)) {
		return shop.ErrDuplicate
	}
	return nil
}

func (t shipments) LinesAmong(shipmentID string, serialIDs []string) ([]card.ShipmentLine, error) {
	if len(serialIDs) == 0 {
		return []card.ShipmentLine{}, nil
	}
	placeholders, args := db.InList(2, numbersOf(t.Prefix, serialIDs))
	return db.All(t, db.Named(t.Prefix, scanLine), selectLines+` WHERE shipment_id = $1 AND serial_number IN (`+placeholders+`)`,
		append([]any{shipmentID}, args...)...)
}

func (t shipments) LinesOfReceipt(receiptID string) ([]card.ShipmentLine, error) {
	return db.All(t, db.Named(t.Prefix, scanLine),
		selectLines+` WHERE receipt_id = $1 AND receipt_id <> '' ORDER BY serial_number`, receiptID)
}

// lineResult is the part of a line that lines of one receipt with the same result have in common.
type lineResult struct {
	shipmentID, receiptID, reason string
	result                        card.LineResult
	settledAt, updatedAt          ident.Timestamp
}

func (t shipments) SettleLines(lines []card.ShipmentLine) error {
	alike, order := map[lineResult][]string{}, []lineResult{}
	for i := range lines {
		l := &lines[i]
		key := lineResult{l.ShipmentID, l.ReceiptID, l.Reason, l.Result, l.SettledAt, l.UpdatedAt}
		if alike[key] == nil {
			order = append(order, key)
		}
		alike[key] = append(alike[key], l.SerialID)
	}
	for _, key := range order {
		for chunk := range db.Chunks(numbersOf(t.Prefix, alike[key])) {
			placeholders, args := db.InList(7, chunk)
			settled, err := db.Affecting(t, `UPDATE shipment_line SET result = $2, receipt_id = $3, reason = $4, settled_at = $5,
				updated_at = $6 WHERE shipment_id = $1 AND settled_at = 0 AND serial_number IN (`+placeholders+`)`,
				append([]any{key.shipmentID, string(key.result), key.receiptID, key.reason, int64(key.settledAt), int64(key.updatedAt)},
					args...)...)
			if err != nil {
				return err
			}
			if settled != int64(len(chunk)) {
				return shop.ErrNoRecord
			}
		}
	}
	return nil
}

func (t shipments) ReopenLines(receiptID string, at ident.Timestamp) error {
	return db.Run(t, `UPDATE shipment_line SET result = '', receipt_id = '', reason = '', settled_at = 0, updated_at = $2, certified = 0
		WHERE receipt_id = $1 AND receipt_id <> ''`, receiptID, int64(at))
}

func (t shipments) AllShipmentLines() iter.Seq2[card.ShipmentLine, error] {
	return db.Pages(func(last card.ShipmentLine, _ bool, limit int) ([]card.ShipmentLine, bool, error) {
		number, _ := t.Prefix.ParseSerialID(last.SerialID)
		return db.Page(t, db.Named(t.Prefix, scanLine), selectLines+` WHERE (shipment_id, serial_number) > ($1, $2)
			ORDER BY shipment_id, serial_number LIMIT $3`, last.ShipmentID, number, limit)
	})
}

const (
	receiptStored  = `id, shipment_id, received, rejected, missing, nonconformance_id, packing_slip, received_by, received_at`
	receiptColumns = receiptStored + `, voided_at, voided_by, void_reason,
		COALESCE((SELECT string_agg(c.certificate_id, ' ' ORDER BY c.id) FROM receipt_certificate c WHERE c.receipt_id = receipt.id), '')`
	selectReceipts = `SELECT ` + receiptColumns + ` FROM receipt`
)

func scanReceipt(r db.Rows) (receipt shop.Receipt, err error) {
	var missing, certificates string
	if err := r.Scan(&receipt.ID, &receipt.ShipmentID, &receipt.Received, &receipt.Rejected, &missing, &receipt.NonconformanceID,
		&receipt.PackingSlip, &receipt.ReceivedBy, &receipt.ReceivedAt, &receipt.VoidedAt, &receipt.VoidedBy, &receipt.VoidReason,
		&certificates); err != nil {
		return receipt, err
	}
	receipt.CertIDs = append([]string{}, strings.Fields(certificates)...)
	if wrong := json.Unmarshal([]byte(missing), &receipt.Missing); wrong != nil {
		return receipt, &shop.UnreadableError{Table: "receipt", ID: receipt.ID, Err: wrong}
	}
	return receipt, nil
}

func (t shipments) InsertReceipt(r shop.Receipt) error {
	missing, err := json.Marshal(append([]shop.MissingUnit{}, r.Missing...))
	if err != nil {
		return err
	}
	return db.Run(t, `INSERT INTO receipt (`+receiptStored+`) VALUES (`+db.PlaceholderList(1, 9)+`)`,
		r.ID, r.ShipmentID, r.Received, r.Rejected, string(missing), r.NonconformanceID, r.PackingSlip, r.ReceivedBy, int64(r.ReceivedAt))
}

func (t shipments) Receipt(id string) (shop.Receipt, error) {
	return db.One(t, scanReceipt, selectReceipts+` WHERE receipt.id = $1`, id)
}

func (t shipments) ReceiptsOfShipments(shipmentIDs []string) ([]shop.Receipt, error) {
	all := []shop.Receipt{}
	for chunk := range db.Chunks(shipmentIDs) {
		placeholders, args := db.InList(1, chunk)
		found, err := db.All(t, scanReceipt, selectReceipts+` WHERE shipment_id IN (`+placeholders+`) ORDER BY receipt.id`, args...)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func (t shipments) VoidReceipt(id string, v card.Voiding) error {
	return db.ExpectOne(t, `UPDATE receipt SET voided_at = $2, voided_by = $3, void_reason = $4 WHERE id = $1 AND voided_at = 0`,
		id, int64(v.VoidedAt), v.VoidedBy, v.VoidReason)
}

func (t shipments) AllReceipts() iter.Seq2[shop.Receipt, error] {
	type receipt = db.Listed[shop.Receipt]
	return db.Readable(t.Core, db.Pages(func(last receipt, _ bool, limit int) ([]receipt, bool, error) {
		return db.Page(t, db.Lenient(scanReceipt), selectReceipts+` WHERE receipt.id > $1 ORDER BY receipt.id LIMIT $2`,
			last.Record.ID, limit)
	}))
}

const receiptCertificateColumns = `id, receipt_id, certificate_id, attached_by, attached_at`

func scanReceiptCertificate(r db.Rows) (a shop.ReceiptCertificate, err error) {
	err = r.Scan(&a.ID, &a.ReceiptID, &a.CertID, &a.AttachedBy, &a.AttachedAt)
	return a, err
}

// InsertReceiptCertificate also marks the lines of the receipt, so that their units are read again.
func (t shipments) InsertReceiptCertificate(a shop.ReceiptCertificate) error {
	if err := db.Run(t, `INSERT INTO receipt_certificate (`+receiptCertificateColumns+`) VALUES ($1, $2, $3, $4, $5)`,
		a.ID, a.ReceiptID, a.CertID, a.AttachedBy, int64(a.AttachedAt)); err != nil {
		return err
	}
	return db.Run(t, `UPDATE shipment_line SET certified = 1 WHERE receipt_id = $1 AND receipt_id <> '' AND settled_at <> 0`, a.ReceiptID)
}

func (t shipments) ReceiptCertificates(receiptID string) ([]shop.ReceiptCertificate, error) {
	return db.All(t, scanReceiptCertificate, `SELECT `+receiptCertificateColumns+` FROM receipt_certificate WHERE receipt_id = $1
		ORDER BY id`, receiptID)
}

func (t shipments) AllReceiptCertificates() iter.Seq2[shop.ReceiptCertificate, error] {
	return db.Pages(func(last shop.ReceiptCertificate, _ bool, limit int) ([]shop.ReceiptCertificate, bool, error) {
		return db.Page(t, scanReceiptCertificate, `SELECT `+receiptCertificateColumns+` FROM receipt_certificate WHERE id > $1
			ORDER BY id LIMIT $2`, last.ID, limit)
	})
}

func (t shipments) ReportsOfUnits(serialIDs []string) ([]shop.ReportOfUnit, error) {
	if len(serialIDs) == 0 {
		return []shop.ReportOfUnit{}, nil
	}
	placeholders, args := db.InList(1, numbersOf(t.Prefix, serialIDs))
	return db.All(t, func(r db.Rows) (on shop.ReportOfUnit, err error) {
		var closedAt, report int64
		report, on.Unit, err = scanUnitOn(t.Prefix, db.Widened{Rows: r, Behind: []any{&closedAt}})
		on.ReportID, on.Closed = shop.NonconformanceID(report), closedAt != 0
		return on, err
	}, `SELECT u.nonconformance_number, u.serial_number, u.found_at, u.disposition, u.decided_by, u.decided_at, u.reason, u.concession,
			n.closed_at
		FROM nonconforming_unit u JOIN nonconformance n ON n.number = u.nonconformance_number
		WHERE u.serial_number IN (`+placeholders+`) ORDER BY u.serial_number, u.nonconformance_number`, args...)
}

func (t shipments) UnitsWithParts(serialIDs []string) (map[string]bool, error) {
	withParts := map[string]bool{}
	if len(serialIDs) == 0 {
		return withParts, nil
	}
	placeholders, args := db.InList(1, numbersOf(t.Prefix, serialIDs))
	found, err := db.All(t, db.Scalar[int64], `SELECT DISTINCT serial_number FROM component
		WHERE serial_number IN (`+placeholders+`) AND `+openComponent, args...)
	for _, number := range found {
		withParts[t.Prefix.SerialID(number)] = true
	}
	return withParts, err
}

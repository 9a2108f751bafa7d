package statement

import (
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

type conformances struct{ *db.Core }

const (
	issueColumns = `r.conformance_id, r.revision, r.customer, r.customer_address, r.order_number, r.shipment_id, r.lines, r.units,
		r.statement, r.lang, r.sha256, r.size, r.signed, r.reason, r.issued_by, r.issued_at`
	selectIssues = `SELECT ` + issueColumns + ` FROM conformance_revision r`
	// issueWithFile has the size only if the file of the PDF has it, too.
	issueWithFile = `r.conformance_id, r.revision, r.customer, r.customer_address, r.order_number, r.shipment_id, r.lines, r.units,
		r.statement, r.lang, r.sha256, CASE WHEN f.size = r.size AND f.type = 'application/pdf' THEN r.size ELSE 0 END, r.signed, r.reason,
		r.issued_by, r.issued_at FROM conformance_revision r`

	conformanceColumns = issueColumns + `, conformance.withdrawn_by, conformance.withdrawn_at, conformance.withdraw_reason,
		conformance.updated_at`
	conformanceFrom    = `conformance JOIN conformance_revision r ON r.id = conformance.current`
	selectConformances = `SELECT ` + conformanceColumns + ` FROM ` + conformanceFrom
)

func scanIssue(r db.Rows) (i shop.ConformanceIssue, err error) {
	var lines string
	var signed int64
	if err := r.Scan(&i.ConformanceID, &i.Revision, &i.Customer, &i.CustomerAddress, &i.OrderNumber, &i.ShipmentID, &lines, &i.Units,
		&i.Statement, &i.Lang, &i.SHA256, &i.Size, &signed, &i.Reason, &i.IssuedBy, &i.IssuedAt); err != nil {
		return i, err
	}
	i.Signed = signed != 0
	if wrong := json.Unmarshal([]byte(lines), &i.Lines); wrong != nil {
		id := shop.ConformanceIssueKey(i.ConformanceID, i.Revision)
		return i, &shop.UnreadableError{Table: "conformance_revision", ID: id, Err: wrong}
	}
	return i, nil
}

func scanConformance(r db.Rows) (c shop.Conformance, err error) {
	c.ConformanceIssue, err = scanIssue(db.Widened{Rows: r, Behind: []any{&c.WithdrawnBy, &c.WithdrawnAt, &c.WithdrawReason, &c.UpdatedAt}})
	c.ID, c.Status = c.ConformanceID, shop.ConformanceIssued
	if c.WithdrawnAt != 0 {
		c.Status = shop.ConformanceWithdrawn
	}
	return c, err
}

func (t conformances) TakeConformanceNumber() (int64, error) {
	return db.One(t, db.Scalar[int64], `UPDATE counter SET value = value + 1 WHERE name = 'conformance' RETURNING value`)
}

func (t conformances) InsertConformance(c shop.Conformance) error {
	number, _ := shop.ParseConformanceID(c.ID)
	if err := db.Run(t, `INSERT INTO conformance (id, number, current, updated_at) VALUES ($1, $2, $3, $4)`,
		c.ID, number, shop.ConformanceIssueKey(c.ID, c.Revision), int64(c.UpdatedAt)); err != nil {
		return err
	}
	return t.insertIssue(&c.ConformanceIssue)
}

func (t conformances) ReplaceConformance(c shop.Conformance) error {
	if err := t.closeUnits(c.ID); err != nil {
		return err
	}
	if err := db.ExpectOne(t, `UPDATE conformance SET current = $2, updated_at = $3 WHERE id = $1`,
		c.ID, shop.ConformanceIssueKey(c.ID, c.Revision), int64(c.UpdatedAt)); err != nil {
		return err
	}
	return t.insertIssue(&c.ConformanceIssue)
}

func (t conformances) WithdrawConformance(c shop.Conformance) error {
	if err := t.closeUnits(c.ID); err != nil {
		return err
	}
	return db.ExpectOne(t, `UPDATE conformance SET withdrawn_by = $2, withdrawn_at = $3, withdraw_reason = $4, updated_at = $5
		WHERE id = $1 AND withdrawn_at = 0`, c.ID, c.WithdrawnBy, int64(c.WithdrawnAt), c.WithdrawReason, int64(c.UpdatedAt))
}

func (t conformances) closeUnits(id string) error {
	return db.Run(t, `UPDATE conformance_unit SET open = 0 WHERE conformance_id = $1 AND open = 1`, id)
}

func (t conformances) insertIssue(i *shop.ConformanceIssue) error {
	lines, err := json.Marshal(i.Lines)
	if err != nil {
		return err
	}
	if err := db.Run(t, `UPDATE file SET attached = 1 WHERE sha256 = $1 AND attached = 0`, i.SHA256); err != nil {
		return err
	}
	signed := 0
	if i.Signed {
		signed = 1
	}
	return db.Run(t, `INSERT INTO conformance_revision (id, conformance_id, revision, customer, customer_address, order_number, shipment_id,
		lines, units, statement, lang, sha256, size, signed, reason, issued_by, issued_at) VALUES (`+db.PlaceholderList(1, 17)+`)`,
		shop.ConformanceIssueKey(i.ConformanceID, i.Revision), i.ConformanceID, i.Revision, i.Customer, i.CustomerAddress, i.OrderNumber,
		i.ShipmentID, string(lines), i.Units, i.Statement, i.Lang, i.SHA256, i.Size, signed, i.Reason, i.IssuedBy, int64(i.IssuedAt))
}

// Conformance locks the row in a statement of its own, because its revision must not be older than the lock.
func (t conformances) Conformance(id string) (shop.Conformance, error) {
	if t.Lock != "" {
		if _, err := db.One(t, db.Scalar[string], `SELECT id FROM conformance WHERE id = $1`+t.Lock, id); err != nil {
			return shop.Conformance{}, err
		}
	}
	return db.One(t, scanConformance, selectConformances+` WHERE conformance.id = $1`, id)
}

func (t conformances) Conformances(query shop.ConformanceQuery) ([]shop.Conformance, error) {
	var c db.Conditions
	c.AddBefore(query.Before, shop.ParseConformanceID)
	NarrowConformances(t.Prefix, &c, query)
	return db.All(t, scanConformance, selectConformances+c.Where()+fmt.Sprintf(` ORDER BY number DESC LIMIT $%d`, len(c.Args)+1),
		append(c.Args, query.Limit)...)
}

// NarrowConformances adds the conditions of a query, except for the cursor.
func NarrowConformances(prefix ident.Prefix, c *db.Conditions, query shop.ConformanceQuery) {
	c.AddContaining(query.Text, "r.customer", "r.order_number", "conformance.id")
	switch query.Status {
	case shop.ConformanceIssued:
		c.Add(`conformance.withdrawn_at = 0`)
	case shop.ConformanceWithdrawn:
		c.Add(`conformance.withdrawn_at <> 0`)
	case shop.ConformanceSuperseded: // of no newest revision
	}
	if query.Customer != "" {
		c.Add(`r.customer = ?`, query.Customer)
	}
	const unitOn = `EXISTS (SELECT 1 FROM conformance_unit u`
	if query.JobID != "" {
		c.Add(unitOn+` JOIN serial s ON s.number = u.serial_number JOIN path p ON p.id = s.path_id
			WHERE u.conformance_id = r.conformance_id AND u.revision = r.revision AND p.job_id = ?)`, query.JobID)
	}
	if query.SerialID != "" {
		number, _ := prefix.ParseSerialID(query.SerialID)
		c.Add(unitOn+` WHERE u.conformance_id = r.conformance_id AND u.revision = r.revision AND u.serial_number = ?)`, number)
	}
}

func (t conformances) AllConformances() iter.Seq2[shop.Conformance, error] {
	type head struct {
		shop.Conformance
		number int64
	}
	scan := func(r db.Rows) (h head, err error) {
		var current string
		err = r.Scan(&h.ID, &h.number, &current, &h.WithdrawnBy, &h.WithdrawnAt, &h.WithdrawReason, &h.UpdatedAt)
		_, revision, _ := strings.Cut(current, "/")
		h.Revision, _ = strconv.Atoi(revision)
		return h, err
	}
	return func(yield func(shop.Conformance, error) bool) {
		for h, err := range db.Pages(func(last head, _ bool, limit int) ([]head, bool, error) {
			return db.Page(t, scan, `SELECT id, number, current, withdrawn_by, withdrawn_at, withdraw_reason, updated_at FROM conformance
				WHERE number > $1 ORDER BY number LIMIT $2`, last.number, limit)
		}) {
			if !yield(h.Conformance, err) {
				return
			}
		}
	}
}

func (t conformances) ConformanceIssues(ids []string) ([]shop.ConformanceIssue, error) {
	if len(ids) == 0 {
		return []shop.ConformanceIssue{}, nil
	}
	placeholders, args := db.InList(1, ids)
	return db.All(t, scanIssue, selectIssues+` WHERE r.conformance_id IN (`+placeholders+`) ORDER BY r.conformance_id, r.revision`, args...)
}

func (t conformances) AllConformanceIssues() iter.Seq2[shop.ConformanceIssue, error] {
	type issue = db.Listed[shop.ConformanceIssue]
	return db.Readable(t.Core, db.Pages(func(last issue, _ bool, limit int) ([]issue, bool, error) {
		return db.Page(t, db.Lenient(scanIssue), `SELECT `+issueWithFile+` LEFT JOIN file f ON f.sha256 = r.sha256
			WHERE (r.conformance_id, r.revision) > ($1, $2)
			ORDER BY r.conformance_id, r.revision LIMIT $3`, last.Record.ConformanceID, last.Record.Revision, limit)
	}))
}

func (t conformances) InsertConformanceUnits(units []shop.ConformanceUnit) error {
	const width = 5
	args := make([]any, 0, width*len(units))
	for i := range units {
		u := &units[i]
		number, _ := t.Prefix.ParseSerialID(u.SerialID)
		open := 0
		if u.Open {
			open = 1
		}
		args = append(args, u.ConformanceID, u.Revision, number, u.Pass, open)
	}
	inserted := int64(0)
	const insert = `INSERT INTO conformance_unit (conformance_id, revision, serial_number, pass, open) VALUES`
	for _, statement := range db.Inserts(insert, width, args,
		` ON CONFLICT DO NOTHING`) {
		n, err := db.Affecting(t, statement.SQL, statement.Args...)
		if err != nil {
			return err
		}
		inserted += n
	}
	if inserted != int64(len(units)) {
		return shop.ErrDuplicate
	}
	return nil
}

// The units of the newest revision of a certificate as the interface shows them.
const (
	conformanceUnitColumns = `u.conformance_id, u.revision, u.serial_number, u.pass, u.open, s.own_number, p.job_id`
	newestUnits            = `conformance c JOIN conformance_revision r ON r.id = c.current
		JOIN conformance_unit u ON u.conformance_id = r.conformance_id AND u.revision = r.revision
		JOIN serial s ON s.number = u.serial_number JOIN path p ON p.id = s.path_id`
)

func scanConformanceUnit(prefix ident.Prefix, r db.Rows) (u shop.ConformanceUnit, err error) {
	var number, open int64
	err = r.Scan(&u.ConformanceID, &u.Revision, &number, &u.Pass, &open, &u.SerialNumber, &u.JobID)
	u.SerialID, u.Open = prefix.SerialID(number), open != 0
	return u, err
}

func (t conformances) UnitsOfConformance(id string, revision int) iter.Seq2[shop.ConformanceUnit, error] {
	return db.Pages(func(last shop.ConformanceUnit, _ bool, limit int) ([]shop.ConformanceUnit, bool, error) {
		number, _ := t.Prefix.ParseSerialID(last.SerialID)
		return db.Page(t, db.Named(t.Prefix, scanConformanceUnit), `SELECT `+conformanceUnitColumns+`
			FROM conformance_unit u JOIN serial s ON s.number = u.serial_number JOIN path p ON p.id = s.path_id
			WHERE u.conformance_id = $1 AND u.revision = $2 AND u.serial_number > $3 ORDER BY u.serial_number LIMIT $4`,
			id, revision, number, limit)
	})
}

func (t conformances) OpenConformances(serialIDs []string) ([]shop.ConformanceUnit, error) {
	if len(serialIDs) == 0 {
		return []shop.ConformanceUnit{}, nil
	}
	placeholders, args := db.InList(1, numbersOf(t.Prefix, serialIDs))
	return db.All(t, func(r db.Rows) (u shop.ConformanceUnit, err error) {
		var number int64
		err = r.Scan(&u.ConformanceID, &u.Revision, &number, &u.Pass)
		u.SerialID, u.Open = t.Prefix.SerialID(number), true
		return u, err
	}, `SELECT conformance_id, revision, serial_number, pass FROM conformance_unit WHERE open = 1 AND serial_number IN (`+placeholders+`)`,
		args...)
}

func (t conformances) OpenUnitsOfConformance(id string) (int, error) {
	open, err := db.One(t, db.Scalar[int64],
		`SELECT CAST(COALESCE(SUM(open), 0) AS BIGINT) FROM conformance_unit WHERE conformance_id = $1`, id)
	return int(open), err
}

func (t conformances) ConformancesOfUnit(serialID string) ([]shop.UnitConformance, error) {
	number, _ := t.Prefix.ParseSerialID(serialID)
	return db.All(t, func(r db.Rows) (u shop.UnitConformance, err error) {
		var newest, withdrawn int64
		err = r.Scan(&u.ID, &u.Revision, &u.Pass, &u.SHA256, &u.IssuedAt, &newest, &withdrawn)
		switch {
		case newest == 0:
			u.Status = shop.ConformanceSuperseded
		case withdrawn != 0:
			u.Status = shop.ConformanceWithdrawn
		default:
			u.Status = shop.ConformanceIssued
		}
		return u, err
	}, `SELECT u.conformance_id, u.revision, u.pass, r.sha256, r.issued_at, CASE WHEN c.current = r.id THEN 1 ELSE 0 END, c.withdrawn_at
		FROM conformance_unit u
		JOIN conformance_revision r ON r.conformance_id = u.conformance_id AND r.revision = u.revision
		JOIN conformance c ON c.id = u.conformance_id
		WHERE u.serial_number = $1 ORDER BY c.number, u.revision`, number)
}

func (t conformances) CertificatesOfUnits(serialIDs []string) ([]shop.Certificate, error) {
	if len(serialIDs) == 0 {
		return []shop.Certificate{}, nil
	}
	placeholders, args := db.InList(1, numbersOf(t.Prefix, serialIDs))
	return db.All(t, scanCertificate, `WITH RECURSIVE line (id) AS (
			SELECT c.lot_id FROM component c
			WHERE c.serial_number IN (`+placeholders+`) AND c.lot_id <> '' AND c.removed_at = 0 AND c.voided_at = 0
			UNION SELECT p.parent_id FROM line JOIN lot p ON p.id = line.id WHERE p.parent_id <> '')
		SELECT `+certificateColumns+` FROM certificate WHERE id IN (
			SELECT certificate_id FROM attachment WHERE serial_number IN (`+placeholders+`) AND voided_as = ''
			UNION
			SELECT r.certificate_id FROM shipment_line l JOIN receipt_certificate r ON r.receipt_id = l.receipt_id
			WHERE l.serial_number IN (`+placeholders+`) AND l.settled_at <> 0
			UNION
			SELECT n.certificate_id FROM line CROSS JOIN lot_certificate n WHERE n.lot_id = line.id)
		ORDER BY id`, args...)
}

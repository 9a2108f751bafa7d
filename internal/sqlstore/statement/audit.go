package statement

import (
	"iter"
	"math"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Trail has the statements of the audit trail.
type Trail struct{ *db.Core }

type auditRow struct {
	sequence int64
	Entry    trail.Entry
}

// ScanEntries reads every row of a result into the same variables, as ScanJobs does: consecutive entries of the trail have most of their
// texts in common.
func ScanEntries(prefix ident.Prefix) func(db.Rows) (auditRow, error) {
	var row auditRow
	var number int64
	var metadata string
	e := &row.Entry
	list := placeList{places: []any{&row.sequence}, serialNumber: &number, metadata: &metadata}
	AuditColumns(e, &list)
	return func(r db.Rows) (auditRow, error) {
		if err := r.Scan(list.places...); err != nil {
			return row, err
		}
		e.ID, e.SerialID, e.Metadata = ident.AuditID(row.sequence), "", nil
		if number != 0 {
			e.SerialID = prefix.SerialID(number)
		}
		if metadata != "" {
			e.Metadata = []byte(metadata)
		}
		return row, nil
	}
}

// appendSizes are the numbers of entries for each statement. There are few, so that a few prepared statements serve short lists of every
// length. Longer lists have separate statements.
var appendSizes = [...]int{64, 16, 4, 1}

func (t Trail) AppendAudit(entries ...trail.Entry) error {
	if len(entries) >= 4*appendSizes[0] {
		return t.appendAudit(entries)
	}
	for _, size := range appendSizes {
		for len(entries) >= size {
			if err := t.appendAudit(entries[:size]); err != nil {
				return err
			}
			entries = entries[size:]
		}
	}
	return nil
}

func (t Trail) appendAudit(entries []trail.Entry) error {
	if len(entries) == 1 {
		return db.Run(t, insertOneAudit, AuditArgs(t.Prefix, entries)...)
	}
	return db.InsertAll(t, insertAudit, AuditWidth, AuditArgs(t.Prefix, entries), "")
}

func auditEntries(listed iter.Seq2[auditRow, error]) iter.Seq2[trail.Entry, error] {
	return func(yield func(trail.Entry, error) bool) {
		for row, err := range listed {
			if !yield(row.Entry, err) {
				return
			}
		}
	}
}

// AuditEntries finds its start without counting rows: the sequence has no gaps, so an offset from the newest entry gives the sequence
// number.
func (t Trail) AuditEntries(limit, offset int64) iter.Seq2[trail.Entry, error] {
	var left int64
	return auditEntries(db.Pages(func(last auditRow, first bool, size int) ([]auditRow, bool, error) {
		from := last.sequence - 1
		if first {
			newest, err := db.One(t, db.Scalar[int64], `SELECT COALESCE(MAX(sequence), 0) FROM audit`)
			if err != nil {
				return nil, false, err
			}
			from, left = newest-min(offset, newest), limit
		}
		rows, cut, err := db.Page(t, ScanEntries(t.Prefix), SelectAudit+`
			WHERE sequence <= $1 ORDER BY sequence DESC LIMIT $2`, from, min(left, int64(size)))
		left -= int64(len(rows))
		return rows, cut, err
	}))
}

func (t Trail) AuditOfSerial(serialID string) iter.Seq2[trail.Entry, error] {
	number, ok := t.Prefix.ParseSerialID(serialID)
	if !ok {
		number = math.MinInt64
	}
	return auditEntries(db.Pages(func(last auditRow, _ bool, limit int) ([]auditRow, bool, error) {
		return db.Page(t, ScanEntries(t.Prefix), SelectAudit+`
			WHERE serial_number = $1 AND serial_number <> 0 AND sequence > $2 ORDER BY sequence LIMIT $3`,
			number, last.sequence, limit)
	}))
}

func (t Trail) AuditOfJob(jobID string) iter.Seq2[trail.Entry, error] {
	return auditEntries(db.Pages(func(last auditRow, _ bool, limit int) ([]auditRow, bool, error) {
		return db.Page(t, ScanEntries(t.Prefix), SelectAudit+`
			WHERE job_id = $1 AND job_id <> '' AND sequence > $2 ORDER BY sequence LIMIT $3`,
			jobID, last.sequence, limit)
	}))
}

func (t Trail) AuditOfRecord(id string) iter.Seq2[trail.Entry, error] {
	return auditEntries(db.Pages(func(last auditRow, _ bool, limit int) ([]auditRow, bool, error) {
		return db.Page(t, ScanEntries(t.Prefix), SelectAudit+`
			WHERE sequence IN (SELECT sequence FROM entry_of_record WHERE record_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3)
			ORDER BY sequence`, id, last.sequence, limit)
	}))
}

// entryReader is a querier that has a faster way to read entries. It counts their memory against another querier.
type entryReader interface {
	EntriesAfter(counted db.Querier, prefix ident.Prefix, sequence int64, limit int) ([]trail.Entry, error)
}

func (t Trail) AuditAfter(sequence int64, limit int) ([]trail.Entry, error) {
	if quick, ok := t.Querier.(entryReader); ok {
		return quick.EntriesAfter(t, t.Prefix, sequence, limit)
	}
	found, _, err := db.Page(t, ScanEntries(t.Prefix), SelectAuditAfter, sequence, limit)
	return EntriesOf(found, err)
}

// EntriesOf converts rows to entries.
func EntriesOf(found []auditRow, err error) ([]trail.Entry, error) {
	entries := make([]trail.Entry, len(found))
	for i := range found {
		entries[i] = found[i].Entry
	}
	return entries, err
}

func (t Trail) LastAuditSequence() (int64, error) {
	return db.One(t, db.Scalar[int64], `SELECT COALESCE(MAX(sequence), 0) FROM audit`)
}

// The index audit_told contains only these actions. It finds the entries about names and creations. SQLite uses it only for statements that
// repeat its condition literally.
const told = `(action = 'serial_created' OR action = 'path_updated' OR action = 'path_deleted' OR action = 'user_changed')`

func (t Trail) CreationsAt(pathID string, at ident.Timestamp) ([]trail.Entry, error) {
	return EntriesOf(db.All(t, ScanEntries(t.Prefix), SelectAudit+`
		WHERE `+told+` AND action = 'serial_created' AND path_id = $1 AND at = $2 ORDER BY sequence`, pathID, int64(at)))
}

// countedReworks is a row of Reworks.
type countedReworks struct {
	number  int64
	reworks int
}

func scanReworks(r db.Rows) (row countedReworks, err error) {
	err = r.Scan(&row.number, &row.reworks)
	return row, err
}

func (t Trail) Reworks(serialIDs []string) (map[string]int, error) {
	counts := map[string]int{}
	numbers := make([]int64, len(serialIDs))
	for i, id := range serialIDs {
		numbers[i], _ = t.Prefix.ParseSerialID(id)
	}
	for chunk := range db.Chunks(numbers) {
		placeholders, args := db.InList(1, chunk)
		// The condition on the action is that of the index audit_reworks, literally.
		found, err := db.All(t, scanReworks, `SELECT serial_number, COUNT(*) FROM audit
			WHERE action = 'serial_reworked' AND serial_number IN (`+placeholders+`) GROUP BY serial_number`, args...)
		if err != nil {
			return nil, err
		}
		for _, row := range found {
			counts[t.Prefix.SerialID(row.number)] = row.reworks
		}
	}
	return counts, nil
}

func (t Trail) ChangesOfPath(pathID string) iter.Seq2[trail.Entry, error] {
	return auditEntries(db.Pages(func(last auditRow, _ bool, limit int) ([]auditRow, bool, error) {
		return db.Page(t, ScanEntries(t.Prefix), SelectAudit+`
			WHERE `+told+` AND action IN ('path_updated', 'path_deleted') AND path_id = $1 AND sequence > $2
			ORDER BY sequence LIMIT $3`, pathID, last.sequence, limit)
	}))
}

func (t Trail) ChangesOfUsers() iter.Seq2[trail.Entry, error] {
	return auditEntries(db.Pages(func(last auditRow, _ bool, limit int) ([]auditRow, bool, error) {
		return db.Page(t, ScanEntries(t.Prefix), SelectAudit+`
			WHERE `+told+` AND action = 'user_changed' AND sequence > $1 ORDER BY sequence LIMIT $2`, last.sequence, limit)
	}))
}

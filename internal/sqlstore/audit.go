package sqlstore

import (
	"iter"
	"math"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

type auditRow struct {
	sequence int64
	entry    trail.Entry
}

// scanEntries reads every row of a result into the same place, like scanJobs: neighbours in the trail have most of their texts in
// common.
func scanEntries() func(rows) (auditRow, error) {
	var row auditRow
	var number int64
	var metadata string
	e := &row.entry
	list := placeList{places: []any{&row.sequence}, serialNumber: &number, metadata: &metadata}
	auditColumns(e, &list)
	return func(r rows) (auditRow, error) {
		if err := r.Scan(list.places...); err != nil {
			return row, err
		}
		e.ID, e.SerialID, e.Metadata = ident.AuditID(row.sequence), "", nil
		if number != 0 {
			e.SerialID = ident.SerialID(number)
		}
		if metadata != "" {
			e.Metadata = []byte(metadata)
		}
		return row, nil
	}
}

// appendSizes are how many entries one statement adds, so that few statements, which stay prepared, serve small lists of
// every length. Longer lists have statements of their own.
var appendSizes = [...]int{64, 16, 4, 1}

func (t *transaction) AppendAudit(entries ...trail.Entry) error {
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

func (t *transaction) appendAudit(entries []trail.Entry) error {
	if len(entries) == 1 {
		return run(t, insertOneAudit, auditArgs(entries)...)
	}
	return insertAll(t, insertAudit, auditWidth, auditArgs(entries), "")
}

func auditEntries(listed iter.Seq2[auditRow, error]) iter.Seq2[trail.Entry, error] {
	return func(yield func(trail.Entry, error) bool) {
		for row, err := range listed {
			if !yield(row.entry, err) {
				return
			}
		}
	}
}

// AuditEntries seeks: the sequence has no gaps, so an offset from the newest entry is a place in it.
func (t *transaction) AuditEntries(limit, offset int64) iter.Seq2[trail.Entry, error] {
	var left int64
	return auditEntries(pages(func(last auditRow, first bool, size int) ([]auditRow, bool, error) {
		from := last.sequence - 1
		if first {
			newest, err := one(t, scalar[int64], `SELECT COALESCE(MAX(sequence), 0) FROM audit`)
			if err != nil {
				return nil, false, err
			}
			from, left = newest-min(offset, newest), limit
		}
		rows, cut, err := page(t, scanEntries(), selectAudit+`
			WHERE sequence <= $1 ORDER BY sequence DESC LIMIT $2`, from, min(left, int64(size)))
		left -= int64(len(rows))
		return rows, cut, err
	}))
}

func (t *transaction) AuditOfSerial(serialID string) iter.Seq2[trail.Entry, error] {
	number, ok := ident.ParseSerialID(serialID)
	if !ok {
		number = math.MinInt64
	}
	return auditEntries(pages(func(last auditRow, _ bool, limit int) ([]auditRow, bool, error) {
		return page(t, scanEntries(), selectAudit+`
			WHERE serial_number = $1 AND serial_number <> 0 AND sequence > $2 ORDER BY sequence LIMIT $3`,
			number, last.sequence, limit)
	}))
}

func (t *transaction) UndoneOf(serialIDs []string) ([]trail.Entry, error) {
	numbers := make([]int64, 0, len(serialIDs))
	for _, id := range serialIDs {
		if number, ok := ident.ParseSerialID(id); ok {
			numbers = append(numbers, number)
		}
	}
	undone := []trail.Entry{}
	for chunk := range chunks(numbers) {
		placeholders, args := inList(2, chunk)
		found, err := all(t, scanEntries(), selectAudit+`
			WHERE serial_number IN (`+placeholders+`) AND serial_number <> 0 AND action = $1`,
			append([]any{string(shop.ActionChangeUndone)}, args...)...)
		if err != nil {
			return nil, err
		}
		for _, row := range found {
			undone = append(undone, row.entry)
		}
	}
	return undone, nil
}

func (t *transaction) AuditOfJob(jobID string) iter.Seq2[trail.Entry, error] {
	return auditEntries(pages(func(last auditRow, _ bool, limit int) ([]auditRow, bool, error) {
		return page(t, scanEntries(), selectAudit+`
			WHERE job_id = $1 AND job_id <> '' AND sequence > $2 ORDER BY sequence LIMIT $3`,
			jobID, last.sequence, limit)
	}))
}

func (t *transaction) AuditAfter(sequence int64, limit int) ([]trail.Entry, error) {
	if view, ok := t.querier.(*cancellable); ok {
		return t.readEntries(view, sequence, limit)
	}
	found, _, err := page(t, scanEntries(), selectAuditAfter, sequence, limit)
	return entriesOf(found, err)
}

func entriesOf(found []auditRow, err error) ([]trail.Entry, error) {
	entries := make([]trail.Entry, len(found))
	for i := range found {
		entries[i] = found[i].entry
	}
	return entries, err
}

func (t *transaction) LastAuditSequence() (int64, error) {
	return one(t, scalar[int64], `SELECT COALESCE(MAX(sequence), 0) FROM audit`)
}

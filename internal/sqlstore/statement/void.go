package statement

import (
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
)

type voids struct{ *db.Core }

// selectVoided finds the records, of every kind that can be voided, with any trace of a voiding. An attachment has a VoidedAt only if its
// column voided_as has the attachment's own identifier, which excludes the attachment from the count.
var selectVoided = func() string {
	var parts []string
	for _, record := range shop.Records() {
		if !record.Voidable {
			continue
		}
		at, traces := "voided_at", "voided_at <> 0"
		if record.Kind == shop.RecordAttachment {
			at, traces = "CASE WHEN voided_as = id THEN voided_at ELSE 0 END", "voided_at <> 0 OR voided_as <> ''"
		}
		parts = append(parts, `SELECT id, `+at+`, voided_by, void_reason FROM `+record.Table+`
			WHERE id > $1 AND (`+traces+` OR voided_by <> '' OR void_reason <> '')`)
	}
	return strings.Join(parts, " UNION ALL ") + ` ORDER BY id LIMIT $2`
}()

func (t voids) VoidedRecords(after string, limit int) ([]shop.VoidedRecord, error) {
	return db.All(t, func(r db.Rows) (v shop.VoidedRecord, err error) {
		err = r.Scan(&v.ID, &v.VoidedAt, &v.VoidedBy, &v.VoidReason)
		return v, err
	}, selectVoided, after, limit)
}

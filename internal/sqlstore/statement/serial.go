package statement

import (
	"iter"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

type serials struct{ *db.Core }

func (t serials) TakeSerialNumbers(quantity int64) (int64, error) {
	last, err := db.One(t, db.Scalar[int64], `UPDATE counter SET value = value + $1 WHERE name = 'serial' RETURNING value`, quantity)
	return last - quantity + 1, err
}

func (t serials) InsertSerials(batch shop.SerialBatch) error {
	first := batch.Serial(t.Prefix, batch.First)
	return db.Run(t, `WITH RECURSIVE numbers (number) AS (
			SELECT CAST($1 AS bigint) UNION ALL SELECT number + 1 FROM numbers WHERE number < $2)
		INSERT INTO serial (number, path_id, position, status, created_at, updated_at, bom_id, bom_version)
		SELECT number, $3, CAST($4 AS bigint), $5, CAST($6 AS bigint), CAST($7 AS bigint), $8, CAST($9 AS bigint) FROM numbers`,
		batch.First, batch.First+batch.Quantity-1, batch.PathID, first.Position, string(first.Status),
		int64(first.CreatedAt), int64(first.UpdatedAt), first.BOM.BOMID, first.BOM.BOMVersion)
}

// ScanListed scans a unit of a list.
func ScanListed(r db.Rows) (s shop.ListedSerial, err error) {
	// These are scanned as plain strings and numbers, because reflection on their named types takes half as much time again.
	var status, reason string
	var position, createdAt int64
	err = r.Scan(&s.Number, &s.PathID, &position, &status, &reason, &s.Forced, &createdAt, &s.OwnNumber)
	s.Position, s.CreatedAt = int(position), ident.Timestamp(createdAt)
	s.Status, s.ScrapReason = card.SerialStatus(status), card.ScrapReason(reason)
	return s, err
}

func (t serials) Serials(after int64) iter.Seq2[shop.ListedSerial, error] {
	return db.Pages(func(last shop.ListedSerial, first bool, limit int) ([]shop.ListedSerial, bool, error) {
		if first {
			last.Number = after
		}
		return db.Page(t, ScanListed, `SELECT number, path_id, position, status, scrap_reason, force_completed_by <> '',
			created_at, own_number FROM serial WHERE number > $1 ORDER BY number LIMIT $2`, last.Number, limit)
	})
}

// numbersOf returns the numbers of units.
func numbersOf(prefix ident.Prefix, serialIDs []string) []int64 {
	numbers := make([]int64, len(serialIDs))
	for i, id := range serialIDs {
		numbers[i], _ = prefix.ParseSerialID(id)
	}
	return numbers
}

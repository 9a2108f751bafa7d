package importing

import (
	"errors"
	"iter"
	"reflect"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// Several rows of a file may describe one record, as the units of a shipment do. Such rows follow one another and have the same key. They
// are imported together, or all of them are refused.

// sameRecord returns how many of the first rows describe one record: 1 for most kinds.
func (k *Kind) sameRecord(rows []Row) int {
	count := 1
	for count < len(rows) && k.continues(&rows[0], &rows[count]) {
		count++
	}
	return count
}

// continues reports whether a row describes the same record as the first row of the record. A row that cannot be read belongs to the
// record before it, because its key is unknown.
func (k *Kind) continues(first, row *Row) bool {
	if k.rowsOf == nil {
		return false
	}
	key := k.recordKey(first.In)
	return row.Err != nil || key != "" && key == k.recordKey(row.In)
}

// takeGroup imports rows that describe one record. If a row is refused, the others are refused as well, unless the record exists.
func (im *run) takeGroup(kind *Kind, rows []Row) []toldRow {
	told := make([]toldRow, len(rows))
	contents := make([]importDigest, len(rows))
	ins, places := make([]any, 0, len(rows)), make([]int, 0, len(rows))
	im.creating, im.row, im.decimals = false, rows[0].Row, rows[0].Decimals
	for i := range rows {
		row := &rows[i]
		contents[i] = importDigestOf(reflect.ValueOf(row.In).Elem().Interface())
		if told[i].err = row.Err; row.Err != nil {
			continue
		}
		in, err := im.identified(kind, row)
		if told[i].err = err; err == nil {
			ins, places = append(ins, in), append(places, i)
		}
	}
	im.content = importDigestOf(contents)
	if len(ins) > 0 {
		numbers := make([]int, len(ins))
		for i, at := range places {
			numbers[i] = rows[at].Row
		}
		for i, of := range kind.rowsOf(im, ins, numbers) {
			told[places[i]] = of
		}
	}
	created := false
	for i := range told {
		if errors.Is(told[i].err, errRepeated) {
			told[i] = toldRow{}
		}
		if row := &rows[i]; told[i].err == nil && told[i].outcome != rowUnchanged && row.Doubtful != nil {
			told[i].err = row.Doubtful
		}
		created = created || told[i].err == nil && told[i].outcome == rowCreated
	}
	im.refuseOthers(rows, told, created)
	return told
}

// refuseOthers refuses the rows of a new record of which a row is refused.
func (im *run) refuseOthers(rows []Row, told []toldRow, created bool) {
	for i := range told {
		if told[i].err == nil || !created {
			continue
		}
		for other := range told {
			if told[other].err == nil && told[other].outcome == rowCreated {
				told[other] = toldRow{err: refusal.Refuse(OtherRowRefused, rows[i].Row)}
			}
		}
		return
	}
}

// chunksOf yields rows a thousand at a time, or more if they describe one record. The last value may have an error.
func (k *Kind) chunksOf(rows iter.Seq2[Row, error]) iter.Seq2[[]Row, error] {
	return func(yield func([]Row, error) bool) {
		chunk, begin := make([]Row, 0, shop.ChunkSize), 0 // begin is the first row of the last record of the chunk
		for row, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			if len(chunk) >= shop.ChunkSize && !k.continues(&chunk[begin], &row) {
				if !yield(chunk, nil) {
					return
				}
				chunk, begin = make([]Row, 0, shop.ChunkSize), 0
			}
			if chunk = append(chunk, row); len(chunk) > 1 && !k.continues(&chunk[begin], &row) {
				begin = len(chunk) - 1
			}
		}
		if len(chunk) > 0 {
			yield(chunk, nil)
		}
	}
}

// OtherRowRefused refuses a row because of another row of the same record.
var OtherRowRefused = refusal.NewReason(refusal.Invalid, "other_row_refused", "Row {row} of the same record is refused")

package importing

import (
	"context"
	"errors"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// importEach imports the rows in parts, each in a transaction. Refused rows may have written something, so the transaction is rolled back
// and run again without them until no row is refused. If the store fails later, the committed parts remain, and the error reports that the
// other rows were not imported.
func (i importer) importEach(ctx context.Context, kind *Kind, in *Input, rows int) (Result, error) {
	result := Result{Rows: rows, Refused: []RefusedRow{}}
	done := 0
	for chunk, err := range kind.chunksOf(in.Rows()) {
		for len(chunk) > 0 && err == nil {
			var taken int
			if taken, err = i.importChunk(ctx, kind, in, chunk, &result); err == nil {
				done, chunk = done+taken, chunk[taken:]
				in.Told(done, rows)
			}
		}
		if err != nil {
			if done == 0 || ctx.Err() != nil {
				return Result{}, err
			}
			return Result{}, errors.Join(refusal.Refuse(CutOff, done, rows), err)
		}
	}
	return result, nil
}

// importChunk commits the first rows of a chunk, and returns how many rows it used.
func (i importer) importChunk(
	ctx context.Context, kind *Kind, in *Input, chunk []Row, result *Result,
) (taken int, err error) {
	var part importPart
	done, err := i.DoneBefore(ctx, &part)
	if err != nil {
		return 0, err
	}
	if !done {
		if part, err = i.takeWhatCan(ctx, kind, in, chunk); err != nil {
			return 0, err
		}
	}
	in.units += part.Units
	result.add(part.result())
	if part.Taken == 0 { // stored by a release whose parts always had a thousand rows
		return len(chunk), nil
	}
	return min(part.Taken, len(chunk)), nil
}

// takeWhatCan commits the rows at the beginning of a chunk that are not refused.
func (i importer) takeWhatCan(ctx context.Context, kind *Kind, in *Input, chunk []Row) (part importPart, err error) {
	left, refused := slices.Clone(chunk), []RefusedRow(nil)
	end := len(chunk) // how many rows of the chunk belong to the part
	for attempt := 0; ; attempt++ {
		var result Result
		var taken int
		if attempt > 0 {
			shop.Again(ctx)
		}
		err := i.commitRows(ctx, &part, func(tx shop.Tx) (err error) {
			im := i.importing(ctx, tx, in)
			if result, taken, err = im.take(kind, left, in.part); err != nil {
				return err
			}
			if len(result.Refused) > 0 {
				return errTakenBack
			}
			result.Refused = refused
			part = partOfImport(result)
			part.Taken, part.Units = end, im.units-in.units
			if taken < len(left) {
				part.Taken = rowPlace(chunk, left[taken].Row)
			}
			return nil
		})
		switch {
		case isTooMuch(err) && taken == 0 && len(left) > 0:
			for _, row := range left[:kind.sameRecord(left)] {
				result.Refused = append(result.Refused, RefusedRow{Row: row.Row, Err: refusal.Refuse(RowTooMuch)})
			}
		case isTooMuch(err):
			result.Refused = nil
		case !errors.Is(err, errTakenBack):
			return part, err
		}
		if taken < len(left) && (errors.Is(err, errTakenBack) || len(result.Refused) == 0) {
			end = rowPlace(chunk, left[taken].Row)
			left = left[:taken]
		}
		if err := shop.MemoryBudgetOf(ctx).Take(len(result.Refused) * refusalSize); err != nil {
			return part, err
		}
		refused = append(refused, result.Refused...)
		slices.SortFunc(refused, func(a, b RefusedRow) int { return a.Row - b.Row })
		out := map[int]bool{}
		for _, row := range result.Refused {
			out[row.Row] = true
		}
		left = slices.DeleteFunc(left, func(row Row) bool { return out[row.Row] })
		if err := ctx.Err(); err != nil {
			return part, err
		}
	}
}

// rowPlace returns the index of a row in the chunk.
func rowPlace(chunk []Row, row int) int {
	return slices.IndexFunc(chunk, func(r Row) bool { return r.Row == row })
}

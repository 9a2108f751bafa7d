package importing

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// tryEach tries rows in parts, and rolls the transaction of each part back, so that other requests can write in between. It compares rows
// with rows of earlier parts by their keys, the names of their users and the numbers of their units.
func (i importer) tryEach(ctx context.Context, kind *Kind, in *Input, rows int) (Result, error) {
	result := Result{Rows: rows, Refused: []RefusedRow{}}
	if err := i.KeyIsFree(ctx); err != nil {
		return Result{}, err
	}
	ctx = shop.Apart(ctx)
	done := 0
	for chunk, err := range kind.chunksOf(in.Rows()) {
		for len(chunk) > 0 && err == nil {
			var taken int
			if taken, err = i.tryPart(ctx, kind, in, chunk, done > 0, &result); err == nil {
				done, chunk = done+taken, chunk[taken:]
				in.Told(done, rows)
				err = ctx.Err()
			}
		}
		if err != nil {
			return Result{}, err
		}
	}
	return result, nil
}

// tryPart tries the first rows of a chunk in one transaction, and returns how many rows it used.
func (i importer) tryPart(
	ctx context.Context, kind *Kind, in *Input, chunk []Row, later bool, result *Result,
) (taken int, err error) {
	for {
		var part Result
		var im *run
		var numbers *triedTx
		err := i.commitRows(ctx, nil, func(tx shop.Tx) (err error) {
			numbers = &triedTx{tx, in.given, givenNumbers{}, in.lots, map[string]shop.Lot{}}
			im = i.importing(ctx, numbers, in)
			if later {
				im.tried = chunk[0].Row
			}
			im.staff = cloneStaff(in.staff)
			if part, taken, err = im.take(kind, chunk, in.part); err != nil {
				return err
			}
			return shop.ErrTried
		})
		switch {
		case errors.Is(err, shop.ErrTried):
			in.units, in.staff = im.units, im.staff
			maps.Copy(in.given, numbers.given)
			maps.Copy(in.lots, numbers.lots)
			for _, row := range part.Refused {
				in.refused[row.Row] = true
			}
			result.add(part)
			kept := len(part.Refused)*refusalSize + len(numbers.given)*keyedRowSize + len(numbers.lots)*triedLotSize
			return taken, shop.MemoryBudgetOf(ctx).Take(kept)
		case !isTooMuch(err):
			return 0, err
		}
		if taken == 0 {
			first := chunk[:kind.sameRecord(chunk)]
			for _, row := range first {
				in.refused[row.Row] = true
				result.Refused = append(result.Refused, RefusedRow{Row: row.Row, Err: refusal.Refuse(RowTooMuch)})
			}
			return len(first), nil
		}
		chunk = chunk[:taken]
	}
}

func cloneStaff(staff map[string][]shop.User) map[string][]shop.User {
	if staff == nil {
		return nil
	}
	clone := make(map[string][]shop.User, len(staff))
	for name, users := range staff {
		clone[name] = slices.Clip(users)
	}
	return clone
}

// triedLotSize is the approximate memory of a lot that a trial changed, in bytes.
const triedLotSize = 1000

// givenNumbers has the own numbers that rows of a trial gave, by scope and number, with the ids of their serials.
type givenNumbers map[[2]string]string

// triedTx is the transaction of a part of a trial. It treats the numbers that earlier parts gave as taken, and has their changes of lots.
type triedTx struct {
	shop.Tx

	before, given    givenNumbers
	lotsBefore, lots map[string]shop.Lot // changed lots by id, of earlier parts and of this part
}

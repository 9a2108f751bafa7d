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
	for chunk, err := range chunksOf(in.Rows()) {
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
			numbers = &triedTx{tx, in.given, givenNumbers{}}
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
			for _, row := range part.Refused {
				in.refused[row.Row] = true
			}
			result.add(part)
			return taken, shop.MemoryBudgetOf(ctx).Take(len(part.Refused)*refusalSize + len(numbers.given)*keyedRowSize)
		case !isTooMuch(err):
			return 0, err
		}
		if taken == 0 {
			in.refused[chunk[0].Row] = true
			result.Refused = append(result.Refused, RefusedRow{Row: chunk[0].Row, Err: refusal.Refuse(RowTooMuch)})
			return 1, nil
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

// givenNumbers has the own numbers that rows of a trial gave, by scope and number, with the ids of their serials.
type givenNumbers map[[2]string]string

// triedTx is the transaction of a part of a trial. It treats the numbers that earlier parts gave as taken.
type triedTx struct {
	shop.Tx

	before, given givenNumbers
}

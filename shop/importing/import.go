package importing

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// RowLimit is the maximum number of rows in a file.
const RowLimit = 100_000

// Row is a row of a file.
type Row struct {
	Row int // the row number that people see
	// In is the result of Kind.New, filled with the values of the row.
	In any
	// Column and Err describe why the row cannot be read, and in which column. Err is nil for a readable row.
	Column string
	Err    error
	// Doubtful is set if the row has an identifier that a spreadsheet may have changed. It is the reason for refusing the row if the row
	// would change something, unless a record really has this identifier.
	Doubtful error
	Decimals input.DecimalSigns // how the file writes decimals, for fields that are stored as written
}

// Input has the parameters of Import.
type Input struct {
	// Rows yields the rows of the file, the same rows on every call. It ends with an error if the file cannot be read.
	Rows func() iter.Seq2[Row, error]
	// OnRefusal is as in BatchInput. With none, which is the default, all rows share one transaction; with each, every part has its own
	// transaction.
	OnRefusal input.TextInput
	DryRun    input.FlagInput
	ChangedBy input.TextInput // the acting user of rows that name no user
	// Told is called repeatedly with the number of processed rows. It may be nil.
	Told func(done, rows int)

	keys  importKeys             // the keys of the rows read so far
	units int64                  // number of units that rows of earlier transactions created
	staff map[string][]shop.User // users by name, as earlier parts of a trial left them
	given givenNumbers           // own numbers given by earlier parts of a trial
	lots  map[string]shop.Lot    // lots as earlier parts of a trial left them, by id

	refused map[int]bool // refused rows of earlier parts of a trial
	part    int64        // the amount of work that ends a part
}

// RefusedRow is a row that was refused, with the reason.
type RefusedRow struct {
	Row    int
	Column string // "" if the refusal does not concern a single column
	Err    error
}

// Result is the result of an import.
type Result struct {
	Rows      int
	Created   int
	Updated   int
	Unchanged int
	// OutOfLimits is the number of created readings that fail.
	OutOfLimits int
	Refused     []RefusedRow // in the order of the rows
}

// rowOutcome is the effect of a row that was not refused.
type rowOutcome uint8

const (
	rowUnchanged rowOutcome = iota
	rowUpdated
	rowCreated
	rowCreatedFailing // created a reading that is out of limits
)

func (r *Result) count(outcome rowOutcome) {
	switch outcome {
	case rowCreated:
		r.Created++
	case rowCreatedFailing:
		r.Created++
		r.OutOfLimits++
	case rowUpdated:
		r.Updated++
	case rowUnchanged:
		r.Unchanged++
	}
}

func (r *Result) add(part Result) {
	r.Created, r.Updated, r.Unchanged = r.Created+part.Created, r.Updated+part.Updated, r.Unchanged+part.Unchanged
	r.OutOfLimits += part.OutOfLimits
	r.Refused = append(r.Refused, part.Refused...)
}

// importer imports rows with the operations of a service.
type importer struct{ *shop.Service }

// run is an import within one transaction.
type run struct {
	ctx     context.Context
	caller  shop.Caller
	tx      shop.Tx
	service *shop.Service // runs its operations within the transaction
	by      input.TextInput

	templates map[string]string   // template ids by the id or name in the file
	jobs      map[string]shop.Job // the jobs of the measured units
	creating  bool                // whether the current row creates its record
	row       int                 // number of the current row
	content   importDigest        // the digest of the current row
	decimals  input.DecimalSigns  // the decimal signs of the current row
	keys      importKeys
	staff     map[string][]shop.User // by name; nil until a row needs it
	units     int64                  // number of units that the rows of the file have created so far
	tried     int                    // the first row of the current part of a trial; 0 if there are no earlier parts
	refused   map[int]bool           // refused rows of earlier parts of a trial
}

func (i importer) importing(ctx context.Context, tx shop.Tx, in *Input) *run {
	return &run{
		ctx: shop.Apart(ctx), caller: shop.CallerOf(ctx), tx: tx, service: i.Within(tx), by: in.ChangedBy, templates: map[string]string{},
		jobs: map[string]shop.Job{},
		keys: in.keys, units: in.units, refused: in.refused,
	}
}

var (
	// errTakenBack rolls back a transaction.
	errTakenBack = errors.New("the rows are taken back")
	// errRaced rolls back a transaction that must run again, because another request created a record of the file in the meantime.
	errRaced = errors.New("a record was created meanwhile")
)

// importAttempts is how often a transaction runs in total if other requests create its records first.
const importAttempts = 3

// Import imports the rows of a file. With OnRefusal none, it imports all rows in one transaction, or no row if any row is refused. With
// each, it imports the rows in transactions of up to a thousand rows, without the refused rows. A dry run does the same and rolls each
// transaction back. The caller needs the permission of the kind's operation.
func Import(ctx context.Context, service *shop.Service, kind *Kind, in Input) (Result, error) {
	policy := shop.AllOrNone
	var err error
	if !in.OnRefusal.Missing() {
		if policy, err = input.OneOf("onRefusal", in.OnRefusal, []shop.OnRefusal{shop.AllOrNone, shop.EachThatCan}); err != nil {
			return Result{}, err
		}
	}
	dryRun, err := input.OptionalFlag("dryRun", in.DryRun)
	if err != nil {
		return Result{}, err
	}
	if _, err := shop.ChangedBy(shop.CallerOf(ctx), in.ChangedBy); err != nil {
		return Result{}, err
	}
	in.keys, in.given, in.lots, in.refused = importKeys{}, givenNumbers{}, map[string]shop.Lot{}, map[int]bool{}
	if in.part == 0 {
		in.part = importPartWork
	}
	if in.Told == nil {
		in.Told = func(int, int) {}
	}
	rows, err := countRows(ctx, in.Rows())
	if err != nil {
		return Result{}, err
	}
	if !kind.signed {
		ctx = shop.WithoutSignatures(ctx)
	}
	i := importer{service}
	switch {
	case policy == shop.EachThatCan && dryRun:
		return i.tryEach(ctx, kind, &in, rows)
	case policy == shop.EachThatCan:
		return i.importEach(ctx, kind, &in, rows)
	}
	return i.importAll(ctx, kind, &in, rows, dryRun)
}

// countRows reads a file to its end, so that a file that is too long or unreadable is refused before anything is written.
func countRows(ctx context.Context, rows iter.Seq2[Row, error]) (count int, err error) {
	for _, err := range rows {
		count++
		switch {
		case err != nil:
			return 0, err
		case count > RowLimit:
			return 0, refusal.Refuse(TooManyRows, RowLimit)
		case count%shop.ChunkSize == 0 && ctx.Err() != nil:
			return 0, ctx.Err()
		}
	}
	return count, nil
}

// importAll imports all rows in one transaction. It rolls the transaction back if a row was refused, and after a dry run.
func (i importer) importAll(ctx context.Context, kind *Kind, in *Input, rows int, dryRun bool) (Result, error) {
	var part importPart
	if dryRun {
		if err := i.KeyIsFree(ctx); err != nil {
			return Result{}, err
		}
		ctx = shop.Apart(ctx)
	} else if done, err := i.DoneBefore(ctx, &part); done || err != nil {
		return part.result(), err
	}
	err := i.commitRows(ctx, &part, func(tx shop.Tx) error {
		result := Result{Rows: rows}
		done, im := 0, i.importing(ctx, tx, in)
		for chunk, err := range kind.chunksOf(in.Rows()) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			taken, _, err := im.take(kind, chunk, math.MaxInt64)
			if err != nil {
				return err
			}
			if err := shop.MemoryBudgetOf(ctx).Take(len(taken.Refused) * refusalSize); err != nil {
				return err
			}
			result.add(taken)
			done += len(chunk)
			in.Told(done, rows)
		}
		if len(result.Refused) > 0 {
			result.Created, result.Updated, result.OutOfLimits = 0, 0, 0
		}
		part = partOfImport(result)
		switch {
		case len(result.Refused) > 0:
			return errTakenBack
		case dryRun:
			return shop.ErrTried
		}
		return nil
	})
	if errors.Is(err, errTakenBack) || errors.Is(err, shop.ErrTried) {
		err = nil
		if shop.Again(ctx) { // store the result, so that a repeat returns the same
			err = i.Commit(ctx, &part, func(shop.Tx) error { return nil }, shop.Aside)
		}
	}
	return part.result(), err
}

// commitRows commits a change that imports rows. It retries the change if another request created one of the records first.
func (i importer) commitRows(ctx context.Context, result any, change func(shop.Tx) error) (err error) {
	for attempt := range importAttempts {
		if attempt > 0 {
			shop.Again(ctx)
		}
		if err = i.Commit(ctx, result, change, shop.Alone); !errors.Is(err, errRaced) {
			return err
		}
	}
	return refusal.ErrBusy
}

// importPartWork is how much work ends a part, if the rows need not share one transaction.
const importPartWork = shop.WorkLimit / 2

// isTooMuch reports whether a transaction was refused because of WorkLimit.
func isTooMuch(err error) bool {
	refusal, ok := errors.AsType[*refusal.Error](err)
	return ok && refusal.Reason == shop.TooMuchAtOnce
}

// refusalSize is the approximate size of a refusal in bytes.
const refusalSize = 512

// take imports rows in order until the transaction has done this much work, and returns the number of rows processed. It continues after a
// refused row. After an error, taken is the number of rows processed before the error.
func (im *run) take(kind *Kind, rows []Row, work int64) (result Result, taken int, err error) {
	result = Result{Refused: []RefusedRow{}}
	for taken < len(rows) {
		if taken > 0 && im.tx.Work() > work {
			return result, taken, nil
		}
		record := rows[taken:]
		record = record[:kind.sameRecord(record)]
		if err := im.takeRecord(kind, record, &result); err != nil {
			return result, taken, err
		}
		taken += len(record)
	}
	return result, taken, nil
}

// takeRecord imports the rows of one record, and counts them or records their refusals.
func (im *run) takeRecord(kind *Kind, rows []Row, result *Result) error {
	for i, told := range im.takeRows(kind, rows) {
		if told.err == nil {
			result.count(told.outcome)
			continue
		}
		row := &rows[i]
		refused, ok := errors.AsType[*refusal.Error](told.err)
		switch {
		case !ok || refused.Kind == refusal.Unavailable || refused.Kind == refusal.Uncertain:
			return fmt.Errorf("row %d: %w", row.Row, told.err)
		case refused.Reason == shop.TooMuchAtOnce:
			return refused
		case refused.Reason == shop.ExternalIDTaken && im.creating: // the external id was free when it was looked up
			return errRaced
		}
		result.Refused = append(result.Refused, RefusedRow{Row: row.Row, Column: columnOf(row, refused), Err: refused})
	}
	return nil
}

// toldRow is the outcome of a row, or the reason for refusing it.
type toldRow struct {
	outcome rowOutcome
	err     error
}

// takeRows imports the rows of one record.
func (im *run) takeRows(kind *Kind, rows []Row) []toldRow {
	if kind.rowsOf != nil {
		return im.takeGroup(kind, rows)
	}
	outcome, err := im.takeRow(kind, &rows[0])
	return []toldRow{{outcome, err}}
}

func (im *run) takeRow(kind *Kind, row *Row) (rowOutcome, error) {
	if row.Err != nil {
		return rowUnchanged, row.Err
	}
	im.creating, im.row, im.decimals, im.content = false, row.Row, row.Decimals, importDigestOf(reflect.ValueOf(row.In).Elem().Interface())
	in, err := im.identified(kind, row)
	if err != nil {
		return rowUnchanged, err
	}
	outcome, err := kind.take(im, in)
	if errors.Is(err, errRepeated) {
		return rowUnchanged, nil
	}
	if err == nil && outcome != rowUnchanged && row.Doubtful != nil {
		err = row.Doubtful
	}
	return outcome, err
}

// identified returns a copy of the input of a row with the identifiers of records in place of their external identifiers. It copies the
// input because the row may be imported again.
func (im *run) identified(kind *Kind, row *Row) (any, error) {
	in := reflect.New(kind.input)
	in.Elem().Set(reflect.ValueOf(row.In).Elem())
	err := input.IdentifyFields(in.Elem(), kind.Fields, func(kind ident.RecordKind, named string) (string, error) {
		return shop.IDIn(im.tx, kind, named)
	})
	return in.Interface(), err
}

// columnOf returns the column that a refusal concerns.
func columnOf(row *Row, refused *refusal.Error) string {
	if row.Column != "" {
		return row.Column
	}
	column, _, _ := strings.Cut(refused.Field, "[")
	column, _, _ = strings.Cut(column, ".")
	return column
}

func (p *importPart) names() []string {
	names := make([]string, len(p.At))
	for i, row := range p.At {
		names[i] = rowName(row)
	}
	return names
}

func (p *importPart) result() Result {
	result := Result{Rows: p.Rows, Created: p.Created, Updated: p.Updated, Unchanged: p.Unchanged, OutOfLimits: p.Failing}
	result.Refused = make([]RefusedRow, 0, len(p.At))
	for i, refusal := range p.Refusals(p.names()) {
		result.Refused = append(result.Refused, RefusedRow{Row: int(p.At[i]), Column: p.Columns[i], Err: refusal.Err})
	}
	return result
}

// Reasons for refusing a file or a row.
var (
	TooManyRows = refusal.NewReason(refusal.Invalid, "too_many_rows", "A file may have at most {limit} rows")
	CutOff      = refusal.NewReason(refusal.Uncertain, "import_cut_off", "The import was cut off: {done} of {rows} rows had their turn.")

	RowTooMuch = refusal.NewReason(refusal.Invalid, "too_much_at_once",
		"This row makes too much for one transaction, during which others cannot write: divide it into several rows")
)

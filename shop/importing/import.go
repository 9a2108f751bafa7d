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

// RowLimit is how many rows a file has at most.
const RowLimit = 100_000

// Row is a row of a file.
type Row struct {
	Row int // the number by which people find it
	// In is what Kind.New made, filled with what stands in the row.
	In any
	// Column and Err are why the row cannot be read, and in which column. Err is nil for a row that can be.
	Column string
	Err    error
	// Doubtful is nil, or why a row is refused that would change something: it has an identifier that a spreadsheet has changed, unless
	// the record is called so.
	Doubtful error
	Decimals input.DecimalSigns // how the file writes decimals, for fields that are kept as they were written
}

// Input is what Import is asked for.
type Input struct {
	// Rows yields the rows of the file, the same whenever it is called. It ends with an error when the file cannot be read.
	Rows func() iter.Seq2[Row, error]
	// OnRefusal is as in BatchInput: none, also when it is missing, for one transaction; each for one of every thousand rows.
	OnRefusal input.TextInput
	DryRun    input.FlagInput
	ChangedBy input.TextInput // who acts where the row does not say
	// Told is called now and then with how many of the rows have had their turn. Nil for nobody.
	Told func(done, rows int)

	keys  importKeys             // of the rows that were read
	units int64                  // that rows of earlier transactions made
	staff map[string][]shop.User // of earlier parts of a trial
	given givenNumbers           // likewise

	refused map[int]bool // rows of earlier parts of a trial
	part    int64        // after how much work a part ends
}

// RefusedRow is why a row of a file was not taken.
type RefusedRow struct {
	Row    int
	Column string // "" when it is about no single one
	Err    error
}

// Result answers an import.
type Result struct {
	Rows      int
	Created   int
	Updated   int
	Unchanged int
	// OutOfLimits is how many of the created ones are readings that fail.
	OutOfLimits int
	Refused     []RefusedRow // in the order of the rows
}

// rowOutcome is what became of a row that was not refused.
type rowOutcome uint8

const (
	rowUnchanged rowOutcome = iota
	rowUpdated
	rowCreated
	rowCreatedFailing // a reading that is out of limits
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

// importer takes the rows of files with the operations of a service.
type importer struct{ *shop.Service }

// run is an import that is under way in a transaction.
type run struct {
	ctx     context.Context
	caller  shop.Caller
	tx      shop.Tx
	service *shop.Service // its operations are parts of the transaction
	by      input.TextInput

	templates map[string]string   // the identifiers of templates, by what the file calls them
	jobs      map[string]shop.Job // of the units that were measured
	creating  bool                // whether the row that is taken creates its record
	row       int                 // that is taken
	content   importDigest        // of that row
	decimals  input.DecimalSigns  // of that row
	keys      importKeys
	staff     map[string][]shop.User // by name; nil until a row needs it
	units     int64                  // that the rows of the file made so far
	tried     int                    // the first row of the part in a trial that has parts, otherwise 0
	refused   map[int]bool           // rows of earlier parts of a trial
}

func (i importer) importing(ctx context.Context, tx shop.Tx, in *Input) *run {
	return &run{
		ctx: shop.Apart(ctx), caller: shop.CallerOf(ctx), tx: tx, service: i.Within(tx), by: in.ChangedBy, templates: map[string]string{},
		jobs: map[string]shop.Job{},
		keys: in.keys, units: in.units, refused: in.refused,
	}
}

var (
	// errTakenBack ends a transaction of which nothing is to remain.
	errTakenBack = errors.New("the rows are taken back")
	// errRaced ends a transaction that has to be run again: somebody else created a record of the file meanwhile.
	errRaced = errors.New("a record was created meanwhile")
)

// importAttempts is how often the rows of a transaction are taken again because somebody else was faster with one of them.
const importAttempts = 3

// Import takes the rows of a file. With OnRefusal none all rows are taken in one transaction, or none of them when one is refused;
// with each, up to a thousand rows in one transaction, without those that are refused. A dry run does the same and takes each
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
	in.keys, in.given, in.refused = importKeys{}, givenNumbers{}, map[int]bool{}
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

// countRows reads a file to its end, so that one that is too long or cannot be read is refused before anything is written.
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

// importAll takes all rows in one transaction, which is rolled back when a row was refused, and after a dry run.
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
		for chunk, err := range chunksOf(in.Rows()) {
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
		if shop.Again(ctx) { // who repeats the request hears the same
			err = i.Commit(ctx, &part, func(shop.Tx) error { return nil }, shop.Aside)
		}
	}
	return part.result(), err
}

// commitRows commits a change that takes rows. It does so again when somebody else was faster with one of them.
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

// importPartWork is after how much work a part of a file ends whose rows need not be taken all at once.
const importPartWork = shop.WorkLimit / 2

// isTooMuch reports whether a transaction was refused because of WorkLimit.
func isTooMuch(err error) bool {
	refusal, ok := errors.AsType[*refusal.Error](err)
	return ok && refusal.Reason == shop.TooMuchAtOnce
}

// refusalSize is about how many bytes a refusal takes.
const refusalSize = 512

// take takes rows in their order until the transaction has done so much work, and returns how many these were. A refused one does
// not keep the others from being judged. After an error, taken is how many rows were taken before it.
func (im *run) take(kind *Kind, rows []Row, work int64) (result Result, taken int, err error) {
	result = Result{Refused: []RefusedRow{}}
	for i := range rows {
		if i > 0 && im.tx.Work() > work {
			return result, i, nil
		}
		row := &rows[i]
		outcome, err := im.takeRow(kind, row)
		if err == nil {
			result.count(outcome)
			continue
		}
		refused, ok := errors.AsType[*refusal.Error](err)
		switch {
		case !ok || refused.Kind == refusal.Unavailable || refused.Kind == refusal.Uncertain:
			return result, i, fmt.Errorf("row %d: %w", row.Row, err)
		case refused.Reason == shop.TooMuchAtOnce:
			return result, i, refused
		case refused.Reason == shop.ExternalIDTaken && im.creating: // it was free when it was looked up
			return result, i, errRaced
		}
		result.Refused = append(result.Refused, RefusedRow{Row: row.Row, Column: columnOf(row, refused), Err: refused})
	}
	return result, len(rows), nil
}

func (im *run) takeRow(kind *Kind, row *Row) (rowOutcome, error) {
	if row.Err != nil {
		return rowUnchanged, row.Err
	}
	im.creating, im.row, im.decimals, im.content = false, row.Row, row.Decimals, importDigestOf(reflect.ValueOf(row.In).Elem().Interface())
	in := reflect.New(kind.input) // the identifiers in it are put in their place, and the row may be taken again
	in.Elem().Set(reflect.ValueOf(row.In).Elem())
	err := input.IdentifyFields(in.Elem(), kind.Fields, func(kind ident.RecordKind, named string) (string, error) {
		return shop.IDIn(im.tx, kind, named)
	})
	if err != nil {
		return rowUnchanged, err
	}
	outcome, err := kind.take(im, in.Interface())
	if errors.Is(err, errRepeated) {
		return rowUnchanged, nil
	}
	if err == nil && outcome != rowUnchanged && row.Doubtful != nil {
		err = row.Doubtful
	}
	return outcome, err
}

// columnOf is the column that a refusal is about.
func columnOf(row *Row, refused *refusal.Error) string {
	if row.Column != "" {
		return row.Column
	}
	column, _, _ := strings.Cut(refused.Field, "[")
	column, _, _ = strings.Cut(column, ".")
	return column
}

// chunksOf yields rows a thousand at a time. The last thing yielded may be an error.
func chunksOf(rows iter.Seq2[Row, error]) iter.Seq2[[]Row, error] {
	return func(yield func([]Row, error) bool) {
		chunk := make([]Row, 0, shop.ChunkSize)
		for row, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			if chunk = append(chunk, row); len(chunk) == shop.ChunkSize {
				if !yield(chunk, nil) {
					return
				}
				chunk = make([]Row, 0, shop.ChunkSize)
			}
		}
		if len(chunk) > 0 {
			yield(chunk, nil)
		}
	}
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

// Why a file, or a row of it, is refused.
var (
	TooManyRows = refusal.NewReason(refusal.Invalid, "too_many_rows", "A file may have at most {limit} rows")
	CutOff      = refusal.NewReason(refusal.Uncertain, "import_cut_off", "The import was cut off: {done} of {rows} rows had their turn.")

	RowTooMuch = refusal.NewReason(refusal.Invalid, "too_much_at_once",
		"This row makes too much for one transaction, during which others cannot write: divide it into several rows")
)

package shop

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// A file brings in many records at once: each row creates one, changes it, or leaves it as it is. What becomes of a row, and why it
// is refused, the operations say that do the same with one record; importkinds.go has which these are. Here is the order in which
// rows are taken, and what becomes of all when one is refused.

// ImportLimit is how many rows a file has at most.
const ImportLimit = 100_000

// ImportRow is a row of a file.
type ImportRow struct {
	Row int // the number by which people find it
	// In is what ImportKind.New made, filled with what stands in the row.
	In any
	// Column and Err are why the row cannot be read, and in which column. Err is nil for a row that can be.
	Column string
	Err    error
	// Doubtful is nil, or why a row is refused that would change something: it has an identifier that a spreadsheet has changed, unless
	// the record is called so.
	Doubtful error
	Decimals DecimalSigns // how the file writes decimals, for fields that are kept as they were written
}

// ImportInput is what Import is asked for.
type ImportInput struct {
	// Rows yields the rows of the file, the same whenever it is called. It ends with an error when the file cannot be read.
	Rows func() iter.Seq2[ImportRow, error]
	// OnRefusal is as in BatchInput: none, also when it is missing, for one transaction; each for one of every thousand rows.
	OnRefusal input.TextInput
	DryRun    input.FlagInput
	ChangedBy input.TextInput // who acts where the row does not say
	// Told is called now and then with how many of the rows have had their turn. Nil for nobody.
	Told func(done, rows int)

	keys  importKeys        // of the rows that were read
	units int64             // that rows of earlier transactions made
	staff map[string][]User // of earlier parts of a trial
	given givenNumbers      // likewise

	refused map[int]bool // rows of earlier parts of a trial
	part    int64        // after how much work a part ends
}

// RefusedRow is why a row of a file was not taken.
type RefusedRow struct {
	Row    int
	Column string // "" when it is about no single one
	Err    error
}

// ImportResult answers an import.
type ImportResult struct {
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

func (r *ImportResult) count(outcome rowOutcome) {
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

func (r *ImportResult) add(part ImportResult) {
	r.Created, r.Updated, r.Unchanged = r.Created+part.Created, r.Updated+part.Updated, r.Unchanged+part.Unchanged
	r.OutOfLimits += part.OutOfLimits
	r.Refused = append(r.Refused, part.Refused...)
}

// importing is an import that is under way in a transaction.
type importing struct {
	ctx     context.Context
	caller  Caller
	tx      Tx
	service *Service // its operations are parts of the transaction
	by      input.TextInput

	templates map[string]string // the identifiers of templates, by what the file calls them
	jobs      map[string]Job    // of the units that were measured
	creating  bool              // whether the row that is taken creates its record
	row       int               // that is taken
	content   importDigest      // of that row
	decimals  DecimalSigns      // of that row
	keys      importKeys
	staff     map[string][]User // by name; nil until a row needs it
	units     int64             // that the rows of the file made so far
	tried     int               // the first row of the part in a trial that has parts, otherwise 0
	refused   map[int]bool      // rows of earlier parts of a trial
}

func (s *Service) importing(ctx context.Context, tx Tx, in *ImportInput) *importing {
	return &importing{
		ctx: apart(ctx), caller: CallerOf(ctx), tx: tx, service: s.within(tx), by: in.ChangedBy, templates: map[string]string{},
		jobs: map[string]Job{},
		keys: in.keys, units: in.units, refused: in.refused,
	}
}

var (
	// errTakenBack ends a transaction of which nothing is to remain.
	errTakenBack = errors.New("the rows are taken back")
	// errTried ends one of which nothing is to remain, though all could. It is judged whether it would have to be signed.
	errTried = fmt.Errorf("it was only tried: %w", errTakenBack)
	// errRaced ends a transaction that has to be run again: somebody else created a record of the file meanwhile.
	errRaced = errors.New("a record was created meanwhile")
)

// importAttempts is how often the rows of a transaction are taken again because somebody else was faster with one of them.
const importAttempts = 3

// Import takes the rows of a file. With OnRefusal none all rows are taken in one transaction, or none of them when one is refused;
// with each, up to a thousand rows in one transaction, without those that are refused. A dry run does the same and takes each
// transaction back. The caller needs the permission of the kind's operation.
func (s *Service) Import(ctx context.Context, kind *ImportKind, in ImportInput) (ImportResult, error) {
	policy := allOrNone
	var err error
	if !in.OnRefusal.Missing() {
		if policy, err = input.OneOf("onRefusal", in.OnRefusal, []onRefusal{allOrNone, eachThatCan}); err != nil {
			return ImportResult{}, err
		}
	}
	dryRun, err := input.OptionalFlag("dryRun", in.DryRun)
	if err != nil {
		return ImportResult{}, err
	}
	if _, err := ChangedBy(CallerOf(ctx), in.ChangedBy); err != nil {
		return ImportResult{}, err
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
		return ImportResult{}, err
	}
	if !kind.signed {
		ctx = context.WithValue(ctx, unsignedKey{}, true)
	}
	switch {
	case policy == eachThatCan && dryRun:
		return s.tryEach(ctx, kind, &in, rows)
	case policy == eachThatCan:
		return s.importEach(ctx, kind, &in, rows)
	}
	return s.importAll(ctx, kind, &in, rows, dryRun)
}

// countRows reads a file to its end, so that one that is too long or cannot be read is refused before anything is written.
func countRows(ctx context.Context, rows iter.Seq2[ImportRow, error]) (count int, err error) {
	for _, err := range rows {
		count++
		switch {
		case err != nil:
			return 0, err
		case count > ImportLimit:
			return 0, refusal.Refuse(ImportTooLong, ImportLimit)
		case count%ChunkSize == 0 && ctx.Err() != nil:
			return 0, ctx.Err()
		}
	}
	return count, nil
}

// importAll takes all rows in one transaction, which is rolled back when a row was refused, and after a dry run.
func (s *Service) importAll(ctx context.Context, kind *ImportKind, in *ImportInput, rows int, dryRun bool) (ImportResult, error) {
	var part importPart
	if dryRun {
		if err := s.keyIsFree(ctx); err != nil {
			return ImportResult{}, err
		}
		ctx = apart(ctx)
	} else if done, err := s.DoneBefore(ctx, &part); done || err != nil {
		return part.result(), err
	}
	err := s.commitRows(ctx, &part, func(tx Tx) error {
		result := ImportResult{Rows: rows}
		done, im := 0, s.importing(ctx, tx, in)
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
			if err := MemoryBudgetOf(ctx).Take(len(taken.Refused) * refusalSize); err != nil {
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
			return errTried
		}
		return nil
	})
	if errors.Is(err, errTakenBack) {
		err = nil
		if run := onceRunOf(ctx); run != nil { // who repeats the request hears the same
			run.again()
			err = s.Commit(ctx, &part, func(Tx) error { return nil }, Aside)
		}
	}
	return part.result(), err
}

// commitRows commits a change that takes rows. It does so again when somebody else was faster with one of them.
func (s *Service) commitRows(ctx context.Context, result any, change func(Tx) error) (err error) {
	for attempt := range importAttempts {
		if attempt > 0 {
			onceRunOf(ctx).again()
		}
		if err = s.Commit(ctx, result, change, Alone); !errors.Is(err, errRaced) {
			return err
		}
	}
	return refusal.ErrBusy
}

// importPartWork is after how much work a part of a file ends whose rows need not be taken all at once.
const importPartWork = WorkLimit / 2

// importUnitsLimit is how many units the rows of a file make at most.
const importUnitsLimit = batchLimit

// tryEach tries rows in parts, and takes the transaction of each part back, so that others can write in between. Rows are compared
// with those of earlier parts by their keys, the names of their users and the numbers of their units.
func (s *Service) tryEach(ctx context.Context, kind *ImportKind, in *ImportInput, rows int) (ImportResult, error) {
	result := ImportResult{Rows: rows, Refused: []RefusedRow{}}
	if err := s.keyIsFree(ctx); err != nil {
		return ImportResult{}, err
	}
	ctx = apart(ctx)
	done := 0
	for chunk, err := range chunksOf(in.Rows()) {
		for len(chunk) > 0 && err == nil {
			var taken int
			if taken, err = s.tryPart(ctx, kind, in, chunk, done > 0, &result); err == nil {
				done, chunk = done+taken, chunk[taken:]
				in.Told(done, rows)
				err = ctx.Err()
			}
		}
		if err != nil {
			return ImportResult{}, err
		}
	}
	return result, nil
}

// tryPart tries the first of some rows in one transaction, and returns how many these were.
func (s *Service) tryPart(
	ctx context.Context, kind *ImportKind, in *ImportInput, chunk []ImportRow, later bool, result *ImportResult,
) (taken int, err error) {
	for {
		var part ImportResult
		var im *importing
		var numbers *triedTx
		err := s.commitRows(ctx, nil, func(tx Tx) (err error) {
			numbers = &triedTx{tx, in.given, givenNumbers{}}
			im = s.importing(ctx, numbers, in)
			if later {
				im.tried = chunk[0].Row
			}
			im.staff = cloneStaff(in.staff)
			if part, taken, err = im.take(kind, chunk, in.part); err != nil {
				return err
			}
			return errTried
		})
		switch {
		case errors.Is(err, errTried):
			in.units, in.staff = im.units, im.staff
			maps.Copy(in.given, numbers.given)
			for _, row := range part.Refused {
				in.refused[row.Row] = true
			}
			result.add(part)
			return taken, MemoryBudgetOf(ctx).Take(len(part.Refused)*refusalSize + len(numbers.given)*keyedRowSize)
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

func cloneStaff(staff map[string][]User) map[string][]User {
	if staff == nil {
		return nil
	}
	clone := make(map[string][]User, len(staff))
	for name, users := range staff {
		clone[name] = slices.Clip(users)
	}
	return clone
}

// isTooMuch reports whether a transaction was refused because of WorkLimit.
func isTooMuch(err error) bool {
	refusal, ok := errors.AsType[*refusal.Error](err)
	return ok && refusal.Reason == TooMuchAtOnce
}

// importEach takes the rows in parts, each in a transaction. Rows that were refused may have written something, so the transaction is
// taken back and run again without them, until none is refused. When the store fails on the way, what was done stays done, and the
// caller hears that the rest was not.
func (s *Service) importEach(ctx context.Context, kind *ImportKind, in *ImportInput, rows int) (ImportResult, error) {
	result := ImportResult{Rows: rows, Refused: []RefusedRow{}}
	done := 0
	for chunk, err := range chunksOf(in.Rows()) {
		for len(chunk) > 0 && err == nil {
			var taken int
			if taken, err = s.importChunk(ctx, kind, in, chunk, &result); err == nil {
				done, chunk = done+taken, chunk[taken:]
				in.Told(done, rows)
			}
		}
		if err != nil {
			if done == 0 || ctx.Err() != nil {
				return ImportResult{}, err
			}
			return ImportResult{}, errors.Join(refusal.Refuse(ImportCutOff, done, rows), err)
		}
	}
	return result, nil
}

// importChunk commits the first of some rows, and returns how many these were.
func (s *Service) importChunk(
	ctx context.Context, kind *ImportKind, in *ImportInput, chunk []ImportRow, result *ImportResult,
) (taken int, err error) {
	var part importPart
	done, err := s.DoneBefore(ctx, &part)
	if err != nil {
		return 0, err
	}
	if !done {
		if part, err = s.takeWhatCan(ctx, kind, in, chunk); err != nil {
			return 0, err
		}
	}
	in.units += part.Units
	result.add(part.result())
	if part.Taken == 0 { // as parts were written down that always had a thousand rows
		return len(chunk), nil
	}
	return min(part.Taken, len(chunk)), nil
}

// takeWhatCan commits those of the first of some rows that are not refused.
func (s *Service) takeWhatCan(ctx context.Context, kind *ImportKind, in *ImportInput, chunk []ImportRow) (part importPart, err error) {
	left, refused := slices.Clone(chunk), []RefusedRow(nil)
	end := len(chunk) // how many of the chunk belong to the part
	for attempt := 0; ; attempt++ {
		var result ImportResult
		var taken int
		if attempt > 0 {
			onceRunOf(ctx).again()
		}
		err := s.commitRows(ctx, &part, func(tx Tx) (err error) {
			im := s.importing(ctx, tx, in)
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
			result.Refused = []RefusedRow{{Row: left[0].Row, Err: refusal.Refuse(RowTooMuch)}}
		case isTooMuch(err):
			result.Refused = nil
		case !errors.Is(err, errTakenBack):
			return part, err
		}
		if taken < len(left) && (errors.Is(err, errTakenBack) || len(result.Refused) == 0) {
			end = rowPlace(chunk, left[taken].Row)
			left = left[:taken]
		}
		if err := MemoryBudgetOf(ctx).Take(len(result.Refused) * refusalSize); err != nil {
			return part, err
		}
		refused = append(refused, result.Refused...)
		slices.SortFunc(refused, func(a, b RefusedRow) int { return a.Row - b.Row })
		out := map[int]bool{}
		for _, row := range result.Refused {
			out[row.Row] = true
		}
		left = slices.DeleteFunc(left, func(row ImportRow) bool { return out[row.Row] })
		if err := ctx.Err(); err != nil {
			return part, err
		}
	}
}

// rowPlace returns the index of a row.
func rowPlace(chunk []ImportRow, row int) int {
	return slices.IndexFunc(chunk, func(r ImportRow) bool { return r.Row == row })
}

// refusalSize is about how many bytes a refusal takes.
const refusalSize = 512

// take takes rows in their order until the transaction has done so much work, and returns how many these were. A refused one does
// not keep the others from being judged. After an error, taken is how many rows were taken before it.
func (im *importing) take(kind *ImportKind, rows []ImportRow, work int64) (result ImportResult, taken int, err error) {
	result = ImportResult{Refused: []RefusedRow{}}
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
		case refused.Reason == TooMuchAtOnce:
			return result, i, refused
		case refused.Reason == ExternalIDTaken && im.creating: // it was free when it was looked up
			return result, i, errRaced
		}
		result.Refused = append(result.Refused, RefusedRow{Row: row.Row, Column: columnOf(row, refused), Err: refused})
	}
	return result, len(rows), nil
}

func (im *importing) takeRow(kind *ImportKind, row *ImportRow) (rowOutcome, error) {
	if row.Err != nil {
		return rowUnchanged, row.Err
	}
	im.creating, im.row, im.decimals, im.content = false, row.Row, row.Decimals, importDigestOf(reflect.ValueOf(row.In).Elem().Interface())
	in := reflect.New(kind.input) // the identifiers in it are put in their place, and the row may be taken again
	in.Elem().Set(reflect.ValueOf(row.In).Elem())
	err := input.IdentifyFields(in.Elem(), kind.Fields, func(kind ident.RecordKind, named string) (string, error) {
		return idIn(im.tx, kind, named)
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
func columnOf(row *ImportRow, refused *refusal.Error) string {
	if row.Column != "" {
		return row.Column
	}
	column, _, _ := strings.Cut(refused.Field, "[")
	column, _, _ = strings.Cut(column, ".")
	return column
}

// chunksOf yields rows a thousand at a time. The last thing yielded may be an error.
func chunksOf(rows iter.Seq2[ImportRow, error]) iter.Seq2[[]ImportRow, error] {
	return func(yield func([]ImportRow, error) bool) {
		chunk := make([]ImportRow, 0, ChunkSize)
		for row, err := range rows {
			if err != nil {
				yield(nil, err)
				return
			}
			if chunk = append(chunk, row); len(chunk) == ChunkSize {
				if !yield(chunk, nil) {
					return
				}
				chunk = make([]ImportRow, 0, ChunkSize)
			}
		}
		if len(chunk) > 0 {
			yield(chunk, nil)
		}
	}
}

// importPart is what is written down of rows of a file, for whoever repeats the request under its key.
type importPart struct {
	Rows      int      `json:"rows,omitempty"`
	Created   int      `json:"created"`
	Updated   int      `json:"updated"`
	Unchanged int      `json:"unchanged"`
	Failing   int      `json:"outOfLimits,omitempty"`
	Taken     int      `json:"taken,omitempty"`   // how many rows these are, of a part
	Units     int64    `json:"units,omitempty"`   // that were made
	At        places   `json:"at,omitempty"`      // the refused rows
	Columns   []string `json:"columns,omitempty"` // what they are about
	batchPart
}

func partOfImport(result ImportResult) importPart {
	part := importPart{Rows: result.Rows, Created: result.Created, Updated: result.Updated, Unchanged: result.Unchanged}
	part.Failing = result.OutOfLimits
	refused := make([]Refusal, len(result.Refused))
	for i, row := range result.Refused {
		part.At, part.Columns = append(part.At, int64(row.Row)), append(part.Columns, row.Column)
		refused[i] = Refusal{SerialID: rowName(int64(row.Row)), Err: row.Err}
	}
	part.batchPart = partOf(part.names(), 0, refused)
	return part
}

func (p *importPart) names() []string {
	names := make([]string, len(p.At))
	for i, row := range p.At {
		names[i] = rowName(row)
	}
	return names
}

// rowName is what a row is called where refusals are written down, which are those of serials otherwise.
func rowName(row int64) string { return fmt.Sprintf("row %d", row) }

func (p *importPart) result() ImportResult {
	result := ImportResult{Rows: p.Rows, Created: p.Created, Updated: p.Updated, Unchanged: p.Unchanged, OutOfLimits: p.Failing}
	result.Refused = make([]RefusedRow, 0, len(p.At))
	for i, refusal := range p.refusals(p.names()) {
		result.Refused = append(result.Refused, RefusedRow{Row: int(p.At[i]), Column: p.Columns[i], Err: refusal.Err})
	}
	return result
}

// Why a file, or a row of it, is refused.
var (
	ImportTooLong = refusal.NewReason(refusal.Invalid, "too_many_rows", "A file may have at most {limit} rows")
	ImportCutOff  = refusal.NewReason(refusal.Uncertain, "import_cut_off", "The import was cut off: {done} of {rows} rows had their turn.")

	UnitsTooMany = refusal.NewReason(refusal.Invalid, "too_many_units_made",
		"{field} must make at most {limit} units in a file, and the rows before this one make {count}: put the row into another file")
	RowTooMuch = refusal.NewReason(refusal.Invalid, "too_much_at_once",
		"This row makes too much for one transaction, during which others cannot write: divide it into several rows")

	PathUnclear  = refusal.NewReason(refusal.Invalid, "path_unclear", "Job {id} has {count} paths, and {field} is for a job with one")
	TemplateName = refusal.NewReason(refusal.Invalid, "template_name_unclear", "{field} is what {count} templates are called: {name}")
)

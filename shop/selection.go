package shop

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// selectionLimit is the most serials that one operation on many takes.
const selectionLimit = 100_000

// SelectionInput is how a request says which serials it is about: exactly one of SerialIDs, Ranges and Where.
type SelectionInput struct {
	SerialIDs     input.TextsInput  `field:"serialIds"`
	Ranges        RangesInput       `field:"ranges"`
	Where         WhereInput        `field:"where"`
	ExpectedCount input.NumberInput `field:"expectedCount"`
}

// RangesInput is a list of ranges of serials.
type RangesInput = input.Input[[]input.Input[RangeInput]]

// RangeInput is a range of serials, both ends included.
type RangeInput struct {
	First input.TextInput `field:"first"`
	Last  input.TextInput `field:"last"`
}

// WhereInput is what serials have to be.
type WhereInput = input.Input[FilterInput]

// FilterInput is what serials have to be, all of it.
type FilterInput struct {
	JobID  input.TextInput `field:"jobId"`
	PathID input.TextInput `field:"pathId"`
	StepID input.TextInput `field:"stepId"`
	Status input.TextInput `field:"status"`
}

// SerialFilter says what serials have to be. Empty fields do not narrow.
type SerialFilter struct {
	JobID  string
	PathID string
	StepID string // the step it stands on, in progress
	Status card.SerialStatus
}

// Selection is the serials that an operation is about, in an order: as they were listed, range by range, or oldest
// first. Each is in it once.
type Selection struct {
	listed   []string
	ranges   []ident.NumberRange
	where    *SerialFilter
	counted  bool // whether the caller said how many there are
	expected int64
}

func (in SelectionInput) check() (Selection, error) {
	var selection Selection
	filter, narrow, err := in.filter()
	if err != nil {
		return selection, err
	}
	ways := 0
	for _, given := range []bool{!in.SerialIDs.Missing(), !in.Ranges.Missing(), !in.Where.Missing()} {
		if given {
			ways++
		}
	}
	if ways != 1 || (!in.Where.Missing() && !narrow) {
		return selection, refusal.Refuse(refusal.SelectionUnclear)
	}
	switch {
	case !in.SerialIDs.Missing():
		selection.listed, err = in.list()
	case !in.Ranges.Missing():
		selection.ranges, err = in.numbers()
	default:
		selection.where = &filter
	}
	if err != nil {
		return selection, err
	}
	if in.ExpectedCount.Missing() {
		if selection.listed == nil {
			return selection, refusal.RefuseField(refusal.Required, "expectedCount")
		}
		return selection, nil
	}
	selection.counted = true
	selection.expected, err = input.Whole("expectedCount", in.ExpectedCount)
	return selection, err
}

// filter judges Where; narrow says whether any of its members is there.
func (in SelectionInput) filter() (filter SerialFilter, narrow bool, err error) {
	if in.Where.Missing() {
		return filter, false, nil
	}
	if err := in.Where.Typed("where"); err != nil {
		return filter, false, err
	}
	where := in.Where.Value
	for _, field := range []struct {
		name string
		in   input.TextInput
		to   *string
	}{
		{"where.jobId", where.JobID, &filter.JobID},
		{"where.pathId", where.PathID, &filter.PathID},
		{"where.stepId", where.StepID, &filter.StepID},
	} {
		if *field.to, err = input.OptionalWithin(field.name, field.in, input.NameLimit); err != nil {
			return filter, false, err
		}
	}
	if !where.Status.Missing() {
		statuses := []card.SerialStatus{card.InProgress, card.Completed, card.Scrapped}
		if filter.Status, err = input.OneOf("where.status", where.Status, statuses); err != nil {
			return filter, false, err
		}
	}
	return filter, filter != SerialFilter{}, nil
}

// list judges SerialIDs and leaves out those that were listed before.
func (in SelectionInput) list() ([]string, error) {
	listed, err := input.RequiredItems("serialIds", in.SerialIDs, refusal.ListEmpty)
	if err != nil {
		return nil, err
	}
	once, seen := listed[:0], make(map[string]struct{}, len(listed))
	for _, id := range listed {
		if _, again := seen[id]; !again {
			seen[id] = struct{}{}
			once = append(once, id)
		}
	}
	if len(once) > selectionLimit {
		return nil, errTooMany()
	}
	return once, nil
}

func errTooMany() error { return refusal.Refuse(refusal.SelectionTooLarge, selectionLimit) }

// numbers judges Ranges. Their ends need not exist: numbers have gaps, and ExpectedCount finds mistakes.
func (in SelectionInput) numbers() ([]ident.NumberRange, error) {
	if err := in.Ranges.Typed("ranges"); err != nil {
		return nil, err
	}
	switch given := len(in.Ranges.Value); {
	case given == 0:
		return nil, refusal.RefuseField(refusal.ListEmpty, "ranges")
	case given > selectionLimit:
		return nil, refusal.RefuseField(refusal.ListTooLong, "ranges", selectionLimit)
	}
	ranges := make([]ident.NumberRange, len(in.Ranges.Value))
	for i, input := range in.Ranges.Value {
		name := fmt.Sprintf("ranges[%d]", i)
		if err := input.Typed(name); err != nil {
			return nil, err
		}
		first, err := serialNumber(name+".first", input.Value.First)
		if err != nil {
			return nil, err
		}
		last, err := serialNumber(name+".last", input.Value.Last)
		if err != nil {
			return nil, err
		}
		if last < first {
			return nil, refusal.RefuseField(refusal.RangeBackwards, name)
		}
		ranges[i] = ident.NumberRange{First: first, Last: last}
	}
	return ranges, nil
}

func serialNumber(field string, in input.TextInput) (int64, error) {
	id, err := input.RequiredName(field, in)
	if err != nil {
		return 0, err
	}
	number, ok := ident.ParseSerialID(id)
	if !ok {
		return 0, refusal.RefuseField(refusal.NotSerialID, field)
	}
	return number, nil
}

// resolve returns the identifiers of the selection's serials, as the transaction sees them. Those that were listed need
// not exist.
func (s *Selection) resolve(tx SelectionStore) ([]string, error) {
	ids := s.listed
	if ids == nil {
		numbers, err := s.find(tx)
		if err != nil {
			return nil, err
		}
		if len(numbers) > selectionLimit {
			return nil, errTooMany()
		}
		ids = make([]string, len(numbers))
		for i, number := range numbers {
			ids[i] = ident.SerialID(number)
		}
	}
	if s.counted && int64(len(ids)) != s.expected {
		return nil, refusal.Refuse(refusal.SelectionCount, len(ids), s.expected)
	}
	return ids, nil
}

// Selected answers which serials a selection is about now, in its order. Those that it lists need not exist.
func (s *Service) Selected(ctx context.Context, in SelectionInput) ([]string, error) {
	selection, err := in.check()
	if err != nil {
		return nil, err
	}
	if err := in.takeMemory(ctx); err != nil {
		return nil, err
	}
	var ids []string
	err = s.store.View(ctx, func(tx Reader) (err error) {
		ids, err = selection.resolve(tx)
		return err
	})
	return ids, err
}

// find returns the numbers of serials that exist, in order; when there are more than selectionLimit, only some of them.
func (s *Selection) find(tx SelectionStore) ([]int64, error) {
	if s.where != nil {
		return tx.SerialsWhere(*s.where, selectionLimit+1)
	}
	found, err := tx.SerialsWithin(union(s.ranges), selectionLimit+1)
	if err != nil || len(s.ranges) == 1 || len(found) > selectionLimit {
		return found, err
	}
	return inOrderOf(s.ranges, found), nil
}

// union returns the same numbers as ascending ranges that do not touch.
func union(ranges []ident.NumberRange) []ident.NumberRange {
	ranges = slices.SortedFunc(slices.Values(ranges), func(a, b ident.NumberRange) int { return cmp.Compare(a.First, b.First) })
	merged := ranges[:1]
	for _, next := range ranges[1:] {
		last := &merged[len(merged)-1]
		if next.First > last.Last+1 {
			merged = append(merged, next)
			continue
		}
		last.Last = max(last.Last, next.Last)
	}
	return merged
}

// inOrderOf puts ascending numbers into the order of the ranges that they are in. A number that is in several comes
// with the first of them.
func inOrderOf(ranges []ident.NumberRange, numbers []int64) []int64 {
	ordered := make([]int64, 0, len(numbers))
	// next leads from i to the first free index at or after i (union-find), so that ranges over the same numbers do not
	// walk them again.
	next := make([]int, len(numbers)+1)
	for i := range next {
		next[i] = i
	}
	free := func(i int) int {
		for next[i] != i {
			next[i] = next[next[i]]
			i = next[i]
		}
		return i
	}
	for _, within := range ranges {
		from, _ := slices.BinarySearch(numbers, within.First)
		for i := free(from); i < len(numbers) && numbers[i] <= within.Last; i = free(i) {
			ordered = append(ordered, numbers[i])
			next[i] = i + 1
		}
	}
	return ordered
}

// refuseMoved refuses a serial that was selected for what it was and is no longer that: between the selection and its
// turn somebody else may have moved it.
func (s *Selection) refuseMoved(card card.Card) error {
	if s.where == nil || s.where.fits(card) {
		return nil
	}
	return refusal.Refuse(refusal.SelectionLeft, card.Serial.ID)
}

// fits reports whether a serial is what the filter says.
func (f *SerialFilter) fits(card card.Card) bool {
	serial := &card.Serial
	switch {
	case f.JobID != "" && serial.JobID != f.JobID,
		f.PathID != "" && serial.PathID != f.PathID,
		f.Status != "" && serial.Status != f.Status:
		return false
	case f.StepID == "":
		return true
	}
	step := card.Current()
	return step != nil && step.ID == f.StepID
}

// SelectionStore is what selections need of a transaction.
type SelectionStore interface {
	// SerialsWhere returns the numbers of serials that fit a filter, oldest first. When more than limit do, which of
	// them it returns is open.
	SerialsWhere(filter SerialFilter, limit int) ([]int64, error)
	// SerialsWithin returns which numbers in ascending ranges that do not touch are serials', in order: limit at most.
	SerialsWithin(ranges []ident.NumberRange, limit int) ([]int64, error)
}

// takeListed looks up the serials that a request lists, many of them in the order of their numbers: rows lie in that
// order, so that a long list in no order touches each page of the database once. As long as no serial is refused, the
// cards are handed over, a thousand at a time, each once however often it is listed. Of those that are refused the first
// of the list decides.
func takeListed(
	ctx context.Context, tx CardStore, listed []string, missing refusal.RecordName, refuse func(card.Card) error,
	take func([]card.Card) error,
) error {
	first := placesIn(listed)
	refusedAt, refusal := len(listed), error(nil)
	for chunk := range slices.Chunk(inKeyOrder(first), ChunkSize) {
		if err := ctx.Err(); err != nil {
			return err // nobody waits for it any more
		}
		chunk = slices.DeleteFunc(chunk, func(id string) bool { return first[id] > refusedAt })
		found, err := tx.RouteCards(chunk)
		if err != nil {
			return err
		}
		cards := make([]card.Card, 0, len(chunk))
		for _, id := range chunk {
			card, exists := found[id]
			var refused error = missing.NotFound(id)
			if exists {
				refused = refuse(card)
			}
			if refused != nil && first[id] < refusedAt {
				refusedAt, refusal = first[id], refused
			}
			cards = append(cards, card)
		}
		if refusal != nil {
			continue
		}
		if err := take(cards); err != nil {
			return err
		}
	}
	return refusal
}

// aloneIf returns the option Alone for an operation on many serials, and none for an operation on few.
func aloneIf(serials int) []UpdateOption {
	if serials > ChunkSize {
		return []UpdateOption{Alone}
	}
	return nil
}

// listedWeight is how many bytes an operation on many serials has of each: its card, what becomes of it, and the answer.
const listedWeight = 600

// takeMemoryFor takes the memory for an operation on so many serials. An operation calls it before it changes anything,
// since afterwards it could not report that there is too little.
func takeMemoryFor(ctx context.Context, serials int) error {
	return MemoryBudgetOf(ctx).Take(listedWeight * min(serials, selectionLimit))
}

// takeMemory takes the memory for an operation on the serials of a selection, which lists them or says how many it expects.
func (in SelectionInput) takeMemory(ctx context.Context) error {
	expected := int(min(max(in.ExpectedCount.Value, 0), selectionLimit))
	return takeMemoryFor(ctx, max(expected, len(in.SerialIDs.Value)))
}

// placesIn returns where in a list each of its items comes first.
func placesIn(listed []string) map[string]int {
	first := make(map[string]int, len(listed))
	for i, id := range slices.Backward(listed) {
		first[id] = i
	}
	return first
}

// inKeyOrder returns listed serials, each once: those of a long list sorted by their numbers, behind texts that are
// not the identifier of a serial; those of a short list in its order.
func inKeyOrder(first map[string]int) []string {
	serialIDs := slices.Collect(maps.Keys(first))
	if len(serialIDs) <= ChunkSize {
		slices.SortFunc(serialIDs, func(a, b string) int { return cmp.Compare(first[a], first[b]) })
		return serialIDs
	}
	type key struct {
		number int64
		id     string
	}
	keys := make([]key, len(serialIDs))
	for i, id := range serialIDs {
		keys[i].id = id
		keys[i].number, _ = ident.ParseSerialID(id)
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.id, b.id))
	})
	for i := range keys {
		serialIDs[i] = keys[i].id
	}
	return serialIDs
}

package shop

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// selectionLimit is the maximum number of serials in one operation.
const selectionLimit = 100_000

// SelectionInput selects serials in a request, by exactly one of SerialIDs, Ranges, Where and Recall.
type SelectionInput struct {
	SerialIDs     input.TextsInput  `field:"serialIds"`
	Ranges        RangesInput       `field:"ranges"`
	Where         WhereInput        `field:"where"`
	ExpectedCount input.NumberInput `field:"expectedCount"`
	// Recall is a field of few operations, which declare it themselves and set it here.
	Recall RecallInput `field:"-"`
}

// RangesInput is a list of ranges of serials.
type RangesInput = input.Input[[]input.Input[RangeInput]]

// RangeInput is a range of serials, both ends included.
type RangeInput struct {
	First input.TextInput `field:"first"`
	Last  input.TextInput `field:"last"`
}

// WhereInput is an optional filter of serials.
type WhereInput = input.Input[FilterInput]

// FilterInput is a filter of serials. A serial must match all fields.
type FilterInput struct {
	JobID  input.TextInput `field:"jobId"`
	PathID input.TextInput `field:"pathId"`
	StepID input.TextInput `field:"stepId"`
	Status input.TextInput `field:"status"`
}

// SerialFilter is a filter of serials. Empty fields match every serial.
type SerialFilter struct {
	JobID  string
	PathID string
	StepID string // the current step of a serial in progress
	Status card.SerialStatus
}

// Selection is an ordered set of serials: in the order of the list, range by range, or oldest first. Each serial is in it once.
type Selection struct {
	listed   []string
	ranges   []ident.NumberRange
	where    *SerialFilter
	recall   *genealogy.Query
	counted  bool // whether the request has expectedCount
	expected int64
}

func (in SelectionInput) check(prefix ident.Prefix) (Selection, error) {
	var selection Selection
	filter, narrow, err := in.filter()
	if err != nil {
		return selection, err
	}
	ways := 0
	for _, given := range []bool{!in.SerialIDs.Missing(), !in.Ranges.Missing(), !in.Where.Missing(), !in.Recall.Missing()} {
		if given {
			ways++
		}
	}
	switch {
	case ways != 1 && !in.Recall.Missing():
		return selection, refusal.Refuse(refusal.SelectionOrRecall)
	case ways != 1 || (!in.Where.Missing() && !narrow):
		return selection, refusal.Refuse(refusal.SelectionUnclear)
	}
	switch {
	case !in.SerialIDs.Missing():
		selection.listed, err = in.list()
	case !in.Ranges.Missing():
		selection.ranges, err = in.numbers(prefix)
	case !in.Recall.Missing():
		selection.recall, err = recallOf(in.Recall)
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

// filter validates Where. narrow reports whether any of its fields is present.
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

// list validates SerialIDs and removes duplicates.
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

// numbers validates Ranges. The ends need not exist: numbers have gaps, and ExpectedCount reveals mistakes.
func (in SelectionInput) numbers(prefix ident.Prefix) ([]ident.NumberRange, error) {
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
		first, err := serialNumber(prefix, name+".first", input.Value.First)
		if err != nil {
			return nil, err
		}
		last, err := serialNumber(prefix, name+".last", input.Value.Last)
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

func serialNumber(prefix ident.Prefix, field string, in input.TextInput) (int64, error) {
	id, err := input.RequiredName(field, in)
	if err != nil {
		return 0, err
	}
	number, ok := prefix.ParseSerialID(id)
	if !ok {
		return 0, refusal.RefuseField(refusal.NotSerialID, field)
	}
	return number, nil
}

// resolve returns the identifiers of the selected serials, as the transaction sees them. Listed serials need not exist. It does not
// resolve a recall: see choose.
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
			ids[i] = tx.SerialPrefix().SerialID(number)
		}
	}
	return ids, s.refuseCount(len(ids))
}

// refuseCount refuses a selection of another size than the request expects.
func (s *Selection) refuseCount(serials int) error {
	if s.counted && int64(serials) != s.expected {
		return refusal.Refuse(refusal.SelectionCount, serials, s.expected)
	}
	return nil
}

// selected has the serials of a selection, and the lots that its recall names.
type selected struct {
	serialIDs []string
	lots      []genealogy.Item
}

// choose is resolve for selections that can be a recall. With locking, no other transaction changes the serials and lots until this
// transaction ends.
func (s *Selection) choose(ctx context.Context, tx Tx, locking bool) (found selected, err error) {
	if s.recall == nil {
		if found.serialIDs, err = s.resolve(tx); err == nil && locking {
			err = tx.LockSerials(found.serialIDs)
		}
		return found, err
	}
	if found, err = recalled(ctx, tx, *s.recall, locking); err != nil {
		return found, err
	}
	return found, s.refuseCount(len(found.serialIDs))
}

// Selected returns the serials that a selection contains now, in the order of the selection. Listed serials need not exist.
func (s *Service) Selected(ctx context.Context, in SelectionInput) ([]string, error) {
	selection, err := in.check(s.SerialPrefix())
	if err != nil {
		return nil, err
	}
	if err := in.takeMemory(ctx); err != nil {
		return nil, err
	}
	var ids []string
	err = s.store.View(ctx, func(tx Reader) (err error) {
		found, err := selection.choose(ctx, tx, false)
		ids = found.serialIDs
		return err
	})
	return ids, err
}

// find returns the numbers of existing serials, in order. If there are more than selectionLimit, it returns only some of them.
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

// union returns the same numbers as ascending ranges that neither overlap nor touch.
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

// inOrderOf sorts ascending numbers into the order of the ranges that contain them. A number in several ranges comes with the first of
// them.
func inOrderOf(ranges []ident.NumberRange, numbers []int64) []int64 {
	ordered := make([]int64, 0, len(numbers))
	// next leads from i to the first free index at or after i (union-find), so that overlapping ranges do not visit the same numbers twice.
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

// refuseMoved refuses a serial that no longer matches the filter of the selection, because another request changed it in between.
func (s *Selection) refuseMoved(card card.Card) error {
	if s.where == nil || s.where.fits(card) {
		return nil
	}
	return refusal.Refuse(refusal.SelectionLeft, card.Serial.ID)
}

// refuseAny refuses the first of the units that does not exist, whose card cannot be used, or that no longer matches the filter.
func (s *Selection) refuseAny(ids []string, cards map[string]card.Card) error {
	for _, id := range ids {
		unit, exists := cards[id]
		if !exists {
			return NameSerial.NotFound(id)
		}
		if err := cmp.Or(card.CheckCard(unit), s.refuseMoved(unit)); err != nil {
			return err
		}
	}
	return nil
}

// fits reports whether a serial matches the filter.
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

// SelectionStore lists the database operations for selections.
type SelectionStore interface {
	Prefixed
	// SerialsWhere returns the numbers of the serials that match a filter, oldest first. If more than limit serials match, it is
	// unspecified which of these SerialsWhere returns.
	SerialsWhere(filter SerialFilter, limit int) ([]int64, error)
	// SerialsWithin returns the numbers of the serials in ascending ranges that do not touch, in order, at most limit.
	SerialsWithin(ranges []ident.NumberRange, limit int) ([]int64, error)
}

// takeListed looks up the cards of listed serials and passes them to take, up to a thousand at a time and each once, however often it is
// listed. It reads long lists in the order of their numbers: rows are stored in that order, so that each page of the database is read once.
// Once a serial is refused, takeListed passes on no more cards, and finally returns the refusal of the first refused serial in the list.
func takeListed(
	ctx context.Context, tx CardStore, listed []string, missing refusal.RecordName, refuse func(card.Card) error,
	take func([]card.Card) error,
) error {
	first := placesIn(listed)
	refusedAt, refusal := len(listed), error(nil)
	for chunk := range slices.Chunk(inKeyOrder(first), ChunkSize) {
		if err := ctx.Err(); err != nil {
			return err // the client has gone
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

// aloneIf returns the option Alone for an operation on many serials, and no option for an operation on few.
func aloneIf(serials int) []UpdateOption {
	if serials > ChunkSize {
		return []UpdateOption{Alone}
	}
	return nil
}

// listedWeight is the memory in bytes that an operation on many serials needs for each serial: its card, its outcome and its response.
const listedWeight = 600

// takeMemoryFor reserves the memory for an operation on a number of serials. Operations call it before they change anything, since
// afterwards they could not report a lack of memory.
func takeMemoryFor(ctx context.Context, serials int) error {
	return MemoryBudgetOf(ctx).Take(listedWeight * min(serials, selectionLimit))
}

// takeMemory reserves the memory for an operation on a selection: for the listed serials or the expected number of serials.
func (in SelectionInput) takeMemory(ctx context.Context) error {
	expected := int(min(max(in.ExpectedCount.Value, 0), selectionLimit))
	return takeMemoryFor(ctx, max(expected, len(in.SerialIDs.Value)))
}

// placesIn returns the index of each item's first occurrence in a list.
func placesIn(listed []string) map[string]int {
	first := make(map[string]int, len(listed))
	for i, id := range slices.Backward(listed) {
		first[id] = i
	}
	return first
}

// inKeyOrder returns the listed serials, each once. It sorts a long list by number, with texts that are not identifiers of serials first.
// A short list keeps its order.
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
		_, keys[i].number, _ = ident.SplitSerialID(id)
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.id, b.id))
	})
	for i := range keys {
		serialIDs[i] = keys[i].id
	}
	return serialIDs
}

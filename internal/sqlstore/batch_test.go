package sqlstore

import (
	"reflect"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
)

// TestSameButSerial changes every field of an entry in turn, also fields that are added later: a difference in any
// field but the serial makes two entries differ.
func TestSameButSerial(t *testing.T) {
	t.Parallel()
	for i := range reflect.TypeFor[trail.Entry]().NumField() {
		var plain, changed trail.Entry
		name := reflect.TypeFor[trail.Entry]().Field(i).Name
		switch field := reflect.ValueOf(&changed).Elem().Field(i); field.Kind() {
		case reflect.String:
			field.SetString("x")
		case reflect.Int64:
			field.SetInt(1)
		case reflect.Slice:
			field.SetBytes([]byte("{}"))
		default:
			t.Fatalf("%s is a %s", name, field.Kind())
		}
		if got, want := sameButSerial(&plain, &changed), name == "SerialID"; got != want {
			t.Errorf("entries that differ in %s count as the same: %v", name, got)
		}
	}
}

func TestRunsOf(t *testing.T) {
	t.Parallel()
	entry := func(serialID, userID string) trail.Entry {
		return trail.Entry{SerialID: serialID, UserID: userID}
	}
	got := runsOf([]trail.Entry{
		entry("SN-00003", "a"), entry("SN-00004", "a"), entry("SN-00005", "b"), entry("SN-00006", "b"), entry("SN-00008", "b"),
		entry("SN-00007", "b"), entry("", "b"), entry("", "b"),
	})
	want := []entryRun{{0, 2}, {2, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("runs are %v, want %v", got, want)
	}
}

// Moving many serials takes the same statements for every thousand, whether or not they are consecutive and move alike.
func TestStatementsPerThousandMoves(t *testing.T) {
	t.Parallel()
	workshop := newTracedShop(t)
	workshop.makeSerials(workshop.path, 8000, "")
	other := workshop.makePath(workshop.makeJob(), 8)
	workshop.makeSerials(other, 8000, "")
	batch := func(policy string, ids []string) int {
		return len(workshop.count(func() error {
			return ran(workshop.BatchAdvance(t.Context(), shop.BatchAdvanceInput{BatchInput: shop.BatchInput{
				Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(ids...)}, OnRefusal: input.Given(policy),
			}}))
		}))
	}
	neighbours := func(count int) (ids []string) {
		for i := range count {
			ids = append(ids, ident.SerialID(int64(i+1)))
		}
		return ids
	}
	scattered := func(count int) (ids []string) { // alternately of two paths, and not in order
		for i := range count {
			ids = append(ids, ident.SerialID(int64(1+(i*7919)%16_000)))
		}
		return ids
	}
	for _, selection := range []struct {
		name string
		ids  func(int) []string
	}{{"neighbours", neighbours}, {"scattered", scattered}} { // in this order, because scattered moves would leave the neighbours in more places
		name, ids := selection.name, selection.ids
		batch("none", ids(16)) // puts the paths into the cache
		// For each thousand: the cards, where they stand now (a statement for each kind of move, eight at most and here
		// four), the audit entries, and a transaction.
		if one, many := batch("none", ids(1000)), batch("none", ids(8000)); many-one > 7*7 {
			t.Errorf("7,000 %s more take %d statements more, want at most %d", name, many-one, 7*7)
		}
		if one, many := batch("each", ids(1000)), batch("each", ids(5000)); many-one > 4*11 {
			t.Errorf("4,000 %s more, each by itself, take %d statements more, want at most %d", name, many-one, 4*11)
		}
	}
}

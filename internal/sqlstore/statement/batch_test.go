package statement

import (
	"reflect"
	"testing"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// TestSameButSerial changes every field of an entry in turn, including any field that is added later. Two entries differ if any field other
// than the serial differs.
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
	got := runsOf(ident.DefaultPrefix, []trail.Entry{
		entry("SN-00003", "a"), entry("SN-00004", "a"), entry("SN-00005", "b"), entry("SN-00006", "b"), entry("SN-00008", "b"),
		entry("SN-00007", "b"), entry("", "b"), entry("", "b"),
	})
	want := []entryRun{{0, 2}, {2, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 8}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("runs are %v, want %v", got, want)
	}
}

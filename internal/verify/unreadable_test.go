package verify_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/verify"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
)

// A unit whose characteristics cannot be read has no card. Each such unit is reported, and the others are compared.
func TestUnitsThatCannotBeReadHideNoOther(t *testing.T) {
	t.Parallel()
	q := shoptest.OpenEverything(t)
	door := q.Database.BackDoor(t)
	for _, statement := range []string{
		"UPDATE step_characteristics SET characteristics = '{zzz'", "UPDATE serial SET created_at = created_at + 1 WHERE number = 1",
	} {
		if _, err := door.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Store.Close(); err != nil {
		t.Fatal(err)
	}
	q.Open(t) // without cached paths
	var found []string
	if err := q.Store.View(t.Context(), func(tx shop.Reader) error {
		_, err := verify.CheckSerials(tx, ledger.Leaf, func(id string, fields []string, why error) {
			line := id + ": " + strings.Join(fields, ", ")
			if why != nil {
				line += why.Error()
			}
			found = append(found, line)
		})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	unreadable := 0
	for _, line := range found {
		if strings.Contains(line, "step_characteristics chset_") && strings.Contains(line, " cannot be read: ") {
			unreadable++
		}
	}
	if unreadable != 3 || !slices.Contains(found, "SN-00001: createdAt") {
		t.Errorf("%q", found)
	}
}

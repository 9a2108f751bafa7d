package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/ident"
)

// The proof page shows the entry. If there is no proof of the entry, the page says so. TestLedgerInTheBrowser follows the page's link to
// the file.
func TestProofPage(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(1, "Saw")
	v := s.visitor()
	v.visit("/audit/proof/" + ident.AuditID(3)).says("Proof of entry 3")
	v.says("Unit created 1 unit")
	v.says("The ledger is off: nothing proves that this entry was not changed.")
	for _, id := range []string{ident.AuditID(99), "banana", ident.AuditID(0)} {
		if v.visit("/audit/proof/" + id); v.page.status != http.StatusNotFound {
			t.Errorf("%s answers %d", id, v.page.status)
		}
	}
}

// A part of a name finds a person's entries. If the part matches several people, the page asks which one is meant. The file shows undone
// changes.
func TestTrailByHalfAName(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(2, "Saw", "Turn")
	dana := s.works("Dana Weber")
	s.works("Kim Weber")
	dana.visit("/serials/"+unit).press(`value="advance"`, "do", "advance")
	dana.press(`value="undo"`, "do", "undo", "reason", "wrong unit").says("Undone.")
	dana.visit("/audit?user=dana").says("Unit advanced SN-00001 from Saw to Turn")
	dana.visit("/audit?user=weber").says("“weber” can be more than one operator: ")
	dana.visit("/audit?user=setup").says("Unit created 2 units") // not an operator, but mentioned in the audit trail
	for _, filter := range []string{"?action=serial_advanced", "?serial=1"} {
		dana.visit("/audit" + filter).says("Undone by Dana Weber")
		file := dana.visit(dana.link("Download CSV")).page.html
		if !strings.Contains(file, ",2026-03-02T08:00:00.000Z,Dana Weber\n") {
			t.Errorf("%s: the file does not say what was taken back:\n%s", filter, file)
		}
	}
}

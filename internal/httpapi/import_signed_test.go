package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
)

// A caller without the permission for a kind of records is refused for any file, and so is a caller who has not signed in.
func TestImportByWhoeverMayNot(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	csv := [2]string{"Content-Type", "text/csv"}
	for login, role := range map[string]string{"paul": "planner", "olaf": "operator", "vera": "viewer"} {
		g.person(login, role)
		identity := g.signIn(login, goodPassword)
		for _, query := range []string{"", "?dryRun=true"} {
			g.refused(http.StatusForbidden, "This needs the permission admin", "POST", "/api/import/users"+query, "name\nAnn\n", identity, csv)
			if role != "planner" {
				g.refused(http.StatusForbidden, "This needs the permission plan", "POST", "/api/import/jobs"+query, "name,goalQuantity\nLid,1\n", identity, csv)
			}
		}
	}
	g.ask(http.StatusUnauthorized, "POST", "/api/import/users", "name\nAnn\n", csv)
}

// A file cannot be signed: rows that need a signature are refused, and a dry run reports it.
func TestImportOfWhatIsSigned(t *testing.T) {
	t.Parallel()
	s := openTwoAdministrators(t)
	csv, olaf := [2]string{"Content-Type", "text/csv"}, s.users["olaf"]
	name := func() string { return field(t, s.ask(200, "GET", "/api/users/"+olaf, "", s.boss()).body, "name") }
	before := name()
	file := "id,name\n" + olaf + ",Another name\n"
	for _, query := range []string{"", "?dryRun=true", "?onRefusal=each", "?onRefusal=each&dryRun=true"} {
		s.refused(http.StatusForbidden, "This needs the signature of a second person", "POST", "/api/import/users"+query, file, s.boss(), csv)
		if name() != before {
			t.Fatalf("%s: the name is %s", query, name())
		}
	}
	// If a row is refused anyway, the response reports that row: nothing would be imported, so nothing needs a signature.
	if got := s.ask(200, "POST", "/api/import/users?dryRun=true", file+olaf+",\n", s.boss(), csv).body; !strings.Contains(got, `"row":3`) {
		t.Error(got)
	}
	// The thousand rows before the refused row are imported, and the response says so.
	many := new(strings.Builder)
	many.WriteString("id,name,externalId\n")
	for i := range 1000 {
		fmt.Fprintf(many, ",Somebody,%d\n", i)
	}
	fmt.Fprintf(many, "%s,Another name,\n", olaf)
	s.refused(http.StatusServiceUnavailable, "The import was cut off: 1000 of 1001 rows had their turn.",
		"POST", "/api/import/users?onRefusal=each", many.String(), s.boss(), csv)
	if got := s.ask(200, "GET", "/api/users", "", s.boss()).body; strings.Count(got, `"Somebody"`) != 1000 || name() != before {
		t.Errorf("%d were made, and the name is %s", strings.Count(got, `"Somebody"`), name())
	}
	// Making a user inactive needs no signature, because it only withdraws access.
	if got := s.ask(200, "POST", "/api/import/users", "id,active\n"+olaf+",false\n", s.boss(), csv).body; !strings.Contains(got, `"updated":1`) {
		t.Error(got)
	}
}

// A file installs a substitute only for a caller with the permission decide, and only if the policy demands no signature for it.
func TestImportOfSubstitutes(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	csv := [2]string{"Content-Type", "text/csv"}
	path, _ := s.route()
	s.signed(shop.SignPathUpdate, "PUT", "/api/paths/"+path+"/bom", fmt.Sprintf(`{"bomId": %q}`, s.bom()))
	unit, lot := s.unit(path), s.lot()
	file := "serialId,lotId,substituteFor,substituteReason\n" + unit + "," + lot + ",nut,none left\n"
	s.demand(shop.SignSubstitute, shop.SignedBySelf)
	for _, query := range []string{"", "?dryRun=true", "?onRefusal=each", "?onRefusal=each&dryRun=true"} {
		s.refuses("with a demand", unsigned, "POST", "/api/import/components"+query, file, csv)
	}
	s.demand(shop.SignSubstitute, shop.SignedByNobody)
	refused := s.ask(200, "POST", "/api/import/components", file, s.tokens["olaf"], csv).body
	if !strings.Contains(refused, `"created":0`) || !strings.Contains(refused, "This needs the permission decide") {
		t.Error(refused)
	}
	if got := s.try("POST", "/api/import/components", file, csv).body; !strings.Contains(got, `"created":1`) {
		t.Error(got)
	}
	if got := s.try("GET", "/api/serials/"+unit+"/bom", "").body; !strings.Contains(got, `"substituted":"1"`) {
		t.Error(got)
	}
	s.checkTrail()
}

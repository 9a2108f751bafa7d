package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// An operator attaches files that document a unit, but not files that define how units are made. The test covers every kind of record with
// files and every kind of file.
func TestKindsOfFilesNeedTheirPermission(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	addresses := map[ident.RecordKind]string{
		shop.RecordSerial: "/api/serials/" + s.unit(s.path), shop.RecordStep: "/api/steps/" + s.steps[0],
	}
	made := func(kind ident.RecordKind, address, body string) {
		var record struct{ ID string }
		s.reads(s.ask(201, "POST", address, body, s.tokens["anna"]), &record)
		addresses[kind] = address + "/" + record.ID
	}
	made(shop.RecordJob, "/api/jobs", `{"name": "j", "goalQuantity": 9}`)
	made(shop.RecordCertificate, "/api/certs", `{"type": "material", "name": "3.1"}`)
	made(shop.RecordNonconformance, "/api/nonconformances", fmt.Sprintf(`{"title": "crack", "severity": "minor", "serialIds": [%q]}`, s.unit(s.path)))
	made(shop.RecordInstrument, "/api/instruments", `{"number": "M-017", "name": "Caliper", "dueDate": "2999-01-31"}`)
	made(shop.RecordLot, "/api/lots", `{"material": "bar"}`)

	digest := strings.Repeat("a", 64)
	for _, on := range shop.FileSubjects() {
		if addresses[on] == "" {
			t.Fatalf("there is no %s", on)
		}
		for _, kind := range shop.FileKinds() {
			body := fmt.Sprintf(`{"sha256": %q, "name": "x.pdf", "kind": %q}`, digest, kind)
			planned := (on == shop.RecordJob || on == shop.RecordStep) && (kind == shop.Drawing || kind == shop.Instruction || kind == shop.ProgramFile)
			if status, message := http.StatusForbidden, "This needs the permission plan"; planned {
				s.refused(status, message, "POST", addresses[on]+"/files", body, s.tokens["olaf"])
			} else {
				s.refused(http.StatusNotFound, "File not found: "+digest, "POST", addresses[on]+"/files", body, s.tokens["olaf"])
			}
			s.refused(http.StatusNotFound, "File not found: "+digest, "POST", addresses[on]+"/files", body, s.tokens["anna"])
		}
	}
}

// A calibration puts an instrument into use, or out of it, so it needs the permission to decide.
func TestCalibrationsAreDecided(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("lena", "lead")
	g.person("olaf", "operator")
	g.person("quinn", "quality")
	var gage struct{ ID string }
	g.reads(g.ask(201, "POST", "/api/instruments", `{"number": "M-017", "name": "Caliper", "dueDate": "2999-01-31"}`, g.signIn("lena", goodPassword)), &gage)
	target, body := "/api/instruments/"+gage.ID+"/calibrations", `{"result": "pass", "dueDate": "2999-01-31"}`
	g.refused(403, "This needs the permission decide", "POST", target, body, g.signIn("olaf", goodPassword))
	g.ask(201, "POST", target, body, g.signIn("quinn", goodPassword))
}

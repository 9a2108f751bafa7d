package web_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// fileOn attaches a file to a record and returns the identifier of the link.
func (s *visitedShop) fileOn(on shop.FileSubject) string {
	s.t.Helper()
	file := shop.File{SHA256: strings.Repeat("a", 64), Size: 482113, Type: "image/png", Pixels: 7, State: shop.FileKept}
	s.must(s.service.Store().Update(context.Background(), func(tx shop.Tx) error { return tx.PutFile(file) }))
	s.must(s.service.Store().Update(context.Background(), func(tx shop.Tx) error { return tx.PutFileUpload(file.SHA256, "", 1) }))
	link, err := s.service.AttachFile(context.Background(), on, shop.AttachFileInput{
		SHA256: input.Given(file.SHA256), Name: input.Given("flange side.png"), Kind: input.Given("photo"), UserID: input.Given("ann"),
	})
	s.must(err)
	return link.ID
}

// A file on the wrong unit is voided on the unit's page.
func TestAFileIsStruckThrough(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(1, "Turn", "Grind")
	v := s.works("Dana")
	link := s.fileOn(shop.FileSubject{Kind: shop.RecordSerial, ID: "SN-00001"})
	v.visit("/serials/SN-00001")
	v.says("flange side.png")
	v.says("482.1 kB")
	v.visit("/files/" + link)
	v.press(">Void<", "reason", "shows another unit")
	v.says("Does not count: shows another unit")
	v.visit("/serials/SN-00001")
	v.strikes("flange side.png")
	// The audit trail shows both changes.
	v.says("File attached")
	v.says("Voided")
}

// A calibration certificate is attached to its instrument, and its page links back.
func TestAFileOfAnInstrument(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	made, err := s.service.CreateInstrument(t.Context(), shop.InstrumentInput{
		Number: input.Given("M-017"), Name: input.Given("Micrometer"), ChangedBy: input.Given("ann"),
	})
	s.must(err)
	link := s.fileOn(shop.FileSubject{Kind: shop.RecordInstrument, ID: made.ID})
	v.visit("/instruments?id=" + made.ID)
	v.says("flange side.png")
	if !strings.Contains(v.page.html, `data-attach="/api/instruments/`+made.ID+`"`) {
		t.Error("nothing can be attached")
	}
	v.visit("/files/" + link)
	if !strings.Contains(v.page.html, `href="/instruments?id=`+made.ID+`"`) {
		t.Error("the page of the file does not lead to the instrument")
	}
	v.press(">Void<", "reason", "of another one")
	v.says("Does not count: of another one")
}

// Without scripts no file can be attached. The page says so and shows no buttons that do nothing.
func TestFilesWithoutScripts(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(1, "Turn", "Pack")
	v := s.works("Dana")
	for _, page := range []string{"/serials/" + unit, "/jobs/" + job} {
		v.visit(page)
		for _, holds := range []string{
			`<noscript><p class="hint no-print">Attaching files requires JavaScript, which is off in this browser.</p></noscript>`,
			`<div class="attaching needs-js no-print">`,
		} {
			if !strings.Contains(v.page.html, holds) {
				t.Errorf("%s has no %s", page, holds)
			}
		}
	}
}

// A page offers only the kinds of files that the user may attach to the record. It offers calibrations only to users with the permission to
// decide.
func TestPagesOfferTheKindsOfFilesThatAreAllowed(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	s.person("olaf", "operator")
	s.person("lena", "lead")
	job, unit := s.units(1, "Turn")
	detail, err := s.service.Job(t.Context(), job)
	s.must(err)
	gage, err := s.service.CreateInstrument(t.Context(), shop.InstrumentInput{
		Number: input.Given("M-031"), Name: input.Given("Caliper"), DueDate: input.Given("2999-01-01"),
	})
	s.must(err)
	pages := map[string]ident.RecordKind{
		"/jobs/" + job: shop.RecordJob, "/steps/" + detail.Paths[0].Steps[0].ID: shop.RecordStep, "/serials/" + unit: shop.RecordSerial,
	}
	for login, permissions := range map[string][]shop.Permission{"olaf": {shop.Work}, "lena": {shop.Work, shop.Plan}} {
		v := s.signedIn(login)
		for address, on := range pages {
			v.visit(address)
			for _, kind := range shop.FileKinds() {
				offered := strings.Contains(v.page.html, `<option value="`+string(kind)+`"`)
				if may := slices.Contains(permissions, kind.Needs(on)); offered != may {
					t.Errorf("%s offers a %s to %s: %t, want %t", address, kind, login, offered, may)
				}
			}
		}
		v.visit("/instruments?id=" + gage.ID)
		if offered := strings.Contains(v.page.html, "Record a calibration"); offered != (login == "lena") {
			t.Errorf("a calibration is offered to %s: %t", login, offered)
		}
	}
}

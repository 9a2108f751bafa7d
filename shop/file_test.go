package shop_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

func TestInlineIsWhatCannotCarryScripts(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]bool{
		"image/png": true, "image/jpeg": true, "image/webp": true, "application/pdf": true, "text/plain; charset=utf-8": true,
		"image/svg+xml": false, "text/html; charset=utf-8": false, "image/gif": false, "application/zip": false, "text/xml": false,
		"text/javascript": false, "application/octet-stream": false, "": false,
	} {
		if got := (shop.File{Type: kind, Pixels: 5}).Inline(); got != want {
			t.Errorf("%s: %t", kind, got)
		}
	}
	for pixels, want := range map[int64]bool{0: false, 1: true, 64 << 20: true, 64<<20 + 1: false, 1 << 40: false} {
		if got := (shop.File{Type: "image/png", Pixels: pixels}).Inline(); got != want {
			t.Errorf("a picture of %d pixels: %t", pixels, got)
		}
	}
}

func TestServedAsKeepsBrowsersFromRunningIt(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"image/png": "image/png", "application/zip": "application/zip", "text/plain; charset=utf-8": "text/plain; charset=utf-8",
		"image/svg+xml": "application/octet-stream", "text/html; charset=utf-8": "application/octet-stream",
		"text/javascript": "application/octet-stream", "application/javascript": "application/octet-stream",
		"application/xhtml+xml": "application/octet-stream", "text/xml; charset=utf-8": "application/octet-stream", "": "application/octet-stream",
	} {
		if got := (shop.File{Type: kind, Pixels: 5}).ServedAs(); got != want {
			t.Errorf("%s: %s, want %s", kind, got, want)
		}
	}
}

// docs/files.md, "Drawings and instructions": a step shows its newest drawing and instruction, and for a past time the drawing and the
// instruction that were the newest then.
func TestShownIsWhatWasThere(t *testing.T) {
	t.Parallel()
	link := func(id string, kind shop.FileKind, from, until ident.Timestamp) shop.FileLink {
		return shop.FileLink{ID: id, Kind: kind, AttachedAt: from, Voiding: card.Voiding{VoidedAt: until}}
	}
	links := []shop.FileLink{
		link("d1", shop.Drawing, 10, 0), link("i1", shop.Instruction, 20, 0), link("p", shop.Photo, 20, 0),
		link("d2", shop.Drawing, 30, 50), link("d3", shop.Drawing, 60, 0),
	}
	for at, want := range map[ident.Timestamp]string{
		5: "", 10: "d1", 25: "d1 i1", 30: "d2 i1", 49: "d2 i1", 50: "d1 i1", 59: "d1 i1", 60: "d3 i1",
	} {
		var got []string
		for _, shown := range shop.Shown(links, at) {
			got = append(got, shown.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("at %d: %s, want %s", at, got, want)
		}
	}
}

// An unattached file is visible only to its uploader. After the file is attached, every caller can see it.
func TestAnUnattachedFileIsItsUploaders(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	unit := s.ASerial(t)
	ann := shop.WithCaller(t.Context(), shop.Caller{Login: "ann", Permissions: []shop.Permission{shop.Work}})
	bob := shop.WithCaller(t.Context(), shop.Caller{Login: "bob", Permissions: []shop.Permission{shop.Work}})
	digest := strings.Repeat("a", 64)
	finds := func(who context.Context) bool {
		_, err := s.FindFile(who, digest)
		refusal, refused := errors.AsType[*refusal.Error](err)
		if err != nil && (!refused || refusal.Error() != "File not found: "+digest) {
			t.Fatal(err)
		}
		return err == nil
	}
	shoptest.Must(0, s.ExpectFile(ann, shop.File{SHA256: digest, Size: 3, Type: "image/png"}))
	if finds(ann) {
		t.Error("it is served before its bytes are in their place")
	}
	if file := shoptest.Must(s.KeepFile(ann, digest)); file.Existed || file.Size != 3 {
		t.Errorf("kept %+v", file)
	}
	if !finds(ann) || finds(bob) {
		t.Errorf("ann finds it: %t, bob: %t", finds(ann), finds(bob))
	}
	attach := func(who context.Context) error {
		_, err := s.AttachFile(who, shop.FileSubject{Kind: shop.RecordSerial, ID: unit}, shop.AttachFileInput{
			SHA256: input.Given(digest), Name: input.Given("a.png"), Kind: input.Given("photo"),
		})
		return err
	}
	if err := attach(bob); err == nil {
		t.Error("bob attaches what ann uploaded")
	}
	shoptest.Must(0, attach(ann))
	if !finds(bob) {
		t.Error("bob does not find what is attached")
	}
	shoptest.Must(0, s.ExpectFile(bob, shop.File{SHA256: digest, Size: 3, Type: "image/png"}))
	if file := shoptest.Must(s.KeepFile(bob, digest)); !file.Existed {
		t.Error("the second upload is told that the bytes were not there")
	}
}

// An unattached file expires after a day; until it is deleted, it can neither be attached nor be uploaded again.
func TestUnattachedFilesLeave(t *testing.T) {
	t.Parallel()
	s, ctx := shoptest.Open(t), t.Context()
	digest := strings.Repeat("b", 64)
	shoptest.Must(0, s.ExpectFile(ctx, shop.File{SHA256: digest}))
	shoptest.Must(s.KeepFile(ctx, digest))
	if left := shoptest.Must(s.DismissFiles(ctx, 10)); len(left) > 0 {
		t.Errorf("%s leaves at once", left)
	}
	s.Clock.Add(shop.UnattachedFor.Milliseconds() + 1)
	if left := shoptest.Must(s.DismissFiles(ctx, 10)); len(left) != 1 {
		t.Fatalf("%s leaves", left)
	}
	if _, err := s.FindFile(ctx, digest); err == nil {
		t.Error("it is still served")
	}
	if err := s.ExpectFile(ctx, shop.File{SHA256: digest}); err == nil {
		t.Error("it is uploaded while it leaves")
	}
	shoptest.Must(0, s.ForgetFile(ctx, digest))
	shoptest.Must(0, s.ExpectFile(ctx, shop.File{SHA256: digest}))
}

// docs/files.md, "Drawings and instructions": the audit trail alone shows which files a step showed while a user worked there.
func TestTheTrailTellsWhatWasShown(t *testing.T) {
	t.Parallel()
	s, ctx := shoptest.Open(t), t.Context()
	path := s.Route(t, card.Strict, "Saw", "Mill")
	step := path.Steps[1].ID
	var shown []string // at each of the times
	var moments []ident.Timestamp
	look := func() {
		var ids []string
		for _, link := range shoptest.Must(s.ShownAt(ctx, step)) {
			ids = append(ids, link.ID)
		}
		shown, moments = append(shown, strings.Join(ids, " ")), append(moments, s.Now())
		s.Tick()
	}
	attach := func(digest string, kind shop.FileKind) shop.FileLink {
		shoptest.Must(0, s.ExpectFile(ctx, shop.File{SHA256: digest}))
		shoptest.Must(s.KeepFile(ctx, digest))
		return shoptest.Must(s.AttachFile(ctx, shop.FileSubject{Kind: shop.RecordStep, ID: step}, shop.AttachFileInput{
			SHA256: input.Given(digest), Name: input.Given(digest), Kind: input.Given(string(kind)), UserID: input.Given("ann"),
		}))
	}
	look()
	attach("rev A", shop.Drawing)
	look()
	wrong := attach("rev B", shop.Drawing)
	attach("fixture", shop.Instruction)
	look()
	shoptest.Must(s.VoidFileLink(ctx, wrong.ID, shop.VoidInput{Reason: input.Given("not released"), UserID: input.Given("bob")}))
	look()

	links, at := []shop.FileLink{}, map[string]int{}
	for _, entry := range shoptest.Collect(s.AuditEntries(ctx, 100, 0)) {
		switch entry.Action {
		case shop.ActionFileAttached:
			link := shoptest.Must(shop.LinkOf(&entry))
			if link.On.ID == step {
				links = append([]shop.FileLink{link}, links...)
			}
		default:
		}
	}
	for i := range links {
		at[links[i].ID] = i
	}
	for _, entry := range shoptest.Collect(s.AuditEntries(ctx, 100, 0)) {
		if entry.Action == shop.ActionRecordVoided {
			var told card.VoidedMetadata
			shoptest.Must(0, trail.ReadMetadata(&entry, &told))
			links[at[told.RecordID]].VoidedAt = entry.Timestamp
		}
	}
	for i, moment := range moments {
		var ids []string
		for _, link := range shop.Shown(links, moment) {
			ids = append(ids, link.ID)
		}
		if got := strings.Join(ids, " "); got != shown[i] {
			t.Errorf("the trail tells %q of moment %d, and %q was shown", got, i, shown[i])
		}
	}
	if shown[1] == "" || shown[2] == shown[1] || shown[3] == shown[2] {
		t.Errorf("shown were %q", shown)
	}
}

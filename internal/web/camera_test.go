package web_test

import (
	"strings"
	"testing"
)

// Only the station and the search page may open the camera. Only the worker that reads codes may compile WebAssembly, and no page may.
func TestCameraBelongsToScans(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn")
	v := s.works("Dana")
	for _, at := range []string{"/", "/jobs", "/serials/" + unit, "/scan/codes", "/scan", "/scan?unit=" + unit, "/search?q=nothing", "/nowhere"} {
		header := v.answer(at).Header()
		want := "camera=()"
		if path, _, _ := strings.Cut(at, "?"); path == "/scan" || path == "/search" {
			want = "camera=(self)"
		}
		if got := header.Get("Permissions-Policy"); !strings.Contains(got+",", want+",") {
			t.Errorf("%s: %q, want %s", at, got, want)
		}
		if got := header.Get("Content-Security-Policy"); strings.Contains(got, "unsafe") || !strings.Contains(got, "script-src 'self';") {
			t.Errorf("%s: %q", at, got)
		}
	}
	v.visit("/scan")
	for _, name := range []string{"data-script", "data-worker", "data-library", "data-wasm"} {
		_, address, _ := strings.Cut(v.page.html, name+`="`)
		address, _, _ = strings.Cut(address, `"`)
		header := v.answer(address).Header()
		allows := strings.Contains(header.Get("Content-Security-Policy"), "'wasm-unsafe-eval'")
		if allows != (name == "data-worker") || !strings.HasPrefix(address, "/assets/") || header.Get("Content-Type") == "" ||
			!strings.Contains(header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s is %s: %v", name, address, header)
		}
	}
	if strings.Contains(v.page.html, `src="/assets/zxing`) || strings.Contains(v.page.html, `src="/assets/camera`) {
		t.Error("the page loads what only an open camera needs")
	}
}

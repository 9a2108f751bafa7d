package httpapi

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/handbook"
)

// The handbook is served with headers that allow only its own files, and all files that its pages need exist.
func TestHandbook(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	for _, target := range []string{handbook.Root, handbook.Root + "?q=backup", handbook.Root + "/running", handbook.Root + "/api/units"} {
		page := workshop.must(t, http.StatusOK, http.MethodGet, target, "")
		if page.header.Get("Content-Security-Policy") != handbook.Policy || page.header.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%s has %v", target, page.header)
		}
		for _, asset := range regexp.MustCompile(`(?:href|src)="(/[^"#]*)"`).FindAllStringSubmatch(page.body, -1) {
			if asset[1] != "/" { // / is a page of the shop
				workshop.must(t, http.StatusOK, http.MethodGet, asset[1], "")
			}
		}
		workshop.must(t, http.StatusNotModified, http.MethodGet, target, "", [2]string{"If-None-Match", page.header.Get("ETag")})
	}
	if kind := workshop.must(t, http.StatusOK, http.MethodGet, handbook.Root+"/files/images/scan.png", "").header.Get("Content-Type"); kind != "image/png" {
		t.Errorf("a picture is %s", kind)
	}
	for _, target := range []string{"/nothing", "/files/go.mod", "/files/..%2Fgo.mod", "/%2e%2e/running", "/files/running.md"} {
		workshop.must(t, http.StatusNotFound, http.MethodGet, handbook.Root+target, "")
	}
	workshop.must(t, http.StatusBadRequest, http.MethodGet, handbook.Root+"/%ff", "")
	workshop.must(t, http.StatusBadRequest, http.MethodGet, handbook.Root+"?q="+strings.Repeat("a", 501), "")
}

// The address of a page or a document with a slash at its end redirects to the page, and never to another host. Under /api/ it is not
// found.
func TestSlashBehindAnAddress(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	workshop.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for target, want := range map[string]string{
		"/docs/": "/docs", handbook.Root + "/": handbook.Root, handbook.Root + "/?q=backup": handbook.Root + "?q=backup", "/jobs/": "/jobs",
		"/%5Cexample.com/": "/%5Cexample.com", "/a%2F%2Fexample.com/": "", "//example.com/": "", "/docs//": "", "/docs/./": "",
		"/api/": "", "/api/jobs/": "", "/%00/": "",
	} {
		status := http.StatusPermanentRedirect
		if want == "" {
			status = http.StatusNotFound
		}
		if got := workshop.must(t, status, http.MethodGet, target, "").header.Get("Location"); got != want {
			t.Errorf("%s leads to %q, want %q", target, got, want)
		}
	}
	workshop.must(t, http.StatusNotFound, http.MethodPost, "/jobs/", "{}")
}

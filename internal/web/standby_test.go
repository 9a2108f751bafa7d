package web

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPagesFromStandbysShowNoDigests checks the templates of the pages that are read from standbys: none has a form with what the user saw of
// a record, on which a change would be based.
func TestPagesFromStandbysShowNoDigests(t *testing.T) {
	t.Parallel()
	templates := map[string]string{
		"/{$}": "floor", "/wall": "wall", "/jobs": "jobs", "/serials": "serials", "/nonconformances": "nonconformances",
		"/nonconformances/{id}/print": "nonconformanceprint", "/holds": "holds", "/certs": "certs", "/certs/{id}": "cert", "/bom": "bom",
		"/audit": "audit", "/audit/entries.csv": "", "/audit/entries.json": "", "/queue": "queue", "/templates": "templates",
		"/labels": "labels", "/search": "search", "/serials/{id}/print": "print", "/shipments/{id}/print": "shipmentprint",
		"/first-articles/{id}/print": "firstarticleprint", "/steps/{id}": "step", "/recall": "recall", "/pick/{kind}": "picks",
	}
	digest := regexp.MustCompile(`name="(?:read|seen|expectedStepIndex)"|template "seen"`)
	var found []string
	for _, route := range routesWith(true) {
		address, reads := strings.CutPrefix(route.Pattern, "GET ")
		if !route.Standby {
			continue
		}
		found = append(found, address)
		if !reads {
			t.Errorf("%s is read from standbys", route.Pattern)
		}
		if name := templates[address]; name != "" {
			text, err := templateFiles.ReadFile("templates/" + name + ".html")
			if err != nil || digest.Match(text) {
				t.Errorf("%s has a form with a digest: %v", name, err)
			}
		}
	}
	slices.Sort(found)
	if known := slices.Sorted(maps.Keys(templates)); !slices.Equal(found, known) {
		t.Errorf("pages that are read from standbys: %q, want %q", found, known)
	}
}

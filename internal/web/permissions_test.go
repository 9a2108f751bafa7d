package web

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/api"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
)

// meaning maps forms of the pages to operations of the API. Forms that stand for only one operation are not listed: pages and API read the
// permission from the same row.
var meaning = map[string]string{
	"POST /serials/{id} advance": "post /api/serials/{id}/advance", "POST /serials/{id} advance-to": "post /api/serials/{id}/advance-to",
	"POST /serials/{id} scrap": "post /api/serials/{id}/scrap", "POST /serials/{id} force-complete": "post /api/serials/{id}/force-complete",
	"POST /serials/{id} attach":            "post /api/serials/{id}/attach-cert",
	"POST /serials/{id} complete-deferred": "post /api/serials/{id}/complete-deferred/{stepId}",
	"POST /serials/{id} waive":             "post /api/serials/{id}/waive-step/{stepId}", "POST /serials/{id} override": "post /api/serials/{id}/overrides",
	"POST /serials/{id} reverse-override": "delete /api/serials/{id}/overrides/{stepId}", "POST /serials/{id} note": "post /api/notes",
	"POST /serials/{id} hold": "post /api/serials/{id}/hold", "POST /serials/{id} release": "post /api/serials/{id}/release",
	"POST /serials/{id} undo": "post /api/serials/{id}/undo", "POST /serials/{id} rework": "post /api/serials/{id}/rework",
	"POST /serials/{id} void": "post /api/notes/{id}/void", "POST /serials/{id} set-serial-number": "put /api/serials/{id}/serial-number",

	"POST /jobs/{id} advance": "post /api/serials/batch-advance", "POST /jobs/{id} scrap": "post /api/serials/batch-scrap",
	"POST /jobs/{id} force-complete": "post /api/serials/batch-force-complete", "POST /jobs/{id} attach": "post /api/certs/batch-attach",
	"POST /jobs/{id} note": "post /api/notes", "POST /jobs/{id} edit": "put /api/jobs/{id}",
	"POST /jobs/{id} create-serials": "post /api/serials", "POST /jobs/{id} delete-path": "delete /api/paths/{id}",
	"POST /jobs/{id} ask-advance": "post /api/serials/batch-advance", "POST /jobs/{id} ask-scrap": "post /api/serials/batch-scrap",
	"POST /jobs/{id} ask-force-complete": "post /api/serials/batch-force-complete",
	"POST /jobs/{id} ask-attach":         "post /api/certs/batch-attach", "POST /jobs/{id} ask-note": "post /api/notes",
	"POST /jobs/{id} close": "post /api/jobs/{id}/close", "POST /jobs/{id} reopen": "post /api/jobs/{id}/reopen",
	"POST /jobs/{id} ask-hold": "post /api/serials/batch-hold", "POST /jobs/{id} ask-release": "post /api/serials/batch-release",
	"POST /serials hold": "post /api/serials/batch-hold", "POST /serials ask-hold": "post /api/serials/batch-hold",
	"POST /serials ask-release":  "post /api/serials/batch-release",
	"POST /jobs/{id} ask-report": "post /api/nonconformances",

	"POST /jobs/{id}/take-back": "post /api/serials/{id}/undo",

	"POST /nonconformances":              "post /api/nonconformances",
	"POST /nonconformances/{id} add":     "post /api/nonconformances/{id}/serials",
	"POST /nonconformances/{id} dispose": "post /api/nonconformances/{id}/dispositions",
	"POST /nonconformances/{id} close":   "post /api/nonconformances/{id}/close",

	"POST /jobs": "post /api/jobs", "POST /jobs/{id}/route": "post /api/paths", "POST /jobs/{id}/paths/{path}": "put /api/paths/{id}/steps",
	"POST /lots/{id} edit": "put /api/lots/{id}", "POST /lots/{id} hold": "post /api/lots/{id}/hold",
	"POST /lots/{id} release": "post /api/lots/{id}/release", "POST /lots/{id} receive": "post /api/lots/{id}/receive",
	"POST /lots/{id} count": "post /api/lots/{id}/adjust", "POST /lots/{id} split": "post /api/lots/{id}/split",
	"POST /lots/{id} certificate": "post /api/lots/{id}/certs", "POST /lots/{id} void": "post /api/lots/{id}/void",
	"POST /recall":           "post /api/serials/batch-hold",
	"POST /lots/{id} expiry": "post /api/lots/{id}/expiry",
	"POST /shipments":        "post /api/shipments", "POST /shipments/{id} receive": "post /api/shipments/{id}/receive",
	"POST /shipments/{id} certificate":      "post /api/shipments/{id}/receipts/{receiptId}/certs",
	"POST /shipments/{id} void":             "post /api/shipments/{id}/receipts/{receiptId}/void",
	"POST /first-articles":                  "post /api/paths/{id}/first-articles",
	"POST /first-articles/{id} type":        "put /api/first-articles/{id}",
	"POST /first-articles/{id} verify":      "post /api/first-articles/{id}/verify",
	"POST /first-articles/{id} approve":     "post /api/first-articles/{id}/approve",
	"POST /first-articles/{id} reopen":      "post /api/first-articles/{id}/reopen",
	"POST /first-articles/{id} customer":    "post /api/first-articles/{id}/customer-approval",
	"POST /first-articles/{id} void":        "post /api/first-articles/{id}/void",
	"POST /conformances":                    "post /api/conformances",
	"POST /conformances issue":              "post /api/conformances",
	"POST /conformances/{id} reissue":       "post /api/conformances/{id}/reissue",
	"POST /conformances/{id} withdraw":      "post /api/conformances/{id}/withdraw",
	"POST /serials/{id}/components install": "post /api/serials/{id}/components",
	"POST /serials/{id}/components remove":  "post /api/serials/{id}/components/{componentId}/remove",
	"POST /serials/{id}/components void":    "post /api/components/{id}/void",
	"POST /files/{id}":                      "post /api/files/links/{id}/void",
	"POST /certs":                           "post /api/certs", "POST /library": "post /api/library/processes", "POST /bom": "post /api/bom",
	"POST /bom/{id}": "post /api/bom/{id}/edit", "POST /queue": "patch /api/steps/{id}/assign", "POST /users": "post /api/users",
	"POST /templates": "post /api/templates", "POST /templates/{id}": "put /api/templates/{id}", "POST /scan": "post /api/serials/{id}/advance",
}

// A form needs the same permission as its operation, so that the pages allow exactly as much as the API.
func TestFormsNeedWhatTheInterfaceNeeds(t *testing.T) {
	t.Parallel()
	text, err := api.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct {
			Permission shop.Permission `json:"x-permission"` //nolint:tagliatelle // an extension of OpenAPI
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{}
	for form, operation := range meaning {
		method, path, _ := strings.Cut(operation, " ")
		want := document.Paths[path][method].Permission
		pattern, do := form, ""
		if parts := strings.SplitN(form, " ", 3); len(parts) == 3 {
			pattern, do = parts[0]+" "+parts[1], parts[2]
		}
		told[pattern] = true
		at := slices.IndexFunc(everyRoutes(), func(r site.Route) bool { return r.Pattern == pattern })
		if at < 0 || want == "" {
			t.Errorf("%s, %s: there is no such route or operation", form, operation)
			continue
		}
		if got := everyRoutes()[at].Needs(url.Values{"do": {do}}); got != want {
			t.Errorf("%s needs %s, and %s needs %s", form, got, operation, want)
		}
	}
	for _, route := range everyRoutes() {
		permission := route.Needs(nil)
		named := route.Operation.ByForm == nil && route.Operation.Always != shop.OpRead // for example, a route of the API
		if strings.HasPrefix(route.Pattern, "POST ") && !told[route.Pattern] && !named && permission != shop.Anyone {
			t.Errorf("what %s stands for is not told here", route.Pattern)
		}
	}
}

// The list above contains every form on the card and on the board that states its operation.
func TestFormsAreKnown(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`name="do" value="([a-z-]+)"`)
	for file, pattern := range map[string]string{
		"card.html": "POST /serials/{id}", "job.html": "POST /jobs/{id}", "many.html": "POST /jobs/{id}",
		"nonconformance.html": "POST /nonconformances/{id}", "lots.html": "POST /lots/{id}", "shipments.html": "POST /shipments/{id}",
		"component_parts.html": "POST /serials/{id}/components",
	} {
		text, err := os.ReadFile(filepath.Join("templates", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range named.FindAllStringSubmatch(string(text), -1) {
			if meaning[pattern+" "+found[1]] == "" {
				t.Errorf("%s: what %q does is not told", file, found[1])
			}
		}
	}
}

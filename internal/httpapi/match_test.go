package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/routecard/routecard/internal/access"
)

// mustJudge returns the status with which a route must refuse a stale If-Match; 0 if the route may ignore it.
func mustJudge(pattern, body string) int {
	method, path, _ := strings.Cut(pattern, " ")
	switch {
	case strings.Contains(path, "/batch-"), path == "/api/notes" && strings.Count(body, "SN-") > 1:
		return http.StatusBadRequest
	case method == http.MethodPut, method == http.MethodPatch, method == http.MethodDelete,
		method == http.MethodPost && strings.HasPrefix(path, "/api/serials/{id}/"),
		pattern == "POST /api/notes", pattern == "POST /api/bom/{id}/edit", pattern == "POST /api/instruments/{id}/calibrations",
		method == http.MethodPost && strings.HasPrefix(path, "/api/lots/{id}/") && !strings.HasSuffix(path, "/files"),
		strings.HasPrefix(pattern, "POST /api/shipments/{id}/"), strings.HasPrefix(pattern, "POST /api/conformances/{id}/"),
		strings.HasPrefix(pattern, "POST /api/first-articles/{id}/"),
		pattern == "POST /api/jobs/{id}/close", pattern == "POST /api/jobs/{id}/reopen":
		return http.StatusPreconditionFailed
	}
	return 0
}

// refusedStale sends a change with a tag that no response has, which must be refused and change nothing. It reports whether the change
// accepts a tag.
func (p *play) refusedStale(t *testing.T, pattern, method, target, body string) bool {
	t.Helper()
	want := mustJudge(pattern, body)
	if want == 0 {
		return false
	}
	before := p.written(t)
	got, err := p.shop.send(t.Context(), method, target, body, [2]string{"If-Match", `"x", W/"*"`})
	if err != nil {
		t.Fatal(err)
	}
	if got.status != want {
		t.Errorf("%s %s with a stale If-Match: %d, want %d: %s", method, target, got.status, want, got.body)
	}
	if after := p.written(t); after != before {
		t.Errorf("%s %s with a stale If-Match changed\n%s\ninto\n%s", method, target, before, after)
	}
	p.stale.add(pattern)
	return want == http.StatusPreconditionFailed && pattern != "POST /api/notes" // which may name units that do not exist
}

// TestEveryChangeJudgesIfMatch plays the case files, and sends every change that will succeed with a stale If-Match first. Every PUT, PATCH
// and DELETE, and every operation on one unit, refuses that and changes nothing. With * they succeed as without a tag.
func TestEveryChangeJudgesIfMatch(t *testing.T) {
	t.Parallel()
	judged, document := &covered{patterns: map[string]bool{}}, loadDocument(t)
	// It needs a signed-in caller: TestAccountsJudgeIfMatch sends it.
	judged.add("PUT /api/settings/signatures")
	t.Run("cases", func(t *testing.T) {
		for _, scenario := range fewest(readScenarios(t)) {
			t.Run(scenario.name, func(t *testing.T) {
				t.Parallel()
				workshop, _ := openFilingShop(t, nil)
				play := &play{shop: workshop, door: workshop.backDoor(t), document: document, variables: map[string]string{}, stale: judged}
				play.before = play.written(t)
				for _, row := range scenario.rows {
					if t.Failed() {
						return
					}
					row.undocumented = true
					play.row(t, row)
				}
			})
		}
	})
	for _, route := range slices.Concat(routes(), accessRoutes()) {
		must := mustJudge(route.pattern, "")
		method, path, _ := strings.Cut(strings.ReplaceAll(route.pattern, "...}", "}"), " ")
		operation := document.Paths.Value(path).GetOperation(method)
		described := operation.Parameters.GetByInAndName("header", "If-Match") != nil && operation.Responses.Value("412") != nil
		if described != (must == http.StatusPreconditionFailed) {
			t.Errorf("the document says that %s judges If-Match: %t", route.pattern, described)
		}
	}
	for _, route := range routes() {
		if mustJudge(route.pattern, "") != 0 && !judged.patterns[route.pattern] {
			t.Errorf("no case file has a successful %s", route.pattern)
		}
	}
}

// TestAccountsJudgeIfMatch is TestEveryChangeJudgesIfMatch for the operations that need a signed-in caller. Changes of an account use the
// tag of its user.
func TestAccountsJudgeIfMatch(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.Writes)
	g.person("ann", "operator")
	g.person("second", "admin")
	ann, boss := "/api/users/"+g.users["ann"], g.signIn("boss", goodPassword)
	door := g.backDoor(t)
	changes := map[string]struct {
		target, body, read string // read is the address of the tag
		status             int    // with the right tag
	}{
		"PUT /api/settings/signatures":            {"", `{}`, "/api/settings/signatures", 200},
		"PUT /api/settings/access":                {"", `{}`, "/api/settings/access", 200},
		"PUT /api/users/{id}/account":             {ann + "/account", `{"roles": ["lead"]}`, ann, 200},
		"PUT /api/users/{id}/password":            {ann + "/password", `{"password": "given by the boss"}`, ann, 200},
		"PUT /api/users/{id}/pin":                 {ann + "/pin", `{"pin": "481516"}`, ann, 200},
		"PUT /api/users/{id}/badge":               {ann + "/badge", ``, ann, 200},
		"DELETE /api/users/{id}/tokens/{tokenId}": {ann + "/tokens/tok_x", ``, ann, 404},
		"DELETE /api/users/{id}/second-factors":   {ann + "/second-factors", `{}`, ann, 400},
		"DELETE /api/me/passkeys/{passkeyId}":     {"/api/me/passkeys/pky_x", `{}`, "/api/users/" + g.users["boss"], 404},
		"DELETE /api/me/one-time-codes":           {"", `{}`, "/api/users/" + g.users["boss"], 400},
	}
	for pattern, change := range changes {
		method, target, _ := strings.Cut(pattern, " ")
		if change.target != "" {
			target = change.target
		}
		for range 2 { // the second attempt is refused too
			before := contents(t, door)
			g.ask(http.StatusPreconditionFailed, method, target, change.body, boss, [2]string{"If-Match", `"x"`})
			if after := contents(t, door); after != before {
				t.Errorf("%s with a stale If-Match changed\n%s\ninto\n%s", pattern, before, after)
			}
		}
		tag := g.must(t, http.StatusOK, http.MethodGet, change.read, "", boss).header.Get("ETag")
		g.ask(change.status, method, target, change.body, boss, [2]string{"If-Match", tag})
		g.ask(change.status, method, target, change.body, boss, [2]string{"If-Match", "*"})
	}
	for _, route := range accessRoutes() {
		if _, sent := changes[route.pattern]; !sent && mustJudge(route.pattern, "") != 0 {
			t.Errorf("nobody sends %s with a stale If-Match", route.pattern)
		}
	}
}

// A unit is unchanged as long as the response of Get Serial or that of Get Step Statuses is the same.
func TestIfMatchOfUnit(t *testing.T) {
	t.Parallel()
	workshop, names := taggedShop(t)
	tag := func(address string) [2]string {
		t.Helper()
		return [2]string{"If-Match", workshop.must(t, http.StatusOK, http.MethodGet, names.Replace(address), "").header.Get("ETag")}
	}
	ask := func(status int, target, body string, header ...[2]string) string {
		t.Helper()
		return workshop.must(t, status, http.MethodPost, names.Replace(target), names.Replace(body), header...).body
	}
	const unit, steps, changed = "/api/serials/$serial", "/api/serials/$serial/step-statuses", "SerialNumber was changed since it was read: "
	read, statuses := tag(unit), tag(steps)

	// Attaching a certificate or placing a hold changes the response of Get Serial.
	ask(200, unit+"/attach-cert", `{"certId": "$cert", "userId": "ann"}`)
	if got := ask(412, unit+"/advance", `{}`, read); !strings.Contains(got, changed+names.Replace("$serial")) {
		t.Error(got)
	}
	key := [2]string{onceHeader, "advance"}
	read = tag(unit)
	first := ask(200, unit+"/advance", `{}`, statuses, key)
	if again := ask(200, unit+"/advance", `{}`, statuses, key); again != first {
		t.Errorf("%s again: %s", first, again)
	}
	ask(412, unit+"/advance", `{}`, read)
	ask(412, unit+"/advance", `{}`, statuses)
	ask(412, unit+"/scrap", `{"reason": "no reason"}`, read) // before the fields are checked
	ask(404, "/api/serials/SN-99999/advance", `{}`, read)    // a unit that does not exist, before the tag

	// An override changes only the step statuses.
	read, statuses = tag(unit), tag(steps)
	step, _, _ := strings.Cut(strings.Split(workshop.must(t, http.StatusOK, http.MethodGet, names.Replace(steps), "").body, `"stepId":"`)[3], `"`)
	ask(200, unit+"/overrides", `{"serialIds": ["$serial"], "stepId": "`+step+`", "reason": "r", "userId": "ann"}`, read)
	workshop.must(t, 412, http.MethodDelete, names.Replace(unit+"/overrides/")+step, `{"userId": "ann"}`, statuses)
	workshop.must(t, 200, http.MethodDelete, names.Replace(unit+"/overrides/")+step, `{"userId": "ann"}`, tag(steps))

	// A note on one unit accepts a tag; a note on several does not.
	note := `{"jobId": "j", "pathId": "p", "stepId": "s", "serialIds": [%s], "text": "n", "userId": "ann"}`
	ask(200, "/api/notes", fmt.Sprintf(note, `"$serial"`), tag(unit))
	ask(412, "/api/notes", fmt.Sprintf(note, `"$serial"`), [2]string{"If-Match", `"x"`})
	ask(412, "/api/notes", fmt.Sprintf(note, `"SN-99999"`), [2]string{"If-Match", "*"})
	for _, target := range []string{"/api/notes", "/api/serials/batch-scrap", "/api/certs/batch-attach"} {
		if got := ask(400, target, fmt.Sprintf(note, `"SN-00001", "SN-00002"`), [2]string{"If-Match", "*"}); !strings.Contains(got, "If-Match is for a change of one record") {
			t.Errorf("%s: %s", target, got)
		}
	}
}

// If several requests change a unit with the same tag, one succeeds.
func TestIfMatchAtOnce(t *testing.T) {
	t.Parallel()
	workshop, names := taggedShop(t)
	target := names.Replace("/api/serials/$serial")
	tag := workshop.must(t, http.StatusOK, http.MethodGet, target, "").header.Get("ETag")
	var all sync.WaitGroup
	done := make(chan int, 16)
	for i := range cap(done) {
		what, body := "/hold", `{"reason": "r", "userId": "ann"}`
		if i%2 == 0 {
			what, body = "/advance", ""
		}
		all.Go(func() {
			got, err := workshop.send(t.Context(), http.MethodPost, target+what, body, [2]string{"If-Match", tag})
			if err != nil {
				t.Error(err)
			}
			done <- got.status
		})
	}
	all.Wait()
	close(done)
	told := map[int]int{}
	for status := range done {
		told[status]++
	}
	if told[http.StatusOK] != 1 || told[http.StatusPreconditionFailed] != cap(done)-1 {
		t.Errorf("answers by status: %v", told)
	}
}

package httpapi

import (
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
)

// taggedShop returns a shop with one record of each kind that has a tag.
func taggedShop(t *testing.T) (*servedShop, *strings.Replacer) {
	t.Helper()
	workshop := openShop(t, nil)
	create := func(target, body string) string {
		answer := workshop.must(t, http.StatusCreated, http.MethodPost, target, body).body
		_, id, _ := strings.Cut(answer, `"id":"`)
		id, _, _ = strings.Cut(id, `"`)
		return id
	}
	job := create("/api/jobs", `{"name": "Valve body", "goalQuantity": 4}`)
	path := create("/api/paths", `{"jobId": "`+job+`", "name": "p", "goalQuantity": 4, "advancementMode": "flexible", "steps": [{"name": "A"}, {"name": "B"}, {"name": "C"}]}`)
	return workshop, strings.NewReplacer("$job", job, "$path", path,
		"$serial", create("/api/serials", `{"jobId": "`+job+`", "pathId": "`+path+`", "quantity": 2}`),
		"$cert", create("/api/certs", `{"type": "material", "name": "3.1"}`),
		"$bom", create("/api/bom", `{"name": "Bill", "entries": [{"partType": "x", "requiredQuantityPerBuild": 1, "contributingJobIds": ["`+job+`"]}]}`),
		"$template", create("/api/templates", `{"name": "Route", "steps": [{"name": "A"}]}`),
		"$user", create("/api/users", `{"name": "Ann"}`))
}

var taggedRecords = []string{
	"/api/jobs/$job", "/api/paths/$path", "/api/serials/$serial", "/api/certs/$cert", "/api/bom/$bom",
	"/api/templates/$template", "/api/users/$user",
}

// A tag changes exactly when the response does, whatever causes the change.
func TestTagsNameAnswers(t *testing.T) {
	t.Parallel()
	workshop, names := taggedShop(t)
	document := loadDocument(t)
	type known struct{ tag, body string }
	last := map[string]known{}
	look := func(after string) (changed []string) {
		t.Helper()
		for _, record := range taggedRecords {
			target := names.Replace(record)
			got := workshop.must(t, http.StatusOK, http.MethodGet, target, "")
			tag := got.header.Get("ETag")
			if !strings.HasPrefix(tag, `"`) || got.header.Get("Cache-Control") != "no-cache" {
				t.Fatalf("%s: ETag %s, Cache-Control %s", target, tag, got.header.Get("Cache-Control"))
			}
			if before := last[record]; (before.tag == tag) != (before.body == got.body) {
				t.Errorf("after %s the tag of %s was %s and is %s for\n%s\n%s", after, target, before.tag, tag, before.body, got.body)
			} else if before.tag != tag {
				changed = append(changed, record)
			}
			last[record] = known{tag, got.body}
			for _, have := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
				header := [2]string{"If-None-Match", have}
				same := workshop.must(t, http.StatusNotModified, http.MethodGet, target, "", header)
				if same.body != "" || same.header.Get("ETag") != tag {
					t.Errorf("%s: 304 with %q and ETag %s", target, same.body, same.header.Get("ETag"))
				}
				if err := document.check(t.Context(), &exchange{
					method: http.MethodGet, target: target, header: [][2]string{header}, answer: same, valid: true,
				}); err != nil {
					t.Error(err)
				}
			}
			workshop.must(t, http.StatusOK, http.MethodGet, target, "", [2]string{"If-None-Match", `"x", W/"y,` + strings.Trim(tag, `"`) + `"`})
		}
		return changed
	}
	for _, record := range shop.Records() {
		if record.Told != nil { // the case files check the tags of these
			continue
		}
		if has := slices.ContainsFunc(taggedRecords, func(address string) bool {
			id := path.Base(names.Replace(address))
			return record.Prefix != "" && strings.HasPrefix(id, record.Prefix) || record.Kind == shop.RecordSerial && shop.IsSerialID(id)
		}); has != record.Tagged {
			t.Errorf("the answer with a %s has a tag: %t", record.Kind, has)
		}
	}
	if changed := look("the beginning"); len(changed) != len(taggedRecords) {
		t.Errorf("tags of %v", changed)
	}
	if changed := look("nothing"); len(changed) != 0 {
		t.Errorf("looking changed %v", changed)
	}
	for _, step := range []struct {
		method, target, body string
		changed              []string
	}{
		{"POST", "/api/serials/$serial/advance", `{"userId": "ann"}`, []string{"/api/paths/$path", "/api/serials/$serial"}},
		{"POST", "/api/serials/SN-00002/scrap", `{"reason": "damaged", "userId": "ann"}`, []string{"/api/jobs/$job", "/api/paths/$path", "/api/bom/$bom"}},
		{"POST", "/api/serials/$serial/attach-cert", `{"certId": "$cert", "userId": "ann"}`, []string{"/api/serials/$serial"}},
		{"PUT", "/api/jobs/$job", `{"name": "Housing"}`, []string{"/api/jobs/$job"}},
		{"PUT", "/api/users/$user", `{"department": "Milling"}`, []string{"/api/users/$user"}},
		{"PUT", "/api/templates/$template", `{"name": "Other"}`, []string{"/api/templates/$template"}},
	} {
		workshop.must(t, http.StatusOK, step.method, names.Replace(step.target), names.Replace(step.body))
		if changed := look(step.method + " " + step.target); !slices.Equal(changed, step.changed) {
			t.Errorf("%s %s changed the tags of %v, want %v", step.method, step.target, changed, step.changed)
		}
	}
}

// A change of a record that was changed since it was read is refused, at every address that has a tag.
func TestIfMatch(t *testing.T) {
	t.Parallel()
	workshop, names := taggedShop(t)
	document := loadDocument(t)
	ask := func(method, target, body, match string, status int, more ...[2]string) answered {
		t.Helper()
		header := append([][2]string{{"If-Match", match}}, more...)
		got := workshop.must(t, status, method, names.Replace(target), body, header...)
		if err := document.check(t.Context(), &exchange{
			method: method, target: names.Replace(target), body: body, header: header, answer: got, valid: status == http.StatusOK,
		}); err != nil {
			t.Error(err)
		}
		return got
	}
	for i, record := range []struct{ kind, address, change string }{
		{"Job", "/api/jobs/$job", `{"name": "n%d"}`},
		{"Path", "/api/paths/$path", `{"name": "n%d"}`},
		{"BOM", "/api/bom/$bom", `{"name": "n%d"}`},
		{"TemplateRoute", "/api/templates/$template", `{"name": "n%d"}`},
		{"User", "/api/users/$user", `{"name": "n%d"}`},
	} {
		tag := func() string {
			return workshop.must(t, http.StatusOK, http.MethodGet, names.Replace(record.address), "").header.Get("ETag")
		}
		change := func(n int) string { return fmt.Sprintf(record.change, 10*i+n) }
		first := tag()
		key := [2]string{onceHeader, "put-" + record.kind}
		done := ask("PUT", record.address, change(1), first, http.StatusOK, key)
		id := names.Replace(record.address)
		id = id[strings.LastIndexByte(id, '/')+1:]
		message := record.kind + " was changed since it was read: " + id
		for _, stale := range []string{first, "W/" + tag(), `"x", "y"`, tag()[1:], ""} {
			if got := ask("PUT", record.address, change(2), stale, http.StatusPreconditionFailed); !strings.Contains(got.body, message) {
				t.Errorf("If-Match %s: %s, want %s", stale, got.body, message)
			}
		}
		// The tag is checked before the fields, but after a replay and after the existence of the record.
		ask("PUT", record.address, `{"name": 7}`, first, http.StatusPreconditionFailed)
		if again := ask("PUT", record.address, change(1), first, http.StatusOK, key); again.body != done.body {
			t.Errorf("the repeated change answers %s, want %s", again.body, done.body)
		}
		ask("PUT", record.address+"X", change(2), "*", http.StatusNotFound)
		ask("PUT", record.address, change(3), `"x" , `+tag(), http.StatusOK)
		ask("PUT", record.address, change(4), "*", http.StatusOK)
	}
	// A unit that moves changes the response of Get Path.
	tag := workshop.must(t, http.StatusOK, http.MethodGet, names.Replace("/api/paths/$path"), "").header.Get("ETag")
	workshop.must(t, http.StatusOK, http.MethodPost, names.Replace("/api/serials/$serial/advance"), "")
	ask("PUT", "/api/paths/$path", `{"name": "late"}`, tag, http.StatusPreconditionFailed)
	ask("DELETE", "/api/paths/$path", "", tag, http.StatusPreconditionFailed)
	ask("DELETE", "/api/templates/$template", "", tag, http.StatusPreconditionFailed)
	tag = workshop.must(t, http.StatusOK, http.MethodGet, names.Replace("/api/templates/$template"), "").header.Get("ETag")
	ask("DELETE", "/api/templates/$template", "", tag, http.StatusOK)
	ask("DELETE", "/api/templates/$template", "", tag, http.StatusNotFound)

	// Requests that create a record ignore it.
	workshop.must(t, http.StatusCreated, http.MethodPost, "/api/jobs", `{"name": "n", "goalQuantity": 1}`, [2]string{"If-Match", `"x"`})
}

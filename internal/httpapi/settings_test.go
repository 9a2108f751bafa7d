package httpapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
)

// Every operation on settings refuses unknown fields and values, with a message that has the field, and changes nothing.
func TestSettingsRefuseWhatTheyDoNotKnow(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	boss := g.boss()
	seen := 0
	for _, route := range slices.Concat(routes(), accessRoutes()) {
		method, target, _ := strings.Cut(route.pattern, " ")
		if !route.settings() || method != "PUT" { // the test of notices changes nothing
			continue
		}
		seen++
		before := g.ask(200, "GET", target, "", boss).body
		var fields map[string]json.RawMessage
		if err := json.Unmarshal([]byte(before), &fields); err != nil || len(fields) == 0 {
			t.Fatalf("%s: %s", target, before)
		}
		bodies := map[string]string{`{"advance": "self"}`: "advance", `{"nonsense": null}`: "nonsense"}
		wrong := func(field, value string) {
			body := map[string]json.RawMessage{}
			if target == "/api/settings/organization" { // each of its changes has these fields
				body = map[string]json.RawMessage{"name": []byte(`"N"`), "address": []byte(`"A"`), "lang": []byte(`"en"`)}
			}
			body[field] = json.RawMessage(value)
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			bodies[string(text)] = field
		}
		for field, value := range fields {
			bodies[fmt.Sprintf(`{%q: %s, "moreover": 1}`, field, value)] = "moreover"
			wrong(field, `["nonsense"]`)
			wrong(field, `{"x": 1}`)
			if !slices.Contains([]string{"name", "address"}, field) { // these take any text
				wrong(field, `"nonsense"`)
			}
		}
		for body, named := range bodies {
			got := g.ask(400, method, target, body, boss)
			var told struct{ Message, Field string }
			if err := json.Unmarshal([]byte(got.body), &told); err != nil || !strings.HasPrefix(told.Field, named) || !strings.Contains(told.Message, named) {
				t.Errorf("%s %s: %s", route.pattern, body, got.body)
			}
		}
		if after := g.ask(200, "GET", target, "", boss).body; after != before {
			t.Errorf("%s: %s after %s", route.pattern, after, before)
		}
	}
	if seen < 2 {
		t.Errorf("%d operations on settings", seen)
	}
}

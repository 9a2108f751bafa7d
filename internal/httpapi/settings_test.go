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
		if !route.settings() {
			continue
		}
		seen++
		before := g.ask(200, "GET", target, "", boss).body
		var fields map[string]json.RawMessage
		if err := json.Unmarshal([]byte(before), &fields); err != nil || len(fields) == 0 {
			t.Fatalf("%s: %s", target, before)
		}
		bodies := map[string]string{`{"advance": "self"}`: "advance", `{"nonsense": null}`: "nonsense"}
		for field, value := range fields {
			bodies[fmt.Sprintf(`{%q: %s, "moreover": 1}`, field, value)] = "moreover"
			bodies[fmt.Sprintf(`{%q: "nonsense"}`, field)] = field
			bodies[fmt.Sprintf(`{%q: ["nonsense"]}`, field)] = field
			bodies[fmt.Sprintf(`{%q: {"x": 1}}`, field)] = field
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

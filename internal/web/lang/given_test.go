package lang_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/api"
	_ "github.com/routecard/routecard/internal/web" // declares all reasons that a page can show
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// givenTexts returns the texts that pages take from other packages: the sentences of refusals for which the pages have no own words,
// permissions, and the values of fields of the interface.
func givenTexts(t *testing.T) (all []found) {
	t.Helper()
	for _, reason := range refusal.Reasons() {
		if said, known := wording.Sentences[reason]; known && said.Text != "" {
			continue
		}
		if places.ReplaceAllString(reason.Sentence(), "") != "" {
			all = append(all, found{one: lang.Text(reason.Sentence()), where: "the reason " + reason.Code()})
		}
	}
	for _, permission := range shop.Permissions() {
		all = append(all, found{one: "a permission|" + lang.Text(permission), where: "the permission " + string(permission)})
	}
	for _, action := range slices.Concat(shop.AuditActions(), shop.AccessActions()) {
		all = append(all, found{one: lang.Text(wording.ActionWords(nil, action)), where: "the action " + string(action)})
	}
	for _, value := range interfaceValues(t) {
		all = append(all, found{one: lang.Text(lang.Words(nil, value)), where: "the value " + value})
		all = append(all, found{one: lang.Text("in a sentence|" + strings.ToLower(lang.Words(nil, value))), where: "the value " + value})
	}
	return all
}

// interfaceValues returns the values that fields of the interface can have, except the names of actions.
func interfaceValues(t *testing.T) (values []string) {
	t.Helper()
	document, err := api.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var content any
	if err := json.Unmarshal(document, &content); err != nil {
		t.Fatal(err)
	}
	hidden := []string{"AuditAction", "LotUnit", "JobSort", "WorkSort", "OnRefusal", "Health", "Readiness", "Error", "CodeReading", "Role"}
	var walk func(at any)
	walk = func(at any) {
		switch at := at.(type) {
		case map[string]any:
			for name, inside := range at {
				if listed, ok := inside.([]any); ok && name == "enum" {
					for _, value := range listed {
						if text, isText := value.(string); isText && text != "" {
							values = append(values, text)
						}
					}
				} else if !slices.Contains(hidden, name) {
					walk(inside)
				}
			}
		case []any:
			for _, inside := range at {
				walk(inside)
			}
		}
	}
	walk(content)
	slices.Sort(values)
	return slices.Compact(values)
}

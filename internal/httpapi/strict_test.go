package httpapi

import (
	"net/http"
	"strings"
	"testing"
)

// TestStrictHandling sends unknown fields, with and without the preference for strict handling.
func TestStrictHandling(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	document := loadDocument(t)
	job := createdID(t, workshop.must(t, http.StatusCreated, http.MethodPost, "/api/jobs", `{"name":"Valve","goalQuantity":1}`))
	const steps = `{"jobId":"JOB","name":"P","goalQuantity":1,"steps":[{"name":"Saw"},{"name":"Turn","colour":"red"}]}`
	for _, row := range []struct{ method, target, body, unknown string }{
		{"POST", "/api/jobs", `{"name":"A","goalQuantity":1,"due":"2026-12-01"}`, "due"},
		{"POST", "/api/jobs", `{"name":"A","goalQuantity":1,"Name":"B"}`, "Name"},
		{"PUT", "/api/jobs/" + job, `{"\u0078":1}`, "x"},
		{"POST", "/api/paths", strings.Replace(steps, "JOB", job, 1), "steps[1].colour"},
		{"POST", "/api/certs", `{"type":"material","name":"C","metadata":{"heat":"H7","deep":{"er":1}}}`, ""},
		{"POST", "/api/certs", `{"type":"material","name":"C","` + strings.Repeat("y", 200) + `":1}`, strings.Repeat("y", 100)},
		{"POST", "/api/notes", `{"jobId":"j","pathId":"p","stepId":"s","serialIds":["SN-1"],"text":"t","userId":"u","":1}`, ""},
		{"PUT", "/api/settings/signatures", `{"scrap":"self","scarp":"self"}`, "scarp"},
	} {
		for _, prefer := range []string{"", "handling=lenient", "respond-async", "handling=strict", `respond-async, Handling="strict";x=1`} {
			strict := strings.Contains(prefer, "strict")
			got, err := workshop.send(t.Context(), row.method, row.target, row.body, [2]string{"Prefer", prefer})
			if err != nil {
				t.Fatal(err)
			}
			const sentence = `"message":"Unknown field: `
			refused := strings.Contains(got.body, sentence+row.unknown+`"`) && got.status == http.StatusBadRequest
			settings := strings.Contains(row.target, "/settings/") // they always refuse unknown fields
			wanted := (strict || settings) && (row.unknown != "" || strings.Contains(row.body, `"":1`))
			if refused != wanted {
				t.Errorf("%s %s with %q answers %d %.200s", row.method, row.target, prefer, got.status, got.body)
			}
			applied := got.header.Get("Preference-Applied")
			if strict && applied != strictHandling || !strict && applied != "" {
				t.Errorf("%s %s with %q applied %q", row.method, row.target, prefer, applied)
			}
			if err := document.check(t.Context(), &exchange{
				method: row.method, target: row.target, body: row.body, header: [][2]string{{"Prefer", prefer}}, answer: got,
			}); err != nil {
				t.Errorf("%s %s with %q and the document disagree: %v", row.method, row.target, prefer, err)
			}
		}
	}
	if got := workshop.must(t, http.StatusOK, http.MethodGet, "/api/jobs/"+job, "", [2]string{"Prefer", strictHandling}); got.header.Get("Preference-Applied") != "" {
		t.Error("a request without a body has a preference applied")
	}
}

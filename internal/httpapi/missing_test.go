package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/refusal"
)

// TestMissingRecordsNameTheirField sends the examples of every operation with a body. Only the record in the path exists. A refusal because
// a record in the body does not exist must have the field of that record.
func TestMissingRecordsNameTheirField(t *testing.T) {
	t.Parallel()
	workshop, names := taggedShop(t)
	owners := strings.NewReplacer("jobs/{id}", "jobs/$job", "paths/{id}", "paths/$path", "serials/{id}", "serials/$serial",
		"certs/{id}", "certs/$cert", "bom/{id}", "bom/$bom", "templates/{id}", "templates/$template", "users/{id}", "users/$user")
	found := 0
	for address, item := range loadDocument(t).Paths.Map() {
		target := names.Replace(owners.Replace(address))
		for method, operation := range item.Operations() {
			if operation.RequestBody == nil || operation.RequestBody.Value.Content.Get(jsonType) == nil || strings.Contains(target, "{") {
				continue
			}
			media := operation.RequestBody.Value.Content.Get(jsonType)
			examples := []any{media.Example}
			for _, example := range media.Examples {
				examples = append(examples, example.Value.Value)
			}
			for _, example := range examples {
				text, err := json.Marshal(example)
				if example == nil || err != nil {
					continue
				}
				got, err := workshop.send(t.Context(), method, target, string(text))
				if err != nil || got.status != http.StatusNotFound {
					continue
				}
				var refused struct{ Message, Code, Field string }
				_ = json.Unmarshal([]byte(got.body), &refused)
				_, id, _ := strings.Cut(refused.Message, ": ")
				if refused.Code == refusal.NoRecord.Code() && strings.Contains(string(text), `"`+id+`"`) {
					found++
					if refused.Field == "" {
						t.Errorf("%s %s %s: %s", method, target, text, got.body)
					}
				}
			}
		}
	}
	if found < 8 {
		t.Errorf("only %d refusals of records that a body identifies", found)
	}
}

// TestMissingRecordsByPlace compares the field with the place of the identifier, including identifiers with escapes, external identifiers,
// and identifiers in the query.
func TestMissingRecordsByPlace(t *testing.T) {
	t.Parallel()
	workshop, names := taggedShop(t)
	for _, c := range []struct{ method, target, body, field string }{
		{"POST", "/api/serials", `{"jobId": "$job", "pathId": "path_x", "quantity": 1}`, "pathId"},
		{"POST", "/api/serials", `{"jobId": "$job", "pathId": "p\u0061th_x", "quantity": 1}`, "pathId"},
		{"POST", "/api/serials", `{"jobId": "$job", "pathId": "ext:x", "quantity": 1}`, "pathId"},
		{"POST", "/api/paths", `{"jobId": "job_x", "name": "p", "goalQuantity": 1, "steps": [{"name": "A"}]}`, "jobId"},
		{"POST", "/api/serials/batch-advance", `{"serialIds": ["$serial", "SN-09999"]}`, "serialIds[1]"},
		{"PUT", "/api/jobs/job_x", `{"name": "job_x"}`, ""},
		{"GET", "/api/jobs/job_x", "", ""},
	} {
		got := workshop.must(t, http.StatusNotFound, c.method, c.target, names.Replace(c.body))
		var refusal struct{ Field string }
		if err := json.Unmarshal([]byte(got.body), &refusal); err != nil || refusal.Field != c.field {
			t.Errorf("%s %s: %s, want the field %q", c.target, c.body, got.body, c.field)
		}
	}
}

// TestLimitsAreThoseOfTheDocument requests every list that has a limit with limits inside and outside the range of the document. Limits
// outside it are refused with the field, and the others are accepted.
func TestLimitsAreThoseOfTheDocument(t *testing.T) {
	t.Parallel()
	workshop, names := taggedShop(t)
	owners := strings.NewReplacer("serials/{id}", "serials/$serial", "serial/{id}", "serial/$serial", "jobs/{id}", "jobs/$job",
		"job/{id}", "job/$job", "certs/{id}", "certs/$cert", "bom/{id}", "bom/$bom")
	found := 0
	paths := loadDocument(t).Paths.Map()
	for _, address := range slices.Sorted(maps.Keys(paths)) {
		target := names.Replace(owners.Replace(address))
		if paths[address].Get == nil || strings.Contains(target, "{") {
			continue
		}
		limit := paths[address].Get.Parameters.GetByInAndName("query", "limit")
		if limit == nil || strings.Contains(limit.Description, "is ignored") {
			continue
		}
		usual := url.Values{}
		for _, parameter := range paths[address].Get.Parameters {
			if parameter.Value.Required && parameter.Value.In == "query" {
				usual.Set(parameter.Value.Name, fmt.Sprint(parameter.Value.Example))
			}
		}
		for _, asked := range []int{-1, 0, 1, 500, 501, 1000, 1001} {
			usual.Set("limit", strconv.Itoa(asked))
			got, err := workshop.send(t.Context(), http.MethodGet, target+"?"+usual.Encode(), "")
			if err != nil {
				t.Fatal(err)
			}
			if got.status == http.StatusNotFound {
				break // the record in the path does not exist here
			}
			found++
			schema := limit.Schema.Value
			allowed := (schema.Min == nil || float64(asked) >= *schema.Min) && (schema.Max == nil || float64(asked) <= *schema.Max)
			if refused := got.status == http.StatusBadRequest && strings.Contains(got.body, `"field":"limit"`); allowed == refused {
				t.Errorf("%s with limit=%d: %d %s, and the document allows it: %t", target, asked, got.status, got.body, allowed)
			}
		}
	}
	if found < 50 {
		t.Errorf("only %d requests", found)
	}
}

package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// docs/api/identifiers.md, "External identifiers": if many clients put a record under the same external identifier at once, one creates it
// and the others update it.
func TestPutAtOnceMakesOneRecord(t *testing.T) {
	t.Parallel()
	for _, kind := range []struct{ collection, body string }{
		{"jobs", `{"name": "Housing", "goalQuantity": 5}`},
		{"users", `{"name": "Ana Ruiz"}`},
		{"certs", `{"type": "material", "name": "Heat 1"}`},
		{"bom", `{"name": "Gearbox", "entries": [{"partType": "Housing", "requiredQuantityPerBuild": 1}]}`},
		{"templates", `{"name": "Mill", "steps": [{"name": "Mill"}]}`},
	} {
		t.Run(kind.collection, func(t *testing.T) {
			t.Parallel()
			shop := openShop(t, nil)
			const callers = 8
			answers := shop.crowd(t, repeat(callers, [3]string{http.MethodPut, "/api/" + kind.collection + "/ext:4711", kind.body})...)
			if got := tally(answers); got["201"] != 1 || got["200"] != callers-1 {
				t.Errorf("PUT at once: %v, want 201 once and 200 for the others", got)
			}
			list, err := shop.send(t.Context(), http.MethodGet, "/api/"+kind.collection, "")
			if err != nil || strings.Count(list.body, `"externalId":"4711"`) != 1 || strings.Count(list.body, `"createdAt"`) != 1 {
				t.Errorf("there is more than one, or none: %v %s", err, list.body)
			}
		})
	}
}

// A PUT with If-Match does not create a record.
func TestPutOfWhatWasReadMakesNothing(t *testing.T) {
	t.Parallel()
	shop := openShop(t, nil)
	got, err := shop.send(t.Context(), http.MethodPut, "/api/jobs/ext:4711", `{"name": "Housing", "goalQuantity": 5}`,
		[2]string{"If-Match", "*"})
	if err != nil || got.status != http.StatusNotFound || !strings.Contains(got.body, "Job not found: ext:4711") {
		t.Errorf("PUT with If-Match: %v %d %s", err, got.status, got.body)
	}
}

// A repeated PUT with the same key creates nothing twice and gets the same response.
func TestPutIsRepeated(t *testing.T) {
	t.Parallel()
	shop := openShop(t, nil)
	var bodies [2]string
	for i := range bodies {
		got, err := shop.send(t.Context(), http.MethodPut, "/api/jobs/ext:4711", `{"name": "Housing", "goalQuantity": 5}`,
			[2]string{"Idempotency-Key", "k"})
		if err != nil || got.status/100 != 2 {
			t.Fatalf("PUT: %v %d %s", err, got.status, got.body)
		}
		bodies[i] = fmt.Sprint(got.status, got.body)
	}
	if bodies[0] != bodies[1] {
		t.Errorf("the repeat is answered otherwise:\n%s\n%s", bodies[0], bodies[1])
	}
}

// docs/api/identifiers.md, "External identifiers": every route with a collection of records that can have an external identifier accepts it
// in the address.
func TestAddressesTakeExternalIdentifiers(t *testing.T) {
	t.Parallel()
	for _, route := range routes() {
		_, path, _ := strings.Cut(route.pattern, " ")
		for _, collection := range []string{"jobs", "paths", "serials", "certs", "bom", "users", "templates", "instruments"} {
			if strings.HasPrefix(path, "/api/"+collection+"/{id}") && len(addressees(route.pattern)) == 0 {
				t.Errorf("%s takes no external identifier", route.pattern)
			}
		}
	}
	if named := addressees("POST /api/certs/attachments/{id}/void"); len(named) > 0 {
		t.Errorf("the identifier of an attachment is taken for that of a certificate: %v", named)
	}
}

// A certificate whose external identifier changed is in the list of changed certificates.
func TestExternalIDsChangeCertificates(t *testing.T) {
	t.Parallel()
	shop := openShop(t, nil)
	made := shop.must(t, http.StatusCreated, http.MethodPost, "/api/certs", `{"type": "material", "name": "Heat 1"}`).body
	id, page := field(t, made, "id"), func() string {
		return field(t, shop.must(t, http.StatusOK, http.MethodGet, "/api/certs?limit=1", "").body, "updatedAt")
	}
	before := page()
	if before != field(t, made, "createdAt") {
		t.Errorf("the certificate was changed at %s: %s", before, made)
	}
	shop.must(t, http.StatusOK, http.MethodPut, "/api/certs/"+id, `{"name": "Heat 1"}`)
	if same := page(); same != before {
		t.Errorf("a request that changed nothing counts as a change at %s", same)
	}
	shop.must(t, http.StatusOK, http.MethodPut, "/api/certs/"+id, `{"externalId": "H-1"}`)
	if after := page(); after <= before {
		t.Errorf("the certificate was changed at %s, then at %s", before, after)
	}
}

package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

func TestExportOfVisits(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	workshop.makeUnits(t)
	workshop.must(t, http.StatusOK, http.MethodPost, "/api/serials/SN-00002/advance", `{"userId": "ann"}`)
	job := field(t, workshop.must(t, http.StatusOK, http.MethodGet, "/api/jobs", "").body, "id")
	got := workshop.must(t, http.StatusOK, http.MethodGet, "/api/export/steps.ndjson?jobId="+job, "")
	if kind := got.header.Get("Content-Type"); kind != "application/x-ndjson" {
		t.Errorf("Content-Type %q", kind)
	}
	if err := loadDocument(t).check(t.Context(), &exchange{
		method: http.MethodGet, target: "/api/export/steps.ndjson?jobId=" + job, answer: got, valid: true,
	}); err != nil {
		t.Error(err)
	}
	lines := strings.Split(strings.TrimSuffix(got.body, "\n"), "\n")
	if len(lines) != 10 { // nine units, one of them at two steps
		t.Fatalf("%d lines:\n%s", len(lines), got.body)
	}
	for _, line := range lines {
		id := field(t, line, "serialId")
		visits := workshop.must(t, http.StatusOK, http.MethodGet, "/api/serials/"+id+"/steps", "").body
		if !strings.Contains(visits, line) {
			t.Errorf("%s is not among %s", line, visits)
		}
	}
	if got := workshop.must(t, http.StatusOK, http.MethodGet, "/api/export/steps.ndjson?jobId=none", ""); got.body != "" {
		t.Errorf("of no job: %q", got.body)
	}
	// The trail of one unit is edited: the other units are still exported.
	if err := workshop.store.Update(t.Context(), func(tx shop.Tx) error {
		return tx.AppendAudit(trail.Entry{Action: card.ActionSerialAdvanced, SerialID: "SN-00002", UserID: "ann", FromStepID: "x"})
	}); err != nil {
		t.Fatal(err)
	}
	damaged := workshop.must(t, http.StatusOK, http.MethodGet, "/api/export/steps.ndjson", "")
	if lines := strings.Count(damaged.body, "\n"); lines != 9 || strings.Count(damaged.body, `"status":"unknown"`) != 1 {
		t.Errorf("with an edited trail: %s", damaged.body)
	}
	if got := workshop.must(t, http.StatusBadRequest, http.MethodGet, "/api/export/steps.ndjson?job=x", ""); !strings.Contains(got.body, "Unknown parameter: job") {
		t.Errorf("%s", got.body)
	}
}

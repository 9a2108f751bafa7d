package httpapi

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/ledger"
)

// createdAs sends a change and reads one member of the response.
func (s *servedShop) createdAs(t *testing.T, status int, method, target, body, member string) string {
	t.Helper()
	var object map[string]any
	if err := json.Unmarshal([]byte(s.must(t, status, method, target, body).body), &object); err != nil {
		t.Fatal(err)
	}
	text, _ := object[member].(string)
	return text
}

// assembled creates SN-00001, which has SN-00003 and part of a lot inside, and SN-00002. It returns the job.
func assembled(t *testing.T, s *servedShop) string {
	t.Helper()
	job := s.createdAs(t, 201, "POST", "/api/jobs", `{"name": "Pump", "goalQuantity": 2, "drawingNumber": "D-100"}`, "id")
	path := func(name, steps string) string {
		return s.createdAs(t, 201, "POST", "/api/paths", `{"jobId": "`+job+`", "name": "`+name+`", "goalQuantity": 2, "steps": [`+steps+`]}`, "id")
	}
	assembly, parts := path("Assembly", `{"name": "Assemble"}, {"name": "Test"}`), path("Parts", `{"name": "Turn"}`)
	s.must(t, 201, "POST", "/api/serials", `{"jobId": "`+job+`", "pathId": "`+assembly+`", "quantity": 2, "userId": "ann"}`)
	s.must(t, 201, "POST", "/api/serials", `{"jobId": "`+job+`", "pathId": "`+parts+`", "quantity": 1, "userId": "ann"}`)
	s.must(t, 200, "POST", "/api/serials/SN-00003/advance", `{"userId": "ann"}`)
	lot := s.createdAs(t, 201, "POST", "/api/lots", `{"material": "Grease", "heatNumber": "H48213", "quantity": "2.50", "unit": "kg", "userId": "ann"}`, "id")
	s.must(t, 201, "POST", "/api/serials/SN-00001/components", `{"componentSerialId": "SN-00003", "userId": "ann"}`)
	s.must(t, 201, "POST", "/api/serials/SN-00001/components", `{"lotId": "`+lot+`", "quantity": "0.50", "userId": "ann"}`)
	s.must(t, 201, "POST", "/api/nonconformances", `{"title": "Scratch, as on SN-00002", "severity": "minor", "serialIds": ["SN-00001", "SN-00002"], "userId": "ann"}`)
	return job
}

func verifiedDossier(t *testing.T, archive string, keys ledger.Keys) *dossier.Report {
	t.Helper()
	report, err := dossier.Verify(strings.NewReader(archive), int64(len(archive)), keys)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// The dossier of a unit is proved by the ledger's key alone, also later; the same size gives the same bytes.
func TestDossierOfAUnit(t *testing.T) {
	t.Parallel()
	s, seals := openSealedShop(t, 3)
	assembled(t, s)
	keys, err := ledger.Verifiers(seals.Status().VerifierKeys...)
	if err != nil {
		t.Fatal(err)
	}
	const target = "/api/serials/SN-00001/dossier.zip"
	first := s.must(t, http.StatusOK, "GET", target, "")
	report := verifiedDossier(t, first.body, keys)
	if !report.Proved || strings.Join(report.Units, " ") != "SN-00001 SN-00003" {
		t.Errorf("%+v", report)
	}
	if strings.Contains(first.body, "SN-00002") {
		t.Error("the dossier names a unit that is not in it")
	}
	texts := map[string]string{}
	reader, err := zip.NewReader(strings.NewReader(first.body), int64(len(first.body)))
	if err != nil {
		t.Fatal(err)
	}
	for _, member := range reader.File {
		var text bytes.Buffer
		content, err := member.Open()
		if err == nil {
			_, err = text.ReadFrom(content)
		}
		if err != nil {
			t.Fatal(err)
		}
		texts[member.Name] = text.String()
	}
	for name, part := range map[string]string{
		"as-built.json": `"componentSerialId":"SN-00003"`, "lots.json": `"heatNumber":"H48213"`, "card.html": "D-100",
		"nonconformances/NCR-00001.json": `"otherUnits":1`,
	} {
		if text := texts["dossier-SN-00001/data/"+name]; !strings.Contains(text, part) {
			t.Errorf("%s lacks %s: %s", name, part, text)
		}
	}
	size := json.Number(strings.Fields(texts["dossier-SN-00001/data/checkpoint"])[1])
	s.must(t, http.StatusCreated, "POST", "/api/jobs", `{"name": "Later", "goalQuantity": 1}`)
	if again := s.must(t, http.StatusOK, "GET", target+"?size="+size.String(), ""); again.body != first.body {
		t.Error("the same size gives other bytes")
	}
	got := s.must(t, http.StatusBadRequest, "GET", target+"?size=5", "")
	if !strings.Contains(got.body, `"size must be greater than the number of aud_`) {
		t.Errorf("%s", got.body)
	}
	got = s.must(t, http.StatusBadRequest, "GET", target+"?include=photo", "")
	if !strings.Contains(got.body, "include must be one of: instruction, program") {
		t.Errorf("%s", got.body)
	}
	s.must(t, http.StatusNotFound, "GET", "/api/serials/SN-09999/dossier.zip", "")
}

// A dossier of a service without a ledger says so, and is not proved.
func TestDossierWithoutALedger(t *testing.T) {
	t.Parallel()
	s := openShop(t, nil)
	assembled(t, s)
	sealed, seals := openSealedShop(t, 1)
	_ = sealed
	keys, err := ledger.Verifiers(seals.Status().VerifierKeys...)
	if err != nil {
		t.Fatal(err)
	}
	got := s.must(t, http.StatusOK, "GET", "/api/serials/SN-00001/dossier.zip", "")
	if report := verifiedDossier(t, got.body, keys); report.Proved || !strings.Contains(got.body, "Routecard-Ledger: none") {
		t.Errorf("%+v", report)
	}
}

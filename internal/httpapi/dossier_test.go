package httpapi

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
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

// membersOf returns the members of an archive by name.
func membersOf(t *testing.T, archive string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	reader, err := zip.NewReader(strings.NewReader(archive), int64(len(archive)))
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
	return texts
}

// The dossier of a unit has the entries and files of its lots, certificates, instruments and shipments, and the drawing that was shown when a
// step was done, although it was voided later.
func TestDossierHasWhatBelongsToTheUnit(t *testing.T) {
	t.Parallel()
	s, seals := openSealedShop(t, 0)
	keys := verifiersOf(t, seals)
	attach := func(to, text, kind string) (digest, link string) {
		t.Helper()
		digest = s.upload(t, text)
		return digest, s.createdAs(t, 201, "POST", to+"/files", `{"sha256": "`+digest+`", "name": "`+text+`", "kind": "`+kind+`", "userId": "ann"}`, "id")
	}
	void := func(link string) {
		t.Helper()
		s.must(t, 200, "POST", "/api/files/links/"+link+"/void", `{"reason": "outdated", "userId": "ann"}`)
	}
	job := s.createdAs(t, 201, "POST", "/api/jobs", `{"name": "Pump", "goalQuantity": 2}`, "id")
	path := s.must(t, 201, "POST", "/api/paths", `{"jobId": "`+job+`", "name": "p", "goalQuantity": 2, "steps": [{"name": "Turn"}, {"name": "Plate"}, {"name": "Test"}]}`)
	var made struct {
		ID    string
		Steps []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(path.body), &made); err != nil {
		t.Fatal(err)
	}
	s.must(t, 200, "PUT", "/api/steps/"+made.Steps[1].ID+"/requirements", `{"outside": {"process": "Nickel"}, "userId": "ann"}`)
	s.must(t, 200, "PUT", "/api/steps/"+made.Steps[0].ID+"/characteristics",
		`{"characteristics": [{"number": "12", "name": "Bore", "type": "number", "unit": "mm", "upper": "9", "required": false}], "userId": "ann"}`)
	gauge := s.createdAs(t, 201, "POST", "/api/instruments", `{"number": "M-7", "name": "Micrometer", "dueDate": "2999-01-01", "userId": "ann"}`, "id")
	certificate := s.createdAs(t, 201, "POST", "/api/certs", `{"type": "material", "name": "3.1"}`, "id")
	lot := s.createdAs(t, 201, "POST", "/api/lots", `{"material": "Bar", "quantity": "5", "unit": "kg", "certIds": ["`+certificate+`"], "userId": "ann"}`, "id")
	mill, _ := attach("/api/certs/"+certificate, "mill", "other")
	photo, _ := attach("/api/lots/"+lot, "delivery", "other")
	wrong, wrongLink := attach("/api/lots/"+lot, "wrong", "other")
	void(wrongLink)
	old, oldLink := attach("/api/steps/"+made.Steps[0].ID, "revision-a", "drawing")
	never, neverLink := attach("/api/steps/"+made.Steps[2].ID, "revision-0", "drawing")
	void(neverLink)
	s.must(t, 201, "POST", "/api/serials", `{"jobId": "`+job+`", "pathId": "`+made.ID+`", "quantity": 2, "userId": "ann"}`)
	s.must(t, 201, "POST", "/api/serials/SN-00001/components", `{"lotId": "`+lot+`", "quantity": "1", "userId": "ann"}`)
	s.must(t, 201, "POST", "/api/serials/SN-00001/measurements",
		`{"values": [{"characteristic": "12", "value": "8.1", "instrumentId": "`+gauge+`"}], "userId": "ann"}`)
	for _, unit := range []string{"SN-00001", "SN-00002"} {
		s.must(t, 200, "POST", "/api/serials/"+unit+"/advance", `{"userId": "ann"}`)
	}
	void(oldLink)
	now, _ := attach("/api/steps/"+made.Steps[0].ID, "revision-b", "drawing")
	s.must(t, 201, "POST", "/api/shipments", `{"supplier": "Plating Ltd", "serialIds": ["SN-00001", "SN-00002"], "userId": "ann"}`)
	s.must(t, 201, "POST", "/api/shipments/SHP-00001/receive", `{"received": {"serialIds": ["SN-00001"]}, "packingSlip": "P-9", "userId": "ann"}`)

	archive := s.must(t, 200, "GET", "/api/serials/SN-00001/dossier.zip", "").body
	if report := verifiedDossier(t, archive, keys); !report.Proved {
		t.Errorf("%+v", report)
	}
	texts := membersOf(t, archive)
	card := texts["dossier-SN-00001/data/card.html"]
	for _, part := range []string{"<td>Plating Ltd</td><td>Plate</td>", "<td>P-9</td>"} {
		if !strings.Contains(card, part) {
			t.Errorf("the card lacks %q: %s", part, card)
		}
	}
	for digest, want := range map[string]bool{mill: true, photo: true, wrong: false, old: true, never: false, now: true} {
		if _, there := texts["dossier-SN-00001/data/files/"+digest+".txt"]; there != want {
			t.Errorf("the file %s is there: %v", digest, there)
		}
	}
	entries := texts["dossier-SN-00001/data/trail.ndjson"]
	for _, action := range []string{"lot_created", "lot_cert_attached", "certificate_created", "instrument_created", "shipment_created", "serial_received"} {
		if !strings.Contains(entries, `"action":"`+action+`"`) {
			t.Errorf("the dossier has no entry %s", action)
		}
	}
	if shipments := texts["dossier-SN-00001/data/shipments.json"]; !strings.Contains(shipments, `"packingSlip":"P-9"`) || !strings.Contains(shipments, `"otherUnits":1`) {
		t.Error(shipments)
	}
	if strings.Contains(archive, "SN-00002") {
		t.Error("the dossier names a unit that is not in it")
	}
	whole := s.must(t, 200, "GET", "/api/jobs/"+job+"/dossier.zip", "").body
	if report := verifiedDossier(t, whole, keys); !report.Proved || strings.Join(report.Units, " ") != "SN-00001 SN-00002" || report.About != job {
		t.Errorf("%+v", report)
	}
}

// A dossier has the PDF of each revision of a certificate of conformance that names its units. The entry of the issue proves it if it names no
// other units.
func TestDossierHasCertificatesOfConformance(t *testing.T) {
	t.Parallel()
	s, seals := openSealedShop(t, 0)
	keys := verifiersOf(t, seals)
	job := s.createdAs(t, 201, "POST", "/api/jobs", `{"name": "Pump", "goalQuantity": 2}`, "id")
	path := s.createdAs(t, 201, "POST", "/api/paths", `{"jobId": "`+job+`", "name": "p", "goalQuantity": 2, "steps": [{"name": "Turn"}]}`, "id")
	s.must(t, 201, "POST", "/api/serials", `{"jobId": "`+job+`", "pathId": "`+path+`", "quantity": 2, "userId": "ann"}`)
	for _, unit := range []string{"SN-00001", "SN-00002"} {
		s.must(t, 200, "POST", "/api/serials/"+unit+"/advance", `{"userId": "ann"}`)
	}
	body := `"customer": "Acme", "orderNumber": "PO-7", "userId": "quinn"}`
	s.must(t, 201, "POST", "/api/conformances", `{"serialIds": ["SN-00001", "SN-00002"], `+body)
	s.must(t, 201, "POST", "/api/conformances/COC-00001/reissue", `{"serialIds": ["SN-00001"], "reason": "one only", `+body)
	for target, want := range map[string]struct {
		about, units string
		unproved     []string
	}{
		"/api/serials/SN-00001":       {"SN-00001", "SN-00001", []string{"COC-00001-1.pdf"}},
		"/api/conformances/COC-00001": {"COC-00001", "SN-00001", []string{"COC-00001-1.pdf"}},
		"/api/jobs/" + job:            {job, "SN-00001 SN-00002", nil},
	} {
		archive := s.must(t, http.StatusOK, "GET", target+"/dossier.zip", "").body
		report := verifiedDossier(t, archive, keys)
		if !report.Proved || report.About != want.about || strings.Join(report.Units, " ") != want.units {
			t.Errorf("%s: %+v", target, report)
		}
		texts := membersOf(t, archive)
		for _, revision := range []string{"COC-00001-1.pdf", "COC-00001-2.pdf"} {
			pdf := s.must(t, http.StatusOK, "GET", "/api/conformances/COC-00001.pdf?revision="+revision[10:11], "").body
			if texts["dossier-"+want.about+"/data/conformances/"+revision] != pdf {
				t.Errorf("%s does not have %s", target, revision)
			}
			unproved := slices.ContainsFunc(report.NotProved, func(text string) bool { return strings.Contains(text, revision) })
			if unproved != slices.Contains(want.unproved, revision) {
				t.Errorf("%s: %s is not proved: %v, %q", target, revision, unproved, report.NotProved)
			}
		}
	}
}

// The dossier of a unit is proved by the ledger's key alone, also later; the same size gives the same bytes.
func TestDossierOfAUnit(t *testing.T) {
	t.Parallel()
	s, seals := openSealedShop(t, 3)
	assembled(t, s)
	keys := verifiersOf(t, seals)
	const target = "/api/serials/SN-00001/dossier.zip"
	first := s.must(t, http.StatusOK, "GET", target, "")
	report := verifiedDossier(t, first.body, keys)
	if !report.Proved || strings.Join(report.Units, " ") != "SN-00001 SN-00003" {
		t.Errorf("%+v", report)
	}
	if strings.Contains(first.body, "SN-00002") {
		t.Error("the dossier names a unit that is not in it")
	}
	texts := membersOf(t, first.body)
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
	_, seals := openSealedShop(t, 1)
	keys := verifiersOf(t, seals)
	got := s.must(t, http.StatusOK, "GET", "/api/serials/SN-00001/dossier.zip", "")
	if report := verifiedDossier(t, got.body, keys); report.Proved || !strings.Contains(got.body, "Routecard-Ledger: none") {
		t.Errorf("%+v", report)
	}
}

// Instructions and programs are in a dossier only on request, and the day of the bag is that of its last entry.
func TestDossierIncludesOnRequest(t *testing.T) {
	t.Parallel()
	s, seals := openSealedShop(t, 0)
	keys := verifiersOf(t, seals)
	job := assembled(t, s)
	digests := map[string]string{}
	for _, kind := range []string{"instruction", "program", "other"} {
		digests[kind] = s.upload(t, kind)
		s.must(t, 201, "POST", "/api/jobs/"+job+"/files", `{"sha256": "`+digests[kind]+`", "name": "`+kind+`", "kind": "`+kind+`", "userId": "ann"}`)
	}
	for query, want := range map[string]map[string]bool{
		"":                             {"other": true},
		"?include=instruction":         {"other": true, "instruction": true},
		"?include=instruction,program": {"other": true, "instruction": true, "program": true},
	} {
		archive := s.must(t, 200, "GET", "/api/serials/SN-00001/dossier.zip"+query, "").body
		if report := verifiedDossier(t, archive, keys); !report.Proved {
			t.Errorf("%q: %+v", query, report)
		}
		texts := membersOf(t, archive)
		for kind, digest := range digests {
			if _, there := texts["dossier-SN-00001/data/files/"+digest+".txt"]; there != want[kind] {
				t.Errorf("%q: the %s is there: %v", query, kind, there)
			}
		}
		lines := strings.Split(strings.TrimSpace(texts["dossier-SN-00001/data/trail.ndjson"]), "\n")
		var last struct{ Entry trail.Entry }
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil {
			t.Fatal(err)
		}
		day := "Bagging-Date: " + last.Entry.Timestamp.Time().UTC().Format(time.DateOnly) + "\n"
		if info := texts["dossier-SN-00001/bag-info.txt"]; !strings.Contains(info, day) {
			t.Errorf("%q: %s lacks %s", query, info, day)
		}
	}
}

// A dossier waits for the seal of its last entry, and is refused if the entry is not sealed within five seconds, also by its preview. One of
// an earlier tree is refused at once.
func TestDossierWaitsForTheSeal(t *testing.T) {
	t.Parallel()
	s, _ := openSealedShop(t, 0)
	job := assembled(t, s)
	s.must(t, http.StatusOK, "GET", "/api/serials/SN-00001/dossier.zip", "")
	s.halt()
	s.must(t, http.StatusOK, "GET", "/api/serials/SN-00001/dossier.zip", "")
	s.must(t, http.StatusOK, "POST", "/api/serials/SN-00001/advance", `{"userId": "ann"}`)
	s.must(t, http.StatusOK, "GET", "/api/serials/SN-00002/dossier.zip", "")
	for _, target := range []string{
		"/api/serials/SN-00001/dossier.zip", "/api/serials/SN-00001/dossier", "/api/jobs/" + job + "/dossier.zip",
		"/api/serials/SN-00001/dossier.zip?size=1000",
	} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			got := s.must(t, http.StatusServiceUnavailable, "GET", target, "")
			if plain(got.body) != `{"statusCode":503,"message":"Not sealed yet"}` || time.Since(began) < sealPatience {
				t.Errorf("after %s: %s", time.Since(began), got.body)
			}
		})
	}
}

// A job with more than 10,000 units has no dossier; its units have.
func TestDossierOfTooManyUnits(t *testing.T) {
	t.Parallel()
	s := openShop(t, nil)
	job := s.createdAs(t, 201, "POST", "/api/jobs", `{"name": "Washer", "goalQuantity": 2}`, "id")
	path := s.createdAs(t, 201, "POST", "/api/paths", `{"jobId": "`+job+`", "name": "p", "goalQuantity": 2, "steps": [{"name": "Punch"}]}`, "id")
	create := func(quantity string) {
		t.Helper()
		s.must(t, 201, "POST", "/api/serials", `{"jobId": "`+job+`", "pathId": "`+path+`", "quantity": `+quantity+`, "userId": "ann"}`)
	}
	for range 10 {
		create("1000")
	}
	s.must(t, 200, "GET", "/api/jobs/"+job+"/dossier", "")
	create("1")
	for _, target := range []string{"/dossier", "/dossier.zip"} {
		got := s.must(t, http.StatusBadRequest, "GET", "/api/jobs/"+job+target, "")
		if !strings.Contains(got.body, `"At most 10000 units in a dossier"`) {
			t.Error(got.body)
		}
	}
	s.must(t, 200, "GET", "/api/serials/SN-10001/dossier.zip", "")
}

// A dossier lacks the signatures that the policy now requires.
func TestDossierLacksSignatures(t *testing.T) {
	t.Parallel()
	s := openShop(t, nil)
	assembled(t, s)
	s.must(t, 200, "POST", "/api/serials/SN-00001/scrap", `{"reason": "damaged", "userId": "ann"}`)
	const lacking = `{"what":"signature","record":"SN-00001"`
	if got := s.must(t, 200, "GET", "/api/serials/SN-00001/dossier", ""); strings.Contains(got.body, lacking) {
		t.Error(got.body)
	}
	policy := shop.SignaturePolicy{shop.SignScrap: shop.SignedBySelf}
	if err := s.store.Update(t.Context(), func(tx shop.Tx) error { return tx.PutSignaturePolicy(policy) }); err != nil {
		t.Fatal(err)
	}
	got := s.must(t, 200, "GET", "/api/serials/SN-00001/dossier", "")
	if !strings.Contains(got.body, lacking) || !strings.Contains(got.body, `"name":"serial_scrapped"`) {
		t.Error(got.body)
	}
}

// The pages of a dossier are in the language that the request chooses, else in that of the record, else in that of the organization. No
// other file depends on the language, and the same language gives the same bytes.
func TestLanguageOfADossier(t *testing.T) {
	t.Parallel()
	s, seals := openSealedShop(t, 0)
	keys := verifiersOf(t, seals)
	job := assembled(t, s)
	const target = "/api/serials/SN-00001/dossier.zip"
	downloaded := func(target, tag, says string) (archive string, others map[string]string) {
		t.Helper()
		archive = s.must(t, http.StatusOK, "GET", target, "").body
		if report := verifiedDossier(t, archive, keys); !report.Proved {
			t.Errorf("%s: %+v", target, report)
		}
		others = map[string]string{}
		for name, text := range membersOf(t, archive) {
			_, file, _ := strings.Cut(name, "/data/")
			switch {
			case file == "card.html" && !strings.Contains(text, says),
				(file == "card.html" || file == "verify.html") && !strings.Contains(text, `<html lang="`+tag+`"`),
				strings.HasSuffix(name, "/bag-info.txt") && !strings.Contains(text, "Routecard-Language: "+tag+"\n"):
				t.Errorf("%s: %s is not in %s", target, name, tag)
			case file != "" && file != "card.html" && file != "verify.html":
				others[file] = text
			}
		}
		return archive, others
	}
	english, files := downloaded(target, "en", "What is proved")
	for tag, says := range map[string]string{"de": "Was nachgewiesen ist", "es": "Qué queda probado", "fr": "<h2>Ce qui est prouvé"} {
		archive, others := downloaded(target+"?lang="+tag, tag, says)
		again, _ := downloaded(target+"?lang="+tag, tag, says)
		if again != archive || !maps.Equal(others, files) {
			t.Errorf("%s: the same bytes: %v, the same data: %v", tag, again == archive, maps.Equal(others, files))
		}
	}
	if chosen, _ := downloaded(target+"?lang=en", "en", "What is proved"); chosen != english {
		t.Error("English differs if it is chosen")
	}
	got := s.must(t, http.StatusBadRequest, "GET", target+"?lang=xx", "")
	if !strings.Contains(got.body, `"lang must be one of: en, de, es, fr"`) || !strings.Contains(got.body, `"field":"lang"`) {
		t.Error(got.body)
	}
	s.must(t, http.StatusBadRequest, "GET", "/api/jobs/"+job+"/dossier?lang=xx", "")
	s.must(t, http.StatusNotFound, "GET", "/api/serials/SN-09999/dossier.zip?lang=xx", "")

	s.must(t, http.StatusOK, "PUT", "/api/settings/organization", `{"name": "Acme", "address": "Lane 1", "lang": "es", "changedBy": "ann"}`)
	downloaded(target, "es", "Qué queda probado")
	s.must(t, http.StatusOK, "PUT", "/api/jobs/"+job, `{"language": "de", "changedBy": "ann"}`)
	downloaded(target, "de", "Was nachgewiesen ist")
	downloaded("/api/jobs/"+job+"/dossier.zip", "de", "Was nachgewiesen ist")
	other := s.createdAs(t, 201, "POST", "/api/jobs", `{"name": "Lever", "goalQuantity": 1, "language": "de"}`, "id")
	path := s.createdAs(t, 201, "POST", "/api/paths", `{"jobId": "`+other+`", "name": "p", "goalQuantity": 1, "steps": [{"name": "Turn"}]}`, "id")
	s.must(t, 201, "POST", "/api/serials", `{"jobId": "`+other+`", "pathId": "`+path+`", "quantity": 1, "userId": "ann"}`)
	s.must(t, http.StatusOK, "POST", "/api/serials/SN-00004/advance", `{"userId": "ann"}`)
	s.must(t, http.StatusCreated, "POST", "/api/conformances", `{"serialIds": ["SN-00004"], "customer": "Acme", "orderNumber": "7", "lang": "en", "userId": "q"}`)
	downloaded("/api/conformances/COC-00001/dossier.zip", "en", "What is proved")
}

// A dossier has the signatures of its first article and of its certificate of conformance, and the file of the customer's approval. It has
// no signature of an entry whose details it omits because they identify another unit.
func TestDossierHasSignedDocuments(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	act := "/api/first-articles/" + s.article()
	for _, signing := range []struct{ login, action string }{{"anna", "/verify"}, {"tom", "/approve"}} {
		ticket := s.ticket(signing.login, shop.SignFirstArticle, act+signing.action, `{}`)
		s.ask(200, "POST", act+signing.action, `{}`, s.tokens[signing.login], signedWith(ticket))
	}
	const letter = "Approved, with compliments of Airframe Ltd"
	var file shop.File
	s.reads(s.ask(201, "POST", "/api/files", letter, s.tokens["anna"], [2]string{"Content-Type", "text/plain"}), &file)
	s.ask(200, "POST", act+"/customer-approval", `{"name": "Airframe Ltd", "approvedOn": "2026-02-05", "sha256": "`+file.SHA256+`"}`, s.tokens["anna"])
	var article shop.FirstArticle
	s.reads(s.ask(200, "GET", act, "", s.tokens["anna"]), &article)
	unit := article.SerialIDs[0]
	dossierOf := func(target, about string) (card, signatures, letter string) {
		t.Helper()
		texts := membersOf(t, s.try("GET", target+"/dossier.zip?lang=en", "").body)
		folder := "dossier-" + about + "/data/"
		return texts[folder+"card.html"], texts[folder+"signatures.json"], texts[folder+"files/"+file.SHA256+".txt"]
	}
	for _, target := range []string{"/api/serials/" + unit, act} {
		card, signatures, got := dossierOf(target, target[strings.LastIndexByte(target, '/')+1:])
		if strings.Count(signatures, `"operation":"firstArticle"`) != 2 || got != letter {
			t.Errorf("%s: %s, and the letter %q", target, signatures, got)
		}
		for _, part := range []string{
			"<td class=\"id\">" + article.ID + "</td><td>Approved</td>", "anna: Approval", "tom: Approval",
			`Airframe Ltd, 2026-02-05<br><a href="files/` + file.SHA256 + `.txt">Letter of the customer</a>`, "(anna)", "(tom)",
			"First article approved <span class=\"id\">" + article.ID + "</span>",
		} {
			if !strings.Contains(card, part) {
				t.Errorf("%s: the card lacks %q: %s", target, part, card)
			}
		}
	}
	// A certificate of two units: the dossier of one omits the details of its entry, and so its signatures.
	one := s.conforming("")
	both := strings.Replace(one, `"serialIds": ["`, `"serialIds": ["`+unitIn(t, s.conforming(""))+`", "`, 1)
	s.signed(shop.SignConformance, "POST", "/api/conformances", both)
	for target, count := range map[string]int{"/api/conformances/COC-00001": 2, "/api/serials/" + unitIn(t, one): 0} {
		_, signatures, _ := dossierOf(target, target[strings.LastIndexByte(target, '/')+1:])
		if strings.Count(signatures, `"operation":"conformance"`) != count {
			t.Errorf("%s: %s", target, signatures)
		}
	}
}

// unitIn returns the unit in a request for a certificate of conformance.
func unitIn(t *testing.T, body string) string {
	t.Helper()
	var in struct{ SerialIDs []string }
	if err := json.Unmarshal([]byte(body), &in); err != nil {
		t.Fatal(err)
	}
	return in.SerialIDs[0]
}

// card.html shows an auditor who did, signed and measured what, what the unit is made of, and what went wrong and who decided.
func TestCardOfADossier(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignScrap, shop.SignedBySecond)
	unit, other := s.unit(s.path), s.unit(s.path)
	s.ask(200, "PUT", "/api/steps/"+s.steps[0]+"/characteristics", `{"characteristics": [{"number": "12", "name": "Bore <b>", "type": "number",
		"unit": "mm", "upper": "9", "required": false}]}`, s.tokens["anna"])
	s.ask(201, "POST", "/api/serials/"+unit+"/measurements", `{"values": [{"characteristic": "12", "value": "9.1"}]}`, s.tokens["anna"])
	var lot, report struct{ ID string }
	s.reads(s.ask(201, "POST", "/api/lots", `{"material": "316L", "heatNumber": "H48213", "supplier": "Nordstahl"}`, s.tokens["anna"]), &lot)
	s.ask(201, "POST", "/api/serials/"+unit+"/components", fmt.Sprintf(`{"lotId": %q}`, lot.ID), s.tokens["anna"])
	s.reads(s.ask(201, "POST", "/api/nonconformances", fmt.Sprintf(`{"title": "Porosity as on %s", "severity": "major", "serialIds": [%q, %q]}`,
		other, unit, other), s.tokens["anna"]), &report)
	s.ask(200, "POST", "/api/nonconformances/"+report.ID+"/dispositions", fmt.Sprintf(
		`{"serialIds": [%q], "disposition": "use_as_is", "reason": "outside the seal", "concession": "by mail"}`, unit), s.tokens["anna"])
	s.ask(200, "POST", "/api/serials/"+unit+"/advance", `{}`, s.tokens["anna"])
	s.signed(shop.SignScrap, "POST", "/api/serials/"+unit+"/scrap", `{"reason": "process_defect", "explanation": "broke"}`)
	archive := s.try("GET", "/api/serials/"+unit+"/dossier.zip?lang=en", "").body
	card := membersOf(t, archive)["dossier-"+unit+"/data/card.html"]
	for _, part := range []string{
		"Nothing in it is proved.", "Bore &lt;b&gt;", "9.1 mm", "at most 9 mm", "Out of limits", "1 reading is out of limits", "H48213", "Nordstahl",
		"<td>A</td><td>Completed</td>", "not signed", "Porosity as on another unit", "Use as is: outside the seal", "Concession: by mail",
		"Unit scrapped", "broke", "Approval", "(anna)", "(tom)",
	} {
		if !strings.Contains(card, part) {
			t.Errorf("the card lacks %q: %s", part, card)
		}
	}
	if strings.Contains(card, other) || strings.Contains(card, "user_") {
		t.Errorf("the card identifies another unit, or a person without a name: %s", card)
	}
}

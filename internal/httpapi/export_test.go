package httpapi

import (
	"archive/zip"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/views"
)

// exportKinds are the lists that can be exported.
var exportKinds = []string{"jobs", "serials", "steps", "audit", "certs", "users", "measurements", "lots", "components", "shipments"}

// openFilled opens a shop in which every kind of record has a value in every column, including texts that spreadsheet programs change.
func openFilled(t *testing.T) *servedShop {
	t.Helper()
	workshop := openShop(t, nil)
	for _, name := range []string{"00417", "=1+1"} {
		job := field(t, workshop.must(t, http.StatusCreated, http.MethodPost, "/api/jobs", `{"name": "`+name+`", "goalQuantity": 9,
			"partNumber": "1.2E+05", "partRevision": "-", "customer": "Müller & Söhne; <GmbH>", "orderNumber": "+49", "description": "two\nlines, \"quoted\"",
			"dueDate": "2026-01-02", "priority": 2, "externalId": "`+name+`", "trackerTicketKey": "K-1", "trackerTicketSummary": "s", "trackerPartNumber": "p",
			"trackerPriority": "High", "trackerEpicLink": "e", "trackerLabels": ["a b", "<c>"], "drawingNumber": "=D", "drawingRevision": "-",
			"orderLine": "010", "customerAddress": "Street 1\nTown", "language": "de"}`).body, "id")
		for _, path := range []string{"Turned", "Milled"} {
			made := workshop.must(t, http.StatusCreated, http.MethodPost, "/api/paths", `{"jobId": "`+job+`", "name": "`+path+`", "goalQuantity": 9,
				"steps": [{"name": "Saw"}, {"name": "Turn"}]}`).body
			workshop.must(t, http.StatusCreated, http.MethodPost, "/api/serials",
				`{"jobId": "`+job+`", "pathId": "`+field(t, made, "id")+`", "quantity": 3, "userId": "ann"}`)
		}
	}
	user := field(t, workshop.must(t, http.StatusCreated, http.MethodPost, "/api/users", `{"name": "Ann", "department": "Mill", "externalId": "0815"}`).body, "id")
	gone := field(t, workshop.must(t, http.StatusCreated, http.MethodPost, "/api/users", `{"name": "Bob"}`).body, "id")
	workshop.must(t, http.StatusOK, http.MethodPut, "/api/users/"+gone, `{"active": false}`)
	workshop.must(t, http.StatusCreated, http.MethodPost, "/api/certs", `{"type": "material", "name": "@Heat 7", "metadata": {"heat": "=7", "n": [1, -2]}, "externalId": "=7", "number": "=3.1"}`)
	canceled := field(t, workshop.must(t, http.StatusCreated, http.MethodPost, "/api/jobs",
		`{"name": "Canceled", "goalQuantity": 1, "gtin": "40123455"}`).body, "id")
	workshop.must(t, http.StatusOK, http.MethodPost, "/api/jobs/"+canceled+"/close", `{"reason": "not wanted any more", "userId": "ann"}`)
	workshop.must(t, http.StatusCreated, http.MethodPost, "/api/certs", `{"type": "process", "name": "Anodized"}`)
	workshop.must(t, http.StatusOK, http.MethodPost, "/api/serials/SN-00001/scrap", `{"reason": "other", "explanation": "dropped", "userId": "ann"}`)
	workshop.must(t, http.StatusOK, http.MethodPost, "/api/serials/SN-00002/force-complete", `{"userId": "ann"}`)
	workshop.must(t, http.StatusOK, http.MethodPost, "/api/serials/SN-00003/advance", `{"userId": "ann"}`)
	workshop.must(t, http.StatusOK, http.MethodPost, "/api/serials/SN-00003/advance", `{"userId": "ann"}`)
	workshop.must(t, http.StatusOK, http.MethodPut, "/api/serials/SN-00004/serial-number", `{"serialNumber": "007", "userId": "ann"}`)
	workshop.must(t, http.StatusOK, http.MethodPut, "/api/serials/SN-00004", `{"externalId": "4/1", "userId": "ann"}`)
	workshop.must(t, http.StatusOK, http.MethodPost, "/api/serials/SN-00005/hold", `{"reason": "other", "note": "x", "userId": "ann"}`)
	workshop.must(t, http.StatusOK, http.MethodPut, "/api/serials/SN-00006/serial-number", `{"serialNumber": "-0017", "userId": "ann"}`)
	steps := workshop.must(t, http.StatusOK, http.MethodGet, "/api/serials/SN-00005/steps", "").body
	workshop.must(t, http.StatusOK, http.MethodPatch, "/api/steps/"+field(t, steps, "stepId")+"/assign", `{"userId": "`+user+`"}`)
	step := field(t, steps, "stepId")
	gauge := field(t, workshop.must(t, http.StatusCreated, http.MethodPost, "/api/instruments", `{"number": "M-1", "name": "Gauge"}`).body, "id")
	workshop.must(t, http.StatusOK, http.MethodPut, "/api/steps/"+step+"/characteristics", `{"characteristics": [{"number": "7", "place": "A", "name": "Bore",
		"type": "number", "unit": "mm", "nominal": "0", "lower": "-0.10", "upper": "0.10", "required": false}], "userId": "ann"}`)
	for _, value := range []string{"-0.050", "0.20"} {
		workshop.must(t, http.StatusCreated, http.MethodPost, "/api/serials/SN-00005/measurements", `{"values": [{"characteristic": "7", "place": "A",
			"value": "`+value+`", "instrumentId": "`+gauge+`", "note": "=warm"}], "userId": "ann"}`)
	}
	reading := field(t, workshop.must(t, http.StatusOK, http.MethodGet, "/api/serials/SN-00005/measurements", "").body, "id")
	workshop.must(t, http.StatusOK, http.MethodPost, "/api/measurements/"+reading+"/void", `{"reason": "warm", "userId": "ann"}`)
	workshop.fillStock(t)
	return workshop
}

// fillStock adds lots, components and shipments that together have a value in every column of their exports.
func (s *servedShop) fillStock(t *testing.T) {
	t.Helper()
	post := func(status int, target, body string) string {
		return s.must(t, status, http.MethodPost, target, body).body
	}
	cert := field(t, s.must(t, http.StatusOK, http.MethodGet, "/api/certs", "").body, "id")
	const texts = `"material": "=bar; 20", "category": "standard", "partNumber": "1.2E+05", "partRevision": "-", "supplierLot": "+1", "heatNumber": "007",
		"supplier": "Mill & Sons", "manufacturer": "M", "orderNumber": "+49", "specification": "AMS \"4928\"", "code": "C", "customerApproval": "yes",
		"owner": "O", "receivedOn": "2026-01-02", "certificateRequired": true, "userId": "ann"`
	post(http.StatusCreated, "/api/lots", `{`+texts+`, "lotNumber": "B-1", "quantity": "12.500", "unit": "m", "expiresOn": "2020-01-31",
		"certIds": ["`+cert+`"], "holdReason": "soft", "externalId": "=L-1"}`)
	bar := field(t, post(http.StatusCreated, "/api/lots", `{"material": "bar", "quantity": "5.0", "unit": "kg", "userId": "ann"}`), "id")
	post(http.StatusCreated, "/api/lots/"+bar+"/split", `{"quantity": "1.50", "userId": "ann"}`)
	void := field(t, post(http.StatusCreated, "/api/lots", `{"material": "wrong", "userId": "ann"}`), "id")
	post(http.StatusOK, "/api/lots/"+void+"/void", `{"reason": "wrong", "userId": "ann"}`)
	install := func(body string) string {
		return field(t, post(http.StatusCreated, "/api/serials/SN-00006/components", body), "id")
	}
	remove := func(id, returned string) {
		post(http.StatusOK, "/api/serials/SN-00006/components/"+id+"/remove", `{"reason": "=loose", "returned": `+returned+`, "userId": "ann"}`)
	}
	install(`{"componentSerialId": "SN-00003", "place": "+left", "userId": "ann"}`)
	install(`{"lotId": "` + bar + `", "quantity": "0.250", "place": "007", "userId": "ann"}`)
	install(`{"lotId": "` + bar + `", "partSerialNumber": "=7", "userId": "ann"}`)
	remove(install(`{"lotId": "`+bar+`", "quantity": "0.5", "place": "top", "userId": "ann"}`), "true")
	remove(install(`{"lotId": "`+bar+`", "quantity": "0.5", "userId": "ann"}`), "false")
	wrong := install(`{"lotId": "` + bar + `", "quantity": "1", "userId": "ann"}`)
	post(http.StatusOK, "/api/components/"+wrong+"/void", `{"reason": "wrong", "userId": "ann"}`)

	job := field(t, post(http.StatusCreated, "/api/jobs", `{"name": "Ring", "goalQuantity": 4}`), "id")
	path := field(t, post(http.StatusCreated, "/api/paths", `{"jobId": "`+job+`", "name": "Plated", "goalQuantity": 4, "steps": [{"name": "Plate"}]}`), "id")
	step := field(t, strings.SplitN(s.must(t, http.StatusOK, http.MethodGet, "/api/paths/"+path, "").body, `"steps":`, 2)[1], "id")
	s.must(t, http.StatusOK, http.MethodPut, "/api/steps/"+step+"/requirements", `{"outside": {"process": "Plating"}, "userId": "ann"}`)
	post(http.StatusCreated, "/api/serials", `{"jobId": "`+job+`", "pathId": "`+path+`", "serialNumbers": ["R-1", "R-2", "R-3"], "userId": "ann"}`)
	sent := field(t, post(http.StatusCreated, "/api/shipments", `{"supplier": "=Plating; Ltd", "orderNumber": "+1", "serialIds": ["SN-00013", "SN-00014",
		"SN-00015"], "expectedBack": "2020-01-31", "externalId": "LS-1", "userId": "ann"}`), "id")
	post(http.StatusCreated, "/api/shipments/"+sent+"/receive",
		`{"received": {"serialIds": ["SN-00013"]}, "missing": [{"serialId": "SN-00014", "reason": "=lost"}], "userId": "ann"}`)
	post(http.StatusOK, "/api/serials/SN-00013/advance", `{"userId": "ann"}`)
	post(http.StatusCreated, "/api/shipments", `{"kind": "customer", "customer": "Müller & Söhne", "serialIds": ["SN-00013"], "userId": "ann"}`)
}

// tables reads an export in each form: the names of the columns, and the cells as a person sees them.
func (s *servedShop) tables(t *testing.T, kind, query string) (csvRows, bookRows [][]string, lines []map[string]any) {
	t.Helper()
	target := func(form string) string { return "/api/export/" + kind + form + query }
	text := s.must(t, http.StatusOK, http.MethodGet, target(".csv"), "").body
	csvRows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range csvRows {
		for i := range row {
			row[i] = sheet.Original(row[i])
		}
	}
	for line := range strings.Lines(s.must(t, http.StatusOK, http.MethodGet, target(".ndjson"), "").body) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatal(line, err)
		}
		lines = append(lines, object)
	}
	book := s.must(t, http.StatusOK, http.MethodGet, target(".xlsx"), "").body
	archive, err := zip.NewReader(strings.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	part, err := archive.Open("xl/worksheets/sheet1.xml")
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Rows []struct {
			Cells []struct {
				Value string `xml:"v"`
				Text  string `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	if err := xml.NewDecoder(part).Decode(&read); err != nil {
		t.Fatal(err)
	}
	for _, row := range read.Rows {
		var cells []string
		for _, cell := range row.Cells {
			cells = append(cells, cell.Value+cell.Text)
		}
		bookRows = append(bookRows, cells)
	}
	return csvRows, bookRows, lines
}

// membersByName returns a cell with the members of its objects sorted by name.
func membersByName(t *testing.T, cell string) string {
	t.Helper()
	var object any
	if !strings.HasPrefix(cell, "{") || json.Unmarshal([]byte(cell), &object) != nil {
		return cell
	}
	return asCell(t, object)
}

// asCell returns the text of a member of an object as a CSV cell.
func asCell(t *testing.T, value any) string {
	t.Helper()
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(text.String())
}

// docs/api/clients.md, "Exports": TestExportForms compares the three forms of each export with each other, and every column with an empty
// one.
func TestExportForms(t *testing.T) {
	t.Parallel()
	workshop, document := openFilled(t), loadDocument(t)
	for _, kind := range exportKinds {
		csvRows, bookRows, lines := workshop.tables(t, kind, "")
		if !reflect.DeepEqual(csvRows, bookRows) {
			t.Errorf("%s as CSV is\n%q, and as a workbook\n%q", kind, csvRows, bookRows)
		}
		if len(lines) == 0 || len(lines) != len(csvRows)-1 {
			t.Fatalf("%s has %d lines and %d rows", kind, len(lines), len(csvRows))
		}
		columns, filled := csvRows[0], map[string]bool{}
		for i, line := range lines {
			for name := range line {
				filled[name] = true
				if !slices.Contains(columns, name) {
					t.Errorf("%s has no column %s", kind, name)
				}
			}
			for j, name := range columns {
				if got, want := membersByName(t, csvRows[i+1][j]), asCell(t, line[name]); got != want {
					t.Errorf("%s, row %d, %s: %q, want %q", kind, i+1, name, got, want)
				}
			}
		}
		for _, name := range columns {
			// Accounts, batches and imported times have tests of their own. Here their columns may be empty.
			if !filled[name] && !slices.Contains([]string{"login", "roles", "kind", "actor", "means", "certId", "enteredAt", "partType", "substituteReason"}, name) {
				t.Errorf("%s: nothing shows the column %s", kind, name)
			}
		}
		for _, form := range exportForms(nil) {
			target := "/api/export/" + kind + form.file
			got := workshop.must(t, http.StatusOK, http.MethodGet, target, "")
			if got.header.Get("Content-Type") != form.mediaType || got.header.Get("Content-Disposition") != `attachment; filename="`+kind+form.file+`"` {
				t.Errorf("%s: %v", target, got.header)
			}
			if err := document.check(t.Context(), &exchange{method: http.MethodGet, target: target, answer: got, valid: true}); err != nil {
				t.Error(err)
			}
			head := workshop.must(t, http.StatusOK, http.MethodHead, target, "")
			if head.header.Get("Content-Type") != form.mediaType || head.body != "" {
				t.Errorf("HEAD %s: %v %q", target, head.header, head.body)
			}
			workshop.must(t, http.StatusBadRequest, http.MethodHead, target+"?limit=1", "")
		}
	}
}

// TestExportsAreWhatTheInterfaceAnswers compares the lines of exports with the records in the responses of the interface.
func TestExportsAreWhatTheInterfaceAnswers(t *testing.T) {
	t.Parallel()
	workshop := openFilled(t)
	for kind, list := range map[string]string{
		"serials": "/api/serials?limit=100", "certs": "/api/certs", "audit": "/api/audit/search?limit=1000",
		"jobs": "/api/jobs/search?limit=100", "users": "/api/users", "measurements": "/api/measurements", "lots": "/api/lots",
	} {
		var records []map[string]any
		body := workshop.must(t, http.StatusOK, http.MethodGet, list, "").body
		var page struct{ Items []map[string]any }
		if kind == "jobs" {
			if err := json.Unmarshal([]byte(body), &page); err != nil {
				t.Fatal(err)
			}
			records = page.Items
			for _, job := range records { // the counts of its units are in a member of their own
				progress, _ := job["progress"].(map[string]any)
				for _, name := range []string{"totalSerials", "completedSerials", "inProgressSerials", "scrappedSerials"} {
					job[name] = progress[name]
				}
				delete(job, "progress")
			}
		} else if kind == "lots" {
			if err := json.Unmarshal([]byte(body), &page); err != nil {
				t.Fatal(err)
			}
			records = page.Items
		} else if kind == "measurements" {
			if err := json.Unmarshal([]byte(body), &page); err != nil {
				t.Fatal(err)
			}
			records = page.Items
			for _, reading := range records { // its limits have columns of their own
				limits, _ := reading["limits"].(map[string]any)
				maps.Copy(reading, limits)
				delete(reading, "limits")
			}
		} else if err := json.Unmarshal([]byte(body), &records); err != nil {
			t.Fatal(err)
		}
		query := ""
		if kind == "users" {
			query = "?active=true"
		}
		_, _, lines := workshop.tables(t, kind, query)
		if !reflect.DeepEqual(lines, records) {
			t.Errorf("%s are exported as\n%v, and listed as\n%v", kind, lines, records)
		}
	}
}

// docs/api/clients.md, "Exports": TestExportFilters compares the rows of an export with those that the search finds with the same
// parameters.
func TestExportFilters(t *testing.T) {
	t.Parallel()
	workshop := openFilled(t)
	job := workshop.must(t, http.StatusOK, http.MethodGet, "/api/jobs", "").body
	jobID := field(t, job, "id")
	visits := workshop.must(t, http.StatusOK, http.MethodGet, "/api/serials/SN-00004/steps", "").body
	for _, test := range []struct{ kind, search string }{
		{"serials", "q=SN-0000"}, {"serials", "q=1"}, {"serials", "q=00"}, {"serials", "q=sn"}, {"serials", "q=turned"}, {"serials", "q=SN-00012"},
		{"serials", "jobId=" + jobID}, {"serials", "pathId=" + field(t, visits, "pathId")}, {"serials", "stepId=" + field(t, visits, "stepId")},
		{"serials", "step=Turn"}, {"serials", "step=Saw"}, {"serials", "step=Saw&status=completed"}, {"serials", "status=in-progress"},
		{"serials", "status=scrapped&customer=m%C3%BCller+%26+s%C3%B6hne%3B+%3Cgmbh%3E"}, {"serials", "customer=Müller+%26+Söhne%3B+%3CGmbH%3E"},
		{"serials", "partNumber=1.2e%2B05&orderNumber=%2B49"}, {"serials", "orderNumber=none"}, {"serials", "q=1&step=Saw"},
		{"serials", "serialNumber=007"}, {"serials", "serialNumber=7"}, {"serials", "serialNumber=007&q=1"},
		{"jobs", "q=417"}, {"jobs", "status=late"}, {"jobs", "status=done"}, {"jobs", "status=open,late&dueAfter=2026-01-01"}, {"jobs", "dueBefore=2026-01-01"},
		{"jobs", "partNumber=1.2e%2B05"}, {"jobs", "orderNumber=x"}, {"jobs", "customer=nobody"},
		{"audit", "serialId=SN-00003"}, {"audit", "action=serial_completed"}, {"audit", "jobId=" + jobID}, {"audit", "userId=ann"},
		{"audit", "from=2026-01-31T09:31:00Z&until=2026-01-31T09:32:00Z"},
	} {
		body := workshop.must(t, http.StatusOK, http.MethodGet, "/api/"+test.kind+"/search?limit=100&"+test.search, "").body
		var page struct{ Items []struct{ ID string } }
		var err error
		if test.kind == "audit" {
			err = json.Unmarshal([]byte(body), &page.Items)
		} else {
			err = json.Unmarshal([]byte(body), &page)
		}
		if err != nil {
			t.Fatal(err)
		}
		var found, exported []string
		for _, item := range page.Items {
			found = append(found, item.ID)
		}
		for line := range strings.Lines(workshop.must(t, http.StatusOK, http.MethodGet, "/api/export/"+test.kind+".ndjson?"+test.search, "").body) {
			exported = append(exported, field(t, line, "id"))
		}
		slices.Sort(found)
		slices.Sort(exported)
		if !slices.Equal(found, exported) {
			t.Errorf("%s?%s: exported %v, found %v", test.kind, test.search, exported, found)
		}
	}
	for query, want := range map[string]int{"q=heat": 1, "q=HEAT+7": 1, "q=od": 1, "q=": 2, "q=none": 0, "q=%3D7": 1} {
		lines := strings.Count(workshop.must(t, http.StatusOK, http.MethodGet, "/api/export/certs.ndjson?"+query, "").body, "\n")
		if lines != want {
			t.Errorf("certs?%s: %d, want %d", query, lines, want)
		}
	}
	for query, want := range map[string]int{"": 2, "verdict=fail": 1, "serialId=SN-00004": 0, "serialId=SN-00005&to=2000-01-01T00:00:00Z": 0} {
		if lines := strings.Count(workshop.must(t, http.StatusOK, http.MethodGet, "/api/export/measurements.ndjson?"+query, "").body, "\n"); lines != want {
			t.Errorf("measurements?%s: %d, want %d", query, lines, want)
		}
	}
	bar := field(t, workshop.must(t, http.StatusOK, http.MethodGet, "/api/lots?q=LOT-00001", "").body, "id")
	for target, want := range map[string]int{
		"lots.ndjson": 4, "lots.ndjson?q=MILL": 1, "lots.ndjson?heatNumber=007&supplier=Mill+%26+Sons": 1, "lots.ndjson?partNumber=x": 0, "lots.ndjson?held=true": 1,
		"components.ndjson": 6, "components.ndjson?serialId=SN-00006": 6, "components.ndjson?serialId=SN-00001": 0, "components.ndjson?installed=true": 3,
		"components.ndjson?lotId=" + bar: 5, "components.ndjson?lotId=" + bar + "&serialId=SN-00006&installed=true": 2, "components.ndjson?lotId=lot_x": 0,
		"shipments.ndjson": 4, "shipments.ndjson?kind=customer": 1, "shipments.ndjson?serialId=SN-00015": 3, "shipments.ndjson?status=overdue": 3,
		"shipments.ndjson?status=open": 0, "shipments.ndjson?supplier=x": 0, "shipments.ndjson?customer=M%C3%BCller+%26+S%C3%B6hne": 1, "shipments.ndjson?q=plating": 3,
	} {
		if lines := strings.Count(workshop.must(t, http.StatusOK, http.MethodGet, "/api/export/"+target, "").body, "\n"); lines != want {
			t.Errorf("%s: %d, want %d", target, lines, want)
		}
	}
	for query, want := range map[string]int{"": 2, "active=true": 1, "active=false": 2} {
		if lines := strings.Count(workshop.must(t, http.StatusOK, http.MethodGet, "/api/export/users.ndjson?"+query, "").body, "\n"); lines != want {
			t.Errorf("users?%s: %d, want %d", query, lines, want)
		}
	}
}

func TestExportRefuses(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	for target, message := range map[string]string{
		"jobs.csv?limit=5":                                "Unknown parameter: limit",
		"serials.xlsx?before=SN-00001":                    "Unknown parameter: before",
		"jobs.ndjson?sort=name":                           "Unknown parameter: sort",
		"audit.csv?after=x":                               "Unknown parameter: after",
		"jobs.csv?status=lost":                            "status must be one of",
		"serials.csv?status=lost":                         "status must be one of",
		"serials.xlsx?q=a&q=b":                            "q must be given once",
		"audit.ndjson?action=x":                           "action must be an action of the audit trail: x",
		"audit.csv?from=yesterday":                        "from must be a time (ISO 8601)",
		"jobs.csv?dueBefore=tomorrow":                     "dueBefore must be a date (YYYY-MM-DD)",
		"measurements.csv?verdict=good":                   "verdict must be one of",
		"users.csv?active=perhaps":                        "active must be",
		"lots.csv?limit=5":                                "Unknown parameter: limit",
		"components.csv?installed=perhaps":                "installed must be",
		"shipments.csv?status=lost":                       "status must be one of",
		"shipments.csv?kind=lost":                         "kind must be one of",
		"certs.csv?" + url.Values{"name": {"x"}}.Encode(): "Unknown parameter: name",
		"jobs.csv?bom=yes":                                "bom must be",
		"jobs.csv?bom=true&bom=true":                      "bom must be given once",
	} {
		got := workshop.must(t, http.StatusBadRequest, http.MethodGet, "/api/export/"+target, "")
		if !strings.Contains(got.body, message) || got.header.Get("Content-Disposition") != "" {
			t.Errorf("%s: %s %v", target, got.body, got.header)
		}
	}
	for _, kind := range exportKinds { // without records there is a header and no row
		if got := workshop.must(t, http.StatusOK, http.MethodGet, "/api/export/"+kind+".csv?", ""); strings.Count(got.body, "\n") != 1 {
			t.Errorf("%s: %q", kind, got.body)
		}
		workshop.must(t, http.StatusNotFound, http.MethodGet, "/api/export/"+kind+".pdf", "")
		workshop.must(t, http.StatusMethodNotAllowed, http.MethodPost, "/api/export/"+kind+".csv", "{}")
	}
}

// docs/api/clients.md, "Exports": TestExportWithByteOrderMark requests every export with a byte order mark. CSV begins with one and is
// otherwise the same; the other forms refuse the parameter.
func TestExportWithByteOrderMark(t *testing.T) {
	t.Parallel()
	workshop, document := openFilled(t), loadDocument(t)
	checked := 0
	for path, item := range document.Paths.Map() {
		if !strings.HasPrefix(path, "/api/export/") {
			continue
		}
		if checked++; strings.HasSuffix(path, ".dfq") {
			continue // TestExportAQDEFOfNothing covers it: that export needs a job
		}
		if strings.HasPrefix(path, "/api/export/recall.") {
			continue // TestExportRecall covers it: that export needs a cause
		}
		isCSV := strings.HasSuffix(path, ".csv")
		documented := slices.ContainsFunc(item.Get.Parameters, func(p *openapi3.ParameterRef) bool { return p.Value.Name == "bom" })
		if documented != isCSV {
			t.Errorf("%s documents bom: %t", path, documented)
		}
		if !isCSV {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				got := workshop.must(t, http.StatusBadRequest, method, path+"?bom=true", "")
				if method == http.MethodGet && !strings.Contains(got.body, "Unknown parameter: bom") {
					t.Errorf("%s: %s", path, got.body)
				}
			}
			continue
		}
		plain := workshop.must(t, http.StatusOK, http.MethodGet, path, "")
		for query, want := range map[string]string{"?bom=true": "\uFEFF" + plain.body, "?bom=false": plain.body, "?bom=": plain.body} {
			got := workshop.must(t, http.StatusOK, http.MethodGet, path+query, "")
			if got.body != want || !maps.EqualFunc(withoutRequestHeaders(got.header), withoutRequestHeaders(plain.header), slices.Equal) {
				t.Errorf("%s%s: %v %.60q, want %v %.60q", path, query, got.header, got.body, plain.header, want)
			}
			if err := document.check(t.Context(), &exchange{method: http.MethodGet, target: path + query, answer: got, valid: query != "?bom="}); err != nil {
				t.Error(err)
			}
		}
		if strings.HasPrefix(plain.body, "\uFEFF") {
			t.Errorf("%s begins with a byte order mark", path)
		}
		if head := workshop.must(t, http.StatusOK, http.MethodHead, path+"?bom=true", ""); head.body != "" {
			t.Errorf("HEAD %s: %q", path, head.body)
		}
	}
	if want := len(exportRoutes()); checked != want {
		t.Errorf("%d exports are documented, want %d", checked, want)
	}
}

// withoutRequestHeaders removes the headers that differ from request to request.
func withoutRequestHeaders(header http.Header) http.Header {
	kept := header.Clone()
	for _, name := range []string{"Date", "X-Request-Id", "Content-Length"} {
		kept.Del(name)
	}
	return kept
}

// docs/api/clients.md, "Exports": TestLongExport exports more than fits into one piece or one statement, while others add rows.
func TestLongExport(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	job := field(t, workshop.must(t, http.StatusCreated, http.MethodPost, "/api/jobs", `{"name": "Shaft", "goalQuantity": 9}`).body, "id")
	path := field(t, workshop.must(t, http.StatusCreated, http.MethodPost, "/api/paths", `{"jobId": "`+job+`", "name": "p", "goalQuantity": 9,
		"steps": [{"name": "Saw"}]}`).body, "id")
	more := func() {
		workshop.must(t, http.StatusCreated, http.MethodPost, "/api/serials", `{"jobId": "`+job+`", "pathId": "`+path+`", "quantity": 1500, "userId": "ann"}`)
	}
	more()
	more()
	seen := 0
	units := views.ListNamed(views.ListUnits)
	found, err := units.Export.Read(t.Context(), workshop.face.views, units, "", units.Export.Query())
	if err != nil {
		t.Fatal(err)
	}
	for row, err := range found.Rows {
		cells, _ := row.(*[]sheet.Cell)
		if err != nil {
			t.Fatal(err)
		}
		if seen++; (*cells)[0].String() != workshop.store.SerialPrefix().SerialID(int64(seen)) {
			t.Fatalf("row %d is %s", seen, (*cells)[0])
		}
		if seen == 10 { // a reader that pauses does not block writers
			more()
		}
	}
	if seen != 4500 {
		t.Errorf("%d rows", seen)
	}
	for _, form := range exportForms(nil) {
		got := workshop.must(t, http.StatusOK, http.MethodGet, "/api/export/serials"+form.file, "")
		if form.file != ".xlsx" && !strings.Contains(got.body, "SN-04500") {
			t.Errorf("%s ends with %q", form.file, got.body[len(got.body)-100:])
		}
	}
}

// TestExportOfDamagedMetadata exports an entry whose metadata was edited into invalid JSON.
func TestExportOfDamagedMetadata(t *testing.T) {
	t.Parallel()
	workshop := openFilled(t)
	if _, err := workshop.backDoor(t).ExecContext(t.Context(), `UPDATE certificate SET metadata = '{"heat' WHERE type = 'material'`); err != nil {
		t.Fatal(err)
	}
	csvRows, _, lines := workshop.tables(t, "certs", "")
	if len(csvRows) != 3 || lines[1]["metadata"] != `{"heat` {
		t.Errorf("%q %v", csvRows, lines)
	}
}

// A recall is exported with a column for each field, also those of the place of a unit.
func TestExportRecall(t *testing.T) {
	t.Parallel()
	workshop, document := openFilled(t), loadDocument(t)
	const query = "?serialId=SN-00001"
	listed := workshop.must(t, http.StatusOK, http.MethodGet, "/api/recall"+query, "")
	head := "serialId,lotId,lotNumber,status,held,remaining,unit,inside,root,stepId,step,atSupplier,atCustomer,customer,orderNumber,shipmentId,since,how\n"
	for _, file := range []string{"recall.csv", "recall.ndjson", "recall.xlsx"} {
		target := "/api/export/" + file + query
		got := workshop.must(t, http.StatusOK, http.MethodGet, target, "")
		if err := document.check(t.Context(), &exchange{method: http.MethodGet, target: target, answer: got, valid: true}); err != nil {
			t.Error(err)
		}
		if file == "recall.csv" && !strings.HasPrefix(strings.ReplaceAll(got.body, "\r", ""), head+"SN-00001,,,") {
			t.Errorf("%s: %s", file, got.body)
		}
		if file == "recall.ndjson" && (strings.Count(got.body, "\n") != 1 || !strings.Contains(listed.body, `{"serialId":"SN-00001"`)) {
			t.Errorf("%s: %s; listed: %s", file, got.body, listed.body)
		}
	}
	marked := workshop.must(t, http.StatusOK, http.MethodGet, "/api/export/recall.csv"+query+"&bom=true", "")
	if !strings.HasPrefix(marked.body, "\uFEFFserialId,") {
		t.Errorf("without a byte order mark: %.60q", marked.body)
	}
	workshop.must(t, http.StatusBadRequest, http.MethodGet, "/api/export/recall.csv", "")
}

package web_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
)

// bring sends the form for a kind of record with a file. do is the value of the pressed button.
func (v *visitor) bring(kind, do, file string, pairs ...string) *visitor {
	v.t.Helper()
	return v.sendFile(v.importForm(kind, do, file, pairs...))
}

// bringAs sends a new form with a file and with a meaning for each of its columns.
func (v *visitor) bringAs(kind, do, file string, columns [][2]string, pairs ...string) *visitor {
	v.t.Helper()
	v.visit("/import?kind=" + kind)
	form, _ := v.importForm(kind, do, file, pairs...)
	for _, column := range columns {
		form.values.Add("column", column[0])
		form.values.Add("is", column[1])
	}
	return v.sendFile(form, file)
}

// importForm returns the form for a kind of record, filled in and with a file.
func (v *visitor) importForm(kind, do, file string, pairs ...string) (posted, string) {
	v.t.Helper()
	if !strings.Contains(v.page.html, `action="/import/`+kind+`"`) {
		v.visit("/import?kind=" + kind)
	}
	form := v.page.form(v.t, `data-import="`+kind+`"`).with("do", do).with(pairs...)
	for _, own := range []string{"column", "is"} { // the values of the selects that a browser would send
		if len(form.values["is"]) != len(form.values["column"]) {
			form.values.Del(own)
		}
	}
	return form, file
}

// sendFile sends a form with a file named orders.csv.
func (v *visitor) sendFile(form posted, file string) *visitor {
	v.t.Helper()
	return v.send(v.fileRequest(form, file))
}

func (v *visitor) fileRequest(form posted, file string) *http.Request {
	v.t.Helper()
	body := new(bytes.Buffer)
	parts, part := v.formWithFile(body, form)
	_, err := part.Write([]byte(file))
	v.must(err)
	v.must(parts.Close())
	request := httptest.NewRequest(http.MethodPost, form.action, body)
	request.Header.Set("Content-Type", parts.FormDataContentType())
	return request
}

// formWithFile writes a form up to its file, which is named orders.csv.
func (v *visitor) formWithFile(to io.Writer, form posted) (parts *multipart.Writer, file io.Writer) {
	v.t.Helper()
	parts = multipart.NewWriter(to)
	for name, values := range form.values {
		for _, value := range values {
			v.must(parts.WriteField(name, value))
		}
	}
	file, err := parts.CreateFormFile("file", "orders.csv")
	v.must(err)
	return parts, file
}

// jobs lists the names of all jobs.
func (s *visitedShop) jobs() (names []string) {
	s.t.Helper()
	for job, err := range s.service.Jobs(s.t.Context()) {
		s.must(err)
		names = append(names, job.Name)
	}
	return names
}

// docs/api/clients.md, "Imports": A preview writes nothing. An import writes once, however often its form arrives.
func TestImportPage(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	const file = "name;goalQuantity;orderNumber\nShaft;5;00417\nLid;3;00418\n"
	v.bring("jobs", "look", file).says("Preview 2 rows: 2 created, 0 changed, 0 unchanged.")
	v.says("00417")
	if made := s.jobs(); len(made) != 0 {
		t.Fatalf("a look made %q", made)
	}
	form, _ := v.importForm("jobs", "import", file)
	v.sendFile(form, file).says("2 created, 0 changed, 0 unchanged.")
	v.sendFile(form, file).says("2 created, 0 changed, 0 unchanged.")
	if made := s.jobs(); len(made) != 2 {
		t.Errorf("there are %q", made)
	}
	// The same key with another file counts as another form.
	form.values.Del("looked")
	if v.sendFile(form, "name;goalQuantity\nPin;1\n"); len(s.jobs()) != 3 {
		t.Errorf("there are %q", s.jobs())
	}
}

// docs/api/clients.md, "Imports": Columns are matched by hand, by what the browser remembers, or by their names. The page reports every
// column that it does not import.
func TestImportColumns(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	const file = "Teil;order-number;Menge;Rest\nWelle;00417;5;x\n"
	v.bring("jobs", "look", file).says("Nobody knows the column Teil. Choose what it is, or leave it out.")
	if v.page.status != http.StatusBadRequest || !strings.Contains(v.page.html, `<option value="orderNumber" selected>`) {
		t.Errorf("%d, or order-number is not proposed:\n%s", v.page.status, v.page.html)
	}
	byHand := []string{"column", "Teil", "is", "name", "column", "order-number", "is", "orderNumber",
		"column", "Menge", "is", "goalQuantity", "column", "Rest", "is", ""}
	v.visit("/import").bring("jobs", "look", file, byHand...).says("1 row: 1 created")
	v.visit("/import").bring("jobs", "look", file, "column", "Teil", "is", "?").says("Nobody knows the column Teil")
	v.visit("/import").bring("jobs", "look", file, "column", "Teil", "is", "goalQuantity", "column", "Menge", "is", "goalQuantity",
		"column", "order-number", "is", "", "column", "Rest", "is", "").says("Two columns of the file are “Goal quantity”.")
	const known = `{"Teil": "name", "order-number": "orderNumber", "Menge": "goalQuantity", "Rest": "", "of another file": "id"}`
	v.visit("/import").page.html = strings.Replace(v.page.html, `name="known" value=""`, `name="known" value="`+strings.ReplaceAll(known, `"`, "&#34;")+`"`, 1)
	v.bring("jobs", "import", file).says("1 created, 0 changed, 0 unchanged.")
	if made := s.jobs(); len(made) != 1 || made[0] != "Welle" {
		t.Errorf("there are %q", made)
	}
}

// Refused rows are listed with their numbers and columns. The user can download the file with an added column for the reasons.
func TestImportRefusals(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	const file = "name,goalQuantity,due\nShaft,five,2026-12-01\nLid,3,2026-12-02\nPin,1,soon\n"
	due := []string{"column", "due", "is", "dueDate"}
	v.bring("jobs", "look", file, due...).says("3 rows: none is imported while any is refused. 2 rows refused.")
	v.says("2 goalQuantity Goal quantity takes digits only, such as 1000.")
	v.says("4 due ")
	v.visit("/import").bring("jobs", "import", file, due...).says("Nothing was imported")
	form, _ := v.visit("/import").importForm("jobs", "errors", file, due...)
	answer := v.ask(v.fileRequest(form, file))
	if lines := strings.Split(answer.Body.String(), "\n"); answer.Code != http.StatusOK || lines[0] != "\uFEFFname,goalQuantity,due,error" ||
		!strings.HasPrefix(lines[1], `Shaft,five,2026-12-01,"goalQuantity must be`) || lines[2] != "Lid,3,2026-12-02," {
		t.Errorf("%d %q", answer.Code, answer.Body)
	}
	if len(s.jobs()) != 0 {
		t.Errorf("there are %q", s.jobs())
	}
	v.visit("/import").bring("jobs", "import", file, append(due, "onRefusal", "each")...).
		says("1 created, 0 changed, 0 unchanged. 2 rows refused.")
	if made := s.jobs(); len(made) != 1 || made[0] != "Lid" {
		t.Errorf("there are %q", made)
	}
}

// A file without rows is refused with an instruction, and nothing is written.
func TestImportOfNonsense(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	for _, c := range []struct{ file, says string }{
		{"", "The first row must have the names of the columns, and this file has none that can be read."},
		{"\n\n", "The first row must have the names of the columns"},
		{"name\n", "0 rows: 0 created"},
		{"name\n\"open", "The row has a quote that nothing closes"},
		{"name,goalQuantity\n" + strings.Repeat("x", 1<<20) + ",1\n", "a quote may be missing"},
		{strings.Repeat("a,", 300) + "\n", "A file may have at most 200 columns."},
		{"name,goalQuantity\nGeh\xE4use,1\n", "The file is not UTF-8. Preview again with Windows-1252"},
		{"name,goalQuantity,St\xFCck\nx,1,1\n", "The file is not UTF-8. Preview again with Windows-1252"},
		{"name,goalQuantity\n<script>alert(1)</script>,x\n", "Goal quantity takes digits only, such as 1000."},
	} {
		v.visit("/import").bring("jobs", "look", c.file).says(c.says)
		if v.page.status >= http.StatusInternalServerError || strings.Contains(v.page.html, "<script>alert") {
			t.Errorf("%.20q: status %d", c.file, v.page.status)
		}
	}
	form, _ := v.visit("/import").importForm("jobs", "look", "")
	v.post(form).says("The form could not be read")
	if len(s.jobs()) != 0 {
		t.Errorf("there are %q", s.jobs())
	}
	v.visit("/import").bring("jobs", "import", "name,goalQuantity\nGeh\xE4use,1\n", "charset", "windows-1252").says("1 created")
	if made := s.jobs(); len(made) != 1 || made[0] != "Gehäuse" {
		t.Errorf("there are %q", made)
	}
}

// The form without a file is refused with the reason.
func TestImportWithoutAFile(t *testing.T) {
	t.Parallel()
	v := openShop(t).works("Dana")
	form, _ := v.visit("/import").importForm("jobs", "look", "")
	body := "--x\r\nContent-Disposition: form-data; name=\"do\"\r\n\r\nlook\r\n" +
		"--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--x--\r\n"
	request := httptest.NewRequest(http.MethodPost, form.action, strings.NewReader(body))
	request.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	v.send(request).says("Choose the file.")
}

// A file with too many rows or too many bytes is refused before anything is written.
func TestImportOfTooMuch(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	v.bring("jobs", "import", "name,goalQuantity\n"+strings.Repeat("x,1\n", importing.RowLimit+1)).says("A file may have at most 100\u202f000 rows.")
	v.visit("/import").bring("jobs", "import", "name,goalQuantity\n"+strings.Repeat("x", 70<<20)).says("A file may have at most 64 MB.")
	if len(s.jobs()) != 0 {
		t.Errorf("there are %d jobs", len(s.jobs()))
	}
}

// An import is offered and accepted only if the user has the permission for the operation of its kind of record.
func TestImportKindsByPermission(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.Writes)
	s.person("paul", "planner")
	s.person("anna", "operator")
	for login, want := range map[string]string{"": "", "anna": "measurements lots components shipments", "paul": "jobs serials certs", "boss": "users"} {
		v := s.visitor()
		if login != "" {
			v = s.signedIn(login)
		}
		v.visit("/import")
		for _, kind := range importing.Kinds() {
			offered := strings.Contains(v.page.html, `href="/import?kind=`+kind.Name+`"`)
			if slices.Contains(strings.Fields(want), kind.Name) != offered {
				t.Errorf("%q is offered %s: %t, want %q", login, kind.Name, offered, want)
			}
			form := posted{"/import/" + kind.Name, map[string][]string{"do": {"look"}}}
			answer := v.ask(v.fileRequest(form, "name\n"))
			if allowed := answer.Code != http.StatusForbidden && answer.Code != http.StatusSeeOther; allowed != offered {
				t.Errorf("%q is offered %s: %t, and may: %d", login, kind.Name, offered, answer.Code)
			}
		}
	}
}

// Rows are imported a thousand at a time, but the page reports them together.
func TestImportOfManyRows(t *testing.T) {
	t.Parallel()
	v := openShop(t).works("Ann")
	file := new(strings.Builder)
	file.WriteString("name,goalQuantity\n")
	for i := range 1500 {
		fmt.Fprintf(file, "Job %d,1\n", i)
	}
	form, _ := v.importForm("jobs", "import", file.String(), "onRefusal", "each")
	v.sendFile(form, file.String()).says("1\u202f500 created")
}

// TestImportInAnEmptyShop checks that the pages of an empty shop link to the import, which first asks for an operator.
func TestImportInAnEmptyShop(t *testing.T) {
	t.Parallel()
	v := openShop(t).visitor()
	for _, page := range []string{"/", "/jobs"} {
		v.visit(page)
		if !strings.Contains(v.page.html, `class="button" href="/import">Import a file`) {
			t.Errorf("%s does not lead to the page that brings in a file", page)
		}
	}
	v.visit("/import").says("There is no operator yet.")
}

// The report of a measuring machine is previewed with its features. The user assigns them the numbers of the drawing, and the report is
// imported once.
func TestImportOfMachine(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(1, "Hone", "Pack")
	s.measured(job, 0, bore())
	v := s.works("Ann")
	const file = "PART: SHAFT\nFEATURE AX NOMINAL MEAS\nCIR1 D 12.5 12.6\nCIR1 X 0 0.1\n"
	common := []string{"machine", "yes", "unit", "SN-00001", "measuredIn", "mm"}
	v.bring("measurements", "look", file, common...).says("There is no characteristic CIR1 D.")
	if !strings.Contains(v.page.html, `name="feature" value="CIR1 X"`) {
		t.Error(v.page.html)
	}
	numbered := append(slices.Clone(common), "feature", "CIR1 D", "balloon", "7", "feature", "CIR1 X", "balloon", "")
	v.bring("measurements", "look", file, numbered...).says("1 row: 1 created, 0 changed, 0 unchanged. 1 new reading is out of limits.")
	v.bring("measurements", "import", file, numbered...).says("1 created (1 out of limits), 0 changed, 0 unchanged.")
	v.bring("measurements", "import", file, numbered...).says("0 created, 0 changed, 1 unchanged.")
	// The browser remembers the numbers for files that have exactly these features.
	const known = `[{"CIR1 D": "9"}, {"CIR1 D": "7", "CIR1 X": ""}, {"CIR1 D": "9", "CIR1 X": "", "CIR2 X": ""}]`
	v.visit("/import?kind=measurements").page.html = strings.Replace(v.page.html, `name="knownFeatures" value=""`,
		`name="knownFeatures" value="`+strings.ReplaceAll(known, `"`, "&#34;")+`"`, 1)
	v.bring("measurements", "look", file, common...).says("1 row: 0 created, 0 changed, 1 unchanged.")
	v.visit("/import?kind=measurements").bring("measurements", "look", file).says("Nobody knows the column PART: SHAFT.")
}

// A file in the Q-DAS transfer format is recognized by its beginning. Its values have keys instead of columns. Descriptions and values may
// be in two files, which the user chooses together, in either order.
func TestImportOfAQDEF(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(1, "Hone", "Pack")
	s.measured(job, 0, bore())
	v := s.works("Ann")
	const descriptions = "K0100 1\r\nK2001/1 D1\r\nK2142/1 mm\r\n"
	const values = "K0001/1 12,6\r\nK0014/1 SN-00001\r\nK0012/1 M-9\r\nK0006/1 H4\r\n"
	v.bring("measurements", "look", descriptions+values).says("There is no instrument M-9.")
	for _, has := range []string{`name="feature" value="D1"`, `name="column" value="K0012"`, `<option value="instrumentNumber" selected>`} {
		if !strings.Contains(v.page.html, has) {
			t.Errorf("the page does not have %s", has)
		}
	}
	if strings.Contains(v.page.html, `value="errors"`) {
		t.Error("a table with the errors is offered")
	}
	numbered := [][2]string{{"K0006", "note"}, {"K0012", "note"}, {"K0014", "serialNumber"}}
	v.bringAs("measurements", "look", descriptions+values, numbered, "feature", "D1", "balloon", "7").says("1 row: 1 created, 0 changed, 0 unchanged.")
	two := func(names, texts [2]string) {
		t.Helper()
		v.visit("/import?kind=measurements")
		form, _ := v.importForm("measurements", "import", "", "feature", "D1", "balloon", "7")
		for _, column := range numbered {
			form.values.Add("column", column[0])
			form.values.Add("is", column[1])
		}
		body := new(bytes.Buffer)
		parts := multipart.NewWriter(body)
		for name, values := range form.values {
			for _, value := range values {
				v.must(parts.WriteField(name, value))
			}
		}
		for i, name := range names {
			part, err := parts.CreateFormFile("file", name)
			v.must(err)
			_, err = part.Write([]byte(texts[i]))
			v.must(err)
		}
		v.must(parts.Close())
		request := httptest.NewRequest(http.MethodPost, form.action, body)
		request.Header.Set("Content-Type", parts.FormDataContentType())
		v.send(request)
	}
	two([2]string{"a.dfd", "a.csv"}, [2]string{descriptions, values})
	v.says("Choose one file, or a .dfd together with the .dfx of the same name.")
	two([2]string{"a.dfd", "b.dfx"}, [2]string{descriptions, values})
	v.says("Choose one file, or a .dfd together with the .dfx of the same name.")
	two([2]string{"a.DFX", "A.dfd"}, [2]string{values, descriptions})
	v.says("1 created (1 out of limits), 0 changed, 0 unchanged.")
	two([2]string{"a.dfd", "a.dfx"}, [2]string{descriptions, values})
	v.says("0 created, 0 changed, 1 unchanged.")
	v.bring("measurements", "look", descriptions+"K0001/2 5\r\n").says("Line 4 of the Q-DAS file is not understood: K0001/2 is of a characteristic that is not described")
}

// After one press, columns that contain tolerances are read as tolerances instead of limits.
func TestImportOffersTolerances(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(1, "Hone", "Pack")
	s.measured(job, 0, bore())
	v := s.works("Ann")
	const file = "Feature  Nominal  Upper  Lower  Actual\n7  12.5  0.01  -0.01  12.503\n"
	common := []string{"machine", "yes", "unit", "SN-00001"}
	v.bring("measurements", "look", file, common...).says("-0.01 looks like a tolerance: from 12.5 it leads to 12.490, the limit of 7.")
	if !strings.Contains(v.page.html, `value="tolerances"`) {
		t.Error("nothing is offered")
	}
	v.bring("measurements", "tolerances", file, common...).says("1 row: 1 created, 0 changed, 0 unchanged.")
	for _, is := range []string{"lowerTolerance", "upperTolerance"} {
		if !strings.Contains(v.page.html, `<option value="`+is+`" selected>`) {
			t.Errorf("%s is not chosen", is)
		}
	}
}

// Rows that are refused for the same reason share one line. If dates have slashes, the page asks for their order before it imports them.
func TestImportReasonsAreSaidOnce(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	var file strings.Builder
	file.WriteString("Works order,Name,Qty,Due\n")
	for i := range 9 {
		fmt.Fprintf(&file, "W-%d,Shaft,%d,%d/%d/2026\n", i, i+1, 3, 20+i)
	}
	columns := [][2]string{{"Works order", "externalId"}, {"Name", "name"}, {"Qty", "goalQuantity"}, {"Due", "dueDate"}}
	v.bringAs("jobs", "look", file.String(), columns).says("9 rows refused.")
	v.says("2, 3, 4, 5, 6, 7, 3 more Due Choose a day, such as 2026-01-31. File")
	v.says("Dates with slashes have Choose… the month first: 12/31/2026")
	v.bringAs("jobs", "look", file.String(), columns, "days", "day-first").says("9 rows refused.")
	v.bringAs("jobs", "look", file.String(), columns, "days", "month-first").says("9 rows: 9 created")
	// The import interprets the file in the same way as the preview.
	looked := v.page.form(t, `data-import="jobs"`).values.Get("looked")
	v.bringAs("jobs", "import", file.String(), columns, "days", "day-first", "looked", looked).says("The file or its columns differ from the previewed ones")
	if len(s.jobs()) != 0 {
		t.Fatal("days were read otherwise than they were looked at")
	}
	v.bringAs("jobs", "import", file.String(), columns, "days", "month-first")
	if made := s.jobs(); len(made) != 9 {
		t.Errorf("there are %q", made)
	}
}

// If the file contains no units, the form can create as many units as the job wants.
func TestImportMakesUnits(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.works("Dana")
	s.template("Turned part", "Turn")
	const file = "externalId,name,goalQuantity,template\nW-1,Shaft,3,Turned part\n"
	v.bring("jobs", "look", file).says("Create as many units as the goal quantity")
	v.bringAs("jobs", "import", file, nil, "makes", "units").says("1 created")
	v.bringAs("jobs", "import", file, nil, "makes", "units").says("1 unchanged")
	v.bringAs("jobs", "import", strings.Replace(file, ",3,", ",5,", 1), nil, "makes", "units").says("1 changed")
	v.visit("/serials").says("SN-00005")
	v.saysNothingOf("SN-00006")
	// If the file contains a number of units, that number takes precedence.
	const other = "externalId,name,goalQuantity,template,units\nW-2,Lid,9,Turned part,1\n"
	v.bringAs("jobs", "import", other, nil, "makes", "units").says("1 created")
	v.visit("/serials").says("SN-00006")
	v.saysNothingOf("SN-00007")
}

// If the id and the external id of a row identify two different records, the refusal uses the word for that kind of record.
func TestImportNamesTheNoun(t *testing.T) {
	t.Parallel()
	of := map[string]struct{ noun, columns, row string }{
		"jobs":    {"job", "name,goalQuantity", "Bracket,1"},
		"serials": {"unit", "jobId,pathId", "JOB,PATH"},
		"users":   {"operator", "name", "Ida"},
		"certs":   {"certificate", "type,name", "material,3.1"},
		"lots":    {"lot", "material", "bar"},
	}
	for _, kind := range importing.Kinds() {
		if !slices.ContainsFunc(kind.Fields, func(field input.Field) bool { return field.Name == "externalId" }) || kind.Name == "shipments" {
			continue // a file changes no shipment: see the cases of imports
		}
		t.Run(kind.Name, func(t *testing.T) {
			t.Parallel()
			s := openShop(t)
			ann := s.works("Ann")
			jobID, first := s.units(1, "Mill")
			card, err := s.views.Card(t.Context(), first)
			s.must(err)
			file := of[kind.Name]
			row := strings.NewReplacer("JOB", jobID, "PATH", card.Card.Serial.PathID).Replace(file.row)
			ann.bring(kind.Name, "import", "externalId,"+file.columns+"\nA-1,"+row+"\nB-1,"+row+"\n").says("2 created")
			id, err := s.service.IDOf(t.Context(), kind.Operation.Noun(), "ext:B-1")
			s.must(err)
			ann.visit("/import").bring(kind.Name, "import", "id,externalId,"+file.columns+"\n"+id+",A-1,"+row+"\n")
			ann.says("Another " + file.noun + " has the external id A-1.")
		})
	}
}

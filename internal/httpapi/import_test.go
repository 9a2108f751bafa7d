package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/routecard/routecard/internal/spool"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// imported is the response to an import.
type imported struct {
	Rows, Created, Updated, Unchanged, OutOfLimits int

	Refused []refusedRow
}

// bring imports a file. The request must get status 200.
func (s *servedShop) bring(t *testing.T, target, media, file string, header ...[2]string) (result imported) {
	t.Helper()
	got := s.must(t, http.StatusOK, http.MethodPost, "/api/import/"+target, file, append(header, [2]string{"Content-Type", media})...)
	if err := json.Unmarshal([]byte(got.body), &result); err != nil {
		t.Fatal(got.body, err)
	}
	return result
}

// docs/api/clients.md, "Imports": TestExportsAreTemplates imports each export as it is: nothing changes, and no column is unknown.
func TestExportsAreTemplates(t *testing.T) {
	t.Parallel()
	workshop := openFilled(t)
	door := workshop.backDoor(t)
	before := contents(t, door)
	for _, kind := range importing.Kinds() {
		for form, media := range map[string]string{".csv": "text/csv", ".csv?bom=true": "text/csv", ".ndjson": linesType} {
			file := workshop.must(t, http.StatusOK, http.MethodGet, "/api/export/"+kind.Name+form, "").body
			if got := workshop.bring(t, kind.Name, media, file); got.Rows < 2 || got.Unchanged != got.Rows {
				t.Errorf("%s%s: %+v", kind.Name, form, got)
			}
			if form == ".csv?bom=true" && !strings.HasPrefix(file, "\uFEFF") {
				t.Errorf("%s%s begins with %.20q", kind.Name, form, file)
			}
			if media == "text/csv" { // a field may contain a line feed
				continue
			}
			half := file[:strings.LastIndexByte(strings.TrimSuffix(file, "\n"), '\n')+1]
			if got := workshop.bring(t, kind.Name+"?onRefusal=each", media, half); got.Rows < 1 || got.Unchanged != got.Rows {
				t.Errorf("half of %s%s: %+v", kind.Name, form, got)
			}
		}
	}
	if after := contents(t, door); after != before {
		t.Errorf("something was written: %s\nbecame %s", before, after)
	}
}

// orders returns a file of jobs with external identifiers from first to last.
func orders(first, last int) string {
	var file strings.Builder
	file.WriteString("externalId,name,goalQuantity,template,units\n")
	for i := first; i <= last; i++ {
		fmt.Fprintf(&file, "%05d,Shaft,2,Turned,2\n", i)
	}
	return file.String()
}

func (s *servedShop) makeTemplate(t *testing.T) {
	t.Helper()
	s.must(t, http.StatusCreated, http.MethodPost, "/api/templates", `{"name": "Turned", "steps": [{"name": "Saw"}, {"name": "Turn"}]}`)
}

// A file is sent twice, in another order, in part, and without a column.
func TestFileAgain(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	workshop.makeTemplate(t)
	file := orders(1, 20)
	if got := workshop.bring(t, "jobs", "text/csv", orders(1, 10)); got.Created != 10 {
		t.Errorf("%+v", got)
	}
	if got := workshop.bring(t, "jobs", "text/csv", file); got.Created != 10 || got.Unchanged != 10 {
		t.Errorf("%+v", got)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(file, "\n"), "\n")
	slices.Reverse(lines[1:])
	lines[1] += "\n"
	if got := workshop.bring(t, "jobs", "text/csv", strings.Join(lines, "")); got.Unchanged != 20 {
		t.Errorf("sorted otherwise: %+v", got)
	}
	if got := workshop.bring(t, "jobs", "text/csv", "name,externalId\nPin,00003\n"); got.Updated != 1 {
		t.Errorf("%+v", got)
	}
	if got := workshop.must(t, http.StatusOK, http.MethodGet, "/api/jobs/ext:00003", "").body; field(t, got, "name") != "Pin" ||
		!strings.Contains(got, `"totalSerials":2`) {
		t.Error(got)
	}
}

// TestTwoAtOnce sends a file and the same rows in another order at once: every order is created once.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	workshop.makeTemplate(t)
	lines := strings.SplitAfter(orders(1, 40), "\n")
	lines = lines[:len(lines)-1]
	slices.Reverse(lines[1:])
	files := []string{orders(1, 40), strings.Join(lines, ""), orders(1, 40)}
	var together sync.WaitGroup
	results := make([]answered, len(files))
	for i, file := range files {
		together.Go(func() {
			for { // the store may report a conflict, and nothing was done
				got, err := workshop.send(t.Context(), http.MethodPost, "/api/import/jobs?onRefusal=each", file, [2]string{"Content-Type", "text/csv"})
				if results[i] = got; err != nil || got.status != http.StatusServiceUnavailable {
					return
				}
			}
		})
	}
	together.Wait()
	created := 0
	for _, got := range results {
		var result imported
		if err := json.Unmarshal([]byte(got.body), &result); err != nil || got.status != http.StatusOK || len(result.Refused) > 0 {
			t.Fatal(got, err)
		}
		created += result.Created
	}
	if created != 40 {
		t.Errorf("%d were created", created)
	}
	if got := workshop.bring(t, "jobs?dryRun=true", "text/csv", orders(1, 40)); got.Unchanged != 40 {
		t.Errorf("%+v", got)
	}
}

// docs/api/clients.md, "Imports": the file comes back for correction, and the corrected rows are imported.
func TestFileComesBack(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	const file = "\uFEFFname;goalQuantity;customer\r\nWelle;fünf;\"Müller; Söhne\"\r\nRing;3;\r\n"
	got := workshop.must(t, http.StatusOK, http.MethodPost, "/api/import/jobs", file, [2]string{"Content-Type", "text/csv"}, [2]string{"Accept", "text/csv"})
	why := `"` + refusal.RefuseField(refusal.NotDigits, "goalQuantity").Error() + `"`
	want := "\uFEFFname;goalQuantity;customer;error\r\nWelle;fünf;\"Müller; Söhne\";" + why + "\r\nRing;3;;\r\n"
	if got.body != want || got.header.Get("Content-Type") != "text/csv; charset=utf-8" {
		t.Errorf("%s %q, want %q", got.header.Get("Content-Type"), got.body, want)
	}
	mended := strings.Replace(got.body, "fünf", "5", 1)
	got = workshop.must(t, http.StatusOK, http.MethodPost, "/api/import/jobs", mended, [2]string{"Content-Type", "text/csv"}, [2]string{"Accept", "text/csv"})
	if want := strings.Replace(strings.Replace(want, "fünf", "5", 1), why, "", 1); got.body != want {
		t.Errorf("%q, want %q", got.body, want)
	}
	if got := workshop.must(t, http.StatusOK, http.MethodGet, "/api/export/jobs.csv", "").body; strings.Count(got, "\n") != 3 {
		t.Error(got)
	}
}

// TestImportIsCutOff stops an import after its first thousand rows. Exactly the records of those rows exist. Sending the file again imports
// the rest, and with the same key the response is the one of an import without interruption.
func TestImportIsCutOff(t *testing.T) {
	t.Parallel()
	const rows = 2300
	kind, file := rowsOf("users", rows, func(i int, in *importing.UserInput) {
		in.Name, in.ExternalID = input.Given("Ann"), input.Given(fmt.Sprint(i))
		if i == 7 {
			in.Name = input.Null[string]()
		}
	})
	for name, key := range map[string]string{"with a key": "k", "without": ""} {
		service := openShop(t, nil).face.service
		ctx, cancel := context.WithCancel(t.Context())
		in := importing.Input{Rows: file, OnRefusal: input.Given("each"), Told: func(done, of int) {
			if done == 1000 && of == rows {
				cancel()
			}
		}}
		if _, err := importUnder(ctx, service, key, kind, in); err == nil {
			t.Fatalf("%s: it went on", name)
		}
		users := 0
		for _, err := range service.Users(t.Context(), true) {
			if users++; err != nil {
				t.Fatal(err)
			}
		}
		got, err := importUnder(t.Context(), service, key, kind, in)
		if err != nil || users != 999 || got.Rows != rows || len(got.Refused) != 1 || got.Refused[0].Row != 9 || got.Refused[0].Column != "name" {
			t.Fatalf("%s: %d users, then %+v, %v", name, users, got, err)
		}
		if created := got.Created; key != "" && created != rows-1 || key == "" && (created != rows-1000 || got.Unchanged != 999) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// rowsOf returns a kind of records and a file of it. fill fills each row, counted from 0.
func rowsOf[In any](name string, count int, fill func(i int, in *In)) (*importing.Kind, func() iter.Seq2[importing.Row, error]) {
	kinds := importing.Kinds()
	kind := &kinds[slices.IndexFunc(kinds, func(kind importing.Kind) bool { return kind.Name == name })]
	return kind, func() iter.Seq2[importing.Row, error] {
		return func(yield func(importing.Row, error) bool) {
			for i := range count {
				in := kind.New().(*In) //nolint:errcheck,forcetypeassert // it is
				fill(i, in)
				if !yield(importing.Row{Row: i + 2, In: in}, nil) {
					return
				}
			}
		}
	}
}

// importUnder imports with a key, or without one if it is "".
func importUnder(
	ctx context.Context, service *shop.Service, key string, kind *importing.Kind, in importing.Input,
) (result importing.Result, err error) {
	if key == "" {
		return importing.Import(ctx, service, kind, in)
	}
	err = service.Once(ctx, card.Once{Key: key}, func(ctx context.Context) (err error) {
		result, err = importing.Import(ctx, service, kind, in)
		return err
	})
	return result, err
}

// docs/api/clients.md, "Imports": TestLimitsOfImport imports the maximum number of rows, and one more.
func TestLimitsOfImport(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	workshop.bring(t, "users", "text/csv", "name,externalId\nAnn,1\n")
	most := "name,externalId\n" + strings.Repeat("Ann,1\n", importing.RowLimit)
	if got := workshop.bring(t, "users?onRefusal=each", "text/csv", most); got.Rows != importing.RowLimit || got.Unchanged != got.Rows {
		t.Errorf("%+v", got)
	}
	got := workshop.must(t, http.StatusBadRequest, http.MethodPost, "/api/import/users?onRefusal=each", most+"Bob,2\n", [2]string{"Content-Type", "text/csv"})
	if !strings.Contains(got.body, "A file may have at most 100000 rows") {
		t.Error(got.body)
	}
	long := "name\n\"" + strings.Repeat("x", 2<<20)
	got = workshop.must(t, http.StatusBadRequest, http.MethodPost, "/api/import/users", long, [2]string{"Content-Type", "text/csv"})
	if !strings.Contains(got.body, "A row has more than 1048576 bytes: a quote may be missing") {
		t.Error(got.body)
	}
	large := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/import/users", http.NoBody)
	large.ContentLength = spool.Limit + 1
	large.Header.Set("Content-Type", "text/csv")
	answer := httptest.NewRecorder()
	if workshop.face.ServeHTTP(answer, large); answer.Code != http.StatusRequestEntityTooLarge {
		t.Error(answer.Code, answer.Body)
	}
}

package httpapi

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// follow reads a list page by page, by the Link of each response. It returns the rows and the number of pages.
func (s *servedShop) follow(t *testing.T, target string) (rows []json.RawMessage, pages int) {
	t.Helper()
	for target != "" {
		got := s.must(t, http.StatusOK, http.MethodGet, target, "")
		var page []json.RawMessage
		if err := json.Unmarshal([]byte(got.body), &page); err != nil {
			t.Fatalf("%s: %v: %s", target, err, got.body)
		}
		rows, pages = append(rows, page...), pages+1
		if target = nextOf(t, got.header.Get("Link")); pages > 1000 {
			t.Fatalf("%s has no end", target)
		}
	}
	return rows, pages
}

func nextOf(t *testing.T, link string) string {
	t.Helper()
	if link == "" {
		return ""
	}
	target, found := strings.CutSuffix(strings.TrimPrefix(link, "<"), `>; rel="next"`)
	if !found {
		t.Fatalf("Link: %s", link)
	}
	return target
}

// TestListsByPage reads every list whole, and by pages of every size in each of its orders: the rows are the same bytes.
func TestListsByPage(t *testing.T) {
	t.Parallel()
	workshop, names := taggedShop(t)
	document := loadDocument(t)
	for i := range 3 {
		for target, body := range map[string]string{
			"/api/jobs": `{"name": "J%d", "goalQuantity": 4}`, "/api/certs": `{"type": "material", "name": "C%d"}`,
			"/api/bom":       `{"name": "B%d", "entries": [{"partType": "x", "requiredQuantityPerBuild": 1, "contributingJobIds": []}]}`,
			"/api/templates": `{"name": "T%d", "steps": [{"name": "A"}]}`, "/api/users": `{"name": "U%d"}`,
			"/api/library/processes": `{"name": "P%d"}`, "/api/library/locations": `{"name": "L%d"}`,
			"/api/serials/SN-00002/hold": `{"reason": "r%d", "userId": "ann"}`,
			"/api/notes":                 `{"jobId": "j", "pathId": "p", "stepId": "s", "serialIds": ["$serial"], "text": "n%d", "userId": "ann"}`,
			"/api/serials":               `{"jobId": "$job", "pathId": "$path", "quantity": 2, "userId": "u%d"}`,
			"/api/bom/$bom/edit":         `{"entries": [{"partType": "x", "requiredQuantityPerBuild": 1}], "changeDescription": "c%d", "userId": "ann"}`,
		} {
			if strings.Contains(body, "%d") {
				body = fmt.Sprintf(body, i)
			}
			if got, err := workshop.send(t.Context(), http.MethodPost, names.Replace(target), names.Replace(body)); err != nil || got.status >= 400 {
				t.Fatalf("%s: %v %s", target, err, got.body)
			}
		}
		workshop.must(t, 200, http.MethodPost, names.Replace("/api/serials/$serial/attach-cert"), names.Replace(`{"certId": "$cert", "userId": "ann"}`))
		workshop.must(t, 200, http.MethodPost, names.Replace("/api/serials/$serial/advance"), `{"userId": "ann"}`)
		if i == 1 {
			break
		}
	}
	for target, list := range map[string]struct{ name, sorts string }{
		"/api/jobs": {"", "-createdAt createdAt updatedAt -updatedAt"}, "/api/certs": {"", "-createdAt createdAt updatedAt"},
		"/api/bom": {"", "-createdAt createdAt"}, "/api/templates": {"", "-createdAt updatedAt"}, "/api/users": {"", "name -name updatedAt"},
		"/api/library/processes": {"", "name -name"}, "/api/library/locations": {"", "name"},
		"/api/serials/SN-00002/holds": {"", "createdAt -createdAt updatedAt"}, "/api/notes/serial/$serial": {"", "createdAt -createdAt updatedAt"},
		"/api/notes/step/s": {"", "createdAt -updatedAt"}, "/api/bom/$bom/versions": {"", "-createdAt createdAt"},
		"/api/serials/$serial/cert-attachments": {"", "createdAt -updatedAt"}, "/api/certs/$cert/attachments": {"", "createdAt updatedAt"},
		"/api/audit/serial/$serial": {"", "createdAt -createdAt"}, "/api/audit/job/$job": {"", "createdAt"},
		"/api/serials/$serial/overrides": {"", "createdAt updatedAt"}, "/api/serials/$serial/files": {"", "createdAt updatedAt"},
		"/api/instruments/inst_x/calibrations": {"404", ""}, "/api/characteristics/char_x/baseline": {"404", ""}, "/api/serials": {"", "createdAt"},
	} {
		target := names.Replace(target)
		if list.name != "" {
			workshop.must(t, http.StatusNotFound, http.MethodGet, target+"?limit=1", "")
			continue
		}
		whole := []json.RawMessage{}
		if err := json.Unmarshal([]byte(undated(workshop.must(t, 200, http.MethodGet, target, "").body)), &whole); err != nil {
			t.Fatal(err)
		}
		for i, sort := range strings.Fields(list.sorts) {
			for limit := 1; limit <= 4; limit++ {
				asked := fmt.Sprintf("%s?limit=%d&sort=%s", target, limit, sort)
				rows, pages := workshop.follow(t, asked)
				for i, row := range rows {
					dated := strings.Contains(string(row), `"updatedAt":"`)
					if entry := strings.HasPrefix(target, "/api/audit/"); dated == entry {
						t.Errorf("%s: updatedAt of %s: %t", asked, row, dated)
					}
					rows[i] = json.RawMessage(undated(string(row)))
				}
				if want := max(1, (len(whole)+limit-1)/limit); pages != want {
					t.Errorf("%s has %d pages, want %d", asked, pages, want)
				}
				if i == 0 && target != "/api/serials" && !slices.EqualFunc(rows, whole, func(a, b json.RawMessage) bool { return string(a) == string(b) }) {
					t.Errorf("%s:\n%s\nwant\n%s", asked, rows, whole)
				}
				if texts(rows) != texts(whole) && target != "/api/serials" || len(rows) != len(whole) {
					t.Errorf("%s has other rows than the whole list:\n%s\n%s", asked, rows, whole)
				}
			}
		}
		got := workshop.must(t, 200, http.MethodGet, target+"?limit=2", "")
		header := [2]string{"If-None-Match", got.header.Get("ETag")}
		same := workshop.must(t, http.StatusNotModified, http.MethodGet, target+"?limit=2", "", header)
		for _, answer := range []answered{got, same} {
			if err := document.check(t.Context(), &exchange{
				method: http.MethodGet, target: target + "?limit=2", header: [][2]string{header}, answer: answer, valid: true,
			}); err != nil {
				t.Error(err)
			}
		}
		for bad, want := range map[string]string{
			"limit=0": "limit must be greater than 0", "limit=1001": "limit must be at most 1000", "limit=x": "limit must be a whole number",
			"after=x": "after must be what a page of this list led to", "sort=x": "sort must be one of: ", "limit=1&limit=2": "limit must be given once",
			"updatedSince=yesterday": "updatedSince must be a time (ISO 8601)",
		} {
			if got := workshop.must(t, http.StatusBadRequest, http.MethodGet, target+"?"+bad, ""); !strings.Contains(got.body, want) {
				t.Errorf("%s?%s: %s, want %s", target, bad, got.body, want)
			}
		}
		// A cursor is valid only for its order and its list.
		if link := nextOf(t, got.header.Get("Link")); link != "" {
			workshop.must(t, http.StatusBadRequest, http.MethodGet, link+"x", "")
			other := "/api/library/processes"
			if target == other {
				other = "/api/jobs"
			}
			_, query, _ := strings.Cut(link, "?")
			workshop.must(t, http.StatusBadRequest, http.MethodGet, other+"?"+query, "")
		}
	}
}

// undated removes the time of change from rows, because most lists have it only in pages.
func undated(text string) string {
	return regexp.MustCompile(`,"updatedAt":"[^"]*"`).ReplaceAllString(text, "")
}

// texts sorts rows and joins them.
func texts(rows []json.RawMessage) string {
	all := make([]string, len(rows))
	for i, row := range rows {
		all[i] = string(row)
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// TestListsOfDocument checks the parameters of the lists in the document: each list that is an array can be read by page.
func TestListsOfDocument(t *testing.T) {
	t.Parallel()
	// Lists that are not lists of records, that are short because of their subject, or that have pages of their own.
	others := []string{
		"GET /api/serials/{id}/step-statuses", "GET /api/lots/{id}/holds", "GET /api/tracker/tickets", "GET /api/audit/search", "GET /api/resolve",
	}
	for path, item := range loadDocument(t).Paths.Map() {
		if item.Get == nil || item.Get.Responses.Value("200") == nil {
			continue
		}
		content := item.Get.Responses.Value("200").Value.Content.Get(jsonType)
		if content == nil || content.Schema == nil || !content.Schema.Value.Type.Is("array") {
			continue
		}
		other := slices.Contains(others, "GET "+path)
		for _, name := range []string{"limit", "after", "sort"} {
			if has := item.Get.Parameters.GetByInAndName("query", name) != nil; has == other && name == "sort" || !has && !other {
				t.Errorf("GET %s has the parameter %s: %t", path, name, has)
			}
		}
		for _, header := range []string{"Link", "ETag"} {
			if has := item.Get.Responses.Value("200").Value.Headers[header] != nil; !has && !other {
				t.Errorf("GET %s does not answer %s", path, header)
			}
		}
	}
}

// answersAList reports whether a successful response of an operation is a list: an array, an object with items, or a file of rows.
func answersAList(operation *openapi3.Operation) bool {
	ok := operation.Responses.Value("200")
	if ok == nil || operation.OperationID == "getFirstArticleWorkbook" { // the forms of one record
		return false
	}
	for media, content := range ok.Value.Content {
		if media != jsonType {
			return slices.Contains([]string{linesType, workbookType, aqdefType}, media) || strings.HasPrefix(media, "text/csv")
		}
		schema := content.Schema.Value
		if rows := schema.Properties["items"]; schema.Type.Is("array") || rows != nil && rows.Value.Type.Is("array") {
			return true
		}
	}
	return false
}

// TestListsAreAnsweredInOneWay finds handlers that write a list without a listing. A new list needs a row in views.Lists, and its route
// refers to that row.
func TestListsAreAnsweredInOneWay(t *testing.T) {
	t.Parallel()
	document, lists := loadDocument(t), 0
	for _, route := range slices.Concat(routes(), accessRoutes()) {
		method, path, _ := strings.Cut(route.pattern, " ")
		item := document.Paths.Value(path)
		if method != http.MethodGet || item == nil {
			continue
		}
		handler := runtime.FuncForPC(reflect.ValueOf(route.handle).Pointer()).Name()
		one := strings.Contains(handler, "httpapi.listHandler.")
		if listed := answersAList(item.Get) || path == "/api/backups"; listed != one { // an object with more members
			t.Errorf("%s answers a list: %t, and is handled by %s", route.pattern, listed, handler)
		}
		if one {
			lists++
		}
	}
	if lists < 60 {
		t.Errorf("only %d lists were found", lists)
	}
	// A work queue is a list of lists. Operations on many units return the records that they created.
	for call, callers := range map[string][]string{
		"newStream": {"writeList", "getWorkQueue", "getOperatorQueue", "getStepQueue"},
		"writeList": {"listHandler", "answerWhole", "changeMany", "createSerials", "batchAttachCertificate"},
	} {
		if found := callersOf(t, call); !slices.Equal(found, slices.Sorted(slices.Values(callers))) {
			t.Errorf("%s is called by %v, want %v", call, found, callers)
		}
	}
}

// callersOf returns the names of the functions of the package that call a function.
func callersOf(t *testing.T, name string) (callers []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range parsed.Decls {
			function, ok := declared.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(function, func(node ast.Node) bool {
				if call, ok := node.(*ast.CallExpr); ok {
					called, _ := call.Fun.(*ast.Ident)
					if called != nil && called.Name == name && !slices.Contains(callers, function.Name.Name) {
						callers = append(callers, function.Name.Name)
					}
				}
				return true
			})
		}
	}
	slices.Sort(callers)
	return callers
}

// busyShop is a shop with random changes. Its clock goes forward and back, as the clocks of several instances do.
type busyShop struct {
	*servedShop
	t      *testing.T
	random *rand.Rand
	now    time.Time
	jobs   []string
	paths  []string
	holds  []string
	made   int
	mu     sync.Mutex
}

func openBusy(t *testing.T, seed uint64) *busyShop {
	t.Helper()
	b := &busyShop{t: t, random: rand.New(rand.NewPCG(seed, 1)), now: time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)}
	store, database := openStore(t)
	clock := func() time.Time {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.now = b.now.Add(time.Duration(b.random.IntN(2000)) * time.Millisecond)
		skew := time.Duration(b.random.Int64N(int64(views.Lookback))) * time.Millisecond
		if b.random.IntN(3) > 0 {
			skew = 0
		}
		return b.now.Add(-skew)
	}
	b.servedShop = serve(t, newFace(store, func(c *Config) {
		c.Service = shop.New(store, clock, ident.NewIdentifiers(clock))
	}), store, database)
	return b
}

func (b *busyShop) post(method, target, body string) string {
	b.t.Helper()
	got, err := b.send(b.t.Context(), method, target, body)
	if err != nil || got.status >= http.StatusInternalServerError {
		b.t.Fatalf("%s %s: %v %s", method, target, err, got.body)
	}
	var made struct{ ID string }
	_ = json.Unmarshal([]byte(got.body), &made)
	return made.ID
}

// change makes a random change.
func (b *busyShop) change() {
	b.t.Helper()
	unit := func() string {
		return "/api/serials/" + ident.DefaultPrefix.SerialID(1+b.random.Int64N(int64(max(1, b.made))))
	}
	pick := func(among []string) string { return among[b.random.IntN(len(among))] }
	what := b.random.IntN(12)
	if len(b.jobs) == 0 {
		what = 0
	}
	switch what {
	case 0:
		job := b.post("POST", "/api/jobs", `{"name": "J", "goalQuantity": 4}`)
		b.jobs = append(b.jobs, job)
		b.paths = append(b.paths, b.post("POST", "/api/paths", `{"jobId": "`+job+`", "name": "p", "goalQuantity": 4, "steps": [{"name": "A"}, {"name": "B"}, {"name": "C"}]}`))
	case 1:
		at := b.random.IntN(len(b.jobs))
		b.post("POST", "/api/serials", fmt.Sprintf(`{"jobId": %q, "pathId": %q, "quantity": 3}`, b.jobs[at], b.paths[at]))
		b.made += 3
	case 2:
		b.post("PUT", "/api/jobs/"+pick(b.jobs), fmt.Sprintf(`{"name": "J%d"}`, b.random.IntN(1000)))
	case 3:
		b.post("PUT", "/api/paths/"+pick(b.paths), fmt.Sprintf(`{"name": "p%d"}`, b.random.IntN(1000)))
	case 4:
		b.holds = append(b.holds, b.post("POST", unit()+"/hold", `{"reason": "r", "userId": "ann"}`))
	case 5:
		if len(b.holds) > 0 {
			b.post("POST", unit()+"/release", fmt.Sprintf(`{"holdId": %q, "reason": "r", "userId": "ann"}`, pick(b.holds)))
		}
	case 6:
		b.post("POST", unit()+"/scrap", `{"reason": "damaged", "userId": "ann"}`)
	default:
		b.post("POST", unit()+"/advance", ``)
	}
}

// mirror stores rows by their identifiers, and returns the newest time in them.
func mirror(t *testing.T, into map[string]string, rows []json.RawMessage, newest string) string {
	t.Helper()
	for _, row := range rows {
		var has struct{ ID, UpdatedAt string }
		if err := json.Unmarshal(row, &has); err != nil || has.ID == "" || has.UpdatedAt == "" {
			t.Fatalf("%v: %s", err, row)
		}
		into[has.ID] = string(row)
		newest = max(newest, has.UpdatedAt)
	}
	return newest
}

// TestListsWhileOthersWrite reads lists page by page while others write between the pages. A client that follows Link receives every record
// that existed throughout exactly once. A client that repeats updatedSince with the newest time seen has the current version of every
// record.
func TestListsWhileOthersWrite(t *testing.T) {
	t.Parallel()
	shops := 10
	if os.Getenv("ROUTECARD_TORTURE") != "" {
		shops = 200
	}
	for seed := range shops {
		b := openBusy(t, uint64(seed)) //nolint:gosec // small
		for range 5 + b.random.IntN(20) {
			b.change()
		}
		for _, target := range []string{"/api/serials", "/api/jobs"} {
			var before []struct{ ID string }
			if err := json.Unmarshal([]byte(b.must(t, 200, "GET", target, "").body), &before); err != nil {
				t.Fatal(err)
			}
			kept, newest := map[string]string{}, ""
			seen := map[string]int{}
			read := func(next string, writes int) {
				for next != "" {
					got := b.must(t, 200, "GET", next, "")
					var rows []json.RawMessage
					if err := json.Unmarshal([]byte(got.body), &rows); err != nil {
						t.Fatal(err)
					}
					newest = mirror(t, kept, rows, newest)
					for _, row := range rows {
						var has struct{ ID string }
						_ = json.Unmarshal(row, &has)
						seen[has.ID]++
					}
					next = nextOf(t, got.header.Get("Link"))
					for range b.random.IntN(writes + 1) {
						b.change()
					}
					writes = max(0, writes-1) // writes become fewer, so that the pages end
				}
			}
			read(fmt.Sprintf("%s?limit=%d", target, 1+b.random.IntN(5)), 6)
			for _, row := range before {
				if seen[row.ID] != 1 {
					t.Fatalf("seed %d: %s: %s was seen %d times", seed, target, row.ID, seen[row.ID])
				}
			}
			for range 3 {
				for range b.random.IntN(8) {
					b.change()
				}
				read(fmt.Sprintf("%s?limit=%d&updatedSince=%s", target, 1+b.random.IntN(5), newest), 3)
			}
			read(fmt.Sprintf("%s?updatedSince=%s", target, newest), 0)
			is := map[string]string{}
			rows, _ := b.follow(t, target+"?limit=1000")
			mirror(t, is, rows, "")
			for id, row := range is {
				if kept[id] != row {
					t.Fatalf("seed %d: %s: %s is\n%s\nand was read as\n%s", seed, target, id, row, kept[id])
				}
			}
		}
	}
}

// A page of a list sorted by name can begin after any name, however long, and in any script.
func TestPagesByName(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	names := []string{"~", "Z", "é", "\U0001F600", strings.Repeat("\U0010FFFF", input.NameLimit), strings.Repeat("\U0001F600", input.NameLimit)}
	for _, name := range names {
		body, _ := json.Marshal(map[string]string{"name": name})
		workshop.must(t, http.StatusOK, http.MethodPost, "/api/library/processes", string(body))
	}
	for _, order := range []string{"name", "-name", "updatedAt", "-updatedAt"} {
		rows, pages := workshop.follow(t, "/api/library/processes?limit=1&sort="+order)
		if len(rows) != len(names) || pages != len(names) {
			t.Errorf("%s: %d rows on %d pages, want %d", order, len(rows), pages, len(names))
		}
	}
	workshop.must(t, http.StatusBadRequest, http.MethodGet, "/api/library/processes?after="+strings.Repeat("x", 4001), "")
}

// Lists with a cursor in the response body have a Link header too.
func TestLinkOfSearches(t *testing.T) {
	t.Parallel()
	workshop, names := taggedShop(t)
	for i := range 3 {
		body := fmt.Sprintf(`{"number": "N%d", "name": "n", "title": "t", "description": "d", "severity": "minor", "reason": "r", "userId": "ann"}`, i)
		for _, target := range []string{"/api/instruments", "/api/serials/$serial/hold", "/api/nonconformances"} {
			if got, err := workshop.send(t.Context(), http.MethodPost, names.Replace(target), body); err != nil || got.status >= 400 {
				t.Fatalf("%s: %v %s", target, err, got.body)
			}
		}
	}
	var path struct{ Steps []struct{ ID string } }
	var instruments struct{ Items []struct{ ID string } }
	for target, into := range map[string]any{names.Replace("/api/paths/$path"): &path, "/api/instruments?limit=1": &instruments} {
		if err := json.Unmarshal([]byte(workshop.must(t, http.StatusOK, http.MethodGet, target, "").body), into); err != nil {
			t.Fatal(err)
		}
	}
	gauge := instruments.Items[0].ID
	workshop.must(t, http.StatusOK, http.MethodPut, "/api/steps/"+path.Steps[0].ID+"/characteristics",
		`{"characteristics": [{"number": "1", "name": "Bore", "type": "text"}, {"number": "2", "name": "Edge", "type": "text"}], "userId": "ann"}`)
	workshop.must(t, http.StatusCreated, http.MethodPost, names.Replace("/api/serials/$serial/measurements"),
		fmt.Sprintf(`{"values": [{"characteristic": "1", "value": "x", "instrumentId": %[1]q},
			{"characteristic": "2", "value": "y", "instrumentId": %[1]q}], "userId": "ann"}`, gauge))
	for target, want := range map[string]int{
		"/api/instruments": 3, "/api/holds": 3, "/api/nonconformances": 3, "/api/serials/search": 2, "/api/jobs/search": 1,
		"/api/measurements": 2, "/api/instruments/" + gauge + "/readings": 2,
	} {
		orders := []string{"", "&sort=createdAt", "&sort=-createdAt", "&updatedSince=2000-01-31T00:00:00.000Z"}
		if target == "/api/jobs/search" {
			orders = []string{"", "&sort=name", "&sort=urgency", "&updatedSince=2000-01-31T00:00:00.000Z"}
		}
		for _, order := range orders {
			rows := map[string]int{}
			for next := target + "?limit=1" + order; next != ""; {
				got := workshop.must(t, http.StatusOK, http.MethodGet, next, "")
				var page struct {
					Items []struct{ ID string }
					Next  string
				}
				if err := json.Unmarshal([]byte(got.body), &page); err != nil {
					t.Fatal(err)
				}
				for _, row := range page.Items {
					rows[row.ID]++
				}
				next = nextOf(t, got.header.Get("Link"))
				if given, _ := url.Parse(next); given.Query().Get("after") != page.Next || given.Query().Has("before") {
					t.Errorf("%s leads to %s, and says that %q is next", target, next, page.Next)
				}
			}
			if len(rows) != want {
				t.Errorf("%s%s: %v, want %d", target, order, rows, want)
			}
		}
	}
}

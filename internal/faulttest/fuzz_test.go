package faulttest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	_ "modernc.org/sqlite" // to check the file afterwards

	"github.com/routecard/routecard/internal/apitest"
	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/process"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/tracker/jiratest"
)

const (
	fewCalls   = 400            // for each engine, without ROUTECARD_TORTURE
	roundCalls = 1500           // calls of one database
	fuzzMemory = 256 << 20      // --memory-limit
	fuzzBound  = 2 * fuzzMemory // the maximum resident memory of the process
)

// TestDrawnCalls calls every operation of the OpenAPI document, in random order, with random values from a seed: valid values, values just
// beyond the limits, and values that contradict the document. Identifiers, entity tags and keys come from earlier responses, so that the
// calls reach the states of a shop in use. No response may be a fault of the service, and every response must agree with the document.
// Refused calls change nothing. The service stays ready and within its memory, and after a restart it has the same counts as before. At the
// end its trail is verified.
//
// ROUTECARD_TORTURE is the duration of the calls for each engine, such as 1h. ROUTECARD_TORTURE_SEED repeats all calls of one seed.
func TestDrawnCalls(t *testing.T) {
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			database := func() string { return filepath.Join(t.TempDir(), "shop.db") }
			if engine == "postgres" {
				database = func() string { return pgtest.Database(t) }
			}
			long, seed, again := fuzzFor(t)
			deadline := time.Now().Add(long)
			for ; ; seed++ {
				f := newFuzzer(t, seed, database())
				for f.calls < fewCalls || f.calls < f.enough && (again || time.Now().Before(deadline)) {
					f.call()
				}
				f.reach()
				f.finish()
				if t.Failed() {
					return
				}
				if again || !time.Now().Before(deadline) {
					f.report()
					return
				}
			}
		})
	}
}

// fuzzFor returns the duration of the calls and the first seed, or the seed whose calls are repeated.
func fuzzFor(t *testing.T) (long time.Duration, seed uint64, again bool) {
	t.Helper()
	seed = 1
	var err error
	if text := os.Getenv("ROUTECARD_TORTURE"); text != "" {
		if long, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
		if long > time.Minute { // short runs make the same calls in each run of one day
			seed = uint64(time.Now().UnixNano())
		}
	}
	if text := os.Getenv("ROUTECARD_TORTURE_SEED"); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
		again = true
	}
	return long, seed, again
}

// operation is one operation of the document. The list has it as many times as its weight.
type operation struct {
	*openapi3.Operation

	method, path string
}

// sent is a request as it went over the wire.
type sent struct {
	operation    *operation
	method       string
	target, body string
	header       [][2]string
}

// isDry reports whether a request is a dry run: it changes nothing, and its response is not stored under a key.
func (s *sent) isDry() bool {
	return strings.Contains(s.body, `"dryRun":true`) || strings.Contains(s.target, "dryRun=true")
}

// replied is a response as it came over the wire.
type replied struct {
	status int
	header http.Header
	body   string
}

// keyed is a request that succeeded under a key.
type keyed struct {
	key string
	sent
	replied
}

// fuzzer calls one service.
type fuzzer struct {
	*testing.T
	drawer

	seed       uint64
	document   *apitest.Document
	operations []*operation
	service    *instance
	client     *http.Client
	bearer     string            // a token; "" in open mode
	tags       map[string]string // the last entity tag of each address
	answers    map[string]string // the response by tag and address
	keyed      []keyed
	calls      int
	enough     int                    // the number of calls
	outcomes   map[string]map[int]int // by operation and status
	told       map[string]bool        // the defects that were reported
}

// newFuzzer makes a fuzzer on a new database. With an even seed, callers have to sign in.
func newFuzzer(t *testing.T, seed uint64, database string) *fuzzer {
	t.Helper()
	guarded := seed%2 == 0
	transport := &http.Transport{MaxIdleConnsPerHost: 2}
	t.Cleanup(transport.CloseIdleConnections)
	f := &fuzzer{
		T: t, drawer: drawer{Rand: rand.New(rand.NewPCG(seed, 0)), known: newKnown()}, seed: seed,
		document: apitest.Load(t), tags: map[string]string{}, answers: map[string]string{}, outcomes: map[string]map[int]int{}, told: map[string]bool{},
		client: &http.Client{
			Transport: transport, Timeout: time.Minute,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	if f.enough = roundCalls; seed%7 == 0 {
		f.enough *= 5
	}
	t.Logf("seed %d", seed)
	for _, path := range slices.Sorted(maps.Keys(f.document.Paths.Map())) {
		operations := f.document.Paths.Value(path).Operations()
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			o := &operation{operations[method], method, path}
			for range weight(o, guarded) {
				f.operations = append(f.operations, o)
			}
		}
	}
	folder := t.TempDir()
	token, key := filepath.Join(folder, "token"), filepath.Join(folder, "key")
	if err := errors.Join(os.WriteFile(token, []byte("example-token\n"), 0o600), sealer.MakeKey(key, "routecard/fuzz")); err != nil {
		t.Fatal(err)
	}
	jira := jiratest.Shop(jiratest.Cloud)
	worktracker := httptest.NewServer(jira)
	t.Cleanup(worktracker.Close)
	f.service = &instance{t: t, database: database, flags: []string{
		"--memory-limit", strconv.Itoa(fuzzMemory), "--pepper-file", filepath.Join(folder, "pepper"), "--ledger-interval", "100ms",
		"--tracker-url", worktracker.URL, "--tracker-user", jira.User, "--tracker-token-file", token, "--tracker-project", "SHOP",
		"--tracker-quantity-field", jiratest.QuantityField, "--ledger-key-file", key, "--ledger-origin", "routecard/fuzz",
	}}
	if !strings.Contains(database, "://") {
		f.service.flags = append(f.service.flags, "--backup-dir", t.TempDir(), "--backup-keep", "2")
	} else {
		f.service.flags = append(f.service.flags, "--files", t.TempDir())
	}
	if guarded {
		f.service.flags = append(f.service.flags, "--auth", "all")
	}
	f.service.start()
	if t.Failed() {
		t.FailNow()
	}
	if guarded {
		f.setUp()
	}
	for _, name := range []string{"createUser", "createCertificate", "createJob", "createPath", "batchCreateSerials"} {
		i := slices.IndexFunc(f.operations, func(o *operation) bool { return o.OperationID == name })
		for range 3 {
			f.callTo(f.operations[i])
		}
	}
	return f
}

// weight returns how often an operation is called in relation to the others.
func weight(o *operation, guarded bool) int {
	switch {
	case o.OperationID == "startBackup" || strings.HasPrefix(o.OperationID, "getOpenapi"):
		return 1
	case slices.Contains(o.Tags, "Access"):
		if guarded {
			return 3 // hashing passwords takes long
		}
		return 1
	case strings.HasPrefix(o.path, "/api/tracker/"), o.Extensions["x-permission"] == "anyone":
		return 2
	case o.method == http.MethodDelete:
		return 6
	case o.OperationID == "batchCreateSerials", o.OperationID == "createPath", o.OperationID == "advanceToStep":
		return 30
	case strings.Contains(strings.ToLower(o.OperationID), "scrap"), strings.Contains(strings.ToLower(o.OperationID), "forcecomplete"):
		return 5
	case strings.HasPrefix(o.OperationID, "batch"):
		return 10
	case o.method == http.MethodGet:
		return 6
	case strings.HasPrefix(o.path, "/api/serials/"):
		return 22
	default:
		return 12
	}
}

// setUp makes an administrator with all permissions, and a token for the calls.
func (f *fuzzer) setUp() {
	f.Helper()
	server := f.service.server
	server.Stdout.Await("API reference", server.Ended())
	_, file, _ := strings.Cut(server.Stdout.String(), "First sign-in: see ")
	file, _, _ = strings.Cut(file, "\n")
	line, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	_, code, _ := strings.Cut(strings.TrimSpace(string(line)), "/setup?code=")
	const password = "four birds on a wire"
	must := func(status int, method, target, body string, header ...[2]string) replied {
		f.Helper()
		answer, err := f.send(&sent{method: method, target: target, body: body, header: header})
		if err != nil || answer.status != status {
			f.Fatalf("%s: %v %d %s", target, err, answer.status, answer.body)
		}
		return answer
	}
	var user struct{ ID string }
	made := must(http.StatusCreated, http.MethodPost, "/api/setup", fmt.Sprintf(`{"code":%q,"login":"chief","name":"Chief","password":%q}`, code, password))
	if err := json.Unmarshal([]byte(made.body), &user); err != nil {
		f.Fatal(err)
	}
	f.known.spared[user.ID] = true
	signIn := func() [2]string {
		answer := must(http.StatusOK, http.MethodPost, "/api/sign-in", fmt.Sprintf(`{"login":"chief","password":%q}`, password))
		cookie, _, _ := strings.Cut(answer.header.Get("Set-Cookie"), ";")
		return [2]string{"Cookie", cookie}
	}
	must(http.StatusOK, http.MethodPut, "/api/users/"+user.ID+"/account", `{"login":"chief","roles":["admin","lead","integration"]}`, signIn())
	for _, login := range []string{"ines", "tom", "a.ruiz"} { // the users for which the calls act
		var named struct{ ID string }
		made := must(http.StatusCreated, http.MethodPost, "/api/users", fmt.Sprintf(`{"name":%q}`, login), signIn())
		if err := json.Unmarshal([]byte(made.body), &named); err != nil {
			f.Fatal(err)
		}
		must(http.StatusOK, http.MethodPut, "/api/users/"+named.ID+"/account", fmt.Sprintf(`{"login":%q}`, login), signIn())
		f.known.spared[named.ID] = true
	}
	answer := must(http.StatusCreated, http.MethodPost, "/api/users/"+user.ID+"/tokens",
		`{"name":"fuzz","permissions":["read","work","decide","plan","admin","act-for"]}`, signIn())
	var token struct{ ID, Token string }
	if err := json.Unmarshal([]byte(answer.body), &token); err != nil {
		f.Fatal(err)
	}
	f.known.spared[token.ID], f.bearer = true, token.Token
}

// send sends a request and reads the whole response.
func (f *fuzzer) send(s *sent) (replied, error) {
	ctx, cancel := context.WithCancel(f.Context())
	defer cancel()
	var body io.Reader
	if s.body != "" {
		body = strings.NewReader(s.body)
	}
	request, err := http.NewRequestWithContext(ctx, s.method, f.service.address()+s.target, body)
	if err != nil {
		return replied{}, err
	}
	if s.body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if f.bearer != "" {
		request.Header.Set("Authorization", "Bearer "+f.bearer)
	}
	for _, field := range s.header {
		request.Header.Set(field[0], field[1])
	}
	response, err := f.client.Do(request)
	if err != nil {
		return replied{}, err
	}
	defer response.Body.Close()
	endless := strings.HasPrefix(s.target, "/api/events") && response.StatusCode == http.StatusOK
	if endless {
		defer time.AfterFunc(100*time.Millisecond, cancel).Stop()
	}
	text, err := io.ReadAll(response.Body)
	if endless && errors.Is(err, context.Canceled) {
		err = nil
	}
	return replied{response.StatusCode, response.Header, string(text)}, err
}

// call draws a request, sends it, and checks the response.
func (f *fuzzer) call() {
	f.Helper()
	if len(f.keyed) > 0 && f.chance(3) {
		f.calls++
		f.repeat()
		return
	}
	f.callTo(f.operations[f.IntN(len(f.operations))])
}

func (f *fuzzer) callTo(o *operation) {
	f.Helper()
	f.calls++
	f.given, f.meant = f.given[:0], nil
	s := f.request(o)
	changes := s.method != http.MethodGet && s.method != http.MethodHead
	before := ""
	if changes && f.chance(8) {
		before = f.newest()
	}
	answer, err := f.send(s)
	if err != nil {
		f.defect(s, answer, "no answer: "+err.Error())
		return
	}
	f.judge(s, answer)
	if before != "" && (answer.status >= http.StatusBadRequest || s.isDry()) {
		if after := f.newest(); after != before {
			f.defect(s, answer, "it changed something: "+after)
		}
	}
	if match := unexpectedSize.FindStringSubmatch(answer.body); match != nil && strings.Count(s.body, `"expectedCount":`+match[2]) == 1 {
		again := *s
		again.body = strings.Replace(s.body, `"expectedCount":`+match[2], `"expectedCount":`+match[1], 1)
		if answer, err = f.send(&again); err == nil {
			f.judge(&again, answer)
		}
	}
	if f.calls%100 == 0 {
		f.ready()
	}
}

// ready checks that the service is ready. It may be busy for a moment, but not for a minute.
func (f *fuzzer) ready() {
	f.Helper()
	ready := &sent{method: http.MethodGet, target: "/readyz"}
	for patience := time.Now().Add(time.Minute); ; {
		answer, err := f.send(ready)
		if err == nil && answer.status == http.StatusOK && strings.Contains(answer.body, `"ready"`) {
			return
		}
		if err != nil || answer.status != http.StatusServiceUnavailable || time.Now().After(patience) {
			f.defect(ready, answer, fmt.Sprintf("not ready: %v", err))
			return
		}
	}
}

// unexpectedSize is the response to a batch whose selection has another size than expected.
var unexpectedSize = regexp.MustCompile(`The selection has (\d+) serials, expected (\d+)`)

// newest returns the newest audit entry.
func (f *fuzzer) newest() string {
	answer, err := f.send(&sent{method: http.MethodGet, target: "/api/audit?limit=1"})
	if err != nil {
		f.Fatal(err)
	}
	return answer.body
}

// request draws a request for an operation.
func (f *fuzzer) request(o *operation) *sent {
	s := &sent{operation: o, method: o.method, target: o.path}
	kinds, open := f.wants(o), f.known.open
	switch { // identifiers of the rarer records come first
	case f.sound && o.OperationID == "deleteOverride" && f.known.over[0] != "":
		f.meant = slices.Clone(f.known.over[:])
	case f.sound && strings.HasSuffix(o.path, "/{stepId}") && o.method == http.MethodPost && len(open) > 0:
		f.meant = slices.Clone(open[len(open)-1][:])
	case f.sound:
		f.meant = slices.Clone(f.about)
	case strings.HasSuffix(o.path, "/{stepId}") && len(open) > 0 && f.chance(60):
		pair := open[f.IntN(len(open))]
		f.meant = pair[:]
	case len(kinds) > 0 && f.chance(60):
		f.meant = []string{f.id(one(&f.drawer, kinds...))}
	}
	query := url.Values{}
	for _, ref := range o.Parameters {
		parameter := ref.Value
		switch parameter.In {
		case "path":
			place := "{" + parameter.Name + "}"
			s.target = strings.Replace(s.target, place, f.segment(parameter), 1)
		case "query":
			if f.sound && parameter.Required || !f.sound && f.chance(45) {
				query.Set(parameter.Name, f.parameter(parameter))
			}
		case "header":
			f.header(s, parameter)
		}
	}
	if !f.sound && f.chance(2) {
		query.Set(one(&f.drawer, "x", "limit", "%", "ü", "q"), one(&f.drawer, "", "1", strings.Repeat("x", 501), "\xff", "\x00"))
	}
	if len(query) > 0 {
		s.target += "?" + query.Encode()
	}
	switch described := o.json(); {
	case o.RequestBody == nil:
	case o.rows() != nil:
		s.body = fmt.Sprint(o.rows().Example)
		if !f.sound {
			s.body = one(&f.drawer, s.body, "", "name\n", "name;goalQuantity\nx;5\ny\n\"", "externalId,name\n1,x\n", "\xff\x00,,\n")
		}
		s.header = append(s.header, [2]string{"Content-Type", one(&f.drawer, "text/csv", "text/csv; charset=windows-1252")})
	case described == nil: // a file
		s.body = one(&f.drawer, "", "G1 X10\n", "<svg/>", "%PDF-1.7", "\x00\xff")
	default:
		s.body = f.body(described.Schema)
		if !f.sound && f.chance(1) {
			s.header = append(s.header, [2]string{"Content-Type", one(&f.drawer, "text/plain", "application/json; charset=latin1", "x", "application/JSON")})
		}
	}
	switch {
	case f.sound:
	case f.chance(1):
		s.method = one(&f.drawer, http.MethodPut, http.MethodPatch, http.MethodPost, http.MethodDelete, "PROPFIND")
	case o.method == http.MethodGet && f.chance(3):
		s.method = http.MethodHead
	}
	return s
}

// json returns the description of the JSON body of an operation; nil for an operation without a body, or with another kind of body.
func (o *operation) json() *openapi3.MediaType {
	if o.RequestBody == nil {
		return nil
	}
	return o.RequestBody.Value.Content.Get("application/json")
}

// rows returns the description of the body of an operation that imports the rows of a file; nil for other operations.
func (o *operation) rows() *openapi3.MediaType {
	if o.RequestBody == nil {
		return nil
	}
	return o.RequestBody.Value.Content.Get("text/csv")
}

// wants returns the kinds of identifiers that an operation reads, without the first one in its address.
func (f *fuzzer) wants(o *operation) (kinds []string) {
	for _, ref := range o.Parameters {
		if kind := kindOf(fmt.Sprint(ref.Value.Example)); ref.Value.In == "path" && kind != "" {
			kinds = append(kinds, kind)
		}
	}
	kinds = kinds[min(1, len(kinds)):]
	if described := o.json(); described != nil {
		properties := described.Schema.Value.Properties
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			if kind := kindOfSchema(properties[name].Value, name); kind != "" {
				kinds = append(kinds, kind)
			}
		}
	}
	if slices.Contains(kinds, "path_") {
		return []string{"path_"}
	}
	return kinds
}

// segment draws an identifier in an address.
func (f *fuzzer) segment(parameter *openapi3.Parameter) string {
	example := fmt.Sprint(parameter.Example)
	if parameter.Name == "place" { // of several segments
		return one(&f.drawer, example, "0/000", "0/000.p/1", "entries/000", "entries/000.p/9", "1/000", "x", "0/x999/000", "-1/000", "0/000.p/256", "63/000")
	}
	if !f.sound && f.chance(6) {
		return url.PathEscape(one(&f.drawer, "x", "_all", "%", " ", "a/b", "\x00", "\xff", "検査", strings.Repeat("x", 500), strings.Repeat("x", 501),
			"SN-99999999999999999999", "SN-0", "job_", f.id(one(&f.drawer, "job_", "path_", "SN-", "user_"))))
	}
	if kind := cmp.Or(kindOf(example), kinds[parameter.Name]); kind != "" {
		return f.id(kind)
	}
	return url.PathEscape(example)
}

// parameter draws a parameter of the query.
func (f *fuzzer) parameter(parameter *openapi3.Parameter) string {
	if f.chance(12) {
		return one(&f.drawer, "", "-1", "0", "1e3", "x", "9223372036854775808", strings.Repeat("é", 250), strings.Repeat("x", 501), "\xff", "\x00", "検", "%", "1.5", " ")
	}
	v := f.draw(parameter.Schema, parameter.Name)
	var text string
	if json.Unmarshal([]byte(v.raw), &text) == nil {
		return text
	}
	return v.raw
}

// header sometimes adds a header that the operation reads.
func (f *fuzzer) header(s *sent, parameter *openapi3.Parameter) {
	var drawn string
	if f.sound {
		return
	}
	switch parameter.Name {
	case "Idempotency-Key":
		if !f.chance(25) {
			return
		}
		drawn = one(&f.drawer, `"`, "") + strconv.FormatUint(f.Uint64(), 36)
		drawn += drawn[:strings.Count(drawn, `"`)]
		if f.chance(5) {
			drawn = one(&f.drawer, " ", `"`, `""`, "a b", "é", strings.Repeat("x", 255), strings.Repeat("x", 256), `"a\"`, "\t")
		}
	case "If-Match", "If-None-Match":
		if !f.chance(40) {
			return
		}
		drawn = f.tags[s.target]
		if drawn == "" || f.chance(25) {
			drawn = one(&f.drawer, "*", `"x"`, `W/"x"`, "x", `"`, `"a", "b"`, drawn+", *", `W/`+drawn, `"x", `+drawn, ",,")
		}
	default:
		if !f.chance(40) {
			return
		}
		drawn = f.parameter(parameter)
		if strings.ContainsFunc(drawn, func(r rune) bool { return r < ' ' }) {
			return // no header can have such a text
		}
	}
	s.header = append(s.header, [2]string{parameter.Name, drawn})
}

// judge checks a response against the rules for all responses, and collects the identifiers in it for later calls.
func (f *fuzzer) judge(s *sent, answer replied) {
	f.Helper()
	if f.outcomes[s.operation.OperationID] == nil {
		f.outcomes[s.operation.OperationID] = map[int]int{}
	}
	f.outcomes[s.operation.OperationID][answer.status]++
	if answer.status >= http.StatusInternalServerError && !expected(s, answer) {
		f.defect(s, answer, "a fault of the service")
		return
	}
	if answer.status == http.StatusUnauthorized && f.bearer != "" && strings.Contains(answer.body, "The token is not valid") {
		f.defect(s, answer, "the token is not accepted any more")
	}
	if s.method != s.operation.method {
		return // other tests compare these responses with the document
	}
	if f.comparable(s, answer) {
		if err := f.document.Check(f.Context(), &apitest.Exchange{
			Method: s.method, Target: s.target, Body: s.body, Header: s.header,
			Status: answer.status, AnswerHeader: answer.header, Answer: answer.body,
		}); err != nil {
			f.defect(s, answer, "the document says otherwise: "+err.Error())
		}
	}
	if tag := answer.header.Get("ETag"); tag != "" && s.method == http.MethodGet {
		f.tags[s.target] = tag
		if answer.status == http.StatusOK {
			f.tagged(s, answer, tag)
		}
	}
	if answer.status >= http.StatusMultipleChoices {
		return
	}
	if strings.HasPrefix(answer.header.Get("Content-Type"), "application/json") && len(answer.body) < 256<<10 && !strings.HasSuffix(s.target, ".json") {
		f.known.learn([]byte(answer.body))
	}
	for _, field := range s.header {
		if field[0] == "Idempotency-Key" && !s.isDry() && answer.header.Get("Idempotency-Replayed") == "" {
			f.keyed = append(f.keyed[max(0, len(f.keyed)-20):], keyed{field[1], *s, answer})
		}
	}
}

// tagged checks that a tag always has the same response: otherwise a client with the tag would miss a change.
func (f *fuzzer) tagged(s *sent, answer replied, tag string) {
	f.Helper()
	named := fmt.Sprintf("%s %v %s", s.target, s.header, tag)
	if before, seen := f.answers[named]; seen && before != answer.body {
		f.defect(s, answer, fmt.Sprintf("the tag %s named another answer: %.2000s", tag, before))
	}
	f.answers[named] = answer.body
}

// comparable reports whether a response can be compared with the document. It excludes addresses with a parameter of several segments,
// responses without an end, most of the large ones, and routes that do not exist: no route has a NUL character, and open mode has no routes
// to sign in.
func (f *fuzzer) comparable(s *sent, answer replied) bool {
	path, _, _ := strings.Cut(s.target, "?")
	switch {
	case strings.Contains(path, "%00"):
		return answer.status != http.StatusNotFound
	case s.operation.OperationID == "getLedgerTile", s.operation.OperationID == "streamEvents" && answer.status == http.StatusOK:
		return false
	case f.bearer == "" && (slices.Contains(s.operation.Tags, "Access") || s.operation.OperationID == "beginPasskeySignature"):
		return answer.status != http.StatusNotFound
	}
	return len(answer.body) < 1<<20 || f.calls%10 == 0
}

// expected reports whether a fault is caused by another service, or by a part that the call depends on.
func expected(s *sent, answer replied) bool {
	switch answer.status {
	case http.StatusBadGateway:
		return strings.HasPrefix(s.target, "/api/tracker/")
	case http.StatusServiceUnavailable: // a proof or a backup that does not exist yet
		return strings.HasPrefix(s.target, "/api/ledger/proof/") || strings.HasPrefix(s.target, "/ledger/")
	}
	return false
}

// repeat sends a request that succeeded under a key again, and sometimes a different request under that key.
func (f *fuzzer) repeat() {
	f.Helper()
	k := f.keyed[f.IntN(len(f.keyed))]
	again := k.sent
	if f.chance(30) {
		again.body += " "
	}
	answer, err := f.send(&again)
	switch {
	case err != nil:
		f.defect(&again, answer, "no answer: "+err.Error())
	case again.body != k.sent.body:
		if k.sent.body != "" && answer.status != http.StatusUnprocessableEntity {
			f.defect(&again, answer, "the key stood for another request")
		}
	case answer.status != k.replied.status || answer.body != k.replied.body || answer.header.Get("Idempotency-Replayed") != "true":
		f.defect(&again, answer, fmt.Sprintf("it was answered before: %d %.2000s", k.replied.status, k.replied.body))
	}
}

// defect reports an error, once for each operation and kind.
func (f *fuzzer) defect(s *sent, answer replied, what string) {
	f.Helper()
	operation := s.target
	if s.operation != nil {
		operation = s.operation.OperationID
	}
	kind := fmt.Sprintf("%s %d %.60s", operation, answer.status, what)
	if f.told[kind] {
		return
	}
	f.told[kind] = true
	digest := sha256.Sum256([]byte(s.body))
	f.Errorf("seed %d, call %d: %s\n%s %s %v\n%d bytes (%x): %.3000q\nanswered %d: %.2000s", f.seed, f.calls, what,
		s.method, s.target, s.header, len(s.body), digest[:4], s.body, answer.status, answer.body)
	if len(f.told) > 20 {
		f.FailNow()
	}
}

// finish compares the service after a restart with its state before, and its trail with the ledger.
func (f *fuzzer) finish() {
	f.Helper()
	f.ready()
	if resident := f.service.resident(); resident > fuzzBound {
		f.Errorf("seed %d: the service had %d MiB resident", f.seed, resident>>20)
	}
	var targets []string
	for kind, address := range map[string]string{"job_": "/api/jobs/", "path_": "/api/paths/", "SN-": "/api/serials/", "bom_": "/api/bom/"} {
		all := f.known.kinds[kind]
		for _, id := range all[max(0, len(all)-40):] {
			targets = append(targets, address+id)
		}
	}
	targets = append(targets, "/api/operator/work-queue", "/api/holds", "/api/users")
	slices.Sort(targets)
	before := map[string]replied{}
	for _, target := range targets {
		var err error
		if before[target], err = f.send(&sent{method: http.MethodGet, target: target}); err != nil {
			f.Fatal(err)
		}
	}
	f.service.stop()
	f.service.start()
	if f.Failed() {
		return
	}
	for _, target := range targets {
		s := &sent{method: http.MethodGet, target: target}
		answer, err := f.send(s)
		if err != nil || answer.status != before[target].status || answer.body != before[target].body {
			f.defect(s, answer, fmt.Sprintf("after a new start it is not what it was (%v): %d %.2000s", err, before[target].status, before[target].body))
		}
	}
	f.service.stop()
	f.service.verify()
}

// report logs the number of calls by operation and outcome. It is not called after a failure, which would be hard to find among these
// lines.
func (f *fuzzer) report() {
	f.Helper()
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(f.outcomes)) {
		fmt.Fprintf(&text, "%s %v\n", name, f.outcomes[name])
	}
	f.Logf("%d calls, %d MiB resident at most\n%s", f.calls, f.service.most>>20, text.String())
}

// verify runs `routecard verify` on the database of a service that has ended, and SQLite's own checks on a file.
func (i *instance) verify() {
	i.t.Helper()
	if text, err := exec.Command(process.Routecard(i.t), "verify", "--database", i.database).CombinedOutput(); err != nil {
		i.t.Errorf("routecard verify: %v\n%s", err, text)
	}
	if strings.Contains(i.database, "://") {
		return
	}
	db, err := sql.Open("sqlite", i.database)
	if err != nil {
		i.t.Fatal(err)
	}
	defer db.Close()
	for query, want := range map[string]string{
		`PRAGMA integrity_check`: "ok", `SELECT COUNT(*) FROM pragma_foreign_key_check`: "0",
	} {
		var got string
		if err := db.QueryRowContext(i.t.Context(), query).Scan(&got); err != nil || got != want {
			i.t.Errorf("%s: %s (%v)", query, got, err)
		}
	}
}

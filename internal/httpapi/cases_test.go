package httpapi

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// TestCases runs the case files. scenario_test.go describes their format.
func TestCases(t *testing.T) {
	t.Parallel()
	runCases(t, readScenarios(t), newRecording(t), enginetest.New)
}

// The case files hold for units with another prefix.
func TestCasesWithAnotherPrefix(t *testing.T) {
	t.Parallel()
	const prefix ident.Prefix = "P2"
	scenarios := readScenarios(t)
	renamed := strings.NewReplacer("SN-", prefix.Mark(), "sn-", strings.ToLower(prefix.Mark()))
	for i := range scenarios {
		for j := range scenarios[i].rows {
			scenarios[i].rows[j].rename(renamed)
		}
	}
	runCases(t, scenarios, nil, func(tb testing.TB) enginetest.Database {
		return enginetest.OfPlant(tb, prefix)
	})
}

// rename replaces texts in a row.
func (r *row) rename(by *strings.Replacer) {
	for _, text := range []*string{&r.sql, &r.target, &r.body, &r.message, &r.answer} {
		*text = by.Replace(*text)
	}
	for _, list := range [][][2]string{r.header, r.headers} {
		for i := range list {
			list[i][1] = by.Replace(list[i][1])
		}
	}
	for i := range r.audit {
		r.audit[i] = by.Replace(r.audit[i])
	}
}

// runCases runs scenarios, each in a database of its own. recording is nil for responses that were not recorded.
func runCases(t *testing.T, scenarios []scenario, recording *recording, open func(testing.TB) enginetest.Database) {
	t.Helper()
	document := loadDocument(t)
	for _, scenario := range scenarios {
		t.Run(scenario.name, func(t *testing.T) {
			t.Parallel()
			workshop, _ := filingShop(t, open(t), nil)
			play := &play{
				shop: workshop, door: workshop.backDoor(t), document: document, variables: map[string]string{},
				counts: strings.HasPrefix(scenario.name, "damaged/"),
			}
			if recording != nil {
				play.story = recording.story(scenario.name)
			}
			play.before = play.written(t)
			for _, row := range scenario.rows {
				if t.Failed() {
					return // after a failure the rest of the scenario proves nothing
				}
				play.row(t, row)
			}
		})
	}
}

// play is one scenario being run.
type play struct {
	shop      *servedShop
	door      *sql.DB
	document  *document
	variables map[string]string
	story     *story    // nil for a scenario whose responses were not recorded
	repeats   *repeater // sends every change again; nil to send each once
	stale     *covered  // the routes whose changes were sent with a stale tag before; nil to send none
	before    string    // the result of written before the next row
	counts    bool      // whether refusals may change a counter too, as after an sql row
}

// written returns a text that changes whenever the database is written to.
func (p *play) written(t *testing.T) string {
	t.Helper()
	if p.counts {
		return contents(t, p.door)
	}
	return enginetest.Written(t, p.door, "counter")
}

func (p *play) row(t *testing.T, row row) {
	t.Helper()
	if p.story != nil {
		p.story.tell(row)
	}
	if row.sql != "" {
		if _, err := p.door.ExecContext(t.Context(), expand(row.sql, p.variables)); err != nil {
			t.Fatalf("%s: %v", row.place, err)
		}
		if p.repeats == nil {
			p.before = p.written(t)
		}
		return
	}
	target, body := expand(row.target, p.variables), expand(row.body, p.variables)
	entries, stood := p.entries(t), p.standing(t)
	header := slices.Clone(row.header)
	for i := range header {
		header[i][1] = expand(header[i][1], p.variables)
	}
	again := p.repeats != nil && row.method != http.MethodGet && row.method != http.MethodHead && repeatable(&row)
	if again {
		header = append(header, p.repeats.key())
	}
	makes := row.method == http.MethodPut && row.status == http.StatusCreated // a record that does not exist has no tag
	if p.stale != nil && row.status < http.StatusBadRequest && !makes && p.refusedStale(t, operationOf(&row), row.method, target, body) {
		header = append(header, [2]string{"If-Match", "*"})
	}
	got, err := p.shop.send(t.Context(), row.method, target, body, header...)
	if err != nil {
		t.Fatalf("%s: %v", row.place, err)
	}
	if p.story != nil {
		p.story.answered(t, row, got)
	}
	if err := p.judge(row, got); err != nil {
		t.Fatalf("%s: %s %s: %v\n%s", row.place, row.method, target, err, got.body)
	}
	if err := p.judgeAudit(t, row, entries); err != nil {
		t.Fatalf("%s: audit: %v", row.place, err)
	}
	if stands := p.standing(t); stands != stood && !p.toldOfMove(t, entries) {
		t.Errorf("%s: units stood %s and stand %s, and no entry tells of an action that moves", row.place, stood, stands)
	}
	if p.repeats == nil {
		p.compare(t, row, exchange{method: row.method, target: target, body: body, header: header, answer: got})
	}
	if again {
		p.repeats.again(t, repeated{
			place: row.place, method: row.method, target: target, body: body, header: row.header, answer: got,
		})
	}
}

// compare compares an exchange with the OpenAPI document, and with the database if the request may not change it.
func (p *play) compare(t *testing.T, row row, made exchange) {
	t.Helper()
	made.valid = made.answer.status < http.StatusBadRequest && !row.lenient
	if err := p.document.check(t.Context(), &made); err != nil && !row.undocumented {
		t.Errorf("%s: %s %s and the OpenAPI document disagree: %v\n%s", row.place, made.method, made.target, err, made.answer.body)
	}
	before := p.before
	p.before = p.written(t)
	reads := made.method == http.MethodGet || made.method == http.MethodHead
	if (reads || made.answer.status >= http.StatusBadRequest) && p.before != before {
		t.Errorf("%s: %s %s must not change anything, but\n%s\nbecame\n%s", row.place, made.method, made.target, before, p.before)
	}
}

// repeatable reports whether a row can be sent twice under a key of the test: it has no key itself and is not a dry run.
func repeatable(row *row) bool {
	return !slices.ContainsFunc(row.header, func(field [2]string) bool { return field[0] == onceHeader }) &&
		!strings.Contains(row.body, `"dryRun": true`) && !strings.Contains(row.target, "dryRun=true")
}

// judge compares a response with its row.
func (p *play) judge(row row, got answered) error {
	if got.status != row.status {
		return fmt.Errorf("status %d, want %d", got.status, row.status)
	}
	for _, want := range row.headers {
		if value := got.header.Get(want[0]); value != expand(want[1], p.variables) {
			return fmt.Errorf("header %s is %q, want %q", want[0], value, want[1])
		}
	}
	if got.header.Get("X-Request-ID") == "" || got.header.Get("X-Content-Type-Options") != "nosniff" {
		return fmt.Errorf("a header that every answer has is missing: %v", got.header)
	}
	if row.method == http.MethodHead {
		if got.body != "" {
			return errors.New("an answer to HEAD has a body")
		}
		return nil
	}
	if kind := got.header.Get("Content-Type"); kind != jsonType {
		return fmt.Errorf("Content-Type is %q", kind)
	}
	value, err := decodeJSON([]byte(got.body))
	if err != nil {
		return err
	}
	if err := checkForms("answer", value); err != nil {
		return err
	}
	if object, ok := value.(map[string]any); ok && row.method == http.MethodGet && row.status == http.StatusOK {
		if err := judgeTag(fmt.Sprint(object["id"]), expand(row.target, p.variables), got); err != nil {
			return err
		}
	}
	if object, ok := value.(map[string]any); ok && row.status == http.StatusCreated {
		id, _ := object["id"].(string)
		if err := judgeLocation(id, expand(row.target, p.variables), got); err != nil {
			return err
		}
	}
	var want any
	switch {
	case row.status >= http.StatusBadRequest:
		if value, err = decodeJSON([]byte(plain(got.body))); err != nil {
			return err
		}
		want = map[string]any{
			"statusCode": jsonNumber(row.status), "message": expand(row.message, p.variables),
		}
	case row.answer == "":
		return nil
	default:
		if want, err = decodeJSON([]byte(expand(row.answer, p.variables))); err != nil {
			return fmt.Errorf("the expected answer: %w", err)
		}
	}
	return match("answer", want, value, p.variables)
}

// judgeLocation checks that the response to a creation has the address of the new record.
func judgeLocation(id, target string, got answered) error {
	path, _, _ := strings.Cut(target, "?")
	address := path + "/" + id
	if operationOf(&row{method: http.MethodGet, target: address}) == "" || id == "" {
		return nil
	}
	if location := got.header.Get("Location"); location != address {
		return fmt.Errorf("the Location is %q, want %q", location, address)
	}
	return nil
}

// judgeTag checks that the response with one record has an ETag exactly if the table of records says so.
func judgeTag(id, target string, got answered) error {
	at := slices.IndexFunc(shop.Records(), func(record shop.Record) bool {
		return record.Prefix != "" && strings.HasPrefix(id, record.Prefix)
	})
	if at >= 0 && strings.HasSuffix(target, "/"+id) && shop.Records()[at].Tagged != (got.header.Get("ETag") != "") {
		return fmt.Errorf("the answer with a %s has the ETag %q", shop.Records()[at].Kind, got.header.Get("ETag"))
	}
	return nil
}

// office are the actions that prepare production: a row need not list their entries.
var office = []string{
	"job_created", "job_changed", "path_created", "certificate_created", "bom_created", "bom_updated", "user_created",
	"user_changed", "template_created", "template_changed", "template_deleted",
}

// judgeAudit compares the row with the entries that follow the first ones, whose number is before.
func (p *play) judgeAudit(t *testing.T, row row, before int) error {
	t.Helper()
	ofOffice := func(action string) bool {
		return slices.ContainsFunc(office, func(of string) bool { return strings.Contains(action, `"`+of+`"`) })
	}
	added := p.entries(t) - before
	if added == 1 && len(row.audit) == 0 {
		answer := p.shop.must(t, http.StatusOK, http.MethodGet, "/api/audit?limit=1", "")
		if got, err := decodeObjects(answer.body); err == nil && len(got) == 1 && ofOffice(fmt.Sprintf("%q", got[0]["action"])) {
			return nil
		}
	}
	if added != len(row.audit) {
		return fmt.Errorf("%d entries were added, want %d", added, len(row.audit))
	}
	if added == 0 {
		return nil
	}
	answer := p.shop.must(t, http.StatusOK, http.MethodGet, "/api/audit?limit="+strconv.Itoa(added), "")
	got, err := decodeObjects(answer.body)
	if err != nil {
		return err
	}
	slices.Reverse(got)
	want, err := decodeObjects("[" + expand(strings.Join(row.audit, ","), p.variables) + "]")
	if err != nil {
		return fmt.Errorf("the expected entries: %w", err)
	}
	identifiers := make([]string, len(got))
	for i := range got {
		want[i]["id"], want[i]["timestamp"] = "@aud", "@time"
		identifiers[i] = fmt.Sprint(got[i]["id"])
	}
	if !slices.IsSorted(identifiers) {
		return fmt.Errorf("identifiers are not in the order of commit: %v", identifiers)
	}
	for i := range want {
		if err := match(fmt.Sprintf("entry %d", i), want[i], got[i], p.variables); err != nil {
			return fmt.Errorf("%w\n%s", err, answer.body)
		}
	}
	return nil
}

// standing lists how many units are at each position.
func (p *play) standing(t *testing.T) string {
	t.Helper()
	return strings.Join(column(t, p.door, `SELECT path_id || ' ' || status || ' ' || position || ': ' || COUNT(*) FROM serial
		GROUP BY path_id, status, position ORDER BY 1`), ", ")
}

// toldOfMove reports whether an entry after the first ones, whose number is entries, has an action that moves units.
func (p *play) toldOfMove(t *testing.T, entries int) bool {
	t.Helper()
	actions := column(t, p.door, fmt.Sprintf(`SELECT action FROM audit WHERE sequence > %d ORDER BY sequence`, entries))
	return slices.ContainsFunc(actions, func(action string) bool { return shop.MovesUnits(trail.Action(action)) })
}

func decodeObjects(text string) (objects []map[string]any, err error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	err = decoder.Decode(&objects)
	return objects, err
}

func (p *play) entries(t *testing.T) int {
	t.Helper()
	return count(t, p.door, `SELECT COUNT(*) FROM audit`)
}

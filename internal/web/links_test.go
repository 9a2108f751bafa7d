package web_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/web"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// identifiers matches identifiers of the API, which mean nothing to users.
var identifiers = regexp.MustCompile(`\b(cert|job|path|step|bom|user|flnk|catt|note|hold|tmpl|snso)_[0-9A-Z]{20,}`)

var linkTag = regexp.MustCompile(`<a\b[^>]*\bhref="([^"]*)"`)

// links lists the addresses that a page links to, except those of other programs.
func (p shown) links() (found []string) {
	for _, link := range linkTag.FindAllStringSubmatch(p.html, -1) {
		address := html.UnescapeString(link[1])
		path, _, _ := strings.Cut(address, "?")
		if !strings.HasPrefix(address, "/") || strings.HasPrefix(path, "/api/") || path == "/docs" || path == "/docs/handbook" || path == "/ledger/checkpoint" {
			continue
		}
		found = append(found, address)
	}
	return found
}

// link returns the address of the link with a text.
func (v *visitor) link(text string) string {
	v.t.Helper()
	found := regexp.MustCompile(`<a\b[^>]*\bhref="([^"]*)"[^>]*>\s*` + regexp.QuoteMeta(text)).FindStringSubmatch(v.page.html)
	if found == nil {
		v.t.Fatalf("no link %q on %s:\n%s", text, v.page.address, v.text())
	}
	return html.UnescapeString(found[1])
}

// Every link on every page opens a page that accepts the fields of its query, whatever characters the names of the listed records contain.
func TestEveryLinkLeadsToAPage(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ctx := context.Background()
	job, unit := s.units(90, "Saw & file", "Turn 50 %", "Pack?")
	_, err := s.service.UpdateJob(ctx, job, shop.UpdateJobInput{Name: input.Given("Body & cover = 50 %")})
	s.must(err)
	v := s.works("Dana & Co")
	s.certificate("Heat 47 & 11")
	s.bom("Kit #1", job)
	s.report(unit)
	_, err = s.service.HoldSerial(ctx, "SN-00002", shop.HoldSerialInput{Reason: input.Given("dent"), UserID: input.Given("dana")})
	s.must(err)
	for i := range 70 {
		_, err = s.service.AdvanceSerial(ctx, s.service.SerialPrefix().SerialID(int64(i+3)), shop.AdvanceSerialInput{UserID: input.Given("dana")})
		s.must(err)
	}
	fields := map[string]bool{}
	for name := range strings.FieldsSeq("q status step job path stepId before serial first last size units unit user action from until " +
		"operator sort left right waiting page back to do kind by only row as hold state since reason heldFor heldBy show lang") {
		fields[name] = true
	}
	seen, pages := map[string]bool{}, map[string]int{}
	queue := []string{"/", "/audit?serial=SN-00003", "/audit?action=serial_advanced&job=" + job, "/serials?q=Body+%26+cover", "/holds",
		"/jobs?q=Body+%26", "/nonconformances?status=all", "/queue?operator=everybody&sort=most"}
	for len(queue) > 0 {
		address := queue[0]
		queue = queue[1:]
		to, err := url.Parse(address)
		if err != nil {
			t.Errorf("%q is no address: %v", address, err)
			continue
		}
		kind := regexp.MustCompile(`SN-\d+|NCR?-\d+|[a-z]+_[0-9A-Z]{10,}`).ReplaceAllString(to.Path, "x")
		if pages[kind]++; seen[address] || pages[kind] > 12 { // a dozen pages of each kind are enough
			continue
		}
		seen[address] = true
		for name := range to.Query() {
			if !fields[name] {
				t.Errorf("%s: no page reads the field %q", address, name)
			}
		}
		if v.visit(address); v.page.status != http.StatusOK {
			t.Errorf("%s answers %d", address, v.page.status)
		}
		if found := identifiers.FindString(v.text()); found != "" && !strings.Contains(to.Path, "/entries.") {
			t.Errorf("%s shows the identifier %s", address, found)
		}
		for _, link := range v.page.links() {
			if link = strings.SplitN(link, "#", 2)[0]; link != "" && !seen[link] {
				queue = append(queue, link)
			}
		}
	}
	for _, path := range []string{"/audit/entries.csv", "/audit/entries.json", "/labels", "/serials/x/print", "/nonconformances/x/print", "/jobs/x/paths/x"} {
		if pages[path] == 0 {
			t.Errorf("no link leads to %s", path)
		}
	}
}

// The link "Newest" in a search preserves the search.
func TestNewestKeepsTheSearch(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(2, "Saw")
	job, _ := s.units(120, "Mill")
	v := s.visitor().visit("/serials?job=" + job + "&status=in_progress")
	first := v.page.address
	v.visit(v.link("Older units"))
	newest, err := url.Parse(v.link("Newest"))
	s.must(err)
	if want, _ := url.Parse(first); newest.Query().Encode() != want.Query().Encode() {
		t.Errorf("Newest leads to %s, want %s", newest, first)
	}
}

// A download contains the records of its page, with any filter. The link "Newest" preserves the filter too.
func TestDownloadsHaveWhatThePageShows(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(100, "Saw", "Turn")
	other, _ := s.units(100, "Mill")
	v := s.works("Dana Weber")
	for i := range 80 {
		for _, unit := range []int64{int64(i + 1), int64(i + 101)} {
			_, err := s.service.AdvanceSerial(t.Context(), s.service.SerialPrefix().SerialID(unit),
				shop.AdvanceSerialInput{UserID: input.Given(v.cookies["operator"])})
			s.must(err)
		}
	}
	entry := regexp.MustCompile(`<li class="entry`)
	for _, filter := range []string{
		"", "?job=" + job, "?job=" + other + "&action=serial_completed", "?action=serial_advanced&user=Dana+Weber",
		"?serial=SN-00003&action=serial_advanced", "?until=2026-03-02T08%3A01&job=" + job,
	} {
		v.visit("/audit" + filter)
		first, address := len(entry.FindAllString(v.page.html, -1)), v.page.address
		asCSV, asJSON := v.link("Download CSV"), v.link("Download JSON")
		total := first
		for strings.Contains(v.page.html, ">Older entries") {
			v.visit(v.link("Older entries"))
			total += len(entry.FindAllString(v.page.html, -1))
			older := v.page
			if v.visit(v.link("Newest")); len(entry.FindAllString(v.page.html, -1)) != first {
				t.Errorf("%s: Newest leads to %s", address, v.page.address)
			}
			v.page = older
		}
		rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(v.visit(asCSV).page.html, "\uFEFF"))).ReadAll()
		s.must(err)
		var entries []json.RawMessage
		s.must(json.Unmarshal([]byte(v.visit(asJSON).page.html), &entries))
		if len(rows)-1 != total || len(entries) != total {
			t.Errorf("%s shows %d entries; the CSV file has %d, the JSON file %d", address, total, len(rows)-1, len(entries))
		}
	}
}

// The address to which a form is posted is also the address of a page. After a refusal the browser can reload this page, and the page can
// refresh its parts.
func TestWhereFormsArePostedIsAPage(t *testing.T) {
	t.Parallel()
	patterns := append(web.Patterns(), web.AccessPatterns()...)
	for _, pattern := range patterns {
		address, posted := strings.CutPrefix(pattern, "POST ")
		switch {
		case !posted || slices.Contains(patterns, "GET "+address):
		case slices.Contains([]string{"/operator", "/language", "/acts", "/sign-out", "/oidc/logout"}, address): // these have no page
		default:
			t.Errorf("nothing is at %s, to which a form is posted", address)
		}
	}
	s := openShop(t)
	_, unit := s.units(1, "Saw")
	v := s.works("Dana")
	v.visit("/serials/" + unit + "/measurements")
	if v.page.address != "/serials/"+unit {
		t.Errorf("the readings of %s lead to %s", unit, v.page.address)
	}
	v.visit("/instruments/inst_1/calibrations").says("There is no instrument inst_1.")
	v.visit("/import/jobs").says("Import a file")
}

package web_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

var (
	headLink   = regexp.MustCompile(`<a class="sort" href="([^"]*)">([^<]*)<`)
	bodyRow    = regexp.MustCompile(`(?s)<tr[^>]*>\s*(?:<td class="tick">.*?</td>\s*)?<th scope="row"[^>]*>(.*?)</th>`)
	totalShown = regexp.MustCompile(`<b class="total">([^<]*)</b>`)
	sortedHead = regexp.MustCompile(`aria-sort="(\w+)"><a class="sort" href="[^"]*">([^<]*)<`)
)

// rows returns the first cell of each row of the page's list.
func (v *visitor) rows() (rows []string) {
	for _, row := range bodyRow.FindAllStringSubmatch(v.page.html, -1) {
		rows = append(rows, strings.TrimSpace(blanks.ReplaceAllString(html.UnescapeString(tag.ReplaceAllString(row[1], " ")), " ")))
	}
	return rows
}

// total returns the number of records that the page's list reports.
func (v *visitor) total() int {
	v.t.Helper()
	found := totalShown.FindStringSubmatch(v.page.html)
	if found == nil {
		v.t.Fatalf("%s has no total:\n%s", v.page.address, v.text())
	}
	digits := strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, found[1])
	count, err := strconv.Atoi(digits)
	if err != nil {
		v.t.Fatalf("%s: total %q", v.page.address, found[1])
	}
	return count
}

// file downloads the page's list and returns its column names and rows.
func (v *visitor) file() (heads []string, rows [][]string) {
	v.t.Helper()
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(v.answer(v.link("Export")).Body.String(), "\uFEFF"))).ReadAll()
	if err != nil || len(rows) == 0 {
		v.t.Fatalf("%s: the file has %d rows: %v", v.page.address, len(rows), err)
	}
	if book := v.workbook(); !slices.EqualFunc(book, rows, slices.Equal) {
		v.t.Errorf("%s: the workbook has %q, the file %q", v.page.address, book, rows)
	}
	return rows[0], rows[1:]
}

// workbook downloads the page's list as a workbook. It returns texts in the format of the other file.
func (v *visitor) workbook() (rows [][]string) {
	v.t.Helper()
	answer := v.answer(v.link("Excel"))
	if name := answer.Header().Get("Content-Disposition"); !strings.HasSuffix(name, `.xlsx"`) {
		v.t.Errorf("%s: the workbook is called %s", v.page.address, name)
	}
	archive, err := zip.NewReader(bytes.NewReader(answer.Body.Bytes()), int64(answer.Body.Len()))
	if err != nil {
		v.t.Fatal(err)
	}
	part, err := archive.Open("xl/worksheets/sheet1.xml")
	if err != nil {
		v.t.Fatal(err)
	}
	var read struct {
		Rows []struct {
			Cells []struct {
				Number string `xml:"v"`
				Text   string `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	if err := xml.NewDecoder(part).Decode(&read); err != nil {
		v.t.Fatal(err)
	}
	for _, row := range read.Rows {
		var cells []string
		for _, cell := range row.Cells {
			cells = append(cells, cell.Number+sheet.Harmless(cell.Text))
		}
		rows = append(rows, cells)
	}
	return rows
}

// stocked returns a shop that has records in every list.
func stocked(t *testing.T) (s *visitedShop, v *visitor, job string) {
	t.Helper()
	s = openShop(t)
	ctx := context.Background()
	job, _ = s.units(130, "Saw", "Turn", "Pack")
	other, _ := s.units(9, "Mill", "Anneal")
	_, err := s.service.UpdateJob(ctx, other, shop.UpdateJobInput{Name: input.Given("=Cover & lid"), GoalQuantity: input.Given(70.0)})
	s.must(err)
	v = s.works("Dana & Co")
	dana := input.Given(v.cookies["operator"])
	for _, name := range []string{"Zora", "adam", "Bea"} {
		s.operator(name)
	}
	for i, name := range []string{"Heat 9", "heat 1", "Heat 47 & 11"} {
		_, err := s.service.CreateCertificate(ctx, shop.CreateCertificateInput{Type: input.Given([]string{"material", "process"}[i%2]), Name: input.Given(name)})
		s.must(err)
	}
	for i := range 40 {
		_, err := s.service.AdvanceSerial(ctx, s.service.SerialPrefix().SerialID(int64(i+1)), shop.AdvanceSerialInput{UserID: dana})
		s.must(err)
	}
	for i := range 5 {
		for range 2 {
			_, err := s.service.AdvanceSerial(ctx, s.service.SerialPrefix().SerialID(int64(i+1)), shop.AdvanceSerialInput{UserID: dana})
			s.must(err)
		}
	}
	_, err = s.service.ScrapSerial(ctx, "SN-00130", shop.ScrapSerialInput{Reason: input.Given("damaged"), UserID: dana})
	s.must(err)
	s.report("SN-00020")
	s.report("SN-00021")
	s.pass(1e9)
	s.report("SN-00131")
	_, err = s.service.HoldSerial(ctx, "SN-00100", shop.HoldSerialInput{Reason: input.Given("dent"), UserID: dana})
	s.must(err)
	return s, v, job
}

// lists are the addresses of all lists.
var lists = []string{"/jobs", "/serials", "/certs", "/nonconformances", "/holds", "/users"} //nolint:gochecknoglobals // a table

// Each column head that is a link sorts the list by its column. A second press reverses the order, and a third press restores the original
// order. The file has the same rows in the same order.
func TestHeadsSortLists(t *testing.T) {
	t.Parallel()
	_, v, _ := stocked(t)
	for _, address := range lists {
		v.visit(address)
		own, heads := v.rows(), headLink.FindAllStringSubmatch(v.page.html, -1)
		if len(own) == 0 || len(heads) < 3 {
			t.Errorf("%s has %d rows and %d heads that sort it", address, len(own), len(heads))
		}
		for i, head := range heads {
			name := head[2]
			v.visit(html.UnescapeString(head[1]))
			order := sortedHead.FindAllStringSubmatch(v.page.html, -1)
			if len(order) != 1 || order[0][2] != name {
				t.Errorf("%s sorted by %s says %q", address, name, order)
				continue
			}
			columns, rows := v.file()
			at := slices.Index(columns, name)
			if at < 0 {
				t.Errorf("the file of %s has no column %s: %q", address, name, columns)
				continue
			}
			shown := v.rows()
			for j, row := range rows[:min(len(rows), len(shown))] {
				if !strings.HasPrefix(strings.TrimPrefix(row[0], "'"), strings.Fields(shown[j])[0]) {
					t.Errorf("%s by %s: row %d is %q, in the file %q", address, name, j, shown[j], row[0])
				}
			}
			values := make([]string, len(rows))
			for j, row := range rows {
				values[j] = strings.ToLower(row[at])
			}
			numeric := !slices.ContainsFunc(values, func(value string) bool {
				_, err := strconv.Atoi(strings.TrimSuffix(value, " %"))
				return err != nil
			})
			ordered := func(a, b string) int {
				if numeric {
					x, _ := strconv.Atoi(strings.TrimSuffix(a, " %"))
					y, _ := strconv.Atoi(strings.TrimSuffix(b, " %"))
					return x - y
				}
				return strings.Compare(a, b)
			}
			if order[0][1] == "descending" {
				slices.Reverse(values)
			}
			if name != "Severity" && !slices.IsSortedFunc(values, ordered) { // severities have a special order
				t.Errorf("%s by %s, %s: %q", address, name, order[0][1], values)
			}
			v.visit(html.UnescapeString(headLink.FindAllStringSubmatch(v.page.html, -1)[i][1]))
			if round := sortedHead.FindStringSubmatch(v.page.html); round == nil || round[1] == order[0][1] || round[2] != name {
				t.Errorf("%s by %s pressed again: %q", address, name, round)
			}
			v.visit(html.UnescapeString(headLink.FindAllStringSubmatch(v.page.html, -1)[i][1]))
			if again := v.rows(); !slices.Equal(again, own) {
				t.Errorf("%s by %s pressed a third time shows %q, want %q", address, name, again, own)
			}
		}
	}
}

// With any filters and order, the total, the pages of the list and the file agree. No row appears twice.
func TestTotalPagesAndFileOfAListAgree(t *testing.T) {
	t.Parallel()
	_, v, job := stocked(t)
	addresses := slices.Concat(lists, []string{
		"/serials?job=" + job, "/serials?job=" + job + "&sort=-unit", "/serials?status=completed", "/serials?status=scrapped&since=2026-03-02",
		"/serials?since=2026-03-02&until=2026-03-02", "/serials?since=2026-03-03", "/serials?hold=on", "/serials?hold=off", "/serials?hold=off&q=valve",
		"/serials?hold=on&job=" + job, "/serials?q=SN-0001", "/serials?q=1", "/serials?q=cover", "/serials?step=Turn", "/serials?step=Turn&sort=job",
		"/serials?step=Turn&hold=on", "/serials?reason=damaged&since=2026-01-01", "/serials?q=nothing+like+this", "/serials?status=in_progress&hold=on",
		"/jobs?state=work", "/jobs?q=cover&state=work", "/jobs?q=lid&sort=-goal", "/certs?q=heat+4", "/certs?sort=type",
		"/nonconformances?status=all&sort=units", "/nonconformances?status=closed", "/users?q=dana", "/users?sort=-active",
	})
	for _, address := range addresses {
		v.visit(address)
		if v.page.status != http.StatusOK {
			t.Errorf("%s answers %d", address, v.page.status)
			continue
		}
		if !strings.Contains(v.page.html, `class="total"`) { // nothing matches
			if rows := v.rows(); len(rows) > 0 {
				t.Errorf("%s has %d rows and no total", address, len(rows))
			}
			continue
		}
		total := v.total()
		_, file := v.file()
		rows := v.rows()
		asked, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			next := regexp.MustCompile(`<a class="button" href="([^"]*)">(?:Older|More) `).FindStringSubmatch(v.page.html)
			if next == nil {
				break
			}
			v.visit(html.UnescapeString(next[1]))
			to, _ := url.Parse(v.page.address)
			for field := range asked.Query() {
				if to.Query().Get(field) != asked.Query().Get(field) {
					t.Errorf("%s goes on at %s, without %s", address, v.page.address, field)
				}
			}
			if v.total() != total {
				t.Errorf("%s says %d, and %d on the next page", address, total, v.total())
			}
			rows = append(rows, v.rows()...)
		}
		if len(rows) != total || len(file) != total {
			t.Errorf("%s says that there are %d, shows %d, and the file has %d", address, total, len(rows), len(file))
		}
		names := slices.Clone(rows)
		slices.Sort(names)
		if len(slices.Compact(names)) != len(rows) && !strings.HasPrefix(address, "/jobs") {
			t.Errorf("%s shows a row twice", address)
		}
	}
}

// A list that is longer than the limit for sorting says so, and its totals are still correct.
func TestLongListsSayWhatTheirOrderLeavesOut(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(1005, "Saw", "Pack")
	v := s.visitor().visit("/serials?sort=unit")
	v.says("1\u202f005 units 1\u202f005 in progress")
	v.says("Only the first 1\u202f000 that match are listed in this order. Narrow the list to have all in it.")
	if rows := v.rows(); rows[0] != "SN-00006" {
		t.Errorf("the newest thousand begin with %s", rows[0])
	}
	if _, file := v.file(); len(file) != 1005 {
		t.Errorf("the file of a list in an order has %d rows", len(file))
	}
	v.visit("/serials?q=SN-0")
	v.says("More than 1\u202f000 units")
	if _, file := v.visit("/serials").file(); len(file) != 1005 {
		t.Errorf("the file has %d rows", len(file))
	}
}

// Malformed addresses do no harm. They have unknown orders and positions, and texts that a spreadsheet would execute.
func TestListsBearOddAddresses(t *testing.T) {
	t.Parallel()
	_, v, _ := stocked(t)
	own := v.visit("/jobs").rows()
	for _, address := range []string{"/jobs?sort=", "/jobs?sort=-", "/jobs?sort=nothing", "/jobs?sort=--name", "/jobs?sort=%27;DROP"} {
		if rows := v.visit(address).rows(); !slices.Equal(rows, own) || v.page.status != http.StatusOK {
			t.Errorf("%s answers %d with %q", address, v.page.status, rows)
		}
	}
	for _, address := range []string{"/jobs?sort=name&row=-1", "/jobs?sort=name&row=99999", "/jobs?sort=name&row=x"} {
		if rows := v.visit(address).rows(); len(rows) != 2 {
			t.Errorf("%s shows %q", address, rows)
		}
	}
	for _, address := range []string{"/serials?hold=perhaps", "/serials?reason=bad+luck&since=2026-01-01", "/serials?reason=damaged", "/serials?status=gone", "/serials?before=x"} {
		if v.visit(address); v.page.status != http.StatusBadRequest {
			t.Errorf("%s answers %d", address, v.page.status)
		}
	}
	if _, file := v.visit("/jobs").file(); file[1][0] != "'=Cover & lid" {
		t.Errorf("a spreadsheet would run %q", file[1][0])
	}
}

// Units that are ticked in the list can be printed and reported.
func TestTickedUnitsAreReported(t *testing.T) {
	t.Parallel()
	_, v, _ := stocked(t)
	v.visit("/nonconformances/new?serial=SN-00003&serial=SN-00004&serial=SN-00009")
	if want := "SN-00003 to SN-00004, SN-00009"; !strings.Contains(v.page.html, want) {
		t.Errorf("the form of a report does not have %s:\n%s", want, v.text())
	}
}

// The list of units can be filtered by days of finishing and scrapping. Days are in the time zone of the viewer.
func TestDaysAreTheViewers(t *testing.T) {
	t.Parallel()
	_, v, _ := stocked(t) // the time is 8 o'clock on 2 March in UTC
	for zone, day := range map[string]string{"UTC": "2026-03-02", "Pacific/Kiritimati": "2026-03-02", "Pacific/Pago_Pago": "2026-03-01"} {
		v.cookies["zone"] = url.QueryEscape(zone)
		if v.visit(fmt.Sprintf("/serials?since=%s&until=%s", day, day)); v.total() != 6 {
			t.Errorf("in %s %d units were closed on %s", zone, v.total(), day)
		}
	}
}

// The filter by the reason of a hold is dropped when the list shows units that are not on hold. Its label thus never contradicts the list.
func TestHeldForNarrowsHeldUnitsOnly(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(3, "Saw", "Pack")
	v := s.visitor().visit("/serials?hold=on&heldFor=crack")
	v.says("held because of")
	v.visit("/serials?hold=&heldFor=crack&heldBy=none")
	v.saysNothingOf("held because of")
	if len(v.rows()) != 3 {
		t.Errorf("%d rows", len(v.rows()))
	}
}

// A badge that is typed into the search is neither shown nor put into the address.
func TestBadgeInTheSearch(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	got := s.visitor().answer("/search?q=RC-ID-ABCDEFGHJKMNPQRSTVWXYZ2345")
	if to := got.Header().Get("Location"); got.Code != http.StatusSeeOther || to != "/search" {
		t.Errorf("answered %d, %q", got.Code, to)
	}
}

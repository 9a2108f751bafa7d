package office

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/internal/importcsv"
	"github.com/routecard/routecard/internal/patience"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// This is the page for importing a file. The server stores nothing between requests: each form contains the file and the meanings of its
// columns. A preview shows what would happen, and changes nothing.

// importPages declares the page, with a form for each kind of record.
func importPages() Noun {
	n := Noun{
		routes: []site.Route{site.Get("/import", site.Always(shop.OpRead), showImport)},
		Views:  map[string]any{"import": &importPage{}},
		menu:   []site.MenuEntry{{Section: "import", To: "/import", Label: "Import a file"}},
	}
	for _, kind := range importing.Kinds() {
		n.routes = append(n.routes,
			site.Get("/import/"+kind.Name, site.Always(shop.OpRead), site.LeadTo(importAddress)),
			site.Post("/import/"+kind.Name, site.Always(kind.Operation), importer(&kind)))
	}
	return n
}

// kindsInWords are the labels of the kinds of records.
var kindsInWords = map[string]lang.Text{
	"jobs": "Jobs", "serials": "Units", "users": "Operators", "certs": "Certificates",
	"measurements": "Readings", "lots": "Lots", "components": "Components", "shipments": "Shipments",
}

const (
	columnsShown  = 200 // maximum number; files need fewer columns
	firstShown    = 5   // rows
	cellShown     = 60  // characters
	refusedShown  = 100
	featuresShown = 200
)

type importPage struct {
	site.Frame
	Kind    string         // "" if the visitor may import none
	Kinds   []string       // the kinds that the visitor may import
	Columns []importColumn // of the previewed file
	Choices []string       // the possible meanings of a column
	First   [][]string
	Latin   bool   // whether the file is read as Windows-1252
	NotUTF8 bool   // whether it was read as UTF-8, but is not UTF-8
	Each    bool   // whether to import the remaining rows if some are refused
	Looked  bool   // whether Result is a preview
	At      string // digest of what was previewed; see lookedAt
	Result  *importing.Result
	Refused []importRefusal

	Slashed                  bool   // whether days are written with slashes
	Days                     string // the order of day and month in such dates
	CanMakeUnits, MakesUnits bool   // whether the import can, and does, create the wanted units of each job

	Measures bool // whether the file may come from a measuring machine
	Machine  bool // whether this file comes from one
	// These values apply to all rows.
	Unit, MeasuredIn, InstrumentID string

	AQDEF      bool // whether the file is in the Q-DAS transfer format
	Tolerances bool // whether limits in the file look like tolerances

	Features     []importFeature // of the file
	MoreFeatures bool            // whether there are more than are shown
}

// importFeature is a feature that a machine has measured, and its number on the drawing, or "" if it is ignored.
type importFeature struct{ Name, Balloon string }

type importColumn struct {
	Name    string
	Is      string // "" if the column is ignored
	Unknown bool
	Nearest string // the suggested meaning of an unknown column
}

// importRefusal is a reason for which rows are refused, with these rows.
type importRefusal struct {
	Rows         []int
	Column, Text string
}

// Where describes the rows with this reason.
func (p *importPage) Where(r importRefusal) string {
	const named = 6
	var said []string
	for _, row := range r.Rows[:min(named, len(r.Rows))] {
		said = append(said, strconv.Itoa(row))
	}
	if more := len(r.Rows) - named; more > 0 {
		said = append(said, p.T("{n} more", "n", p.Number(more)))
	}
	return strings.Join(said, ", ")
}

// KindWords returns the label of a kind of record.
func (p *importPage) KindWords(kind string) string { return p.Lookup(kindsInWords[kind]) }

// ColumnWords returns the label of a column.
func (p *importPage) ColumnWords(column string) string {
	return wording.ColumnCalled(p.Language, p.Kind, column)
}

// More is the number of refused rows that are not shown.
func (p *importPage) More() int {
	more := len(p.Result.Refused)
	for i := range p.Refused {
		more -= len(p.Refused[i].Rows)
	}
	return more
}

// Ready reports whether the file can be imported as previewed.
func (p *importPage) Ready() bool {
	return p.Looked && p.Result != nil && (len(p.Result.Refused) == 0 || p.Each && len(p.Result.Refused) < p.Result.Rows)
}

// None reports whether the whole file was refused.
func (p *importPage) None() bool { return !p.Each && p.Result != nil && len(p.Result.Refused) > 0 }

func showImport(v *site.Visit) error {
	return v.Show(http.StatusOK, "import", newImportPage(v, v.R.URL.Query().Get("kind")))
}

// newImportPage returns the page without a file. It starts with the first kind that the visitor may import.
func newImportPage(v *site.Visit, kind string) *importPage {
	page := &importPage{Frame: v.Frame("Import a file", "import")}
	for _, of := range importing.Kinds() {
		if !v.May(of.Operation.Permission()) {
			continue
		}
		page.Kinds = append(page.Kinds, of.Name)
		if page.Kind == "" || of.Name == kind {
			page.Kind, page.Measures = of.Name, of.Machine
		}
	}
	if page.Measures {
		page.Machine = v.Form.Get("machine") != ""
		page.Unit, page.MeasuredIn, page.InstrumentID = v.Form.Get("unit"), v.Form.Get("measuredIn"), v.Form.Get("instrumentId")
	}
	return page
}

// importer returns the handler for a kind of record. The file is a field of the form, so its content is part of the form's key.
func importer(kind *importing.Kind) func(*site.Visit) error {
	answer := site.Route{Answer: func(v *site.Visit) error { return bringIn(v, kind) }}
	return func(v *site.Visit) error {
		err := readFile(v)
		defer v.Brought.Close()
		if err != nil {
			return againImport(v, kind, nil, err)
		}
		if err := v.AdmitAgain(kind.Operation.Permission()); err != nil { // the upload may have taken a long time
			return err
		}
		err = v.Once(answer)
		v.Sent = nil // the failure page lacks the file, so it cannot offer to send the form again
		return err
	}
}

// againImport shows the form again, with the refusal and what is known about the file.
func againImport(v *site.Visit, kind *importing.Kind, file *importcsv.File, err error) error {
	refused, _ := site.AsRefusal(err)
	inPart := refused != nil && refused.Reason == importing.CutOff
	if _, unsigned := errors.AsType[*shop.SignatureError](err); !inPart && (unsigned || site.AsksWhoItIs(v, err)) {
		err = refusal.Refuse(wording.ImportSigned)
	}
	return v.Again("import", err, func(v *site.Visit, status int, refused *site.Problem) error {
		page := newImportPage(v, kind.Name)
		page.Rejected = refused
		if err := describeFile(v, page, kind, file); err != nil {
			return err
		}
		return v.Show(status, "import", page)
	})
}

// describeFile fills in the form's details of its file.
func describeFile(v *site.Visit, page *importPage, kind *importing.Kind, file *importcsv.File) (err error) {
	page.Latin, page.Each = v.Form.Get("charset") == latin, v.Form.Get("onRefusal") == "each"
	if file == nil {
		if v.Brought != nil && !page.Latin {
			page.NotUTF8 = !beginsInUTF8(v.Brought)
		}
		return nil
	}
	page.AQDEF = file.AQDEF()
	taken := map[string]bool{"": true}
	for _, column := range file.Columns() {
		page.Columns = append(page.Columns, importColumn{Name: column.Name, Is: column.Is, Unknown: column.Unknown})
		taken[column.Is] = true
	}
	for i := range page.Columns {
		column := &page.Columns[i]
		if column.Unknown {
			column.Nearest = wording.Proposed(column.Name, kind, taken)
			taken[column.Nearest] = true
		}
	}
	page.Choices = wording.ColumnChoices(kind)
	if err := describeReading(v, page, kind, file); err != nil {
		return err
	}
	if err := describeFeatures(v, page, file); err != nil {
		return err
	}
	page.First, err = file.First(firstShown)
	for _, row := range page.First {
		for i := range row {
			row[i] = site.Cut(row[i], cellShown)
		}
	}
	if _, told := site.AsRefusal(err); told {
		return nil // already reported, or reported later
	}
	return err
}

// describeReading fills in the options that only some files need: the format of dates, and whether to create units as well.
func describeReading(v *site.Visit, page *importPage, kind *importing.Kind, file *importcsv.File) error {
	page.Days = v.Form.Get("days")
	slashed, err := file.Slashed(firstShown * firstShown)
	if _, told := site.AsRefusal(err); err != nil && !told {
		return err
	}
	page.Slashed = slashed || page.Days != ""
	hasUnits := slices.ContainsFunc(page.Columns, func(column importColumn) bool {
		return slices.Contains([]string{"units", "serialNumbers"}, column.Is)
	})
	page.CanMakeUnits, page.MakesUnits = kind.Name == "jobs" && !hasUnits, v.Form.Get("makes") != ""
	return nil
}

// describeFeatures fills in the measured features and their numbers.
func describeFeatures(v *site.Visit, page *importPage, file *importcsv.File) error {
	features, more, err := file.FeaturesOf(featuresShown)
	if _, told := site.AsRefusal(err); err != nil && !told {
		return err
	}
	numbers := numbersOf(v, features)
	for _, name := range features {
		number, said := numbers[name]
		if !said {
			number = name
		}
		page.Features = append(page.Features, importFeature{name, number})
	}
	page.MoreFeatures = more
	return nil
}

// numbersOf returns the numbers of the features in a file. They come from the form, or else from the browser, which remembers those of the
// last file with exactly these features. A file with other features belongs to another drawing, where the same name may have another
// meaning.
func numbersOf(v *site.Visit, features []string) map[string]string {
	numbers := map[string]string{}
	var remembered []map[string]string
	_ = json.Unmarshal([]byte(v.Form.Get("knownFeatures")), &remembered) // ignore errors: the browser may send anything
	for _, of := range remembered {
		if len(of) == len(features) && !slices.ContainsFunc(features, func(name string) bool { _, has := of[name]; return !has }) {
			numbers = of
		}
	}
	for i, name := range v.Form["feature"] {
		if balloons := v.Form["balloon"]; i < len(balloons) {
			numbers[name] = strings.TrimSpace(balloons[i])
		}
	}
	return numbers
}

// constantsOfForm returns the values that apply to all rows of readings.
func constantsOfForm(v *site.Visit) map[string]string {
	constants := map[string]string{}
	for field, text := range map[string]string{
		"serialId": v.Form.Get("unit"), "unit": v.Form.Get("measuredIn"), "instrumentId": v.Form.Get("instrumentId"),
	} {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if _, ours := v.SerialPrefix().ParseSerialID(text); field == "serialId" && !ours && !strings.HasPrefix(text, shop.ExternalMark) {
			field = "serialNumber"
		}
		constants[field] = text
	}
	return constants
}

// beginsInUTF8 reports whether the beginning of a file is valid UTF-8.
func beginsInUTF8(file io.ReaderAt) bool {
	begin := make([]byte, 64<<10)
	n, _ := file.ReadAt(begin, 0)
	for i := 0; i < n; {
		letter, size := utf8.DecodeRune(begin[i:n])
		if letter == utf8.RuneError && size <= 1 {
			return n == len(begin) && i > n-utf8.UTFMax
		}
		i += size
	}
	return true
}

// latin is the form's value for Windows-1252.
const latin = "windows-1252"

// bringIn handles the form. It previews the file, imports it, or returns the file with the errors of its rows.
func bringIn(v *site.Visit, kind *importing.Kind) error {
	file, err := openFile(v, kind)
	if err == nil {
		err = file.Check()
	}
	if err != nil {
		return againImport(v, kind, file, err)
	}
	look := v.Form.Get("do") != "import"
	if looked := v.Form.Get("looked"); !look && looked != "" && looked != lookedAt(v, file) {
		return againImport(v, kind, file, refusal.Refuse(wording.NotLookedAt))
	}
	told, end := site.ProgressOf(v, "{done} of {n} row", "{done} of {n} rows")
	defer end()
	patience.More(v.W)
	result, err := importing.Import(v.R.Context(), v.Service, kind, importing.Input{
		Rows: file.Rows, OnRefusal: v.Text("onRefusal"), DryRun: input.Given(look), ChangedBy: v.User(),
		Told: func(done, rows int) {
			patience.More(v.W)
			told(done, rows)
		},
	})
	switch {
	case err != nil:
		return againImport(v, kind, file, err)
	case v.Form.Get("do") == "errors" && !file.AQDEF():
		return answerErrors(v, kind, file, &result)
	}
	v.Remember()
	if !look && len(result.Refused) == 0 {
		return v.Back("/import?kind="+kind.Name, imported(v.Language, &result))
	}
	page := newImportPage(v, kind.Name)
	if err := describeFile(v, page, kind, file); err != nil {
		return err
	}
	page.Looked, page.Result, page.At = look, &result, lookedAt(v, file)
	tellRefusedRows(page, kind, file)
	if !look && page.Each {
		refused := v.TN(len(result.Refused), "{n} row refused.", "{n} rows refused.")
		page.Done, page.Before = v.Tells(imported(v.Language, &result) + " " + refused)
	}
	return v.Show(http.StatusOK, "import", page)
}

// imported summarizes an import for the rows that were not refused.
func imported(l *lang.Language, result *importing.Result) string {
	figures := []any{"created", l.Number(result.Created), "changed", l.Number(result.Updated), "unchanged", l.Number(result.Unchanged)}
	if result.OutOfLimits > 0 {
		return l.T("{created} created ({out} out of limits), {changed} changed, {unchanged} unchanged.",
			append(figures, "out", l.Number(result.OutOfLimits))...)
	}
	return l.T("{created} created, {changed} changed, {unchanged} unchanged.", figures...)
}

// tellRefusedRows puts the reasons for refusing rows on the page, each with its rows and with the name that the file uses for the column.
func tellRefusedRows(page *importPage, kind *importing.Kind, file *importcsv.File) {
	called := map[string]string{}
	for _, column := range file.Columns() {
		if column.Is != "" {
			called[column.Is] = column.Name
		}
	}
	for _, row := range page.Result.Refused {
		_, refused := httpstatus.Of(row.Err)
		page.Tolerances = page.Tolerances || refused.Reason == importing.LooksTolerance
		page.NotUTF8 = page.NotUTF8 || !page.Latin && refused.Reason == refusal.NotUTF8
		column := row.Column
		if name, known := called[column]; known {
			column = name
		}
		column, text := site.Cut(column, cellShown), wording.AdviseOn(page.Language, kind.Operation.Noun(), refused).Text
		at := slices.IndexFunc(page.Refused, func(other importRefusal) bool { return other.Column == column && other.Text == text })
		switch {
		case at >= 0:
			page.Refused[at].Rows = append(page.Refused[at].Rows, row.Row)
		case len(page.Refused) < refusedShown:
			page.Refused = append(page.Refused, importRefusal{[]int{row.Row}, column, text})
		}
	}
}

// openFile opens the file and assigns meanings to its columns: from the form, from what the browser remembers, or by their names.
func openFile(v *site.Visit, kind *importing.Kind) (*importcsv.File, error) {
	if v.Brought == nil {
		return nil, refusal.Refuse(wording.NoFile)
	}
	options := importcsv.Options{
		Prefix: v.SerialPrefix(), Windows1252: v.Form.Get("charset") == latin, Days: importcsv.DayOrder(v.Form.Get("days")),
	}
	if v.Form.Get("makes") != "" {
		options.Copies = map[string]string{"units": "goalQuantity"}
	}
	if kind.Machine {
		options.AQDEF = importcsv.IsAQDEF(v.Brought)
		options.Zone, options.Memory = v.Service.Zone(), shop.MemoryBudgetOf(v.R.Context())
		options.Machine = !options.AQDEF && v.Form.Get("machine") != ""
		options.Constants = constantsOfForm(v)
	}
	file, err := importcsv.Open(v.Brought, v.Brought.Size, kind, options)
	if err != nil {
		return nil, err
	}
	columns := file.Columns()
	if len(columns) > columnsShown {
		return nil, refusal.Refuse(importcsv.TooManyColumns, columnsShown)
	}
	for at, is := range matchedColumns(v, columns) {
		file.Match(at, is)
	}
	if !kind.Machine {
		return file, nil
	}
	features, _, err := file.FeaturesOf(featuresShown)
	if err != nil {
		return file, err
	}
	file.Number(numbersOf(v, features))
	return file, nil
}

// matchedColumns returns the meanings of a file's columns, by index. They come from the form, or else from what the browser remembers for
// the name of the column. If two columns share a name, nothing is remembered for it. If the form was filled in for another file, its
// choices apply to columns with the same names.
func matchedColumns(v *site.Visit, columns []importcsv.Column) map[int]string {
	known, matched, times := map[string]string{}, map[int]string{}, map[string]int{}
	_ = json.Unmarshal([]byte(v.Form.Get("known")), &known) // ignore errors: the browser may send anything
	chosen, is := v.Form["column"], v.Form["is"]
	ofThisFile := len(chosen) == len(columns) && len(is) == len(columns)
	for i, name := range chosen {
		ofThisFile = ofThisFile && oneEnd(name) == oneEnd(columns[i].Name)
		if i < len(is) && is[i] != notChosen {
			known[name] = is[i]
		}
	}
	remembered := map[string]string{}
	for name, is := range known {
		remembered[oneEnd(name)] = is
	}
	for at := range columns {
		times[columns[at].Name]++
	}
	for at := range columns {
		name := columns[at].Name
		said, remembers := remembered[oneEnd(name)]
		switch {
		case name == "":
		case ofThisFile && is[at] != notChosen:
			matched[at] = is[at]
		case remembers && times[name] == 1:
			matched[at] = said
		}
		if is := cmp.Or(matched[at], columns[at].Is); v.Form.Get("do") == asTolerances && toleranceOf[is] != "" {
			matched[at] = toleranceOf[is]
		}
	}
	return matched
}

// oneEnd normalizes the line endings in a name, because browsers change the line endings that the page contains.
func oneEnd(name string) string { return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(name) }

// lookedAt returns a digest of a file and of how it is interpreted. If the digest of an import differs from that of the preview, the import
// is refused.
func lookedAt(v *site.Visit, file *importcsv.File) string {
	said := fmt.Appendf(nil, "%q %q", v.Form.Get(digestField), file.Charset())
	for _, column := range file.Columns() {
		said = fmt.Appendf(said, " %q", column.Is)
	}
	said = append(said, file.Reading()...)
	digest := sha256.Sum256(said)
	return hex.EncodeToString(digest[:])
}

// asTolerances is the form's value for interpreting limits as tolerances.
const asTolerances = "tolerances"

// toleranceOf maps the column of a limit to that of its tolerance.
var toleranceOf = map[string]string{"lower": "lowerTolerance", "upper": "upperTolerance"}

// notChosen is the form's value for a column without a chosen meaning.
const notChosen = "?"

// answerErrors returns the file with an additional column that has the reasons for refusing rows.
func answerErrors(v *site.Visit, kind *importing.Kind, file *importcsv.File, result *importing.Result) error {
	refused := make([]importing.RefusedRow, len(result.Refused))
	for i, row := range result.Refused {
		_, told := httpstatus.Of(row.Err)
		refused[i] = importing.RefusedRow{Row: row.Row, Err: told}
	}
	return site.SendDownload(v, kind.Name+".csv", "text/csv; charset="+file.Charset(), func(w io.Writer) error { // not a text: a header
		buffered := bufio.NewWriter(w)
		return errors.Join(file.WriteErrors(buffered, refused), buffered.Flush())
	})
}

// importAddress is the page on which all kinds of files are imported.
func importAddress(string) string { return "/import" }

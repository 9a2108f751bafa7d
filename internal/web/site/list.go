package site

import (
	"cmp"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// Each list of the pages is described by a ListKind. The address of a list determines everything that the list shows: the filters, the
// order (field sort) and the start of the page. So users can bookmark a list, send it to others and go back to it.
//
// By default a list has the order of an index, however many records there are, and a page begins after a record (field before). For any
// other order, the first orderedAtMost matching records are sorted in memory, and a page begins after a number of rows (field row). If more
// records match, the page says so.

// orderedAtMost is the maximum number of records that are sorted without an index or counted without a counter.
const orderedAtMost = 1000

// exportedAtOnce is the number of records that an export reads at a time.
const exportedAtOnce = 500

// ListKind describes a kind of list: its address, its columns, and how to load its records.
type ListKind[T any] struct {
	At        string    // the address of its page; also the name of the exported file
	One, Many lang.Text // texts for the number of records, such as "{n} unit" and "{n} units"
	Filters   []string
	PerPage   int
	// First and Sorted are the labels of two links, one to the beginning and one to the next page. First is for the default order, with
	// labels such as Newest and Older units. Sorted is for every other order, with labels such as First units and More units.
	First, Sorted [2]lang.Text
	Columns       []ListColumn[T]
	Key           func(T) string // key of a record; a page begins after the record with this key
	// Load reads records that match the filters, in the default order. It begins after the record with the key before, or with the first
	// record if before is "". more reports whether other records follow.
	Load func(v *Visit, query url.Values, before string, limit int) (records []T, more bool, err error)
	// Sum returns the totals of the matching records. It gets the first orderedAtMost records, but if Counts is set, records may be nil.
	Sum    func(v *Visit, query url.Values, records []T, more bool) (ListTotals, error)
	Counts bool // whether Sum counts the records itself
}

// ListColumn is a column of a list.
type ListColumn[T any] struct {
	Name    lang.Text
	Number  bool                  // whether it contains numbers
	Wide    bool                  // whether it is hidden on narrow screens that still show the table with rows
	Sort    string                // the value of sort in an address, "" if the column cannot be sorted
	Compare func(a, b T) int      // ascending
	Down    bool                  // whether the first press sorts descending
	Cell    func(record T) string // the text in an exported file
	Why     lang.Text             // why the column cannot be sorted
	// onlyFile reports that the column is only in the exported file and not on the page.
	onlyFile bool
}

// ListTotals are the totals of a list.
type ListTotals struct {
	Count   int64
	AtLeast bool // whether there are more records than Count
	Figures []ListFigure
}

// ListFigure is one total: a number, and the text that says what was counted.
type ListFigure struct {
	Count     int64
	One, Many lang.Text // such as "{n} unit" and "{n} units"
	Kind      string    // a class of the style sheet, "" for none
}

// ListShown has the data of a list for its page, without the records.
type ListShown struct {
	ListTotals
	*lang.Language
	ID        string // id of the element that contains the list
	Heads     []listHead
	Sort      string // the value of sort in the address, "" for the default order
	Begins    bool   // whether the page begins with the first record
	FirstURL  string
	NextURL   string // "" at the end
	FileURL   string // exports all matching records as CSV
	BookURL   string // exports them as a workbook
	First     string // labels of the links FirstURL and NextURL
	Next      string
	one, many lang.Text
}

// listHead is the heading of a column.
type listHead struct {
	Column
	URL   string // the list sorted by this column, "" if it cannot be sorted
	Order string // ascending or descending, "" if the list is not sorted by this column
	Why   string // why the column cannot be sorted
}

// Total describes the number of matching records.
func (l *ListShown) Total() string {
	if l.AtLeast {
		return l.T("More than {records}", "records", l.TN(l.Count, l.one, l.many))
	}
	return l.TN(l.Count, l.one, l.many)
}

// Bound describes what the order and the totals do not include, "" if they include everything.
func (l *ListShown) Bound() string {
	switch {
	case l.Sort != "" && (l.AtLeast || l.Count > orderedAtMost):
		return l.T("Only the first {number} that match are listed in this order. Narrow the list to have all in it. "+
			"The file has all, in the order that the list has by itself.", "number", l.Number(orderedAtMost))
	case l.AtLeast && len(l.Figures) > 0:
		return l.T("The sums are of the first {number}.", "number", l.Number(l.Count))
	}
	return ""
}

// Address returns the address of the list with its filters, and with the fields in pairs set.
func (k *ListKind[T]) Address(query url.Values, pairs ...string) string {
	kept := url.Values{}
	for _, field := range k.Filters {
		if value := query.Get(field); value != "" {
			kept.Set(field, value)
		}
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			kept.Set(pairs[i], pairs[i+1])
		}
	}
	if len(kept) == 0 {
		return k.At
	}
	return k.At + "?" + kept.Encode()
}

// order returns the column by which an address sorts the list. If the list does not have that column, it returns the default order.
func (k *ListKind[T]) order(query url.Values) (sort string, compare func(a, b T) int) {
	asked := query.Get("sort")
	name, down := strings.CutPrefix(asked, "-")
	for _, column := range k.Columns {
		switch {
		case name == "" || column.Sort != name:
		case down:
			return asked, func(a, b T) int { return column.Compare(b, a) }
		default:
			return asked, column.Compare
		}
	}
	return "", nil
}

// Read reads the page of the list that the address determines.
func (k *ListKind[T]) Read(v *Visit, query url.Values) ([]T, ListShown, error) {
	sort, compare := k.order(query)
	list := ListShown{Language: v.Language, Sort: sort, one: k.One, many: k.Many, Heads: k.heads(v.Language, query, sort),
		First: v.Lookup(k.First[0]), Next: v.Lookup(k.First[1]),
		FirstURL: k.Address(query, "sort", sort), FileURL: k.Address(query, "sort", sort, "as", "csv"),
		BookURL: k.Address(query, "sort", sort, "as", "xlsx")}
	var counted []T
	var more bool
	var err error
	if compare != nil || !k.Counts {
		if counted, more, err = k.Load(v, query, "", orderedAtMost); err != nil {
			return nil, list, err
		}
	}
	if list.ListTotals, err = k.Sum(v, query, counted, more); err != nil {
		return nil, list, err
	}
	if compare != nil {
		slices.SortStableFunc(counted, compare)
		records := k.from(query, counted, &list)
		return records, list, nil
	}
	before := query.Get("before")
	list.Begins = before == ""
	records := counted[:min(len(counted), k.PerPage)]
	more = len(counted) > k.PerPage
	if k.Counts || !list.Begins {
		if records, more, err = k.Load(v, query, before, k.PerPage); err != nil {
			return nil, list, err
		}
	}
	if more {
		list.NextURL = k.Address(query, "before", k.Key(records[len(records)-1]))
	}
	return records, list, nil
}

// from returns the section of the sorted records that the page shows.
func (k *ListKind[T]) from(query url.Values, records []T, list *ListShown) []T {
	row, err := strconv.Atoi(query.Get("row"))
	if err != nil || row < 0 || row >= len(records) {
		row = 0
	}
	list.Begins, list.First, list.Next = row == 0, list.Lookup(k.Sorted[0]), list.Lookup(k.Sorted[1])
	end := min(row+k.PerPage, len(records))
	if end < len(records) {
		list.NextURL = k.Address(query, "sort", list.Sort, "row", strconv.Itoa(end))
	}
	return records[row:end]
}

// heads returns the heads of the columns. Pressing one sorts by its column, pressing it again reverses the order, and a third press
// restores the default order.
func (k *ListKind[T]) heads(l *lang.Language, query url.Values, sort string) []listHead {
	heads := make([]listHead, 0, len(k.Columns))
	for _, column := range k.Columns {
		if column.onlyFile {
			continue
		}
		i := len(heads)
		heads = append(heads, listHead{
			Column: Column{Name: l.Lookup(column.Name), Number: column.Number, Wide: column.Wide}, Why: l.Lookup(column.Why),
		})
		if column.Sort == "" {
			continue
		}
		turns := []string{column.Sort, "-" + column.Sort, ""}
		if column.Down {
			turns = []string{"-" + column.Sort, column.Sort, ""}
		}
		at := slices.Index(turns, sort)
		if sort == "" {
			at = -1
		}
		switch {
		case at < 0:
		case sort[0] == '-':
			heads[i].Order = "descending"
		default:
			heads[i].Order = "ascending"
		}
		heads[i].URL = k.Address(query, "sort", turns[at+1])
	}
	return heads
}

// WantsFile reports whether an address asks for an export.
func WantsFile(query url.Values) bool { return query.Get("as") == "csv" || query.Get("as") == "xlsx" }

// Send exports all matching records. It keeps the order of the list, unless there are too many records to sort.
func (k *ListKind[T]) Send(v *Visit) error {
	name := strings.TrimPrefix(k.At, "/")
	if v.R.URL.Query().Get("as") == "xlsx" {
		return SendDownload(v, name+".xlsx", workbookType, func(w io.Writer) error {
			book, err := sheet.NewWorkbook(w, k.names())
			if err != nil {
				return err
			}
			return k.write(v, book)
		})
	}
	return SendDownload(v, name+".csv", CSVType, func(w io.Writer) error {
		table, err := sheet.NewCSV(w, k.names())
		if err != nil {
			return err
		}
		return k.write(v, table)
	})
}

// names returns the column names of an export, in English for all users.
func (k *ListKind[T]) names() []string {
	names := make([]string, len(k.Columns))
	for i, column := range k.Columns {
		names[i] = column.Name.English()
	}
	return names
}

func (k *ListKind[T]) write(v *Visit, table sheet.Table) error {
	query := v.R.URL.Query()
	limit := exportedAtOnce
	_, compare := k.order(query)
	if compare != nil {
		limit = orderedAtMost
	}
	row := make([]sheet.Cell, len(k.Columns))
	for before := ""; ; {
		records, more, err := k.piece(v, query, before, limit)
		if err != nil {
			return err
		}
		if more {
			compare, limit = nil, exportedAtOnce // an export contains all matching records, and these are too many to sort
		}
		if compare != nil {
			slices.SortStableFunc(records, compare)
		}
		for _, record := range records {
			for i, column := range k.Columns {
				row[i] = column.inFile(record)
			}
			if err := table.Row(row); err != nil {
				return err
			}
		}
		if !more {
			return table.Close()
		}
		before = k.Key(records[len(records)-1])
	}
}

// inFile returns the cell of an export for a record.
func (c *ListColumn[T]) inFile(record T) sheet.Cell {
	text := c.Cell(record)
	if number, err := strconv.ParseInt(text, 10, 64); c.Number && err == nil {
		return sheet.Number(number)
	}
	return sheet.Given(text)
}

// piece reads the next records of an export. Afterwards it returns the memory for reading them to the request's budget.
func (k *ListKind[T]) piece(v *Visit, query url.Values, before string, limit int) ([]T, bool, error) {
	ctx, done := shop.Passing(v.R.Context())
	defer done()
	passing := *v
	passing.R = v.R.WithContext(ctx)
	return k.Load(&passing, query, before, limit)
}

// By compares records by an ordered value.
func By[T any, K cmp.Ordered](of func(T) K) func(a, b T) int {
	return func(a, b T) int { return cmp.Compare(of(a), of(b)) }
}

// byText compares records by a text, ignoring case.
func byText[T any](of func(T) string) func(a, b T) int {
	return func(a, b T) int { return strings.Compare(strings.ToLower(of(a)), strings.ToLower(of(b))) }
}

// bySerial compares records by the number of a unit.
func bySerial[T any](of func(T) string) func(a, b T) int {
	return By(func(record T) int64 {
		_, number, _ := ident.SplitSerialID(of(record))
		return number
	})
}

// TextColumn is a column of texts, sorted alphabetically.
func TextColumn[T any](name lang.Text, sort string, of func(T) string) ListColumn[T] {
	return ListColumn[T]{Name: name, Sort: sort, Compare: byText(of), Cell: of}
}

// CountColumn is a column of numbers, sorted descending first.
func CountColumn[T any](name lang.Text, sort string, of func(T) int64) ListColumn[T] {
	return ListColumn[T]{Name: name, Number: true, Sort: sort, Compare: By(of), Down: true,
		Cell: func(record T) string { return strconv.FormatInt(of(record), 10) }}
}

// TimeColumn is a column of times, sorted latest first.
func TimeColumn[T any](name lang.Text, sort string, of func(T) ident.Timestamp) ListColumn[T] {
	return ListColumn[T]{Name: name, Sort: sort, Compare: By(of), Down: true,
		Cell: func(record T) string { return exactly(of(record)) }}
}

// UnitColumn is a column of units, sorted by number.
func UnitColumn[T any](name lang.Text, sort string, of func(T) string) ListColumn[T] {
	return ListColumn[T]{Name: name, Sort: sort, Compare: bySerial(of), Cell: of}
}

// OnlyWide hides a column on narrow screens that still show the table with rows.
func OnlyWide[T any](c ListColumn[T]) ListColumn[T] {
	c.Wide = true
	return c
}

// OnlyInFile returns a column that is in the export but not on the page.
func OnlyInFile[T any](name lang.Text, of func(T) string) ListColumn[T] {
	return ListColumn[T]{Name: name, Cell: of, onlyFile: true}
}

// exactly formats an instant for an export.
func exactly(at ident.Timestamp) string {
	if at == 0 {
		return ""
	}
	return at.String()
}

// Counted returns the totals of records that are all loaded. It omits figures that are zero.
func Counted[T any](records []T, more bool, figures ...ListFigure) ListTotals {
	return ListTotals{Count: int64(len(records)), AtLeast: more, Figures: slices.DeleteFunc(figures, func(figure ListFigure) bool {
		return figure.Count == 0
	})}
}

package site

import (
	"cmp"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// The lists of the pages are made here, each from a listKind. The address of a list says all that it shows: the filters, the order
// in the field sort, and where the page begins. So a list can be kept, sent to somebody and gone back to.
//
// A list stands by itself in the order that an index answers, however many records there are, and goes on behind a record (the
// field before). Every other order is made here, over the first orderedAtMost records that match, and goes on behind a number of
// rows (the field row). The page says so where more match.

// orderedAtMost is how many records are put in an order that no index has, and how many are counted where no counter has them.
const orderedAtMost = 1000

// exportedAtOnce is how many records of a file are read together.
const exportedAtOnce = 500

// ListKind is one kind of list: where it is, what its columns are, and where its records come from.
type ListKind[T any] struct {
	At        string // the address of its page, and the name of its file
	One, Many string // what a record is called
	Filters   []string
	PerPage   int
	First     [2]string // the links to the beginning and to what follows in the list's own order, such as Newest and Older units
	Columns   []ListColumn[T]
	Key       func(T) string // what names a record behind which a page begins
	// Load reads records that match the filters, in the list's own order, behind the one that before names ("" for the first); more
	// says whether there are others.
	Load func(v *Visit, query url.Values, before string, limit int) (records []T, more bool, err error)
	// Sum says what the records come to that match. It gets the first orderedAtMost of them, unless the kind counts by itself.
	Sum    func(v *Visit, query url.Values, records []T, more bool) (ListTotals, error)
	Counts bool // whether sum Counts by itself
}

// ListColumn is a column of a list.
type ListColumn[T any] struct {
	Column
	Sort    string                // what the address calls the order by it, "" for none
	Compare func(a, b T) int      // that order, ascending
	Down    bool                  // whether the first press puts the largest first
	Cell    func(record T) string // what a file has
	Why     string                // Why it has no order
	// onlyFile says that the column is in the file and not on the page.
	onlyFile bool
}

// ListTotals is what the records of a list come to.
type ListTotals struct {
	Count   int64
	AtLeast bool // whether there are more than Count
	Figures []ListFigure
}

// ListFigure is one sum: a number, and what it counts.
type ListFigure struct {
	Count int64
	Text  string
	Kind  string // a class of the style sheet, "" for none
}

// ListShown is a list as its page shows it, without its records.
type ListShown struct {
	ListTotals
	ID        string // of the part of the page that has the list
	Heads     []listHead
	Sort      string // the order as the address has it, "" for the list's own
	Begins    bool   // whether the page begins with the first record
	FirstURL  string
	NextURL   string // "" at the end
	FileURL   string // the file of all that matches, as CSV
	BookURL   string // as a workbook
	First     string // what the links to FirstURL and NextURL are called
	Next      string
	one, many string
}

// listHead is the head of a column.
type listHead struct {
	Column
	URL   string // the list in the order by this column, "" for a column that has none
	Order string // ascending or descending, "" when another order is shown
	Why   string // why it has no order
}

// Total is how many records match, in words.
func (l *ListShown) Total() string {
	if l.AtLeast {
		return "More than " + wording.Plural(l.Count, l.one, l.many)
	}
	return wording.Plural(l.Count, l.one, l.many)
}

// Bound says what the order and the sums leave out, "" when they leave out nothing.
func (l *ListShown) Bound() string {
	switch {
	case l.Sort != "" && (l.AtLeast || l.Count > orderedAtMost):
		return "Only the first " + wording.Number(orderedAtMost) +
			" that match are listed in this order. Narrow the list to have all in it. " +
			"The file has all, in the order that the list has by itself."
	case l.AtLeast && len(l.Figures) > 0:
		return "The sums are of the first " + wording.Number(l.Count) + "."
	}
	return ""
}

// Address is the list with its filters, and with other fields set.
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

// order finds the column by which an address sorts. An order that the list does not have is its own order.
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

// Read reads the page of the list that the address asks for.
func (k *ListKind[T]) Read(v *Visit, query url.Values) ([]T, ListShown, error) {
	sort, compare := k.order(query)
	list := ListShown{Sort: sort, one: k.One, many: k.Many, Heads: k.heads(query, sort), First: k.First[0], Next: k.First[1],
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

// from cuts the page out of records that were put in order.
func (k *ListKind[T]) from(query url.Values, records []T, list *ListShown) []T {
	row, err := strconv.Atoi(query.Get("row"))
	if err != nil || row < 0 || row >= len(records) {
		row = 0
	}
	list.Begins, list.First, list.Next = row == 0, "First "+k.Many, "More "+k.Many
	end := min(row+k.PerPage, len(records))
	if end < len(records) {
		list.NextURL = k.Address(query, "sort", list.Sort, "row", strconv.Itoa(end))
	}
	return records[row:end]
}

// heads are the heads of the columns. Pressing one sorts by it, pressing it again turns the order round, and a third time brings
// back the list's own order.
func (k *ListKind[T]) heads(query url.Values, sort string) []listHead {
	heads := make([]listHead, 0, len(k.Columns))
	for _, column := range k.Columns {
		if column.onlyFile {
			continue
		}
		i := len(heads)
		heads = append(heads, listHead{Column: column.Column, Why: column.Why})
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

// WantsFile reports whether an address asks for the file of a list.
func WantsFile(query url.Values) bool { return query.Get("as") == "csv" || query.Get("as") == "xlsx" }

// Send sends the file of all that matches, in the order that the list shows unless that leaves some out.
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

// names are the names of the columns of a file.
func (k *ListKind[T]) names() []string {
	names := make([]string, len(k.Columns))
	for i, column := range k.Columns {
		names[i] = column.Name
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
			compare, limit = nil, exportedAtOnce // a file has all that match, and these are too many to be put in order
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

// inFile is what a file has of a record in the column.
func (c *ListColumn[T]) inFile(record T) sheet.Cell {
	text := c.Cell(record)
	if number, err := strconv.ParseInt(text, 10, 64); c.Number && err == nil {
		return sheet.Number(number)
	}
	return sheet.Given(text)
}

// piece reads the next records of a file. What it takes of the memory of the request is given back when they are read.
func (k *ListKind[T]) piece(v *Visit, query url.Values, before string, limit int) ([]T, bool, error) {
	ctx, done := shop.Passing(v.R.Context())
	defer done()
	passing := *v
	passing.R = v.R.WithContext(ctx)
	return k.Load(&passing, query, before, limit)
}

// By compares records by something that has an order.
func By[T any, K cmp.Ordered](of func(T) K) func(a, b T) int {
	return func(a, b T) int { return cmp.Compare(of(a), of(b)) }
}

// byText compares records by a text, whatever its case.
func byText[T any](of func(T) string) func(a, b T) int {
	return func(a, b T) int { return strings.Compare(strings.ToLower(of(a)), strings.ToLower(of(b))) }
}

// bySerial compares records by the number of a unit.
func bySerial[T any](of func(T) string) func(a, b T) int {
	return By(func(record T) int64 {
		number, _ := ident.ParseSerialID(of(record))
		return number
	})
}

// TextColumn is a column of texts, in the order of the alphabet.
func TextColumn[T any](name, sort string, of func(T) string) ListColumn[T] {
	return ListColumn[T]{Column: Column{Name: name}, Sort: sort, Compare: byText(of), Cell: of}
}

// CountColumn is a column of numbers, of which the largest are looked for.
func CountColumn[T any](name, sort string, of func(T) int64) ListColumn[T] {
	return ListColumn[T]{Column: Column{Name: name, Number: true}, Sort: sort, Compare: By(of), Down: true,
		Cell: func(record T) string { return strconv.FormatInt(of(record), 10) }}
}

// TimeColumn is a column of times, of which the last are looked for.
func TimeColumn[T any](name, sort string, of func(T) ident.Timestamp) ListColumn[T] {
	return ListColumn[T]{Column: Column{Name: name}, Sort: sort, Compare: By(of), Down: true,
		Cell: func(record T) string { return exactly(of(record)) }}
}

// UnitColumn is a column of units, in the order of their numbers.
func UnitColumn[T any](name, sort string, of func(T) string) ListColumn[T] {
	return ListColumn[T]{Column: Column{Name: name}, Sort: sort, Compare: bySerial(of), Cell: of}
}

// OnlyWide leaves a column out where the screen is narrow.
func OnlyWide[T any](c ListColumn[T]) ListColumn[T] {
	c.Wide = true
	return c
}

// OnlyInFile is a column that the page does not have.
func OnlyInFile[T any](name string, of func(T) string) ListColumn[T] {
	return ListColumn[T]{Column: Column{Name: name}, Cell: of, onlyFile: true}
}

// exactly writes an instant into a file.
func exactly(at ident.Timestamp) string {
	if at == 0 {
		return ""
	}
	return at.String()
}

// Counted is the totals of records that are all at hand.
func Counted[T any](records []T, more bool, figures ...ListFigure) ListTotals {
	return ListTotals{Count: int64(len(records)), AtLeast: more, Figures: slices.DeleteFunc(figures, func(figure ListFigure) bool {
		return figure.Count == 0
	})}
}

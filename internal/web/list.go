package web

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

// listKind is one kind of list: where it is, what its columns are, and where its records come from.
type listKind[T any] struct {
	at        string // the address of its page, and the name of its file
	one, many string // what a record is called
	filters   []string
	perPage   int
	first     [2]string // the links to the beginning and to what follows in the list's own order, such as Newest and Older units
	columns   []listColumn[T]
	key       func(T) string // what names a record behind which a page begins
	// load reads records that match the filters, in the list's own order, behind the one that before names ("" for the first); more
	// says whether there are others.
	load func(v *visit, query url.Values, before string, limit int) (records []T, more bool, err error)
	// sum says what the records come to that match. It gets the first orderedAtMost of them, unless the kind counts by itself.
	sum    func(v *visit, query url.Values, records []T, more bool) (listTotals, error)
	counts bool // whether sum counts by itself
}

// listColumn is a column of a list.
type listColumn[T any] struct {
	column
	sort    string                // what the address calls the order by it, "" for none
	compare func(a, b T) int      // that order, ascending
	down    bool                  // whether the first press puts the largest first
	cell    func(record T) string // what a file has
	why     string                // why it has no order
	// onlyFile says that the column is in the file and not on the page.
	onlyFile bool
}

// listTotals is what the records of a list come to.
type listTotals struct {
	Count   int64
	AtLeast bool // whether there are more than Count
	Figures []listFigure
}

// listFigure is one sum: a number, and what it counts.
type listFigure struct {
	Count int64
	Text  string
	Kind  string // a class of the style sheet, "" for none
}

// listShown is a list as its page shows it, without its records.
type listShown struct {
	listTotals
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
	column
	URL   string // the list in the order by this column, "" for a column that has none
	Order string // ascending or descending, "" when another order is shown
	Why   string // why it has no order
}

// Total is how many records match, in words.
func (l *listShown) Total() string {
	if l.AtLeast {
		return "More than " + wording.Plural(l.Count, l.one, l.many)
	}
	return wording.Plural(l.Count, l.one, l.many)
}

// Bound says what the order and the sums leave out, "" when they leave out nothing.
func (l *listShown) Bound() string {
	switch {
	case l.Sort != "" && (l.AtLeast || l.Count > orderedAtMost):
		return "Only the first " + wording.Number(orderedAtMost) + " that match are listed in this order. Narrow the list to have all in it. " +
			"The file has all, in the order that the list has by itself."
	case l.AtLeast && len(l.Figures) > 0:
		return "The sums are of the first " + wording.Number(l.Count) + "."
	}
	return ""
}

// address is the list with its filters, and with other fields set.
func (k *listKind[T]) address(query url.Values, pairs ...string) string {
	kept := url.Values{}
	for _, field := range k.filters {
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
		return k.at
	}
	return k.at + "?" + kept.Encode()
}

// order finds the column by which an address sorts. An order that the list does not have is its own order.
func (k *listKind[T]) order(query url.Values) (sort string, compare func(a, b T) int) {
	asked := query.Get("sort")
	name, down := strings.CutPrefix(asked, "-")
	for _, column := range k.columns {
		switch {
		case name == "" || column.sort != name:
		case down:
			return asked, func(a, b T) int { return column.compare(b, a) }
		default:
			return asked, column.compare
		}
	}
	return "", nil
}

// read reads the page of the list that the address asks for.
func (k *listKind[T]) read(v *visit, query url.Values) ([]T, listShown, error) {
	sort, compare := k.order(query)
	list := listShown{Sort: sort, one: k.one, many: k.many, Heads: k.heads(query, sort), First: k.first[0], Next: k.first[1],
		FirstURL: k.address(query, "sort", sort), FileURL: k.address(query, "sort", sort, "as", "csv"),
		BookURL: k.address(query, "sort", sort, "as", "xlsx")}
	var counted []T
	var more bool
	var err error
	if compare != nil || !k.counts {
		if counted, more, err = k.load(v, query, "", orderedAtMost); err != nil {
			return nil, list, err
		}
	}
	if list.listTotals, err = k.sum(v, query, counted, more); err != nil {
		return nil, list, err
	}
	if compare != nil {
		slices.SortStableFunc(counted, compare)
		records := k.from(query, counted, &list)
		return records, list, nil
	}
	before := query.Get("before")
	list.Begins = before == ""
	records := counted[:min(len(counted), k.perPage)]
	more = len(counted) > k.perPage
	if k.counts || !list.Begins {
		if records, more, err = k.load(v, query, before, k.perPage); err != nil {
			return nil, list, err
		}
	}
	if more {
		list.NextURL = k.address(query, "before", k.key(records[len(records)-1]))
	}
	return records, list, nil
}

// from cuts the page out of records that were put in order.
func (k *listKind[T]) from(query url.Values, records []T, list *listShown) []T {
	row, err := strconv.Atoi(query.Get("row"))
	if err != nil || row < 0 || row >= len(records) {
		row = 0
	}
	list.Begins, list.First, list.Next = row == 0, "First "+k.many, "More "+k.many
	end := min(row+k.perPage, len(records))
	if end < len(records) {
		list.NextURL = k.address(query, "sort", list.Sort, "row", strconv.Itoa(end))
	}
	return records[row:end]
}

// heads are the heads of the columns. Pressing one sorts by it, pressing it again turns the order round, and a third time brings
// back the list's own order.
func (k *listKind[T]) heads(query url.Values, sort string) []listHead {
	heads := make([]listHead, 0, len(k.columns))
	for _, column := range k.columns {
		if column.onlyFile {
			continue
		}
		i := len(heads)
		heads = append(heads, listHead{column: column.column, Why: column.why})
		if column.sort == "" {
			continue
		}
		turns := []string{column.sort, "-" + column.sort, ""}
		if column.down {
			turns = []string{"-" + column.sort, column.sort, ""}
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
		heads[i].URL = k.address(query, "sort", turns[at+1])
	}
	return heads
}

// wantsFile reports whether an address asks for the file of a list.
func wantsFile(query url.Values) bool { return query.Get("as") == "csv" || query.Get("as") == "xlsx" }

// send sends the file of all that matches, in the order that the list shows unless that leaves some out.
func (k *listKind[T]) send(v *visit) error {
	name := strings.TrimPrefix(k.at, "/")
	if v.r.URL.Query().Get("as") == "xlsx" {
		return sendDownload(v, name+".xlsx", workbookType, func(w io.Writer) error {
			book, err := sheet.NewWorkbook(w, k.names())
			if err != nil {
				return err
			}
			return k.write(v, book)
		})
	}
	return sendDownload(v, name+".csv", csvType, func(w io.Writer) error {
		table, err := sheet.NewCSV(w, k.names())
		if err != nil {
			return err
		}
		return k.write(v, table)
	})
}

// names are the names of the columns of a file.
func (k *listKind[T]) names() []string {
	names := make([]string, len(k.columns))
	for i, column := range k.columns {
		names[i] = column.Name
	}
	return names
}

func (k *listKind[T]) write(v *visit, table sheet.Table) error {
	query := v.r.URL.Query()
	limit := exportedAtOnce
	_, compare := k.order(query)
	if compare != nil {
		limit = orderedAtMost
	}
	row := make([]sheet.Cell, len(k.columns))
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
			for i, column := range k.columns {
				row[i] = column.inFile(record)
			}
			if err := table.Row(row); err != nil {
				return err
			}
		}
		if !more {
			return table.Close()
		}
		before = k.key(records[len(records)-1])
	}
}

// inFile is what a file has of a record in the column.
func (c *listColumn[T]) inFile(record T) sheet.Cell {
	text := c.cell(record)
	if number, err := strconv.ParseInt(text, 10, 64); c.Number && err == nil {
		return sheet.Number(number)
	}
	return sheet.Given(text)
}

// piece reads the next records of a file. What it takes of the memory of the request is given back when they are read.
func (k *listKind[T]) piece(v *visit, query url.Values, before string, limit int) ([]T, bool, error) {
	ctx, done := shop.Passing(v.r.Context())
	defer done()
	passing := *v
	passing.r = v.r.WithContext(ctx)
	return k.load(&passing, query, before, limit)
}

// by compares records by something that has an order.
func by[T any, K cmp.Ordered](of func(T) K) func(a, b T) int {
	return func(a, b T) int { return cmp.Compare(of(a), of(b)) }
}

// byText compares records by a text, whatever its case.
func byText[T any](of func(T) string) func(a, b T) int {
	return func(a, b T) int { return strings.Compare(strings.ToLower(of(a)), strings.ToLower(of(b))) }
}

// bySerial compares records by the number of a unit.
func bySerial[T any](of func(T) string) func(a, b T) int {
	return by(func(record T) int64 {
		number, _ := ident.ParseSerialID(of(record))
		return number
	})
}

// textColumn is a column of texts, in the order of the alphabet.
func textColumn[T any](name, sort string, of func(T) string) listColumn[T] {
	return listColumn[T]{column: column{Name: name}, sort: sort, compare: byText(of), cell: of}
}

// countColumn is a column of numbers, of which the largest are looked for.
func countColumn[T any](name, sort string, of func(T) int64) listColumn[T] {
	return listColumn[T]{column: column{Name: name, Number: true}, sort: sort, compare: by(of), down: true,
		cell: func(record T) string { return strconv.FormatInt(of(record), 10) }}
}

// timeColumn is a column of times, of which the last are looked for.
func timeColumn[T any](name, sort string, of func(T) ident.Timestamp) listColumn[T] {
	return listColumn[T]{column: column{Name: name}, sort: sort, compare: by(of), down: true,
		cell: func(record T) string { return exactly(of(record)) }}
}

// unitColumn is a column of units, in the order of their numbers.
func unitColumn[T any](name, sort string, of func(T) string) listColumn[T] {
	return listColumn[T]{column: column{Name: name}, sort: sort, compare: bySerial(of), cell: of}
}

// onlyWide leaves a column out where the screen is narrow.
func onlyWide[T any](c listColumn[T]) listColumn[T] {
	c.Wide = true
	return c
}

// onlyInFile is a column that the page does not have.
func onlyInFile[T any](name string, of func(T) string) listColumn[T] {
	return listColumn[T]{column: column{Name: name}, cell: of, onlyFile: true}
}

// exactly writes an instant into a file.
func exactly(at ident.Timestamp) string {
	if at == 0 {
		return ""
	}
	return at.String()
}

// counted is the totals of records that are all at hand.
func counted[T any](records []T, more bool, figures ...listFigure) listTotals {
	return listTotals{Count: int64(len(records)), AtLeast: more, Figures: slices.DeleteFunc(figures, func(figure listFigure) bool {
		return figure.Count == 0
	})}
}

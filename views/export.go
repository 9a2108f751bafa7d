package views

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// column is a column of an export: the name of a field of the interface, and the value that a record has for it.
type column struct {
	name string
	at   []int // where the field is in the record
	cell func(field reflect.Value) sheet.Cell
}

// columnsOf returns the named columns, or all, of an export of records. A record has a column for each field of its JSON, including those
// of nested objects, in the order of the JSON. The tag export gives a column another name than the field; "-" leaves it out. A field that
// JSON omits becomes an empty cell.
func columnsOf[T any](names ...string) []column {
	all := columnsIn(reflect.TypeFor[T](), nil)
	if len(names) == 0 {
		return all
	}
	columns := make([]column, len(names))
	for i, name := range names {
		columns[i] = all[slices.IndexFunc(all, func(c column) bool { return c.name == name })]
	}
	return columns
}

// columnsIn returns the columns of a struct at a place in the record.
func columnsIn(of reflect.Type, at []int) (columns []column) {
	for i := range of.NumField() {
		field := of.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		name = cmp.Or(field.Tag.Get("export"), name)
		place := append(slices.Clone(at), i)
		switch {
		case name == "-":
		case field.Type.Kind() == reflect.Struct:
			columns = append(columns, columnsIn(field.Type, place)...)
		default:
			columns = append(columns, column{name, place, cellOf(field.Type, options != "")})
		}
	}
	return columns
}

// cellOf returns a function that converts fields of a type to cells. An empty value becomes an empty cell if JSON may omit the field.
func cellOf(of reflect.Type, omitted bool) func(reflect.Value) sheet.Cell {
	var cell func(reflect.Value) sheet.Cell
	switch {
	case of == reflect.TypeFor[ident.Timestamp]():
		return func(v reflect.Value) sheet.Cell { return timeCell(ident.Timestamp(v.Int())) }
	case of == reflect.TypeFor[json.RawMessage]():
		return func(v reflect.Value) sheet.Cell { return storedCell(v.Bytes()) }
	case of == reflect.TypeFor[*[]string]():
		cell = func(v reflect.Value) sheet.Cell { return jsonCell(v.Elem()) }
	case of.Kind() == reflect.Slice:
		return func(v reflect.Value) sheet.Cell {
			if v.Len() == 0 {
				return sheet.Cell{}
			}
			return jsonCell(v)
		}
	case of.Kind() == reflect.String:
		cell = func(v reflect.Value) sheet.Cell { return sheet.Text(v.String()) }
	case of.Kind() == reflect.Bool:
		cell = func(v reflect.Value) sheet.Cell { return sheet.Flag(v.Bool()) }
	case reflect.Zero(of).CanInt():
		cell = func(v reflect.Value) sheet.Cell { return sheet.Number(v.Int()) }
	}
	if !omitted {
		return cell
	}
	return func(v reflect.Value) sheet.Cell {
		if v.IsZero() {
			return sheet.Cell{}
		}
		return cell(v)
	}
}

// jobColumns returns the columns of jobs: their fields, and the counts of their units. Columns that were added later come last.
func jobColumns() []string {
	return []string{
		"id", "name", "goalQuantity", "partNumber", "partRevision", "customer", "orderNumber", "description", "dueDate", "priority",
		"trackerTicketKey", "trackerTicketSummary", "trackerPartNumber", "trackerPriority", "trackerEpicLink", "trackerLabels",
		"createdAt", "updatedAt", "externalId", "totalSerials", "completedSerials", "inProgressSerials", "scrappedSerials", "late",
		"closedAt", "closedBy", "closeReason", "gtin", "drawingNumber", "drawingRevision", "orderLine", "customerAddress", "language",
	}
}

// measurementColumns returns the columns of readings: their fields, with one column per limit.
func measurementColumns() []string {
	return []string{
		"id", "serialId", "stepId", "characteristicId", "number", "place", "value", "unit", "verdict", "nominal", "lower", "upper",
		"revision", "instrumentId", "note", "pass", "measuredBy", "measuredAt", "voidedAt", "voidedBy", "voidReason", "enteredAt",
	}
}

// timeCell formats an instant as the interface does; 0 becomes an empty cell.
func timeCell(at ident.Timestamp) sheet.Cell {
	if at == 0 {
		return sheet.Cell{}
	}
	return sheet.Text(at.String())
}

func jsonCell(list reflect.Value) sheet.Cell {
	texts, _ := reflect.TypeAssert[[]string](list)
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(texts) //nolint:errchkjson // texts
	return sheet.JSON(strings.TrimSuffix(text.String(), "\n"))
}

// storedCell holds a stored JSON object without white space. A value that is not valid JSON becomes text.
func storedCell(stored json.RawMessage) sheet.Cell {
	if len(stored) == 0 {
		return sheet.Cell{}
	}
	var compact bytes.Buffer
	if json.Compact(&compact, stored) != nil {
		return sheet.Text(string(stored))
	}
	return sheet.JSON(compact.String())
}

// jobsAtOnce is the number of jobs of an export whose units are counted together.
const jobsAtOnce = 500

// exportJobs yields the jobs that SearchJobs finds, newest first.
func (v *Views) exportJobs(ctx context.Context, query JobQuery) iter.Seq2[JobOverview, error] {
	return shop.Stream(ctx, v.store.Look, func(tx Reader) iter.Seq2[JobOverview, error] {
		return func(yield func(JobOverview, error) bool) {
			if err := v.eachJob(tx, query, func(job *JobOverview) bool { return yield(*job, nil) }); err != nil {
				yield(JobOverview{}, err)
			}
		}
	})
}

// eachJob yields the jobs that a search finds, newest first, with their progress.
func (v *Views) eachJob(tx Reader, query JobQuery, yield func(*JobOverview) bool) error {
	query.Sort, query.After = JobsByCreated, ""
	search, err := query.check()
	if err != nil {
		return err
	}
	return v.eachFound(tx, search, jobsAtOnce, true, yield)
}

// exportSerials yields the units that SearchSerials finds: oldest first, or path by path if the query narrows by place.
func (v *Views) exportSerials(ctx context.Context, query SerialQuery) iter.Seq2[SerialRow, error] {
	return shop.Stream(ctx, v.store.Look, func(tx Reader) iter.Seq2[SerialRow, error] {
		return func(yield func(SerialRow, error) bool) {
			if err := eachSerial(tx, query, func(row SerialRow) bool {
				row.Status = card.SerialStatus(row.Status.DisplayStatus())
				return yield(row, nil)
			}); err != nil {
				yield(SerialRow{}, err)
			}
		}
	})
}

func eachSerial(tx Reader, query SerialQuery, yield func(SerialRow) bool) error {
	query.Before = ""
	search, filter, err := query.check(tx.SerialPrefix())
	if err != nil {
		return err
	}
	places := []Place{{Position: AnyPosition}}
	if filter != (PlaceFilter{}) {
		if places, err = tx.Places(filter, math.MaxInt32); err != nil {
			return err
		}
		slices.Reverse(places)
	}
	numbers := search.Numbers
	if numbers == nil {
		numbers = []ident.NumberRange{{First: 1, Last: math.MaxInt64}}
	}
	slices.SortFunc(numbers, func(a, b ident.NumberRange) int { return cmp.Compare(a.First, b.First) })
	if search.OwnNumber != "" {
		if numbers, err = numberedWithin(tx, search.OwnNumber, numbers); err != nil {
			return err
		}
	}
	reading := serialReading{tx: tx, query: SerialListQuery{Status: search.Status}, routes: map[string]*listedRoute{}}
	for _, place := range places {
		for _, within := range numbers {
			if goOn, err := reading.eachAt(place, within, yield); err != nil || !goOn {
				return err
			}
		}
	}
	return nil
}

// eachAt yields the rows of the units at a place with numbers in a range, by number, and reports whether to go on.
func (r *serialReading) eachAt(place Place, within ident.NumberRange, yield func(SerialRow) bool) (goOn bool, err error) {
	for {
		units, err := r.tx.UnitsWithin(place.PathID, within, ListPageLimit)
		if err != nil {
			return false, err
		}
		for i := range units {
			if place.Position != AnyPosition && units[i].Position != place.Position {
				continue
			}
			row, shown, err := r.row(&units[i])
			if err != nil || shown && !yield(row) {
				return false, err
			}
		}
		if len(units) < ListPageLimit {
			return true, nil
		}
		within.First = units[len(units)-1].Number + 1
	}
}

// CertificateQuery narrows a list of certificates. The zero CertificateQuery finds all.
type CertificateQuery struct {
	Text string `query:"q"` // part of the name, the identifier or the metadata, ignoring case
}

// exportCertificates yields the certificates that a search finds, newest first.
func (v *Views) exportCertificates(ctx context.Context, query CertificateQuery) iter.Seq2[shop.Certificate, error] {
	text := strings.ToLower(strings.TrimSpace(query.Text))
	return shop.Stream(ctx, v.store.Look, func(tx Reader) iter.Seq2[shop.Certificate, error] {
		return func(yield func(shop.Certificate, error) bool) {
			for certificate, err := range tx.CertificatesBefore("") {
				if (err != nil || certificateHas(&certificate, text)) && !yield(certificate, err) {
					return
				}
			}
		}
	})
}

// UserQuery narrows a list of users. The zero UserQuery finds all.
type UserQuery struct {
	Active bool `query:"active"` // only active users
}

// exportUsers yields users by name, in byte order.
func (v *Views) exportUsers(ctx context.Context, query UserQuery) iter.Seq2[shop.User, error] {
	return v.shop.Users(ctx, !query.Active)
}

// exportAudit yields the entries that SearchAudit finds, newest first.
func (v *Views) exportAudit(ctx context.Context, query AuditQuery) iter.Seq2[trail.Entry, error] {
	query.Before, query.Limit = "", shop.NoLimit
	return v.SearchAudit(ctx, query)
}

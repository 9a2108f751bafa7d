package office

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// The search in the header of every page finds records of every kind by what a text can mean. GET /search?q= is a separate page.
// static/search.js shows the results below the field while the user types.

// findable is a kind of record that the search shows. A noun lists its kinds in its own file, and declares the names of its records in
// shop.Record.
type findable struct {
	kind    ident.RecordKind
	heading lang.Text
	needs   shop.Operation // the visitor needs the permission for this operation
	to      func(v *site.Visit, id string) string
	hint    func(views.Called) string // returns the text next to the name; if nil, the other names of the record
	// find finds the records and their names; if nil, the search reads the columns of the kind in shop.Record.
	find func(v *site.Visit, text string, limit int) ([]Hit, error)
	all  string // the address of a list that searches all of them, to which the text is appended; "" for none
}

// findables returns the kinds of records that have no file, followed by those in nouns.go.
func findables() []findable {
	columns := func(
		kind ident.RecordKind, heading lang.Text, to func(*site.Visit, string) string, hint func(views.Called) string, all string,
	) findable {
		return findable{kind: kind, heading: heading, needs: shop.OpRead, to: to, hint: hint, all: all}
	}
	below := func(list string) func(*site.Visit, string) string {
		return func(_ *site.Visit, id string) string { return list + url.PathEscape(id) }
	}
	return append([]findable{
		columns(shop.RecordJob, "Jobs", below("/jobs/"), nil, "/jobs?q="),
		columns(shop.RecordNonconformance, "Nonconformances", below("/nonconformances/"), func(c views.Called) string { return c.ID }, ""),
		columns(shop.RecordCertificate, "Certificates", below("/certs/"), certificateHint, "/certs?q="),
		columns(shop.RecordBOM, "Bills of material", below("/bom/"), nil, ""),
		columns(shop.RecordTemplate, "Templates", below("/templates/"), nil, ""),
		columns(shop.RecordUser, "Operators", personPage, func(c views.Called) string { return c.Details }, ""),
	}, findablesOfNouns()...)
}

// scanned returns the identifier of a record of a kind that a text or a scanned code names, "" for none.
func scanned(prefix ident.Prefix, text string, kind ident.RecordKind) string {
	for _, read := range scancode.Parse(prefix, text) {
		if read.Kind == scancode.Ours && read.Record == kind {
			return read.ID
		}
	}
	return ""
}

// hitOf returns the record with an identifier as the only hit, and no hit if there is none.
func hitOf[T any](
	v *site.Visit, id string, read func(context.Context, string) (T, error), hit func(record T, exact bool) Hit,
) ([]Hit, error) {
	one, err := read(v.R.Context(), id)
	if refused, ok := site.AsRefusal(err); ok && refused.Kind == refusal.NotFound {
		return nil, nil
	}
	return []Hit{hit(one, true)}, err
}

// certificateHint returns the details of a certificate, such as the heat.
func certificateHint(c views.Called) string {
	var said []string
	for _, detail := range site.Details(json.RawMessage(c.Details)) {
		said = append(said, detail.Name+": "+detail.Value)
	}
	return wording.Listed(said...)
}

// personPage returns an operator's account if the visitor may see it, and otherwise the operator's queue.
func personPage(v *site.Visit, id string) string {
	if v.Access != nil && v.Identity != nil && v.May(shop.OpChangeAccount.Permission()) {
		return "/users/" + url.PathEscape(id)
	}
	return "/queue?operator=" + url.QueryEscape(id)
}

// Hit is one record that was found.
type Hit struct {
	Name, Hint, To string
	Exact          bool // whether the typed text is exactly its name
	Unsure         bool // the code may mean another unit, so the search does not open this one by itself
}

// Hits are the found records of one kind.
type Hits struct {
	Heading string
	Found   []Hit
}

// SearchPage shows the records that a text can mean.
type SearchPage struct {
	site.Frame
	Text   string
	Groups []Hits
	Lists  []site.Step // lists that search all records for the text
	Heat   string      // the text if lots have it as their heat, otherwise ""
}

// These are the numbers of results of each kind: below the field while the user types, and on the page.
const (
	hitsWhileTyping = 5
	hitsOnPage      = 25
)

// OtherPlant reports whether the text is a unit of another plant.
func (p *SearchPage) OtherPlant() bool { return scancode.OtherPlant(p.Prefix, p.Text) }

func showSearch(v *site.Visit) error {
	typing := v.R.Header.Get(site.LiveHeader) != ""
	page := &SearchPage{Frame: v.Frame("Search", "search"), Text: strings.TrimSpace(v.R.URL.Query().Get("q"))}
	if page.Text == "" {
		return v.Show(http.StatusOK, "search", page)
	}
	limit := hitsOnPage
	if typing {
		limit = hitsWhileTyping
	}
	var err error
	if page.Groups, err = searchAll(v, page.Text, limit); err != nil {
		return err
	}
	if one, only := meant(page.Groups); only && !typing {
		http.Redirect(v.W, v.R, one.To, http.StatusSeeOther)
		return nil
	}
	if v.May(shop.OpRead.Permission()) {
		lots, err := v.Service.Lots(v.R.Context(), shop.LotQuery{HeatNumber: page.Text, Limit: 1})
		if err != nil {
			return err
		}
		if len(lots.Items) > 0 {
			page.Heat = lots.Items[0].HeatNumber
		}
	}
	for _, kind := range findables() {
		if kind.all != "" && v.May(kind.needs.Permission()) {
			page.Lists = append(page.Lists, site.Step{To: kind.all + url.QueryEscape(page.Text), Label: v.Lookup(kind.heading)})
		}
	}
	return v.Show(http.StatusOK, "search", page)
}

// searchAll finds the records that a text can mean, by kind. Kinds with an exact match come first.
func searchAll(v *site.Visit, text string, limit int) (groups []Hits, err error) {
	units, exact, partUnknown, err := searchUnits(v, text, limit)
	if err != nil {
		return nil, err
	}
	orders, err := v.Views.JobOrders(v.R.Context(), site.IDsOf(units, site.JobOfUnit))
	if err != nil {
		return nil, err
	}
	found := Hits{Heading: v.T("Units")}
	for i := range units {
		unit := &units[i]
		part := site.PartText(v.Language, orders[unit.JobID])
		one := Hit{Name: unit.ID, Hint: wording.Listed(part, unitHint(*unit)), To: "/serials/" + unit.ID, Unsure: partUnknown}
		if partUnknown {
			one.Hint = wording.Listed(v.T("part unknown"), one.Hint)
		}
		called := strings.EqualFold(unit.SerialNumber, text)
		one.Exact = called || i < exact && strings.EqualFold(unit.ID, unitMeant(v.SerialPrefix(), text))
		if unit.SerialNumber != "" {
			one.Name, one.Hint = unit.SerialNumber, wording.Listed(unit.ID, one.Hint)
			if i < exact && !one.Exact && numberOnly(v.SerialPrefix(), text) != unit.ID {
				one.Hint = wording.Listed(one.Hint, v.T("earlier {number}", "number", text))
			}
		}
		found.Found = append(found.Found, one)
	}
	groups = append(groups, found)
	for _, kind := range findables() {
		if !v.May(kind.needs.Permission()) {
			continue
		}
		found := Hits{Heading: v.Lookup(kind.heading)}
		if kind.find != nil {
			if found.Found, err = kind.find(v, text, limit); err != nil {
				return nil, err
			}
			groups = append(groups, found)
			continue
		}
		called, exact, err := v.Views.Search(v.R.Context(), kind.kind, text, limit)
		if err != nil {
			return nil, err
		}
		for i, one := range called {
			hint := otherNames(one)
			if kind.hint != nil {
				hint = kind.hint(one)
			}
			found.Found = append(found.Found, Hit{Name: one.Names[0], Hint: hint, To: kind.to(v, one.ID), Exact: i < exact})
		}
		groups = append(groups, found)
	}
	groups = slices.DeleteFunc(groups, func(group Hits) bool { return len(group.Found) == 0 })
	slices.SortStableFunc(groups, func(a, b Hits) int { return b.exact() - a.exact() })
	return groups, nil
}

// searchUnits finds the units that a text can mean. The first exact of them match exactly. If a code contains more than a number, it finds
// the units of the code's part and the units whose own number is the whole code, and none of these counts as exact. partUnknown reports
// that they may be of another part.
func searchUnits(v *site.Visit, text string, limit int) (units []shop.SerialListItem, exact int, partUnknown bool, err error) {
	read := scancode.Parse(v.SerialPrefix(), text)
	if len(read) == 0 || read[0].Kind != scancode.Marked || read[0].Mark.SerialNumber == "" {
		units, exact, err = v.Views.SearchUnits(v.R.Context(), unitMeant(v.SerialPrefix(), text), limit)
		return units, exact, false, err
	}
	called, err := v.Views.UnitsCalled(v.R.Context(), text)
	for i := range called[:min(len(called), limit)] {
		units = append(units, called[i].SerialListItem)
		partUnknown = called[i].PartUnknown
	}
	return units, 0, partUnknown, err
}

// exact returns 1 if the first result is an exact match, and otherwise 0.
func (h Hits) exact() int {
	if h.Found[0].Exact {
		return 1
	}
	return 0
}

// meant returns the only record that the text can mean: the only exact match, or the only result.
func meant(groups []Hits) (one Hit, only bool) {
	var exact, all []Hit
	for _, group := range groups {
		for _, found := range group.Found {
			if all = append(all, found); found.Exact {
				exact = append(exact, found)
			}
		}
	}
	switch {
	case len(exact) == 1:
		return exact[0], true
	case len(all) == 1 && !all[0].Unsure:
		return all[0], true
	}
	return Hit{}, false
}

// unitMeant returns the unit of a scanned code. For other texts it returns the text: a number alone may mean something else, and a typed
// identifier may be incomplete.
func unitMeant(prefix ident.Prefix, text string) string {
	unit, ok := scancode.Unit(prefix, text)
	if !ok || strings.Trim(text, "0123456789") == "" || strings.HasPrefix(strings.ToUpper(text), prefix.Mark()) {
		return text
	}
	return unit
}

// numberOnly returns the identifier of a unit if only its number was typed.
func numberOnly(prefix ident.Prefix, text string) string {
	unit, _ := scancode.Unit(prefix, text)
	return unit
}

func unitHint(unit shop.SerialListItem) string {
	return wording.Listed(unit.JobName, unit.CurrentStepName)
}

// otherNames returns the names of a record other than the first.
func otherNames(c views.Called) string { return wording.Listed(c.Names[1:]...) }

package office

import (
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// labelsPerSheet is the maximum number of labels on one page.
const labelsPerSheet = 240

// LabelsPage prints labels for a range of units, for ticked units, or for the results of a search. The address determines which.
type LabelsPage struct {
	site.Frame
	From, To string // a range, as the user typed it
	Size     string // sheet or single
	Matrix   string // onLabels for a Data Matrix next to the QR code, "" for none
	Labels   []shop.SerialListItem
	Orders   map[string]views.WorkOrder // by job
	Chosen   lang.Text                  // describes the units unless they are a range
	Asked    bool
	NextURL  string // the next page, "" if there is none
}

// onLabels is the value in an address for optional parts of a label.
const onLabels = "yes"

// DataMatrix draws the code of a unit for other systems.
func (p *LabelsPage) DataMatrix(unit shop.SerialListItem) (template.HTML, error) {
	order := p.Orders[unit.JobID]
	return site.DataMatrix(p.Language, scancode.LabelOf(p.Prefix, unit.ID, unit.SerialNumber, order.GTIN, order.Part))
}

func showLabels(v *site.Visit) error {
	query := v.R.URL.Query()
	page := &LabelsPage{Frame: v.Frame("Labels", "serials"), From: query.Get("first"), To: query.Get("last"), Size: query.Get("size")}
	if query.Get("matrix") == onLabels {
		page.Matrix = onLabels
	}
	if page.Size != "single" {
		page.Size = "sheet"
	}
	var err error
	switch {
	case len(query["serial"]) > 0:
		err = labelsOf(v, page, query["serial"])
	case page.From != "":
		err = labelsBetween(v, page)
	case searched(query):
		err = labelsFound(v, page, query)
	}
	if err == nil {
		page.Orders, err = v.Views.JobOrders(v.R.Context(), site.IDsOf(page.Labels, site.JobOfUnit))
	}
	if err != nil {
		page.Labels, page.NextURL = nil, ""
		return v.Again("labels", err, func(v *site.Visit, status int, refused *site.Problem) error {
			refused.Values = query
			page.Rejected = refused
			return v.Show(status, "labels", page)
		})
	}
	return v.Show(http.StatusOK, "labels", page)
}

// labelsBetween selects the units in a range of numbers. If the range has no last number, it selects only the first unit.
func labelsBetween(v *site.Visit, page *LabelsPage) (err error) {
	page.Asked = true
	first, err := site.UnitTyped(v, page.From)
	if err != nil {
		return err
	}
	if strings.TrimSpace(page.To) == "" {
		page.Labels, err = v.Views.SerialsBetween(v.R.Context(), first, first, 1)
		return err
	}
	part := v.T("{first} to {last}", "first", strings.TrimSpace(page.From), "last", strings.TrimSpace(page.To))
	spans, is, err := site.UnitRange(v, part, page.From, page.To, func(*site.UnitEnd) {})
	if err != nil {
		return err
	}
	if !is {
		return refusal.Refuse(wording.NoUnits, part)
	}
	for _, span := range spans {
		next := span.First
		if left := labelsPerSheet - len(page.Labels); left > 0 {
			found, err := v.Views.SerialsBetween(v.R.Context(), page.Prefix.SerialID(span.First), page.Prefix.SerialID(span.Last), left)
			if err != nil {
				return err
			}
			page.Labels = append(page.Labels, found...)
			if len(found) < left {
				continue
			}
			last, _ := page.Prefix.ParseSerialID(found[left-1].ID)
			next = last + 1
		}
		if next <= span.Last {
			page.NextURL = "/labels?" + url.Values{"first": {page.Prefix.SerialID(next)}, "last": {page.To},
				"size": {page.Size}, "matrix": {page.Matrix}}.Encode()
			return nil
		}
	}
	return nil
}

// labelsOf selects the ticked units, in the order of their numbers.
func labelsOf(v *site.Visit, page *LabelsPage, ids []string) error {
	page.Asked, page.Chosen = true, "Labels for the ticked units."
	for i := range ids {
		ids[i] = site.SerialTyped(page.Prefix, ids[i])
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	slices.SortFunc(ids, func(a, b string) int {
		if len(a) != len(b) { // SN-99999 comes before SN-100000
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	if len(ids) > labelsPerSheet {
		page.NextURL = "/labels?" + url.Values{"serial": ids[labelsPerSheet:], "size": {page.Size}, "matrix": {page.Matrix}}.Encode()
		ids = ids[:labelsPerSheet]
	}
	for _, id := range ids {
		found, err := v.Views.SerialsBetween(v.R.Context(), id, id, 1)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return shop.NameSerialNumber.NotFound(id)
		}
		page.Labels = append(page.Labels, found...)
	}
	return nil
}

// searched reports whether an address has a filter of the list of units.
func searched(query url.Values) bool {
	return slices.ContainsFunc(unitFilters, func(field string) bool {
		return strings.TrimSpace(query.Get(field)) != ""
	})
}

// labelsFound selects the units that the list of units shows with the same filters. Pages are in the order newest first. Within a page,
// units are in the order of their numbers.
func labelsFound(v *site.Visit, page *LabelsPage, query url.Values) error {
	page.Asked, page.Chosen = true, "Labels for the units that the search finds."
	search := unitQuery(v, query)
	search.Limit = labelsPerSheet
	found, err := v.Views.Units(v.R.Context(), search)
	if err != nil {
		return err
	}
	page.Labels = found.Items
	slices.Reverse(page.Labels)
	if found.Next != "" {
		next := serialList(v).Address(query, "before", found.Next, "size", page.Size, "matrix", page.Matrix)
		page.NextURL = "/labels" + strings.TrimPrefix(next, "/serials")
	}
	return nil
}

// Keep returns the fields of the address that the form for the paper size must repeat.
func (p *LabelsPage) Keep() []KeptField {
	var kept []KeptField
	for name, values := range p.AddressQuery() {
		for _, value := range values {
			if !slices.Contains([]string{"size", "matrix", "first", "last"}, name) && value != "" {
				kept = append(kept, KeptField{name, value})
			}
		}
	}
	slices.SortFunc(kept, func(a, b KeptField) int { return strings.Compare(a.Name+a.Value, b.Name+b.Value) })
	return kept
}

// KeptField is a field that the form repeats.
type KeptField struct{ Name, Value string }

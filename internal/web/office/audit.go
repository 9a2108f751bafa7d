package office

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// AuditPage lists entries of the trail.
type AuditPage struct {
	site.Frame
	Query     url.Values
	Actions   []trail.Action
	Everybody []site.Choice // the first operators, as suggestions
	Jobs      []site.Choice // the newest jobs, as suggestions
	JobTyped  string
	UserTyped string
	Page      views.AuditPage
	First     bool
	Seals     *sealer.Status // nil if the trail is not sealed
	site.Past
}

// auditPerPage is the number of entries on one page.
const auditPerPage = 60

func showAudit(v *site.Visit) error {
	ctx, query := v.R.Context(), v.R.URL.Query()
	page := &AuditPage{
		Frame: v.Frame("Audit trail", "audit"), Query: query, Actions: shop.AuditActions(),
		JobTyped: query.Get("job"), UserTyped: query.Get("user"), First: query.Get("before") == "",
		Seals: sealing(v),
	}
	var err error
	if page.Jobs, err = site.Newest(v, "job"); err != nil {
		return err
	}
	if page.Everybody, err = site.Newest(v, "person"); err != nil {
		return err
	}
	search, err := auditQuery(v)
	if err != nil {
		return v.Again("filter", err, func(v *site.Visit, status int, refused *site.Problem) error {
			refused.Values = query
			page.Rejected = refused
			return v.Show(status, "audit", page)
		})
	}
	if user, known := v.People.Find(page.UserTyped); known {
		page.UserTyped = user.Name
	}
	if search.JobID != "" {
		names, err := v.Views.JobNames(ctx, []string{search.JobID})
		if err != nil {
			return err
		}
		page.JobTyped = site.OrID(names[search.JobID], search.JobID)
	}
	search.Limit = auditPerPage
	if page.Page, err = v.Views.AuditPage(ctx, search); err != nil {
		return err
	}
	if page.NamesThen, err = v.Views.PastNames(ctx, page.Page.Entries); err != nil {
		return err
	}
	page.Past = page.WithEntries(v.Language, page.Page.Entries)
	taken, err := v.Views.TakenBack(ctx, page.Page.Entries)
	if err != nil {
		return err
	}
	maps.Copy(page.UndoneBy, taken)
	return v.Show(http.StatusOK, "audit", page)
}

// auditQuery reads the filters. Typed times have no time zone: they are in the viewer's. People and jobs may be given by name.
func auditQuery(v *site.Visit) (views.AuditQuery, error) {
	query := v.R.URL.Query()
	at := func(field string) ident.Timestamp {
		for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} {
			if at, err := time.ParseInLocation(layout, query.Get(field), v.Zone); err == nil {
				return ident.TimestampOf(at)
			}
		}
		return 0
	}
	_, who, err := recordedAs(v, strings.TrimSpace(query.Get("user")))
	if err != nil {
		return views.AuditQuery{}, err
	}
	unit, err := site.UnitTyped(v, query.Get("serial"))
	if err != nil {
		return views.AuditQuery{}, err
	}
	search := views.AuditQuery{
		Action: trail.Action(query.Get("action")), UserID: who,
		SerialID: unit, JobID: strings.TrimSpace(query.Get("job")),
		From: at("from"), Until: at("until"), Before: query.Get("before"), History: true,
	}
	if search.JobID != "" && !strings.HasPrefix(search.JobID, "job_") {
		id, err := site.Pickings(v)["job"].Pick(v.R.Context(), search.JobID)
		if err != nil {
			return search, err
		}
		search.JobID = id
	}
	return search, nil
}

// Get returns a filter as it was typed.
func (p *AuditPage) Get(field string) string { return p.Query.Get(field) }

// Filters returns the filters as a query, without the position in the list.
func (p *AuditPage) Filters() string {
	query := url.Values{}
	for field, values := range p.Query {
		if field != "before" && len(values) > 0 && values[0] != "" {
			query.Set(field, values[0])
		}
	}
	return query.Encode()
}

// Filtered returns a path with the filters as its query. Templates need it as a whole: they would escape a query after a question mark as
// a single value.
func (p *AuditPage) Filtered(path string) string {
	if filters := p.Filters(); filters != "" {
		return path + "?" + filters
	}
	return path
}

// NextURL is the address of older entries.
func (p *AuditPage) NextURL() string {
	query, _ := url.ParseQuery(p.Filters())
	query.Set("before", p.Page.Next)
	return "/audit?" + query.Encode()
}

package office

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// conformancePages declares the page of certificates of conformance, which shows one certificate instead of the list if the address asks
// for it.
func conformancePages() Noun {
	return Noun{
		routes: []site.Route{
			site.Get("/conformances", site.Always(shop.OpRead), showConformances),
			site.Post("/conformances", site.Always(shop.OpIssueConformance), issueConformance),
			site.Get("/conformances/{id}", site.Always(shop.OpRead), site.LeadTo(conformanceAddress)),
			site.Post("/conformances/{id}", site.ByForm(shop.OpReissueConformance, map[string]shop.Operation{
				conformanceWithdrawn: shop.OpWithdrawConformance,
			}), changeConformance),
		},
		Views: map[string]any{"conformances": &conformancesPage{}},
		menu:  []site.MenuEntry{{Section: "conformances", To: "/conformances", Label: "Certificates of conformance"}},
		findable: []findable{{
			kind: shop.RecordConformance, heading: "Certificates of conformance", needs: shop.OpRead, find: findConformances,
			all: "/conformances?q=",
		}},
	}
}

// findConformances finds the certificates that a text names: by number, or by a part of the customer or the order number.
func findConformances(v *site.Visit, text string, limit int) (hits []Hit, err error) {
	hit := func(c shop.Conformance, exact bool) Hit {
		return Hit{Name: c.ID, Hint: wording.Listed(c.Customer, c.OrderNumber), To: conformanceAddress(c.ID), Exact: exact}
	}
	if id := scanned(v.SerialPrefix(), text, shop.RecordConformance); id != "" {
		return hitOf(v, id, v.Service.Conformance, hit)
	}
	found, err := v.Service.Conformances(v.R.Context(), shop.ConformanceQuery{Text: text, Limit: limit})
	for i := range found.Items {
		hits = append(hits, hit(found.Items[i], strings.EqualFold(found.Items[i].OrderNumber, text)))
	}
	return hits, err
}

// conformanceWithdrawn is the form that withdraws a certificate, by its field "do". The other form issues the next revision.
const conformanceWithdrawn = "withdraw"

type conformancesPage struct {
	site.Frame
	site.Past
	One          *shop.Conformance // instead of the list; nil for none
	Read         string            // the digest of the certificate in its forms
	Units        []shop.ConformanceUnit
	MoreUnits    bool
	Draft        conformanceDraft // what the form begins with
	Query        string
	Status       string // only certificates with this status; "" for all
	Conformances []shop.Conformance
	Next         string
}

// conformanceDraft is what the form for a certificate begins with.
type conformanceDraft struct {
	Of              string // the job or shipment for which it is issued; "" for none
	ShipmentID      string // "" for a selection
	Units           string
	Customer        string
	CustomerAddress string
	OrderNumber     string
	Statement       string
	Lang            string
	Lines           []conformanceLine // of the jobs of the units
}

// conformanceLine has the fields of the form about the units of a job.
type conformanceLine struct {
	JobID, Name, OrderLine, Remarks string
}

// Statuses are the statuses of certificates.
func (*conformancesPage) Statuses() []shop.ConformanceStatus {
	return shop.CurrentConformanceStatuses()
}

// Changeable reports whether the certificate can get another revision.
func (p *conformancesPage) Changeable() bool {
	return p.One != nil && p.One.Status == shop.ConformanceIssued
}

// UnitsShown lists the units of the page.
func (p *conformancesPage) UnitsShown() []string {
	return site.IDsOf(p.Units, func(unit *shop.ConformanceUnit) string { return unit.SerialID })
}

// JobsShown lists the jobs of the page.
func (p *conformancesPage) JobsShown() (jobs []string) {
	if p.One != nil {
		for i := range p.One.Lines {
			jobs = append(jobs, p.One.Lines[i].JobID)
		}
	}
	return jobs
}

func showConformances(v *site.Visit) error {
	return renderConformances(v, v.R.URL.Query().Get("id"), http.StatusOK, nil)
}

// renderConformances shows the certificate with the identifier, or the list if that is empty.
func renderConformances(v *site.Visit, id string, status int, refused *site.Problem) error {
	ctx, asked := v.R.Context(), v.R.URL.Query()
	page := &conformancesPage{
		Frame: v.Frame("Certificates of conformance", "conformances"), Query: asked.Get("q"), Status: asked.Get("status"),
	}
	var err error
	if id != "" {
		err = page.readConformance(v, id)
	} else {
		var list shop.ConformancePage
		list, err = v.Service.Conformances(ctx, shop.ConformanceQuery{
			Text: page.Query, Status: shop.ConformanceStatus(page.Status), Before: asked.Get("before"),
		})
		page.Conformances, page.Next = list.Items, list.Next
		if err == nil {
			if refused != nil {
				asked = v.Form
			}
			err = page.Draft.read(v, asked)
		}
	}
	if err != nil {
		return err
	}
	page.Rejected = refused
	page.NamesThen, err = v.Views.PastNames(ctx, nil)
	return v.Shown(err, status, "conformances", page)
}

// readConformance reads a certificate with its first units, and prepares the form for its next revision.
func (p *conformancesPage) readConformance(v *site.Visit, id string) error {
	ctx := v.R.Context()
	one, err := v.Service.Conformance(ctx, id)
	if err != nil {
		return err
	}
	p.Frame, p.One, p.Read = v.FrameOf(one.ID, "conformances"), &one, digestConformance(one)
	var units []string
	for unit, err := range v.Service.UnitsOfConformance(ctx, id) {
		if err != nil {
			return err
		}
		units = append(units, unit.SerialID)
		if len(p.Units) < linesListed {
			p.Units = append(p.Units, unit)
		}
	}
	p.MoreUnits = len(units) > len(p.Units)
	p.Draft = conformanceDraft{
		Units: rangesOf(v.SerialPrefix(), units), Customer: one.Customer, CustomerAddress: one.CustomerAddress,
		OrderNumber: one.OrderNumber, Statement: one.Statement, Lang: one.Lang,
	}
	for i := range one.Lines {
		line := &one.Lines[i]
		p.Draft.Lines = append(p.Draft.Lines, conformanceLine{line.JobID, line.Description, line.OrderLine, line.Remarks})
	}
	return nil
}

// read prepares the form for the units of a job that have no certificate yet, for those of a shipment to a customer, or for units that were
// typed.
func (d *conformanceDraft) read(v *site.Visit, asked url.Values) error {
	ctx := v.R.Context()
	switch jobID, shipmentID := asked.Get("job"), cmp.Or(asked.Get("shipment"), asked.Get("shipmentId")); {
	case shipmentID != "":
		shipment, err := v.Service.Shipment(ctx, shipmentID)
		if err != nil || shipment.Kind != card.ToCustomer {
			return err
		}
		d.Of, d.ShipmentID, d.Customer, d.OrderNumber = shipment.ID, shipment.ID, shipment.Customer, shipment.OrderNumber
		return d.readLines(v, nil)
	case asked.Get("units") != "":
		*d = conformanceDraft{
			Units: asked.Get("units"), Customer: asked.Get("customer"), CustomerAddress: asked.Get("customerAddress"),
			OrderNumber: asked.Get("orderNumber"), Statement: asked.Get("statement"), Lang: asked.Get("lang"),
		}
		typed, err := site.TypedUnits(v, d.Units)
		if err != nil {
			return nil //nolint:nilerr // the form is refused when it is posted
		}
		return d.readLines(v, slices.Collect(site.UnitsWithin(v.SerialPrefix(), typed)))
	case jobID != "":
		job, err := v.Service.Job(ctx, jobID)
		if err != nil {
			return err
		}
		units, err := v.Service.UncertifiedUnits(ctx, jobID)
		if err != nil {
			return err
		}
		*d = conformanceDraft{
			Of: job.Name, Units: rangesOf(v.SerialPrefix(), units),
			Customer: job.Customer, CustomerAddress: job.CustomerAddress,
			OrderNumber: job.OrderNumber, Lang: job.Language, Lines: []conformanceLine{{job.ID, job.Name, job.OrderLine, ""}},
		}
	}
	return nil
}

// readLines adds a line for each job of the units, or of those of the shipment.
func (d *conformanceDraft) readLines(v *site.Visit, units []string) error {
	jobs, err := v.Service.JobsOfUnits(v.R.Context(), units, d.ShipmentID)
	for i := range jobs {
		d.Lines = append(d.Lines, conformanceLine{jobs[i].ID, jobs[i].Name, jobs[i].OrderLine, ""})
	}
	return err
}

// Fields of a line in the form; the identifier of the job follows.
const (
	orderLineOf = "orderLine "
	remarksOf   = "remarks "
)

// linesTyped returns the lines of the posted form that are not blank. A blank line says nothing, also about a job without units.
func linesTyped(v *site.Visit) (in input.Input[[]input.Input[shop.ConformanceLines]]) {
	var lines []input.Input[shop.ConformanceLines]
	for _, jobID := range v.Form["line"] {
		line := shop.ConformanceLines{
			JobID: input.Given(jobID), OrderLine: v.Text(orderLineOf + jobID), Remarks: v.Text(remarksOf + jobID),
		}
		if v.Form.Get(orderLineOf+jobID) != "" || v.Form.Get(remarksOf+jobID) != "" {
			lines = append(lines, input.Given(line))
		}
	}
	if lines == nil {
		return in
	}
	return input.Given(lines)
}

// rangesOf returns units as people type them: SN-00401 to SN-00600, SN-00612.
func rangesOf(prefix ident.Prefix, units []string) string {
	var ranges []string
	for _, span := range shop.SpansOf(prefix, units) {
		if span.First == span.Last {
			ranges = append(ranges, span.First)
			continue
		}
		ranges = append(ranges, span.First+" to "+span.Last) // not a text: TypedUnits reads it
	}
	return strings.Join(ranges, ", ")
}

// conformanceAddress is the address of a certificate's page.
func conformanceAddress(id string) string { return "/conformances?id=" + url.QueryEscape(id) }

// digestConformance is the digest of what forms of a certificate depend on.
func digestConformance(c shop.Conformance) string {
	return site.AsRead(c.Revision, c.Status, c.UpdatedAt)
}

// conformanceTyped returns the certificate that the posted form describes.
func conformanceTyped(v *site.Visit) (in shop.IssueConformanceInput, err error) {
	in = shop.IssueConformanceInput{
		Customer: v.Text("customer"), CustomerAddress: v.Text("customerAddress"), OrderNumber: v.Text("orderNumber"),
		Statement: v.Text("statement"), Lang: v.Text("lang"), UserID: v.User(),
	}
	if v.Form.Get("shipmentId") != "" {
		in.ShipmentID = v.Text("shipmentId")
	} else if in.Selection, err = site.TypedUnits(v, v.Form.Get("units")); err != nil {
		return in, err
	}
	in.Lines = linesTyped(v)
	return in, nil
}

func issueConformance(v *site.Visit) error {
	err := v.Named()
	var made shop.Conformance
	if err == nil {
		var in shop.IssueConformanceInput
		if in, err = conformanceTyped(v); err == nil {
			made, err = v.Service.IssueConformance(v.R.Context(), in)
		}
	}
	if err != nil {
		return v.Again("issue", err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderConformances(v, "", status, refused)
		})
	}
	v.Remember()
	return v.Back(conformanceAddress(made.ID), v.T("Certificate {certificate} issued.", "certificate", made.ID))
}

func changeConformance(v *site.Visit) error {
	id, form := v.R.PathValue("id"), v.Form.Get("do")
	err, done := v.Named(), ""
	if err == nil {
		done, err = carryOutOnConformance(site.IfRead(v, v.Form.Get(site.ReadField), digestConformance), v, id, form)
	}
	if site.WasChanged(err) {
		err = site.ErrChanged(v, v.T("Somebody changed the certificate meanwhile."), nil)
	}
	if err != nil {
		return v.Again(form, err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderConformances(v, id, status, refused)
		})
	}
	v.Remember()
	return v.Back(conformanceAddress(id), done)
}

// carryOutOnConformance carries out the posted form, and returns its message.
func carryOutOnConformance(ctx context.Context, v *site.Visit, id, form string) (done string, err error) {
	if form == conformanceWithdrawn {
		_, err = v.Service.WithdrawConformance(ctx, id, shop.WithdrawConformanceInput{Reason: v.Text("reason"), UserID: v.User()})
		return v.T("Certificate withdrawn."), err
	}
	in, err := conformanceTyped(v)
	if err != nil {
		return "", err
	}
	made, err := v.Service.ReissueConformance(ctx, id, shop.ReissueConformanceInput{IssueConformanceInput: in, Reason: v.Text("reason")})
	return v.T("Revision {revision} issued.", "revision", made.Revision), err
}

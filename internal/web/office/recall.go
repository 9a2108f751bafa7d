package office

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// recallPages declares the page of recalls: what a cause affects, and one hold for all of it.
func recallPages() Noun {
	return Noun{
		routes: []site.Route{
			site.GetReading("/recall", site.Always(shop.OpRead), showRecall),
			site.Post("/recall", site.Always(shop.OpHold), holdRecalled),
		},
		Views: map[string]any{"recall": &recallPage{}},
		menu:  []site.MenuEntry{{Section: "recall", To: "/recall", Label: "Recall"}},
	}
}

// The causes of a recall in the address and in the form.
const (
	causeHeat        = "heat"
	causeLot         = "lot"
	causeCertificate = "certificate"
	causeUnit        = "unit"
	causeShipment    = "shipment"
	causeInstrument  = "instrument"
	causeStep        = "step"
	causeOperator    = "operator"
)

// recallCause is a cause to choose.
type recallCause struct {
	Value string
	Label lang.Text
}

// recallPage shows what a cause affects.
type recallPage struct {
	site.Frame
	Asked    url.Values // the cause as it was typed
	Jobs     []site.Choice
	Cause    recallAsked
	Found    *genealogy.Recall // nil until a cause is typed
	Units    []genealogy.Item  // as many as the page shows
	Lots     []genealogy.Item
	Holdable int // the number of units that a hold would be placed on
	FreeLots int // the number of lots that are not on hold
	Held     int // the number of units on hold
	More     int // the number of units that the page does not show
}

// recallAsked is the cause that a request contains.
type recallAsked struct {
	Title string // names the cause
	query genealogy.Query
	of    string // the identifier of the record, or the text that was typed
	name  string // of a lot; "" for other causes
}

// recallShown is the number of units that the page shows unless all are asked for.
const recallShown = 1000

// Causes are the causes to choose from.
func (*recallPage) Causes() []recallCause {
	return []recallCause{
		{causeHeat, "Heat number"}, {causeLot, "Lot"}, {causeCertificate, "Certificate"}, {causeUnit, "Unit"},
		{causeShipment, "Shipment"}, {causeInstrument, "Instrument"}, {causeStep, "Step"}, {causeOperator, "Operator"},
	}
}

// Get returns a field of the cause as it was typed.
func (p *recallPage) Get(field string) string { return p.Asked.Get(field) }

// OfTyped is the text of the field for the cause: a lot that a link identifies has its number in it.
func (p *recallPage) OfTyped() string {
	if typed := p.Asked.Get("of"); typed == "" || typed != p.Cause.of || p.Cause.name == "" {
		return typed
	}
	return p.Cause.name + " [" + p.Cause.of + "]"
}

// Of is the record of the cause in the form that places the holds.
func (p *recallPage) Of() string { return p.Cause.of }

// UnitsShown lists the units of the page.
func (p *recallPage) UnitsShown() (units []string) {
	units = append(units, p.Cause.query.SerialID)
	for i := range p.Units {
		units = append(units, p.Units[i].SerialID, p.Units[i].Inside, p.Units[i].Root)
	}
	return slices.DeleteFunc(units, func(id string) bool { return id == "" })
}

// Counted names the units and lots that one decision holds.
func (p *recallPage) Counted() string { return unitsAndLots(p.Language, p.Holdable, p.FreeLots) }

// unitsAndLots counts units and lots in words.
func unitsAndLots(l *lang.Language, units, lots int) string {
	counted := l.TN(units, "{n} unit", "{n} units")
	switch {
	case lots == 0:
		return counted
	case units == 0:
		return l.TN(lots, "{n} lot", "{n} lots")
	}
	return l.T("{units} and {lots}", "units", counted, "lots", l.TN(lots, "{n} lot", "{n} lots"))
}

// Whole is the address of the page with all units.
func (p *recallPage) Whole() string { return p.address() + "&all=true" }

// File is the address of the list as a file.
func (p *recallPage) File() string {
	query := url.Values{}
	q := &p.Cause.query
	for name, value := range map[string]string{
		"lotId": q.LotID, "heatNumber": q.HeatNumber, "certId": q.CertID, "serialId": q.SerialID, "shipmentId": q.ShipmentID,
		"instrumentId": q.InstrumentID,
		"stepId":       q.StepID, "by": q.By, "contains": string(q.Contains),
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	if q.Timed() {
		query.Set("from", q.From.String())
		if q.To != 0 {
			query.Set("to", q.To.String())
		}
	}
	return "/api/export/recall.csv?" + query.Encode()
}

// address is the address of the page with the cause as it was typed.
func (p *recallPage) address() string {
	query := url.Values{}
	for _, field := range []string{"cause", "of", "job", "from", "to", "contains"} {
		if value := p.Asked.Get(field); value != "" {
			query.Set(field, value)
		}
	}
	return "/recall?" + query.Encode()
}

func showRecall(v *site.Visit) error {
	return renderRecall(v, v.R.URL.Query(), http.StatusOK, nil)
}

// renderRecall shows what the cause affects. refused is the refusal of a hold.
func renderRecall(v *site.Visit, asked url.Values, status int, refused *site.Problem) error {
	page := &recallPage{Frame: v.Frame("Recall", "recall"), Asked: asked}
	page.Rejected = refused
	var err error
	if page.Jobs, err = site.Newest(v, "job"); err != nil {
		return err
	}
	if strings.TrimSpace(asked.Get("of")) == "" {
		return v.Show(status, "recall", page)
	}
	if err = page.find(v); err != nil {
		return v.Again("find", err, func(v *site.Visit, status int, refused *site.Problem) error {
			refused.Values = asked
			page.Rejected = refused
			return v.Show(status, "recall", page)
		})
	}
	return v.Show(status, "recall", page)
}

// find reads what the typed cause affects.
func (p *recallPage) find(v *site.Visit) (err error) {
	if p.Cause, err = recallTyped(v, p.Asked); err != nil {
		return err
	}
	recall, err := v.Views.Recall(v.R.Context(), p.Cause.query)
	if err != nil {
		return err
	}
	p.Found = &recall
	for _, item := range recall.Items {
		switch {
		case item.LotID != "":
			p.Lots = append(p.Lots, item)
			if !item.Held {
				p.FreeLots++
			}
			continue
		case item.Status != card.Scrapped:
			p.Holdable++
		}
		if item.Held {
			p.Held++
		}
		p.Units = append(p.Units, item)
	}
	if p.Asked.Get("all") != "true" && len(p.Units) > recallShown {
		p.More = len(p.Units) - recallShown
		p.Units = p.Units[:recallShown]
	}
	return nil
}

// recallTyped finds the records that a typed cause names. Days are those of the shop.
func recallTyped(v *site.Visit, typed url.Values) (asked recallAsked, err error) {
	ctx, of := v.R.Context(), strings.TrimSpace(typed.Get("of"))
	asked.of, asked.query.Contains = of, genealogy.Contains(typed.Get("contains"))
	switch typed.Get("cause") {
	case causeLot:
		part, err := site.PartTyped(v, of)
		if err == nil && part.Lot.ID == "" {
			err = refusal.Refuse(wording.NoPart, site.Visible(of))
		}
		asked.of, asked.name, asked.query.LotID = part.Lot.ID, part.Lot.LotNumber, part.Lot.ID
		asked.Title = v.T("Recall of lot {lot}", "lot", part.Lot.LotNumber)
		return asked, err
	case causeCertificate:
		id, err := site.Pickings(v)["certificate"].Pick(ctx, of)
		if err != nil {
			return asked, err
		}
		certificate, err := v.Service.Certificate(ctx, id)
		asked.of, asked.query.CertID = id, id
		asked.Title = v.T("Recall of certificate {name}", "name", certificate.Name)
		return asked, err
	case causeUnit:
		asked.of, err = site.UnitTyped(v, of)
		asked.query.SerialID = asked.of
		asked.Title = v.T("Recall of unit {unit}", "unit", asked.of)
		return asked, err
	case causeShipment:
		shipment, err := shipmentTyped(v, of)
		asked.of, asked.query.ShipmentID = shipment, shipment
		asked.Title = v.T("Recall of shipment {shipment}", "shipment", shipment)
		return asked, err
	case causeInstrument, causeStep, causeOperator:
		return timedCause(v, asked, typed)
	}
	asked.query.HeatNumber = of
	asked.Title = v.T("Recall of heat {heat}", "heat", of)
	return asked, nil
}

// timedCause finds the records of a cause within a span of days.
func timedCause(v *site.Visit, asked recallAsked, typed url.Values) (recallAsked, error) {
	ctx := v.R.Context()
	var err error
	switch typed.Get("cause") {
	case causeInstrument:
		var found shop.InstrumentPage
		if found, err = v.Service.Instruments(ctx, shop.InstrumentQuery{Text: asked.of}); err != nil {
			return asked, err
		}
		named := make([]site.Named, len(found.Items))
		for i, one := range found.Items {
			named[i] = site.Named{ID: one.ID, Name: one.Number, Hint: one.Name}
		}
		if strings.HasPrefix(asked.of, "inst_") {
			named = []site.Named{{ID: asked.of}}
		}
		asked.of, err = site.Among("instrument", named).Pick(ctx, asked.of)
		if err != nil {
			return asked, err
		}
		one, err := v.Service.Instrument(ctx, asked.of)
		if err != nil {
			return asked, err
		}
		asked.query.InstrumentID, asked.Title = one.ID, v.T("Recall of what {instrument} measured", "instrument", one.Number)
	case causeStep:
		var step site.Named
		step, err = stepTyped(v, typed.Get("job"), asked.of)
		asked.of, asked.query.StepID = step.ID, step.ID
		asked.Title = v.T("Recall of what was at {step}", "step", step.Name)
	default:
		var name string
		name, asked.query.By, err = recordedAs(v, asked.of)
		asked.Title = v.T("Recall of what {name} did", "name", name)
	}
	if err != nil {
		return asked, err
	}
	asked.query.From, asked.query.To, err = daysTyped(v, typed)
	return asked, err
}

// daysTyped returns the first and the last moment of a span of days; 0 for the last one if the day is empty.
func daysTyped(v *site.Visit, typed url.Values) (from, to ident.Timestamp, err error) {
	first, err := time.ParseInLocation(dayLayout, strings.TrimSpace(typed.Get("from")), v.Service.Zone())
	if err != nil {
		return 0, 0, refusal.Refuse(wording.NoFirstDay)
	}
	if until := strings.TrimSpace(typed.Get("to")); until != "" {
		last, err := time.ParseInLocation(dayLayout, until, v.Service.Zone())
		if err != nil {
			return 0, 0, refusal.RefuseField(input.NotTime, "to")
		}
		to = ident.TimestampOf(last.AddDate(0, 0, 1)) - 1
	}
	return ident.TimestampOf(first), to, nil
}

// stepTyped finds a step by its identifier, or by its name and its job.
func stepTyped(v *site.Visit, job, typed string) (step site.Named, err error) {
	ctx := v.R.Context()
	if strings.HasPrefix(typed, "step_") && strings.TrimSpace(job) == "" {
		return site.Named{ID: typed, Name: typed}, nil
	}
	jobID, err := site.Pickings(v)["job"].Pick(ctx, strings.TrimSpace(job))
	if err != nil {
		return step, err
	}
	detail, err := v.Service.Job(ctx, jobID)
	if err != nil {
		return step, err
	}
	var steps []site.Named
	for i := range detail.Paths {
		for _, one := range detail.Paths[i].Steps {
			steps = append(steps, site.Named{ID: one.ID, Name: one.Name, Hint: detail.Paths[i].Name})
		}
	}
	id, err := site.Among("step", steps).Pick(ctx, typed)
	if err != nil {
		return step, err
	}
	return steps[slices.IndexFunc(steps, func(one site.Named) bool { return one.ID == id })], nil
}

// recordedAs returns the name of a person, and the name that entries of the trail have for them.
func recordedAs(v *site.Visit, typed string) (name, recorded string, err error) {
	user, known, err := v.People.Called(v.R.Context(), typed)
	switch {
	case err != nil:
		return typed, typed, err
	case known && v.Access != nil && user.Login != "": // entries of signed-in users have the login
		return user.Name, user.Login, nil
	case known:
		return user.Name, user.ID, nil
	}
	return typed, typed, nil
}

// holdRecalled places the holds of one decision: on all units that are not scrapped, and on all lots.
func holdRecalled(v *site.Visit) error {
	done, err := holdEverything(v)
	if err != nil {
		return v.Again("hold", err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderRecall(v, v.Form, status, refused)
		})
	}
	v.Remember()
	page := recallPage{Asked: v.Form}
	return v.Back(page.address(), done)
}

func holdEverything(v *site.Visit) (string, error) {
	if err := v.Named(); err != nil {
		return "", err
	}
	asked, err := recallTyped(v, v.Form)
	if err != nil {
		return "", err
	}
	told, end := site.ProgressOfUnits(v)
	defer end()
	result, err := v.Service.BatchHold(v.R.Context(), shop.BatchHoldInput{
		BatchInput:      shop.BatchInput{Selection: shop.SelectionInput{ExpectedCount: v.Number("expectedCount")}, Told: told},
		Recall:          asked.input(),
		Lots:            input.Given(true),
		HoldSerialInput: shop.HoldSerialInput{Reason: v.Text("reason"), UserID: v.User()},
	})
	if err != nil {
		return "", err
	}
	return v.T("On hold: {units}.", "units", unitsAndLots(v.Language, result.Changed, *result.Lots)), nil
}

// input is the recall of a request.
func (a *recallAsked) input() shop.RecallInput {
	given := func(text string) input.TextInput {
		if text == "" {
			return input.TextInput{}
		}
		return input.Given(text)
	}
	at := func(at ident.Timestamp) input.TextInput {
		if at == 0 {
			return input.TextInput{}
		}
		return input.Given(at.String())
	}
	q := a.query
	return input.Given(shop.CauseInput{
		LotID: given(q.LotID), HeatNumber: given(q.HeatNumber), CertID: given(q.CertID), SerialID: given(q.SerialID),
		ShipmentID: given(q.ShipmentID), InstrumentID: given(q.InstrumentID), StepID: given(q.StepID), By: given(q.By),
		From: at(q.From), To: at(q.To), Contains: given(string(q.Contains)),
	})
}

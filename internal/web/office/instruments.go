package office

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// instrumentPages declares the page of instruments. If the address contains an instrument, the page shows it above the list.
func instrumentPages() Noun {
	return Noun{
		routes: []site.Route{
			site.Get("/instruments", site.Always(shop.OpRead), showInstruments),
			site.Post("/instruments", site.Always(shop.OpCreateInstrument), createInstrument),
			site.Get("/instruments/{id}", site.Always(shop.OpRead), site.LeadTo(instrumentAddress)),
			site.Post("/instruments/{id}", site.Always(shop.OpUpdateInstrument), updateInstrument),
			site.Get("/instruments/{id}/calibrations", site.Always(shop.OpRead), site.LeadTo(instrumentAddress)),
			site.Post("/instruments/{id}/calibrations", site.Always(shop.OpCalibrate), calibrateInstrument),
		},
		Views: map[string]any{"instruments": &instrumentsPage{}},
		menu:  []site.MenuEntry{{Section: "instruments", To: "/instruments", Label: "Instruments"}},
		findable: []findable{{
			kind: shop.RecordInstrument, heading: "Instruments", needs: shop.OpRead,
			to: func(_ *site.Visit, id string) string { return instrumentAddress(id) }, all: "/instruments?q=",
		}},
	}
}

type instrumentsPage struct {
	site.Frame
	site.Past
	One          *shop.Instrument // above the list; nil for none
	Read         string           // the digest of the instrument, for its form
	Calibrations []shop.Calibration
	Doubt        *shop.Doubtful // the units that the instrument makes doubtful; nil for none
	Files        site.FilesPart
	Query        string
	State        string
	Instruments  []shop.Instrument
	Next         string
}

// States are the states of an instrument.
func (*instrumentsPage) States() []shop.InstrumentState { return shop.InstrumentStates() }

// Results are the results of a calibration.
func (*instrumentsPage) Results() []shop.CalibrationResult { return shop.CalibrationResults() }

// dueSoon is the time before its due date from which an instrument is marked.
const dueSoon = 14 * 24 * time.Hour

// DueSoon reports whether an instrument has to be calibrated soon.
func (p *instrumentsPage) DueSoon(i shop.Instrument) bool {
	due, err := time.Parse(time.DateOnly, i.DueDate)
	return err == nil && due.Sub(p.Now) < dueSoon
}

// InDoubt lists the units that are in doubt.
func (p *instrumentsPage) InDoubt() []string {
	spans := make([]ident.NumberRange, len(p.Doubt.Ranges))
	for i, span := range p.Doubt.Ranges {
		spans[i].First, _ = p.Prefix.ParseSerialID(span.First)
		spans[i].Last, _ = p.Prefix.ParseSerialID(span.Last)
	}
	var units []string
	for _, span := range spans {
		for number := span.First; number <= span.Last; number++ {
			units = append(units, p.Prefix.SerialID(number))
		}
	}
	return units
}

// DoubtShown returns the first units in doubt.
func (p *instrumentsPage) DoubtShown() []string {
	units := p.InDoubt()
	return units[:min(len(units), doubtShown)]
}

const doubtShown = 12

// rankOf returns the sort key of an instrument: instruments that must not be used come first, then the order is by due date.
func rankOf(i shop.Instrument) string {
	switch i.State {
	case shop.InstrumentFailed:
		return ""
	case shop.InstrumentDue, shop.InstrumentReady:
	}
	return cmp.Or(i.DueDate, "9")
}

func showInstruments(v *site.Visit) error {
	return renderInstruments(v, v.R.URL.Query().Get("id"), http.StatusOK, nil)
}

// renderInstruments shows the list. If id is not empty, it shows that instrument above the list.
func renderInstruments(v *site.Visit, id string, status int, refused *site.Problem) error {
	ctx, asked := v.R.Context(), v.R.URL.Query()
	page := &instrumentsPage{Frame: v.Frame("Instruments", "instruments"), Query: asked.Get("q"), State: asked.Get("state")}
	page.Rejected = refused
	if id != "" {
		one, err := v.Service.Instrument(ctx, id)
		if err != nil {
			return err
		}
		page.One, page.Read = &one, readInstrument(one)
		if page.Calibrations, err = v.Service.CalibrationsOf(ctx, id); err != nil {
			return err
		}
		doubt, err := v.Service.UnitsInDoubt(ctx, id, shop.DoubtQuery{Limit: input.SearchLimit})
		if err != nil {
			return err
		}
		if doubt.ExpectedCount > 0 {
			page.Doubt = &doubt
		}
		if page.Files, err = site.FilesOf(v, shop.FileSubject{Kind: shop.RecordInstrument, ID: id}); err != nil {
			return err
		}
	}
	list, err := v.Service.Instruments(ctx, shop.InstrumentQuery{
		Text: page.Query, State: shop.InstrumentState(page.State), Before: asked.Get("before"),
	})
	if err != nil {
		return err
	}
	page.Instruments, page.Next = list.Items, list.Next
	slices.SortStableFunc(page.Instruments, func(a, b shop.Instrument) int { return cmp.Compare(rankOf(a), rankOf(b)) })
	page.NamesThen, err = v.Views.PastNames(ctx, nil)
	return v.Shown(err, status, "instruments", page)
}

// readInstrument is the digest of all values that the form for an instrument can change.
func readInstrument(i shop.Instrument) string {
	return site.AsRead(i.Number, i.Name, i.DueDate, i.ExternalID, string(i.From), string(i.To), i.Unit)
}

var (
	instrumentForm = site.DecimalFormOf[shop.InstrumentInput]()
	calibrateForm  = site.FormOf[shop.CalibrateInput]()
)

func createInstrument(v *site.Visit) error {
	in, err := instrumentForm.Read(v)
	var made shop.Instrument
	if err == nil {
		in.ChangedBy = v.User()
		made, err = v.Service.CreateInstrument(v.R.Context(), in)
	}
	if err != nil {
		return v.Again("create", err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderInstruments(v, "", status, refused)
		})
	}
	return v.Back(instrumentAddress(made.ID), v.T("Instrument recorded."))
}

func updateInstrument(v *site.Visit) error {
	id := v.R.PathValue("id")
	in, err := instrumentForm.Read(v)
	if err == nil {
		in.ChangedBy = v.User()
		_, err = v.Service.UpdateInstrument(site.IfRead(v, v.Form.Get(site.ReadField), readInstrument), id, in)
	}
	if site.WasChanged(err) {
		return instrumentChanged(v, id)
	}
	if err != nil {
		return v.Again("edit", err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderInstruments(v, id, status, refused)
		})
	}
	return v.Back(instrumentAddress(id), v.T("Saved."))
}

// instrumentChanged responds to a form for an instrument that has changed since the page was shown.
func instrumentChanged(v *site.Visit, id string) error {
	i, err := v.Service.Instrument(v.R.Context(), id)
	if err != nil {
		return err
	}
	err = site.ErrChanged(v, v.T("Somebody changed the instrument meanwhile."), []site.Compared{
		{Field: "Number", Typed: v.Form.Get("number"), Now: i.Number}, {Field: "Name", Typed: v.Form.Get("name"), Now: i.Name},
		{Field: "May be used until", Typed: v.Form.Get("dueDate"), Now: i.DueDate},
		{Field: "External id", Typed: v.Form.Get("externalId"), Now: i.ExternalID},
		{Field: "Reads from", Typed: v.Form.Get("rangeFrom"), Now: v.Decimal(string(i.From))},
		{Field: "Reads to", Typed: v.Form.Get("rangeTo"), Now: v.Decimal(string(i.To))},
		{Field: "Unit of measure", Typed: v.Form.Get("unit"), Now: i.Unit},
	})
	return v.Again("edit", err, func(v *site.Visit, status int, refused *site.Problem) error {
		refused.Values = url.Values{
			"number": {i.Number}, "name": {i.Name}, "dueDate": {i.DueDate}, "externalId": {i.ExternalID},
			"rangeFrom": {v.Decimal(string(i.From))}, "rangeTo": {v.Decimal(string(i.To))}, "unit": {i.Unit},
		}
		return renderInstruments(v, id, status, refused)
	})
}

func calibrateInstrument(v *site.Visit) error {
	id := v.R.PathValue("id")
	err := v.Named()
	if err == nil {
		in := calibrateForm.Read(v.Form)
		in.UserID = v.User()
		_, err = v.Service.CalibrateInstrument(v.R.Context(), id, in)
	}
	if err != nil {
		return v.Again("calibrate", err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderInstruments(v, id, status, refused)
		})
	}
	v.Remember()
	return v.Back(instrumentAddress(id), v.T("Calibration recorded."))
}

// instrumentAddress is the address of an instrument's page.
func instrumentAddress(id string) string { return "/instruments?id=" + url.QueryEscape(id) }

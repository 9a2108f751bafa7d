package web

import (
	"net/http"
	"net/url"

	"github.com/routecard/routecard/shop"
)

// instrumentPages are the page of instruments, which shows one of them above the list when it is asked for.
func instrumentPages() noun {
	return noun{
		routes: []route{
			get("/instruments", always(shop.OpRead), showInstruments),
			post("/instruments", always(shop.OpCreateInstrument), createInstrument),
			get("/instruments/{id}", always(shop.OpRead), leadTo(instrumentAddress)),
			post("/instruments/{id}", always(shop.OpUpdateInstrument), updateInstrument),
			get("/instruments/{id}/calibrations", always(shop.OpRead), leadTo(instrumentAddress)),
			post("/instruments/{id}/calibrations", always(shop.OpCalibrate), calibrateInstrument),
		},
		views: map[string]any{"instruments": &instrumentsPage{}},
		menu:  []menuEntry{{"instruments", "/instruments", "Instruments"}},
		findable: []findable{{shop.RecordInstrument, "Instruments", shop.OpRead, func(_ *visit, id string) string {
			return instrumentAddress(id)
		}, nil, "/instruments?q="}},
	}
}

type instrumentsPage struct {
	frame
	past
	One          *shop.Instrument // above the list; nil for none
	Read         string           // what the form for it carries of what was read
	Calibrations []shop.Calibration
	Files        filesPart
	Query        string
	State        string
	Instruments  []shop.Instrument
	Next         string
}

// States are what an instrument can be.
func (*instrumentsPage) States() []shop.InstrumentState { return shop.InstrumentStates() }

// Results are what a calibration can find.
func (*instrumentsPage) Results() []shop.CalibrationResult { return shop.CalibrationResults() }

func showInstruments(v *visit) error {
	return renderInstruments(v, v.r.URL.Query().Get("id"), http.StatusOK, nil)
}

// renderInstruments shows the list, and above it the instrument with an identifier unless that is empty.
func renderInstruments(v *visit, id string, status int, refused *problem) error {
	ctx, asked := v.r.Context(), v.r.URL.Query()
	page := &instrumentsPage{frame: v.frame("Instruments", "instruments"), Query: asked.Get("q"), State: asked.Get("state")}
	page.problem = refused
	if id != "" {
		one, err := v.service.Instrument(ctx, id)
		if err != nil {
			return err
		}
		page.One, page.Read = &one, readInstrument(one)
		if page.Calibrations, err = v.service.CalibrationsOf(ctx, id); err != nil {
			return err
		}
		if page.Files, err = filesOf(v, shop.FileSubject{Kind: shop.RecordInstrument, ID: id}); err != nil {
			return err
		}
	}
	list, err := v.service.Instruments(ctx, shop.InstrumentQuery{
		Text: page.Query, State: shop.InstrumentState(page.State), Before: asked.Get("before"),
	})
	if err != nil {
		return err
	}
	page.Instruments, page.Next = list.Items, list.Next
	page.names, err = v.views.PastNames(ctx, nil)
	return v.shown(err, status, "instruments", page)
}

// readInstrument is what the form for an instrument carries of what was read: all that it can change.
func readInstrument(i shop.Instrument) string {
	return asRead(i.Number, i.Name, i.DueDate, i.ExternalID)
}

var (
	instrumentForm = formOf[shop.InstrumentInput]()
	calibrateForm  = formOf[shop.CalibrateInput]()
)

func createInstrument(v *visit) error {
	in := instrumentForm.read(v.form)
	in.ChangedBy = v.user()
	made, err := v.service.CreateInstrument(v.r.Context(), in)
	if err != nil {
		return v.again("create", err, func(v *visit, status int, refused *problem) error { return renderInstruments(v, "", status, refused) })
	}
	return v.back(instrumentAddress(made.ID), "Instrument recorded.")
}

func updateInstrument(v *visit) error {
	id, in := v.r.PathValue("id"), instrumentForm.read(v.form)
	in.ChangedBy = v.user()
	_, err := v.service.UpdateInstrument(ifRead(v, v.form.Get(readField), readInstrument), id, in)
	if wasChanged(err) {
		return instrumentChanged(v, id)
	}
	if err != nil {
		return v.again("edit", err, func(v *visit, status int, refused *problem) error { return renderInstruments(v, id, status, refused) })
	}
	return v.back(instrumentAddress(id), "Saved.")
}

// instrumentChanged answers a form for an instrument that somebody changed since it was read.
func instrumentChanged(v *visit, id string) error {
	i, err := v.service.Instrument(v.r.Context(), id)
	if err != nil {
		return err
	}
	err = errChanged("the instrument", []compared{
		{"Number", v.form.Get("number"), i.Number}, {"Name", v.form.Get("name"), i.Name},
		{"May be used until", v.form.Get("dueDate"), i.DueDate}, {"External id", v.form.Get("externalId"), i.ExternalID},
	})
	return v.again("edit", err, func(v *visit, status int, refused *problem) error {
		refused.values = url.Values{"number": {i.Number}, "name": {i.Name}, "dueDate": {i.DueDate}, "externalId": {i.ExternalID}}
		return renderInstruments(v, id, status, refused)
	})
}

func calibrateInstrument(v *visit) error {
	id := v.r.PathValue("id")
	err := v.named()
	if err == nil {
		in := calibrateForm.read(v.form)
		in.UserID = v.user()
		_, err = v.service.CalibrateInstrument(v.r.Context(), id, in)
	}
	if err != nil {
		return v.again("calibrate", err, func(v *visit, status int, refused *problem) error { return renderInstruments(v, id, status, refused) })
	}
	v.remember()
	return v.back(instrumentAddress(id), "Calibration recorded.")
}

// instrumentAddress is the address of the page of an instrument.
func instrumentAddress(id string) string { return "/instruments?id=" + url.QueryEscape(id) }

package scanpages

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/unitcard"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// Place is the station of the visitor's device. It is the zero Place if the device is not a station.
type Place struct {
	ID, Name string
	Places   []string // places whose steps are done at this station; none means all steps
	OneScan  bool     // whether one scan of a unit completes its step
}

// placeOfStation returns the station of the visitor's device.
func placeOfStation(v *site.Visit) (Place, error) {
	if v.Access == nil {
		return Place{}, nil
	}
	here, err := v.Access.StationOf(v.R)
	return Place{here.ID, here.Name, here.Places, here.OneScan}, err
}

// has reports whether a step is done at this station. A step without a place can be done at every station, and a station without places can
// do every step.
func (p Place) has(step *card.ProcessStep) bool {
	return step == nil || step.Location == "" || len(p.Places) == 0 || slices.Contains(p.Places, step.Location)
}

// look looks up a scanned unit.
func (run *scanRun) look(id string) (station.Event, error) {
	card, err := unitcard.Load(run.Visit, id)
	if refused, ok := site.AsRefusal(err); ok && refused.Kind == refusal.NotFound {
		return station.Event{Kind: station.Missing, Text: noSuchUnit(run.Language, id)}, nil
	}
	if err != nil {
		return station.Event{}, err
	}
	found := station.Event{
		Kind: station.Found, Unit: asShown(card, run.place), OneScan: run.oneScan(card), Demand: asksAtOnce(run.Visit, card),
	}
	if stopped := stoppedAt(card, run.Clock(), found.Demand, found.Unit.Away); stopped != nil {
		found.Text, run.stopped = stopped.Text, stopped.Kind
	} else if found.Unit.Away {
		found.Text, run.stopped = elsewhere(card), "warn"
	}
	if found.Demand.Characteristic == "" {
		found.Demand, found.Words = outOfLimits(run.Visit, card)
		found.Out = found.Words != ""
	}
	return found, nil
}

// find looks up a unit by its own number. If several units have the number, find takes the only one of them that is not scrapped. In that
// case, and if a unit only had the number earlier, it turns off OneScan, because the number may be engraved on another unit.
func (run *scanRun) find(typed string) (station.Event, error) {
	units, err := run.Views.UnitsCalled(run.R.Context(), typed)
	if err != nil {
		return station.Event{}, err
	}
	meant, scrapped, only := views.MeantUnit(units)
	switch {
	case len(units) == 0:
		text, err := run.anotherRecord(typed)
		return station.Event{Kind: station.Missing, Typed: typed, Text: text}, err
	case !only && units[0].PartUnknown:
		return station.Event{Kind: station.Several, Units: calledIDs(units), Why: station.Part}, nil
	case !only:
		return station.Event{Kind: station.Several, Units: calledIDs(units)}, nil
	}
	found, err := run.look(meant.ID)
	if found.Kind != station.Found {
		return found, err
	}
	switch {
	case len(scrapped) > 0:
		found.Text = strings.TrimSpace(scrappedToo(run.Language, scrapped) + " " + found.Text)
	case meant.ByEarlier && run.stopped == "":
		found.Text = byEarlier(run.Language, meant)
	case !meant.ByEarlier:
		return found, err
	}
	found.OneScan, run.stopped = false, cmp.Or(run.stopped, "warn")
	return found, err
}

// anotherRecord says that a lot or an instrument has the typed number. It returns "" if none has it.
func (run *scanRun) anotherRecord(typed string) (string, error) {
	if !run.May(shop.OpRead.Permission()) {
		return "", nil
	}
	for _, kind := range []ident.RecordKind{shop.RecordLot, shop.RecordInstrument} {
		found, exact, err := run.Views.Search(run.R.Context(), kind, typed, 1)
		if err != nil {
			return "", err
		}
		if exact > 0 {
			return isAnother(run.Language, typed, found[0].ID), nil
		}
	}
	return "", nil
}

func calledIDs(units []views.CalledUnit) []string {
	return site.IDsOf(units, func(unit *views.CalledUnit) string { return unit.ID })
}

// check reports whether a text is the number of a unit.
func (run *scanRun) check(text string) (station.Event, error) {
	checked := station.Event{Kind: station.Checked, Words: text}
	units, err := run.Views.UnitsCalled(run.R.Context(), text)
	if len(units) > 0 {
		checked.Why = station.Code
	}
	return checked, err
}

// oneScan reports whether scanning a unit completes its step. This requires that the station is configured for it, that the step's place is
// one of the station's places, and that the newest entry of the unit was not made at this station, so that a second scan never moves the
// unit. If a session began at another device, its entries do not identify the station, so one scan only shows the unit.
func (run *scanRun) oneScan(card *unitcard.Page) bool {
	step := card.Current()
	fromHere := run.Identity != nil && run.Identity.Session.StationID == run.place.ID
	here := step != nil && slices.Contains(run.place.Places, step.Location)
	return run.place.OneScan && fromHere && here &&
		len(card.Card.Holds) == 0 && len(card.Trail) > 0 && card.Trail[0].Means != "station:"+run.place.ID
}

// asShown returns the state of the unit as the page shows it.
func asShown(p *unitcard.Page, place Place) station.Unit {
	unit := station.Unit{ID: p.Serial().ID, Step: p.Serial().Position, Entry: "none", Away: !place.has(p.Current())}
	if len(p.Trail) > 0 {
		unit.Entry = p.Trail[0].ID
	}
	return unit
}

// stoppedAt returns the status band for a unit that cannot advance, or nil for a unit that can. It also returns nil if the reason is a
// missing reading or another place, because other texts state these reasons.
func stoppedAt(p *unitcard.Page, now time.Time, asked station.Demand, away bool) *Scanned {
	band := Scanned{Code: p.Serial().ID, Kind: "warn", At: ident.TimestampOf(now)}
	switch serial := p.Serial(); {
	case serial.Status == card.Scrapped:
		band.Kind, band.Text = "bad", p.T("Scrapped.")
		if serial.Scrap != nil {
			band.Text = p.T("Scrapped: {reason}.", "reason", lang.Words(p.Language, serial.Scrap.Reason))
		}
	case len(p.Card.Holds) > 0:
		band.Text = p.T("On hold: {reason}", "reason", p.Card.Holds[0].Reason)
	case serial.Status == card.Completed:
		band.Text = p.T("Completed. There is nothing left to do.")
	default:
		refusal := p.Do(shop.OpAdvance).Refusal
		if refusal == nil || asked.Characteristic != "" || away {
			return nil
		}
		band.Text = p.InFull(refusal)
	}
	return &band
}

// changedSince describes the newest change of a unit since the unit was shown, and counts the earlier changes. If its trail has none, its
// route was changed, or the characteristics of its step.
func changedSince(p *unitcard.Page, shown station.Unit) string {
	more := slices.IndexFunc(p.Trail, func(entry trail.Entry) bool { return entry.ID == shown.Entry })
	text := p.T("{unit} was changed since.", "unit", shown.ID)
	switch {
	case more == 0:
		text = p.T("The route or the characteristics of {unit} were changed.", "unit", shown.ID)
	case len(p.Trail) > 0:
		newest := p.Trail[0]
		text = p.T("{name}, {time}: {change}.", "name", p.WhoThen(newest), "time", newest.Timestamp.Time().In(p.Zone).Format("15:04"),
			"change", p.StoryOf(newest))
		if more > 1 {
			text += " " + p.TN(more-1, "{n} change before that.", "{n} changes before that.")
		}
	}
	return text + " " + p.WhereNow()
}

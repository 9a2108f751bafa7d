package scanpages

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/unitcard"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// Place is the station that the device of a visitor is; the zero Place for a device that is none.
type Place struct {
	ID, Name string
	Places   []string // where steps are done that are done here; none for anywhere
	OneScan  bool     // whether one scan is done
}

// placeOfStation finds the place of the station that the visitor is at.
func placeOfStation(v *site.Visit) (Place, error) {
	if v.Access == nil {
		return Place{}, nil
	}
	here, err := v.Access.StationOf(v.R)
	return Place{here.ID, here.Name, here.Places, here.OneScan}, err
}

// has reports whether a step is done here. A step without a place is done anywhere, and so is every step at a station without
// places.
func (p Place) has(step *card.ProcessStep) bool {
	return step == nil || step.Location == "" || len(p.Places) == 0 || slices.Contains(p.Places, step.Location)
}

// look looks a unit up that was scanned.
func (run *scanRun) look(id string) (station.Event, error) {
	card, err := unitcard.Load(run.Visit, id)
	if refused, ok := site.AsRefusal(err); ok && refused.Kind == refusal.NotFound {
		return station.Event{Kind: station.Missing, Text: noSuchUnit(id)}, nil
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
	return found, nil
}

// find finds the unit that a code names by its number. Of several units the only one that is not scrapped is meant. One scan is not done
// to that unit, nor to one that had the number earlier: the number may be engraved on another unit.
func (run *scanRun) find(typed string) (station.Event, error) {
	units, err := run.Views.UnitsCalled(run.R.Context(), typed)
	if err != nil {
		return station.Event{}, err
	}
	meant, scrapped, only := views.MeantUnit(units)
	switch {
	case len(units) == 0:
		return station.Event{Kind: station.Missing, Typed: typed}, nil
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
		found.Text = strings.TrimSpace(scrappedToo(scrapped) + " " + found.Text)
	case meant.ByEarlier && run.stopped == "":
		found.Text = byEarlier(meant)
	case !meant.ByEarlier:
		return found, err
	}
	found.OneScan, run.stopped = false, cmp.Or(run.stopped, "warn")
	return found, err
}

func calledIDs(units []views.CalledUnit) []string {
	return site.IDsOf(units, func(unit *views.CalledUnit) string { return unit.ID })
}

// check finds out whether a text is the number of a unit.
func (run *scanRun) check(text string) (station.Event, error) {
	checked := station.Event{Kind: station.Checked, Words: text}
	units, err := run.Views.UnitsCalled(run.R.Context(), text)
	if len(units) > 0 {
		checked.Why = station.Code
	}
	return checked, err
}

// oneScan reports whether scanning a unit says that its step is done: at a station that is set so, for a step whose place is
// here, as long as nothing was done here to the unit since it came. So the second scan of a unit never moves it. In a session that
// began elsewhere the entries do not say the station, and one scan only shows.
func (run *scanRun) oneScan(card *unitcard.Page) bool {
	step := card.Current()
	fromHere := run.Identity != nil && run.Identity.Session.StationID == run.place.ID
	here := step != nil && slices.Contains(run.place.Places, step.Location)
	return run.place.OneScan && fromHere && here &&
		len(card.Card.Holds) == 0 && len(card.Trail) > 0 && card.Trail[0].Means != "station:"+run.place.ID
}

// asShown is the unit as the page shows it.
func asShown(p *unitcard.Page, place Place) station.Unit {
	unit := station.Unit{ID: p.Serial().ID, Step: p.Serial().Position, Entry: "none", Away: !place.has(p.Current())}
	if len(p.Trail) > 0 {
		unit.Entry = p.Trail[0].ID
	}
	return unit
}

// stoppedAt is what a band tells of a unit that cannot be moved on, nil for one that can. A unit of which a reading is asked, or whose
// step is done elsewhere, is told of otherwise.
func stoppedAt(p *unitcard.Page, now time.Time, asked station.Demand, away bool) *Scanned {
	band := Scanned{Code: p.Serial().ID, Kind: "warn", At: ident.TimestampOf(now)}
	switch serial := p.Serial(); {
	case serial.Status == card.Scrapped:
		band.Kind, band.Text = "bad", "Scrapped."
		if serial.Scrap != nil {
			band.Text = "Scrapped: " + wording.Words(serial.Scrap.Reason) + "."
		}
	case len(p.Card.Holds) > 0:
		band.Text = "On hold: " + p.Card.Holds[0].Reason
	case serial.Status == card.Completed:
		band.Text = "Completed. There is nothing left to do."
	default:
		refusal := p.Do(shop.OpAdvance).Refusal
		if refusal == nil || asked.Characteristic != "" || away {
			return nil
		}
		band.Text = wording.Told(refusal)
	}
	return &band
}

// changedSince tells who did what to a unit since it was shown: the newest change, and how many more there are.
func changedSince(p *unitcard.Page, shown station.Unit) string {
	more := slices.IndexFunc(p.Trail, func(entry trail.Entry) bool { return entry.ID == shown.Entry })
	text := shown.ID + " was changed since."
	if len(p.Trail) > 0 && more != 0 {
		newest := p.Trail[0]
		text = p.WhoThen(newest) + ", " + newest.Timestamp.Time().In(p.Zone).Format("15:04") + ": " +
			site.LowerFirst(p.StoryOf(newest)) + "."
		if more > 1 {
			text += " " + wording.Plural(more-1, "change", "changes") + " before that."
		}
	}
	return text + " " + p.WhereNow()
}

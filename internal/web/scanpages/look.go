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

// Place is the station of the visitor's device; the zero Place when the device is not a station.
type Place struct {
	ID, Name string
	Places   []string // places whose steps are done at this station; none for all
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

// has reports whether a step is done at this station. A step without a place is done at every station, and a station without places does
// every step.
func (p Place) has(step *card.ProcessStep) bool {
	return step == nil || step.Location == "" || len(p.Places) == 0 || slices.Contains(p.Places, step.Location)
}

// look looks up a scanned unit.
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

// find looks up a unit by its own number. If several units have the number, it takes the only one that is not scrapped. It turns off
// OneScan for such a unit and for one that had the number earlier: the number may be engraved on another unit.
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

// check reports whether a text is the number of a unit.
func (run *scanRun) check(text string) (station.Event, error) {
	checked := station.Event{Kind: station.Checked, Words: text}
	units, err := run.Views.UnitsCalled(run.R.Context(), text)
	if len(units) > 0 {
		checked.Why = station.Code
	}
	return checked, err
}

// oneScan reports whether scanning a unit completes its step. The station must be set so, the step's place must be one of the station's,
// and the newest entry of the unit must come from elsewhere, so a second scan never moves the unit. In a session that began at another
// device the entries do not identify the station, so one scan only shows the unit.
func (run *scanRun) oneScan(card *unitcard.Page) bool {
	step := card.Current()
	fromHere := run.Identity != nil && run.Identity.Session.StationID == run.place.ID
	here := step != nil && slices.Contains(run.place.Places, step.Location)
	return run.place.OneScan && fromHere && here &&
		len(card.Card.Holds) == 0 && len(card.Trail) > 0 && card.Trail[0].Means != "station:"+run.place.ID
}

// asShown returns the unit's state as the page shows it.
func asShown(p *unitcard.Page, place Place) station.Unit {
	unit := station.Unit{ID: p.Serial().ID, Step: p.Serial().Position, Entry: "none", Away: !place.has(p.Current())}
	if len(p.Trail) > 0 {
		unit.Entry = p.Trail[0].ID
	}
	return unit
}

// stoppedAt returns the status band for a unit that cannot advance, nil for one that can. It also returns nil when a missing reading or
// another place is the reason: other texts say so.
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

// changedSince describes the newest change of a unit since it was shown, and counts the earlier ones.
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

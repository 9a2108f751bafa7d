package scanpages

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/unitcard"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// The station: the scanner types a code and Enter into one field. station.Next decides what that does. Its effects are carried out here:
// look.go looks up units, act.go checks and carries out commands, words.go has the sentences. In the browser static/station.js sends the
// scans one by one, and recent.go stores the last scans on the device. The state of the station is in the address and in the form, so each
// tab has its own state.

// Page is the station page of one device.
type Page struct {
	site.Frame
	Unit    *unitcard.Page             // nil while no unit is on the screen
	Listed  []views.CalledUnit         // units to choose from; none if there is no choice to make
	Orders  map[string]views.WorkOrder // of the listed units, by job
	State   station.State              // state, including the question that waits for a response
	Place   Place
	Result  *Scanned  // result of the event, nil for none
	Scans   []Scanned // newest first
	Unheard string    // shown when the server does not respond

	With        shop.Instrument   // the instrument for the awaited reading; the zero Instrument for none
	Instruments []shop.Instrument // other instruments that this device remembers
}

// showScan shows the station in the state of its address. It shows a question only directly after the scan that asked it. It puts away a
// unit that has changed since it was shown, and does not repeat an old message.
func showScan(v *site.Visit) error {
	query := v.R.URL.Query()
	page := &Page{Frame: v.Frame("Scan", "scan"), Scans: recentScans(v), State: station.Read(v.SerialPrefix(), query)}
	place, err := placeOfStation(v)
	if err != nil {
		return err
	}
	at := query.Get("at")
	answers := len(page.Scans) > 0 && at == strconv.FormatInt(int64(page.Scans[0].At), 10)
	old := (page.State.Phase == station.Done || page.State.Phase == station.Empty) && sinceShown(v, at) >= station.Patience
	if answers && !old {
		page.Result = &page.Scans[0]
		if page.Result.Text == v.Lookup(nobodyWorks) && v.Operator != "" { // an operator was chosen in the meantime
			page.Result = nil
		}
	} else if page.State.Phase != station.Shown {
		page.State = station.State{}
		if unit := query.Get("unit"); unit != "" { // a link from another page, or the address of an old question
			page.State = station.State{Phase: station.Shown, Unit: station.Unit{ID: unit}}
			page.State.Unit.Entry = query.Get("entry")
		}
	}
	if page.State.Unit.ID == "" {
		return showState(v, page, place, nil)
	}
	card, err := unitcard.Load(v, page.State.Unit.ID)
	if refused, ok := site.AsRefusal(err); ok && refused.Kind == refusal.NotFound {
		page.State, page.Result = station.State{}, &Scanned{
			Code: query.Get("unit"), Kind: "bad", Text: noSuchUnit(v.Language, query.Get("unit")), At: ident.TimestampOf(v.Clock()),
		}
		return showState(v, page, place, nil)
	}
	if err != nil {
		return err
	}
	now := asShown(card, place)
	switch {
	case page.State.Unit.Entry == "": // the unit was not shown yet
		asked := asksAtOnce(v, card)
		page.State, page.Result = station.Asks(now, asked), stoppedAt(card, v.Clock(), asked, now.Away)
		if now.Away {
			page.State = station.State{Phase: station.Shown, Unit: now}
		}
	case page.State.Unit.Entry != now.Entry || page.State.Unit.Step != now.Step,
		page.State.Demand.Characteristic != "" && !measuredAs(card, page.State.Demand):
		// This page itself may have made the change, if it was reloaded before the response arrived.
		changed := changedSince(card, page.State.Unit) + " " + v.T("No unit is in hand now: scan it again.")
		page.tell(v, station.Event{Kind: station.Changed, Text: changed})
		card = nil
	case page.State.Expired(sinceShown(v, at)):
		page.tell(v, station.Event{Kind: station.Waited})
		card = nil
	}
	if card != nil && v.R.Header.Get(site.LiveHeader) != "" { // nothing has changed
		v.W.WriteHeader(http.StatusNoContent)
		return nil
	}
	return showState(v, page, place, card)
}

// tell applies an event that changes nothing in the shop and is not stored as a scan.
func (p *Page) tell(v *site.Visit, event station.Event) {
	next, effects := station.Next(p.Prefix, p.State, event)
	for _, effect := range effects {
		text := effect.Text
		if text == "" {
			text = v.Lookup(sayWords(effect.Say))
		}
		p.Result = &Scanned{
			Code: p.State.Unit.ID, Kind: bandOf(effect.Say), Left: leftWords(v.Language, effect), Text: text,
			At: ident.TimestampOf(v.Clock()),
		}
	}
	p.State = next
}

// sinceShown returns how long ago a state was shown, according to the time in its address or form.
func sinceShown(v *site.Visit, at string) time.Duration {
	shown, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return 0
	}
	return v.Clock().Sub(ident.Timestamp(shown).Time())
}

// showState shows a state, with the unit's card if there is one.
func showState(v *site.Visit, page *Page, place Place, card *unitcard.Page) error {
	page.Unit, page.Place = card, place
	if err := page.nameInstruments(v); err != nil {
		return err
	}
	if err := page.list(v); err != nil {
		return err
	}
	_, effects := station.Next(page.Prefix, page.State, station.Event{Kind: station.Lost})
	for _, effect := range effects {
		page.Unheard = v.Lookup(sayWords(effect.Say))
	}
	return v.Show(http.StatusOK, "scan", page)
}

// list reads the units to choose from.
func (p *Page) list(v *site.Visit) (err error) {
	if p.State.Phase != station.Listed {
		return nil
	}
	if p.Listed, err = v.Views.UnitsOf(v.R.Context(), p.State.Listing()); err != nil {
		return err
	}
	var jobs []string
	for i := range p.Listed {
		jobs = append(jobs, p.Listed[i].JobID)
	}
	p.Orders, err = v.Views.JobOrders(v.R.Context(), jobs)
	return err
}

// PartUnknown reports whether the listed units may be of a part other than that of the code.
func (p *Page) PartUnknown() bool { return p.State.Why == station.Part }

// Fields lists the hidden fields of the page's forms: the state, the operator that the page shows, and the time of the state.
func (p *Page) Fields() []station.Field {
	fields := append(p.State.Fields(), station.Field{Name: "who", Value: p.Operator})
	at := ident.TimestampOf(p.Now)
	if p.Result != nil {
		at = p.Result.At
	}
	return append(fields, station.Field{Name: "at", Value: strconv.FormatInt(int64(at), 10)})
}

// Patience is the number of seconds after which the page checks that its state is current; 0 for a state that does not expire.
func (p *Page) Patience() int {
	if !p.State.Expired(station.Patience) {
		return 0
	}
	return int(station.Patience.Seconds()) + 1
}

// Asking returns the question of the state, "" for none.
func (p *Page) Asking() string { return question(p.Language, p.State) }

// TextAwaited reports whether the station waits for a text.
func (p *Page) TextAwaited() bool { return p.State.Phase == station.TextAwaited }

// Asked reports whether a question waits for yes or no.
func (p *Page) Asked() bool { return p.State.Phase == station.Asked }

// Choices returns the numbers that the reading may mean, formatted for the language. It returns none if the page does not ask which number
// is meant.
func (p *Page) Choices() []string {
	decimal, whole := p.State.Choices()
	if decimal == "" {
		return nil
	}
	return []string{p.Decimal(decimal), whole}
}

// CanTakeBack reports whether the page has a button that undoes the last change. Releasing a hold needs the permission to decide, so the
// station has no button for it.
func (p *Page) CanTakeBack() bool {
	return p.State.Phase == station.Done && p.State.Act != "" && p.State.Command != station.CodeHold
}

// NotOn says why the unit's step cannot be signed off. It returns "" if the step can be signed off, or if the status band gives the reason.
func (p *Page) NotOn() string {
	if p.Unit == nil || p.Unit.Current() == nil || len(p.Unit.Card.Holds) > 0 || p.State.Demand.Characteristic != "" {
		return ""
	}
	why := p.Unit.NotOn()
	if p.Result != nil && p.Result.Text == why {
		return ""
	}
	return why
}

// Elsewhere says where the unit's step is done. It returns "" if the step is done here.
func (p *Page) Elsewhere() string {
	if p.Unit == nil || p.Unit.Current() == nil || !p.State.Unit.Away {
		return ""
	}
	return elsewhere(p.Unit)
}

// scan handles one scan, or one press of a button that stands for a code.
func scan(v *site.Visit) error {
	before := station.Read(v.SerialPrefix(), v.Form)
	typed := v.Form.Get("code")
	if do := v.Form.Get("do"); do != "" {
		typed = do
	}
	if v.Access != nil && (site.IsBadge(typed) || site.IsOut(typed)) {
		return site.LeaveStation(v, typed)
	}
	place, err := placeOfStation(v)
	if err != nil {
		return err
	}
	now := ident.TimestampOf(v.Clock())
	run := &scanRun{Visit: v, place: place}
	state, event := before, station.Event{Kind: station.Scanned, Typed: typed, Early: v.Form.Get("early") != "", Ago: sinceLastScan(v, now),
		Comma:   v.DecimalComma(),
		Doubted: before.Unit.ID != "" && slices.Contains(v.Form["doubt"], before.Unit.ID), Unsent: v.Form.Get("unsent") != ""}
	if shown, hides := site.HidesBadge(v, typed); hides {
		state, typed = station.State{}, shown
		run.result = Scanned{Kind: bandOf(station.SayRanTogether), Text: v.Lookup(sayWords(station.SayRanTogether)),
			Left: leftWords(v.Language, station.Effect{Left: leftOf(before), LeftID: before.Unit.ID})}
		if shown == site.BadgeShown { // only a badge: from another keyboard, or in a shop without sign-in
			run.result.Text = v.Lookup(sayWords(station.SayUnknown))
		}
		run.told = true
	} else {
		if state.Expired(sinceShown(v, v.Form.Get("at"))) {
			state, _ = station.Next(run.SerialPrefix(), state, station.Event{Kind: station.Waited})
		}
		if state, err = run.follow(state, event); err != nil {
			return err
		}
	}
	if !run.told {
		to := scanURL(state, v.Form.Get("at"))
		if to == scanURL(before, v.Form.Get("at")) { // the screen and its message stay
			v.W.WriteHeader(http.StatusNoContent)
			return nil
		}
		return v.Back(to, "")
	}
	result := run.result
	result.Code, result.At = run.codeShown(typed, state), now
	scans := keepScan(v, result)
	if input.CheckParameter("words", state.Words) != nil { // the text is too long for an address
		page := &Page{Frame: v.Frame("Scan", "scan"), State: state, Result: &result, Scans: scans}
		var card *unitcard.Page
		if state.Unit.ID != "" {
			if card, err = unitcard.Load(v, state.Unit.ID); err != nil {
				return err
			}
		}
		return showState(v, page, place, card)
	}
	return v.Back(scanURL(state, strconv.FormatInt(int64(now), 10)), "")
}

// scanRun carries out the effects of one event.
type scanRun struct {
	*site.Visit
	place   Place
	result  Scanned // the message
	told    bool    // whether there is a message
	stopped string  // kind of the status band for a unit that cannot advance here, "" for one that can
}

// follow carries out the effects of station.Next until none are left.
func (run *scanRun) follow(state station.State, event station.Event) (station.State, error) {
	scan := event
	for {
		next, effects := station.Next(run.SerialPrefix(), state, event)
		state = next
		answered := false
		for _, effect := range effects {
			var err error
			switch effect.Kind {
			case station.Tell:
				run.tell(state, effect)
				continue
			case station.Look:
				event, err = run.look(effect.Unit.ID)
			case station.Find:
				event, err = run.find(effect.Words)
			case station.Check:
				event, err = run.check(effect.Words)
			case station.Judge:
				event, err = run.judge(effect)
			case station.Act:
				event, err = run.do(effect)
			}
			if err != nil {
				return state, err
			}
			event.Early, event.Ago = scan.Early, scan.Ago
			if event.Kind == station.Refused {
				event.Command = effect.Command
			}
			answered = true
		}
		if !answered {
			return state, nil
		}
	}
}

// tell stores the text of the status band.
func (run *scanRun) tell(state station.State, effect station.Effect) {
	if effect.Say == station.SayNothing {
		return
	}
	run.told = true
	run.result = Scanned{Kind: bandOf(effect.Say), Left: leftWords(run.Language, effect), Text: effect.Text}
	if run.stopped != "" && effect.Say == station.SayShown {
		run.result.Kind = run.stopped
		run.result.Left, run.result.Text = "", strings.TrimSpace(run.result.Text+" "+run.result.Left) // the unit's state comes first
	}
	switch {
	case effect.Say == station.SayAsk:
		run.result.Text = question(run.Language, state)
	case effect.Say == station.SayUnknown && station.AnotherKeyboard(run.SerialPrefix(), run.typed()):
		run.result.Text = run.Lookup(anotherKeyboard)
	case effect.Say == station.SayUnknown && scancode.OtherPlant(run.SerialPrefix(), run.typed()):
		run.result.Text = run.T("{code} is a unit of another plant: the units of this one begin with {prefix}. No unit is in hand now.",
			"code", scancode.Content(run.typed()), "prefix", run.SerialPrefix().Mark())
	case effect.Say == station.SayOtherUnit && state.Phase == station.AmountAwaited:
		run.result.Text = run.T("The quantity has another unit of measure than the lot, and nothing was installed. Convert it.")
	case effect.Say == station.SayNotHere:
		run.result.Text = notHere(run.SerialPrefix(), run.Language, run.typed())
	case effect.Say == station.SayMissing && effect.Text == "":
		run.result.Text = noSuchUnit(run.Language, station.Numbered(run.SerialPrefix(), run.typed()))
	case effect.Text == "":
		run.result.Text = run.Lookup(sayWords(effect.Say))
	}
}

func (run *scanRun) typed() string { return run.Form.Get("code") }

// sinceLastScan returns the time since the previous scan. The browser measures it, because a slow network delays the two scans differently.
func sinceLastScan(v *site.Visit, now ident.Timestamp) time.Duration {
	scans := recentScans(v)
	ago := time.Hour
	if len(scans) > 0 {
		ago = now.Time().Sub(scans[0].At.Time())
	}
	if gap, err := strconv.ParseInt(v.Form.Get("gap"), 10, 64); err == nil && gap >= 0 {
		ago = min(ago, time.Duration(min(gap, int64(time.Hour/time.Millisecond)))*time.Millisecond)
	}
	return ago
}

// scanURL returns the address of a state. at identifies the scan that led to the state.
func scanURL(state station.State, at string) string {
	query := url.Values{}
	for _, field := range state.Fields() {
		query.Set(field.Name, field.Value)
	}
	if at != "" {
		query.Set("at", at)
	}
	if len(query) == 0 {
		return "/scan"
	}
	return "/scan?" + query.Encode()
}

// codeShown returns the text in front of the result: the code as it was understood, or the end of a text to which a code was appended.
func (run *scanRun) codeShown(typed string, state station.State) string {
	typed = strings.TrimSpace(typed)
	switch code := station.Understood(run.SerialPrefix(), typed); {
	case code != "":
		return code
	case typed == "" && (state.Phase == station.TextAwaited || state.Phase == station.ValueAwaited || state.Installing()):
		return ""
	case typed == "":
		return station.CodeDone
	case run.result.Text == run.Lookup(sayWords(station.SayRanTogether)):
		return ending(typed, codeKept) // the code is at the end
	case state.Demand.Characteristic != "", state.Command == station.CodeInstall:
		return site.Visible(typed)
	case state.Command != "" && state.Phase != station.Empty:
		return state.Command
	}
	return site.Visible(typed)
}

// UnitsShown lists the texts of the page that can contain identifiers of units.
func (p *Page) UnitsShown() []string {
	texts := []string{p.State.Unit.ID, p.InstallLabel(), p.Asking(), p.NotOn()}
	if p.Result != nil {
		texts = append(texts, p.Result.Code, p.Result.Left, p.Result.Text)
	}
	for i := range p.Scans {
		texts = append(texts, p.Scans[i].Code, p.Scans[i].Left, p.Scans[i].Text)
	}
	return texts
}

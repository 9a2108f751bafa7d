package demo

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// simulation runs the shop. What happens is planned for a moment, and the moments are worked off in order, so the clock
// moves forward only.
type simulation struct {
	store    sqlstore.Store
	service  *shop.Service
	views    *views.Views
	calendar calendar
	now      time.Time // the end of the history
	random   *rand.Rand
	moment   time.Time // the time of the service's clock
	planned  []event   // by worked, and by the order of planning
	worked   time.Duration
	people   map[string]string    // identifiers by the names of people
	jobs     map[string]string    // identifiers by the names of the orders
	routes   map[string]lot       // without units, by the names of the routes
	engraved map[string]engraving // by jobs
	turn     map[string]int       // by serials: how often a unit was taken out of a lot
	told     map[string]int       // how often each kind of story was used

	instruments   map[string]string // identifiers by their numbers
	measuredSince ident.Timestamp   // when the first reading was taken
}

// event is something that happens after so much working time.
type event struct {
	worked time.Duration
	do     func(context.Context) error
}

func newSimulation(store sqlstore.Store, now time.Time) *simulation {
	s := &simulation{
		store: store, calendar: newCalendar(now), now: now,
		random: rand.New(rand.NewPCG(41, 1958)), //nolint:gosec // the same shop every time, and no secret
		people: map[string]string{},
		jobs:   map[string]string{},
		routes: map[string]lot{},

		engraved: map[string]engraving{},

		turn: map[string]int{},
		told: map[string]int{},

		instruments: map[string]string{},
	}
	s.moment = s.calendar.at(0)
	clock := func() time.Time { return s.moment }
	s.service = shop.New(store, clock, ident.NewIdentifiers(clock), access.Signatures())
	s.views = views.New(store, s.service)
	return s
}

// plan schedules a function after some working time. Functions after the end of the history never run.
func (s *simulation) plan(in time.Duration, do func(context.Context) error) {
	e := event{s.worked + in, do}
	place, _ := slices.BinarySearchFunc(s.planned, e, func(a, b event) int {
		if a.worked <= b.worked {
			return -1
		}
		return 1
	})
	s.planned = slices.Insert(s.planned, place, e)
}

// planAt schedules a function for the moment when a fraction of the shop's working time has passed.
func (s *simulation) planAt(part float64, do func(context.Context) error) {
	s.plan(time.Duration(part*float64(s.calendar.total))-s.worked, do)
}

// between returns a random length of time.
func (s *simulation) between(least, most time.Duration) time.Duration {
	return least + time.Duration(s.random.Int64N(int64(most-least)))
}

func (s *simulation) run(ctx context.Context) error {
	for len(s.planned) > 0 && s.planned[0].worked < s.calendar.total {
		e := s.planned[0]
		s.planned = s.planned[1:]
		s.worked, s.moment = e.worked, s.calendar.at(e.worked)
		if err := e.do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// together does several things at one moment, so that they share few commits, which take time on a slow disk.
func together(count int, do func(i int) error) error {
	errs := make([]error, count)
	var wait sync.WaitGroup
	for i := range count {
		wait.Go(func() { errs[i] = do(i) })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// operator returns the person who works on a step of a route at this moment.
func (s *simulation) operator(place int) input.TextInput {
	if s.moment.Hour() < handover {
		return s.who(earlyShift[place%len(earlyShift)])
	}
	return s.who(lateShift[place%len(lateShift)])
}

// who returns a person of the shop as an acting user.
func (s *simulation) who(name string) input.TextInput { return input.Given(s.people[name]) }

// next counts how often a kind of story was used, so that texts take turns.
func (s *simulation) next(kind string) int {
	s.told[kind]++
	return s.told[kind] - 1
}

// fate is the deviation of a unit from going through its steps one by one.
type fate int

const (
	ordinary fate = iota
	scrapped
	onHold
	forceCompleted
	deferredThenCompleted
	deferredThenWaived
	deferredAndOpen
	skipped
	overriddenAndSkipped
	overrideReversed
	overriddenOnHold
)

// unit is one serial in the simulation.
type unit struct {
	serial string
	fate   fate
	step   int // where the fate strikes: the step that is passed over, or the one it happens on
	turn   int // how often it was taken out of a lot before it came to this one
}

// lot is a number of units that stand on one step of a path and move together.
type lot struct {
	path  card.Path
	steps []step
	place int // of the path in the shop: who works on it
	at    int
	units []unit
}

// fateOf deals fates out, so that each path has some of each that its mode allows.
func fateOf(number int, mode card.AdvancementMode, steps []step) (fate, int) {
	late := 1 + number%(len(steps)-1)
	find := func(f fate, fits func(step) bool) (fate, int) {
		for i := 1; i < len(steps); i++ {
			if fits(steps[i]) {
				return f, i
			}
		}
		return ordinary, 0
	}
	deferrable := func(s step) bool { return s.dependency == preferred && !s.optional }
	optional := func(s step) bool { return s.optional }
	binding := func(s step) bool { return s.dependency != preferred && !s.optional }
	jumps := mode != card.Strict
	switch turn := number % 24; {
	case turn == 5 || turn == 20:
		return scrapped, late
	case turn == 9:
		return overrideReversed, late
	case turn == 11:
		return forceCompleted, 1 + number%(len(steps)-2) // before the last step: something required has to be open
	case turn == 14:
		return onHold, late
	case !jumps:
		return ordinary, 0
	case turn == 1 || turn == 15:
		return find(deferredThenCompleted, deferrable)
	case turn == 4:
		return find(deferredThenWaived, deferrable)
	case turn == 6:
		return find(deferredAndOpen, deferrable)
	case turn == 3 || turn == 10 || turn == 19:
		return find(skipped, optional)
	case turn == 8 || turn == 21:
		return find(overriddenAndSkipped, binding)
	case turn == 17:
		return find(overriddenOnHold, binding)
	}
	return ordinary, 0
}

// work plans the end of the work on the step that a lot stands on.
func (s *simulation) work(l lot) {
	s.plan(s.between(5*time.Hour, 17*time.Hour), func(ctx context.Context) error { return s.finish(ctx, l) })
}

// move is the way in which a unit leaves a step.
type move int

const (
	stay move = iota
	advance
	jump
	scrap
	closeByForce
)

func (l *lot) moveOf(u unit) move {
	switch {
	case u.fate == scrapped && u.step == l.at:
		return scrap
	case u.fate == onHold && u.step == l.at, u.fate == overriddenOnHold && u.step == l.at+1:
		return stay
	case u.fate == forceCompleted && u.step == l.at:
		return closeByForce
	case u.step == l.at+1 && u.fate >= deferredThenCompleted && u.fate <= overriddenAndSkipped:
		return jump
	}
	return advance
}

// finish ends the work on a step: its certificate is attached, and the units move on, most of them by one step. Units that were taken out
// of the lot meanwhile belong to others.
func (s *simulation) finish(ctx context.Context, l lot) error {
	l.units = slices.DeleteFunc(slices.Clone(l.units), func(u unit) bool { return u.turn != s.turn[u.serial] })
	if len(l.units) == 0 {
		return nil
	}
	user := s.operator(l.place + l.at)
	if err := s.certify(ctx, l); err != nil {
		return err
	}
	measured, err := s.measure(ctx, l, user)
	if err != nil {
		return err
	}
	l.units = measured
	moved := map[move][]unit{} //nolint:exhaustive // only the moves that were made
	for _, u := range l.units {
		m := l.moveOf(u)
		moved[m] = append(moved[m], u)
	}
	if len(moved[advance]) > 0 && s.random.IntN(12) == 0 {
		if err := s.note(ctx, l, moved[advance], lotNotes[s.next("lot")%len(lotNotes)], user); err != nil {
			return err
		}
	}
	if err := s.closeUnits(ctx, l, moved[scrap], moved[closeByForce], user); err != nil {
		return err
	}
	if err := s.hold(ctx, l, moved[stay]); err != nil {
		return err
	}
	if err := together(len(moved[advance]), func(i int) error {
		_, err := s.service.AdvanceSerial(ctx, moved[advance][i].serial, shop.AdvanceSerialInput{UserID: user})
		return err
	}); err != nil {
		return err
	}
	if err := s.jump(ctx, l, moved[jump], user); err != nil {
		return err
	}
	s.goOn(l, moved[advance], l.at+1)
	s.goOn(l, moved[jump], l.at+2)
	return nil
}

// goOn schedules the work on units that have reached a step.
func (s *simulation) goOn(l lot, units []unit, at int) {
	if len(units) > 0 && at < len(l.steps) {
		l.units, l.at = units, at
		s.work(l)
	}
}

// closeUnits scraps some units and force-completes others.
func (s *simulation) closeUnits(ctx context.Context, l lot, scrapped, forced []unit, user input.TextInput) error {
	for _, u := range scrapped {
		story := scrapStories[s.next("scrap")%len(scrapStories)]
		in := shop.ScrapSerialInput{
			Reason: input.Given(string(story.reason)), Explanation: given(story.explanation), UserID: user,
		}
		if story.explanation != "" {
			if err := s.note(ctx, l, []unit{u}, story.explanation+".", user); err != nil {
				return err
			}
		}
		if _, err := s.service.ScrapSerial(ctx, u.serial, in); err != nil {
			return err
		}
	}
	for _, u := range forced {
		in := shop.ForceCompleteInput{
			Reason: given(forceReasons[s.next("force")%len(forceReasons)]), UserID: s.who(supervisor),
		}
		if _, err := s.service.ForceComplete(ctx, u.serial, in); err != nil {
			return err
		}
	}
	return nil
}

// jump takes units over the next step, and plans what becomes of those that have to come back for it.
func (s *simulation) jump(ctx context.Context, l lot, units []unit, user input.TextInput) error {
	for _, u := range units {
		if _, err := s.service.AdvanceToStep(ctx, u.serial, shop.AdvanceToStepInput{
			TargetStepIndex: input.Given(float64(l.at + 2)), UserID: user,
		}); err != nil {
			return err
		}
		stepID := l.path.Steps[u.step].ID
		switch u.fate {
		case deferredThenCompleted:
			s.plan(s.between(3*time.Hour, 20*time.Hour), func(ctx context.Context) error {
				if u.turn != s.turn[u.serial] {
					return nil // it may be on hold
				}
				_, err := s.service.CompleteDeferredStep(ctx, u.serial, stepID, s.operator(l.place+u.step))
				return err
			})
		case deferredThenWaived:
			s.plan(s.between(6*time.Hour, 24*time.Hour), func(ctx context.Context) error {
				_, err := s.service.WaiveStep(ctx, u.serial, stepID, shop.WaiveStepInput{
					Reason:     input.Given(waiveReasons[s.next("waive")%len(waiveReasons)]),
					ApproverID: s.who(quality),
				})
				return err
			})
		case deferredAndOpen:
			if err := s.note(ctx, l, []unit{u}, deferReasons[s.next("defer")%len(deferReasons)], user); err != nil {
				return err
			}
		default: // skipped, which is the end of it
		}
	}
	return nil
}

// planOverrides plans the overrides of a new lot, and the reversal of those that do not last. Both are done long before
// the lot is through with its first step.
func (s *simulation) planOverrides(l lot) {
	for _, u := range l.units {
		switch u.fate {
		case overriddenAndSkipped, overrideReversed, overriddenOnHold:
		default:
			continue
		}
		stepID := l.path.Steps[u.step].ID
		s.plan(s.between(30*time.Minute, 2*time.Hour), func(ctx context.Context) error {
			_, err := s.service.CreateOverrides(ctx, u.serial, shop.CreateOverridesInput{
				SerialIDs: input.GivenTexts(u.serial), StepID: input.Given(stepID),
				Reason: input.Given(overrideReasons[s.next("override")%len(overrideReasons)]),
				UserID: s.who(supervisor),
			})
			return err
		})
		if u.fate == overrideReversed {
			s.plan(s.between(2*time.Hour, 4*time.Hour), func(ctx context.Context) error {
				return s.service.ReverseOverride(ctx, u.serial, stepID, s.who(quality))
			})
		}
	}
}

func (s *simulation) note(ctx context.Context, l lot, units []unit, text string, user input.TextInput) error {
	_, err := s.service.CreateNote(ctx, shop.CreateNoteInput{
		JobID: input.Given(l.path.JobID), PathID: input.Given(l.path.ID), StepID: input.Given(l.path.Steps[l.at].ID),
		SerialIDs: serialsOf(units), Text: input.Given(text), UserID: user,
	})
	return err
}

func serialsOf(units []unit) input.TextsInput {
	serials := make([]string, len(units))
	for i, u := range units {
		serials[i] = u.serial
	}
	return input.GivenTexts(serials...)
}

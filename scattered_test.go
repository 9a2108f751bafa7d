package routecard_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/routecard/routecard"
)

// A list in no order is answered in its own order, and the first of the list that refuses decides, wherever its number
// has it judged.
func TestScatteredLists(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	path := s.route(t, routecard.Flexible, "Saw", "Mill", "Pack")
	units := s.units(t, path, 2500)
	scattered := make([]string, len(units))
	for i := range units {
		scattered[i] = units[i*7919%len(units)]
	}
	cert := must(s.CreateCertificate(t.Context(), routecard.CreateCertificateInput{Type: given("material"), Name: given("3.1")}))
	attach := func(ids ...string) ([]routecard.Attachment, error) {
		return s.BatchAttachCertificate(t.Context(), routecard.BatchAttachInput{
			CertID: given(cert.ID), SerialIDs: routecard.GivenTexts(ids...), UserID: given("ann"),
		})
	}
	override := func(stepID string, ids ...string) ([]routecard.Override, error) {
		return s.CreateOverrides(t.Context(), units[0], routecard.CreateOverridesInput{
			SerialIDs: routecard.GivenTexts(ids...), StepID: given(stepID), Reason: given("r"), UserID: given("ann"),
		})
	}
	advance := func(ids ...string) error {
		return failure(s.BatchAdvance(t.Context(), routecard.BatchAdvanceInput{
			BatchInput:         routecard.BatchInput{Selection: routecard.SelectionInput{SerialIDs: routecard.GivenTexts(ids...)}},
			AdvanceSerialInput: routecard.AdvanceSerialInput{UserID: given("ann")},
		}))
	}
	order := func(count int, serial func(i int) string) []string {
		ids := make([]string, count)
		for i := range ids {
			ids[i] = serial(i)
		}
		return ids
	}

	attached := must(attach(append(scattered, scattered[0])...))
	if got := order(len(attached), func(i int) string { return attached[i].SerialID }); !slices.Equal(got, append(scattered, scattered[0])) {
		t.Error("attachments are not answered in the order of the list")
	}
	if attached[0].ID != attached[len(attached)-1].ID {
		t.Error("the same serial listed twice has two records")
	}
	again := must(attach(scattered...))
	if !slices.Equal(again, attached[:len(again)]) {
		t.Error("attaching again answers other records")
	}
	created := must(override(path.Steps[1].ID, append(scattered, scattered...)...))
	if got := order(len(created), func(i int) string { return created[i].SerialID }); !slices.Equal(got, scattered) {
		t.Error("overrides are not answered in the order of the list, each once")
	}

	// The list's first refusal is among its highest numbers, and another is among the lowest.
	for _, id := range []string{units[2400], units[3]} {
		for range path.Steps {
			must(s.AdvanceSerial(t.Context(), id, routecard.AdvanceSerialInput{UserID: given("ann")}))
		}
	}
	list := slices.Concat(units[2300:2450], []string{"SN-99999", "no serial"}, units[:2300])
	for name, test := range map[string]struct {
		run  func(ids ...string) error
		want string
	}{
		"attach":   {func(ids ...string) error { return failure(attach(ids...)) }, "Serial is already completed, cannot attach cert"},
		"override": {func(ids ...string) error { return failure(override(path.Steps[2].ID, ids...)) }, "Cannot override a step that has already been completed"},
		"advance":  {advance, fmt.Sprintf("Serial number is already completed (%s)", units[2400])},
	} {
		if err := refused(test.run(list...)); err == nil || err.Message != test.want {
			t.Errorf("%s is refused with %v, want %s", name, err, test.want)
		}
		if err := refused(test.run(list[150:]...)); err == nil || err.Code != routecard.NotFound {
			t.Errorf("%s of an unknown serial is refused with %v", name, err)
		}
	}
}

// failure is what became of an operation whose answer nobody wants.
func failure[T any](_ T, err error) error { return err }

// A request that lists many serials looks them up, and writes what it writes, in the order of their numbers, a thousand
// at a time and apart from the others.
func TestLongListsAreWrittenInKeyOrder(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	path := s.route(t, routecard.Flexible, "Saw", "Mill", "Pack")
	const quantity = 12_000
	first := must(s.CreateSerials(t.Context(), routecard.CreateSerialsInput{
		JobID: given(path.JobID), PathID: given(path.ID), Quantity: number(quantity),
	})).First
	scattered := make([]string, quantity)
	for i := range scattered {
		scattered[i] = routecard.SerialID(first + int64(i*7919%quantity))
	}
	list := routecard.GivenTexts(scattered...)
	cert := must(s.CreateCertificate(t.Context(), routecard.CreateCertificateInput{Type: given("material"), Name: given("3.1")}))
	clock := func() time.Time { return time.UnixMilli(s.clock.Load()) }
	for name, run := range map[string]func(ctx context.Context, service *routecard.Service) error{
		"attach": func(ctx context.Context, service *routecard.Service) error {
			return failure(service.BatchAttachCertificate(ctx, routecard.BatchAttachInput{
				CertID: given(cert.ID), SerialIDs: list, UserID: given("ann"),
			}))
		},
		"override": func(ctx context.Context, service *routecard.Service) error {
			return failure(service.CreateOverrides(ctx, scattered[0], routecard.CreateOverridesInput{
				SerialIDs: list, StepID: given(path.Steps[1].ID), Reason: given("r"), UserID: given("ann"),
			}))
		},
		"advance": func(ctx context.Context, service *routecard.Service) error {
			return failure(service.BatchAdvance(ctx, routecard.BatchAdvanceInput{
				BatchInput:         routecard.BatchInput{Selection: routecard.SelectionInput{SerialIDs: list}},
				AdvanceSerialInput: routecard.AdvanceSerialInput{UserID: given("ann")},
			}))
		},
	} {
		watch := &watchedStore{Store: s.store, t: t, name: name}
		service := routecard.New(watch, clock, routecard.NewIdentifiers(clock))
		if err := run(t.Context(), service); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if watch.written != quantity {
			t.Errorf("%s writes %d rows for %d serials", name, watch.written, quantity)
		}
		if watch.commits != 1 || !watch.alone {
			t.Errorf("%s takes %d commits; by itself: %t", name, watch.commits, watch.alone)
		}
		// Nobody waits for the answer any more.
		gone, leave := context.WithCancel(t.Context())
		watch.leave = leave
		if err := run(gone, service); !errors.Is(err, context.Canceled) {
			t.Errorf("%s goes on when its caller has gone: %v", name, err)
		}
	}
}

// watchedStore holds what is asked and written about serials to an order.
type watchedStore struct {
	routecard.Store

	t       *testing.T
	name    string
	commits int
	written int
	alone   bool
	leave   func() // called when the first serials of an Update were looked up or written
}

func (s *watchedStore) Update(ctx context.Context, change func(routecard.Tx) error) error {
	s.commits++
	s.alone = routecard.IsAlone(ctx)
	return s.Store.Update(ctx, func(tx routecard.Tx) error { return change(&watchedTx{Tx: tx, of: s}) })
}

type watchedTx struct {
	routecard.Tx

	of           *watchedStore
	asked, wrote string // the last serial
}

func (tx *watchedTx) inOrder(last *string, most int, ids []string) {
	if len(ids) > most {
		tx.of.t.Errorf("%s has %d serials at once", tx.of.name, len(ids))
	}
	for _, id := range ids {
		if *last != "" && id <= *last {
			tx.of.t.Fatalf("%s comes to %s behind %s", tx.of.name, id, *last)
		}
		*last = id
	}
	if tx.of.leave != nil {
		tx.of.leave()
	}
}

func (tx *watchedTx) RouteCards(serialIDs []string) (map[string]routecard.RouteCard, error) {
	tx.inOrder(&tx.asked, 1000, serialIDs)
	return tx.Tx.RouteCards(serialIDs)
}

func (tx *watchedTx) wrotes(most, rows int, id func(i int) string) {
	ids := make([]string, rows)
	for i := range ids {
		ids[i] = id(i)
	}
	tx.of.written += rows
	tx.inOrder(&tx.wrote, most, ids)
}

func (tx *watchedTx) InsertAttachments(attachments []routecard.Attachment) error {
	tx.wrotes(1000, len(attachments), func(i int) string { return attachments[i].SerialID })
	return tx.Tx.InsertAttachments(attachments)
}

func (tx *watchedTx) InsertOverrides(overrides []routecard.Override) error {
	tx.wrotes(1000, len(overrides), func(i int) string { return overrides[i].SerialID })
	return tx.Tx.InsertOverrides(overrides)
}

func (tx *watchedTx) ChangeCards(changes []routecard.CardChange) error {
	tx.wrotes(1000, len(changes), func(i int) string { return changes[i].Serial.ID })
	return tx.Tx.ChangeCards(changes)
}

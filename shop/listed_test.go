package shop_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// The results for an unordered list are in the order of the list, and the first refusal in that order decides, although the serials are
// checked in the order of their numbers.
func TestScatteredLists(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	path := s.Route(t, card.Flexible, "Saw", "Mill", "Pack")
	units := s.Units(t, path, 2500)
	scattered := make([]string, len(units))
	for i := range units {
		scattered[i] = units[i*7919%len(units)]
	}
	cert := shoptest.Must(s.CreateCertificate(t.Context(), shop.CreateCertificateInput{Type: shoptest.Given("material"), Name: shoptest.Given("3.1")}))
	attach := func(ids ...string) ([]shop.Attachment, error) {
		return s.BatchAttachCertificate(t.Context(), shop.BatchAttachInput{
			CertID: shoptest.Given(cert.ID), SerialIDs: input.GivenTexts(ids...), UserID: shoptest.Given("ann"),
		})
	}
	override := func(stepID string, ids ...string) ([]card.Override, error) {
		return s.CreateOverrides(t.Context(), units[0], shop.CreateOverridesInput{
			SerialIDs: input.GivenTexts(ids...), StepID: shoptest.Given(stepID), Reason: shoptest.Given("r"), UserID: shoptest.Given("ann"),
		})
	}
	advance := func(ids ...string) error {
		return failure(s.BatchAdvance(t.Context(), shop.BatchAdvanceInput{
			BatchInput:         shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(ids...)}},
			AdvanceSerialInput: shop.AdvanceSerialInput{UserID: shoptest.Given("ann")},
		}))
	}
	order := func(count int, serial func(i int) string) []string {
		ids := make([]string, count)
		for i := range ids {
			ids[i] = serial(i)
		}
		return ids
	}

	attached := shoptest.Must(attach(append(scattered, scattered[0])...))
	if got := order(len(attached), func(i int) string { return attached[i].SerialID }); !slices.Equal(got, append(scattered, scattered[0])) {
		t.Error("attachments are not answered in the order of the list")
	}
	if attached[0].ID != attached[len(attached)-1].ID {
		t.Error("the same serial listed twice has two records")
	}
	again := shoptest.Must(attach(scattered...))
	if !slices.Equal(again, attached[:len(again)]) {
		t.Error("attaching again answers other records")
	}
	created := shoptest.Must(override(path.Steps[1].ID, append(scattered, scattered...)...))
	if got := order(len(created), func(i int) string { return created[i].SerialID }); !slices.Equal(got, scattered) {
		t.Error("overrides are not answered in the order of the list, each once")
	}

	// The first refused serial in the list has a high number, and the next refused serial has a low number.
	for _, id := range []string{units[2400], units[3]} {
		for range path.Steps {
			shoptest.Must(s.AdvanceSerial(t.Context(), id, shop.AdvanceSerialInput{UserID: shoptest.Given("ann")}))
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
		if err := shoptest.Refused(test.run(list...)); err == nil || err.Message != test.want {
			t.Errorf("%s is refused with %v, want %s", name, err, test.want)
		}
		if err := shoptest.Refused(test.run(list[150:]...)); err == nil || err.Kind != refusal.NotFound {
			t.Errorf("%s of an unknown serial is refused with %v", name, err)
		}
	}
}

// failure returns the error of an operation and drops its result.
func failure[T any](_ T, err error) error { return err }

// A request with a list of many serials looks up and writes the serials in the order of their numbers, a thousand at a time, and commits
// alone.
func TestLongListsAreWrittenInKeyOrder(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	path := s.Route(t, card.Flexible, "Saw", "Mill", "Pack")
	const quantity = 12_000
	first := shoptest.Must(s.CreateSerials(t.Context(), shop.CreateSerialsInput{
		JobID: shoptest.Given(path.JobID), PathID: shoptest.Given(path.ID), Quantity: shoptest.Number(quantity),
	})).First
	scattered := make([]string, quantity)
	for i := range scattered {
		scattered[i] = s.Service.SerialPrefix().SerialID(first + int64(i*7919%quantity))
	}
	list := input.GivenTexts(scattered...)
	cert := shoptest.Must(s.CreateCertificate(t.Context(), shop.CreateCertificateInput{Type: shoptest.Given("material"), Name: shoptest.Given("3.1")}))
	clock := func() time.Time { return time.UnixMilli(s.Clock.Load()) }
	for name, run := range map[string]func(ctx context.Context, service *shop.Service) error{
		"attach": func(ctx context.Context, service *shop.Service) error {
			return failure(service.BatchAttachCertificate(ctx, shop.BatchAttachInput{
				CertID: shoptest.Given(cert.ID), SerialIDs: list, UserID: shoptest.Given("ann"),
			}))
		},
		"override": func(ctx context.Context, service *shop.Service) error {
			return failure(service.CreateOverrides(ctx, scattered[0], shop.CreateOverridesInput{
				SerialIDs: list, StepID: shoptest.Given(path.Steps[1].ID), Reason: shoptest.Given("r"), UserID: shoptest.Given("ann"),
			}))
		},
		"advance": func(ctx context.Context, service *shop.Service) error {
			return failure(service.BatchAdvance(ctx, shop.BatchAdvanceInput{
				BatchInput:         shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: list}},
				AdvanceSerialInput: shop.AdvanceSerialInput{UserID: shoptest.Given("ann")},
			}))
		},
	} {
		watch := &watchedStore{Store: s.Store, t: t, name: name}
		service := shop.New(watch, clock, ident.NewIdentifiers(clock))
		if err := run(t.Context(), service); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if watch.written != quantity {
			t.Errorf("%s writes %d rows for %d serials", name, watch.written, quantity)
		}
		if watch.commits != 1 || !watch.alone {
			t.Errorf("%s takes %d commits; by itself: %t", name, watch.commits, watch.alone)
		}
		// The caller disconnects.
		gone, leave := context.WithCancel(t.Context())
		watch.leave = leave
		if err := run(gone, service); !errors.Is(err, context.Canceled) {
			t.Errorf("%s goes on when its caller has gone: %v", name, err)
		}
	}
}

// watchedStore checks the order in which serials are looked up and written.
type watchedStore struct {
	sqlstore.Store

	t       *testing.T
	name    string
	commits int
	written int
	alone   bool
	leave   func() // called when the first serials of an Update are looked up or written
}

func (s *watchedStore) Update(ctx context.Context, change func(shop.Tx) error, options ...shop.UpdateOption) error {
	s.commits++
	s.alone = slices.Contains(options, shop.Alone)
	return s.Store.Update(ctx, func(tx shop.Tx) error { return change(&watchedTx{Tx: tx, of: s}) }, options...)
}

type watchedTx struct {
	shop.Tx

	of           *watchedStore
	asked, wrote string // the last serial of each
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

func (tx *watchedTx) RouteCards(serialIDs []string) (map[string]card.Card, error) {
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

func (tx *watchedTx) InsertAttachments(attachments []shop.Attachment) error {
	tx.wrotes(1000, len(attachments), func(i int) string { return attachments[i].SerialID })
	return tx.Tx.InsertAttachments(attachments)
}

func (tx *watchedTx) InsertOverrides(overrides []card.Override) error {
	tx.wrotes(1000, len(overrides), func(i int) string { return overrides[i].SerialID })
	return tx.Tx.InsertOverrides(overrides)
}

func (tx *watchedTx) ChangeCards(changes []card.Change) error {
	tx.wrotes(1000, len(changes), func(i int) string { return changes[i].Serial.ID })
	return tx.Tx.ChangeCards(changes)
}

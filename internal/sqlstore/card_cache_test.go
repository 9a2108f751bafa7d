package sqlstore

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// seen has the parts of the result of Get Serial that the tests change.
type seen struct{ position, certificates, holds int }

func tell(detail shop.SerialDetail) seen {
	return seen{detail.Serial.Position, len(detail.Certificates), len(detail.Holds)}
}

// asked returns the result of Get Serial, and whether it came from the cache, without a statement.
func (s *tracedShop) asked(id string) (answer seen, kept bool) {
	s.t.Helper()
	statements := s.count(func() error {
		detail, err := s.store.SerialDetail(s.t.Context(), id)
		answer = tell(detail)
		return err
	})
	return answer, len(statements) == 0
}

func (s *tracedShop) is(id string, want seen, kept bool) {
	s.t.Helper()
	if got, from := s.asked(id); got != want || from != kept {
		s.t.Errorf("%s: %+v, kept %t, want %+v, %t", id, got, from, want, kept)
	}
}

// Reads return the committed state, whatever the change of a card was and however its transaction ended.
func TestCardsAreKeptWhileTrue(t *testing.T) {
	t.Parallel()
	workshop := newTracedShop(t)
	workshop.makeSerials(workshop.path, 9, "")
	ctx, user := t.Context(), input.Given("ann")
	const id, other = "SN-00001", "SN-00002"
	want := seen{}
	change := func(name string, kept bool, operation func() error) {
		t.Helper()
		must(t, ran(workshop.detail(id)))
		must(t, operation())
		if got, from := workshop.asked(id); got != want || from != kept {
			t.Errorf("after %s: %+v, kept %t, want %+v, %t", name, got, from, want, kept)
		}
		workshop.is(id, want, true)
	}
	advance := func() error {
		return ran(workshop.AdvanceSerial(ctx, id, shop.AdvanceSerialInput{UserID: user}))
	}
	workshop.is(other, seen{}, false)
	want.position++
	change("an advance", true, advance)
	workshop.is(other, seen{}, true)
	want.certificates++
	change("a certificate", false, func() error {
		return ran(workshop.AttachCertificate(ctx, id, shop.AttachCertificateInput{CertID: input.Given(workshop.cert), UserID: user}))
	})
	attachments, err := workshop.AttachmentsOfSerial(ctx, id)
	must(t, err)
	want.certificates--
	change("a voided attachment", false, func() error {
		return ran(workshop.VoidAttachment(ctx, attachments[0].ID, shop.VoidInput{Reason: input.Given("wrong"), UserID: user}))
	})
	want.holds++
	var hold card.Hold
	change("a hold", true, func() (err error) {
		hold, err = workshop.HoldSerial(ctx, id, shop.HoldSerialInput{Reason: input.Given("crack"), UserID: user})
		return err
	})
	want.holds--
	change("a release", true, func() error {
		return ran(workshop.ReleaseSerial(ctx, id, shop.ReleaseSerialInput{HoldID: input.Given(hold.ID), Reason: input.Given("fine"), UserID: user}))
	})
	want.position++
	change("a batch", false, func() error {
		return ran(workshop.BatchAdvance(ctx, shop.BatchAdvanceInput{
			BatchInput:         shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(id)}},
			AdvanceSerialInput: shop.AdvanceSerialInput{UserID: user},
		}))
	})
	change("a path's new name", false, func() error {
		return ran(workshop.UpdatePath(ctx, workshop.path.ID, shop.UpdatePathInput{Name: input.Given("Other")}))
	})
	change("another job", true, func() error { workshop.makeJob(); return nil })
	errNo := errors.New("no")
	change("an Update that fails", false, func() error {
		return orElse(errNo, workshop.store.Update(ctx, func(tx shop.Tx) error {
			return errors.Join(db.Run(tx.(db.Querier), `UPDATE serial SET position = 7 WHERE number = 1`), errNo)
		}))
	})
	change("an Update in a group that fails", false, func() error {
		release := workshop.occupyWriter()
		var group sync.WaitGroup
		var err error
		group.Go(func() {
			err = workshop.store.Update(ctx, func(tx shop.Tx) error {
				return errors.Join(db.Run(tx.(db.Querier), `UPDATE serial SET position = 7 WHERE number = 1`), errNo)
			})
		})
		group.Go(func() { _ = workshop.store.Update(ctx, func(shop.Tx) error { return nil }) })
		release()
		group.Wait()
		return orElse(errNo, err)
	})
	change("a commit that fails", false, func() error {
		if workshop.store.Update(ctx, failingCommit) == nil {
			return errors.New("it was committed")
		}
		return nil
	})
	// Uncommitted changes are not visible.
	must(t, workshop.store.Update(ctx, func(tx shop.Tx) error {
		must(t, db.Run(tx.(db.Querier), `UPDATE serial SET position = 5 WHERE number = 1`))
		for range 2 {
			detail, err := workshop.store.SerialDetail(ctx, id)
			must(t, err)
			if got := tell(detail); got != want {
				t.Errorf("in the middle of an Update others see %+v, want %+v", got, want)
			}
		}
		return nil
	}))
	want.position = 5
	workshop.is(id, want, false)
	// A card that was read before a change is not cached after it.
	before, _ := workshop.store.cards.get(1)
	workshop.store.cards.forgetAll()
	workshop.store.cards.end()
	version := workshop.store.cards.version(1)
	must(t, advance())
	workshop.store.cards.forgetAll()
	workshop.store.cards.end()
	workshop.store.cards.keep(1, version, before)
	want.position++
	workshop.is(id, want, false)
	must(t, workshop.store.Close())
	if _, err := workshop.store.SerialDetail(ctx, id); err == nil {
		t.Error("a closed store answers")
	}
}

func (s *tracedShop) detail(id string) (shop.SerialDetail, error) {
	return s.store.SerialDetail(s.t.Context(), id)
}

func orElse(want, got error) error {
	if errors.Is(got, want) {
		return nil
	}
	return fmt.Errorf("%w instead of %w", got, want)
}

// failingCommit changes the first serial and violates a constraint, so that the commit fails.
func failingCommit(tx shop.Tx) error {
	t := tx.(db.Querier)
	return errors.Join(db.Run(t, `PRAGMA defer_foreign_keys = ON`), db.Run(t, `UPDATE serial SET position = 6 WHERE number = 1`),
		db.Run(t, `INSERT INTO attachment (serial_number, certificate_id, step_id, id, attached_at, attached_by)
			VALUES (1, 'no such', 's', 'x', 1, 'ann')`))
}

// The size of the cache is bounded in bytes, and a large card is not cached.
func TestKeptCardsAreBounded(t *testing.T) {
	t.Parallel()
	const limit = 256 << 10
	cache := newCardCache(db.NewPathCache(), limit)
	total := func() (bytes, count int) {
		for i := range cache.shards {
			sum := 0
			for _, kept := range cache.shards[i].cards {
				sum += kept.size
			}
			if sum != cache.shards[i].bytes {
				t.Fatalf("%d bytes are counted, and %d are there", cache.shards[i].bytes, sum)
			}
			bytes, count = bytes+sum, count+len(cache.shards[i].cards)
		}
		return bytes, count
	}
	card := func(number int64, text int) keptCard {
		return keptCard{whole: true, card: card.Card{
			Serial: card.Serial{ID: ident.DefaultPrefix.SerialID(number)}, Holds: []card.Hold{{Reason: strings.Repeat("x", text)}},
		}}
	}
	for number := range int64(5000) {
		cache.keep(number, cache.version(number), card(number, int(number)%2000))
	}
	bytes, count := total()
	if bytes > limit || bytes < limit/2 || count < 50 {
		t.Errorf("%d cards with %d bytes, of %d", count, bytes, limit)
	}
	cache.keep(1, cache.version(1), card(1, cardLimit))
	if _, ok := cache.get(1); ok {
		t.Error("a card of 16 KiB is kept")
	}
	for number := range int64(5000) {
		cache.forget(number)
	}
	cache.end()
	if bytes, count := total(); bytes != 0 || count != 0 {
		t.Errorf("%d cards with %d bytes after all were forgotten", count, bytes)
	}
}

// call is one step of the history below, with its result.
type call struct {
	serial int64
	kind   string // advance, attach, kept, read or nothing
}

type reply struct {
	told seen
	lost bool // the call changed nothing
}

// TestKeptCardsAreOneStory runs callers that change and read a few serials at once, through both interfaces, while changes are rolled back
// and commits fail. One order of all calls must explain every result.
func TestKeptCardsAreOneStory(t *testing.T) {
	t.Parallel()
	const clients, serials, calls = 6, 4, 150
	workshop := &tracedShop{t: t}
	workshop.open(Options{})
	workshop.path = workshop.makePath(workshop.makeJob(), 900)
	workshop.makeSerials(workshop.path, serials, "")
	ctx, user := t.Context(), input.Given("ann")
	attach := func(tx shop.Tx, serial int64, id string) error {
		return db.Run(tx.(db.Querier), `INSERT INTO attachment (serial_number, certificate_id, step_id, id, attached_at, attached_by)
			VALUES ($1, $2, 's', $3, 1, 'ann')`, serial, id, "a"+id)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	started := time.Now()
	histories := make([][]porcupine.Operation, clients)
	var group sync.WaitGroup
	for client := range clients {
		random := rand.New(rand.NewPCG(seed, uint64(client)))
		group.Go(func() {
			for n := range calls {
				c := call{serial: 1 + random.Int64N(serials)}
				id, r := workshop.Service.SerialPrefix().SerialID(c.serial), reply{}
				began := time.Since(started)
				var err error
				switch choice := random.IntN(40); {
				case choice < 10:
					c.kind = "advance"
					var serial card.Serial
					serial, err = workshop.AdvanceSerial(ctx, id, shop.AdvanceSerialInput{UserID: user})
					r.told.position = serial.Position
				case choice < 13:
					c.kind = "attach"
					cert := fmt.Sprintf("c%d-%d", client, n)
					err = workshop.store.Update(ctx, func(tx shop.Tx) error {
						return errors.Join(tx.InsertCertificate(shop.Certificate{ID: cert, Name: "n"}), attach(tx, c.serial, cert))
					})
				case choice < 15:
					c.kind = "nothing"
					_ = workshop.store.Update(ctx, func(tx shop.Tx) error {
						return errors.Join(db.Run(tx.(db.Querier), `UPDATE serial SET position = 800 WHERE number = $1`, c.serial), errors.New("no"))
					})
				case choice < 16:
					c.kind = "nothing"
					_ = workshop.store.Update(ctx, failingCommit)
				case choice < 22:
					c.kind = "read"
					err = workshop.store.View(ctx, func(tx shop.Reader) error {
						detail, err := serialDetail(tx, id)
						r.told = tell(detail)
						return err
					})
				default:
					c.kind = "kept"
					var detail shop.SerialDetail
					detail, err = workshop.store.SerialDetail(ctx, id)
					r.told = tell(detail)
				}
				r.lost = err != nil
				histories[client] = append(histories[client], porcupine.Operation{
					ClientId: client, Input: c, Call: began.Nanoseconds(), Output: r, Return: time.Since(started).Nanoseconds(),
				})
			}
		})
	}
	group.Wait()
	kept := 0
	for _, operation := range slices.Concat(histories...) {
		if operation.Output.(reply).lost && strings.Contains("read kept", operation.Input.(call).kind) {
			t.Errorf("%+v failed", operation.Input)
		}
		kept++
	}
	story := porcupine.Model{
		Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
			parts := make([][]porcupine.Operation, serials)
			for _, operation := range history {
				serial := operation.Input.(call).serial - 1
				parts[serial] = append(parts[serial], operation)
			}
			return parts
		},
		Init: func() any { return seen{} },
		Step: func(state, input, output any) (bool, any) {
			is, c, r := state.(seen), input.(call), output.(reply)
			switch {
			case r.lost || c.kind == "nothing":
				return true, is
			case c.kind == "advance":
				is.position++
				return r.told.position == is.position, is
			case c.kind == "attach":
				is.certificates++
				return true, is
			}
			return r.told == is, is
		},
		DescribeOperation: func(input, output any) string { return fmt.Sprintf("%+v -> %+v", input, output) },
	}
	if result := porcupine.CheckOperationsTimeout(story, slices.Concat(histories...), time.Minute); result != porcupine.Ok {
		t.Errorf("the history of %d calls is %s", kept, result)
	}
}

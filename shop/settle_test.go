package shop_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// errLost ends a request between two of its operations.
var errLost = errors.New("the server was killed")

// settling is a shop with one unit, on which a request writes notes: each is an operation.
type settling struct {
	*shoptest.Shop
	path   card.Path
	serial string
}

func newSettling(t *testing.T) *settling {
	t.Helper()
	s := &settling{Shop: shoptest.Open(t)}
	s.path, s.serial = makeRoute(t, s.Service, 1), ident.DefaultPrefix.SerialID(1)
	return s
}

// notes returns a request that writes this many notes with a text, each as one operation.
func (s *settling) notes(text string, many int) func(context.Context) error {
	return func(ctx context.Context) error {
		for range many {
			if _, err := s.CreateNote(ctx, shop.CreateNoteInput{
				JobID: shoptest.Given(s.path.JobID), PathID: shoptest.Given(s.path.ID), StepID: shoptest.Given(s.path.Steps[0].ID),
				SerialIDs: input.GivenTexts(s.serial), Text: shoptest.Given(text), UserID: shoptest.Given("ann"),
			}); err != nil {
				return err
			}
		}
		return nil
	}
}

// written counts the notes with a text.
func (s *settling) written(ctx context.Context, t interface{ Fatal(...any) }, text string) (count int) {
	card, err := s.Card(ctx, s.serial)
	if err != nil {
		t.Fatal(err)
	}
	for i := range card.Notes {
		if card.Notes[i].Text == text {
			count++
		}
	}
	return count
}

func keyed(key string) card.Once { return card.Once{Key: key, Fingerprint: key} }

// A request that was carried out is reported as done, with its time, however often its client asks. A request that was not carried out is
// reported as not done, and is refused when it arrives later.
func TestSettle(t *testing.T) {
	t.Parallel()
	s := newSettling(t)
	ctx := t.Context()
	at := s.Now()
	if err := s.Once(ctx, keyed("done"), s.notes("done", 1)); err != nil {
		t.Fatal(err)
	}
	s.Clock.Add(60_000)
	for range 2 {
		if got, err := s.Settle(ctx, keyed("done"), s.notes("done", 1)); err != nil || got != (shop.Settled{Done: true, At: at}) {
			t.Errorf("a request that was carried out: %+v, %v", got, err)
		}
		if got, err := s.Settle(ctx, keyed("late"), s.notes("late", 1)); err != nil || got != (shop.Settled{}) {
			t.Errorf("a request that was not: %+v, %v", got, err)
		}
	}
	err := s.Once(ctx, keyed("late"), s.notes("late", 1))
	if refused, ok := errors.AsType[*refusal.Error](err); !ok || refused.Reason != refusal.KeyOfOther {
		t.Errorf("the request that arrives late: %v", err)
	}
	if done, late := s.written(ctx, t, "done"), s.written(ctx, t, "late"); done != 1 || late != 0 {
		t.Errorf("%d notes, and %d of the late request", done, late)
	}
	if _, err := s.Settle(ctx, card.Once{Key: "done", Fingerprint: "another"}, s.notes("done", 1)); shoptest.Refused(err) == nil {
		t.Errorf("the key of another request: %v", err)
	}
}

// A caller asks about the caller's own requests only.
func TestSettleIsForTheCaller(t *testing.T) {
	t.Parallel()
	s := newSettling(t)
	ann := shop.WithCaller(t.Context(), shop.Caller{Login: "ann", Permissions: shop.Permissions()})
	bob := shop.WithCaller(t.Context(), shop.Caller{Login: "bob", Permissions: shop.Permissions()})
	write := s.notes("x", 1)
	if err := s.Once(ann, keyed("k"), write); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Settle(bob, keyed("k"), write); err != nil || got.Done {
		t.Errorf("another caller is told %+v, %v", got, err)
	}
	if got, err := s.Settle(ann, keyed("k"), write); err != nil || !got.Done {
		t.Errorf("the caller is told %+v, %v", got, err)
	}
}

// A request that was interrupted between two operations is reported as done in part, also when a page shows the interruption and returns no
// error. A repeat carries out the rest.
func TestSettleInPart(t *testing.T) {
	t.Parallel()
	s := newSettling(t)
	ctx := t.Context()
	first := s.Now()
	if err := s.Once(ctx, keyed("k"), func(ctx context.Context) error { return errors.Join(s.notes("x", 2)(ctx), errLost) }); !errors.Is(err, errLost) {
		t.Fatal(err)
	}
	for name, request := range map[string]func(context.Context) error{
		"returned": s.notes("x", 3),
		"shown":    func(ctx context.Context) error { _ = s.notes("x", 3)(ctx); return nil },
	} {
		if got, err := s.Settle(ctx, keyed("k"), request); err != nil || got != (shop.Settled{Done: true, Part: true, At: first}) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	s.Clock.Add(60_000)
	if err := s.Once(ctx, keyed("k"), s.notes("x", 3)); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Settle(ctx, keyed("k"), s.notes("x", 3)); err != nil || got != (shop.Settled{Done: true, At: s.Now()}) {
		t.Errorf("then it is %+v, %v", got, err)
	}
	if n := s.written(ctx, t, "x"); n != 3 {
		t.Errorf("%d notes", n)
	}
}

// A client that asks while its request runs waits for it.
func TestSettleWaits(t *testing.T) {
	t.Parallel()
	s := newSettling(t)
	ctx := t.Context()
	began, goOn, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- s.Once(ctx, keyed("k"), func(ctx context.Context) error {
			close(began)
			<-goOn
			return s.notes("x", 1)(ctx)
		})
	}()
	<-began
	told := make(chan shop.Settled)
	go func() {
		got, err := s.Settle(ctx, keyed("k"), s.notes("x", 1))
		if err != nil {
			t.Error(err)
		}
		told <- got
	}()
	close(goOn)
	if err := <-ended; err != nil && shoptest.Refused(err) == nil {
		t.Error(err)
	}
	if got := <-told; got.Done != (s.written(ctx, t, "x") == 1) {
		t.Errorf("the client is told %+v, and there are %d notes", got, s.written(ctx, t, "x"))
	}
}

// However requests and their responses are lost, delayed, repeated and interrupted, and whenever their client asks: each request runs at
// most once. A request never runs after the service has reported it as not done. A request that the service has reported as done did run.
func TestWhatIsToldStaysTrue(t *testing.T) {
	t.Parallel()
	s := newSettling(t)
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		runs++
		ctx := t.Context()
		type request struct {
			text string
			many int
			told string
		}
		var requests []*request
		for i := range 3 {
			requests = append(requests, &request{text: fmt.Sprint(runs, "-", i), many: rapid.IntRange(1, 3).Draw(t, "operations")})
		}
		pick := func(t *rapid.T) *request { return requests[rapid.IntRange(0, len(requests)-1).Draw(t, "request")] }
		t.Repeat(map[string]func(*rapid.T){
			"arrive": func(t *rapid.T) {
				r := pick(t)
				_ = s.Once(ctx, keyed(r.text), s.notes(r.text, r.many))
			},
			"arrive, and the server dies": func(t *rapid.T) {
				r := pick(t)
				_ = s.Once(ctx, keyed(r.text), func(ctx context.Context) error {
					return errors.Join(s.notes(r.text, rapid.IntRange(0, r.many).Draw(t, "operations"))(ctx), errLost)
				})
			},
			"ask": func(t *rapid.T) {
				r := pick(t)
				got, err := s.Settle(ctx, keyed(r.text), s.notes(r.text, r.many))
				if err != nil {
					t.Fatal(err)
				}
				r.told = "not done"
				if got.Done {
					r.told = "done"
				}
				if got.Part {
					r.told = "in part"
				}
			},
			"": func(t *rapid.T) {
				for _, r := range requests {
					switch n := s.written(ctx, t, r.text); {
					case n > r.many:
						t.Fatalf("request %s was carried out twice: %d notes", r.text, n)
					case r.told == "not done" && n > 0, r.told == "done" && n < r.many, r.told == "in part" && n == 0:
						t.Fatalf("request %s is %s, as its client was told, and has %d of %d notes", r.text, r.told, n, r.many)
					}
				}
			},
		})
	})
}

package shop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// asked is a request with a key.
type asked struct {
	key    string
	do     moved
	on     []int  // indexes of the serials
	policy string // "" for the operation on one serial
	done   bool   // successfully, so that the key belongs to it
	answer string // the result of the first success
}

// run runs the operation on its serials, and returns the result.
func (a *asked) run(ctx context.Context, s *shoptest.Shop, serials []string) (string, error) {
	if a.policy == "" {
		result, err := a.do.single(ctx, s, serials[a.on[0]])
		return string(shoptest.Must(json.Marshal(result))), err
	}
	ids := make([]string, len(a.on))
	for i, n := range a.on {
		ids[i] = serials[n]
	}
	result, err := a.do.many(ctx, s, shop.BatchInput{
		Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(ids...)}, OnRefusal: shoptest.Given(a.policy),
	})
	return outcome(result), err
}

// TestRepeatsLeaveEverythingAsItWas runs operations with keys on serials. It repeats some of them, reuses some keys for other requests, and
// starts and stops instances. On the twins of the serials each operation runs once, without a key. After every step, serials and twins are
// the same in everything that can be read, and repeats return the first result.
func TestRepeatsLeaveEverythingAsItWas(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	heard := map[string]int{}
	runs := 0
	rapid.Check(t, func(t *rapid.T) {
		const pairs = 3
		ctx := t.Context()
		runs++
		m := newMachine(t, s, map[string]int{})
		batch := shoptest.Must(s.CreateSerials(ctx, shop.CreateSerialsInput{
			JobID: shoptest.Given(m.model.path.JobID), PathID: shoptest.Given(m.model.path.ID), Quantity: shoptest.Number(2 * pairs), UserID: shoptest.Given("ann"),
		}))
		var both []string
		for serial, err := range batch.All(s.Service.SerialPrefix()) {
			both = append(both, shoptest.Must(serial, err).ID)
		}
		serials, twins := both[:pairs], both[pairs:]
		// under runs a request with a key.
		under := func(key string, a *asked) (answer string, err error) {
			fingerprint := fmt.Sprintf("%p", a)
			err = s.Once(ctx, card.Once{Key: key, Fingerprint: fingerprint}, func(ctx context.Context) error {
				answer, err = a.run(ctx, s, serials)
				return err
			})
			return answer, err
		}
		// attempt runs a request that has not succeeded yet, on the serials with its key and on the twins without a key.
		attempt := func(a *asked) {
			answer, err := under(a.key, a)
			want, wantErr := a.run(ctx, s, twins)
			for i := range serials {
				want = strings.ReplaceAll(want, twins[i], serials[i])
				if wantErr != nil {
					wantErr = renamed(wantErr, twins[i], serials[i])
				}
			}
			same(t, a.do.name, shoptest.Refused(err), shoptest.Refused(wantErr))
			if err == nil {
				same(t, a.do.name, answer, want)
				a.done, a.answer = true, answer
			}
		}
		var all []*asked
		t.Repeat(map[string]func(*rapid.T){
			"ask": func(t *rapid.T) {
				s.Tick()
				a := &asked{key: fmt.Sprintf("%d-%d", runs, len(all)), do: drawOperation(t)}
				a.policy = rapid.SampledFrom([]string{"", "none", "each"}).Draw(t, "policy")
				a.on = rapid.Permutation([]int{0, 1, 2}).Draw(t, "serials")[:1+upTo(t, "more", pairs-1)]
				all = append(all, a)
				attempt(a)
			},
			"repeat": func(t *rapid.T) {
				if len(all) == 0 {
					t.Skip("nothing was asked for yet")
				}
				s.Tick()
				a := rapid.SampledFrom(all).Draw(t, "which")
				if !a.done {
					heard["judged anew"]++
					attempt(a)
					return
				}
				heard["repeated"]++
				answer, err := under(a.key, a)
				same(t, "repeated "+a.do.name, shoptest.Refused(err), (*shoptest.Refusal)(nil))
				same(t, "repeated "+a.do.name, answer, a.answer)
			},
			"reuse": func(t *rapid.T) {
				if len(all) == 0 || !all[len(all)-1].done {
					t.Skip("no key is used")
				}
				heard["used wrongly"]++
				s.Tick()
				other := &asked{do: drawOperation(t), on: []int{upTo(t, "serial", pairs-1)}}
				_, err := under(all[len(all)-1].key, other)
				if got := shoptest.Refused(err); got == nil || got.Message != "Idempotency-Key was already used for another request" {
					t.Fatalf("a key that stands for something else: %v", err)
				}
			},
			"another instance": func(*rapid.T) { s.Another() },
			"": func(t *rapid.T) {
				for i := range serials {
					same(t, "seen of "+serials[i], s.Told(ctx, serials[i]), s.Told(ctx, twins[i]))
				}
			},
		})
	})
	for _, what := range []string{"judged anew", "repeated", "used wrongly"} {
		enginetest.Drawn(t, what, heard[what])
	}
}

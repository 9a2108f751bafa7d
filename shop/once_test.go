package shop_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Repeats return the results for thousands of attachments and overrides again, and storing these results takes few bytes per record.
func TestLargeResultsAreRememberedSmall(t *testing.T) {
	t.Parallel()
	store := enginetest.New(t).Open(t)
	service := shop.New(store, time.Now, ident.NewIdentifiers(time.Now))
	const many = 5_000
	path := makeRoute(t, service, many)
	serials := make([]string, many)
	for i := range serials {
		serials[i] = service.SerialPrefix().SerialID(int64(i + 1))
	}
	certificate, err := service.CreateCertificate(t.Context(), shop.CreateCertificateInput{Type: shoptest.Given("material"), Name: shoptest.Given("c")})
	if err != nil {
		t.Fatal(err)
	}
	for _, operation := range []struct {
		name string
		run  func(ctx context.Context) (any, error)
	}{
		{"attach", func(ctx context.Context) (any, error) {
			return service.BatchAttachCertificate(ctx, shop.BatchAttachInput{
				CertID: shoptest.Given(certificate.ID), SerialIDs: input.GivenTexts(serials...), UserID: shoptest.Given("ann"),
			})
		}},
		{"override", func(ctx context.Context) (any, error) {
			return service.CreateOverrides(ctx, serials[0], shop.CreateOverridesInput{
				SerialIDs: input.GivenTexts(serials...), StepID: shoptest.Given(path.Steps[1].ID), Reason: shoptest.Given("r"), UserID: shoptest.Given("ann"),
			})
		}},
	} {
		once := card.Once{Key: operation.name, Fingerprint: "f"}
		var answers [2]any
		for i := range answers {
			if err := service.Once(t.Context(), once, func(ctx context.Context) (err error) {
				answers[i], err = operation.run(ctx)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		if reflect.ValueOf(answers[0]).Len() != many || !reflect.DeepEqual(answers[0], answers[1]) {
			t.Errorf("%s: the second answer is another one:\n%s", operation.name, cmp.Diff(answers[0], answers[1]))
		}
		if err := store.View(t.Context(), func(tx shop.Reader) error {
			done, err := tx.Remembered("", operation.name)
			if t.Logf("%s: %d bytes", operation.name, len(done.Result)); len(done.Result) > 9*many {
				t.Errorf("%s takes %d bytes", operation.name, len(done.Result))
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
}

func makeRoute(t *testing.T, service *shop.Service, quantity int) card.Path {
	t.Helper()
	job, err := service.CreateJob(t.Context(), shop.CreateJobInput{Name: shoptest.Given("j"), GoalQuantity: input.Given(1.0)})
	if err != nil {
		t.Fatal(err)
	}
	path, err := service.CreatePath(t.Context(), shop.CreatePathInput{
		JobID: shoptest.Given(job.ID), Name: shoptest.Given("p"), GoalQuantity: input.Given(1.0), Steps: input.Given([]input.Input[shop.StepInput]{
			input.Given(shop.StepInput{Name: shoptest.Given("A")}), input.Given(shop.StepInput{Name: shoptest.Given("B")}),
			input.Given(shop.StepInput{Name: shoptest.Given("C")}),
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.CreateSerials(t.Context(), shop.CreateSerialsInput{
		JobID: shoptest.Given(job.ID), PathID: shoptest.Given(path.ID), Quantity: input.Given(float64(quantity)),
	}); err != nil {
		t.Fatal(err)
	}
	return path
}

// Old keys are deleted in small parts, and no key younger than the setting is deleted.
func TestKeysAreForgotten(t *testing.T) {
	t.Parallel()
	store := enginetest.New(t).Open(t)
	now := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	service := shop.New(store, func() time.Time { return now }, ident.NewIdentifiers(time.Now))
	const old, young = 250, 3
	remember := func(name string, n int, at time.Time) {
		if err := store.Update(t.Context(), func(tx shop.Tx) error {
			for i := range n {
				if err := tx.Remember(card.Remembered{
					Once: card.Once{Key: fmt.Sprint(name, i)}, At: ident.TimestampOf(at),
				}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	remember("old", old, now.Add(-24*time.Hour-time.Millisecond))
	remember("young", young, now.Add(-24*time.Hour))
	left := func() (left int) {
		if err := store.View(t.Context(), func(tx shop.Reader) error {
			for i := range old {
				for _, name := range []string{"old", "young"} {
					switch _, err := tx.Remembered("", fmt.Sprint(name, i)); {
					case err == nil:
						left++
					case !errors.Is(err, shop.ErrNoRecord):
						return err
					}
				}
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		return left
	}
	ctx, stop := context.WithCancel(t.Context())
	var seen []int
	var pauses []time.Duration
	service.ForgetKeys(ctx, 24*time.Hour, func(_ context.Context, wait time.Duration) error {
		seen, pauses = append(seen, left()), append(pauses, wait)
		if len(seen) == 4 {
			stop()
		}
		if len(seen) == 1 { // other requests run in between
			_, err := service.CreateJob(ctx, shop.CreateJobInput{Name: shoptest.Given("j"), GoalQuantity: input.Given(1.0)})
			return err
		}
		return nil
	}, func(err error) { t.Error(err) })
	if diff := cmp.Diff([]int{153, 53, 3, 3}, seen); diff != "" {
		t.Errorf("left after each piece: -want +got\n%s", diff)
	}
	if pauses[0] >= time.Second || pauses[2] != time.Minute {
		t.Errorf("pauses are %v", pauses)
	}
}

// A second request with a key waits for the first one, but not for ever.
func TestOnceWaits(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		takes       time.Duration
		fingerprint string
		want        string
	}{
		"until it has ended":           {9 * time.Second, "a", ""},
		"ten seconds":                  {11 * time.Second, "a", "A request with this Idempotency-Key is still running"},
		"ten seconds, for another one": {11 * time.Second, "b", "Idempotency-Key was already used for another request"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := shop.New(noStore{}, time.Now, ident.NewIdentifiers(time.Now))
				first, ended := make(chan struct{}), make(chan struct{})
				go func() {
					defer close(ended)
					_ = service.Once(t.Context(), card.Once{Key: "k", Fingerprint: "a"}, func(context.Context) error {
						close(first)
						time.Sleep(test.takes) //nolint:forbidigo // testing/synctest: its clock does not wait
						return nil
					})
				}()
				<-first
				ran := false
				err := service.Once(t.Context(), card.Once{Key: "k", Fingerprint: test.fingerprint}, func(context.Context) error {
					ran = true
					return nil
				})
				if got := fmt.Sprint(err); (test.want == "") != ran || test.want != "" && got != test.want {
					t.Errorf("ran: %v, error: %v, want %q", ran, err, test.want)
				}
				// Requests with other keys, or of other callers, do not wait.
				other := shop.WithCaller(t.Context(), shop.Caller{Login: "ann"})
				if err := service.Once(other, card.Once{Key: "k"}, func(context.Context) error { return nil }); err != nil {
					t.Error(err)
				}
				<-ended
			})
		})
	}
}

// noStore fails every test that uses it.
type noStore struct{ sqlstore.Store }

var whoKnows = refusal.NewReason(refusal.Uncertain, "who_knows", "Who knows.")

// uncertainStore loses the connection in every commit.
type uncertainStore struct{ sqlstore.Store }

func (uncertainStore) Update(context.Context, func(shop.Tx) error, ...shop.UpdateOption) error {
	return refusal.Refuse(whoKnows)
}

func (uncertainStore) SerialPrefix() ident.Prefix { return ident.DefaultPrefix }

func TestUncertainUnderAKeySaysRepeat(t *testing.T) {
	t.Parallel()
	service := shop.New(uncertainStore{}, time.Now, ident.NewIdentifiers(time.Now))
	create := func(ctx context.Context) error {
		_, err := service.CreateJob(ctx, shop.CreateJobInput{Name: shoptest.Given("j"), GoalQuantity: input.Given(1.0)})
		return err
	}
	message := func(err error) string {
		failure, _ := errors.AsType[*refusal.Error](err)
		return failure.Error()
	}
	if got := message(create(t.Context())); got != "Who knows." {
		t.Errorf("without a key: %q", got)
	}
	err := service.Once(t.Context(), card.Once{Key: "k"}, create)
	if got := message(err); got != "Who knows. Repeat the request with the same Idempotency-Key." {
		t.Errorf("under a key: %q", got)
	}
}

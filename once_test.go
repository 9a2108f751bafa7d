package routecard_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard"
	"github.com/routecard/routecard/internal/enginetest"
)

// What thousands of attachments and overrides answered is answered again, and takes few bytes for each.
func TestLargeResultsAreRememberedSmall(t *testing.T) {
	t.Parallel()
	store := enginetest.New(t).Open(t)
	service := routecard.New(store, time.Now, routecard.NewIdentifiers(time.Now))
	const many = 5_000
	path := makeRoute(t, service, many)
	serials := make([]string, many)
	for i := range serials {
		serials[i] = routecard.SerialID(int64(i + 1))
	}
	certificate, err := service.CreateCertificate(t.Context(), routecard.CreateCertificateInput{Type: given("material"), Name: given("c")})
	if err != nil {
		t.Fatal(err)
	}
	for _, operation := range []struct {
		name string
		run  func(ctx context.Context) (any, error)
	}{
		{"attach", func(ctx context.Context) (any, error) {
			return service.BatchAttachCertificate(ctx, routecard.BatchAttachInput{
				CertID: given(certificate.ID), SerialIDs: routecard.GivenTexts(serials...), UserID: given("ann"),
			})
		}},
		{"override", func(ctx context.Context) (any, error) {
			return service.CreateOverrides(ctx, serials[0], routecard.CreateOverridesInput{
				SerialIDs: routecard.GivenTexts(serials...), StepID: given(path.Steps[1].ID), Reason: given("r"), UserID: given("ann"),
			})
		}},
	} {
		once := routecard.Once{Key: operation.name, Fingerprint: "f"}
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
		if err := store.View(t.Context(), func(tx routecard.Reader) error {
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

func makeRoute(t *testing.T, service *routecard.Service, quantity int) routecard.Path {
	t.Helper()
	job, err := service.CreateJob(t.Context(), routecard.CreateJobInput{Name: given("j"), GoalQuantity: routecard.Given(1.0)})
	if err != nil {
		t.Fatal(err)
	}
	path, err := service.CreatePath(t.Context(), routecard.CreatePathInput{
		JobID: given(job.ID), Name: given("p"), GoalQuantity: routecard.Given(1.0), Steps: routecard.Given([]routecard.Input[routecard.StepInput]{
			routecard.Given(routecard.StepInput{Name: given("A")}), routecard.Given(routecard.StepInput{Name: given("B")}),
			routecard.Given(routecard.StepInput{Name: given("C")}),
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.CreateSerials(t.Context(), routecard.CreateSerialsInput{
		JobID: given(job.ID), PathID: given(path.ID), Quantity: routecard.Given(float64(quantity)),
	}); err != nil {
		t.Fatal(err)
	}
	return path
}

// Old keys are forgotten in small pieces, and none that is younger than the setting.
func TestKeysAreForgotten(t *testing.T) {
	t.Parallel()
	store := enginetest.New(t).Open(t)
	now := time.Date(2026, 2, 1, 12, 0, 0, 0, time.UTC)
	service := routecard.New(store, func() time.Time { return now }, routecard.NewIdentifiers(time.Now))
	const old, young = 250, 3
	remember := func(name string, n int, at time.Time) {
		if err := store.Update(t.Context(), func(tx routecard.Tx) error {
			for i := range n {
				if err := tx.Remember(routecard.Remembered{
					Once: routecard.Once{Key: fmt.Sprint(name, i)}, At: routecard.TimestampOf(at),
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
		if err := store.View(t.Context(), func(tx routecard.Reader) error {
			for i := range old {
				for _, name := range []string{"old", "young"} {
					switch _, err := tx.Remembered("", fmt.Sprint(name, i)); {
					case err == nil:
						left++
					case !errors.Is(err, routecard.ErrNoRecord):
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
		if len(seen) == 1 { // the shop works meanwhile
			_, err := service.CreateJob(ctx, routecard.CreateJobInput{Name: given("j"), GoalQuantity: routecard.Given(1.0)})
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

// A second request waits for the first one under its key, but not for ever.
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
				service := routecard.New(noStore{}, time.Now, routecard.NewIdentifiers(time.Now))
				first, ended := make(chan struct{}), make(chan struct{})
				go func() {
					defer close(ended)
					_ = service.Once(t.Context(), routecard.Once{Key: "k", Fingerprint: "a"}, func(context.Context) error {
						close(first)
						time.Sleep(test.takes) //nolint:forbidigo // testing/synctest: its clock does not wait
						return nil
					})
				}()
				<-first
				ran := false
				err := service.Once(t.Context(), routecard.Once{Key: "k", Fingerprint: test.fingerprint}, func(context.Context) error {
					ran = true
					return nil
				})
				if got := fmt.Sprint(err); (test.want == "") != ran || test.want != "" && got != test.want {
					t.Errorf("ran: %v, error: %v, want %q", ran, err, test.want)
				}
				// Other keys, and other callers' keys, do not wait.
				other := routecard.WithCaller(t.Context(), routecard.Caller{Login: "ann"})
				if err := service.Once(other, routecard.Once{Key: "k"}, func(context.Context) error { return nil }); err != nil {
					t.Error(err)
				}
				<-ended
			})
		})
	}
}

// noStore is never asked for anything.
type noStore struct{ routecard.Store }

// uncertainStore loses the connection in every commit.
type uncertainStore struct{ routecard.Store }

func (uncertainStore) Update(context.Context, func(routecard.Tx) error) error {
	return &routecard.Error{Code: routecard.Uncertain, Message: "Who knows."}
}

func TestUncertainUnderAKeySaysRepeat(t *testing.T) {
	t.Parallel()
	service := routecard.New(uncertainStore{}, time.Now, routecard.NewIdentifiers(time.Now))
	create := func(ctx context.Context) error {
		_, err := service.CreateJob(ctx, routecard.CreateJobInput{Name: given("j"), GoalQuantity: routecard.Given(1.0)})
		return err
	}
	message := func(err error) string {
		failure, _ := errors.AsType[*routecard.Error](err)
		return failure.Message
	}
	if got := message(create(t.Context())); got != "Who knows." {
		t.Errorf("without a key: %q", got)
	}
	err := service.Once(t.Context(), routecard.Once{Key: "k"}, create)
	if got := message(err); got != "Who knows. Repeat the request with the same Idempotency-Key." {
		t.Errorf("under a key: %q", got)
	}
}

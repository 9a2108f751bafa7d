package access_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// notSetUp returns a service on a store without an administrator, and its code for the first sign-in.
func notSetUp(t *testing.T, store access.Store) (s *access.Service, code string) {
	t.Helper()
	s, err := access.New(t.Context(), store, access.Options{
		Mode: access.All, Clock: time.Now, IDs: ident.NewIdentifiers(time.Now), Pepper: []byte("pepper"),
		Cost: access.Cost{MemoryKiB: 8, Passes: 1, Lanes: 1},
	})
	if err == nil {
		code, err = s.SetupCode(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return s, code
}

// docs/running.md, "Limits": the first sign-in waits in the queue of hashes like every other, and is refused if too many callers wait. The
// code stays valid. A visitor without a code is refused before that, and takes no place in the queue.
func TestFirstSignInFindsTheQueueFull(t *testing.T) {
	t.Parallel()
	s, code := notSetUp(t, enginetest.New(t).Open(t).(access.Store))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // it must not wait; if it does, the test fails after a minute
	defer cancel()
	setUp := func(code string) error {
		_, err := s.SetUp(ctx, access.SetUpInput{
			Code: input.Given(code), Login: input.Given("boss"), Name: input.Given("The Boss"), Password: input.Given(password),
		})
		return err
	}
	empty := access.FillQueue(s)
	err := setUp(code)
	refusal, ok := errors.AsType[*access.RefusalError](err)
	if status, _ := httpstatus.Of(err); !ok || status != http.StatusTooManyRequests || refusal.RetryAfter <= 0 ||
		err.Error() != "Too many sign-ins at once. Try again soon" {
		t.Errorf("answered %v", err)
	}
	if err := setUp("made-up"); err == nil || err.Error() != "The setup code is not valid" {
		t.Errorf("without a code: %v", err)
	}
	empty()
	if err := setUp(code); err != nil {
		t.Error(err)
	}
}

// Of many simultaneous first sign-ins on two instances of the service, one makes an administrator.
func TestSetUpOnTwoInstances(t *testing.T) {
	t.Parallel()
	database := enginetest.New(t)
	stores := []access.Store{database.Open(t).(access.Store)}
	if database.Postgres() { // a database file has one instance
		stores = append(stores, database.Open(t).(access.Store))
	}
	const times = 4
	made := make(chan error)
	for instance, store := range stores {
		s, code := notSetUp(t, store)
		for i := range times {
			login := fmt.Sprintf("boss%d-%d", instance, i)
			go func() {
				_, err := s.SetUp(t.Context(), access.SetUpInput{
					Code: input.Given(code), Login: input.Given(login), Name: input.Given("The Boss"), Password: input.Given(password),
				})
				made <- err
			}()
		}
	}
	right := 0
	for range times * len(stores) {
		if err := <-made; err == nil {
			right++
		} else if status, _ := httpstatus.Of(err); status != http.StatusForbidden && status != http.StatusTooManyRequests {
			t.Errorf("refused with %v", err)
		}
	}
	if right != 1 {
		t.Errorf("%d administrators were made", right)
	}
}

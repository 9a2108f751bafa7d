package routecard_test

import (
	"errors"
	"iter"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard"
	"github.com/routecard/routecard/internal/enginetest"
)

// shop is the business on a database of its own, with a clock that stands still until it is told to move.
type shop struct {
	*routecard.Service
	database enginetest.Database
	store    routecard.Store
	clock    atomic.Int64
}

func openShop(tb testing.TB) *shop {
	tb.Helper()
	s := &shop{database: enginetest.New(tb)}
	s.clock.Store(time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC).UnixMilli())
	s.open(tb)
	return s
}

func (s *shop) open(tb testing.TB) {
	tb.Helper()
	s.store = s.database.Open(tb)
	s.another()
}

// another makes the shop's business anew on its database, as another instance does.
func (s *shop) another() {
	clock := func() time.Time { return time.UnixMilli(s.clock.Load()) }
	s.Service = routecard.New(s.store, clock, routecard.NewIdentifiers(clock))
}

// tick moves the clock on by a second and returns the new time.
func (s *shop) tick() routecard.Timestamp { return routecard.Timestamp(s.clock.Add(1000)) }

func given(value string) routecard.TextInput { return routecard.Given(value) }

func number(value float64) routecard.NumberInput { return routecard.Given(value) }

// must returns the value of a call that cannot be refused.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// refused returns the refusal in an error, nil when there is no error. There is no other error in a sound database.
func refused(err error) *routecard.Error {
	if err == nil {
		return nil
	}
	refusal, ok := errors.AsType[*routecard.Error](err)
	if !ok {
		panic(err)
	}
	return refusal
}

// collect reads a sequence to its end.
func collect[T any](rows iter.Seq2[T, error]) []T {
	all := []T{}
	for row, err := range rows {
		all = append(all, must(row, err))
	}
	return all
}

func TestOnPostgres(t *testing.T) {
	t.Parallel()
	enginetest.OnPostgres(t)
}

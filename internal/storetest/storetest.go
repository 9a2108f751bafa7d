// Package storetest defines the behaviour of a shop.Store by test cases that every engine runs.
//
// The name of each case states the behaviour that it checks. No case depends on the engine, and none is skipped for an engine. Behaviour of
// only one engine is tested in internal/sqlstore.
package storetest

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// Store is the interface that an engine has to implement, for operations and for views.
type Store interface {
	shop.Store
	views.Store
}

// Harness is one store on a new, empty database with its tables.
type Harness struct {
	Store Store
	// Reopen opens the same data again. The suite closes the store before it calls Reopen. When the test ends, the creator of the harness
	// closes the store that was opened last, even if the suite has closed it already.
	Reopen func(t *testing.T) Store
	// Exec runs SQL on a separate connection, without the store.
	Exec func(t *testing.T, sql string) error
}

// Run checks every case on the stores that open returns. Each case gets a new store.
func Run(t *testing.T, open func(t *testing.T) Harness) {
	t.Helper()
	for group := range reflect.TypeFor[suite]().Methods() {
		cases := group.Func.Call([]reflect.Value{reflect.ValueOf(suite{})})[0].Interface().([]promise)
		t.Run(group.Name, func(t *testing.T) {
			t.Parallel()
			for _, p := range cases {
				t.Run(p.name, func(t *testing.T) {
					t.Parallel()
					p.check(&testedStore{T: t, Harness: open(t)})
				})
			}
		})
	}
}

// suite has a method for each group of cases, in the file for their subject. Run runs the cases that these methods return.
type suite struct{}

// promise is one case of the suite.
type promise struct {
	name  string
	check func(s *testedStore)
}

// testedStore is a store under test, with helpers for the cases. Functions that a case passes to the store must not end the test, because
// they may run on a goroutine of the store. They return an error instead.
type testedStore struct {
	*testing.T
	Harness
}

// must ends the test on an error.
func (s *testedStore) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// refused ends the test unless err is target, or any error if target is nil.
func (s *testedStore) refused(err, target error) {
	s.Helper()
	switch {
	case err == nil:
		s.Fatal("no error")
	case target != nil && !errors.Is(err, target):
		s.Fatalf("error is %q, want %q", err, target)
	}
}

// same ends the test if two values differ. A nil value differs from an empty one.
func (s *testedStore) same(got, want any, options ...cmp.Option) {
	s.Helper()
	if diff := cmp.Diff(want, got, options...); diff != "" {
		s.Fatalf("-want +got\n%s", diff)
	}
}

// looseMaps treats a nil map and an empty one as equal, because a card without exceptions may have either.
var looseMaps = cmpopts.EquateEmpty()

func (s *testedStore) update(change func(tx shop.Tx) error) {
	s.Helper()
	s.must(s.Store.Update(s.Context(), change))
}

func (s *testedStore) view(read func(tx views.Reader) error) {
	s.Helper()
	s.must(s.Store.Look(s.Context(), read))
}

// tryUpdate runs an Update and returns its error.
func (s *testedStore) tryUpdate(change func(tx shop.Tx) error) error {
	return s.Store.Update(s.Context(), change)
}

func (s *testedStore) changeCard(serialID string, rule func(card.Card) (card.Change, error)) {
	s.Helper()
	s.must(s.Store.ChangeCard(s.Context(), serialID, rule))
}

// reopen closes and reopens the store.
func (s *testedStore) reopen() {
	s.Helper()
	s.must(s.Store.Close())
	s.Store = s.Harness.Reopen(s.T)
}

// look reads one value in a separate View.
func look[T any](s *testedStore, read func(tx views.Reader) (T, error)) T {
	s.Helper()
	found, err := tryLook(s, read)
	s.must(err)
	return found
}

func tryLook[T any](s *testedStore, read func(tx views.Reader) (T, error)) (found T, err error) {
	err = s.Store.Look(s.Context(), func(tx views.Reader) error {
		var err error
		found, err = read(tx)
		return err
	})
	return found, err
}

// list reads a whole sequence in a separate View.
func list[T any](s *testedStore, rows func(tx views.Reader) iter.Seq2[T, error]) []T {
	s.Helper()
	return look(s, func(tx views.Reader) ([]T, error) { return collect(rows(tx)) })
}

func collect[T any](rows iter.Seq2[T, error]) ([]T, error) {
	found := []T{}
	for row, err := range rows {
		if err != nil {
			return nil, err
		}
		found = append(found, row)
	}
	return found, nil
}

// each calls add with the numbers from 1 to n inside one Update.
func (s *testedStore) each(n int, add func(tx shop.Tx, i int) error) {
	s.Helper()
	s.update(func(tx shop.Tx) error {
		for i := 1; i <= n; i++ {
			if err := add(tx, i); err != nil {
				return err
			}
		}
		return nil
	})
}

// many is larger than the number of rows that a list reads at a time, and not a multiple of it.
const many = 2_500

// These are extreme values that a store must preserve.
const (
	biggest = 1<<53 - 1
	longAgo = ident.Timestamp(1)
	farOff  = ident.Timestamp(253_402_300_799_999) // the last millisecond of the year 9999
)

// strange has characters of every width, and characters with a meaning in SQL, JSON and patterns.
const strange = "Ø 𝄞 e\u0301 עברית 日本 ' \" ` \\ % _ $1 ? ; -- /* \t\n\r \u2028 <b>&amp; \U0010FFFF \x01\x7f"

// long returns a text of the maximum length in which every character takes four bytes.
func long() string { return strings.Repeat("𝄞", 10_000) }

// numbered returns an identifier. Identifiers sort in the order of their numbers.
func numbered(prefix string, n int) string { return fmt.Sprintf("%s_%026d", prefix, n) }

func aJob(n int) shop.Job {
	return shop.Job{ID: numbered("job", n), Name: fmt.Sprintf("Job %d", n), GoalQuantity: 10, CreatedAt: 1000, UpdatedAt: 1000}
}

// aPath returns a path of job 1 with this number of steps.
func aPath(n, steps int) card.Path {
	path := card.Path{
		ID: numbered("path", n), JobID: numbered("job", 1), Name: fmt.Sprintf("Path %d", n), GoalQuantity: 10,
		AdvancementMode: card.Strict, Steps: []card.ProcessStep{}, CreatedAt: 1000, UpdatedAt: 1000,
	}
	for i := range steps {
		path.Steps = append(path.Steps, card.ProcessStep{
			ID: stepOf(n, i), Name: fmt.Sprintf("Step %d", i), Order: i, DependencyType: card.Preferred,
		})
	}
	return path
}

func stepOf(path, i int) string { return numbered("step", path*1000+i) }

// stock creates job 1 with path 1, which has three steps, and the given number of serials on it, numbered from 1.
func (s *testedStore) stock(serials int64) {
	s.Helper()
	s.update(func(tx shop.Tx) error {
		if err := tx.InsertJob(aJob(1)); err != nil {
			return err
		}
		if err := tx.InsertPath(aPath(1, 3)); err != nil {
			return err
		}
		return insertSerials(tx, numbered("path", 1), serials)
	})
}

func insertSerials(tx shop.Tx, pathID string, quantity int64) error {
	if quantity == 0 {
		return nil
	}
	first, err := tx.TakeSerialNumbers(quantity)
	if err != nil {
		return err
	}
	return tx.InsertSerials(shop.SerialBatch{
		First: first, Quantity: quantity, JobID: numbered("job", 1), PathID: pathID, At: 2000,
	})
}

// forward moves a serial to the next position.
func forward(unit card.Card) (card.Change, error) {
	serial := unit.Serial
	serial.Position++
	serial.UpdatedAt++
	return card.Change{Serial: serial, Moved: true}, nil
}

func (s *testedStore) card(serialID string) card.Card {
	s.Helper()
	return look(s, func(tx views.Reader) (card.Card, error) { return tx.RouteCard(serialID) })
}

func reversed[T any](values []T) []T {
	values = slices.Clone(values)
	slices.Reverse(values)
	return values
}

package shop_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/workorder"
)

// numberedPath creates a job with a part number and a path.
func numberedPath(s *shoptest.Shop, part string) card.Path {
	job := shoptest.Must(s.CreateJob(context.Background(), shop.CreateJobInput{
		Name: shoptest.Given("Valve"), GoalQuantity: shoptest.Number(5), OrderInput: workorder.OrderInput{PartNumber: shoptest.Given(part)},
	}))
	return shoptest.Must(s.CreatePath(context.Background(), shop.CreatePathInput{
		JobID: shoptest.Given(job.ID), Name: shoptest.Given("Main"), GoalQuantity: shoptest.Number(5), Steps: shoptest.StepsCalled("Saw", "Mill", "Pack"),
	}))
}

// withNumbers returns the input for creating serials with own numbers.
func withNumbers(path card.Path, numbers ...string) shop.CreateSerialsInput {
	return shop.CreateSerialsInput{JobID: shoptest.Given(path.JobID), PathID: shoptest.Given(path.ID), SerialNumbers: input.GivenTexts(numbers...)}
}

func setNumber(s *shoptest.Shop, id, number, reason string) error {
	in := shop.SetSerialNumberInput{SerialNumber: shoptest.Given(number), UserID: shoptest.Given("ann")}
	if reason != "" {
		in.Reason = shoptest.Given(reason)
	}
	_, err := s.SetSerialNumber(context.Background(), id, in)
	return err
}

// docs/api/identifiers.md, "Serial numbers of your own": after any changes of numbers and part numbers, the units of a part have distinct
// numbers. Every refused number is the number of another unit, and the stored numbers follow from the audit trail.
func TestNoTwoUnitsOfAPartHaveOneNumber(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	refusals := 0
	rapid.Check(t, func(t *rapid.T) {
		parts := []string{"", "P" + s.NewID(""), "Q" + s.NewID("")}
		numbers := []string{"1", "2", "3", "a", "A"}
		type unit struct{ id, job, number string }
		partOf, paths, units := map[string]string{}, []card.Path{}, []unit{}
		for range 3 {
			part := rapid.SampledFrom(parts).Draw(t, "part")
			path := numberedPath(s, part)
			paths, partOf[path.JobID] = append(paths, path), part
		}
		scope := func(job string) string {
			if partOf[job] == "" {
				return job
			}
			return partOf[job]
		}
		owner := func(job, number string) string {
			for _, u := range units {
				if u.number == number && scope(u.job) == scope(job) {
					return u.id
				}
			}
			return ""
		}
		judge := func(what string, err error, taken string) bool {
			if refused := shoptest.Refused(err); (refused != nil) != (taken != "") {
				t.Fatalf("%s: %v, and taken by %q", what, err, taken)
			} else if refused != nil {
				if refused.Kind != refusal.Conflict || !strings.HasPrefix(refused.Message, "Serial number ") {
					t.Fatal(err)
				}
				refusals++
			}
			return err == nil
		}
		t.Repeat(map[string]func(*rapid.T){
			"make": func(t *rapid.T) {
				path := rapid.SampledFrom(paths).Draw(t, "path")
				some := rapid.SliceOfNDistinct(rapid.SampledFrom(numbers), 1, 2, rapid.ID).Draw(t, "numbers")
				taken := ""
				for _, number := range some {
					taken += owner(path.JobID, number)
				}
				batch, err := s.CreateSerials(t.Context(), withNumbers(path, some...))
				if judge("make", err, taken) {
					for i, number := range some {
						units = append(units, unit{s.Service.SerialPrefix().SerialID(batch.First + int64(i)), path.JobID, number})
					}
				}
			},
			"set": func(t *rapid.T) {
				if len(units) == 0 {
					t.Skip("no units")
				}
				u := &units[rapid.IntRange(0, len(units)-1).Draw(t, "unit")]
				number, taken := rapid.SampledFrom(numbers).Draw(t, "number"), ""
				if other := owner(u.job, number); other != u.id {
					taken = other
				}
				if judge("set", setNumber(s, u.id, number, "misread"), taken) {
					u.number = number
				}
			},
			"part": func(t *rapid.T) {
				job, part := rapid.SampledFrom(paths).Draw(t, "path").JobID, rapid.SampledFrom(parts).Draw(t, "part")
				taken := ""
				for _, u := range units {
					for _, other := range units {
						if part != "" && u.job == job && other.job != job && partOf[other.job] == part && u.number == other.number {
							taken = other.id
						}
					}
				}
				_, err := s.UpdateJob(t.Context(), job, shop.UpdateJobInput{OrderInput: workorder.OrderInput{PartNumber: shoptest.Given(part)}})
				if judge("part", err, taken) {
					partOf[job] = part
				}
			},
		})
		for _, u := range units {
			if got := shoptest.Must(s.Service.Serial(t.Context(), u.id)).Serial.SerialNumber; got != u.number {
				t.Fatalf("%s has the number %q, want %q", u.id, got, u.number)
			}
			_ = s.Store.View(t.Context(), func(tx shop.Reader) error {
				card := shoptest.Must(tx.RouteCard(u.id))
				told := shoptest.Must(replay.Replay(card.Path, u.id, shoptest.Must(shop.TrailOf(tx, card.Serial))))
				if differs := told.Differs(card); len(differs) > 0 {
					t.Fatalf("%s has otherwise than its trail: %s", u.id, differs)
				}
				return nil
			})
		}
	})
	if found := shoptest.RecordsFound(t, s.Store); len(found) > 0 {
		t.Errorf("records do not follow from the trail: %q", found)
	}
	enginetest.Drawn(t, "a number that is refused", refusals)
}

// If concurrent requests set the same number, one succeeds: for units of two jobs of a part, and for new units.
func TestOneNumberGivenAtOnce(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	first, second := numberedPath(s, "VB-1"), numberedPath(s, "VB-1")
	made := append(s.Units(t, first, 4), s.Units(t, second, 4)...)
	var group sync.WaitGroup
	var lock sync.Mutex
	given := 0
	count := func(err error) {
		lock.Lock()
		defer lock.Unlock()
		if refused := shoptest.Refused(err); refused == nil {
			given++
		} else if refused.Kind != refusal.Conflict {
			t.Error(err)
		}
	}
	for _, id := range made {
		group.Go(func() { count(setNumber(s, id, "7", "")) })
	}
	for _, path := range []card.Path{first, second} {
		group.Go(func() { _, err := s.CreateSerials(t.Context(), withNumbers(path, "6", "7")); count(err) })
	}
	group.Wait()
	if given != 1 {
		t.Errorf("the number was given to %d units", given)
	}
}

// Undoing a change keeps the number that the unit received since.
func TestUndoKeepsTheOwnNumber(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	path := numberedPath(s, "VB-1")
	id := s.Units(t, path, 1)[0]
	shoptest.Must(s.AdvanceSerial(t.Context(), id, shop.AdvanceSerialInput{UserID: shoptest.Given("ann")}))
	trail := shoptest.Collect(s.AuditOfSerial(t.Context(), id))
	shoptest.Must(0, setNumber(s, id, "7", ""))
	serial := shoptest.Must(s.Undo(t.Context(), id, shop.UndoInput{
		EntryID: shoptest.Given(trail[0].ID), Reason: shoptest.Given("too early"), UserID: shoptest.Given("ann"),
	}))
	if serial.SerialNumber != "7" || serial.Position != 0 {
		t.Errorf("after the undo: %+v", serial)
	}
	if again := shoptest.Must(s.Service.Serial(t.Context(), id)).Serial; again != serial {
		t.Errorf("stored is %+v, answered was %+v", again, serial)
	}
}

// docs/api/identifiers.md, "Serial numbers of your own": Correcting a number needs the permission "decide". Setting a first number needs
// "work".
func TestCorrectingANumberIsADecision(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	id := s.Units(t, numberedPath(s, "VB-1"), 1)[0]
	as := func(permissions ...shop.Permission) error {
		ctx := shop.WithCaller(t.Context(), shop.Caller{Login: "ann", Permissions: permissions})
		_, err := s.SetSerialNumber(ctx, id, shop.SetSerialNumberInput{
			SerialNumber: shoptest.Given(fmt.Sprint("N", len(permissions))), Reason: shoptest.Given("misread"),
		})
		return err
	}
	shoptest.Must(0, as(shop.Work))
	shoptest.Must(0, as(shop.Work)) // the same number is not a correction
	if refused := shoptest.Refused(as(shop.Read, shop.Work)); refused == nil || refused.Kind != refusal.Forbidden {
		t.Errorf("a correction without the permission to decide: %v", refused)
	}
	shoptest.Must(0, as(shop.Read, shop.Work, shop.Decide))
}

// Compares a batch of units with numbers and one without: the second writes nothing for numbers.
func TestBatchWithoutNumbersCostsNothingMore(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	path := numberedPath(s, "VB-1")
	batch := shoptest.Must(s.CreateSerials(t.Context(), shop.CreateSerialsInput{
		JobID: shoptest.Given(path.JobID), PathID: shoptest.Given(path.ID), Quantity: shoptest.Number(2500),
		Numbering: input.Given(shop.NumberingInput{Prefix: shoptest.Given("VB"), First: shoptest.Number(9998)}),
	}))
	last := batch.Serial(s.Service.SerialPrefix(), batch.First+2499)
	if kept := shoptest.Must(s.Service.Serial(t.Context(), last.ID)).Serial; kept != last || last.SerialNumber != "VB12497" {
		t.Errorf("the last one is %+v, and was answered as %+v", kept, last)
	}
	before := shoptest.Collect(s.AuditEntries(t.Context(), 1, 0))[0].ID
	s.Units(t, path, 3)
	after := shoptest.Collect(s.AuditEntries(t.Context(), 2, 0))
	if after[1].ID != before || after[0].Action != card.ActionSerialCreated {
		t.Errorf("three units without numbers told %v", after)
	}
	var all []string
	_ = s.Store.View(t.Context(), func(tx shop.Reader) error {
		for number := range tx.OwnNumbers() {
			all = append(all, number.Number)
		}
		return nil
	})
	slices.Sort(all)
	if len(slices.Compact(all)) != 2500 {
		t.Errorf("%d numbers are kept", len(all))
	}
}

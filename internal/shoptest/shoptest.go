// Package shoptest provides a shop on a database of its own, for tests of packages that work on a shop. internal/enginetest opens the
// database.
package shoptest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/verify"
	"github.com/routecard/routecard/internal/web/paper"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// Shop is a shop.Service on a database of its own, with a clock that only the test moves.
type Shop struct {
	*shop.Service
	*views.Views
	Database enginetest.Database
	Store    sqlstore.Store
	Clock    atomic.Int64
	Keeper   *files.Keeper // stores files in a folder of the test; also the documents that the Service prints
	folder   string
}

// Open makes a shop on a database of its own, which is closed with the test.
func Open(tb testing.TB) *Shop {
	tb.Helper()
	s := &Shop{Database: enginetest.New(tb), folder: tb.TempDir()}
	s.Clock.Store(time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC).UnixMilli())
	s.Open(tb)
	return s
}

// Folder is the folder in which the shop stores files.
func (s *Shop) Folder() string { return s.folder }

// Open opens the database of the shop again.
func (s *Shop) Open(tb testing.TB) {
	tb.Helper()
	s.Store = s.Database.Open(tb)
	s.Another()
}

// Another opens a new shop.Service on the shop's database, as another instance would.
func (s *Shop) Another() {
	clock := func() time.Time { return time.UnixMilli(s.Clock.Load()) }
	s.Service = shop.New(s.Store, clock, ident.NewIdentifiers(clock),
		shop.WithPapers(paper.New(time.UTC, func() *files.Keeper { return s.Keeper })))
	s.Keeper = files.New(files.NewFolder(s.folder, false), s.Service, 1<<30, clock, slog.New(slog.DiscardHandler))
	s.Views = views.New(s.Store, s.Service)
}

// Tick advances the clock by a second and returns the new time.
func (s *Shop) Tick() ident.Timestamp { return ident.Timestamp(s.Clock.Add(1000)) }

// Given returns a field with a text.
func Given(value string) input.TextInput { return input.Given(value) }

// Number returns a field with a number.
func Number(value float64) input.NumberInput { return input.Given(value) }

// Must returns the value of a call that cannot be refused.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Refusal has the parts of a refusal that a caller sees.
type Refusal struct {
	Kind    refusal.Kind
	Message string
}

// Refused returns the refusal of an error, nil when there is no error. It panics for any other error, and for a refusal without an argument
// for each place of its sentence.
func Refused(err error) *Refusal {
	if err == nil {
		return nil
	}
	refusal, ok := errors.AsType[*refusal.Error](err)
	if !ok {
		panic(err)
	}
	if len(refusal.Args) != len(refusal.Reason.Arguments()) {
		panic(fmt.Sprintf("%q does not fill %q", refusal.Args, refusal.Reason.Sentence()))
	}
	return &Refusal{refusal.Kind, refusal.Error()}
}

// Collect reads a sequence to its end.
func Collect[T any](rows iter.Seq2[T, error]) []T {
	all := []T{}
	for row, err := range rows {
		all = append(all, Must(row, err))
	}
	return all
}

// Route makes a job with one path whose steps have these names. Each step has a location with the step's name.
func (s *Shop) Route(t *testing.T, mode card.AdvancementMode, names ...string) card.Path {
	t.Helper()
	job := Must(s.CreateJob(t.Context(), shop.CreateJobInput{Name: Given("Valve"), GoalQuantity: Number(5)}))
	return Must(s.CreatePath(t.Context(), shop.CreatePathInput{
		JobID: Given(job.ID), Name: Given("Main"), GoalQuantity: Number(5), AdvancementMode: Given(string(mode)),
		Steps: StepsCalled(names...),
	}))
}

// Units makes units on a path and returns their identifiers.
func (s *Shop) Units(t *testing.T, path card.Path, quantity float64) []string {
	t.Helper()
	batch := Must(s.CreateSerials(t.Context(), shop.CreateSerialsInput{
		JobID: Given(path.JobID), PathID: Given(path.ID), Quantity: Number(quantity), UserID: Given("planner"),
	}))
	var ids []string
	for serial := range batch.All(s.Service.SerialPrefix()) { //nolint:errcheck // it yields no errors
		ids = append(ids, serial.ID)
	}
	return ids
}

// Rename gives the steps of a path new names.
func (s *Shop) Rename(t *testing.T, path card.Path, names ...string) {
	t.Helper()
	Must(s.UpdatePath(t.Context(), path.ID, shop.UpdatePathInput{Steps: StepsCalled(names...)}))
}

// StepsCalled returns the input of steps with these names. Each step has a location with the step's name.
func StepsCalled(names ...string) shop.StepsInput {
	steps := make([]input.Input[shop.StepInput], len(names))
	for i, name := range names {
		steps[i] = input.Given(shop.StepInput{Name: Given(name), Location: Given("at " + name)})
	}
	return input.Given(steps)
}

// Told returns the whole visible state of a serial as text, with its id replaced by a word.
func (s *Shop) Told(ctx context.Context, id string) string {
	card := Must(json.MarshalIndent(Must(s.Serial(ctx, id)), "", " "))
	statuses := Must(json.MarshalIndent(Must(s.StepStatuses(ctx, id)), "", " "))
	entries := Collect(s.AuditOfSerial(ctx, id))
	for i := range entries {
		entries[i].ID = ""
	}
	trail := Must(json.MarshalIndent(entries, "", " "))
	return strings.ReplaceAll(string(card)+"\n"+string(statuses)+"\n"+string(trail), id, "THIS")
}

// Lot makes a path of three steps with this many serials and returns it with the first serial's number.
func (s *Shop) Lot(ctx context.Context, quantity int) (card.Path, int64) {
	steps := []input.Input[shop.StepInput]{}
	for _, name := range []string{"Saw", "Mill", "Pack"} {
		steps = append(steps, input.Given(shop.StepInput{Name: Given(name)}))
	}
	job := Must(s.CreateJob(ctx, shop.CreateJobInput{Name: Given("Bracket"), GoalQuantity: Number(2)}))
	path := Must(s.CreatePath(ctx, shop.CreatePathInput{
		JobID: Given(job.ID), Name: Given("Main"), GoalQuantity: Number(2), Steps: input.Given(steps),
	}))
	batch := Must(s.CreateSerials(ctx, shop.CreateSerialsInput{
		JobID: Given(job.ID), PathID: Given(path.ID), Quantity: Number(float64(quantity)), UserID: Given("ann"),
	}))
	return path, batch.First
}

// Standing returns the number of serials at each step of a path.
func (s *Shop) Standing(ctx context.Context, path card.Path) []int64 {
	counts := make([]int64, len(path.Steps))
	for serial, err := range s.Serials(ctx) {
		if Must(serial, err).PathID == path.ID && serial.CurrentStepIndex >= 0 {
			counts[serial.CurrentStepIndex]++
		}
	}
	return counts
}

// ASerial makes one serial on a path of three steps.
func (s *Shop) ASerial(t *testing.T) string {
	t.Helper()
	job := Must(s.CreateJob(t.Context(), shop.CreateJobInput{Name: Given("Bracket"), GoalQuantity: Number(1)}))
	steps := make([]input.Input[shop.StepInput], 3)
	for i := range steps {
		steps[i] = input.Given(shop.StepInput{Name: Given("Turn")})
	}
	path := Must(s.CreatePath(t.Context(), shop.CreatePathInput{
		JobID: Given(job.ID), Name: Given("Main"), GoalQuantity: Number(1), Steps: input.Given(steps),
	}))
	batch := Must(s.CreateSerials(t.Context(), shop.CreateSerialsInput{
		JobID: Given(job.ID), PathID: Given(path.ID), Quantity: Number(1), UserID: Given("ann"),
	}))
	return s.Service.SerialPrefix().SerialID(batch.First)
}

// RecordsFound lists the findings of the check of records in a store, one a line.
func RecordsFound(tb testing.TB, store sqlstore.Store) []string {
	tb.Helper()
	found := []string{}
	err := store.View(tb.Context(), func(tx shop.Reader) error {
		check := verify.NewRecordCheck(tx.SerialPrefix(), ledger.Leaf)
		for after := int64(0); ; {
			entries, err := tx.AuditAfter(after, 1000)
			if err != nil {
				return err
			}
			if len(entries) == 0 {
				break
			}
			for i := range entries {
				check.Add(&entries[i])
				after, _ = ident.AuditSequence(entries[i].ID)
			}
		}
		_, err := check.Compare(tx, func(d verify.RecordDifference) {
			line := fmt.Sprintf("%s %s: %s", d.Kind, d.ID, strings.Join(d.Fields, ", "))
			if d.Why != nil {
				line += d.Why.Error()
			}
			found = append(found, line)
		})
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return found
}

// EntriesOf returns the input of a bill with one part of each type.
func EntriesOf(partTypes ...string) shop.BOMEntriesInput {
	inputs := make([]input.Input[shop.BOMEntryInput], 0, len(partTypes))
	for _, partType := range partTypes {
		inputs = append(inputs, input.Given(shop.BOMEntryInput{PartType: Given(partType), RequiredQuantityPerBuild: Number(1)}))
	}
	return input.Given(inputs)
}

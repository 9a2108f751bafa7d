package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

var errRefused = errors.New("the change is refused")

func (suite) Transactions() []promise { return transactions }

var transactions = []promise{
	{"an Update that returned nil is there after reopening", func(s *testedStore) {
		s.update(func(tx shop.Tx) error { return tx.InsertJob(aJob(1)) })
		s.reopen()
		s.same(look(s, func(tx views.Reader) (shop.Job, error) { return tx.Job(aJob(1).ID) }), aJob(1))
	}},
	{"an Update sees what it wrote", func(s *testedStore) {
		s.update(func(tx shop.Tx) error {
			if err := tx.InsertJob(aJob(1)); err != nil {
				return err
			}
			_, err := tx.Job(aJob(1).ID)
			return err
		})
	}},
	{"an error takes back everything of its Update and comes back as it is", func(s *testedStore) {
		s.stock(1)
		before := s.card("SN-00001")
		s.refused(s.tryUpdate(func(tx shop.Tx) error {
			return errors.Join(tx.InsertJob(aJob(2)), tx.UpdatePath(aPath(1, 3), aPath(1, 4)),
				insertSerials(tx, aPath(1, 0).ID, 10), tx.AppendAudit(trail.Entry{Action: "x"}), errRefused)
		}), errRefused)
		s.same(len(list(s, views.Reader.Jobs)), 1)
		s.same(len(list(s, allSerials)), 1)
		s.same(len(list(s, allAudit)), 0)
		s.same(s.card("SN-00001"), before)
	}},
	{"of many Updates at once each stands and falls by itself, by error or panic", eachByItself},
	{"a statement that fails fails the Update also when change carries on", func(s *testedStore) {
		s.update(func(tx shop.Tx) error { return tx.InsertJob(aJob(1)) })
		s.refused(s.tryUpdate(func(tx shop.Tx) error {
			_ = tx.InsertJob(aJob(1))
			_ = tx.InsertJob(aJob(2))
			return nil
		}), nil)
		s.same(list(s, views.Reader.Jobs), []shop.Job{aJob(1)})
	}},
	{"a lookup that finds nothing does not fail the Update", func(s *testedStore) {
		s.update(func(tx shop.Tx) error {
			if _, err := tx.Job("job_x"); !errors.Is(err, shop.ErrNoRecord) {
				return fmt.Errorf("error is %w", err)
			}
			entry := shop.LibraryEntry{ID: "a", Name: "a"}
			if err := tx.InsertLibraryEntry(shop.Processes, entry); err != nil {
				return err
			}
			entry.ID = "b"
			if err := tx.InsertLibraryEntry(shop.Processes, entry); !errors.Is(err, shop.ErrDuplicate) {
				return fmt.Errorf("error is %w", err)
			}
			return tx.InsertJob(aJob(1))
		})
		s.same(len(list(s, views.Reader.Jobs)), 1)
	}},
	{"Updates behave as if one ran after the other", func(s *testedStore) {
		s.stock(0)
		bom := shop.BOM{ID: "bom_1", Name: "Bill", Entries: []shop.BOMEntry{}}
		s.update(func(tx shop.Tx) error { return tx.InsertBOM(bom) })
		const updates = 60
		s.atOnce(updates, func(i int) error {
			return s.tryUpdate(func(tx shop.Tx) error {
				switch i % 3 {
				case 0:
					job, err := tx.Job(aJob(1).ID)
					if err != nil {
						return err
					}
					job.GoalQuantity++
					return tx.UpdateJob(job)
				case 1:
					before, err := tx.Path(aPath(1, 3).ID)
					if err != nil {
						return err
					}
					after := before
					after.GoalQuantity++
					return tx.UpdatePath(before, after)
				default:
					bom, err := tx.BOM("bom_1")
					if err != nil {
						return err
					}
					bom.UpdatedAt++
					return tx.UpdateBOM(bom)
				}
			})
		})
		s.same(look(s, func(tx views.Reader) (shop.Job, error) { return tx.Job(aJob(1).ID) }).GoalQuantity, int64(10+updates/3))
		s.same(look(s, func(tx views.Reader) (card.Path, error) { return tx.Path(aPath(1, 3).ID) }).GoalQuantity, int64(10+updates/3))
		s.same(look(s, func(tx views.Reader) (shop.BOM, error) { return tx.BOM("bom_1") }).UpdatedAt, ident.Timestamp(updates/3))
	}},
	{"a context that was cancelled before the start changes nothing", func(s *testedStore) {
		s.stock(1)
		ctx, cancel := context.WithCancel(s.Context())
		cancel()
		s.refused(s.Store.Update(ctx, func(tx shop.Tx) error { return tx.InsertJob(aJob(2)) }), context.Canceled)
		s.refused(s.Store.ChangeCard(ctx, "SN-00001", forward), context.Canceled)
		s.refused(s.Store.Look(ctx, func(tx views.Reader) error { return nil }), context.Canceled)
		s.same(len(list(s, views.Reader.Jobs)), 1)
		s.same(s.card("SN-00001").Serial.Position, 0)
	}},
	{"a View whose caller goes away ends with the context's error", func(s *testedStore) {
		ctx, cancel := context.WithCancel(s.Context())
		defer cancel()
		s.refused(s.Store.Look(ctx, func(tx views.Reader) error {
			cancel()
			_, err := tx.Job("job_x")
			return err
		}), context.Canceled)
		s.view(func(tx views.Reader) error { return nil })
	}},
	{"a View is one snapshot", func(s *testedStore) {
		s.stock(1)
		s.view(func(tx views.Reader) error {
			before, err := tx.RouteCard("SN-00001")
			if err != nil {
				return err
			}
			after := before.Path
			after.Name = "Renamed"
			if err := errors.Join(
				s.tryUpdate(func(tx shop.Tx) error {
					return errors.Join(tx.InsertJob(aJob(2)), tx.UpdatePath(before.Path, after), insertSerials(tx, after.ID, 1))
				}),
				s.Store.ChangeCard(s.Context(), "SN-00001", forward),
			); err != nil {
				return err
			}
			if _, err := tx.Job(aJob(2).ID); !errors.Is(err, shop.ErrNoRecord) {
				return fmt.Errorf("a job that was committed later: %w", err)
			}
			if _, err := tx.RouteCard("SN-00002"); !errors.Is(err, shop.ErrNoRecord) {
				return fmt.Errorf("a serial that was committed later: %w", err)
			}
			card, err := tx.RouteCard("SN-00001")
			if err != nil {
				return err
			}
			if card.Serial.Position != 0 || card.Path.Name != before.Path.Name {
				return fmt.Errorf("the card changed under the View: %v", card)
			}
			path, err := tx.Path(after.ID)
			if err == nil && path.Name != before.Path.Name {
				err = fmt.Errorf("the path changed under the View: %v", path)
			}
			return err
		})
		s.same(s.card("SN-00001").Path.Name, "Renamed")
		s.same(s.card("SN-00001").Serial.Position, 1)
	}},
	{"a list that is being read is not disturbed by writers", func(s *testedStore) {
		s.each(many, func(tx shop.Tx, i int) error { return tx.InsertJob(aJob(i)) })
		s.view(func(tx views.Reader) error {
			next := many
			for job, err := range tx.Jobs() {
				if err != nil {
					return err
				}
				if job != aJob(next) {
					return fmt.Errorf("got %v, want job %d", job, next)
				}
				if next%1000 == 0 {
					if err := s.tryUpdate(func(tx shop.Tx) error {
						renamed := aJob(next - 1)
						renamed.Name = "Renamed"
						return errors.Join(tx.UpdateJob(renamed), tx.InsertJob(aJob(many+next)))
					}); err != nil {
						return err
					}
					if _, err := tx.Job(job.ID); err != nil {
						return fmt.Errorf("a lookup while the list is being read: %w", err)
					}
				}
				next--
			}
			if next != 0 {
				return fmt.Errorf("the list ended before job %d", next)
			}
			return nil
		})
		s.same(len(list(s, views.Reader.Jobs)), many+2)
	}},
	{"a View refuses to write", func(s *testedStore) {
		s.stock(0)
		for range 2 {
			s.refused(s.Store.Look(s.Context(), func(tx views.Reader) error { return tx.InsertJob(aJob(2)) }), nil)
			_ = s.Store.Look(s.Context(), func(tx views.Reader) error {
				_ = tx.DeletePath(aPath(1, 3))
				return nil
			})
		}
		s.same(len(list(s, views.Reader.Jobs)), 1)
		s.same(look(s, func(tx views.Reader) (card.Path, error) { return tx.Path(aPath(1, 3).ID) }), aPath(1, 3))
	}},
	{"a View that panics or stops in the middle of a list leaves nothing behind", func(s *testedStore) {
		s.each(many, func(tx shop.Tx, i int) error { return tx.InsertJob(aJob(i)) })
		for i := range 100 { // more than there are connections
			panicked := recovered(func() {
				_ = s.Store.Look(s.Context(), func(tx views.Reader) error {
					for range tx.Jobs() {
						if i%2 == 0 {
							panic("in the middle")
						}
						return errRefused
					}
					return nil
				})
			})
			s.same(panicked != nil, i%2 == 0)
		}
		s.same(len(list(s, views.Reader.Jobs)), many)
	}},
	{"more Views than connections wait for one another", func(s *testedStore) {
		s.each(many, func(tx shop.Tx, i int) error { return tx.InsertJob(aJob(i)) })
		s.atOnce(100, func(int) error {
			for {
				err := s.Store.Look(s.Context(), func(tx views.Reader) error {
					jobs, err := collect(tx.Jobs())
					if err == nil && len(jobs) != many {
						err = fmt.Errorf("%d jobs", len(jobs))
					}
					return err
				})
				if !errors.Is(err, refusal.ErrBusy) {
					return err
				} // a View that waited too long on a slow machine is repeated
			}
		})
	}},
	{"a path changed by an Update that was taken back is as it was, also for those who saw it", func(s *testedStore) {
		s.stock(1)
		after := aPath(1, 4)
		after.Name = "Never"
		s.refused(s.tryUpdate(func(tx shop.Tx) error {
			if err := tx.UpdatePath(aPath(1, 3), after); err != nil {
				return err
			}
			if path, err := tx.Path(after.ID); err != nil || path.Name != "Never" {
				return fmt.Errorf("the Update does not see its own change: %v, %w", path, err)
			}
			if card, err := tx.RouteCard("SN-00001"); err != nil || len(card.Path.Steps) != 4 {
				return fmt.Errorf("the Update does not see its own change: %v, %w", card, err)
			}
			return errRefused
		}), errRefused)
		s.same(s.card("SN-00001").Path, aPath(1, 3))
		s.changeCard("SN-00001", func(unit card.Card) (card.Change, error) {
			if len(unit.Path.Steps) != 3 {
				return card.Change{}, fmt.Errorf("the rule sees %v", unit.Path)
			}
			return forward(unit)
		})
	}},
	{"serial numbers never repeat, neither at once nor after an Update that was taken back", func(s *testedStore) {
		var mu sync.Mutex
		taken := map[int64]bool{}
		s.atOnce(60, func(i int) error {
			var first int64
			err := s.tryUpdate(func(tx shop.Tx) (err error) {
				if first, err = tx.TakeSerialNumbers(int64(1 + i%3)); err == nil && i%5 == 0 {
					err = errRefused
				}
				return err
			})
			if i%5 == 0 && errors.Is(err, errRefused) {
				return nil
			}
			mu.Lock()
			defer mu.Unlock()
			for number := first; number < first+int64(1+i%3); number++ {
				if taken[number] || number < 1 {
					return fmt.Errorf("number %d was taken twice, or is none", number)
				}
				taken[number] = true
			}
			return err
		})
		s.reopen()
		s.update(func(tx shop.Tx) error {
			first, err := tx.TakeSerialNumbers(1)
			if err == nil && taken[first] {
				err = fmt.Errorf("number %d was taken again after reopening", first)
			}
			return err
		})
	}},
	{"Version differs from every earlier one once a record of the kind changed, and else it stays", func(s *testedStore) {
		seen := map[string]bool{}
		named := map[ident.RecordKind]string{}
		compare := func(alsoOthers bool, kinds []ident.RecordKind) {
			s.Helper()
			for _, kind := range []ident.RecordKind{shop.RecordJob, shop.RecordSerial} {
				version, err := s.Store.Version(s.Context(), kind)
				s.must(err)
				name := string(kind) + " " + version
				switch {
				case slices.Contains(kinds, kind) && seen[name]:
					s.Fatalf("version %s was given before the change", name)
				case !slices.Contains(kinds, kind) && name != named[kind] && !alsoOthers:
					s.Fatalf("version %s was %s before a change of others", name, named[kind])
				}
				named[kind], seen[name] = name, true
			}
		}
		changed := func(kinds ...ident.RecordKind) { s.Helper(); compare(false, kinds) }
		changedAtLeast := func(kinds ...ident.RecordKind) { s.Helper(); compare(true, kinds) }
		changed(shop.RecordJob, shop.RecordSerial)
		s.stock(1)
		s.update(func(tx shop.Tx) error {
			return tx.AppendAudit(trail.Entry{Action: card.ActionSerialCreated, Timestamp: 1, SerialID: "SN-00001"})
		})
		changed(shop.RecordJob, shop.RecordSerial)
		s.changeCard("SN-00001", func(unit card.Card) (card.Change, error) {
			change, err := forward(unit)
			change.Audit = []trail.Entry{{Action: card.ActionSerialAdvanced, Timestamp: 1, SerialID: "SN-00001"}}
			return change, err
		})
		changed(shop.RecordSerial)
		s.update(func(tx shop.Tx) error { return tx.UpdateJob(aJob(1)) })
		changed(shop.RecordJob, shop.RecordSerial) // the list of units shows the name of the job
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.UpdateJob(aJob(1)), tx.AppendAudit(trail.Entry{Action: shop.ActionNoteCreated, Timestamp: 1}))
		})
		changed(shop.RecordJob, shop.RecordSerial)
		s.update(func(tx shop.Tx) error {
			return tx.SetExternalID(shop.ExternalID{Of: shop.RecordJob, ID: aJob(1).ID, ExternalID: "ERP-1"})
		})
		changedAtLeast(shop.RecordJob)
		s.update(func(tx shop.Tx) error {
			before, err := tx.Path(aPath(1, 3).ID)
			after := before
			after.Name = "renamed"
			return errors.Join(err, tx.UpdatePath(before, after))
		})
		changedAtLeast(shop.RecordSerial)
		s.update(func(tx shop.Tx) error {
			return tx.InsertLibraryEntry(shop.Processes, shop.LibraryEntry{ID: "process_1", Name: "Hone"})
		})
		changed()
		s.update(func(tx shop.Tx) error { return tx.InsertUser(shop.User{ID: "user_1", Name: "Ann", Active: true}) })
		changed()
		s.reopen()
		s.update(func(tx shop.Tx) error { return tx.UpdateJob(aJob(1)) })
		version, err := s.Store.Version(s.Context(), shop.RecordJob)
		s.must(err)
		if seen[string(shop.RecordJob)+" "+version] {
			s.Fatalf("version %s was given before the change", version)
		}
	}},
	{"Version stays while nothing changes", func(s *testedStore) {
		s.stock(1)
		versions := func() (names [2]string) {
			s.Helper()
			for i, kind := range []ident.RecordKind{shop.RecordJob, shop.RecordSerial} {
				var err error
				names[i], err = s.Store.Version(s.Context(), kind)
				s.must(err)
			}
			return names
		}
		before := versions()
		s.must(s.Store.Ready(s.Context())) // Ready writes
		s.must(s.Store.Update(s.Context(), func(tx shop.Tx) error { return tx.UpdateJob(aJob(1)) }, shop.Aside))
		s.refused(s.tryUpdate(func(tx shop.Tx) error { return errors.Join(tx.UpdateJob(aJob(1)), errRefused) }), errRefused)
		s.refused(s.Store.ChangeCard(s.Context(), "SN-00001", func(card.Card) (card.Change, error) {
			return card.Change{}, errRefused
		}), errRefused)
		s.view(func(tx views.Reader) error {
			_, err := tx.Job(aJob(1).ID)
			return err
		})
		s.must(s.Exec(s.T, `UPDATE counter SET value = value WHERE name = 'probe'`)) // as another program on the same server would
		s.same(versions(), before)
	}},
	{"Ready is nil for a store that works", func(s *testedStore) {
		s.must(s.Store.Ready(s.Context()))
		s.must(s.Store.Ready(s.Context()))
	}},
}

// eachByItself runs Updates that each insert a job. A third of them then fail, and a third panic.
func eachByItself(s *testedStore) {
	const updates = 120
	s.atOnce(updates, func(i int) error {
		var err error
		panicked := recovered(func() {
			err = s.tryUpdate(func(tx shop.Tx) error {
				if err := tx.InsertJob(aJob(i + 1)); err != nil {
					return err
				}
				switch i % 3 {
				case 1:
					return fmt.Errorf("number %d: %w", i, errRefused)
				case 2:
					panic(fmt.Sprintf("number %d panics", i))
				}
				return nil
			})
		})
		switch i % 3 {
		case 0:
			if err != nil || panicked != nil {
				return fmt.Errorf("number %d: %w, panic %v", i, err, panicked)
			}
		case 1:
			if !errors.Is(err, errRefused) || !strings.Contains(err.Error(), fmt.Sprintf("number %d:", i)) {
				return fmt.Errorf("number %d got another's error: %w", i, err)
			}
		case 2:
			if !strings.Contains(fmt.Sprint(panicked), fmt.Sprintf("number %d panics", i)) {
				return fmt.Errorf("number %d: panic %v, error %w", i, panicked, err)
			}
		}
		return nil
	})
	want := []shop.Job{}
	for i := updates; i >= 1; i-- {
		if (i-1)%3 == 0 {
			want = append(want, aJob(i))
		}
	}
	s.same(list(s, views.Reader.Jobs), want)
	s.reopen()
	s.same(list(s, views.Reader.Jobs), want)
}

// atOnce makes n calls of do at the same time, with the numbers from 0, and reports every error.
func (s *testedStore) atOnce(n int, do func(i int) error) {
	s.Helper()
	start := make(chan struct{})
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-start
			errs[i] = do(i)
		})
	}
	close(start)
	wg.Wait()
	s.must(errors.Join(errs...))
}

// recovered returns the value that do panicked with.
func recovered(do func()) (value any) {
	defer func() { value = recover() }()
	do()
	return nil
}

func (suite) Closing() []promise { return closing }

var closing = []promise{
	{"a closed store answers everything with an error", func(s *testedStore) {
		s.stock(1)
		s.must(s.Store.Close())
		for range 40 { // more than there are connections
			s.refused(s.Store.Look(s.Context(), func(views.Reader) error { return nil }), nil)
			s.refused(s.tryUpdate(func(shop.Tx) error { return nil }), nil)
			s.refused(s.Store.ChangeCard(s.Context(), "SN-00001", forward), nil)
			s.refused(s.Store.Ready(s.Context()), nil)
		}
	}},
	{"Close may be called again", func(s *testedStore) {
		s.atOnce(3, func(int) error { return s.Store.Close() })
		s.must(s.Store.Close())
	}},
	{"Close waits for a View, which can go on reading", func(s *testedStore) {
		s.each(many, func(tx shop.Tx, i int) error { return tx.InsertJob(aJob(i)) })
		var ended atomic.Bool
		closed := make(chan error, 1)
		s.view(func(tx views.Reader) error {
			read := 0
			for _, err := range tx.Jobs() {
				if err != nil {
					return err
				}
				if read++; read == 1 {
					go func() {
						err := s.Store.Close()
						if !ended.Load() {
							err = errors.Join(err, errors.New("Close did not wait for the View"))
						}
						closed <- err
					}()
					for s.tryUpdate(func(shop.Tx) error { return nil }) == nil { // until Close has begun
					}
				}
			}
			if read != many {
				return fmt.Errorf("the list ended after %d jobs", read)
			}
			ended.Store(true)
			return nil
		})
		s.must(<-closed)
	}},
	{"Close waits for an Update, which commits", func(s *testedStore) {
		var ended atomic.Bool
		closed := make(chan error, 1)
		var once sync.Once
		s.update(func(tx shop.Tx) error {
			if err := tx.InsertJob(aJob(1)); err != nil {
				return err
			}
			once.Do(func() {
				go func() {
					err := s.Store.Close()
					if !ended.Load() {
						err = errors.Join(err, errors.New("Close did not wait for the Update"))
					}
					closed <- err
				}()
			})
			for s.Store.Look(s.Context(), func(views.Reader) error { return nil }) == nil { // until Close has begun
			}
			ended.Store(true)
			return nil
		})
		s.must(<-closed)
		s.Store = s.Harness.Reopen(s.T)
		s.same(len(list(s, views.Reader.Jobs)), 1)
	}},
}

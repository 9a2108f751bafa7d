package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// together makes the store run all changes in one group: the changes wait until an Update that keeps the writer busy ends.
func together(t *testing.T, store *SQLite, changes ...func() error) []error {
	t.Helper()
	holding, release := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = store.Update(context.Background(), func(shop.Tx) error {
			close(holding)
			<-release
			return nil
		})
	})
	<-holding
	errs := make([]error, len(changes))
	for i, change := range changes {
		wg.Go(func() { errs[i] = change() })
		eventually(t, "the change waits for the writer", func() bool { return len(store.writer.coming) == i+1 })
	}
	close(release)
	wg.Wait()
	return errs
}

func TestCallersShareACommit(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var groups []int
	store := openSQLite(t, shopFile(t), Options{Committed: func(callers int, _ time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		groups = append(groups, callers)
	}})
	stock(t, store, 3)
	mu.Lock()
	groups = nil
	mu.Unlock()
	errRefused := errors.New("refused")
	advance := func(id string) func() error {
		return func() error { return store.ChangeCard(context.Background(), id, forward) }
	}
	errs := together(t, store, advance("SN-00001"), advance("SN-00002"),
		func() error { return insertJob(store, "job_2") },
		func() error {
			return store.Update(context.Background(), func(tx shop.Tx) error {
				return errors.Join(tx.InsertJob(shop.Job{ID: "job_3"}), errRefused)
			})
		},
		func() error { return insertJob(store, "job_4") }, advance("SN-00001"))
	for i, err := range errs {
		if (i == 3) != errors.Is(err, errRefused) || (i != 3 && err != nil) {
			t.Errorf("change %d: %v", i, err)
		}
	}
	if len(groups) != 2 || groups[1] != len(errs) {
		t.Errorf("commits served %d callers, want %d in one", groups, len(errs))
	}
	if got := fmt.Sprint(jobIDs(t, store)); got != "[job_1 job_2 job_4]" {
		t.Errorf("jobs are %s", got)
	}
	expectPosition(t, store, "SN-00001", 2)
}

// Changes in a group run in the order in which they arrived. Each sees the changes before it, although all are committed together.
func TestOrderWithinAGroup(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	stock(t, store, 2)
	errRefused := errors.New("refused")
	seen := make([]int, 8)
	change := func(place int, id, key string, err error) func() error {
		return func() error {
			return store.ChangeCard(context.Background(), id, func(unit card.Card) (card.Change, error) {
				seen[place] = unit.Serial.Position
				change, _ := forward(unit)
				change.Audit = []trail.Entry{{Action: "test", SerialID: id, UserID: fmt.Sprint(place)}}
				if key != "" {
					change.Remember = &card.Remembered{Once: card.Once{Key: key}}
				}
				return change, err
			})
		}
	}
	errs := together(t, store,
		change(0, "SN-00001", "key", nil), change(1, "SN-00002", "", nil), change(2, "SN-00001", "", errRefused),
		change(3, "SN-00001", "", nil), change(4, "SN-00002", "key", nil), change(5, "SN-00009", "", nil),
		func() error {
			return store.Update(context.Background(), func(tx shop.Tx) error {
				card, err := tx.RouteCard("SN-00001")
				seen[6] = card.Serial.Position
				return err
			})
		},
		change(7, "SN-00002", "", nil))
	for i, want := range []error{nil, nil, errRefused, nil, shop.ErrRemembered, shop.ErrNoRecord, nil, nil} {
		if !errors.Is(errs[i], want) {
			t.Errorf("change %d: %v, want %v", i, errs[i], want)
		}
	}
	if want := []int{0, 0, 1, 1, 1, 0, 2, 1}; !slices.Equal(seen, want) {
		t.Errorf("the positions seen are %v, want %v", seen, want)
	}
	expectPosition(t, store, "SN-00001", 2)
	expectPosition(t, store, "SN-00002", 2)
	must(t, store.View(t.Context(), func(tx shop.Reader) error {
		entries, err := tx.AuditAfter(0, 10)
		told := ""
		for _, entry := range entries {
			told += " " + entry.UserID + ":" + entry.SerialID
		}
		if want := " 0:SN-00001 1:SN-00002 3:SN-00001 7:SN-00002"; told != want {
			t.Errorf("the trail has%s, want%s", told, want)
		}
		return err
	}))
}

func expectPosition(t *testing.T, store Store, id string, want int) {
	t.Helper()
	must(t, store.View(t.Context(), func(tx shop.Reader) error {
		card, err := tx.RouteCard(id)
		if err == nil && card.Serial.Position != want {
			t.Errorf("%s is at %d, want %d", id, card.Serial.Position, want)
		}
		return err
	}))
}

// When the database refuses a statement, only the caller of that statement fails, whether the database rolled back the statement or the
// whole transaction. The other members of the group are committed one by one.
func TestFailureInsideAGroup(t *testing.T) {
	t.Parallel()
	for _, action := range []string{"ABORT", "ROLLBACK", "FAIL"} {
		t.Run(action, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "shop.db")
			store := openSQLite(t, file, Options{})
			stock(t, store, 2)
			must(t, execSQL(t, file, `CREATE TRIGGER bad_serial BEFORE UPDATE ON serial WHEN NEW.number = 2
				BEGIN SELECT RAISE(`+action+`, 'bad serial'); END;
				CREATE TRIGGER bad_job BEFORE INSERT ON job WHEN NEW.id = 'job_bad'
				BEGIN SELECT RAISE(`+action+`, 'bad job'); END`))
			var ran atomic.Int64
			bad := func(carryOn bool) func() error {
				return func() error {
					return store.Update(context.Background(), func(tx shop.Tx) error {
						err := errors.Join(tx.InsertJob(shop.Job{ID: "job_before"}), tx.InsertJob(shop.Job{ID: "job_bad"}))
						if carryOn { // this would be committed separately, since the transaction was rolled back
							err = nil
							_ = tx.InsertJob(shop.Job{ID: "job_behind"})
						}
						return err
					})
				}
			}
			errs := together(t, store,
				func() error {
					return store.ChangeCard(context.Background(), "SN-00001", func(card card.Card) (card.Change, error) {
						ran.Add(1)
						return forward(card)
					})
				},
				bad(false), func() error { return insertJob(store, "job_2") }, bad(true),
				func() error { return store.ChangeCard(context.Background(), "SN-00002", forward) },
				func() error { return insertJob(store, "job_3") })
			for i, err := range errs {
				if want := i == 1 || i == 3 || i == 4; (err != nil) != want {
					t.Errorf("change %d: %v", i, err)
				}
			}
			if got := fmt.Sprint(jobIDs(t, store)); got != "[job_1 job_2 job_3]" {
				t.Errorf("jobs are %s", got)
			}
			expectPosition(t, store, "SN-00001", 1)
			expectPosition(t, store, "SN-00002", 0)
			if ran.Load() != 2 {
				t.Errorf("the first rule ran %d times, want again after the group broke", ran.Load())
			}
			must(t, insertJob(store, "job_4"))
		})
	}
}

// If the context of a caller ends while its request waits to be accepted, the caller gives up, and its change is not made.
func TestCallerGoesAwayBeforeHandingIn(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	holding, release, done := make(chan struct{}), make(chan struct{}), make(chan error, groupLimit+1)
	go func() {
		done <- store.Update(context.Background(), func(shop.Tx) error {
			close(holding)
			<-release
			return nil
		})
	}()
	<-holding
	for range groupLimit {
		go func() { done <- store.Update(context.Background(), func(shop.Tx) error { return nil }) }()
	}
	eventually(t, "there is no more room", func() bool { return len(store.writer.coming) == groupLimit })
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	err := store.Update(ctx, func(tx shop.Tx) error { return tx.InsertJob(shop.Job{ID: "job_1"}) })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error is %v", err)
	}
	close(release)
	for range groupLimit + 1 {
		must(t, <-done)
	}
	if got := jobIDs(t, store); len(got) != 0 {
		t.Errorf("jobs are %s", got)
	}
}

// A group has savepoints only if a change in it failed after it had changed rows. It then runs again from its beginning.
func TestSavepointsAreForChangesThatFallLate(t *testing.T) {
	t.Parallel()
	errRefused := errors.New("refused")
	insert := func(tx shop.Tx) error { return tx.InsertJob(shop.Job{ID: "job_fallen"}) }
	late := []string{
		"BEGIN IMMEDIATE", "INSERT", "INSERT", "ROLLBACK", "BEGIN IMMEDIATE", "SAVEPOINT one", "INSERT", "RELEASE one",
		"SAVEPOINT one", "INSERT", "ROLLBACK TO one", "RELEASE one", "SAVEPOINT one", "INSERT", "RELEASE one", "COMMIT",
	}
	for _, test := range []struct {
		name   string
		change func(shop.Tx) error
		want   []string
	}{
		{"refused at once", func(shop.Tx) error { return errRefused }, []string{"BEGIN IMMEDIATE", "INSERT", "INSERT", "COMMIT"}},
		{"refused by what it found", func(tx shop.Tx) error {
			_, err := tx.Job("job_none")
			return errors.Join(errRefused, err)
		}, []string{"BEGIN IMMEDIATE", "INSERT", "SELECT", "INSERT", "COMMIT"}},
		{"refused late", func(tx shop.Tx) error { return errors.Join(insert(tx), errRefused) }, late},
		{"panicked late", func(tx shop.Tx) error { panic(insert(tx)) }, late},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			told := &statementList{}
			store := openSQLite(t, shopFile(t), Options{Traced: told.add})
			errs := together(t, store,
				func() error { return insertJob(store, "job_1") },
				func() (err error) {
					defer func() {
						if recover() != nil {
							err = errRefused
						}
					}()
					return store.Update(context.Background(), test.change)
				},
				func() error { return insertJob(store, "job_2") })
			if got := told.group(); !slices.Equal(got, test.want) {
				t.Errorf("the statements are %q, want %q", got, test.want)
			}
			if errs[0] != nil || !errors.Is(errs[1], errRefused) || errs[2] != nil {
				t.Errorf("the outcomes are %v", errs)
			}
			if got := jobIDs(t, store); !slices.Equal(got, []string{"job_1", "job_2"}) {
				t.Errorf("the jobs are %s", got)
			}
		})
	}
}

// statementList collects statements, and only the first words of long ones.
type statementList struct {
	mu   sync.Mutex
	list []string
}

func (l *statementList) add(statement string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if word, _, _ := strings.Cut(statement, " "); word == "INSERT" || word == "SELECT" {
		l.list = append(l.list, word)
	} else if word != "PRAGMA" {
		l.list = append(l.list, statement)
	}
}

// group returns the statements that follow two transactions: the one that reads the prefix at the opening, and the one that kept the writer
// busy.
func (l *statementList) group() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := l.list
	for range 2 {
		list = list[slices.Index(list, "COMMIT")+1:]
	}
	return slices.Clone(list)
}

// A long change is committed separately, after the other changes of its group, and without a savepoint.
func TestLongUpdatesAreCommittedAlone(t *testing.T) {
	t.Parallel()
	told := &statementList{}
	store := openSQLite(t, shopFile(t), Options{Traced: told.add})
	update := func(id string, err error, options ...shop.UpdateOption) func() error {
		return func() error {
			return store.Update(context.Background(), func(tx shop.Tx) error {
				return errors.Join(tx.InsertJob(shop.Job{ID: id}), err)
			}, options...)
		}
	}
	errRefused := errors.New("refused")
	errs := together(t, store, update("job_1", nil), update("job_2", nil, shop.Alone), update("job_3", errRefused, shop.Alone),
		update("job_4", nil))
	for i, refused := range []bool{false, false, true, false} {
		if errors.Is(errs[i], errRefused) != refused || !refused && errs[i] != nil {
			t.Errorf("change %d: %v", i+1, errs[i])
		}
	}
	want := []string{
		"BEGIN IMMEDIATE", "INSERT", "INSERT", "COMMIT",
		"BEGIN IMMEDIATE", "INSERT", "COMMIT",
		"BEGIN IMMEDIATE", "INSERT", "ROLLBACK",
	}
	if got := told.group(); !slices.Equal(got, want) {
		t.Errorf("the statements are %q, want %q", got, want)
	}
	if got := jobIDs(t, store); !slices.Equal(got, []string{"job_1", "job_2", "job_4"}) {
		t.Errorf("the jobs are %s", got)
	}
}

package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/routecard/routecard"
)

// tracedShop is a Service on a store that tells of its statements.
type tracedShop struct {
	*routecard.Service
	t          testing.TB
	store      *SQLite
	mu         sync.Mutex
	statements []string
	cert       string
	path       routecard.Path // flexible, of eight steps
}

func newTracedShop(t *testing.T) *tracedShop {
	t.Helper()
	shop := &tracedShop{t: t}
	shop.open(Options{Traced: func(statement string) {
		if strings.HasPrefix(statement, "PRAGMA") { // the checkpointer's, whenever it likes
			return
		}
		shop.mu.Lock()
		defer shop.mu.Unlock()
		shop.statements = append(shop.statements, statement)
	}})
	certificate, err := shop.CreateCertificate(t.Context(), routecard.CreateCertificateInput{
		Type: routecard.Given("material"), Name: routecard.Given("3.1"),
	})
	must(t, err)
	shop.cert = certificate.ID
	shop.path = shop.makePath(shop.makeJob(), 8)
	return shop
}

func (s *tracedShop) open(options Options) {
	s.t.Helper()
	s.store = openSQLite(s.t, shopFile(s.t), options)
	s.Service = routecard.New(s.store, time.Now, routecard.NewIdentifiers(time.Now))
}

func (s *tracedShop) makeJob() routecard.Job {
	s.t.Helper()
	job, err := s.CreateJob(s.t.Context(), routecard.CreateJobInput{
		Name: routecard.Given("Bracket"), GoalQuantity: routecard.Given(10.0),
	})
	must(s.t, err)
	return job
}

func (s *tracedShop) makePath(job routecard.Job, length int) routecard.Path {
	s.t.Helper()
	steps := make([]routecard.Input[routecard.StepInput], length)
	for i := range steps {
		steps[i] = routecard.Given(routecard.StepInput{Name: routecard.Given(fmt.Sprintf("Step %d", i))})
	}
	path, err := s.CreatePath(s.t.Context(), routecard.CreatePathInput{
		JobID: routecard.Given(job.ID), Name: routecard.Given("Route"), GoalQuantity: routecard.Given(10.0),
		AdvancementMode: routecard.Given("flexible"), Steps: routecard.Given(steps),
	})
	must(s.t, err)
	return path
}

func (s *tracedShop) makeSerials(path routecard.Path, quantity int, certID string) routecard.SerialBatch {
	s.t.Helper()
	in := routecard.CreateSerialsInput{
		JobID: routecard.Given(path.JobID), PathID: routecard.Given(path.ID), Quantity: routecard.Given(float64(quantity)),
	}
	if certID != "" {
		in.CertID = routecard.Given(certID)
	}
	batch, err := s.CreateSerials(s.t.Context(), in)
	must(s.t, err)
	return batch
}

// count returns the statements that an operation takes, with those that begin and end its transaction.
func (s *tracedShop) count(operation func() error) []string {
	s.t.Helper()
	s.mu.Lock()
	s.statements = nil
	s.mu.Unlock()
	must(s.t, operation())
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.statements
}

func (s *tracedShop) expect(name string, statements []string, want int) {
	s.t.Helper()
	if len(statements) != want {
		s.t.Errorf("%s takes %d statements, want %d:\n%s", name, len(statements), want, strings.Join(statements, "\n"))
	}
}

// An operation takes a fixed number of statements. Counted is its second run: the path's steps are known by then.
func TestStatementsPerOperation(t *testing.T) {
	t.Parallel()
	shop := newTracedShop(t)
	shop.makeSerials(shop.path, 20, shop.cert)
	ctx, user := t.Context(), routecard.Given("ann")
	attach := routecard.AttachCertificateInput{CertID: routecard.Given(shop.cert), UserID: user}
	for _, test := range []struct {
		name string
		want int // the card is read
		kept int // it is kept from before
		run  func(serialID string) error
	}{
		// Begin, the card, the serial, its audit entries, commit.
		{"advance", 5, 4, func(id string) error {
			return ran(shop.AdvanceSerial(ctx, id, routecard.AdvanceSerialInput{UserID: user}))
		}},
		// And one for each bypassed step.
		{"advance to step", 8, 7, func(id string) error {
			return ran(shop.AdvanceToStep(ctx, id, routecard.AdvanceToStepInput{
				TargetStepIndex: routecard.Given(5.0), UserID: user,
			}))
		}},
		// The card brings the deferred steps along: one statement more, and the one step is recorded instead of the serial.
		{"complete deferred step", 6, 4, func(id string) error {
			return ran(shop.CompleteDeferredStep(ctx, id, shop.path.Steps[2].ID, user))
		}},
		{"scrap", 6, 4, func(id string) error {
			return ran(shop.ScrapSerial(ctx, id, routecard.ScrapSerialInput{Reason: routecard.Given("damaged"), UserID: user}))
		}},
		{"get serial", 5, 0, func(id string) error { return ran(shop.Serial(ctx, id)) }},
		{"step statuses", 4, 4, func(id string) error { return ran(shop.StepStatuses(ctx, id)) }},
		{"attach certificate", 8, 8, func(id string) error { return ran(shop.AttachCertificate(ctx, id, attach)) }},
		{"create job", 4, 4, func(string) error {
			return ran(shop.CreateJob(ctx, routecard.CreateJobInput{
				Name: routecard.Given("Housing"), GoalQuantity: routecard.Given(1.0),
			}))
		}},
		{"create note", 5, 5, func(id string) error {
			return ran(shop.CreateNote(ctx, routecard.CreateNoteInput{
				JobID: routecard.Given("j"), PathID: routecard.Given("p"), StepID: routecard.Given("s"),
				SerialIDs: routecard.GivenTexts(id), Text: routecard.Given("burr"), UserID: user,
			}))
		}},
		{"audit page", 2, 2, func(string) error { return drained(shop.AuditEntries(ctx, 10, 15)) }},
	} {
		must(t, test.run("SN-00001"))
		shop.store.cards.forgetAll()
		shop.store.cards.end()
		shop.expect(test.name, shop.count(func() error { return test.run("SN-00002") }), test.want)
		must(t, ran(shop.Serial(ctx, "SN-00003")))
		shop.expect(test.name+", of a kept card", shop.count(func() error { return test.run("SN-00003") }), test.kept)
	}
	shop.expect("advance under a key", shop.count(func() error {
		return shop.Once(ctx, routecard.Once{Key: "k"}, func(ctx context.Context) error {
			return ran(shop.AdvanceSerial(ctx, "SN-00004", routecard.AdvanceSerialInput{UserID: user}))
		})
	}), 6) // as an advance without one, and the key
}

// Callers who wait together share one commit, and pay for nothing but their own rows.
func TestStatementsOfAGroup(t *testing.T) {
	t.Parallel()
	shop := newTracedShop(t)
	const callers = 64
	shop.makeSerials(shop.path, callers, "")
	must(t, ran(shop.AdvanceSerial(t.Context(), "SN-00001", routecard.AdvanceSerialInput{UserID: routecard.Given("ann")})))
	statements := shop.count(func() error {
		release := shop.holdWriter()
		var group sync.WaitGroup
		errs := make([]error, callers)
		for i := range callers {
			group.Go(func() {
				errs[i] = ran(shop.AdvanceSerial(context.Background(), routecard.SerialID(int64(i+1)),
					routecard.AdvanceSerialInput{UserID: routecard.Given("ann")}))
			})
		}
		for patience := time.Now().Add(time.Minute); len(shop.store.writer.coming) < callers; runtime.Gosched() {
			if time.Now().After(patience) {
				release()
				return errors.New("the callers do not wait together")
			}
		}
		release()
		group.Wait()
		return errors.Join(errs...)
	})
	// The transaction that held the writer: begin, commit. Then one for all callers: begin, five for the cards of
	// neighbours, each serial, all audit entries, and commit.
	shop.expect("a group", statements, 2+1+5+callers+1+1)
}

// holdWriter keeps the writer busy until the function that it returns is called.
func (s *tracedShop) holdWriter() (release func()) {
	held, done := make(chan struct{}), make(chan struct{})
	go func() {
		if err := s.store.Update(context.Background(), func(routecard.Tx) error {
			close(held)
			<-done
			return nil
		}); err != nil {
			s.t.Error(err)
		}
	}()
	<-held
	return func() { close(done) }
}

func TestUnnumbered(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`SELECT 1`:                            `SELECT 1`,
		`SELECT a FROM b WHERE c = $1`:        `SELECT a FROM b WHERE c = ?`,
		`VALUES ($1, $2), ($3, $4) RETURNING`: `VALUES (?, ?), (?, ?) RETURNING`,
		`UPDATE a SET b = $2 WHERE c = $1`:    `UPDATE a SET b = ?2 WHERE c = ?1`,
		`SELECT $1, $2, $1`:                   `SELECT ?1, ?2, ?1`,
		`SELECT $1 || '$'`:                    `SELECT ?1 || '$'`,
		`SELECT $10`:                          `SELECT ?10`,
	} {
		if got := unnumbered(text); got != want {
			t.Errorf("%s became %s, want %s", text, got, want)
		}
	}
}

// A batch takes a constant number of statements for every thousand rows.
func TestStatementsPerBatch(t *testing.T) {
	t.Parallel()
	shop := newTracedShop(t)
	shop.makeSerials(shop.path, 1, "")
	create := func(quantity int, certID string) int {
		return len(shop.count(func() error {
			shop.makeSerials(shop.path, quantity, certID)
			return nil
		}))
	}
	if one, many := create(1000, ""), create(20_000, ""); many != one {
		t.Errorf("1,000 serials take %d statements and 20,000 take %d: it is one insert whatever the number", one, many)
	}
	// Three rows for each serial: itself, its attachment, and the audit entry of that.
	one, many := create(1000, shop.cert), create(10_000, shop.cert)
	if rows := 9 * 3; many-one > rows {
		t.Errorf("9,000 serials more, with a certificate, take %d statements more, want at most %d", many-one, rows)
	}
	attach := func(first, quantity int64) int {
		certificate, err := shop.CreateCertificate(t.Context(), routecard.CreateCertificateInput{
			Type: routecard.Given("process"), Name: routecard.Given("HT"),
		})
		must(t, err)
		ids := make([]string, quantity)
		for i := range ids {
			ids[i] = routecard.SerialID(first + int64(i))
		}
		return len(shop.count(func() error {
			return ran(shop.BatchAttachCertificate(t.Context(), routecard.BatchAttachInput{
				CertID: routecard.Given(certificate.ID), SerialIDs: routecard.GivenTexts(ids...), UserID: routecard.Given("ann"),
			}))
		}))
	}
	// Each thousand: load the cards, which takes five when they are neighbours, see what is attached, attach, record.
	one, many = attach(1, 1000), attach(1, 5000)
	if want := 4 * 8; many-one > want {
		t.Errorf("a certificate for 4,000 serials more takes %d statements more, want at most %d", many-one, want)
	}
}

// A note names however many serials with one statement.
func TestStatementsPerNote(t *testing.T) {
	t.Parallel()
	shop := newTracedShop(t)
	note := func(serials int) int {
		ids := make([]string, serials)
		for i := range ids {
			ids[i] = routecard.SerialID(int64(i*7919%serials + 1))
		}
		return len(shop.count(func() error {
			return ran(shop.CreateNote(t.Context(), routecard.CreateNoteInput{
				JobID: routecard.Given("j"), PathID: routecard.Given("p"), StepID: routecard.Given("s"),
				SerialIDs: routecard.GivenTexts(ids...), Text: routecard.Given("burr"), UserID: routecard.Given("ann"),
			}))
		}))
	}
	if one, many := note(1), note(20_000); one != many {
		t.Errorf("a note on one serial takes %d statements, and %d on 20,000", one, many)
	}
	found := 0
	for _, err := range shop.NotesOfSerial(t.Context(), "SN-20000") {
		must(t, err)
		found++
	}
	if found != 1 {
		t.Errorf("the last of 20,000 serials has %d notes", found)
	}
}

// The work queue is computed over sets: it takes no statement more for more jobs, paths and serials.
func TestStatementsOfTheWorkQueue(t *testing.T) {
	t.Parallel()
	shop := newTracedShop(t)
	ctx := t.Context()
	user, err := shop.CreateUser(ctx, routecard.CreateUserInput{Name: routecard.Given("Ann")})
	must(t, err)
	grow := func(jobs, paths, serials int) {
		for range jobs {
			job := shop.makeJob()
			for range paths {
				path := shop.makePath(job, 8)
				shop.makeSerials(path, serials, "")
				must(t, ran(shop.AssignStep(ctx, path.Steps[0].ID, routecard.AssignStepInput{UserID: routecard.Given(user.ID)})))
			}
		}
	}
	questions := map[string]func() error{
		"the work queue": func() error { return ran(shop.WorkQueue(ctx)) },
		"an operator's":  func() error { return ran(shop.OperatorQueue(ctx, user.ID)) },
		"a step's":       func() error { return ran(shop.StepQueue(ctx, shop.path.Steps[0].ID)) },
	}
	grow(1, 1, 1)
	before := map[string][]string{}
	for name, question := range questions {
		must(t, question())
		before[name] = shop.count(question)
	}
	grow(10, 3, 40)
	// Whoever asks first brings the counts up to date: what the trail tells since, the paths it names, and their steps.
	if first := shop.count(questions["the work queue"]); len(first) > len(before["the work queue"])+3 {
		t.Errorf("the first work queue after changes takes %d statements: %q", len(first), first)
	}
	for name, question := range questions {
		shop.expect(name, shop.count(question), len(before[name]))
	}
}

// The list of all serials takes one statement for a thousand rows and two for each path, and holds no more in memory
// at its end than at its beginning. No other test runs beside this one: they share the memory that it looks at.
func TestListIsReadInPages(t *testing.T) {
	shop := newTracedShop(t)
	const serials = 40_000
	other := shop.makePath(shop.makeJob(), 8)
	shop.makeSerials(shop.path, serials/2, "")
	shop.makeSerials(other, serials/2, "")
	must(t, drained(shop.Serials(t.Context())))
	statements := shop.count(func() error { return drained(shop.Serials(t.Context())) })
	const begin, end, names = 1, 1, 2 * 2
	if most := serials/pageSize + 1 + begin + end + names; len(statements) > most {
		t.Errorf("the list of %d serials takes %d statements, want at most %d", serials, len(statements), most)
	}
	held := map[int]int64{}
	rows := 0
	for _, err := range shop.Serials(t.Context()) {
		must(t, err)
		rows++
		if rows == pageSize || rows == serials-pageSize {
			runtime.GC() //nolint:revive // what is held is what a collection leaves
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			held[rows] = int64(memory.HeapAlloc)
		}
	}
	if rows != serials {
		t.Errorf("%d rows, want %d", rows, serials)
	}
	// Rows held back would come to over four megabytes.
	if grown := held[serials-pageSize] - held[pageSize]; grown > 1<<20 {
		t.Errorf("reading %d rows holds %d bytes more at the end than at the beginning", serials, grown)
	}
}

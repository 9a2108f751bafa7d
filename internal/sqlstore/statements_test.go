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

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// tracedShop is a Service on a store that traces its statements.
type tracedShop struct {
	*shop.Service
	*views.Views
	t          testing.TB
	store      *SQLite
	mu         sync.Mutex
	statements []string
	cert       string
	path       card.Path // flexible, with eight steps
}

func newTracedShop(t *testing.T) *tracedShop {
	t.Helper()
	workshop := &tracedShop{t: t}
	workshop.open(Options{Traced: func(statement string) {
		if strings.HasPrefix(statement, "PRAGMA") { // the checkpointer runs these at any time
			return
		}
		workshop.mu.Lock()
		defer workshop.mu.Unlock()
		workshop.statements = append(workshop.statements, statement)
	}})
	certificate, err := workshop.CreateCertificate(t.Context(), shop.CreateCertificateInput{
		Type: input.Given("material"), Name: input.Given("3.1"),
	})
	must(t, err)
	workshop.cert = certificate.ID
	workshop.path = workshop.makePath(workshop.makeJob(), 8)
	return workshop
}

func (s *tracedShop) open(options Options) {
	s.t.Helper()
	s.store = openSQLite(s.t, shopFile(s.t), options)
	s.Service = shop.New(s.store, time.Now, ident.NewIdentifiers(time.Now))
	s.Views = views.New(s.store, s.Service)
}

func (s *tracedShop) makeJob() shop.Job {
	s.t.Helper()
	job, err := s.CreateJob(s.t.Context(), shop.CreateJobInput{
		Name: input.Given("Bracket"), GoalQuantity: input.Given(10.0),
	})
	must(s.t, err)
	return job
}

func (s *tracedShop) makePath(job shop.Job, length int) card.Path {
	s.t.Helper()
	steps := make([]input.Input[shop.StepInput], length)
	for i := range steps {
		steps[i] = input.Given(shop.StepInput{Name: input.Given(fmt.Sprintf("Step %d", i))})
	}
	path, err := s.CreatePath(s.t.Context(), shop.CreatePathInput{
		JobID: input.Given(job.ID), Name: input.Given("Route"), GoalQuantity: input.Given(10.0),
		AdvancementMode: input.Given("flexible"), Steps: input.Given(steps),
	})
	must(s.t, err)
	return path
}

func (s *tracedShop) makeSerials(path card.Path, quantity int, certID string) shop.SerialBatch {
	s.t.Helper()
	in := shop.CreateSerialsInput{
		JobID: input.Given(path.JobID), PathID: input.Given(path.ID), Quantity: input.Given(float64(quantity)),
	}
	if certID != "" {
		in.CertID = input.Given(certID)
	}
	batch, err := s.CreateSerials(s.t.Context(), in)
	must(s.t, err)
	return batch
}

// count returns the statements of an operation, including those that begin and end its transaction.
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

// An operation takes a fixed number of statements. The second run is counted, because the path's steps are then cached.
func TestStatementsPerOperation(t *testing.T) {
	t.Parallel()
	workshop := newTracedShop(t)
	workshop.makeSerials(workshop.path, 20, workshop.cert)
	ctx, user := t.Context(), input.Given("ann")
	attach := shop.AttachCertificateInput{CertID: input.Given(workshop.cert), UserID: user}
	for _, test := range []struct {
		name string
		want int // if the card is read
		kept int // if the card is cached
		run  func(serialID string) error
	}{
		// These are: begin, the card, the serial, its audit entries, commit.
		{"advance", 5, 4, func(id string) error {
			return ran(workshop.AdvanceSerial(ctx, id, shop.AdvanceSerialInput{UserID: user}))
		}},
		// One more statement for each bypassed step.
		{"advance to step", 8, 7, func(id string) error {
			return ran(workshop.AdvanceToStep(ctx, id, shop.AdvanceToStepInput{
				TargetStepIndex: input.Given(5.0), UserID: user,
			}))
		}},
		// One more statement reads the deferred steps of the card. The step is written instead of the serial.
		{"complete deferred step", 6, 4, func(id string) error {
			return ran(workshop.CompleteDeferredStep(ctx, id, workshop.path.Steps[2].ID, user))
		}},
		{"scrap", 6, 4, func(id string) error {
			return ran(workshop.ScrapSerial(ctx, id, shop.ScrapSerialInput{Reason: input.Given("damaged"), UserID: user}))
		}},
		{"get serial", 5, 0, func(id string) error { return ran(workshop.Serial(ctx, id)) }},
		{"step statuses", 4, 4, func(id string) error { return ran(workshop.StepStatuses(ctx, id)) }},
		{"attach certificate", 8, 8, func(id string) error { return ran(workshop.AttachCertificate(ctx, id, attach)) }},
		{"create job", 4, 4, func(string) error {
			return ran(workshop.CreateJob(ctx, shop.CreateJobInput{
				Name: input.Given("Housing"), GoalQuantity: input.Given(1.0),
			}))
		}},
		{"create note", 5, 5, func(id string) error {
			return ran(workshop.CreateNote(ctx, shop.CreateNoteInput{
				JobID: input.Given("j"), PathID: input.Given("p"), StepID: input.Given("s"),
				SerialIDs: input.GivenTexts(id), Text: input.Given("burr"), UserID: user,
			}))
		}},
		{"audit page", 2, 2, func(string) error { return drained(workshop.AuditEntries(ctx, 10, 15)) }},
	} {
		must(t, test.run("SN-00001"))
		workshop.store.cards.forgetAll()
		workshop.store.cards.end()
		workshop.expect(test.name, workshop.count(func() error { return test.run("SN-00002") }), test.want)
		must(t, ran(workshop.Serial(ctx, "SN-00003")))
		workshop.expect(test.name+", of a kept card", workshop.count(func() error { return test.run("SN-00003") }), test.kept)
	}
	workshop.expect("advance under a key", workshop.count(func() error {
		return workshop.Once(ctx, card.Once{Key: "k"}, func(ctx context.Context) error {
			return ran(workshop.AdvanceSerial(ctx, "SN-00004", shop.AdvanceSerialInput{UserID: user}))
		})
	}), 6) // as many as an advance without a key, and one for the key
}

// Callers that wait at the same time share one commit. Each adds only the statements for its own rows.
func TestStatementsOfAGroup(t *testing.T) {
	t.Parallel()
	workshop := newTracedShop(t)
	const callers = 64
	workshop.makeSerials(workshop.path, callers, "")
	must(t, ran(workshop.AdvanceSerial(t.Context(), "SN-00001", shop.AdvanceSerialInput{UserID: input.Given("ann")})))
	statements := workshop.count(func() error {
		release := workshop.occupyWriter()
		var group sync.WaitGroup
		errs := make([]error, callers)
		for i := range callers {
			group.Go(func() {
				errs[i] = ran(workshop.AdvanceSerial(context.Background(), workshop.Service.SerialPrefix().SerialID(int64(i+1)),
					shop.AdvanceSerialInput{UserID: input.Given("ann")}))
			})
		}
		for patience := time.Now().Add(time.Minute); len(workshop.store.writer.coming) < callers; runtime.Gosched() {
			if time.Now().After(patience) {
				release()
				return errors.New("the callers do not wait together")
			}
		}
		release()
		group.Wait()
		return errors.Join(errs...)
	})
	// The transaction that kept the writer busy takes two: begin, commit. Then one transaction serves all callers: begin, six for the
	// cards of consecutive serials, one for each serial, one for all audit entries, and commit.
	workshop.expect("a group", statements, 2+1+6+callers+1+1)
}

// occupyWriter keeps the writer busy until the function that it returns is called.
func (s *tracedShop) occupyWriter() (release func()) {
	occupied, done := make(chan struct{}), make(chan struct{})
	go func() {
		if err := s.store.Update(context.Background(), func(shop.Tx) error {
			close(occupied)
			<-done
			return nil
		}); err != nil {
			s.t.Error(err)
		}
	}()
	<-occupied
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

// A batch takes a constant number of statements per thousand rows.
func TestStatementsPerBatch(t *testing.T) {
	t.Parallel()
	workshop := newTracedShop(t)
	workshop.makeSerials(workshop.path, 1, "")
	create := func(quantity int, certID string) int {
		return len(workshop.count(func() error {
			workshop.makeSerials(workshop.path, quantity, certID)
			return nil
		}))
	}
	if one, many := create(1000, ""), create(20_000, ""); many != one {
		t.Errorf("1,000 serials take %d statements and 20,000 take %d: it is one insert whatever the number", one, many)
	}
	// Each serial adds three rows: the serial, its attachment, and the audit entry of the attachment.
	one, many := create(1000, workshop.cert), create(10_000, workshop.cert)
	if rows := 9 * 3; many-one > rows {
		t.Errorf("9,000 serials more, with a certificate, take %d statements more, want at most %d", many-one, rows)
	}
	attach := func(first, quantity int64) int {
		certificate, err := workshop.CreateCertificate(t.Context(), shop.CreateCertificateInput{
			Type: input.Given("process"), Name: input.Given("HT"),
		})
		must(t, err)
		ids := make([]string, quantity)
		for i := range ids {
			ids[i] = workshop.Service.SerialPrefix().SerialID(first + int64(i))
		}
		return len(workshop.count(func() error {
			return ran(workshop.BatchAttachCertificate(t.Context(), shop.BatchAttachInput{
				CertID: input.Given(certificate.ID), SerialIDs: input.GivenTexts(ids...), UserID: input.Given("ann"),
			}))
		}))
	}
	// For each thousand: load the cards, which takes six statements for consecutive serials, look up attachments, attach, add entries.
	one, many = attach(1, 1000), attach(1, 5000)
	if want := 4 * 9; many-one > want {
		t.Errorf("a certificate for 4,000 serials more takes %d statements more, want at most %d", many-one, want)
	}
}

// An amount of a lot is installed in many serials with the same number of statements for every thousand.
func TestStatementsPerThousandComponents(t *testing.T) {
	t.Parallel()
	workshop := newTracedShop(t)
	workshop.makeSerials(workshop.path, 5000, "")
	lot, err := workshop.CreateLot(t.Context(), shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: input.Given("oil")}, Quantity: input.Given(input.Written("9000")),
		Unit: input.Given("kg"), UserID: input.Given("ann"),
	})
	must(t, err)
	install := func(policy string, count int) int {
		ids := make([]string, count)
		for i := range ids {
			ids[i] = workshop.Service.SerialPrefix().SerialID(int64(i + 1))
		}
		return len(workshop.count(func() error {
			result, err := workshop.BatchInstallComponents(t.Context(), shop.BatchInstallInput{
				BatchInput: shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(ids...)}, OnRefusal: input.Given(policy)},
				LotID:      input.Given(lot.ID), Quantity: input.Given(input.Written("0.5")), UserID: input.Given("ann"),
			})
			if err == nil && result.Changed != count {
				t.Errorf("%d of %d serials are changed", result.Changed, count)
			}
			return err
		}))
	}
	install("none", 16) // caches the path
	// For each thousand: the number of components, the cards, the new components, and the audit entries.
	if one, many := install("none", 1000), install("none", 5000); many-one > 4*10 {
		t.Errorf("4,000 serials more take %d statements more, want at most %d", many-one, 4*10)
	}
	if one, many := install("each", 1000), install("each", 5000); many-one > 4*14 {
		t.Errorf("4,000 serials more, each by itself, take %d statements more, want at most %d", many-one, 4*14)
	}
}

// A note is attached to any number of serials with one statement.
func TestStatementsPerNote(t *testing.T) {
	t.Parallel()
	workshop := newTracedShop(t)
	note := func(serials int) int {
		ids := make([]string, serials)
		for i := range ids {
			ids[i] = workshop.Service.SerialPrefix().SerialID(int64(i*7919%serials + 1))
		}
		return len(workshop.count(func() error {
			return ran(workshop.CreateNote(t.Context(), shop.CreateNoteInput{
				JobID: input.Given("j"), PathID: input.Given("p"), StepID: input.Given("s"),
				SerialIDs: input.GivenTexts(ids...), Text: input.Given("burr"), UserID: input.Given("ann"),
			}))
		}))
	}
	if one, many := note(1), note(20_000); one != many {
		t.Errorf("a note on one serial takes %d statements, and %d on 20,000", one, many)
	}
	found := 0
	for _, err := range workshop.NotesOfSerial(t.Context(), "SN-20000") {
		must(t, err)
		found++
	}
	if found != 1 {
		t.Errorf("the last of 20,000 serials has %d notes", found)
	}
}

// The work queue takes the same number of statements however many jobs, paths and serials there are.
func TestStatementsOfTheWorkQueue(t *testing.T) {
	t.Parallel()
	workshop := newTracedShop(t)
	ctx := t.Context()
	user, err := workshop.CreateUser(ctx, shop.CreateUserInput{Name: input.Given("Ann")})
	must(t, err)
	grow := func(jobs, paths, serials int) {
		for range jobs {
			job := workshop.makeJob()
			for range paths {
				path := workshop.makePath(job, 8)
				workshop.makeSerials(path, serials, "")
				must(t, ran(workshop.AssignStep(ctx, path.Steps[0].ID, shop.AssignStepInput{UserID: input.Given(user.ID)})))
			}
		}
	}
	questions := map[string]func() error{
		"the work queue": func() error { return ran(workshop.WorkQueue(ctx, views.SortUrgency)) },
		"an operator's":  func() error { return ran(workshop.OperatorQueue(ctx, user.ID, views.SortUrgency)) },
		"a step's":       func() error { return ran(workshop.StepQueue(ctx, workshop.path.Steps[0].ID)) },
	}
	grow(1, 1, 1)
	before := map[string][]string{}
	for name, question := range questions {
		must(t, question())
		before[name] = workshop.count(question)
	}
	grow(10, 3, 40)
	// The first caller updates the counts. This reads the new entries of the trail, the paths that they refer to, and the steps of these
	// paths.
	if first := workshop.count(questions["the work queue"]); len(first) > len(before["the work queue"])+3 {
		t.Errorf("the first work queue after changes takes %d statements: %q", len(first), first)
	}
	for name, question := range questions {
		workshop.expect(name, workshop.count(question), len(before[name]))
	}
}

// The list of all serials takes one statement for each thousand rows and two for each path. It uses no more memory at its end than at its
// beginning. No other test runs at the same time, because this test measures the memory of the process.
func TestListIsReadInPages(t *testing.T) {
	workshop := newTracedShop(t)
	const serials = 40_000
	other := workshop.makePath(workshop.makeJob(), 8)
	workshop.makeSerials(workshop.path, serials/2, "")
	workshop.makeSerials(other, serials/2, "")
	must(t, drained(workshop.Serials(t.Context())))
	statements := workshop.count(func() error { return drained(workshop.Serials(t.Context())) })
	const begin, end, names = 1, 1, 2 * 2
	if most := serials/db.PageSize + 1 + begin + end + names; len(statements) > most {
		t.Errorf("the list of %d serials takes %d statements, want at most %d", serials, len(statements), most)
	}
	inUse := map[int]int64{}
	rows := 0
	for _, err := range workshop.Serials(t.Context()) {
		must(t, err)
		rows++
		if rows == db.PageSize || rows == serials-db.PageSize {
			runtime.GC() //nolint:revive // memory in use after a collection
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			inUse[rows] = int64(memory.HeapAlloc)
		}
	}
	if rows != serials {
		t.Errorf("%d rows, want %d", rows, serials)
	}
	// All rows together would take over four megabytes.
	if grown := inUse[serials-db.PageSize] - inUse[db.PageSize]; grown > 1<<20 {
		t.Errorf("reading %d rows holds %d bytes more at the end than at the beginning", serials, grown)
	}
}

// Moving many serials takes the same number of statements for every thousand, whether or not the serials are consecutive and move in the
// same way.
func TestStatementsPerThousandMoves(t *testing.T) {
	t.Parallel()
	workshop := newTracedShop(t)
	workshop.makeSerials(workshop.path, 8000, "")
	other := workshop.makePath(workshop.makeJob(), 8)
	workshop.makeSerials(other, 8000, "")
	batch := func(policy string, ids []string) int {
		return len(workshop.count(func() error {
			return ran(workshop.BatchAdvance(t.Context(), shop.BatchAdvanceInput{BatchInput: shop.BatchInput{
				Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(ids...)}, OnRefusal: input.Given(policy),
			}}))
		}))
	}
	neighbours := func(count int) (ids []string) {
		for i := range count {
			ids = append(ids, workshop.Service.SerialPrefix().SerialID(int64(i+1)))
		}
		return ids
	}
	scattered := func(count int) (ids []string) { // alternately from two paths, and unordered
		for i := range count {
			ids = append(ids, workshop.Service.SerialPrefix().SerialID(int64(1+(i*7919)%16_000)))
		}
		return ids
	}
	for _, selection := range []struct {
		name string
		ids  func(int) []string
	}{{"neighbours", neighbours}, {"scattered", scattered}} { // in this order, because scattered moves would leave the neighbours in more places
		name, ids := selection.name, selection.ids
		batch("none", ids(16)) // caches the paths
		// For each thousand: the cards, the present positions (one statement for each kind of move: at most eight, four in this test), the
		// audit entries, and a transaction.
		if one, many := batch("none", ids(1000)), batch("none", ids(8000)); many-one > 7*8 {
			t.Errorf("7,000 %s more take %d statements more, want at most %d", name, many-one, 7*8)
		}
		if one, many := batch("each", ids(1000)), batch("each", ids(5000)); many-one > 4*11 {
			t.Errorf("4,000 %s more, each by itself, take %d statements more, want at most %d", name, many-one, 4*11)
		}
	}
}

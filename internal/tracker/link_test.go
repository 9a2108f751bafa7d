package tracker_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/tracker"
	"github.com/routecard/routecard/internal/tracker/jiratest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// linkedShop is a service with a Jira. Tests do not wait: a pause moves the clock.
type linkedShop struct {
	*instance
	t     *testing.T
	store sqlstore.Store
	jira  *jiratest.Jira
	url   string
	mu    sync.Mutex
	now   time.Time
}

func (s *linkedShop) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *linkedShop) pause(ctx context.Context, wait time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(wait)
	return ctx.Err()
}

func openLinkedShop(t *testing.T, jira *jiratest.Jira) *linkedShop {
	t.Helper()
	store := enginetest.New(t).Open(t)
	server := httptest.NewServer(jira)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	s := &linkedShop{t: t, store: store, jira: jira, url: server.URL, now: time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)}
	s.instance = s.another(nil)
	return s
}

// another returns a further instance of the service on the same database and Jira.
func (s *linkedShop) another(pause shop.Pause) *instance {
	s.t.Helper()
	if pause == nil {
		pause = s.pause
	}
	ours, err := tracker.New(tracker.Options{
		URL: s.url, User: s.jira.User, Token: tracker.Secret(s.jira.Token), Projects: []string{"SHOP", "LINE"}, API: s.jira.Kind,
		PartField: jiratest.PartField, QuantityField: jiratest.QuantityField, EpicField: jiratest.EpicField,
		Pause: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return newInstance(s.store, s.clock, ours, pause)
}

// instance is one service on a database, with its link to an issue tracker.
type instance struct {
	*shop.Service
	*tracker.Link
}

func newInstance(store shop.Store, clock ident.Clock, issues tracker.IssueTracker, pause shop.Pause) *instance {
	service := shop.New(store, clock, ident.NewIdentifiers(clock))
	return &instance{service, tracker.NewLink(service, issues, pause)}
}

func link(key string) tracker.LinkTicketInput {
	return tracker.LinkTicketInput{TicketKey: input.Given(key)}
}

func (s *linkedShop) job() shop.Job {
	s.t.Helper()
	linked, err := s.LinkTicket(s.t.Context(), link("SHOP-118"))
	if err != nil {
		s.t.Fatal(err)
	}
	return linked.Job
}

func (s *linkedShop) path(jobID string) card.Path {
	s.t.Helper()
	step := func(name string) input.Input[shop.StepInput] {
		return input.Given(shop.StepInput{Name: input.Given(name)})
	}
	steps := []input.Input[shop.StepInput]{step("Saw"), step("Mill"), step("Inspect")}
	path, err := s.CreatePath(s.t.Context(), shop.CreatePathInput{
		JobID: input.Given(jobID), Name: input.Given("Main"), GoalQuantity: input.Given(25.0), Steps: input.Given(steps),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return path
}

func (s *linkedShop) note(jobID, pathID, stepID string, serials ...string) shop.Note {
	s.t.Helper()
	note, err := s.CreateNote(s.t.Context(), shop.CreateNoteInput{
		JobID: input.Given(jobID), PathID: input.Given(pathID), StepID: input.Given(stepID),
		SerialIDs: input.GivenTexts(serials...), Text: input.Given("Burr on the flange"), UserID: input.Given("ana"),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return note
}

func (s *linkedShop) jobs() (jobs []shop.Job) {
	s.t.Helper()
	for job, err := range s.Jobs(s.t.Context()) {
		if err != nil {
			s.t.Fatal(err)
		}
		jobs = append(jobs, job)
	}
	return jobs
}

func comment(jobID, noteID string) tracker.CommentInput {
	in := tracker.CommentInput{JobID: input.Given(jobID)}
	if noteID != "" {
		in.NoteID = input.Given(noteID)
	}
	return in
}

// wantRefusal checks an error that the caller sees.
func wantRefusal(t *testing.T, err error, kind refusal.Kind, message string) {
	t.Helper()
	failure, ok := errors.AsType[*refusal.Error](err)
	if !ok || failure.Kind != kind || failure.Error() != message {
		t.Errorf("got %#v (%v), want %q", failure, err, message)
	}
}

func TestLinkTicket(t *testing.T) {
	t.Parallel()
	s := openLinkedShop(t, jiratest.Shop(jiratest.Cloud))
	linked, err := s.LinkTicket(t.Context(), link(" shop-118 "))
	if err != nil {
		t.Fatal(err)
	}
	want := shop.Job{
		ID: linked.Job.ID, Name: "25 housings for line 2", GoalQuantity: 25,
		TicketFields: shop.TicketFields{
			TicketKey: "SHOP-118", TicketSummary: "25 housings for line 2", TicketPart: "GH-200-B", TicketPriority: "High",
			EpicLink: "SHOP-90", Labels: &[]string{"milling", "line-2"},
		},
		CreatedAt: ident.TimestampOf(s.clock()), UpdatedAt: ident.TimestampOf(s.clock()),
	}
	if diff := cmp.Diff(want, linked.Job); diff != "" || linked.Path != nil {
		t.Errorf("path %v\n%s", linked.Path, diff)
	}
	if diff := cmp.Diff([]shop.Job{want}, s.jobs()); diff != "" {
		t.Error(diff)
	}

	// A ticket without a quantity and without labels; then a ticket whose quantity the request overrides.
	linked, err = s.LinkTicket(t.Context(), link("SHOP-117"))
	if err != nil || linked.Job.GoalQuantity != 1 || linked.Job.Labels != nil {
		t.Errorf("%+v, %v", linked.Job, err)
	}
	s.jira.Add(jiratest.Issue{Key: "SHOP-119", Fields: map[string]any{jiratest.QuantityField: 25}})
	in := link("SHOP-119")
	in.GoalQuantity = input.Given(7.0)
	linked, err = s.LinkTicket(t.Context(), in)
	if err != nil || linked.Job.GoalQuantity != 7 || linked.Job.Name != "SHOP-119" {
		t.Errorf("%+v, %v", linked.Job, err)
	}
}

// A quantity of a ticket is a whole number above zero, or the ticket is refused with the value in the message. It is never rounded or
// ignored silently.
func TestQuantitiesOfTickets(t *testing.T) {
	t.Parallel()
	s := openLinkedShop(t, jiratest.Shop(jiratest.Cloud))
	field := func(of string, value any) map[string]any { return map[string]any{of: value} }
	for i, c := range []struct {
		value any
		want  int64  // 0 if it is refused
		says  string // the value in the message
	}{
		{value: nil, want: 1}, {value: "", want: 1}, {value: " ", want: 1}, {value: []any{}, want: 1},
		{value: 25, want: 25}, {value: 25.0, want: 25}, {value: "25", want: 25}, {value: " 25 ", want: 25}, {value: "0025", want: 25},
		{value: field("value", "40"), want: 40}, {value: field("value", 40), want: 40}, {value: []any{"40"}, want: 40},
		{value: "1.000", says: "1.000"}, {value: "40 pcs", says: "40 pcs"}, {value: "2,500", says: "2,500"}, {value: 12.5, says: "12.5"},
		{value: "25.0", says: "25.0"}, {value: "1e3", says: "1e3"}, {value: "1 000", says: "1 000"}, {value: 0, says: "0"}, {value: "0", says: "0"},
		{value: -3, says: "-3"}, {value: "+3", says: "+3"}, {value: true, says: "true"}, {value: "many", says: "many"},
		{value: field("value", "1.000"), says: "1.000"}, {value: []any{"10", "20"}, says: `["10","20"]`}, {value: 1e18, says: "1000000000000000000"},
	} {
		key := fmt.Sprintf("SHOP-%d", 2000+i)
		s.jira.Add(jiratest.Issue{Key: key, Fields: field(jiratest.QuantityField, c.value)})
		linked, err := s.LinkTicket(t.Context(), link(key))
		if c.want > 0 {
			if err != nil || linked.Job.GoalQuantity != c.want {
				t.Errorf("%v: %d, %v, want %d", c.value, linked.Job.GoalQuantity, err, c.want)
			}
			continue
		}
		wantRefusal(t, err, refusal.Invalid, "The quantity of ticket "+key+" is no whole number: "+c.says+". Send goalQuantity")
		in := link(key)
		in.GoalQuantity = input.Given(7.0)
		if linked, err = s.LinkTicket(t.Context(), in); err != nil || linked.Job.GoalQuantity != 7 {
			t.Errorf("%v with a goal: %d, %v", c.value, linked.Job.GoalQuantity, err)
		}
	}
}

func (s *linkedShop) template() shop.Template {
	s.t.Helper()
	template, err := s.CreateTemplate(s.t.Context(), shop.CreateTemplateInput{
		Name: input.Given("Housing"),
		Steps: shop.TemplateSteps(input.Given([]input.Input[shop.StepInput]{
			input.Given(shop.StepInput{Name: input.Given("Saw"), Location: input.Given("Bay 1")}),
			input.Given(shop.StepInput{Name: input.Given("Inspect"), DependencyType: input.Given("completion_gate")}),
		})),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return template
}

func TestLinkTicketWithTemplate(t *testing.T) {
	t.Parallel()
	s := openLinkedShop(t, jiratest.Shop(jiratest.Cloud))
	template := s.template()
	in := link("SHOP-118")
	in.TemplateID, in.ChangedBy = input.Given(template.ID), input.Given("lead")
	linked, err := s.LinkTicket(t.Context(), in)
	if err != nil || linked.Path == nil {
		t.Fatalf("%+v, %v", linked, err)
	}
	detail, err := s.Job(t.Context(), linked.Job.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]card.Path{*linked.Path}, detail.Paths); diff != "" {
		t.Error(diff)
	}
	path := linked.Path
	if path.Name != "Housing" || path.GoalQuantity != 25 || len(path.Steps) != 2 || path.Steps[0].Location != "Bay 1" ||
		path.Steps[1].DependencyType != card.CompletionGate {
		t.Errorf("%+v", path)
	}
	var actions []string
	for entry, err := range s.AuditOfJob(t.Context(), linked.Job.ID) {
		if err != nil {
			t.Fatal(err)
		}
		actions = append(actions, string(entry.Action)+" by "+entry.UserID)
	}
	if diff := cmp.Diff([]string{"job_created by lead", "template_applied by lead"}, actions); diff != "" {
		t.Error(diff)
	}
}

func TestLinkTicketRefuses(t *testing.T) {
	t.Parallel()
	s := openLinkedShop(t, jiratest.Shop(jiratest.Cloud))
	text, number := input.Given[string], input.Given[float64]
	for _, c := range []struct {
		in      tracker.LinkTicketInput
		kind    refusal.Kind
		message string
	}{
		{tracker.LinkTicketInput{}, refusal.Invalid, "ticketKey is required"},
		{link("  "), refusal.Invalid, "ticketKey is required"},
		{tracker.LinkTicketInput{TicketKey: input.Mistyped[string]()}, refusal.Invalid, "ticketKey must be a string"},
		{link(strings.Repeat("x", 501)), refusal.Invalid, "ticketKey is too long"},
		{tracker.LinkTicketInput{TicketKey: text("SHOP-118"), TemplateID: input.Mistyped[string]()}, refusal.Invalid, "templateId must be a string"},
		{tracker.LinkTicketInput{TicketKey: text("SHOP-118"), GoalQuantity: number(0)}, refusal.Invalid, "goalQuantity must be greater than 0"},
		{tracker.LinkTicketInput{TicketKey: text("SHOP-118"), GoalQuantity: number(1.5)}, refusal.Invalid, "goalQuantity must be an integer"},
		{tracker.LinkTicketInput{TicketKey: text("SHOP-118"), GoalQuantity: input.Mistyped[float64]()}, refusal.Invalid, "goalQuantity must be a number"},
		{tracker.LinkTicketInput{TicketKey: text("SHOP-118"), ChangedBy: input.Mistyped[string]()}, refusal.Invalid, "changedBy must be a string"},
		{tracker.LinkTicketInput{TicketKey: text("SHOP-118"), TemplateID: text("tmpl_none")}, refusal.NotFound, "TemplateRoute not found: tmpl_none"},
	} {
		_, err := s.LinkTicket(t.Context(), c.in)
		wantRefusal(t, err, c.kind, c.message)
	}
	if asked := s.jira.Asked(); len(asked) > 0 {
		t.Errorf("the tracker was asked: %q", asked)
	}
	_, err := s.LinkTicket(t.Context(), link("SHOP-999"))
	wantRefusal(t, err, refusal.Upstream, "Tracker API error: 404")
	_, err = s.LinkTicket(t.Context(), link("HR-7"))
	wantRefusal(t, err, refusal.Upstream, "Tracker API error: 404")
	if jobs := s.jobs(); len(jobs) > 0 {
		t.Errorf("jobs were made: %v", jobs)
	}
}

// If a template is deleted while the ticket is being read, nothing is created.
func TestLinkTicketIsOneTransaction(t *testing.T) {
	t.Parallel()
	jira := jiratest.Shop(jiratest.Cloud)
	s := openLinkedShop(t, jira)
	template := s.template()
	jira.Before = func(http.ResponseWriter, *http.Request) bool {
		if err := s.DeleteTemplate(t.Context(), template.ID, input.TextInput{}); err != nil {
			t.Error(err)
		}
		return false
	}
	in := link("SHOP-118")
	in.TemplateID = input.Given(template.ID)
	_, err := s.LinkTicket(t.Context(), in)
	wantRefusal(t, err, refusal.NotFound, "TemplateRoute not found: "+template.ID)
	jira.Before = nil
	if jobs := s.jobs(); len(jobs) > 0 {
		t.Errorf("jobs were made: %v", jobs)
	}
	s.job() // the ticket can still be linked
}

func TestTicketIsLinkedOnce(t *testing.T) {
	t.Parallel()
	s := openLinkedShop(t, jiratest.Shop(jiratest.Cloud))
	const callers = 8
	outcomes := make(chan error, callers)
	for range callers {
		go func() {
			_, err := s.LinkTicket(t.Context(), link("SHOP-118"))
			outcomes <- err
		}()
	}
	var refusals []error
	for range callers {
		if err := <-outcomes; err != nil {
			refusals = append(refusals, err)
		}
	}
	jobs := s.jobs()
	if len(jobs) != 1 || len(refusals) != callers-1 {
		t.Fatalf("%d jobs, %d refusals", len(jobs), len(refusals))
	}
	for _, err := range refusals {
		wantRefusal(t, err, refusal.Invalid, "Ticket SHOP-118 is already linked to job "+jobs[0].ID)
	}

	// A ticket of a job that was created by hand counts as linked too.
	byHand, err := s.CreateJob(t.Context(), shop.CreateJobInput{
		Name: input.Given("Fixture"), GoalQuantity: input.Given(1.0), TicketKey: input.Given("SHOP-117"),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.LinkTicket(t.Context(), link("SHOP-117"))
	wantRefusal(t, err, refusal.Invalid, "Ticket SHOP-117 is already linked to job "+byHand.ID)
}

// A ticket that was linked and then moved to another project counts as linked under both keys. Other tickets of that project do not.
func TestMovedTicketIsLinkedOnce(t *testing.T) {
	t.Parallel()
	for _, kind := range []int{jiratest.Cloud, jiratest.DataCenter} {
		s := openLinkedShop(t, jiratest.Shop(kind))
		job := s.job()
		s.jira.Move("SHOP-118", "LINE-7")
		for _, key := range []string{"SHOP-118", "LINE-7", "line-7"} {
			_, err := s.LinkTicket(t.Context(), link(key))
			wantRefusal(t, err, refusal.Invalid, "Ticket LINE-7 is already linked to job "+job.ID)
		}
		if jobs := s.jobs(); len(jobs) != 1 {
			t.Errorf("%d jobs were made of one ticket", len(jobs))
		}
		s.jira.Add(jiratest.Issue{Key: "LINE-8", ID: "20001", Fields: map[string]any{"summary": "Lid"}})
		if _, err := s.LinkTicket(t.Context(), link("LINE-8")); err != nil {
			t.Error(err)
		}
	}
}

// If a tracker sends no identifiers, or invalid ones, tickets are identified by their keys.
func TestTicketsWithoutAnIdentifier(t *testing.T) {
	t.Parallel()
	s := openLinkedShop(t, jiratest.Shop(jiratest.Cloud))
	for i, id := range []string{" ", "a\nb", strings.Repeat("7", 101), "../1"} {
		for n := range 2 {
			key := fmt.Sprintf("LINE-%d%d", i+1, n)
			s.jira.Add(jiratest.Issue{Key: key, ID: id})
			if _, err := s.LinkTicket(t.Context(), link(key)); err != nil {
				t.Errorf("%q: %v", id, err)
			}
			_, err := s.LinkTicket(t.Context(), link(key))
			if failure, ok := errors.AsType[*refusal.Error](err); !ok || !strings.Contains(failure.Error(), "already linked") {
				t.Errorf("%q, again: %v", id, err)
			}
		}
	}
}

func TestTrackerIsOff(t *testing.T) {
	t.Parallel()
	s := newInstance(nil, nil, nil, nil)
	const off = "Tracker integration is not enabled"
	_, err := s.LinkTicket(t.Context(), tracker.LinkTicketInput{})
	wantRefusal(t, err, refusal.Invalid, off)
	_, err = s.PostComment(t.Context(), tracker.CommentInput{})
	wantRefusal(t, err, refusal.Invalid, off)
	_, err = s.Tickets(t.Context())
	wantRefusal(t, err, refusal.Invalid, off)
	_, err = s.Ticket(t.Context(), "SHOP-118")
	wantRefusal(t, err, refusal.Invalid, off)
}

func TestTickets(t *testing.T) {
	t.Parallel()
	s := openLinkedShop(t, jiratest.Shop(jiratest.DataCenter))
	tickets, err := s.Tickets(t.Context())
	if err != nil || len(tickets) != 3 || tickets[0].Key != "SHOP-118" || tickets[0].URL != s.url+"/browse/SHOP-118" {
		t.Errorf("%+v, %v", tickets, err)
	}
	s.jira.Before = func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusInternalServerError)
		return true
	}
	_, err = s.Tickets(t.Context())
	wantRefusal(t, err, refusal.Upstream, "Tracker API error: 500")
	_, err = s.Ticket(t.Context(), "SHOP-118")
	wantRefusal(t, err, refusal.Upstream, "Tracker API error: 500")
	_, err = s.LinkTicket(t.Context(), link("SHOP-118"))
	wantRefusal(t, err, refusal.Upstream, "Tracker API error: 500")
}

// oddTracker has one ticket, with invalid values in all fields.
type oddTracker struct{ tracker.IssueTracker }

func (oddTracker) Ticket(context.Context, string) (tracker.Ticket, error) {
	return tracker.Ticket{
		Key: "SHOP-1\x00\n", Summary: "  a\x1b[31mred\u202etxt\t\r\n\xff" + strings.Repeat("ö", 1000), PartNumber: "\x07",
		Priority: "\u200b High ", Labels: append([]string{" ", "a\nb", "\x00"}, strings.Split(strings.Repeat("x ", 500), " ")...),
		Quantity: -5, URL: "javascript:alert(1)",
	}, nil
}

func (o oddTracker) Tickets(ctx context.Context) ([]tracker.Ticket, error) {
	ticket, err := o.Ticket(ctx, "")
	return []tracker.Ticket{ticket, {Summary: "no key"}}, err
}

func TestOddTicketIsHarmless(t *testing.T) {
	t.Parallel()
	workshop := openLinkedShop(t, jiratest.Shop(jiratest.Cloud))
	s := newInstance(workshop.store, workshop.clock, oddTracker{}, workshop.pause)
	tickets, err := s.Tickets(t.Context())
	if err != nil || len(tickets) != 1 {
		t.Fatalf("%v, %v", tickets, err)
	}
	_, err = s.LinkTicket(t.Context(), link("SHOP-1"))
	wantRefusal(t, err, refusal.Invalid, "The quantity of ticket SHOP-1 is no whole number: -5. Send goalQuantity")
	in := link("SHOP-1")
	in.GoalQuantity = input.Given(1.0)
	linked, err := s.LinkTicket(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	got := linked.Job
	summary := "a[31mredtxt " + strings.Repeat("ö", 488)
	if got.Name != summary || got.TicketKey != "SHOP-1" || got.TicketPart != "" || got.TicketPriority != "High" ||
		len(*got.Labels) != 100 || (*got.Labels)[0] != "a b" || got.GoalQuantity != 1 {
		t.Errorf("%+v", got)
	}
	if ticket := tickets[0]; ticket.URL != "" || ticket.Quantity != 0 {
		t.Errorf("%+v", ticket)
	}
	for _, page := range []string{"ftp://x/y", "//x/y", "/x", "https:x", "data:text/html,x", "https://[", " https://x"} {
		odd := linkTracker(page)
		s := newInstance(workshop.store, workshop.clock, odd, workshop.pause)
		if ticket, err := s.Ticket(t.Context(), "SHOP-1"); err != nil || ticket.URL != "" {
			t.Errorf("%q became %q (%v)", page, ticket.URL, err)
		}
	}
}

// linkTracker has one ticket, whose page has this address.
type linkTracker string

func (l linkTracker) Ticket(context.Context, string) (tracker.Ticket, error) {
	return tracker.Ticket{Key: "SHOP-1", URL: string(l)}, nil
}
func (linkTracker) Tickets(context.Context) ([]tracker.Ticket, error) { return nil, nil }
func (linkTracker) AddComment(context.Context, string, string, string) (string, error) {
	return "", nil
}
func (linkTracker) FindComment(context.Context, string, string) (string, error) { return "", nil }

// While the tracker hangs, all other work continues, and no transaction stays open.
func TestHangingTrackerDelaysNothing(t *testing.T) {
	t.Parallel()
	jira := jiratest.Shop(jiratest.Cloud)
	s := openLinkedShop(t, jira)
	job := s.job()
	note := s.note(job.ID, "p", "s", "SN-00001")
	asked, release := make(chan struct{}, 3), make(chan struct{})
	jira.Before = func(_ http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, 0))
		asked <- struct{}{}
		<-release
		return false
	}
	done := make(chan error, 3)
	go func() {
		_, err := s.PostComment(t.Context(), comment(job.ID, note.ID))
		done <- err
	}()
	go func() {
		_, err := s.PostComment(t.Context(), comment(job.ID, ""))
		done <- err
	}()
	go func() {
		_, err := s.LinkTicket(t.Context(), link("SHOP-117"))
		done <- err
	}()
	for range 3 {
		<-asked
	}
	path := s.path(job.ID) // a write succeeds, and there is only one writer, so none of the three calls is inside a transaction
	if _, err := s.Path(t.Context(), path.ID); err != nil {
		t.Error(err)
	}
	if len(s.jobs()) != 1 {
		t.Error("the link is not done yet")
	}
	close(release)
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if got := fmt.Sprint(len(s.jobs()), len(jira.Comments("SHOP-118"))); got != "2 2" {
		t.Errorf("jobs and comments: %s", got)
	}
}

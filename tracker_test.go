package routecard_test

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

	"github.com/routecard/routecard"
	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/tracker"
	"github.com/routecard/routecard/internal/tracker/jiratest"
)

// linkedShop is a service with a Jira beside it. Nobody waits in it: a pause moves the clock.
type linkedShop struct {
	*routecard.Service
	t     *testing.T
	store routecard.Store
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
	s.Service = s.instance(nil)
	return s
}

// instance is one more service on the same database and Jira.
func (s *linkedShop) instance(pause routecard.Pause) *routecard.Service {
	s.t.Helper()
	if pause == nil {
		pause = s.pause
	}
	ours, err := tracker.New(tracker.Options{
		URL: s.url, User: s.jira.User, Token: tracker.Secret(s.jira.Token), Projects: []string{"SHOP"}, API: s.jira.Kind,
		PartField: jiratest.PartField, QuantityField: jiratest.QuantityField, EpicField: jiratest.EpicField,
		Pause: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return routecard.New(s.store, s.clock, routecard.NewIdentifiers(s.clock), routecard.WithTracker(ours, pause))
}

func link(key string) routecard.LinkTicketInput {
	return routecard.LinkTicketInput{TicketKey: routecard.Given(key)}
}

func (s *linkedShop) job() routecard.Job {
	s.t.Helper()
	linked, err := s.LinkTicket(s.t.Context(), link("SHOP-118"))
	if err != nil {
		s.t.Fatal(err)
	}
	return linked.Job
}

func (s *linkedShop) path(jobID string) routecard.Path {
	s.t.Helper()
	step := func(name string) routecard.Input[routecard.StepInput] {
		return routecard.Given(routecard.StepInput{Name: routecard.Given(name)})
	}
	steps := []routecard.Input[routecard.StepInput]{step("Saw"), step("Mill"), step("Inspect")}
	path, err := s.CreatePath(s.t.Context(), routecard.CreatePathInput{
		JobID: routecard.Given(jobID), Name: routecard.Given("Main"), GoalQuantity: routecard.Given(25.0), Steps: routecard.Given(steps),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return path
}

func (s *linkedShop) note(jobID, pathID, stepID string, serials ...string) routecard.Note {
	s.t.Helper()
	note, err := s.CreateNote(s.t.Context(), routecard.CreateNoteInput{
		JobID: routecard.Given(jobID), PathID: routecard.Given(pathID), StepID: routecard.Given(stepID),
		SerialIDs: routecard.GivenTexts(serials...), Text: routecard.Given("Burr on the flange"), UserID: routecard.Given("ana"),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return note
}

func (s *linkedShop) jobs() (jobs []routecard.Job) {
	s.t.Helper()
	for job, err := range s.Jobs(s.t.Context()) {
		if err != nil {
			s.t.Fatal(err)
		}
		jobs = append(jobs, job)
	}
	return jobs
}

func comment(jobID, noteID string) routecard.CommentInput {
	in := routecard.CommentInput{JobID: routecard.Given(jobID)}
	if noteID != "" {
		in.NoteID = routecard.Given(noteID)
	}
	return in
}

// wantRefusal checks an error that the caller sees.
func wantRefusal(t *testing.T, err error, code routecard.Code, message string) {
	t.Helper()
	failure, ok := errors.AsType[*routecard.Error](err)
	if !ok || failure.Code != code || failure.Message != message {
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
	want := routecard.Job{
		ID: linked.Job.ID, Name: "25 housings for line 2", GoalQuantity: 25,
		TicketFields: routecard.TicketFields{
			TicketKey: "SHOP-118", TicketSummary: "25 housings for line 2", PartNumber: "GH-200-B", Priority: "High",
			EpicLink: "SHOP-90", Labels: &[]string{"milling", "line-2"},
		},
		CreatedAt: routecard.TimestampOf(s.clock()), UpdatedAt: routecard.TimestampOf(s.clock()),
	}
	if diff := cmp.Diff(want, linked.Job); diff != "" || linked.Path != nil {
		t.Errorf("path %v\n%s", linked.Path, diff)
	}
	if diff := cmp.Diff([]routecard.Job{want}, s.jobs()); diff != "" {
		t.Error(diff)
	}

	// A ticket without a quantity, and without labels; then one whose quantity is overruled.
	linked, err = s.LinkTicket(t.Context(), link("SHOP-117"))
	if err != nil || linked.Job.GoalQuantity != 1 || linked.Job.Labels != nil {
		t.Errorf("%+v, %v", linked.Job, err)
	}
	s.jira.Add(jiratest.Issue{Key: "SHOP-119", Fields: map[string]any{jiratest.QuantityField: 25}})
	in := link("SHOP-119")
	in.GoalQuantity = routecard.Given(7.0)
	linked, err = s.LinkTicket(t.Context(), in)
	if err != nil || linked.Job.GoalQuantity != 7 || linked.Job.Name != "SHOP-119" {
		t.Errorf("%+v, %v", linked.Job, err)
	}
}

func (s *linkedShop) template() routecard.Template {
	s.t.Helper()
	template, err := s.CreateTemplate(s.t.Context(), routecard.CreateTemplateInput{
		Name: routecard.Given("Housing"),
		Steps: routecard.Given([]routecard.Input[routecard.StepInput]{
			routecard.Given(routecard.StepInput{Name: routecard.Given("Saw"), Location: routecard.Given("Bay 1")}),
			routecard.Given(routecard.StepInput{Name: routecard.Given("Inspect"), DependencyType: routecard.Given("completion_gate")}),
		}),
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
	in.TemplateID, in.ChangedBy = routecard.Given(template.ID), routecard.Given("lead")
	linked, err := s.LinkTicket(t.Context(), in)
	if err != nil || linked.Path == nil {
		t.Fatalf("%+v, %v", linked, err)
	}
	detail, err := s.Job(t.Context(), linked.Job.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]routecard.Path{*linked.Path}, detail.Paths); diff != "" {
		t.Error(diff)
	}
	path := linked.Path
	if path.Name != "Housing" || path.GoalQuantity != 25 || len(path.Steps) != 2 || path.Steps[0].Location != "Bay 1" ||
		path.Steps[1].DependencyType != routecard.CompletionGate {
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
	text, number := routecard.Given[string], routecard.Given[float64]
	for _, c := range []struct {
		in      routecard.LinkTicketInput
		code    routecard.Code
		message string
	}{
		{routecard.LinkTicketInput{}, routecard.Invalid, "ticketKey is required"},
		{link("  "), routecard.Invalid, "ticketKey is required"},
		{routecard.LinkTicketInput{TicketKey: routecard.Mistyped[string]()}, routecard.Invalid, "ticketKey must be a string"},
		{link(strings.Repeat("x", 501)), routecard.Invalid, "ticketKey is too long"},
		{routecard.LinkTicketInput{TicketKey: text("SHOP-118"), TemplateID: routecard.Mistyped[string]()}, routecard.Invalid, "templateId must be a string"},
		{routecard.LinkTicketInput{TicketKey: text("SHOP-118"), GoalQuantity: number(0)}, routecard.Invalid, "goalQuantity must be greater than 0"},
		{routecard.LinkTicketInput{TicketKey: text("SHOP-118"), GoalQuantity: number(1.5)}, routecard.Invalid, "goalQuantity must be an integer"},
		{routecard.LinkTicketInput{TicketKey: text("SHOP-118"), GoalQuantity: routecard.Mistyped[float64]()}, routecard.Invalid, "goalQuantity must be a number"},
		{routecard.LinkTicketInput{TicketKey: text("SHOP-118"), ChangedBy: routecard.Mistyped[string]()}, routecard.Invalid, "changedBy must be a string"},
		{routecard.LinkTicketInput{TicketKey: text("SHOP-118"), TemplateID: text("tmpl_none")}, routecard.NotFound, "TemplateRoute not found: tmpl_none"},
	} {
		_, err := s.LinkTicket(t.Context(), c.in)
		wantRefusal(t, err, c.code, c.message)
	}
	if asked := s.jira.Asked(); len(asked) > 0 {
		t.Errorf("the tracker was asked: %q", asked)
	}
	_, err := s.LinkTicket(t.Context(), link("SHOP-999"))
	wantRefusal(t, err, routecard.Upstream, "Tracker API error: 404")
	_, err = s.LinkTicket(t.Context(), link("HR-7"))
	wantRefusal(t, err, routecard.Upstream, "Tracker API error: 404")
	if jobs := s.jobs(); len(jobs) > 0 {
		t.Errorf("jobs were made: %v", jobs)
	}
}

// A template that is deleted while the ticket is being read: nothing is half done.
func TestLinkTicketIsOneTransaction(t *testing.T) {
	t.Parallel()
	jira := jiratest.Shop(jiratest.Cloud)
	s := openLinkedShop(t, jira)
	template := s.template()
	jira.Before = func(http.ResponseWriter, *http.Request) bool {
		if err := s.DeleteTemplate(t.Context(), template.ID, routecard.TextInput{}); err != nil {
			t.Error(err)
		}
		return false
	}
	in := link("SHOP-118")
	in.TemplateID = routecard.Given(template.ID)
	_, err := s.LinkTicket(t.Context(), in)
	wantRefusal(t, err, routecard.NotFound, "TemplateRoute not found: "+template.ID)
	jira.Before = nil
	if jobs := s.jobs(); len(jobs) > 0 {
		t.Errorf("jobs were made: %v", jobs)
	}
	s.job() // and the ticket is not taken
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
		wantRefusal(t, err, routecard.Invalid, "Ticket SHOP-118 is already linked to job "+jobs[0].ID)
	}

	// A job that somebody made by hand carries its ticket too.
	byHand, err := s.CreateJob(t.Context(), routecard.CreateJobInput{
		Name: routecard.Given("Fixture"), GoalQuantity: routecard.Given(1.0), TicketKey: routecard.Given("SHOP-117"),
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.LinkTicket(t.Context(), link("SHOP-117"))
	wantRefusal(t, err, routecard.Invalid, "Ticket SHOP-117 is already linked to job "+byHand.ID)
}

func TestTrackerIsOff(t *testing.T) {
	t.Parallel()
	s := routecard.New(nil, nil, nil)
	const off = "Tracker integration is not enabled"
	_, err := s.LinkTicket(t.Context(), routecard.LinkTicketInput{})
	wantRefusal(t, err, routecard.Invalid, off)
	_, err = s.PostComment(t.Context(), routecard.CommentInput{})
	wantRefusal(t, err, routecard.Invalid, off)
	_, err = s.Tickets(t.Context())
	wantRefusal(t, err, routecard.Invalid, off)
	_, err = s.Ticket(t.Context(), "SHOP-118")
	wantRefusal(t, err, routecard.Invalid, off)
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
	wantRefusal(t, err, routecard.Upstream, "Tracker API error: 500")
	_, err = s.Ticket(t.Context(), "SHOP-118")
	wantRefusal(t, err, routecard.Upstream, "Tracker API error: 500")
	_, err = s.LinkTicket(t.Context(), link("SHOP-118"))
	wantRefusal(t, err, routecard.Upstream, "Tracker API error: 500")
}

// oddTracker has one ticket, as bad as can be.
type oddTracker struct{ routecard.IssueTracker }

func (oddTracker) Ticket(context.Context, string) (routecard.Ticket, error) {
	return routecard.Ticket{
		Key: "SHOP-1\x00\n", Summary: "  a\x1b[31mred\u202etxt\t\r\n\xff" + strings.Repeat("ö", 1000), PartNumber: "\x07",
		Priority: "\u200b High ", Labels: append([]string{" ", "a\nb", "\x00"}, strings.Split(strings.Repeat("x ", 500), " ")...),
		Quantity: -5, URL: "javascript:alert(1)",
	}, nil
}

func (o oddTracker) Tickets(ctx context.Context) ([]routecard.Ticket, error) {
	ticket, err := o.Ticket(ctx, "")
	return []routecard.Ticket{ticket, {Summary: "no key"}}, err
}

func TestOddTicketIsHarmless(t *testing.T) {
	t.Parallel()
	shop := openLinkedShop(t, jiratest.Shop(jiratest.Cloud))
	s := routecard.New(shop.store, shop.clock, routecard.NewIdentifiers(shop.clock), routecard.WithTracker(oddTracker{}, shop.pause))
	tickets, err := s.Tickets(t.Context())
	if err != nil || len(tickets) != 1 {
		t.Fatalf("%v, %v", tickets, err)
	}
	linked, err := s.LinkTicket(t.Context(), link("SHOP-1"))
	if err != nil {
		t.Fatal(err)
	}
	got := linked.Job
	summary := "a[31mredtxt " + strings.Repeat("ö", 488)
	if got.Name != summary || got.TicketKey != "SHOP-1" || got.PartNumber != "" || got.Priority != "High" ||
		len(*got.Labels) != 100 || (*got.Labels)[0] != "a b" || got.GoalQuantity != 1 {
		t.Errorf("%+v", got)
	}
	if ticket := tickets[0]; ticket.URL != "" || ticket.Quantity != 0 {
		t.Errorf("%+v", ticket)
	}
	for _, page := range []string{"ftp://x/y", "//x/y", "/x", "https:x", "data:text/html,x", "https://[", " https://x"} {
		odd := linkTracker(page)
		s := routecard.New(shop.store, shop.clock, routecard.NewIdentifiers(shop.clock), routecard.WithTracker(odd, shop.pause))
		if ticket, err := s.Ticket(t.Context(), "SHOP-1"); err != nil || ticket.URL != "" {
			t.Errorf("%q became %q (%v)", page, ticket.URL, err)
		}
	}
}

// linkTracker has one ticket with this page.
type linkTracker string

func (l linkTracker) Ticket(context.Context, string) (routecard.Ticket, error) {
	return routecard.Ticket{Key: "SHOP-1", URL: string(l)}, nil
}
func (linkTracker) Tickets(context.Context) ([]routecard.Ticket, error) { return nil, nil }
func (linkTracker) AddComment(context.Context, string, string, string) (string, error) {
	return "", nil
}
func (linkTracker) FindComment(context.Context, string, string) (string, error) { return "", nil }

// While the tracker hangs, everything else is done, and the database is not held.
func TestHangingTrackerHoldsNothing(t *testing.T) {
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
	path := s.path(job.ID) // a write: there is one writer, so none of the three is inside a transaction
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

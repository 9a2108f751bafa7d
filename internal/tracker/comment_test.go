package tracker_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/internal/tracker"
	"github.com/routecard/routecard/internal/tracker/jiratest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// commentText returns the text of a comment as it was sent to a Data Center, without its escapes.
func commentText(c jiratest.Comment) string { return strings.ReplaceAll(fmt.Sprint(c.Body), `\`, "") }

func (s *linkedShop) mustPost(service *instance, jobID, noteID string) string {
	s.t.Helper()
	posted, err := service.PostComment(s.t.Context(), comment(jobID, noteID))
	if err != nil || !posted.Success || posted.CommentID == "" {
		s.t.Errorf("%+v, %v", posted, err)
	}
	return posted.CommentID
}

// recorded returns the stored note.
func (s *linkedShop) recorded(noteID string) (note shop.Note, post shop.NotePost, posting bool) {
	s.t.Helper()
	err := s.store.View(s.t.Context(), func(tx shop.Reader) (err error) {
		if note, err = tx.Note(noteID); err != nil {
			return err
		}
		post, err = tx.NotePost(noteID)
		posting = err == nil
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return note, post, posting
}

func TestPostNote(t *testing.T) {
	t.Parallel()
	s := openLinkedShop(t, jiratest.Shop(jiratest.DataCenter))
	job := s.job()
	path := s.path(job.ID)
	note := s.note(job.ID, path.ID, path.Steps[1].ID, "SN-00001", "SN-00002")
	id := s.mustPost(s.instance, job.ID, note.ID)
	if got, _, posting := s.recorded(note.ID); !got.PushedToTracker || got.TrackerCommentID != id || posting {
		t.Errorf("recorded: %+v, still being posted: %v", got, posting)
	}
	asked := len(s.jira.Asked())
	if again := s.mustPost(s.instance, job.ID, note.ID); again != id || len(s.jira.Asked()) != asked {
		t.Errorf("the second call answered %q, want %q, and asked %d times", again, id, len(s.jira.Asked())-asked)
	}
	comments := s.jira.Comments("SHOP-118")
	if len(comments) != 1 {
		t.Fatalf("%d comments", len(comments))
	}
	want := "Burr on the flange\n\nSerials: SN-00001, SN-00002\nStep: Mill (Main)\n" +
		"Noted by ana at 2026-01-31T09:30:00.000Z\n\nRoutecard " + note.ID
	if diff := cmp.Diff(want, commentText(comments[0])); diff != "" {
		t.Error(diff)
	}

	// The records that a note refers to need not exist, and a comment lists only some of many serials.
	long := s.note(job.ID, "path_none", "step_none", strings.Split(strings.TrimSpace(strings.Repeat("SN-7 ", 33)), " ")...)
	s.mustPost(s.instance, job.ID, long.ID)
	if got := commentText(s.jira.Comments("SHOP-118")[1]); !strings.Contains(got, "SN-7 and 13 more\nNoted by") {
		t.Error(got)
	}
}

func TestPostCommentRefuses(t *testing.T) {
	t.Parallel()
	s := openLinkedShop(t, jiratest.Shop(jiratest.Cloud))
	job := s.job()
	plain, err := s.CreateJob(t.Context(), shop.CreateJobInput{Name: input.Given("Bracket"), GoalQuantity: input.Given(3.0)})
	if err != nil {
		t.Fatal(err)
	}
	foreign := s.note(plain.ID, "p", "s", "SN-00001")
	asked := len(s.jira.Asked())
	for _, c := range []struct {
		in      tracker.CommentInput
		kind    refusal.Kind
		message string
	}{
		{tracker.CommentInput{}, refusal.Invalid, "jobId is required"},
		{tracker.CommentInput{JobID: input.Mistyped[string]()}, refusal.Invalid, "jobId must be a string"},
		{tracker.CommentInput{JobID: input.Given(job.ID), NoteID: input.Mistyped[string]()}, refusal.Invalid, "noteId must be a string"},
		{comment("job_none", ""), refusal.NotFound, "Job not found: job_none"},
		{comment("job_none", "note_none"), refusal.NotFound, "Job not found: job_none"},
		{comment(plain.ID, ""), refusal.Invalid, "Job is not linked to a tracker ticket"},
		{comment(plain.ID, "note_none"), refusal.Invalid, "Job is not linked to a tracker ticket"},
		{comment(job.ID, "note_none"), refusal.NotFound, "Note not found: note_none"},
		{comment(job.ID, foreign.ID), refusal.Invalid, "Note " + foreign.ID + " does not belong to job " + job.ID},
	} {
		_, err := s.PostComment(t.Context(), c.in)
		wantRefusal(t, err, c.kind, c.message)
	}
	if len(s.jira.Asked()) != asked {
		t.Error("the tracker was asked")
	}
}

func TestPostStatus(t *testing.T) {
	t.Parallel()
	s := openLinkedShop(t, jiratest.Shop(jiratest.DataCenter))
	job := s.job()
	path := s.path(job.ID)
	batch, err := s.CreateSerials(t.Context(), shop.CreateSerialsInput{
		JobID: input.Given(job.ID), PathID: input.Given(path.ID), Quantity: input.Given(6.0),
	})
	if err != nil {
		t.Fatal(err)
	}
	var serials []card.Serial
	for serial, err := range batch.All(s.SerialPrefix()) {
		if err != nil {
			t.Fatal(err)
		}
		serials = append(serials, serial)
	}
	for i, steps := range []int{3, 2, 1, 1, 0, 0} {
		for range steps {
			if _, err := s.AdvanceSerial(t.Context(), serials[i].ID, shop.AdvanceSerialInput{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := s.ScrapSerial(t.Context(), serials[3].ID, shop.ScrapSerialInput{
		Reason: input.Given("damaged"), UserID: input.Given("ana"),
	}); err != nil {
		t.Fatal(err)
	}
	first := s.mustPost(s.instance, job.ID, "")
	if second := s.mustPost(s.instance, job.ID, ""); first == second {
		t.Error("every call adds a comment")
	}
	text := commentText(s.jira.Comments("SHOP-118")[0])
	text, marker, _ := strings.Cut(text, "\n\nRoutecard status_")
	want := `Status of 25 housings for line 2: 4.2%
1 of 25 completed, 4 in progress, 1 scrapped

Main (goal 25)
1. Saw: 2 here, 4 completed
2. Mill: 1 here, 2 completed, 1 scrapped
3. Inspect: 1 here, 1 completed

As of 2026-01-31T09:30:00.000Z`
	if diff := cmp.Diff(want, text); diff != "" || len(marker) != 26 {
		t.Errorf("marker %q\n%s", marker, diff)
	}
}

// If many callers post a note at the same time, on several instances, the ticket gets one comment, and every caller gets its identifier.
func TestNoteIsPostedOnce(t *testing.T) {
	t.Parallel()
	jira := jiratest.Shop(jiratest.Cloud)
	s := openLinkedShop(t, jira)
	job := s.job()
	note := s.note(job.ID, "p", "s", "SN-00001")
	const callers = 12
	var looked atomic.Int64
	waiting := make(chan struct{})
	jira.Before = func(_ http.ResponseWriter, r *http.Request) bool {
		switch r.Method {
		case http.MethodPost: // it takes until the other callers have checked
			<-waiting
		default:
			if looked.Add(1) == 3 {
				close(waiting)
			}
		}
		return false
	}
	// These callers wait in real time: if they moved the clock, the claim of the posting caller would expire.
	short := func(ctx context.Context, _ time.Duration) error { return tracker.Pause(ctx, time.Millisecond) }
	instances := []*instance{s.another(short), s.another(short), s.another(short)}
	ids := make(chan string, callers)
	for i := range callers {
		go func() { ids <- s.mustPost(instances[i%len(instances)], job.ID, note.ID) }()
	}
	for range callers {
		if id := <-ids; id != "10001" {
			t.Errorf("a caller heard of %q", id)
		}
	}
	if comments := jira.Comments("SHOP-118"); len(comments) != 1 {
		t.Errorf("%d comments", len(comments))
	}
}

// once responds to the first POST and lets Jira respond to the others.
func once(jira *jiratest.Jira, answer func(w http.ResponseWriter, r *http.Request) bool) {
	var posted atomic.Int64
	jira.Before = func(w http.ResponseWriter, r *http.Request) bool {
		return r.Method == http.MethodPost && posted.Add(1) == 1 && answer(w, r)
	}
}

func TestRefusedCommentLeavesNothing(t *testing.T) {
	t.Parallel()
	jira := jiratest.Shop(jiratest.Cloud)
	s := openLinkedShop(t, jira)
	job := s.job()
	note := s.note(job.ID, "p", "s", "SN-00001")
	once(jira, func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusForbidden)
		return true
	})
	_, err := s.PostComment(t.Context(), comment(job.ID, note.ID))
	wantRefusal(t, err, refusal.Upstream, "Tracker API error: 403")
	if got, _, posting := s.recorded(note.ID); posting || got.PushedToTracker {
		t.Errorf("%+v, %v", got, posting)
	}
	s.mustPost(s.instance, job.ID, note.ID)
}

// Jira accepts the comment but returns an invalid response: the comment exists, but its id is unknown.
func TestUnclearCommentIsFound(t *testing.T) {
	t.Parallel()
	jira := jiratest.Shop(jiratest.Cloud)
	s := openLinkedShop(t, jira)
	job := s.job()
	note := s.note(job.ID, "p", "s", "SN-00001")
	jira.Accepted = func(*http.Request, jiratest.Comment) { panic(http.ErrAbortHandler) }
	posted, err := s.PostComment(t.Context(), comment(job.ID, note.ID)) // it looks for the comment before it tries again
	if comments := jira.Comments("SHOP-118"); err != nil || posted.CommentID != "10001" || len(comments) != 1 {
		t.Errorf("%+v, %v; %d comments", posted, err, len(comments))
	}

	other := s.note(job.ID, "p", "s", "SN-00002")
	jira.Before = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusInternalServerError) // the search for the comment fails
		}
		return r.Method == http.MethodGet
	}
	_, err = s.PostComment(t.Context(), comment(job.ID, other.ID))
	wantRefusal(t, err, refusal.Upstream, "Tracker API error: 500")
	if _, post, posting := s.recorded(other.ID); !posting || post.Claimant != "" {
		t.Errorf("the intention is forgotten, or claimed: %+v", post)
	}
	jira.Before = nil
	posted, err = s.PostComment(t.Context(), comment(job.ID, other.ID))
	if comments := jira.Comments("SHOP-118"); err != nil || posted.CommentID != "10002" || len(comments) != 2 {
		t.Errorf("%+v, %v; %d comments", posted, err, len(comments))
	}
}

// A tracker that did not respond in time may still add the comment. No caller posts the note until that is impossible.
func TestCommentInTheBalance(t *testing.T) {
	t.Parallel()
	workshop := openLinkedShop(t, jiratest.Shop(jiratest.Cloud))
	job := workshop.job()
	note := workshop.note(job.ID, "p", "s", "SN-00001")
	slow := &slowTracker{shop: workshop}
	s := newInstance(workshop.store, workshop.clock, slow, workshop.pause)
	_, err := s.PostComment(t.Context(), comment(job.ID, note.ID))
	wantRefusal(t, err, refusal.Upstream, "Tracker API error: timeout")
	begun := workshop.clock()
	if _, post, posting := workshop.recorded(note.ID); !posting || post.Claimant == "" {
		t.Fatalf("not claimed: %+v", post)
	}
	slow.lands = begun.Add(9 * time.Second) // the first comment arrives late
	posted, err := s.PostComment(t.Context(), comment(job.ID, note.ID))
	if err != nil || posted.CommentID != "late" || slow.added != 1 {
		t.Errorf("%+v, %v; posted %d times", posted, err, slow.added)
	}
	if waited := workshop.clock().Sub(begun); waited < 9*time.Second || waited > 12*time.Second {
		t.Errorf("found after %v", waited)
	}

	// If the comment never arrives, it is posted again once the claim has expired.
	other := workshop.note(job.ID, "p", "s", "SN-00002")
	slow.lands, slow.added = time.Time{}, 0
	if _, err = s.PostComment(t.Context(), comment(job.ID, other.ID)); err == nil {
		t.Fatal("it timed out")
	}
	begun = workshop.clock()
	posted, err = s.PostComment(t.Context(), comment(job.ID, other.ID))
	if err != nil || posted.CommentID != "second" || slow.added != 2 {
		t.Errorf("%+v, %v; posted %d times", posted, err, slow.added)
	}
	if waited := workshop.clock().Sub(begun); waited < 25*time.Second || waited > 30*time.Second {
		t.Errorf("posted again after %v", waited)
	}
}

// slowTracker does not respond to the first comment of a note. The comment is added later or never.
type slowTracker struct {
	linkTracker
	shop  *linkedShop
	lands time.Time
	added int
}

func (s *slowTracker) AddComment(context.Context, string, string, string) (string, error) {
	s.added++
	if s.added == 1 {
		return "", &tracker.APIError{Status: tracker.TrackerTimeout, Maybe: true, Pending: true}
	}
	return "second", nil
}

func (s *slowTracker) FindComment(context.Context, string, string) (string, error) {
	if !s.lands.IsZero() && !s.shop.clock().Before(s.lands) {
		return "late", nil
	}
	return "", nil
}

// A caller who cannot wait until the outcome is clear gets the status pending.
func TestCommentPending(t *testing.T) {
	t.Parallel()
	workshop := openLinkedShop(t, jiratest.Shop(jiratest.Cloud))
	job := workshop.job()
	note := workshop.note(job.ID, "p", "s", "SN-00001")
	impatient := func(context.Context, time.Duration) error { return context.DeadlineExceeded }
	slow := &slowTracker{shop: workshop}
	s := newInstance(workshop.store, workshop.clock, slow, impatient)
	_, err := s.PostComment(t.Context(), comment(job.ID, note.ID))
	wantRefusal(t, err, refusal.Upstream, "Tracker API error: timeout")
	_, err = s.PostComment(t.Context(), comment(job.ID, note.ID))
	wantRefusal(t, err, refusal.Upstream, "Tracker API error: pending")
	if slow.added != 1 {
		t.Errorf("posted %d times", slow.added)
	}
}

// If a caller disconnects while the comment is being posted, the work is still completed.
func TestCallerLeavesWhilePosting(t *testing.T) {
	t.Parallel()
	jira := jiratest.Shop(jiratest.Cloud)
	s := openLinkedShop(t, jira)
	job := s.job()
	note := s.note(job.ID, "p", "s", "SN-00001")
	ctx, leave := context.WithCancel(t.Context())
	jira.Before = func(_ http.ResponseWriter, r *http.Request) bool {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		leave()
		return false
	}
	if _, err := s.PostComment(ctx, comment(job.ID, note.ID)); err != nil {
		t.Error(err)
	}
	if got, _, posting := s.recorded(note.ID); !got.PushedToTracker || posting || len(jira.Comments("SHOP-118")) != 1 {
		t.Errorf("%+v, %v", got, posting)
	}
}

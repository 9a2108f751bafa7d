package tracker

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// A comment is posted outside of every transaction, and a process may end between the tracker's response and the record of it. So a note is
// posted in three steps:
//
//  1. The intention is recorded, with the poster and the time until which no other caller may post (NotePost).
//  2. The comment is posted. Its last line is a marker made from the note's identifier.
//  3. The comment's identifier is recorded with the note, and the intention removed.
//
// A call that finds the intention of another call does not know how far that call came. It looks for the marker in the tracker. It posts
// only if the marker is not there and the other call can no longer be posting.

// Time limits.
const (
	// postPatience is the time limit of one attempt to post a note, with all its requests to the tracker.
	postPatience = 20 * time.Second
	// postClaim is the time for which other callers do not post the note: the time limit of the attempt, and some time in which a tracker
	// may finish the last request.
	postClaim = postPatience + 5*time.Second
	// postQueue is the time for which a caller waits for the attempt of another. It is longer than the claim of a process that died.
	postQueue = postClaim + 5*time.Second
	// The pauses between two checks of the other caller's attempt.
	firstPause, longestPause = 50 * time.Millisecond, 2 * time.Second
)

// CommentInput is the body of Push Comment to Tracker.
type CommentInput struct {
	JobID  input.TextInput `field:"jobId"`
	NoteID input.TextInput `field:"noteId"` // if missing, the job's status is posted
}

// PostedComment identifies the comment of the ticket.
type PostedComment struct {
	Success   bool   `json:"success"`
	CommentID string `json:"commentId"`
}

// PostComment posts a note, or the status of the job, to the job's ticket. A note is posted once, by the first call on any instance; later
// calls return the existing comment. Every call without a note adds a comment.
func (l *Link) PostComment(ctx context.Context, in CommentInput) (PostedComment, error) {
	var posted PostedComment
	err := l.shop.Outside(ctx, &posted, func(name string) error {
		if _, err := l.issueTracker(); err != nil {
			return err
		}
		jobID, err := input.RequiredName("jobId", in.JobID)
		if err != nil {
			return err
		}
		noteID, err := input.OptionalText("noteId", in.NoteID)
		if err != nil {
			return err
		}
		posted.Success = true
		if noteID == "" {
			posted.CommentID, err = l.postStatus(ctx, jobID, name)
		} else {
			posted.CommentID, err = l.postNote(ctx, jobID, noteID)
		}
		return upstream(err)
	})
	if err != nil {
		return PostedComment{}, err
	}
	return posted, nil
}

// findLinkedJob returns a job that has a ticket.
func findLinkedJob(tx shop.JobStore, id string) (shop.Job, error) {
	job, err := shop.FindJob(tx, id)
	if err == nil && job.TicketKey == "" {
		err = refusal.Refuse(notLinked)
	}
	return job, err
}

// noteClaim is the state of a note when a caller wants to post it.
type noteClaim struct {
	commentID string // the existing comment of the note, or ""
	mine      bool   // whether the caller, and not another caller, has the intention
	look      bool   // whether an earlier attempt may have reached the tracker
	key       string
	text      string
}

func noteMarker(noteID string) string { return "Routecard " + noteID }

func (l *Link) postNote(ctx context.Context, jobID, noteID string) (string, error) {
	claimant, marker := l.shop.NewID(""), noteMarker(noteID)
	queue, leave := context.WithTimeout(ctx, postQueue)
	defer leave()
	for wait := firstPause; ; wait = min(2*wait, longestPause) {
		claim, err := l.claimNote(ctx, jobID, noteID, claimant)
		switch {
		case err != nil || claim.commentID != "":
			return claim.commentID, err
		case claim.mine:
			return l.postClaimed(ctx, noteID, claimant, claim)
		}
		// Another caller is posting the note, or was posting it when its process ended.
		commentID, err := l.issues.FindComment(queue, claim.key, marker)
		switch {
		case err != nil:
			return "", err
		case commentID != "":
			return l.recordPosted(ctx, noteID, commentID)
		}
		if err := l.pause(queue, wait); err != nil {
			if ctx.Err() != nil {
				return "", ctx.Err()
			}
			return "", &APIError{Status: TrackerPending}
		}
	}
}

// claimNote records the intention, unless the note was posted or another caller is posting it.
func (l *Link) claimNote(ctx context.Context, jobID, noteID, claimant string) (noteClaim, error) {
	var claim noteClaim
	err := l.store.Update(ctx, func(tx shop.Tx) error {
		claim = noteClaim{}
		job, err := findLinkedJob(tx, jobID)
		if err != nil {
			return err
		}
		note, err := tx.Note(noteID)
		if err != nil {
			return shop.OrNotFound(err, shop.NameNote, noteID)
		}
		if note.JobID != job.ID {
			return refusal.Refuse(noteOfOther, noteID, jobID)
		}
		if note.PushedToTracker {
			claim.commentID = note.TrackerCommentID
			return nil
		}
		claim.key = job.TicketKey
		post, err := tx.NotePost(noteID)
		if err != nil && !errors.Is(err, shop.ErrNoRecord) {
			return err
		}
		claim.look = err == nil
		now := l.shop.Now()
		if claim.look && post.Claimant != "" && post.Claimant != claimant && post.ClaimedUntil > now {
			return nil
		}
		claim.mine = true
		if claim.text, err = noteComment(tx, note); err != nil {
			return err
		}
		return tx.PutNotePost(shop.NotePost{
			NoteID: noteID, Claimant: claimant, ClaimedUntil: now + ident.Timestamp(postClaim.Milliseconds()),
		})
	})
	return claim, err
}

// postClaimed posts a note for the claimant of its intention. It continues if the caller disconnects, because otherwise the work would be
// half done.
func (l *Link) postClaimed(ctx context.Context, noteID, claimant string, claim noteClaim) (string, error) {
	ctx = context.WithoutCancel(ctx)
	posting, done := context.WithTimeout(ctx, postPatience)
	defer done()
	var commentID string
	var err error
	if claim.look {
		commentID, err = l.issues.FindComment(posting, claim.key, noteMarker(noteID))
	}
	sent := false
	if err == nil && commentID == "" {
		sent = true
		commentID, err = l.issues.AddComment(posting, claim.key, claim.text, noteMarker(noteID))
	}
	if err != nil {
		return "", errors.Join(err, l.leaveNote(ctx, noteID, claimant, claim.look, sent, err))
	}
	return l.recordPosted(ctx, noteID, commentID)
}

// leaveNote removes an intention if it is certain that no comment results from it.
func (l *Link) leaveNote(ctx context.Context, noteID, claimant string, earlier, sent bool, failed error) error {
	failure, known := errors.AsType[*APIError](failed)
	if sent && (!known || failure.Pending) {
		return nil // the tracker may still add the comment, so the claim has to expire
	}
	return l.store.Update(ctx, func(tx shop.Tx) error {
		post, err := tx.NotePost(noteID)
		switch {
		case errors.Is(err, shop.ErrNoRecord) || err == nil && post.Claimant != claimant:
			return nil
		case err != nil:
			return err
		case earlier || sent && failure.Maybe:
			return tx.PutNotePost(shop.NotePost{NoteID: noteID})
		}
		return tx.DeleteNotePost(noteID)
	})
}

// recordPosted records the comment of a note. It returns the recorded comment, which is an earlier one if another call recorded it first.
func (l *Link) recordPosted(ctx context.Context, noteID, commentID string) (string, error) {
	recorded := commentID
	err := l.store.Update(ctx, func(tx shop.Tx) error {
		recorded = commentID
		note, err := tx.Note(noteID)
		if err != nil {
			return err
		}
		if note.PushedToTracker {
			recorded = note.TrackerCommentID
			return nil
		}
		if err := tx.MarkNotePushed(noteID, commentID, l.shop.Now()); err != nil {
			return err
		}
		return tx.DeleteNotePost(noteID)
	})
	return recorded, err
}

// namedSerials is the maximum number of serials that a comment lists.
const namedSerials = 20

// noteComment returns the comment about a note.
func noteComment(tx shop.PathStore, note shop.Note) (string, error) {
	step, err := stepName(tx, note)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nSerials: %s", note.Text, strings.Join(note.SerialIDs[:min(len(note.SerialIDs), namedSerials)], ", "))
	if more := len(note.SerialIDs) - namedSerials; more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	if step != "" {
		fmt.Fprintf(&b, "\nStep: %s", step)
	}
	fmt.Fprintf(&b, "\nNoted by %s at %s", note.CreatedBy, note.CreatedAt)
	return b.String(), nil
}

// stepName returns the name of the note's step and of its path. The records that a note refers to need not exist.
func stepName(tx shop.PathStore, note shop.Note) (string, error) {
	path, err := tx.Path(note.PathID)
	if errors.Is(err, shop.ErrNoRecord) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	i := path.StepIndex(note.StepID)
	if i < 0 {
		return "", nil
	}
	return path.Steps[i].Name + " (" + path.Name + ")", nil
}

// postStatus adds a comment with the status of a job. With a name, it first checks whether the ticket already has the comment with that
// name.
func (l *Link) postStatus(ctx context.Context, jobID, name string) (string, error) {
	var key, text string
	err := l.store.View(ctx, func(tx shop.Reader) error {
		job, err := findLinkedJob(tx, jobID)
		if err != nil {
			return err
		}
		counts, err := l.shop.CountJobs(tx, []string{jobID})
		if err != nil {
			return err
		}
		paths, err := tx.PathsOfJob(jobID)
		if err != nil {
			return err
		}
		var b strings.Builder
		writeProgress(&b, shop.ProgressOf(job, counts[jobID]))
		for _, path := range paths {
			counts, err := l.shop.CountPath(tx, path.ID)
			if err != nil {
				return err
			}
			writePath(&b, path, counts)
		}
		fmt.Fprintf(&b, "\n\nAs of %s", l.shop.Now())
		key, text = job.TicketKey, b.String()
		return nil
	})
	if err != nil {
		return "", err
	}
	if name == "" {
		return l.issues.AddComment(ctx, key, text, "Routecard "+l.shop.NewID("status_"))
	}
	marker := "Routecard status_" + name
	if commentID, err := l.issues.FindComment(ctx, key, marker); err != nil || commentID != "" {
		return commentID, err
	}
	return l.issues.AddComment(ctx, key, text, marker)
}

func writeProgress(b *strings.Builder, p shop.JobProgress) {
	fmt.Fprintf(b, "Status of %s: %.1f%%\n%d of %d completed, %d in progress, %d scrapped",
		p.JobName, p.ProgressPercent, p.CompletedSerials, p.OrderedQuantity, p.InProgressSerials, p.ScrappedSerials)
}

// writePath writes the numbers of a path's serials at each step, and of those scrapped there.
func writePath(b *strings.Builder, path card.Path, counts shop.PathCounts) {
	scrapped := make([]int64, len(path.Steps))
	for _, standing := range counts.Standing {
		if standing.Status == card.Scrapped && standing.Position < len(scrapped) {
			scrapped[standing.Position] += standing.Count
		}
	}
	fmt.Fprintf(b, "\n\n%s (goal %d)", path.Name, path.GoalQuantity)
	for i, step := range shop.DistributionOf(path, counts) {
		fmt.Fprintf(b, "\n%d. %s: %d here, %d completed", i+1, step.StepName, step.SerialCount, step.CompletedCount)
		if scrapped[i] > 0 {
			fmt.Fprintf(b, ", %d scrapped", scrapped[i])
		}
	}
}

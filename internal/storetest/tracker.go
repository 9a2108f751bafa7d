package storetest

import (
	"errors"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

func (suite) Tracker() []promise { return worktracker }

// tracker are the cases for the issue tracker.
var worktracker = []promise{
	{"the oldest job that carries a ticket is found by its key, to the letter", func(s *testedStore) {
		carrying := func(n int, key string) shop.Job {
			job := aJob(n)
			job.TicketKey = key
			return job
		}
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.InsertJob(carrying(3, strange)), tx.InsertJob(carrying(2, strange)), tx.InsertJob(carrying(1, "")))
		})
		find := func(key string) (string, error) {
			return tryLook(s, func(tx views.Reader) (string, error) { return tx.JobOfTicket(key) })
		}
		found, err := find(strange)
		s.must(err)
		s.same(found, aJob(2).ID)
		for _, key := range []string{"", strings.ToUpper(strange), strange + " "} {
			_, err := find(key)
			s.refused(err, shop.ErrNoRecord)
		}
	}},
	{"a ticket is linked once, and the second time is ErrDuplicate", func(s *testedStore) {
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.InsertJob(aJob(1)), tx.InsertJob(aJob(2)), tx.InsertTicketLink("SHOP-1", "", aJob(1).ID))
		})
		s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.InsertTicketLink("SHOP-1", "", aJob(2).ID) }), shop.ErrDuplicate)
		s.update(func(tx shop.Tx) error { return tx.InsertTicketLink("shop-1", "", aJob(2).ID) })
	}},
	{"an issue is linked once, whatever its key is, and its job is found", func(s *testedStore) {
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.InsertJob(aJob(1)), tx.InsertJob(aJob(2)), tx.InsertTicketLink("SHOP-1", strange, aJob(1).ID),
				tx.InsertTicketLink("SHOP-2", "", aJob(2).ID))
		})
		s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.InsertTicketLink("LINE-7", strange, aJob(2).ID) }), shop.ErrDuplicate)
		find := func(issue string) (string, error) {
			return tryLook(s, func(tx views.Reader) (string, error) { return tx.JobOfIssue(issue) })
		}
		found, err := find(strange)
		s.must(err)
		s.same(found, aJob(1).ID)
		for _, issue := range []string{"", strange + " "} {
			_, err = find(issue)
			s.refused(err, shop.ErrNoRecord)
		}
	}},
	{"of callers who link one ticket at once, one does", func(s *testedStore) {
		s.update(func(tx shop.Tx) error { return tx.InsertJob(aJob(1)) })
		const callers = 8
		outcomes := make(chan error, callers)
		for range callers {
			go func() {
				outcomes <- s.tryUpdate(func(tx shop.Tx) error { return tx.InsertTicketLink("SHOP-1", "", aJob(1).ID) })
			}()
		}
		linked := 0
		for range callers {
			if err := <-outcomes; err == nil {
				linked++
			} else {
				s.refused(err, shop.ErrDuplicate)
			}
		}
		s.same(linked, 1)
	}},
	{"a note is marked as pushed and is otherwise as it was", func(s *testedStore) {
		note := shop.Note{
			ID: "note_1", JobID: "job_x", PathID: "path_x", StepID: "step_x", SerialIDs: []string{"SN-00001"},
			Text: strange, CreatedBy: "ann", CreatedAt: farOff,
		}
		s.update(func(tx shop.Tx) error { return tx.InsertNote(note) })
		find := func(tx views.Reader) (shop.Note, error) { return tx.Note("note_1") }
		s.same(look(s, find), note)
		note.PushedToTracker, note.TrackerCommentID = true, strange
		s.update(func(tx shop.Tx) error { return tx.MarkNotePushed("note_1", strange, 5) })
		s.same(look(s, find), note)
		s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.MarkNotePushed("note_2", "1", 5) }), shop.ErrNoRecord)
		_, err := tryLook(s, func(tx views.Reader) (shop.Note, error) { return tx.Note("note_2") })
		s.refused(err, shop.ErrNoRecord)
	}},
	{"the intention to post a note is kept, replaced and deleted", func(s *testedStore) {
		s.update(func(tx shop.Tx) error { return tx.InsertNote(shop.Note{ID: "note_1", SerialIDs: []string{}}) })
		find := func(tx views.Reader) (shop.NotePost, error) { return tx.NotePost("note_1") }
		_, err := tryLook(s, find)
		s.refused(err, shop.ErrNoRecord)
		for _, post := range []shop.NotePost{
			{NoteID: "note_1", Claimant: strange, ClaimedUntil: farOff}, {NoteID: "note_1"}, {NoteID: "note_1", Claimant: "h", ClaimedUntil: 1},
		} {
			s.update(func(tx shop.Tx) error { return tx.PutNotePost(post) })
			s.same(look(s, find), post)
		}
		for range 2 { // deleting a record that does not exist is not an error
			s.update(func(tx shop.Tx) error { return tx.DeleteNotePost("note_1") })
			_, err = tryLook(s, find)
			s.refused(err, shop.ErrNoRecord)
		}
	}},
}

package sqlstore

import "github.com/routecard/routecard/shop"

func (t *transaction) JobOfTicket(key string) (string, error) {
	if err := t.lockName(key); err != nil {
		return "", err
	}
	return one(t, scalar[string], `SELECT id FROM job
		WHERE lower(ticket_key) = $1 AND ticket_key = $2 AND ticket_key <> '' ORDER BY id LIMIT 1`, lowered(key), key)
}

func (t *transaction) JobOfIssue(issue string) (string, error) {
	return one(t, scalar[string], `SELECT job_id FROM ticket_link WHERE issue = $1 AND issue <> ''`, issue)
}

func (t *transaction) InsertTicketLink(key, issue, jobID string) error {
	n, err := affecting(t, `INSERT INTO ticket_link (ticket_key, issue, job_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
		key, issue, jobID)
	if err == nil && n == 0 {
		err = shop.ErrDuplicate
	}
	return err
}

func scanNotePost(r rows) (post shop.NotePost, err error) {
	err = r.Scan(&post.NoteID, &post.Claimant, &post.ClaimedUntil)
	return post, err
}

func (t *transaction) NotePost(noteID string) (shop.NotePost, error) {
	return one(t, scanNotePost, `SELECT note_id, holder, held_until FROM note_post WHERE note_id = $1`+t.lock, noteID)
}

func (t *transaction) PutNotePost(post shop.NotePost) error {
	return run(t, `INSERT INTO note_post (note_id, holder, held_until) VALUES ($1, $2, $3)
		ON CONFLICT (note_id) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until`,
		post.NoteID, post.Claimant, int64(post.ClaimedUntil))
}

func (t *transaction) DeleteNotePost(noteID string) error {
	return run(t, `DELETE FROM note_post WHERE note_id = $1`, noteID)
}

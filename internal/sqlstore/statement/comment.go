package statement

import (
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
)

type comments struct{ *db.Core }

func scanNotePost(r db.Rows) (post shop.NotePost, err error) {
	err = r.Scan(&post.NoteID, &post.Claimant, &post.ClaimedUntil)
	return post, err
}

func (t comments) NotePost(noteID string) (shop.NotePost, error) {
	return db.One(t, scanNotePost, `SELECT note_id, holder, held_until FROM note_post WHERE note_id = $1`+t.Lock, noteID)
}

func (t comments) PutNotePost(post shop.NotePost) error {
	return db.Run(t, `INSERT INTO note_post (note_id, holder, held_until) VALUES ($1, $2, $3)
		ON CONFLICT (note_id) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until`,
		post.NoteID, post.Claimant, int64(post.ClaimedUntil))
}

func (t comments) DeleteNotePost(noteID string) error {
	return db.Run(t, `DELETE FROM note_post WHERE note_id = $1`, noteID)
}

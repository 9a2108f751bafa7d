package statement

import (
	"iter"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
)

type library struct{ *db.Core }

func (t library) InsertLibraryEntry(library shop.Library, entry shop.LibraryEntry) error {
	n, err := db.Affecting(t, `INSERT INTO library_entry (library, name, id, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (library, name) DO NOTHING`, string(library), entry.Name, entry.ID, int64(entry.CreatedAt))
	if err == nil && n == 0 {
		err = shop.ErrDuplicate
	}
	return err
}

const libraryColumns = `id, name, created_at`

func scanLibraryEntry(r db.Rows) (entry shop.LibraryEntry, err error) {
	err = r.Scan(&entry.ID, &entry.Name, &entry.CreatedAt)
	return entry, err
}

func (t library) LibraryEntries(library shop.Library) iter.Seq2[shop.LibraryEntry, error] {
	return db.Pages(func(last shop.LibraryEntry, _ bool, limit int) ([]shop.LibraryEntry, bool, error) {
		return db.Page(t, scanLibraryEntry, `SELECT `+libraryColumns+` FROM library_entry
			WHERE library = $1 AND name > $2 ORDER BY name LIMIT $3`, string(library), last.Name, limit)
	})
}

func (t library) DeleteLibraryEntry(library shop.Library, id string) error {
	return db.ExpectOne(t, `DELETE FROM library_entry WHERE id = $1 AND library = $2`, id, string(library))
}

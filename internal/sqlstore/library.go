package sqlstore

import (
	"iter"

	"github.com/routecard/routecard/shop"
)

func (t *transaction) InsertLibraryEntry(library shop.Library, entry shop.LibraryEntry) error {
	n, err := affecting(t, `INSERT INTO library_entry (library, name, id, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (library, name) DO NOTHING`, string(library), entry.Name, entry.ID, int64(entry.CreatedAt))
	if err == nil && n == 0 {
		err = shop.ErrDuplicate
	}
	return err
}

const libraryColumns = `id, name, created_at`

func scanLibraryEntry(r rows) (entry shop.LibraryEntry, err error) {
	err = r.Scan(&entry.ID, &entry.Name, &entry.CreatedAt)
	return entry, err
}

func (t *transaction) LibraryEntries(library shop.Library) iter.Seq2[shop.LibraryEntry, error] {
	return pages(func(last shop.LibraryEntry, _ bool, limit int) ([]shop.LibraryEntry, bool, error) {
		return page(t, scanLibraryEntry, `SELECT `+libraryColumns+` FROM library_entry
			WHERE library = $1 AND name > $2 ORDER BY name LIMIT $3`, string(library), last.Name, limit)
	})
}

func (t *transaction) DeleteLibraryEntry(library shop.Library, id string) error {
	return expectOne(t, `DELETE FROM library_entry WHERE id = $1 AND library = $2`, id, string(library))
}

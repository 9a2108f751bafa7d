package shop

import (
	"context"
	"errors"
	"iter"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// LibraryEntry is a name for pick-lists. It has no link to the steps that use the same name.
type LibraryEntry struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"` // unique within its library, by exact match
	CreatedAt ident.Timestamp `json:"createdAt"`
}

// Library is one of the lists of names.
type Library string

// The libraries.
const (
	Processes Library = "process"
	Locations Library = "location"
)

// words are how the interface speaks of a library: the prefix of its identifiers, the refusal of a name that is taken, and
// the name of its entries.
func (l Library) words() (prefix string, duplicate *refusal.Reason, name refusal.RecordName) {
	if l == Locations {
		return prefixLocation, LocationNameTaken, NameLocation
	}
	return prefixProcess, ProcessNameTaken, NameProcess
}

// LibraryEntries yields a library by name, in byte order.
func (s *Service) LibraryEntries(ctx context.Context, library Library) iter.Seq2[LibraryEntry, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[LibraryEntry, error] { return tx.LibraryEntries(library) })
}

// CreateLibraryEntry adds a name to a library.
func (s *Service) CreateLibraryEntry(ctx context.Context, library Library, name input.TextInput) (LibraryEntry, error) {
	prefix, duplicate, _ := library.words()
	var entry LibraryEntry
	trimmed, err := input.RequiredTrimmed(name)
	if err != nil {
		return entry, err
	}
	err = s.Commit(ctx, &entry, func(tx Tx) error {
		entry = LibraryEntry{ID: s.NewID(prefix), Name: trimmed, CreatedAt: s.Now()}
		err := tx.InsertLibraryEntry(library, entry)
		if errors.Is(err, ErrDuplicate) {
			return refusal.RefuseField(duplicate, "name")
		}
		return err
	})
	return entry, err
}

// DeleteLibraryEntry removes a name for good. It writes no audit entry, and the name may be made again.
func (s *Service) DeleteLibraryEntry(ctx context.Context, library Library, id string) error {
	_, _, name := library.words()
	return s.Commit(ctx, nil, func(tx Tx) error {
		if err := tx.DeleteLibraryEntry(library, id); err != nil {
			return OrNotFound(err, name, id)
		}
		return RefuseUnread(ctx, name, id)
	})
}

// LibraryStore is what the operations on the libraries need of a database.
type LibraryStore interface {
	// InsertLibraryEntry returns ErrDuplicate when the library has an entry of that name.
	InsertLibraryEntry(library Library, entry LibraryEntry) error
	LibraryEntries(library Library) iter.Seq2[LibraryEntry, error] // by name, in byte order
	DeleteLibraryEntry(library Library, id string) error           // ErrNoRecord when there is none
}

// What the tables of the business call the libraries.
const (
	RecordProcess  ident.RecordKind = "process"
	RecordLocation ident.RecordKind = "location"

	NameProcess  refusal.RecordName = "ProcessLibraryEntry"
	NameLocation refusal.RecordName = "LocationLibraryEntry"

	prefixProcess  = "plib_"
	prefixLocation = "lloc_"

	OpAddToLibrary      Operation = "add-to-library"
	OpRemoveFromLibrary Operation = "remove-from-library"

	AboutLibrary Subject = "library"
)

// Why it is refused.
var (
	ProcessNameTaken  = refusal.NewReason(refusal.Invalid, "name_taken", "Process name already exists")
	LocationNameTaken = refusal.NewReason(refusal.Invalid, "name_taken", "Location name already exists")
)

var libraryNoun = noun{
	records: []Record{
		{Kind: RecordProcess, Names: named(NameProcess), Prefix: prefixProcess, Table: "library_entry"},
		{Kind: RecordLocation, Names: named(NameLocation), Prefix: prefixLocation, Table: "library_entry"},
	},
	operations: []operationRow{
		{operation: OpAddToLibrary, permission: Plan, subject: AboutLibrary},
		{operation: OpRemoveFromLibrary, permission: Plan, subject: AboutLibrary},
	},
}

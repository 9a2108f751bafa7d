package db

import (
	"github.com/routecard/routecard/shop"
)

// Core is what the statements of all nouns need of the transaction that they belong to.
type Core struct {
	Querier
	PathCache *PathCache
	// Lock is the end of a SELECT that locks the rows that the transaction decides on, so that nobody changes them
	// before it commits. It is empty in a View, and on SQLite, where there is one writer.
	Lock string
	// NameLock is a statement that locks a name until the transaction ends. There need not be a record of that name
	// yet. It is empty where Lock is.
	NameLock string
	// Revisions are the revisions that the paths of cards had when they were first loaded. It is nil where nobody else
	// can change a path before the transaction ends.
	Revisions map[string]string
	// LeftOut is told of records that cannot be read, which lists leave out. Nil where lists tell of them.
	LeftOut func(*shop.UnreadableError)
	// Partial makes the path of a card be read without the characteristics of a step when these cannot be read. Only readings
	// that decide nothing may set it.
	Partial bool
	// Memory is what a View has taken of its budget.
	Memory Memory
	// Local reports that a statement needs no round trip to a server. Several small statements then cost less than a
	// large one.
	Local bool
}

// LockAbsent locks a name for a transaction whose decision rests on finding no record of that name.
func (t *Core) LockAbsent(name string) error {
	if t.NameLock == "" {
		return nil
	}
	return Run(t, t.NameLock, name)
}

// Work returns the work that was done so far.
func (t *Core) Work() int64 {
	if m, ok := t.Querier.(*Metered); ok {
		return m.Done
	}
	return 0
}

// Counted returns the memory for which results count, nil where nothing is counted.
func (t *Core) Counted() *Memory {
	if t.Memory.budget == nil {
		return nil
	}
	return &t.Memory
}

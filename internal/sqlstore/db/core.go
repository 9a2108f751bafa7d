package db

import (
	"github.com/routecard/routecard/shop"
)

// Core is the part of a transaction that the statements of all nouns use.
type Core struct {
	Querier
	PathCache *PathCache
	// Lock is the end of a SELECT that locks the rows that the transaction decides on, so that no other transaction changes them before it
	// commits. It is empty in a View, and on SQLite, which has one writer.
	Lock string
	// NameLock is a statement that locks a name until the transaction ends. A record of that name need not exist. It is empty where Lock
	// is.
	NameLock string
	// Revisions are the revisions that the paths of cards had when they were first loaded. It is nil if no other transaction can change a
	// path before this one ends.
	Revisions map[string]string
	// LeftOut is called with records that cannot be read, which lists leave out. Nil if lists return an error for them.
	LeftOut func(*shop.UnreadableError)
	// Partial makes a card's path omit the characteristics of a step that cannot be read. Only reads on which no decision rests may set it.
	Partial bool
	// Memory is the amount that a View has used of its budget.
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

// Work returns the work done so far.
func (t *Core) Work() int64 {
	if m, ok := t.Querier.(*Metered); ok {
		return m.Done
	}
	return 0
}

// Counted returns the memory that results are counted in, nil if results are not counted.
func (t *Core) Counted() *Memory {
	if t.Memory.budget == nil {
		return nil
	}
	return &t.Memory
}

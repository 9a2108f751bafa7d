package db

import (
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// Core is the part of a transaction that the statements of all nouns use.
type Core struct {
	Querier
	Prefix    ident.Prefix // of the identifiers of serials
	PathCache *PathCache
	// Lock ends a SELECT whose result the transaction bases a decision on. It locks the rows, so that no other transaction changes them
	// before this one commits. It is empty in a View, and on SQLite, which has only one writer.
	Lock string
	// NameLock is a statement that locks a name until the transaction ends. No record with that name need exist. It is empty whenever Lock
	// is empty.
	NameLock string
	// Revisions are the revisions of the cards' paths at the time when they were first loaded. It is nil if no other transaction can change
	// a path before this one ends.
	Revisions map[string]string
	// LeftOut is called with each record that cannot be read. Lists then omit the record. If LeftOut is nil, lists return an error instead.
	LeftOut func(*shop.UnreadableError)
	// Partial makes a card's path omit the characteristics of a step that cannot be read. It must not be set for reads that an operation
	// bases a decision on.
	Partial bool
	// Memory is the part of its budget that a View has used.
	Memory Memory
	// Local reports that statements need no round trip to a server. Several small statements then cost less than one large statement.
	Local bool
}

// SerialPrefix returns the prefix of the identifiers of serials.
func (t *Core) SerialPrefix() ident.Prefix { return t.Prefix }

// LockAbsent locks a name for a transaction that bases a decision on the absence of a record with that name.
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

// Counted returns the Memory against which results count, or nil if results are not counted.
func (t *Core) Counted() *Memory {
	if t.Memory.budget == nil {
		return nil
	}
	return &t.Memory
}

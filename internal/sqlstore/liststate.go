package sqlstore

import (
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/routecard/routecard/internal/sqlite"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// listStates counts the commits that changed any row of a list, so that the ETag of the list changes only with its rows. Only SQLite uses
// it, because SQLite reports every row that the writing connection will change. For PostgreSQL see Postgres.Version.
type listStates struct {
	of     map[ident.RecordKind]*listState
	tables map[string][]*listState
}

type listState struct {
	commits atomic.Int64
	changed bool // lists that the current transaction has changed; only the writer uses this
}

func newListStates() listStates {
	states := listStates{of: make(map[ident.RecordKind]*listState), tables: make(map[string][]*listState)}
	for kind, sources := range map[ident.RecordKind][]string{ //nolint:exhaustive // no other list has its own tag
		shop.RecordJob:    {"job", "ticket_link", "external_id"},
		shop.RecordSerial: {"serial", "own_number", "path", "step", "job"}, // a row shows the names of its path, step and job
	} {
		state := &listState{}
		states.of[kind] = state
		for _, table := range sources {
			states.tables[table] = append(states.tables[table], state)
		}
	}
	return states
}

// change marks the lists that show a table as changed.
func (s listStates) change(change *sqlite.Change) {
	for _, state := range s.tables[change.Table()] {
		state.changed = true
	}
}

// committed counts the changes of the transaction that was just committed.
func (s listStates) committed() {
	for _, state := range s.of {
		if state.changed {
			state.commits.Add(1)
		}
	}
}

// end forgets the changes of the transaction, committed or not.
func (s listStates) end() {
	for _, state := range s.of {
		state.changed = false
	}
}

// name returns an identifier for the current state of the records of a kind.
func (s listStates) name(kind ident.RecordKind) (string, error) {
	state, listed := s.of[kind]
	if !listed {
		return "", fmt.Errorf("no list of all records is kept of the kind %s", kind)
	}
	return strconv.FormatInt(state.commits.Load(), 36), nil
}

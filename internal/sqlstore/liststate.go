package sqlstore

import (
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/routecard/routecard/internal/sqlite"
	"github.com/routecard/routecard/shop"
)

// listStates counts the commits that changed the records of a kind that is listed whole, so that such a list has a name that
// changes with its own records and with nothing else. It is for SQLite alone, which tells of every row that the connection
// that writes is about to change; see Postgres.Version for the other engine.
type listStates struct {
	of     map[shop.RecordKind]*listState
	tables map[string]*listState
}

type listState struct {
	commits atomic.Int64
	changed bool // by the transaction under way; the writer's own
}

func newListStates() listStates {
	states := listStates{of: make(map[shop.RecordKind]*listState), tables: map[string]*listState{}}
	for _, kind := range []shop.RecordKind{shop.RecordJob, shop.RecordSerial} {
		states.of[kind] = &listState{}
	}
	for _, table := range tables {
		if state, listed := states.of[table.of]; listed {
			states.tables[table.name] = state
		}
	}
	return states
}

// change notes that a row is about to change.
func (s listStates) change(change *sqlite.Change) {
	if state := s.tables[change.Table()]; state != nil {
		state.changed = true
	}
}

// committed counts what the transaction changed that has just been committed.
func (s listStates) committed() {
	for _, state := range s.of {
		if state.changed {
			state.commits.Add(1)
		}
	}
}

// end forgets what the transaction changed, whether or not it was committed.
func (s listStates) end() {
	for _, state := range s.of {
		state.changed = false
	}
}

// name names the state of the records of a kind.
func (s listStates) name(kind shop.RecordKind) (string, error) {
	state, listed := s.of[kind]
	if !listed {
		return "", fmt.Errorf("no list of all records is kept of the kind %s", kind)
	}
	return strconv.FormatInt(state.commits.Load(), 36), nil
}

package lists

import (
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/views"
)

var _ views.Reader = (*Reader)(nil)

// Reader is the transaction of a View, with the statements that only views need.
type Reader struct {
	statement.Tx
	reads
}

// New returns the transaction of a View.
func New(c db.Core) *Reader {
	t := &Reader{}
	t.Over(c)
	t.reads = readsOver(&t.Core)
	return t
}

// reads has the statements that only views need.
type reads struct {
	lister
	finder
	searcher
	jobLists
	unitLister
	workLists
	attention
	board
	floor
	charts
	moves
	trailReader
	identifiers
}

func readsOver(at *db.Core) reads {
	return reads{
		lister:      lister{at},
		finder:      finder{at},
		searcher:    searcher{at},
		jobLists:    jobLists{at},
		unitLister:  unitLister{at},
		workLists:   workLists{at},
		attention:   attention{at},
		board:       board{at},
		floor:       floor{at},
		charts:      charts{at},
		moves:       moves{at},
		trailReader: trailReader{at},
		identifiers: identifiers{at},
	}
}

package sqlstore

import (
	"log/slog"
	"time"

	_ "modernc.org/sqlite" // the driver, for the migrations

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// Options are the settings of a store that do not depend on the engine.
type Options struct {
	// SerialPrefix is the prefix of the serials of a new database; "" means the default. Opening a database with another prefix fails with
	// ErrOtherPrefix; "" accepts every prefix.
	SerialPrefix ident.Prefix
	// Logger logs the activities that the store starts by itself. If it is nil, they are not logged.
	Logger *slog.Logger
	// Committed is called after every commit, with the number of callers whose changes were committed and the duration of the commit. It
	// must return quickly and be safe for concurrent use. It may be nil.
	Committed func(callers int, took time.Duration)
	// Traced is called with every statement before it runs, except the statement that writes the mark of a database file (fileMark),
	// because the time of that one varies. It has the restrictions of Committed, and may be nil.
	Traced func(statement string)
	// WorkLimit is the maximum work of one Update on SQLite; 0 means shop.WorkLimit. On PostgreSQL the limit is shop.PostgresWork times as
	// high.
	WorkLimit int64
	// Worked is called with the work of every Update, even if the Update was refused. It has the restrictions of Committed, and may be nil.
	Worked func(work int64)
}

func (o *Options) fill() {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Committed == nil {
		o.Committed = func(int, time.Duration) {}
	}
	if o.Traced == nil {
		o.Traced = func(string) {}
	}
	if o.WorkLimit == 0 {
		o.WorkLimit = shop.WorkLimit
	}
	if o.Worked == nil {
		o.Worked = func(int64) {}
	}
}

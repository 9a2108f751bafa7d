package sqlstore

import (
	"log/slog"
	"time"

	_ "modernc.org/sqlite" // the driver, for the migrations

	"github.com/routecard/routecard/shop"
)

// Options are the settings of a store that do not depend on the engine.
type Options struct {
	// Logger logs what the store does by itself. Nil discards.
	Logger *slog.Logger
	// Committed is called after every commit, with the number of callers it served and its duration. It must be quick and safe for
	// concurrent use. It may be nil.
	Committed func(callers int, took time.Duration)
	// Traced is called with every statement before it runs, except the one that writes the mark of a database file
	// (fileMark), which depends on time. It has the same restrictions, and may be nil.
	Traced func(statement string)
	// WorkLimit is the most work of one Update on SQLite, and shop.PostgresWork times as much on PostgreSQL; 0 for shop.WorkLimit.
	WorkLimit int64
	// Worked is called with the work of every Update, including refused ones. It has the restrictions of Committed, and may be nil.
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

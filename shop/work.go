package shop

import "github.com/routecard/routecard/shop/refusal"

// WorkLimit is how much work one transaction does at most on SQLite, where one writes at a time, so that no request keeps others from
// writing for long. A change beyond it is refused as a whole. internal/sqlstore/db/work.go has the weights; docs/running.md, "What fits
// into one transaction", has examples.
const WorkLimit = 3_200_000

// PostgresWork is how many times as much one transaction may do on PostgreSQL, where others write beside it.
const PostgresWork = 4

// WorkStore says how much of WorkLimit a transaction has used.
type WorkStore interface {
	// Work returns the work since the transaction began. It is 0 where work is not limited.
	Work() int64
}

// TooMuchAtOnce is why a change is refused that goes beyond WorkLimit.
var TooMuchAtOnce = refusal.NewReason(refusal.Invalid, "too_much_at_once",
	"This is too much for one transaction, during which others cannot write. Nothing was changed. "+
		"Divide it into several requests, or send it with onRefusal each where the operation has that")

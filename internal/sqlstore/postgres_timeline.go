package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// timelines keeps a pool from servers that another server has replaced. Each promotion of a standby begins a timeline with a higher number.
// A primary that hung while a standby was promoted may go on and return old data to readers until it is stopped. Once the pool has
// connected to the new primary, it uses no connection of an older timeline, and makes none. It is safe for concurrent use.
type timelines struct{ newest atomic.Int64 }

// timelineOf is the key under which a connection stores the timeline of its server. Connections to a server that does not say it have none.
const timelineOf = "routecard.timeline"

var errOldTimeline = errors.New("this server was replaced by another primary")

// watch makes connections of a pool subject to the rule. The server must accept writes.
func (t *timelines) watch(config *pgxpool.Config) {
	validate := config.ConnConfig.ValidateConnect
	config.ConnConfig.ValidateConnect = func(ctx context.Context, conn *pgconn.PgConn) error {
		if err := validate(ctx, conn); err != nil {
			return err
		}
		return t.learn(ctx, conn)
	}
	config.PrepareConn = func(_ context.Context, conn *pgx.Conn) (bool, error) {
		timeline, known := conn.PgConn().CustomData()[timelineOf].(int64)
		return !known || timeline == t.newest.Load(), nil // the pool closes the connection and takes another one
	}
}

// learn asks a server for its timeline, and refuses it if the pool has seen a newer one.
func (t *timelines) learn(ctx context.Context, conn *pgconn.PgConn) error {
	results, err := conn.Exec(ctx, `SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`).ReadAll()
	if _, refused := errors.AsType[*pgconn.PgError](err); refused {
		return nil // some hosted servers do not have these functions
	}
	if err != nil {
		return err
	}
	timeline, err := strconv.ParseInt(string(results[0].Rows[0][0]), 16, 64)
	if err != nil {
		return err
	}
	conn.CustomData()[timelineOf] = timeline
	for {
		newest := t.newest.Load()
		switch {
		case timeline < newest:
			return fmt.Errorf("%w: its timeline is %d, and the newest is %d", errOldTimeline, timeline, newest)
		case timeline == newest || t.newest.CompareAndSwap(newest, timeline):
			return nil
		}
	}
}

package sqlstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Replication has the settings of a PostgreSQL server for synchronous standbys, as the connections of this program see them.
type Replication struct {
	Standby     bool   // the server takes no writes
	Commit      string // the setting synchronous_commit
	Names       string // the setting synchronous_standby_names; "" if no commit waits for a standby
	Synchronous int64  // the number of connected standbys that a commit may wait for; 0 if the role may not see it
	Seen        bool   // the role may see standbys
}

// ReplicationOf reads the Replication of a PostgreSQL server. It changes nothing on the server.
func ReplicationOf(ctx context.Context, address string) (found Replication, err error) {
	err = onReadingConnection(ctx, address, func(conn *pgxpool.Conn) error {
		return conn.QueryRow(ctx, `SELECT pg_is_in_recovery(), current_setting('synchronous_commit'),
			current_setting('synchronous_standby_names'), pg_has_role('pg_read_all_stats', 'USAGE'),
			(SELECT COUNT(*) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum'))`).
			Scan(&found.Standby, &found.Commit, &found.Names, &found.Seen, &found.Synchronous)
	})
	if err != nil {
		return Replication{}, fmt.Errorf("read the replication of %s: %w", Redacted(address), err)
	}
	found.Names = strings.TrimSpace(found.Names)
	return found, nil
}

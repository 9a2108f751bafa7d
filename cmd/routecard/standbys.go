package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/routecard/routecard/internal/httpapi"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/sqlstore/standby"
)

// standbys is the store whose reads use the servers of --read-database; nil without any.
type standbys struct{ store *sqlstore.Postgres }

func standbysOf(store sqlstore.Store) standbys {
	of, _ := store.(*sqlstore.Postgres)
	if of != nil {
		if all, _ := of.Standbys(); len(all) > 0 {
			return standbys{of}
		}
	}
	return standbys{}
}

func (s standbys) watchedBy(metrics *httpapi.Metrics) {
	if s.store == nil {
		return
	}
	metrics.WatchStandbys(func() (shown []httpapi.Standby, onPrimary int64) {
		all, onPrimary := s.store.Standbys()
		for _, one := range all {
			shown = append(shown, httpapi.Standby{Server: one.Server, Used: one.Reason == "", Lag: one.Lag, Reads: one.Reads})
		}
		return shown, onPrimary
	})
}

// trouble describes the standbys that are left out. It does not mention their addresses, because everybody may read /readyz.
func (s standbys) trouble() string {
	if s.store == nil {
		return ""
	}
	all, _ := s.store.Standbys()
	var reasons []string
	for _, one := range all {
		if one.Reason != "" && one.Reason != standby.TakesWrites {
			reasons = append(reasons, string(one.Reason))
		}
	}
	if len(reasons) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d servers of --read-database left out: %s", len(reasons), len(all), strings.Join(reasons, ", "))
}

// lookAtStandbys compares the servers of --read-database with the database.
func (c *doctorCommand) lookAtStandbys(ctx context.Context, found *check) {
	if len(c.ReadDatabase) == 0 {
		return
	}
	have, _, err := sqlstore.PositionAt(ctx, c.Database)
	if err != nil {
		found.sayf(unknown, "%v", err)
		return
	}
	for _, address := range c.ReadDatabase {
		name := sqlstore.Redacted(address)
		at, recovering, err := sqlstore.PositionAt(ctx, address)
		switch {
		case err != nil:
			found.sayf(wrongNow, "%s cannot be read, so reads leave it out: %v", name, err)
		case !recovering:
			found.sayf(noted, "%s accepts writes: reads do not use it while it does.", name)
		case at.Mark != have.Mark:
			found.sayf(wrongNow, "%s does not follow the primary, or is far behind: reads leave it out.", name)
		case !at.Covers(have):
			found.sayf(noted, "%s is a standby, %d audit entries behind.", name, have.Sequence-at.Sequence)
		default:
			found.sayf(allWell, "%s is an up-to-date standby.", name)
		}
	}
}

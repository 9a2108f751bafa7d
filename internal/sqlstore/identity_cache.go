package sqlstore

import (
	"context"
	"sync"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlite"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/shop"
)

// identityCache caches tokens and sessions with their users, and the logins of active users, until a committed change of their rows. Like
// cardCache, it is used only on SQLite, where one connection writes everything.
//
// Before any row changes that an identity depends on, the cache drops all identities. It adds none until the transaction has ended, nor any
// from a reader that began before the change. Recording the use of a token is such a change too; it happens once every few minutes. The
// cache does not check, for example, whether a token has expired: its caller does so for each request.
type identityCache struct {
	limit    int
	tables   map[string]bool // the tables that identities depend on
	mu       sync.RWMutex
	version  uint64 // odd while a transaction changes an identity, even otherwise
	tokens   map[string]*owned[access.Token]
	sessions map[string]*owned[access.Session]
	logins   map[string]bool // logins of active users; nil if not read yet
}

// identityCacheLimit is the maximum number of tokens, and of sessions, in the cache. Fewer are in use at a time.
const identityCacheLimit = 2048

// owned is a token or a session with its user. Neither is modified after it was read.
type owned[T any] struct {
	what T
	user shop.User
}

func newIdentityCache(limit int) *identityCache {
	c := &identityCache{
		limit: limit, tables: map[string]bool{}, tokens: map[string]*owned[access.Token]{}, sessions: map[string]*owned[access.Session]{},
	}
	for _, table := range migrations.Tables {
		c.tables[table.Name] = table.Identities
	}
	return c
}

// change drops all identities before a row changes that an identity may depend on.
func (c *identityCache) change(change *sqlite.Change) {
	if !c.tables[change.Table()] {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version |= 1
	clear(c.tokens)
	clear(c.sessions)
	c.logins = nil
}

// end records that the current transaction has ended, committed or not.
func (c *identityCache) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version += c.version & 1
}

// keptIdentity returns an identity from the cache. If it is not there, keptIdentity reads it and adds it.
func keptIdentity[T any](ctx context.Context, s *SQLite, kept map[string]*owned[T], hash string,
	find func(db.Querier, string) (T, shop.User, error),
) (what T, user shop.User, err error) {
	select {
	case <-s.closing:
		return what, user, errClosed
	default:
	}
	c := s.identities
	c.mu.RLock()
	found, version := kept[hash], c.version
	c.mu.RUnlock()
	if found != nil {
		return found.what, found.user, ctx.Err()
	}
	if what, user, err = identityOf(ctx, s, hash, find); err != nil || version%2 == 1 {
		return what, user, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != version {
		return what, user, nil
	}
	for other := range kept { // any identity
		if len(kept) < c.limit {
			break
		}
		delete(kept, other)
	}
	kept[hash] = &owned[T]{what, user}
	return what, user, nil
}

// keptLogins returns the logins of active users from the cache. If they are not there, keptLogins reads them and adds them.
func keptLogins(ctx context.Context, s *SQLite) (map[string]bool, error) {
	select {
	case <-s.closing:
		return nil, errClosed
	default:
	}
	c := s.identities
	c.mu.RLock()
	found, version := c.logins, c.version
	c.mu.RUnlock()
	if found != nil {
		return found, ctx.Err()
	}
	logins, err := loginsOf(ctx, s)
	if err != nil || version%2 == 1 {
		return logins, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version == version {
		c.logins = logins
	}
	return logins, nil
}

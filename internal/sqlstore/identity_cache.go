package sqlstore

import (
	"context"
	"sync"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlite"
	"github.com/routecard/routecard/shop"
)

// identityCache keeps whose a token or a session is, for as long as that is what is committed. Like cards it is kept on
// SQLite alone, where everything is written over one connection.
//
// Before a row changes on which an identity depends, all of them are forgotten, and none is kept until the transaction has
// ended, nor by a reader who began before. That a token was used is such a change too, once in some minutes. Whether an
// identity is good for anything, such as a token that has expired, is judged with each request by whoever asks.
type identityCache struct {
	limit    int
	tables   map[string]bool // on whose rows an identity depends
	mu       sync.RWMutex
	version  uint64 // even, or odd while a transaction changes an identity
	tokens   map[string]*owned[access.Token]
	sessions map[string]*owned[access.Session]
}

// identityCacheLimit is how many tokens and how many sessions are kept: more than are in use at a time.
const identityCacheLimit = 2048

// owned is a token or a session with its user, neither of which is ever changed.
type owned[T any] struct {
	what T
	user shop.User
}

func newIdentityCache(limit int) *identityCache {
	c := &identityCache{
		limit: limit, tables: map[string]bool{}, tokens: map[string]*owned[access.Token]{}, sessions: map[string]*owned[access.Session]{},
	}
	for _, table := range tables {
		c.tables[table.name] = table.identities
	}
	return c
}

// change forgets the identities when a row is about to change that one of them may depend on.
func (c *identityCache) change(change *sqlite.Change) {
	if !c.tables[change.Table()] {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version |= 1
	clear(c.tokens)
	clear(c.sessions)
}

// end says that the transaction under way has ended, whatever became of it.
func (c *identityCache) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version += c.version & 1
}

// keptIdentity takes an identity from those that are kept, or reads it and keeps it.
func keptIdentity[T any](ctx context.Context, s *SQLite, kept map[string]*owned[T], hash string,
	read func(context.Context, reader, string) (T, shop.User, error),
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
	if what, user, err = read(ctx, s, hash); err != nil || version%2 == 1 {
		return what, user, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.version != version {
		return what, user, nil
	}
	for other := range kept { // any
		if len(kept) < c.limit {
			break
		}
		delete(kept, other)
	}
	kept[hash] = &owned[T]{what, user}
	return what, user, nil
}

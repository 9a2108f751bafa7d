package sqlstore

import (
	"crypto/rand"
	"strings"
	"sync"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// transaction is a shop.Tx, and a shop.Reader, on one connection of either engine.
type transaction struct {
	querier
	routes *routeCache
	// lock is the end of a SELECT that locks the rows that the transaction decides on, so that nobody changes them
	// before it commits. It is empty in a View, and on SQLite, where there is one writer.
	lock string
	// nameLock is a statement that locks a name until the transaction ends. There need not be a record of that name
	// yet. It is empty where lock is.
	nameLock string
	// revisions are the revisions that the paths of cards had when they were first loaded. It is nil where nobody else
	// can change a path before the transaction ends.
	revisions map[string]string
	// leftOut is told of records that cannot be read, which lists leave out. Nil where lists tell of them.
	leftOut func(*shop.UnreadableError)
	// partial makes the path of a card be read without the characteristics of a step when these cannot be read. Only readings
	// that decide nothing may set it.
	partial bool
	// memory is what a View has taken of its budget.
	memory memory
	// local reports that a statement needs no round trip to a server. Several small statements then cost less than a
	// large one.
	local bool
}

var _ shop.Reader = (*transaction)(nil)

// update is the transaction that an Update of either engine passes to its change.
type update interface {
	querier
	shop.Tx
	access.Tx
}

// lockName locks a name for a transaction whose decision rests on finding no record of that name.
func (t *transaction) lockName(name string) error {
	if t.nameLock == "" {
		return nil
	}
	return run(t, t.nameLock, name)
}

// routeCache keeps paths by revision. Every change gives a path a new revision, so a path in the cache is never out of
// date, not even after a rollback or when another process changed it.
type routeCache struct {
	mu    sync.RWMutex
	paths map[string]card.Path
}

// routeCacheLimit bounds the cache: a path takes one to three kilobytes.
const routeCacheLimit = 8192

func newRouteCache() *routeCache { return &routeCache{paths: map[string]card.Path{}} }

func (c *routeCache) get(revision string) (card.Path, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	path, ok := c.paths[revision]
	return path, ok
}

func (c *routeCache) put(revision string, path card.Path) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.paths) >= routeCacheLimit {
		for old := range c.paths { // any one: a shop works on far fewer paths than this at a time
			delete(c.paths, old)
			break
		}
	}
	c.paths[revision] = path
}

// probeSize is how many bytes a probe writes: about as many as an ordinary change does.
const probeSize = 32 << 10

// probing writes as many bytes as an ordinary change. They are random, so that no engine can compress them.
func probing(t querier) error {
	var filler strings.Builder
	for filler.Len() < probeSize {
		filler.WriteString(rand.Text())
	}
	return expectOne(t, `UPDATE counter SET value = value + 1, filler = $1 WHERE name = 'probe'`, filler.String())
}

package db

import (
	"sync"

	"github.com/routecard/routecard/shop/card"
)

// PathCache caches paths by revision. Every change gives a path a new revision, so a cached path is never out of date, not even after a
// rollback or a change by another process.
type PathCache struct {
	mu    sync.RWMutex
	paths map[string]card.Path
}

// pathCacheLimit is the maximum number of cached paths. A path takes one to three kilobytes.
const pathCacheLimit = 8192

// NewPathCache returns an empty cache.
func NewPathCache() *PathCache { return &PathCache{paths: map[string]card.Path{}} }

// Get returns the path that has a revision.
func (c *PathCache) Get(revision string) (card.Path, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	path, ok := c.paths[revision]
	return path, ok
}

// Put adds a path under its revision.
func (c *PathCache) Put(revision string, path card.Path) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.paths) >= pathCacheLimit {
		for old := range c.paths { // any path: a shop works on far fewer paths than this at a time
			delete(c.paths, old)
			break
		}
	}
	c.paths[revision] = path
}

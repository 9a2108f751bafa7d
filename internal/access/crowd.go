package access

import (
	"sync"
	"time"

	"github.com/routecard/routecard/shop/ident"
)

// crowd counts wrong attempts from places that already have too many. Such attempts get 429 and write nothing, so that guessing cannot fill
// the database. They must be counted, because a right secret is still accepted from there: otherwise the number of guesses at an account
// would be unlimited. The counts are lost when the service stops. A crowd is safe for concurrent use.
type crowd struct {
	mu    sync.Mutex
	until map[string]ident.Timestamp // by name of the place
	wrong map[string]Attempts        // by name of the account and place
}

// crowdMost is the largest number of accounts and of places that are counted.
const crowdMost = 10_000

// crowded reports whether a place had too many wrong attempts, as far as this instance knows.
func (c *crowd) crowded(place string, now ident.Timestamp) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.until[place] > now
}

// attempt counts an attempt at an account from a crowded place as wrong, or refuses it. The place stays crowded for the duration wait.
func (c *crowd) attempt(account subject, place string, now ident.Timestamp, wait time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.until == nil {
		c.until, c.wrong = map[string]ident.Timestamp{}, map[string]Attempts{}
	}
	if len(c.until) >= crowdMost || len(c.wrong) >= crowdMost {
		c.forget(now)
	}
	found, known := c.wrong[account.name]
	if locked := account.lock(found, now); locked > 0 {
		return tooManyAttempts(locked)
	}
	if !known && (len(c.until) >= crowdMost || len(c.wrong) >= crowdMost) {
		return tooManyAttempts(wait)
	}
	c.until[place] = ident.TimestampOf(now.Time().Add(wait))
	if found.Oldest == 0 {
		found.Oldest = now
	}
	c.wrong[account.name] = Attempts{Count: found.Count + 1, Oldest: found.Oldest, Newest: now}
	return nil
}

// forget drops the counts that have expired.
func (c *crowd) forget(now ident.Timestamp) {
	for place, until := range c.until {
		if until <= now {
			delete(c.until, place)
		}
	}
	for name, found := range c.wrong {
		if found.Newest.Time().Add(accountWindow).Before(now.Time()) {
			delete(c.wrong, name)
		}
	}
}

// succeeded drops the wrong attempts at an account.
func (c *crowd) succeeded(account string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.wrong, account)
}

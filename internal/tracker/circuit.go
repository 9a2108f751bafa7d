package tracker

import (
	"strings"
	"sync"
	"time"
)

// When requests to Jira are suspended.
const (
	circuitLimit = 4                // failed operations in succession
	circuitPause = 30 * time.Second // the time until one operation may try
	// memory is the time for which trouble is reported after the last request to Jira.
	memory = 10 * time.Minute
)

// circuit is a circuit breaker: it keeps callers from waiting for a Jira that failed for all callers before them. After circuitLimit
// failures in succession, no requests are sent for circuitPause. Then one caller tries for all.
type circuit struct {
	mu       sync.Mutex
	failures int
	refused  bool      // the last response refused the credentials
	last     time.Time // the time of the last failure
	trying   bool
}

// allow reports whether an operation may send requests, and whether it is the trial that decides for all other callers.
func (c *circuit) allow(now time.Time) (allowed, trial bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.failures < circuitLimit:
		return true, false
	case c.trying || now.Sub(c.last) < circuitPause:
		return false, false
	}
	c.trying = true
	return true, true
}

func (c *circuit) worked() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures, c.refused, c.trying = 0, false, false
}

// unknown ends an operation whose outcome says nothing about Jira.
func (c *circuit) unknown(trial bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if trial {
		c.trying = false
	}
}

// failed counts a failure. A status below 500, except 429, is a normal response: Jira works.
func (c *circuit) failed(now time.Time, status string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trying = false
	c.last = now
	answered := len(status) == 3 && strings.Trim(status, "0123456789") == "" && status < "500" && status != "429"
	switch {
	case !answered:
		c.failures++
	case status == "401":
		c.failures, c.refused = 0, true
	default:
		c.failures, c.refused = 0, false
	}
}

func (c *circuit) trouble(now time.Time) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case now.Sub(c.last) > memory:
		return ""
	case c.failures >= circuitLimit:
		return "The issue tracker is " + TrackerUnavailable
	case c.refused:
		return "The issue tracker refuses the credentials"
	}
	return ""
}

package httpapi

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/routecard/routecard"
)

// memory is the budget of the bodies that are being read or worked on, in bytes. It is safe for concurrent use.
type memory struct {
	mu    sync.Mutex
	left  int64
	freed chan struct{} // closed when some of it is given back
}

// newMemory makes a budget; nil, which refuses nothing, for a limit of zero.
func newMemory(limit int64) *memory {
	if limit <= 0 {
		return nil
	}
	return &memory{left: limit, freed: make(chan struct{})}
}

// memoryWait is how long a request waits for others to give back what it needs.
const memoryWait = time.Second

var errBusy = &refusal{http.StatusServiceUnavailable, routecard.ServiceBusy}

// share is what one request has of the budget.
type share struct {
	of    *memory
	ctx   context.Context //nolint:containedctx // it lives as long as the request
	taken int64
}

// take takes more of the budget, and waits briefly when there is not enough.
func (s *share) take(bytes int64) error {
	if s == nil || s.of == nil {
		return nil
	}
	var patience <-chan time.Time
	for {
		s.of.mu.Lock()
		freed, enough := s.of.freed, s.of.left >= bytes
		if enough {
			s.of.left -= bytes
			s.taken += bytes
		}
		s.of.mu.Unlock()
		if enough {
			return nil
		}
		if patience == nil {
			patience = time.After(memoryWait)
		}
		select {
		case <-freed:
		case <-patience:
			return errBusy
		case <-s.ctx.Done():
			return s.ctx.Err()
		}
	}
}

// giveBack ends the share.
func (s *share) giveBack() {
	if s == nil || s.of == nil || s.taken == 0 {
		return
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.of.left += s.taken
	s.taken = 0
	close(s.of.freed)
	s.of.freed = make(chan struct{})
}

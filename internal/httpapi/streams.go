package httpapi

import (
	"sync"

	"github.com/routecard/routecard/internal/remote"
)

// streamLimit is how many streams of events one account may have open, or all who are nobody at one address.
const streamLimit = 64

// streamRetry is after how many seconds somebody may ask again who has too many.
const streamRetry = "10"

// streams counts the open streams. It is safe for concurrent use, and the zero streams has none.
type streams struct {
	mu   sync.Mutex
	open map[string]int
}

// openStream takes a place for a stream, which the caller has to leave. Where nobody has to prove who they are there is no
// limit: everybody behind a proxy would share it.
func (s *Server) openStream(c *call) (leave func(), err error) {
	if s.config.Access == nil {
		return func() {}, nil
	}
	owner := remote.Of(c.r).Owner()
	if !s.streams.enter(owner) {
		c.w.Header().Set("Retry-After", streamRetry)
		return nil, refuse(manyStreams)
	}
	return func() { s.streams.leave(owner) }, nil
}

func (s *streams) enter(owner string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open[owner] >= streamLimit {
		return false
	}
	if s.open == nil {
		s.open = make(map[string]int)
	}
	s.open[owner]++
	return true
}

func (s *streams) leave(owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[owner]--
	if s.open[owner] == 0 {
		delete(s.open, owner)
	}
}

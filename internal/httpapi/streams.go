package httpapi

import (
	"sync"

	"github.com/routecard/routecard/internal/remote"
)

// streamLimit is the number of event streams that one account, or all anonymous callers at one address, may have open.
const streamLimit = 64

// streamRetry is the number of seconds after which a caller with too many streams may try again.
const streamRetry = "10"

// streams counts the open streams. It is safe for concurrent use, and its zero value is ready to use.
type streams struct {
	mu   sync.Mutex
	open map[string]int
}

// openStream reserves a stream. The caller must call leave when the stream ends. Without sign-in there is no limit, because all clients
// of a proxy would share it.
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

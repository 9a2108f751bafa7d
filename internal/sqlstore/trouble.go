package sqlstore

import (
	"log/slog"
	"sync"
	"sync/atomic"
)

// trouble logs when the database becomes unreachable and when it is reachable again. It logs each once and not for every caller.
type trouble struct {
	logger *slog.Logger
	there  atomic.Bool
	mu     sync.Mutex
	said   string
}

func (t *trouble) say(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.there.Store(true)
	if text := err.Error(); text != t.said {
		t.said = text
		t.logger.Warn("trouble with the database", "error", err)
	}
}

func (t *trouble) over() {
	if !t.there.CompareAndSwap(true, false) {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.said = ""
	t.logger.Info("the database works again")
}

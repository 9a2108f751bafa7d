package httpapi

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/routecard/routecard/internal/spool"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// memory is the memory that requests in flight share, in bytes: bodies that are being read or worked on, what
// was read for an answer, and the answer until it is written. It is safe for concurrent use.
type memory struct {
	mu      sync.Mutex
	left    int64
	waiting int
	freed   chan struct{} // closed when some of it is given back
	each    int64         // how much of it one owner may have at a time; 0 for all of it
	owners  map[string]int64
}

// newMemory makes a budget; nil, which refuses nothing, for a limit of zero.
func newMemory(limit int64) *memory {
	if limit <= 0 {
		return nil
	}
	return &memory{left: limit, freed: make(chan struct{}), owners: make(map[string]int64)}
}

// divide lets one owner have a quarter of the budget at a time, but as much as the largest request needs.
func (m *memory) divide() {
	if m != nil {
		m.each = max(m.left/4, memoryEach)
	}
}

const (
	// memoryWait is how long a request waits for others to give back what it needs.
	memoryWait = time.Second
	// memorySpare is what every request may use without taking it from the budget: as much as its connection has anyway.
	memorySpare = 16 << 10
	// memoryPiece is how much is taken from the budget at least.
	memoryPiece = 64 << 10
	// memoryEach is how much all requests of one account or address may have at least, when the budget is divided.
	memoryEach = 64 << 20
	// compressorMemory is what compressing an answer takes.
	compressorMemory = 1 << 20
)

// share is what one request has of the budget: a shop.MemoryBudget. A nil share takes what it is asked for.
type share struct {
	of  *memory
	ctx context.Context //nolint:containedctx // it lives as long as the request

	mu    sync.Mutex
	used  int64
	taken int64 // of the budget
	ended bool

	owner func() string // whose the share is; nil for nobody's
	// Under the lock of the budget:
	charged string // the owner for whom it is counted
	held    int64  // how much is counted
}

// belongs says whose a share is. That may change while nobody knows yet whose request it is.
func (s *share) belongs(owner func() string) {
	if s != nil && s.of.each > 0 {
		s.owner = owner
	}
}

// charge notes, under the lock of the budget, that the owner has so many bytes more.
func (s *share) charge(bytes int64) {
	if s.owner == nil {
		return
	}
	if owner := s.owner(); owner != s.charged {
		s.of.charge(s.charged, -s.held)
		s.of.charge(owner, s.held)
		s.charged = owner
	}
	s.held += bytes
	s.of.charge(s.charged, bytes)
}

func (m *memory) charge(owner string, bytes int64) {
	if m.owners[owner] += bytes; m.owners[owner] <= 0 {
		delete(m.owners, owner)
	}
}

// fits reports, under the lock of the budget, whether so many bytes can be taken.
func (s *share) fits(bytes int64) bool {
	return s.of.left >= bytes && (s.owner == nil || s.of.owners[s.owner()]+bytes <= s.of.each)
}

// share makes the share of a request, and a context that has it. Neither counts anything without a budget.
func (m *memory) share(ctx context.Context) (context.Context, *share) {
	if m == nil {
		return ctx, nil
	}
	s := &share{of: m, ctx: ctx}
	return shop.WithMemoryBudget(ctx, s), s
}

// shareOf is the share of a request.
func shareOf(r *http.Request) *share {
	s, _ := shop.MemoryBudgetOf(r.Context()).(*share)
	return s
}

// Take takes more of the budget when the request has used up what it took, and waits briefly when there is not enough.
func (s *share) Take(bytes int) error {
	if s == nil {
		return nil
	}
	missing := s.add(int64(bytes))
	if missing <= 0 {
		return nil
	}
	if err := s.draw(max(missing, memoryPiece)); err != nil {
		s.Release(bytes)
		return err
	}
	return nil
}

// add counts bytes as used and returns how many of them have to be taken. After the end of its request it counts nothing.
func (s *share) add(bytes int64) (missing int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return 0
	}
	s.used += bytes
	return s.used - s.taken - memorySpare
}

// Release implements shop.MemoryBudget.
func (s *share) Release(bytes int) {
	if s != nil {
		s.add(-int64(bytes))
	}
}

// TakeNow implements shop.MemoryBudget.
func (s *share) TakeNow(bytes int) {
	if s == nil {
		return
	}
	if missing := s.add(int64(bytes)); missing > 0 {
		s.of.mu.Lock()
		s.of.left -= missing
		s.charge(missing)
		s.of.mu.Unlock()
		s.took(missing)
	}
}

func (s *share) draw(bytes int64) error {
	var patience <-chan time.Time
	for {
		s.of.mu.Lock()
		freed, enough := s.of.freed, s.fits(bytes)
		if enough {
			s.of.left -= bytes
			s.charge(bytes)
		} else {
			s.of.waiting++
		}
		s.of.mu.Unlock()
		if enough {
			s.took(bytes)
			return nil
		}
		if patience == nil {
			patience = time.After(memoryWait)
		}
		var err error
		select {
		case <-freed:
		case <-patience:
			err = refusal.ErrBusy
		case <-s.ctx.Done():
			err = s.ctx.Err()
		}
		s.of.mu.Lock()
		s.of.waiting--
		s.of.mu.Unlock()
		if err != nil {
			return err
		}
	}
}

// took notes what was taken from the budget.
func (s *share) took(bytes int64) {
	s.mu.Lock()
	s.taken += bytes
	ended := s.ended
	s.mu.Unlock()
	if ended {
		s.giveBack()
	}
}

// giveBack empties the share: whoever has it may begin anew.
func (s *share) giveBack() {
	if s == nil {
		return
	}
	s.mu.Lock()
	taken := s.taken
	s.used, s.taken = 0, 0
	s.mu.Unlock()
	if taken == 0 {
		return
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.of.left += taken
	s.charge(-taken)
	if s.of.waiting > 0 {
		close(s.of.freed)
		s.of.freed = make(chan struct{})
	}
}

// end gives everything back, for good.
func (s *share) end() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.giveBack()
}

// count counts the body of a request while it is read.
func (s *share) count(r *http.Request) {
	if s != nil && r.Body != nil && r.Body != http.NoBody {
		r.Body = &countedBody{r.Body, s}
	}
}

type countedBody struct {
	io.ReadCloser
	memory *share
}

func (b *countedBody) Read(piece []byte) (int, error) {
	n, err := b.ReadCloser.Read(piece)
	if memoryErr := b.memory.Take(spool.BodyWeight * n); memoryErr != nil {
		return n, memoryErr
	}
	return n, err
}

// encoded encodes an answer, which counts as the request's until it is written.
func (c *call) encoded(value any) ([]byte, error) {
	buffer := bytes.NewBuffer(make([]byte, 0, 1024))
	if err := encode(buffer, value); err != nil {
		return nil, err
	}
	shareOf(c.r).TakeNow(buffer.Cap())
	return buffer.Bytes(), nil
}

// compressing reports whether a long answer to a request is compressed.
func compressing(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
}

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

// memory is the memory, in bytes, that all requests share while they are in flight: for bodies, for rows read for a response, and for the
// response until it is written. It is safe for concurrent use.
type memory struct {
	mu      sync.Mutex
	left    int64
	waiting int
	freed   chan struct{} // closed when a request returns memory
	each    int64         // the most that one owner may hold at a time; 0: the whole budget
	owners  map[string]int64
}

// newMemory makes a budget. If limit is zero, it returns nil, which refuses nothing.
func newMemory(limit int64) *memory {
	if limit <= 0 {
		return nil
	}
	return &memory{left: limit, freed: make(chan struct{}), owners: make(map[string]int64)}
}

// divide limits each owner to a quarter of the budget at a time, but not to less than memoryEach.
func (m *memory) divide() {
	if m != nil {
		m.each = max(m.left/4, memoryEach)
	}
}

const (
	// memoryWait is the time for which a request waits until others give back the memory that it needs.
	memoryWait = time.Second
	// memorySpare is the number of bytes that every request may use without charging the budget, about as much as its connection uses.
	memorySpare = 16 << 10
	// memoryPiece is the smallest number of bytes that is taken from the budget at a time.
	memoryPiece = 64 << 10
	// memoryEach is the least limit in bytes of an account or address if the budget is divided.
	memoryEach = 64 << 20
	// compressorMemory is the number of bytes that compressing a response takes.
	compressorMemory = 1 << 20
)

// share is the part of the budget that one request holds: a shop.MemoryBudget. A nil share grants all memory.
type share struct {
	of  *memory
	ctx context.Context //nolint:containedctx // it lives as long as the request

	mu    sync.Mutex
	used  int64
	taken int64 // from the budget
	ended bool

	owner func() string // returns the owner of the share; nil if it has none
	// The lock of the budget guards these:
	charged string // the owner that is charged for the share
	held    int64  // the number of bytes that are charged
}

// belongs sets the function that returns the owner of the share. The owner may change when the caller has been identified.
func (s *share) belongs(owner func() string) {
	if s != nil && s.of.each > 0 {
		s.owner = owner
	}
}

// charge charges the owner of the share with more bytes. The caller holds the lock of the budget.
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

// fits reports whether the number of bytes can be taken. The caller must hold the lock of the budget.
func (s *share) fits(bytes int64) bool {
	return s.of.left >= bytes && (s.owner == nil || s.of.owners[s.owner()]+bytes <= s.of.each)
}

// share makes the share of a request, and a context that contains the share. Without a budget the share is nil, and no memory is counted.
func (m *memory) share(ctx context.Context) (context.Context, *share) {
	if m == nil {
		return ctx, nil
	}
	s := &share{of: m, ctx: ctx}
	return shop.WithMemoryBudget(ctx, s), s
}

// shareOf returns the share of a request.
func shareOf(r *http.Request) *share {
	s, _ := shop.MemoryBudgetOf(r.Context()).(*share)
	return s
}

// Take counts bytes as used. It takes more from the budget if the request has used what it took, and waits up to memoryWait if the budget
// is short.
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

// add counts bytes as used and returns how many more must be taken from the budget. After the end of its request it counts nothing.
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

// took counts bytes that were taken from the budget.
func (s *share) took(bytes int64) {
	s.mu.Lock()
	s.taken += bytes
	ended := s.ended
	s.mu.Unlock()
	if ended {
		s.giveBack()
	}
}

// giveBack returns everything to the budget. The share can be used again.
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

// end returns everything to the budget. The share counts nothing afterwards.
func (s *share) end() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.giveBack()
}

// count makes the share count the body of a request while it is read.
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

// encoded encodes a response and counts it until the request ends.
func (c *call) encoded(value any) ([]byte, error) {
	buffer := bytes.NewBuffer(make([]byte, 0, 1024))
	if err := encode(buffer, value); err != nil {
		return nil, err
	}
	shareOf(c.r).TakeNow(buffer.Cap())
	return buffer.Bytes(), nil
}

// compressing reports whether a long response to a request is compressed.
func compressing(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip")
}

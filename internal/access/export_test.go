package access

import (
	"sync/atomic"
	"testing"
)

// CountHashes counts the hashes that a Service makes from now on.
func CountHashes(s *Service) *atomic.Int64 {
	var count atomic.Int64
	key := s.hasher.key
	s.hasher.key = func(secret, salt []byte, passes, memory uint32, lanes uint8, length uint32) []byte {
		count.Add(1)
		return key(secret, salt, passes, memory, lanes, length)
	}
	return &count
}

// PartyAt reports whether there are passkeys where people reach the service by an address.
func PartyAt(t testing.TB, origin string) bool {
	t.Helper()
	party, err := newRelyingParty(origin)
	if err != nil {
		t.Errorf("%q: %v", origin, err)
	}
	return party.refusal() == nil
}

// Digest is the form in which tickets are kept.
func Digest(secret string) string { return digest(secret) }

// FillQueue has as many wait for a hash as may, until empty is called.
func FillQueue(s *Service) (empty func()) {
	h := s.hasher
	for range cap(h.places) {
		h.places <- struct{}{}
	}
	h.queue.mu.Lock()
	defer h.queue.mu.Unlock()
	h.queue.waiting += queueMost
	return func() {
		h.queue.mu.Lock()
		defer h.queue.mu.Unlock()
		h.queue.waiting -= queueMost
		for range cap(h.places) {
			h.leave()
		}
	}
}

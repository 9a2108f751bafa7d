package access

import (
	"encoding/base64"
	"fmt"
	"sync/atomic"
	"testing"

	"golang.org/x/crypto/argon2"
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

// PartyAt reports whether users can have passkeys if they reach the service at this origin.
func PartyAt(t testing.TB, origin string) bool {
	t.Helper()
	party, err := newRelyingParty(origin)
	if err != nil {
		t.Errorf("%q: %v", origin, err)
	}
	return party.refusal() == nil
}

// Digest returns the form in which tickets are stored.
func Digest(secret string) string { return digest(secret) }

// FillQueue fills all places of the hash queue until empty is called.
func FillQueue(s *Service) (empty func()) {
	q := s.hasher.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	free := q.free
	q.free = 0
	for i := range queueMost {
		l := line(fmt.Sprint("session:", i))
		q.lines[l] = []*waiter{{make(chan error, 1)}}
		q.turns = append(q.turns, l)
	}
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.free = free
		clear(q.lines)
		q.turns = nil
	}
}

// HashBefore returns the former stored form of a secret, whose hash does not contain the owner.
func HashBefore(s *Service, secret string) string {
	salt := make([]byte, saltBytes)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, s.hasher.cost.MemoryKiB, s.hasher.cost.Passes, s.hasher.cost.Lanes,
		base64.RawStdEncoding.EncodeToString(salt), base64.RawStdEncoding.EncodeToString(s.hasher.derive(secret, salt, s.hasher.cost)))
}

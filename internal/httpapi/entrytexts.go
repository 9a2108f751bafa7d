package httpapi

import (
	"bytes"
	"net/http"
	"sync"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

const (
	// entryTextsLimit is the number of bytes after which a generation of entryTexts is full.
	entryTextsLimit = 4 << 20
	// entryTextsPage is the longest page of the trail that is answered from entryTexts.
	entryTextsPage = 200
)

// entryTexts keeps the JSON of entries of the trail by their sequence number. An entry never changes, so that its JSON is made
// once while it is asked for again and again. It has two generations: what is asked for comes into the young one, and when that
// is full the old one is dropped. It is safe for concurrent use.
type entryTexts struct {
	mu         sync.Mutex
	young, old map[int64][]byte
	size       int // of the texts in young
}

// find fills texts with the JSON of the entries that it has, from the sequence number newest downwards, and returns how many of
// texts have to be read from the trail: all down to the last that is missing.
func (k *entryTexts) find(newest int64, texts [][]byte) (missing int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i := range texts {
		sequence := newest - int64(i)
		text, ok := k.young[sequence]
		if !ok {
			if text, ok = k.old[sequence]; ok {
				k.add(sequence, text)
			}
		}
		if texts[i] = text; !ok {
			missing = i + 1
		}
	}
	return missing
}

// keep adds texts from the sequence number newest downwards. Nobody may change them afterwards.
func (k *entryTexts) keep(newest int64, texts [][]byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, text := range texts {
		if text != nil {
			k.add(newest-int64(i), text)
		}
	}
}

// add adds one text; the caller has the lock.
func (k *entryTexts) add(sequence int64, text []byte) {
	if k.young == nil || k.size >= entryTextsLimit {
		k.young, k.old, k.size = map[int64][]byte{}, k.young, 0
	}
	if _, known := k.young[sequence]; !known {
		k.young[sequence] = text
		k.size += len(text)
	}
}

// writeEntries answers count entries of the trail, from the sequence number newest downwards, of which none is missing in the trail.
func (s *Server) writeEntries(c *call, newest int64, count int) error {
	texts := make([][]byte, count)
	stream := newStream(c, http.StatusOK)
	if missing := s.entries.find(newest, texts); missing > 0 {
		if err := s.readEntries(c, stream, newest, texts[:missing]); err != nil {
			return err
		}
		s.entries.keep(newest, texts[:missing])
	}
	size := len("[]")
	for _, text := range texts {
		size += len(text) + len(",")
	}
	stream.buffer.Grow(min(size, 2*streamBuffer))
	stream.text("[")
	for _, text := range texts {
		if text == nil { // it cannot be read
			continue
		}
		if stream.items++; stream.items > 1 {
			stream.text(",")
		}
		stream.buffer.Write(text)
		if err := stream.flushFull(); err != nil {
			return err
		}
	}
	stream.text("]")
	return stream.finish()
}

// readEntries reads entries from the trail and makes their JSON. An entry that no JSON can be made of stays nil.
func (s *Server) readEntries(c *call, stream *listStream, newest int64, texts [][]byte) error {
	clear(texts)
	query := views.AuditQuery{Before: shop.AuditID(newest + 1), Limit: int64(len(texts))}
	var buffer bytes.Buffer
	for entry, err := range s.views.SearchAudit(c.r.Context(), query) {
		if err != nil {
			return err
		}
		buffer.Reset()
		if err := encode(&buffer, entry); err != nil { // somebody has edited it
			stream.leaveOut(entry, err)
			continue
		}
		if err := stream.memory.Take(buffer.Len()); err != nil {
			return err
		}
		if sequence, ok := shop.AuditSequence(entry.ID); ok && newest-sequence < int64(len(texts)) {
			texts[newest-sequence] = bytes.Clone(buffer.Bytes())
		}
	}
	return nil
}

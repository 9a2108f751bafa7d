package httpapi

import (
	"bytes"
	"iter"
	"slices"
	"sync"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

const (
	// entryTextsLimit is the number of bytes at which a generation of entryTexts is full.
	entryTextsLimit = 4 << 20
	// entryTextsPage is the largest number of entries of a response that uses entryTexts.
	entryTextsPage = 200
)

// entryTexts caches the JSON of audit entries by their sequence number. An entry never changes, so it is encoded once while clients keep
// requesting it. The cache has two generations: requested entries move to the young one, and when that is full the old one is dropped. It
// is safe for concurrent use.
type entryTexts struct {
	mu         sync.Mutex
	young, old map[int64][]byte
	size       int // the size of the texts in young
}

// find fills texts with the JSON of the cached entries. It returns the number of entries to read from the trail: all up to the last one
// that is missing. sequences and texts have the same length.
func (k *entryTexts) find(sequences []int64, texts [][]byte) (missing int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, sequence := range sequences {
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

// keep adds the texts of entries and skips nil texts. Callers must not change the texts afterwards.
func (k *entryTexts) keep(sequences []int64, texts [][]byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, text := range texts {
		if text != nil {
			k.add(sequences[i], text)
		}
	}
}

// add adds one text. The caller holds the lock.
func (k *entryTexts) add(sequence int64, text []byte) {
	if k.young == nil || k.size >= entryTextsLimit {
		k.young, k.old, k.size = map[int64][]byte{}, k.young, 0
	}
	if _, known := k.young[sequence]; !known {
		k.young[sequence] = text
		k.size += len(text)
	}
}

// entriesFound returns the entries with these sequence numbers, in the same order. read lists the first count of them.
func (s *Server) entriesFound(c *call, sequences []int64, read func(count int) iter.Seq2[trail.Entry, error]) (views.Found, error) {
	texts := make([][]byte, len(sequences))
	if missing := s.entries.find(sequences, texts); missing > 0 {
		if err := encodeEntries(c, read(missing), sequences[:missing], texts); err != nil {
			return views.Found{}, err
		}
		s.entries.keep(sequences[:missing], texts[:missing])
	}
	texts = slices.DeleteFunc(texts, func(text []byte) bool { return text == nil }) // those that cannot be encoded
	size := len("[]")
	for _, text := range texts {
		size += len(text) + len(",")
	}
	return views.Found{Rows: views.RowsIn(texts, nil), Size: size}, nil
}

// encodeEntries encodes the listed entries as JSON. sequences has the sequence number of each, in the same order. An entry that cannot be
// encoded has a nil text.
func encodeEntries(c *call, listed iter.Seq2[trail.Entry, error], sequences []int64, texts [][]byte) error {
	var buffer bytes.Buffer
	at, memory := 0, shareOf(c.r)
	for entry, err := range listed {
		if err != nil {
			return err
		}
		sequence, _ := ident.AuditSequence(entry.ID)
		for ; at < len(sequences) && sequences[at] != sequence; at++ {
			texts[at] = nil
		}
		if at == len(sequences) {
			break
		}
		buffer.Reset()
		if err := encode(&buffer, entry); err != nil { // it was edited in the database
			leaveOut(c.logger, &entry, err)
			continue
		}
		if err := memory.Take(buffer.Len()); err != nil {
			return err
		}
		texts[at] = bytes.Clone(buffer.Bytes())
		at++
	}
	clear(texts[at:len(sequences)])
	return nil
}

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
	// entryTextsLimit is the number of bytes after which a generation of entryTexts is full.
	entryTextsLimit = 4 << 20
	// entryTextsPage is how many entries an answer may have that is made from entryTexts.
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

// find fills texts with the JSON of those entries that it has, and returns how many have to be read from the trail: all up to the
// last that is missing. sequences and texts have the same length.
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

// keep adds the texts of entries, but those that are nil. Nobody may change them afterwards.
func (k *entryTexts) keep(sequences []int64, texts [][]byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, text := range texts {
		if text != nil {
			k.add(sequences[i], text)
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

// entriesFound are the entries with these sequence numbers, in their order. read lists the first so many of them.
func (s *Server) entriesFound(c *call, sequences []int64, read func(count int) iter.Seq2[trail.Entry, error]) (views.Found, error) {
	texts := make([][]byte, len(sequences))
	if missing := s.entries.find(sequences, texts); missing > 0 {
		if err := encodeEntries(c, read(missing), sequences[:missing], texts); err != nil {
			return views.Found{}, err
		}
		s.entries.keep(sequences[:missing], texts[:missing])
	}
	texts = slices.DeleteFunc(texts, func(text []byte) bool { return text == nil }) // those that cannot be read
	return views.Found{Rows: views.RowsIn(texts, nil)}, nil
}

// encodeEntries makes the JSON of listed entries, each of which has its sequence number among sequences, in the same order. An
// entry that no JSON can be made of has a nil text.
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
		if err := encode(&buffer, entry); err != nil { // somebody has edited it
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

package dossier_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/shop/trail"
)

// zeros yields a file of zeros.
type zeros struct{}

func (zeros) Read(to []byte) (int, error) {
	clear(to)
	return len(to), nil
}

// sparse keeps an archive in memory without its blocks of zeros.
type sparse struct {
	size   int64
	blocks map[int64][]byte
}

const sparseBlock = 64 << 10

func (s *sparse) Write(text []byte) (int, error) {
	written := len(text)
	for len(text) > 0 {
		number, at := s.size/sparseBlock, int(s.size%sparseBlock)
		piece := text[:min(len(text), sparseBlock-at)]
		if s.blocks[number] == nil && bytes.ContainsFunc(piece, func(r rune) bool { return r != 0 }) {
			s.blocks[number] = make([]byte, sparseBlock)
		}
		copy(s.blocks[number][min(at, len(s.blocks[number])):], piece)
		s.size, text = s.size+int64(len(piece)), text[len(piece):]
	}
	return written, nil
}

func (s *sparse) ReadAt(to []byte, at int64) (n int, err error) {
	for n < len(to) && at < s.size {
		within := int(at % sparseBlock)
		piece := to[n:min(len(to), n+sparseBlock-within)]
		piece = piece[:min(int64(len(piece)), s.size-at)]
		clear(piece)
		if block := s.blocks[at/sparseBlock]; block != nil {
			copy(piece, block[within:])
		}
		n, at = n+len(piece), at+int64(len(piece))
	}
	if n < len(to) {
		err = io.EOF
	}
	return n, err
}

// A dossier of more than 4 GiB, with files before and after it in the archive, is written with the size that was announced and proved, in
// little memory.
func TestLargeDossier(t *testing.T) {
	t.Parallel()
	const size = 1<<32 + 1000
	sum := sha256.New()
	if _, err := io.CopyN(sum, zeros{}, size); err != nil {
		t.Fatal(err)
	}
	l := aShop(t, "shop.example")
	l.append(trail.Entry{
		Action: "file_attached", UserID: "ann", Timestamp: 1769850000000, SerialID: "SN-00001",
		Metadata: json.RawMessage(fmt.Sprintf(`{"linkId":"flnk_2","sha256":%q,"size":%d,"type":"video/mp4","name":"test.mp4","kind":"other"}`,
			hex.EncodeToString(sum.Sum(nil)), size)),
	})
	content := l.content(11)
	whole := content.Open
	content.Open = func(digest string) (io.ReadCloser, error) {
		if digest == digestOf(picture) {
			return whole(digest)
		}
		return io.NopCloser(io.LimitReader(zeros{}, size)), nil
	}
	plan, err := dossier.Prepare(content)
	if err != nil {
		t.Fatal(err)
	}
	archive := &sparse{blocks: map[int64][]byte{}}
	if err := plan.Write(archive); err != nil {
		t.Fatal(err)
	}
	if plan.Size() != archive.size || archive.size < size {
		t.Errorf("%d bytes were announced, and %d written", plan.Size(), archive.size)
	}
	report, err := dossier.Verify(archive, archive.size, l.verifiers())
	if err != nil || !report.Proved || report.Files != 2 {
		t.Errorf("%+v %v", report, err)
	}
}

package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/patience"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

const (
	jsonType  = "application/json"
	linesType = "application/x-ndjson"
	yamlType  = "application/yaml"
)

// encode appends a value to the buffer as JSON. Of a list it gets a pointer to each item in turn: a value would be allocated to be given.
func encode(buffer *bytes.Buffer, value any) error {
	var text []byte
	var err error
	switch v := value.(type) {
	case card.Serial:
		text = appendSerial(buffer.AvailableBuffer(), &v)
	case *card.Serial:
		text = appendSerial(buffer.AvailableBuffer(), v)
	case shop.SerialListItem:
		text = appendSerialListItem(buffer.AvailableBuffer(), &v)
	case *shop.SerialListItem:
		text = appendSerialListItem(buffer.AvailableBuffer(), v)
	case shop.Job:
		text = appendJob(buffer.AvailableBuffer(), &v)
	case *shop.Job:
		text = appendJob(buffer.AvailableBuffer(), v)
	case trail.Entry:
		text, err = appendAuditEntry(buffer.AvailableBuffer(), &v)
	case *trail.Entry:
		text, err = appendAuditEntry(buffer.AvailableBuffer(), v)
	case shop.SerialDetail:
		text, err = appendSerialDetail(buffer.AvailableBuffer(), &v)
	}
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	if text != nil {
		_, _ = buffer.Write(text) // never fails
		return nil
	}
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	buffer.Truncate(buffer.Len() - 1) // the encoder ends every value with a line feed
	return nil
}

// write answers one value.
func (c *call) write(status int, value any) error {
	text, err := c.encoded(value)
	if err != nil {
		return err
	}
	return writeEncoded(c.w, status, text)
}

// writeJSON answers one short value.
func writeJSON(w http.ResponseWriter, status int, value any) error {
	buffer := bytes.NewBuffer(make([]byte, 0, 1024))
	if err := encode(buffer, value); err != nil {
		return err
	}
	return writeEncoded(w, status, buffer.Bytes())
}

// writeEncoded answers what is encoded already.
func writeEncoded(w http.ResponseWriter, status int, text []byte) error {
	header := w.Header()
	header.Set("Content-Type", jsonType)
	header.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, err := w.Write(text)
	return ignoreGone(err)
}

// ignoreGone drops the error of writing to a client that went away: nobody is left to be told.
func ignoreGone(error) error { return nil }

// streamBuffer is how much of a list is gathered before it is sent. While nothing was sent, a failure can still be
// answered properly; a short list is answered with its length.
const streamBuffer = 32 << 10

// writeList answers a list of any length without keeping it in memory. When it fails on the way, the connection is
// cut, so that the client cannot take half a list for a whole one.
func writeList[T any](c *call, status int, list iter.Seq2[T, error]) error {
	stream := newStream(c, status)
	stream.buffer.WriteByte('[')
	if err := writeItems(stream, list); err != nil {
		return err
	}
	stream.buffer.WriteByte(']')
	return stream.finish()
}

// writeItems writes what is listed, with commas between.
func writeItems[T any](stream *listStream, list iter.Seq2[T, error]) error {
	var item T // one place for all of them
	for next, err := range list {
		if err != nil {
			return stream.fail(err)
		}
		item = next
		before := stream.buffer.Len()
		if stream.items > 0 {
			stream.buffer.WriteByte(',')
		}
		if err := encode(&stream.buffer, &item); err != nil { // somebody has edited it
			stream.buffer.Truncate(before)
			stream.leaveOut(item, err)
			continue
		}
		stream.items++
		if err := stream.flushFull(); err != nil {
			return err
		}
	}
	return nil
}

// writeListIfChanged answers the list of all records of a kind with a name for its state, and 304 to a caller who has it in
// that state.
func writeListIfChanged[T any](s *Server, c *call, of ident.RecordKind, list iter.Seq2[T, error]) error {
	version, err := s.service.Version(c.r.Context(), of)
	if err != nil {
		return err
	}
	tag := `W/"` + version + `"`
	header := c.w.Header()
	header.Set("ETag", tag)
	header.Set("Cache-Control", "no-cache") // may be kept, but must be asked about
	if slices.Contains(strings.FieldsFunc(c.r.Header.Get("If-None-Match"), func(r rune) bool { return r == ',' || r == ' ' }), tag) {
		c.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return writeList(c, http.StatusOK, list)
}

type listStream struct {
	writer  http.ResponseWriter
	patient *patience.Writer
	status  int
	kind    string // the media type
	file    string // what to call it where it is kept; "" for what is no file
	buffer  bytes.Buffer
	items   int
	begun   bool // whether something was sent

	memory     *share
	counted    int  // of the memory, for the buffer
	compressed bool // when it is long
	logger     *slog.Logger
}

func newStream(c *call, status int) *listStream {
	return &listStream{
		writer: c.w, patient: patience.Limited(c.w), status: status, kind: jsonType,
		memory: shareOf(c.r), compressed: compressing(c.r), logger: c.logger,
	}
}

// leaveOut logs a record that no answer can be made of. A list goes on without it.
func (s *listStream) leaveOut(item any, err error) {
	table, id := "unknown", ""
	switch record := item.(type) {
	case trail.Entry:
		table, id = "audit", record.ID
	case shop.Certificate:
		table, id = "certificate", record.ID
	case shop.BOMVersion:
		table, id = "bom_version", record.ID
	}
	s.logger.Error("a record cannot be read and is left out of a list", "table", table, "id", id, "error", err)
}

// text adds to the answer what is written as it stands.
func (s *listStream) text(text string) { s.buffer.WriteString(text) }

// add adds to the answer what a function appends.
func (s *listStream) add(appending func([]byte) []byte) {
	s.buffer.Write(appending(s.buffer.AvailableBuffer()))
}

// flushFull sends what was gathered when it is worth sending.
func (s *listStream) flushFull() error {
	if s.buffer.Len() < streamBuffer {
		return nil
	}
	if err := s.count(); err != nil {
		return s.fail(err)
	}
	if err := s.flush(); err != nil {
		return &cutOffError{err: err, gone: true}
	}
	return nil
}

// count counts the buffer, and before a long answer begins what compresses it.
func (s *listStream) count() error {
	more := s.buffer.Cap() - s.counted
	if !s.begun && s.compressed {
		more += compressorMemory
	}
	if more <= 0 {
		return nil
	}
	s.counted = s.buffer.Cap()
	return s.memory.Take(more)
}

// finish sends what is left. A short answer is sent with its length.
func (s *listStream) finish() error {
	if !s.begun {
		s.writer.Header().Set("Content-Length", strconv.Itoa(s.buffer.Len()))
	}
	return ignoreGone(s.flush())
}

func (s *listStream) flush() error {
	if !s.begun {
		s.begun = true
		s.writer.Header().Set("Content-Type", s.kind)
		if s.file != "" {
			s.writer.Header().Set("Content-Disposition", `attachment; filename="`+s.file+`"`)
		}
		s.writer.WriteHeader(s.status)
	}
	_, err := s.patient.Write(s.buffer.Bytes())
	s.buffer.Reset()
	return err
}

// fail returns the error while it can still be answered, and cuts the connection afterwards.
func (s *listStream) fail(err error) error {
	if !s.begun {
		return err
	}
	return &cutOffError{err: err}
}

// cutOffError is a failure in the middle of an answer.
type cutOffError struct {
	err  error
	gone bool // whether it is the client that failed: it hung up, or took too long
}

func (c *cutOffError) Error() string { return "the answer was cut off: " + c.err.Error() }
func (c *cutOffError) Unwrap() error { return c.err }

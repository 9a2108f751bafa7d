package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/routecard/routecard/internal/patience"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

const (
	jsonType  = "application/json"
	linesType = "application/x-ndjson"
	yamlType  = "application/yaml"
)

// encode appends a value to the buffer as JSON. For the items of a list, value is a pointer: boxing each item would allocate.
func encode(buffer *bytes.Buffer, value any) error { return encodeWith(nil, buffer, value) }

// encodeWith is encode with an encoder that writes to the buffer. If encoder is nil, it creates one for values that need an encoder.
func encodeWith(encoder *json.Encoder, buffer *bytes.Buffer, value any) error {
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
	case *genealogy.Item:
		text = appendRecallItem(buffer.AvailableBuffer(), v)
	case *[]byte: // already JSON
		text = *v
	case *any:
		return encodeWith(encoder, buffer, *v)
	}
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	if text != nil {
		_, _ = buffer.Write(text) // never fails
		return nil
	}
	if encoder == nil {
		encoder = newEncoder(buffer)
	}
	if err := encoder.Encode(value); err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	buffer.Truncate(buffer.Len() - 1) // the encoder appends a line feed to every value
	return nil
}

func newEncoder(buffer *bytes.Buffer) *json.Encoder {
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	return encoder
}

// write responds with one value.
func (c *call) write(status int, value any) error {
	text, err := c.encoded(value)
	if err != nil {
		return err
	}
	return writeEncoded(c.w, status, text)
}

// writeJSON responds with one short value.
func writeJSON(w http.ResponseWriter, status int, value any) error {
	buffer := bytes.NewBuffer(make([]byte, 0, 1024))
	if err := encode(buffer, value); err != nil {
		return err
	}
	return writeEncoded(w, status, buffer.Bytes())
}

// writeEncoded responds with text that is already encoded.
func writeEncoded(w http.ResponseWriter, status int, text []byte) error {
	header := w.Header()
	header.Set("Content-Type", jsonType)
	header.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, err := w.Write(text)
	return ignoreGone(err)
}

// ignoreGone drops the error of a write to a disconnected client, which no response can reach.
func ignoreGone(error) error { return nil }

// streamBuffer is the number of bytes of a list that are buffered before they are sent. Until then a failure still gets an error response.
// A list that fits is sent with its Content-Length.
const streamBuffer = 32 << 10

// form describes how a list is written.
type form struct {
	mediaType string
	file      string // the name to save it under; "" if it is not a file
	// tagged says that the response has an ETag of its bytes, and is buffered until it is complete.
	tagged bool
	begin  func(to *listStream, found *views.Found) (rowWriter, error)
}

// rowWriter writes the rows of a list. Close writes its end.
type rowWriter interface {
	Row(row any) error
	Close() error
}

// formOf returns the form of a list in JSON. Files use one of exportForms.
func formOf(shape views.PageShape) form {
	if shape == views.Envelope {
		return form{mediaType: jsonType, begin: jsonRows(`{"items":[`, func(found *views.Found) string {
			if found.Next == "" {
				return "]}"
			}
			return `],"next":` + string(appendText(nil, found.Next)) + "}"
		})}
	}
	return form{
		mediaType: jsonType, tagged: shape == views.TaggedArray, begin: jsonRows("[", func(*views.Found) string { return "]" }),
	}
}

// jsonRows writes begins before the rows and the result of ends after them.
func jsonRows(begins string, ends func(*views.Found) string) func(*listStream, *views.Found) (rowWriter, error) {
	return func(to *listStream, found *views.Found) (rowWriter, error) {
		to.text(begins)
		return &jsonWriter{to, ends(found), newEncoder(&to.buffer)}, nil
	}
}

// jsonWriter separates rows with commas.
type jsonWriter struct {
	stream  *listStream
	end     string
	encoder *json.Encoder
}

// Row omits a record that cannot be encoded as JSON because it was edited in the database. In a tagged list it returns the error instead.
func (j *jsonWriter) Row(row any) error {
	before := j.stream.buffer.Len()
	if j.stream.items > 0 {
		j.stream.buffer.WriteByte(',')
	}
	if err := encodeWith(j.encoder, &j.stream.buffer, row); err != nil {
		if j.stream.tagged {
			return err
		}
		j.stream.buffer.Truncate(before)
		leaveOut(j.stream.logger, row, err)
		return nil
	}
	j.stream.items++
	return nil
}

func (j *jsonWriter) Close() error {
	j.stream.text(j.end)
	return nil
}

// writeList responds with a list of any length. It buffers the whole list only if the form is tagged. If it fails after the first bytes
// were sent, it cuts the connection, so that the client cannot mistake half a list for a whole one. For a HEAD of a file it reads at most
// the first row.
func writeList(c *call, status int, form form, found views.Found) error {
	stream := newStream(c, status)
	stream.kind, stream.file, stream.tagged = form.mediaType, form.file, form.tagged
	stream.buffer.Grow(min(found.Size, 2*streamBuffer))
	stream.text(found.Head)
	writer, err := form.begin(stream, &found)
	if err != nil {
		return err
	}
	if form.file != "" && c.r.Method == http.MethodHead {
		next, stop := iter.Pull2(found.Rows)
		_, err, some := next()
		stop()
		if err != nil {
			return err
		}
		if some {
			return stream.flush()
		}
	}
	if err := stream.rows(writer, found.Rows); err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return stream.fail(err)
	}
	if form.tagged {
		stream.memory.TakeNow(stream.buffer.Cap())
		return writeTagged(c, stream.buffer.Bytes())
	}
	return stream.finish()
}

type listStream struct {
	writer  http.ResponseWriter
	patient *patience.Writer
	status  int
	kind    string // the media type
	file    string // the name to save it under; "" if it is not a file
	buffer  bytes.Buffer
	items   int
	tagged  bool // whether it is buffered until it is complete
	begun   bool // whether something was sent

	memory     *share
	counted    int  // bytes of the memory that the buffer is charged with
	compressed bool // whether it is compressed if it is long
	logger     *slog.Logger
}

func newStream(c *call, status int) *listStream {
	return &listStream{
		writer: c.w, patient: patience.Limited(c.w), status: status, kind: jsonType,
		memory: shareOf(c.r), compressed: compressing(c.r), logger: c.logger,
	}
}

// leaveOut logs a record that cannot be encoded. The list omits it.
func leaveOut(logger *slog.Logger, row any, err error) {
	table, id := "unknown", ""
	switch record := row.(type) {
	case *trail.Entry:
		table, id = "audit", record.ID
	case *shop.Certificate:
		table, id = "certificate", record.ID
	case *shop.BOMVersion:
		table, id = "bom_version", record.ID
	}
	logger.Error("a record cannot be read and is left out of a list", "table", table, "id", id, "error", err)
}

// text adds a text to the response unchanged.
func (s *listStream) text(text string) { s.buffer.WriteString(text) }

// add passes the buffer to a function that appends to it.
func (s *listStream) add(appending func([]byte) []byte) {
	s.buffer.Write(appending(s.buffer.AvailableBuffer()))
}

// rows writes rows as they are read.
func (s *listStream) rows(writer rowWriter, rows views.Rows) error {
	for row, err := range rows {
		if err == nil {
			err = writer.Row(row)
		}
		if err != nil {
			return s.fail(err)
		}
		if err := s.flushFull(); err != nil {
			return err
		}
	}
	return nil
}

// flushFull sends the buffer if it is full.
func (s *listStream) flushFull() error {
	if s.tagged || s.buffer.Len() < streamBuffer {
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

// count charges the memory with the buffer and, at the first flush of a long response, with the compressor.
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

// finish sends the rest. A response that was not begun is sent with its Content-Length.
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

// fail returns the error if the response can still be an error, and cuts the connection otherwise.
func (s *listStream) fail(err error) error {
	if !s.begun {
		return err
	}
	return &cutOffError{err: err}
}

// cutOffError is a failure in the middle of a response.
type cutOffError struct {
	err  error
	gone bool // whether the client failed: it hung up, or took too long
}

func (c *cutOffError) Error() string { return "the answer was cut off: " + c.err.Error() }
func (c *cutOffError) Unwrap() error { return c.err }

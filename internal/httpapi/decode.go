package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

var (
	errNotObject = refuse(bodyNoObject)
	errTooLarge  = refuse(bodyTooLarge)
	errUnread    = refuse(bodyUnread)
	errNotJSON   = refuse(bodyNoJSON)
)

// body is the JSON object of a request as it was sent, without surrounding white space. It is known to be valid. An empty body counts as an
// empty object.
type body []byte

// readBody reads a request body of at most limit bytes. It also returns the exact bytes that were sent. A missing body counts as an empty
// object.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) (fields body, sent []byte, err error) {
	if kind := r.Header.Get("Content-Type"); kind != "" && !isJSON(kind) {
		return nil, nil, errNotJSON
	}
	if r.ContentLength > limit {
		return nil, nil, errTooLarge
	}
	sent, err = readObject(http.MaxBytesReader(w, r.Body, limit), r.ContentLength)
	if err == nil {
		return bytes.Trim(sent, jsonSpace), sent, nil
	}
	if failure, ok := errors.AsType[*unreadError](err); ok {
		err = unread(failure.err)
	}
	return nil, nil, err
}

// unread returns the error for a client whose body could not be read to the end.
func unread(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return errTooLarge
	}
	if refused, ok := errors.AsType[*access.RefusalError](err); ok {
		return refused
	}
	if busy, ok := errors.AsType[*refusal.Error](err); ok {
		return busy
	}
	return errUnread
}

// unreadError says that a body could not be read to its end.
type unreadError struct{ err error }

func (u *unreadError) Error() string { return errUnread.Error() }
func (u *unreadError) Unwrap() error { return u.err }

// readObject reads a JSON object in UTF-8 with nothing after it, and stops at the first byte that cannot be part of such an object. length,
// if known, lets it allocate a small object once. The buffer of a large object grows while the object arrives, because length is only what
// the client claims.
func readObject(r io.Reader, length int64) ([]byte, error) {
	const unknown, trusted, spare = 512, 64 << 10, 16
	if length < 0 {
		length = unknown
	}
	size := min(length, trusted) + spare
	text := make([]byte, 0, size)
	var scan scanner
	for {
		if len(text) == cap(text) {
			text = append(make([]byte, 0, 2*len(text)), text...)
		}
		n, err := r.Read(text[len(text):cap(text)])
		if scanErr := scan.feed(text[len(text) : len(text)+n]); scanErr != nil {
			return nil, scanErr
		}
		text = text[:len(text)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, &unreadError{err}
		}
	}
	if err := scan.end(); err != nil {
		return nil, err
	}
	if !utf8.Valid(text) {
		return nil, errNotObject
	}
	return text, nil
}

// jsonSpace has the white space that JSON allows between tokens.
const jsonSpace = " \t\r\n"

// isJSON reports whether a Content-Type is JSON, ignoring parameters and case.
func isJSON(contentType string) bool {
	if contentType == jsonType {
		return true
	}
	kind, _, err := mime.ParseMediaType(contentType)
	return (err == nil || errors.Is(err, mime.ErrInvalidMediaParameter)) &&
		(kind == "application/json" || strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json"))
}

// raw returns the value of a field as it was sent, or nil if the field is missing.
func (b body) raw(field string) (value json.RawMessage) {
	fields := []input.Field{{Name: field}}
	for name, member := range b.members() {
		if named(fields, name) == 0 {
			value = member
		}
	}
	return value
}

// members yields the names, quoted as they were sent, and the values.
func (b body) members() iter.Seq2[[]byte, json.RawMessage] {
	return func(yield func([]byte, json.RawMessage) bool) {
		if len(b) == 0 {
			return
		}
		for at := skipSpace(b, 1); b[at] == '"'; at = skipSpace(b, at+1) {
			end := skipValue(b, at)
			value := skipSpace(b, skipSpace(b, end)+1) // after the colon
			after := skipValue(b, value)
			if !yield(b[at:end], json.RawMessage(b[value:after:after])) {
				return
			}
			if at = skipSpace(b, after); b[at] != ',' {
				return
			}
		}
	}
}

// items yields the values of a list.
func items(list json.RawMessage) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		for at := skipSpace(list, 1); list[at] != ']'; at = skipSpace(list, at+1) {
			end := skipValue(list, at)
			if !yield(list[at:end:end]) {
				return
			}
			if at = skipSpace(list, end); list[at] == ']' {
				return
			}
		}
	}
}

// skipSpace returns the index of the next character that is not white space.
func skipSpace(text []byte, at int) int {
	for text[at] <= ' ' {
		at++
	}
	return at
}

// skipValue returns the index after the value that begins at an index. The text is known to be JSON.
func skipValue(text []byte, at int) int {
	switch text[at] {
	case '"':
		return skipText(text, at)
	case '{', '[':
		for depth := 0; ; {
			switch text[at] {
			case '"':
				at = skipText(text, at)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
			}
			at++
			if depth == 0 {
				return at
			}
		}
	}
	for at < len(text) && text[at] > ' ' && text[at] != ',' && text[at] != ']' && text[at] != '}' {
		at++
	}
	return at
}

func skipText(text []byte, at int) int {
	for at++; text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// parseText parses a string. A string without escapes is used unchanged.
func parseText(raw json.RawMessage) (text string, ok bool) {
	if raw[0] != '"' {
		return "", false
	}
	raw = raw[1 : len(raw)-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw), true
	}
	return unescape(raw), true
}

// unescape decodes the inside of a string that is known to be JSON. It writes invalid UTF-8 for a lone surrogate, so that the check of the
// field refuses it. encoding/json replaces it, which would change the text.
func unescape(raw []byte) string {
	text := make([]byte, 0, len(raw))
	for at := 0; at < len(raw); at++ {
		if raw[at] != '\\' {
			text = append(text, raw[at])
			continue
		}
		at++
		switch raw[at] {
		case 'b':
			text = append(text, '\b')
		case 'f':
			text = append(text, '\f')
		case 'n':
			text = append(text, '\n')
		case 'r':
			text = append(text, '\r')
		case 't':
			text = append(text, '\t')
		case 'u':
			first := codeUnit(raw, at-1)
			at += 4
			pair := utf16.DecodeRune(first, codeUnit(raw, at+1))
			switch {
			case pair != unicode.ReplacementChar:
				text = utf8.AppendRune(text, pair)
				at += 6
			case utf16.IsSurrogate(first):
				text = append(text, 0xE0|byte(first>>12&0x0F), 0x80|byte(first>>6&0x3F), 0x80|byte(first&0x3F))
			default:
				text = utf8.AppendRune(text, first)
			}
		default:
			text = append(text, raw[at])
		}
	}
	return string(text)
}

// codeUnit decodes an escape of the form \u0041. It returns 0 for any other text.
func codeUnit(raw []byte, at int) rune {
	if at+6 > len(raw) || raw[at] != '\\' || raw[at+1] != 'u' {
		return 0
	}
	code, err := strconv.ParseUint(string(raw[at+2:at+6]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(code)
}

// parseNumber parses a number. A number out of the range of float64 becomes an infinity, which no operation accepts.
func parseNumber(raw json.RawMessage) (float64, bool) {
	if raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, false
	}
	const exact = 15 // digits of a whole number that a float64 represents exactly
	if len(raw) <= exact && raw[0] != '-' {
		whole := 0
		for i := 0; '0' <= raw[i] && raw[i] <= '9'; i++ {
			whole = 10*whole + int(raw[i]-'0')
			if i == len(raw)-1 {
				return float64(whole), true
			}
		}
	}
	number, err := strconv.ParseFloat(string(raw), 64)
	return number, err == nil || math.IsInf(number, 0)
}

func parseFlag(raw json.RawMessage) (flag, ok bool) {
	return raw[0] == 't', raw[0] == 't' || raw[0] == 'f'
}

func parseObject(raw json.RawMessage) (json.RawMessage, bool) { return raw, raw[0] == '{' }

// parseWritten parses a string, or a number as it was written.
func parseWritten(raw json.RawMessage) (input.Written, bool) {
	if raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9' {
		return input.Written(raw), true
	}
	text, ok := parseText(raw)
	return input.Written(text), ok
}

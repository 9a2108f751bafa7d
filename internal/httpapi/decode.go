package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/routecard/routecard"
)

var (
	errNotObject = &refusal{http.StatusBadRequest, "Request body must be a valid JSON object"}
	errTooLarge  = &refusal{http.StatusRequestEntityTooLarge, "Request body is too large"}
	errNotJSON   = &refusal{http.StatusUnsupportedMediaType, "Content-Type must be application/json"}
)

// body is a request's JSON object. Its fields are read as what they are; whether they may be that is for the operation
// to say. Names are matched exactly, unknown fields are never looked at, and the last of two fields with one name counts.
type body map[string]json.RawMessage

// readBody reads a request's body of at most limit bytes. No body at all counts as an empty object.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) (body, error) {
	if kind := r.Header.Get("Content-Type"); kind != "" && !isJSON(kind) {
		return nil, errNotJSON
	}
	if r.ContentLength > limit {
		return nil, errTooLarge
	}
	text, err := readAll(http.MaxBytesReader(w, r.Body, limit), r.ContentLength)
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return nil, errTooLarge
		}
		return nil, &refusal{http.StatusBadRequest, "Request body could not be read"}
	}
	return parseBody(text)
}

// readAll reads a body whose length is usually known, so that it is allocated once. A large one grows as it arrives:
// its length is only what the client claims.
func readAll(r io.Reader, length int64) ([]byte, error) {
	const unknown, trusted = 512, 64 << 10
	if length < 0 {
		length = unknown
	}
	length = min(length, trusted)
	buffer := bytes.NewBuffer(make([]byte, 0, length+bytes.MinRead))
	_, err := buffer.ReadFrom(r)
	return buffer.Bytes(), err
}

// isJSON reports whether a Content-Type is JSON's, whatever its parameters and case.
func isJSON(contentType string) bool {
	if contentType == jsonType {
		return true
	}
	kind, _, err := mime.ParseMediaType(contentType)
	return (err == nil || errors.Is(err, mime.ErrInvalidMediaParameter)) &&
		(kind == "application/json" || strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json"))
}

// parseBody reads a JSON object in UTF-8 and nothing behind it.
func parseBody(text []byte) (body, error) {
	trimmed := bytes.TrimLeft(text, " \t\r\n")
	if len(trimmed) == 0 {
		return body{}, nil
	}
	if trimmed[0] != '{' || !utf8.Valid(trimmed) {
		return nil, errNotObject
	}
	b := body{}
	if err := json.Unmarshal(trimmed, &b); err != nil {
		return nil, errNotObject
	}
	return b, nil
}

// decodeField reads one value: parse tells whether it has the type.
func decodeField[T any](raw json.RawMessage, parse func(json.RawMessage) (T, bool)) routecard.Input[T] {
	switch {
	case raw == nil:
		return routecard.Input[T]{}
	case raw[0] == 'n':
		return routecard.Null[T]()
	}
	value, ok := parse(raw)
	if !ok {
		return routecard.Mistyped[T]()
	}
	return routecard.Given(value)
}

func (b body) text(field string) routecard.TextInput { return decodeField(b[field], parseText) }

func (b body) number(field string) routecard.NumberInput { return decodeField(b[field], parseNumber) }

func (b body) flag(field string) routecard.FlagInput { return decodeField(b[field], parseFlag) }

func (b body) object(field string) routecard.ObjectInput { return decodeField(b[field], parseObject) }

func (b body) texts(field string) routecard.TextsInput {
	return decodeField(b[field], func(raw json.RawMessage) ([]routecard.TextInput, bool) {
		return parseList(raw, func(item json.RawMessage) routecard.TextInput { return decodeField(item, parseText) })
	})
}

func (b body) steps(field string) routecard.StepsInput {
	return objects(b[field], func(item body) routecard.StepInput {
		return routecard.StepInput{
			Name: item.text("name"), Location: item.text("location"),
			Optional: item.flag("optional"), DependencyType: item.text("dependencyType"),
		}
	})
}

func (b body) bomEntries(field string) routecard.BOMEntriesInput {
	return objects(b[field], func(item body) routecard.BOMEntryInput {
		return routecard.BOMEntryInput{
			PartType: item.text("partType"), RequiredQuantityPerBuild: item.number("requiredQuantityPerBuild"),
			ContributingJobIDs: item.texts("contributingJobIds"),
		}
	})
}

// objects reads a list whose items are objects.
func objects[T any](raw json.RawMessage, read func(body) T) routecard.Input[[]routecard.Input[T]] {
	return decodeField(raw, func(raw json.RawMessage) ([]routecard.Input[T], bool) {
		return parseList(raw, func(item json.RawMessage) routecard.Input[T] {
			return decodeField(item, func(raw json.RawMessage) (T, bool) {
				fields, ok := parseFields(raw)
				return read(fields), ok
			})
		})
	})
}

// parseFields reads an object.
func parseFields(raw json.RawMessage) (fields body, ok bool) {
	return fields, raw[0] == '{' && json.Unmarshal(raw, &fields) == nil
}

func parseList[T any](raw json.RawMessage, read func(json.RawMessage) T) ([]T, bool) {
	var items []json.RawMessage
	if raw[0] != '[' || json.Unmarshal(raw, &items) != nil {
		return nil, false
	}
	values := make([]T, len(items))
	for i, item := range items {
		values[i] = read(item)
	}
	return values, true
}

// parseText reads a string. One without escapes is taken as it stands.
func parseText(raw json.RawMessage) (text string, ok bool) {
	if raw[0] != '"' {
		return "", false
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1]), true
	}
	return text, json.Unmarshal(raw, &text) == nil
}

// parseNumber reads a number. One beyond what a float64 holds becomes an infinity, which no operation accepts.
func parseNumber(raw json.RawMessage) (float64, bool) {
	if raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, false
	}
	number, err := strconv.ParseFloat(string(raw), 64)
	return number, err == nil || math.IsInf(number, 0)
}

func parseFlag(raw json.RawMessage) (flag, ok bool) {
	return raw[0] == 't', raw[0] == 't' || raw[0] == 'f'
}

func parseObject(raw json.RawMessage) (json.RawMessage, bool) { return raw, raw[0] == '{' }

// wholeQuery reads a whole number of zero or more from a query parameter. Anything else counts as absent; a number
// too large to matter counts as the largest.
func wholeQuery(r *http.Request, name string) (value int64, ok bool) {
	return parseWhole(r.URL.Query().Get(name))
}

func parseWhole(text string) (value int64, ok bool) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return math.MaxInt64, true
	}
	return value, true
}

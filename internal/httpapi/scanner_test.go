package httpapi

import (
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/input"
)

// endless is an infinite body that counts the bytes read from it.
type endless struct {
	begin, repeat string
	read          int64
}

func (e *endless) Read(b []byte) (int, error) {
	if e.begin == "" {
		e.begin = e.repeat
	}
	n := copy(b, e.begin) // one piece at a time
	e.begin = e.begin[n:]
	e.read += int64(n)
	return n, nil
}

// TestRefusedBodyIsNotReadOn sends bodies that would be 16 MiB and are refused at their beginning.
func TestRefusedBodyIsNotReadOn(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		begin, repeat, message string
		most                   int64
	}{
		"serials": {`{"serialIds":[`, `"S",`, "serialIds must have at most 100000 items", 1 << 20},
		"steps":   {`{"steps":[`, `{},`, "steps must have at most 1000 items", 16 << 10},
		"jobs of an entry": {`{"entries":[0,{"contributingJobIds":[`, `"",`,
			"entries[1].contributingJobIds must have at most 10000 items", 128 << 10},
		"no JSON": {`{"a":1]`, " ", "Request body must be a valid JSON object", 1 << 10},
		"a list":  {`[`, `1,`, "Request body must be a valid JSON object", 1 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := &endless{begin: test.begin, repeat: test.repeat}
			_, err := readObject(io.LimitReader(source, largeBodyLimit), -1)
			status, told := statusOf(err)
			if status != http.StatusBadRequest || told.Error() != test.message {
				t.Errorf("answered %d %s", status, told)
			}
			if source.read > test.most {
				t.Errorf("%d bytes were read", source.read)
			}
		})
	}
}

// TestEveryListHasALimit reads a list whose name the scanner does not have.
func TestEveryListHasALimit(t *testing.T) {
	t.Parallel()
	text, err := readObject(strings.NewReader(`{"moves":[`+strings.Repeat("{},", 10_000)+`{}]}`), -1)
	if err != nil {
		t.Fatal(err)
	}
	if got := fieldOf[[]input.TextInput](text, "moves"); !reflect.DeepEqual(got, input.TooMany[[]input.TextInput]()) {
		t.Error("a list of 10,001 was read")
	}
}

// TestBrokenOffBody reads bodies that are cut off at every place.
func TestBrokenOffBody(t *testing.T) {
	t.Parallel()
	const whole = `{"a": [1.5e-3, "x\u00e4", {"b": null}, true]}`
	for end := range whole {
		if end == 0 {
			continue
		}
		if _, err := readObject(strings.NewReader(whole[:end]), -1); !errors.Is(err, errNotObject) {
			t.Errorf("%s is an object (%v)", whole[:end], err)
		}
	}
	if _, err := readObject(strings.NewReader(whole), -1); err != nil {
		t.Error(err)
	}
}

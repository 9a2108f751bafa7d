package httpapi

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/routecard/routecard"
)

var bodySeeds = []string{
	"", " \r\n", "{}", `{"name":"Milling","goalQuantity":5}`, `{"a":{"b":[1,2,{"c":null}]}}`, `{"name":1,"name":"2"}`,
	`{"NAME":"x","n\u0061me":"y"}`, `{"s":"\ud83d\ude00\ud800"}`, `{"n":1e400,"m":-0.0,"o":9007199254740993}`, "null", "[]", `"x"`,
	"5", "{", `{"a":1,}`, `{"a":1} x`, `{"a":1}{"b":2}`, "{\"a\":\"\xff\"}", "{\"a\":\"\x00\"}", "\ufeff{}", "{\"\xc3\":1}",
	`{"steps":[{"name":"Saw","optional":true},null,5]}`, `{"serialIds":["SN-00001",7,null]}`,
	`{"entries":[{"partType":"x","requiredQuantityPerBuild":1.5,"contributingJobIds":["j"]}]}`, `{"metadata":{"a":[{}]}}`,
	`{"s":"\ud83dx","t":"\u00e4\ude00","a":[ ],"o":{ },"n":[1.5e+3,-0,0.1E-2,true,false,null]}`, `{"a":[1,]}`, `{"a":-}`, `{"a":1.}`,
	strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200),
}

// parseBody reads a body that arrives in two pieces.
func parseBody(text []byte) (body, error) {
	half := len(text) / 2
	return readObject(io.MultiReader(bytes.NewReader(text[:half]), bytes.NewReader(text[half:])), -1)
}

// fieldsOf are the members of a body by their names, as encoding/json would read them.
func fieldsOf(t *testing.T, b body) map[string]json.RawMessage {
	t.Helper()
	fields := map[string]json.RawMessage{}
	for quoted, value := range b.members() {
		var name string
		if err := json.Unmarshal(quoted, &name); err != nil {
			t.Fatalf("the name %s: %v", quoted, err)
		}
		fields[name] = value
	}
	return fields
}

// FuzzParseBody compares what the decoder accepts with encoding/json: exactly the JSON objects in UTF-8, and nothing.
func FuzzParseBody(f *testing.F) {
	for _, seed := range bodySeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := parseBody(text)
		space := len(bytes.Trim(text, " \t\r\n")) == 0
		var want map[string]json.RawMessage
		object := utf8.Valid(text) && json.Unmarshal(text, &want) == nil && want != nil
		switch {
		case space && (err != nil || len(got) != 0):
			t.Fatalf("nothing was read as %v, %v", got, err)
		case !space && object != (err == nil):
			t.Fatalf("%q: an object is %t, the decoder says %v", text, object, err)
		case !space && object && !reflect.DeepEqual(fieldsOf(t, got), want):
			t.Fatalf("%q was read as %s, want %s", text, fieldsOf(t, got), want)
		}
	})
}

// FuzzDecodeFields reads every field of a body as everything it could be, and compares with encoding/json.
func FuzzDecodeFields(f *testing.F) {
	for _, seed := range bodySeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fields, err := parseBody(text)
		if err != nil {
			return
		}
		for name, raw := range fieldsOf(t, fields) {
			if strings.ContainsRune(name, utf8.RuneError) {
				continue // may have been half of a surrogate pair, which is no name that anybody asks for
			}
			var value any
			if err := json.Unmarshal(raw, &value); err != nil {
				if !strings.Contains(err.Error(), "cannot unmarshal number") { // a number beyond float64 is a number
					t.Fatalf("%q has the field %q, which is no JSON: %v", text, name, err)
				}
				value = json.Number(raw)
			}
			halved := halfSurrogate.Match(raw) // which encoding/json replaces
			if got, want := fields.text(name), textOf(value); got != want && !halved {
				t.Errorf("%s is the text %v, want %v", raw, got, want)
			}
			if got, want := fields.flag(name), flagOf(value); got != want {
				t.Errorf("%s is the flag %v, want %v", raw, got, want)
			}
			checkNumber(t, raw, fields.number(name), value)
			if !halved {
				checkTexts(t, raw, fields.texts(name), value)
			}
			_, _, _ = fields.object(name), fields.steps(name), fields.bomEntries(name)
		}
		if got := fields.text("\x00absent"); len(fields) == 0 && got != (routecard.TextInput{}) {
			t.Errorf("an absent field is %v", got)
		}
	})
}

var halfSurrogate = regexp.MustCompile(`\\u[dD][89a-fA-F]`)

func textOf(value any) routecard.TextInput {
	switch value := value.(type) {
	case nil:
		return routecard.Null[string]()
	case string:
		return routecard.Given(value)
	}
	return routecard.Mistyped[string]()
}

func flagOf(value any) routecard.FlagInput {
	switch value := value.(type) {
	case nil:
		return routecard.Null[bool]()
	case bool:
		return routecard.Given(value)
	}
	return routecard.Mistyped[bool]()
}

func checkNumber(t *testing.T, raw json.RawMessage, got routecard.NumberInput, value any) {
	t.Helper()
	want := routecard.Mistyped[float64]()
	switch value := value.(type) {
	case nil:
		want = routecard.Null[float64]()
	case float64:
		want = routecard.Given(value)
	case json.Number:
		number, _, err := big.ParseFloat(string(value), 10, 64, big.ToNearestEven)
		if err != nil {
			return // beyond what is worth comparing
		}
		huge, _ := number.Float64()
		want = routecard.Given(huge)
	}
	if got != want {
		t.Errorf("%s is the number %v, want %v", raw, got, want)
	}
}

func checkTexts(t *testing.T, raw json.RawMessage, got routecard.TextsInput, value any) {
	t.Helper()
	want := routecard.Mistyped[[]routecard.TextInput]()
	switch value := value.(type) {
	case nil:
		want = routecard.Null[[]routecard.TextInput]()
	case []any:
		items := make([]routecard.TextInput, len(value))
		for i := range value {
			items[i] = textOf(value[i])
		}
		want = routecard.Given(items)
	}
	if _, ok := value.(json.Number); !ok && !reflect.DeepEqual(got, want) && !strings.ContainsAny(string(raw), "eE") {
		t.Errorf("%s is the list %v, want %v", raw, got, want)
	}
}

// FuzzWholeQuery holds the reader of limit and offset against its definition.
func FuzzWholeQuery(f *testing.F) {
	for _, seed := range []string{
		"", "limit", "limit=", "limit=5", "limit=0", "limit=007", "limit=-1", "limit=+1", "limit=%2B1", "limit=1.5", "limit=1e3",
		"limit=9223372036854775807", "limit=9223372036854775808", "limit=99999999999999999999999999", "limit=abc", "limit=%zz",
		"limit=1;limit=2", "limit=1&limit=2", "LIMIT=3", "limit=%D9%A1", "limit=1%00", "limit= 1", "a=1&limit=2#x", "limit=0x10", "limit=1_000",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		request := &http.Request{URL: &url.URL{RawQuery: query}}
		got, ok := wholeQuery(request, "limit")
		text := request.URL.Query().Get("limit")
		digits := text != ""
		for _, c := range []byte(text) {
			digits = digits && '0' <= c && c <= '9'
		}
		if ok != digits {
			t.Fatalf("limit is %q: read %t", text, ok)
		}
		if !ok {
			if got != 0 {
				t.Fatalf("limit is %q and was read as %d", text, got)
			}
			return
		}
		want, _ := new(big.Int).SetString(text, 10)
		if !want.IsInt64() {
			want = big.NewInt(1<<63 - 1)
		}
		if got != want.Int64() {
			t.Fatalf("limit is %q and was read as %d", text, got)
		}
	})
}

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
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

var bodySeeds = []string{
	"", " \r\n", "{}", `{"name":"Milling","goalQuantity":5}`, `{"a":{"b":[1,2,{"c":null}]}}`, `{"name":1,"name":"2"}`,
	`{"NAME":"x","n\u0061me":"y"}`, `{"s":"\ud83d\ude00\ud800"}`, `{"n":1e400,"m":-0.0,"o":9007199254740993}`, "null", "[]", `"x"`,
	"5", "{", `{"a":1,}`, `{"a":1} x`, `{"a":1}{"b":2}`, "{\"a\":\"\xff\"}", "{\"a\":\"\x00\"}", "\ufeff{}", "{\"\xc3\":1}",
	`{"steps":[{"name":"Saw","optional":true},null,5]}`, `{"serialIds":["SN-00001",7,null]}`,
	`{"n":[1e2,{"requiredQuantityPerBuild":-1.5E-3}],"s":[{"name":"a","name":null,"n\u0061me":7,"optional":0,"x":{"name":1}}]}`,
	`{"entries":[{"partType":"x","requiredQuantityPerBuild":1.5,"contributingJobIds":["j"]}]}`, `{"metadata":{"a":[{}]}}`,
	`{"s":"\ud83dx","t":"\u00e4\ude00","a":[ ],"o":{ },"n":[1.5e+3,-0,0.1E-2,true,false,null]}`, `{"a":[1,]}`, `{"a":-}`, `{"a":1.}`,
	strings.Repeat(`{"a":`, 200) + "1" + strings.Repeat("}", 200),
}

// parseBody reads a body that arrives in two pieces.
func parseBody(text []byte) (body, error) {
	half := len(text) / 2
	sent, err := readObject(io.MultiReader(bytes.NewReader(text[:half]), bytes.NewReader(text[half:])), -1)
	return bytes.Trim(sent, jsonSpace), err
}

// fieldsOf returns the members of a body by name, as encoding/json would read them.
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

// FuzzParseBody compares the bodies that the decoder accepts with encoding/json: JSON objects in UTF-8, and an empty body.
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

// FuzzDecodeFields decodes every field of a body as every type, and compares the results with encoding/json.
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
			if strings.ContainsRune(name, utf8.RuneError) || halfSurrogate.Match(raw) {
				continue // encoding/json replaces half of a surrogate pair, which is not valid text here
			}
			decoder := json.NewDecoder(bytes.NewReader(raw))
			decoder.UseNumber() // a number out of the range of float64 is still a number
			var value any
			if err := decoder.Decode(&value); err != nil {
				t.Fatalf("%q has the field %q, which is no JSON: %v", text, name, err)
			}
			same(t, raw, fieldOf[string](fields, name), readText(value))
			same(t, raw, fieldOf[bool](fields, name), readFlag(value))
			same(t, raw, fieldOf[float64](fields, name), readNumber(value))
			same(t, raw, fieldOf[[]input.TextInput](fields, name), readList(value, readText))
			same(t, raw, fieldOf[json.RawMessage](fields, name), readAs(value, func(map[string]any) json.RawMessage { return raw }))
			same(t, raw, fieldOf[[]input.Input[shop.StepInput]](fields, name), readList(value, func(item any) input.Input[shop.StepInput] {
				return readAs(item, func(step map[string]any) shop.StepInput {
					return shop.StepInput{
						Name: member(step, "name", readText), Location: member(step, "location", readText),
						Optional: member(step, "optional", readFlag), DependencyType: member(step, "dependencyType", readText),
					}
				})
			}))
			same(t, raw, fieldOf[[]input.Input[shop.BOMEntryInput]](fields, name), readList(value, func(item any) input.Input[shop.BOMEntryInput] {
				return readAs(item, func(entry map[string]any) shop.BOMEntryInput {
					return shop.BOMEntryInput{
						PartType:                 member(entry, "partType", readText),
						RequiredQuantityPerBuild: member(entry, "requiredQuantityPerBuild", readNumber),
						ContributingJobIDs: member(entry, "contributingJobIds", func(value any) input.TextsInput {
							return readList(value, readText)
						}),
					}
				})
			}))
		}
		if got := fieldOf[string](fields, "\x00absent"); len(fields) == 0 && got != (input.TextInput{}) {
			t.Errorf("an absent field is %v", got)
		}
	})
}

// halfSurrogate matches escapes of surrogates, including whole pairs: testdata/cases/limits.txt has those.
var halfSurrogate = regexp.MustCompile(`\\u[dD][89a-fA-F]`)

func same[T any](t *testing.T, raw json.RawMessage, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s was read as %+v, want %+v", raw, got, want)
	}
}

// readAs returns the expected result of decoding a value into a field of type V.
func readAs[V, T any](value any, read func(V) T) input.Input[T] {
	switch value := value.(type) {
	case nil:
		return input.Null[T]()
	case V:
		return input.Given(read(value))
	}
	return input.Mistyped[T]()
}

func readText(value any) input.TextInput {
	return readAs(value, func(text string) string { return text })
}

func readFlag(value any) input.FlagInput {
	return readAs(value, func(flag bool) bool { return flag })
}

func readNumber(value any) input.NumberInput {
	return readAs(value, func(number json.Number) float64 {
		parsed, _ := strconv.ParseFloat(string(number), 64) // infinite if it is out of the range of float64
		return parsed
	})
}

func readList[T any](value any, read func(any) T) input.Input[[]T] {
	return readAs(value, func(items []any) []T {
		list := make([]T, len(items))
		for i := range items {
			list[i] = read(items[i])
		}
		return list
	})
}

func member[T any](object map[string]any, name string, read func(any) input.Input[T]) input.Input[T] {
	value, ok := object[name]
	if !ok {
		return input.Input[T]{}
	}
	return read(value)
}

// FuzzWholeQuery compares the parser of limit and offset with its definition.
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
		text := request.URL.Query().Get("limit")
		got, ok := parseWhole(text)
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

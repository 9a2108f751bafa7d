package ledger_test

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"github.com/routecard/routecard/ledger"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, text, want string }{
		{"the example of RFC 8785", `{
			"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
			"string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
			"literals": [null, true, false]
		}`, `{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`},
		{"names in the order of UTF-16", `{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",
			"\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
			`{"\r":"Carriage Return","1":"One","` + "\u0080" + `":"Control","ö":"Latin Small Letter O With Diaeresis",` +
				`"€":"Euro Sign","😀":"Emoji: Grinning Face","` + "\ufb33" + `":"Hebrew Letter Dalet With Dagesh"}`},
		{"objects in objects", ` {"b" : {"z":1 , "a":[ {"y":2,"x":{}} ]}, "a":[]} `, `{"a":[],"b":{"a":[{"x":{},"y":2}],"z":1}}`},
		{"whole numbers", `[0, -0, 9007199254740991, 9007199254740993, 100000000000000000000, 1000000000000000000000, -1]`,
			`[0,0,9007199254740991,9007199254740992,100000000000000000000,1e+21,-1]`},
		{"small numbers", `[0.000001, 0.0000001, 5e-324, 1e-400, 1.0]`, `[0.000001,1e-7,5e-324,0,1]`},
		{"texts", `["<&>", "\u003c", "\u2028", "\u007f", "\b\f\t"]`, `["<&>","<","` + "\u2028" + `","` + "\u007f" + `","\b\f\t"]`},
	} {
		got, err := ledger.Canonical([]byte(test.text))
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %v\n got %s\nwant %s", test.name, err, got, test.want)
		}
	}
	for _, text := range []string{
		``, `{`, `[1,]`, `{"a":1,}`, `{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `"\ud800"`, `"\udc00\ud800"`, `"\ud800x"`, "\"\xff\"", "\"\\n\xff\"",
		"\"\n\"", `"\x"`, `"\u12"`, `01`, `-`, `1.`, `.5`, `1e`, `1e999`, `tru`, `nul`, `1 2`, `{1:2}`, `{"a"}`, `"`, `{"a":}`,
		strings.Repeat("[", 2000) + strings.Repeat("]", 2000),
	} {
		if got, err := ledger.Canonical([]byte(text)); err == nil {
			t.Errorf("%.40q became %.40q", text, got)
		}
	}
}

// The canonical form agrees with other implementations of the standard.
func TestCanonicalAgreesWithOthers(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[\x00-\x7fäß😀\x{fb33}"\\]{0,8}`))
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		kinds := []*rapid.Generator[any]{
			rapid.Map(text, func(s string) any { return strings.ToValidUTF8(s, "?") }),
			rapid.Map(rapid.Int64(), func(n int64) any { return json.Number(strconv.FormatInt(n, 10)) }),
			rapid.Map(rapid.Float64Range(-math.MaxFloat64, math.MaxFloat64), func(f float64) any { return f }),
			rapid.SampledFrom([]any{nil, true, false, 0.0, 1e21, 1e-7}),
		}
		if depth > 0 {
			kinds = append(kinds,
				rapid.Map(rapid.SliceOfN(value(depth-1), 0, 4), func(v []any) any { return v }),
				rapid.Map(rapid.MapOfN(rapid.Map(text, func(s string) string { return strings.ToValidUTF8(s, "?") }), value(depth-1), 0, 6),
					func(v map[string]any) any { return v }))
		}
		return rapid.OneOf(kinds...)
	}
	rapid.Check(t, func(t *rapid.T) {
		encoded, err := json.Marshal(value(3).Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		want := jsontext.Value(slices.Clone(encoded))
		if err := want.Canonicalize(); err != nil {
			t.Fatal(err)
		}
		got, err := ledger.Canonical(encoded)
		if err != nil || string(got) != string(want) {
			t.Fatalf("%s: %v\n got %s\nwant %s", encoded, err, got, want)
		}
		again, err := ledger.Canonical(got)
		if err != nil || string(again) != string(got) {
			t.Fatalf("the form of the form of %s is %s, %v", got, again, err)
		}
	})
}

func FuzzCanonical(f *testing.F) {
	for _, text := range []string{`{"a":[1.5e3,"\u00e4\n"],"\r":{}}`, `"\ud83d\ude00"`, `-0`, `[[],{}]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := ledger.Canonical(text)
		want := jsontext.Value(slices.Clone(text))
		wantErr := want.Canonicalize()
		if (err == nil) != (wantErr == nil) {
			if err != nil && strings.Contains(err.Error(), "beyond") || strings.Contains(string(text), "e") {
				t.Skip("how far an exponent may go is judged differently")
			}
			t.Fatalf("%q: %v, others say %v", text, err, wantErr)
		}
		if err == nil && string(got) != string(want) {
			t.Fatalf("%q: %q, others have %q", text, got, want)
		}
	})
}

func TestLeaf(t *testing.T) {
	t.Parallel()
	const entry = `{"id":"aud_0000000000000007","action":"path_updated","userId":"lead","timestamp":"2026-01-31T09:30:00.000Z",` +
		`"jobId":"job_1","batchQuantity":5,"metadata":{"before":{"name":"A"},"after":{"name":"<B>"}},"actor":"token:t1"}`
	// printf '{"after":{"name":"<B>"},"before":{"name":"A"}}' | sha256sum
	const want = `{"action":"path_updated","actor":"token:t1","batchQuantity":5,"id":"aud_0000000000000007","jobId":"job_1",` +
		`"metadataSha256":"c98ecdc5930220cdbb788f63269a7c8622925fb396514be01598b6c34bc15c77",` +
		`"timestamp":"2026-01-31T09:30:00.000Z","userId":"lead"}`
	leaf, err := ledger.Leaf([]byte(entry))
	if err != nil || string(leaf) != want {
		t.Fatalf("%v\n got %s\nwant %s", err, leaf, want)
	}
	again, err := ledger.Leaf([]byte(strings.ReplaceAll(entry, `{"before":{"name":"A"},"after":{"name":"<B>"}}`,
		` { "after" : {"name":"\u003cB>"}, "before":{"name":"A"} }`)))
	if err != nil || string(again) != string(leaf) {
		t.Errorf("metadata that means the same made %s, %v", again, err)
	}
	for _, wrong := range []string{`[]`, `"x"`, `{"metadata":{"a":1},"metadataSha256":"x"}`, `{"userId":"` + strings.Repeat("x", 1<<16) + `"}`} {
		if leaf, err := ledger.Leaf([]byte(wrong)); err == nil {
			t.Errorf("%.40s made the leaf %.40s", wrong, leaf)
		}
	}
}

func BenchmarkLeaf(b *testing.B) {
	const entry = `{"id":"aud_0000000000000007","action":"serial_advanced","userId":"anna","timestamp":"2026-01-31T09:30:00.000Z",` +
		`"serialId":"SN-00417","jobId":"job_01M7Z97QKWS326FVG3ZFC9BWHZ","pathId":"path_01M7Z97QKWS326FVG3ZFC9BWHZ",` +
		`"fromStepId":"step_01M7Z97QKWS326FVG3ZFC9BWHZ","toStepId":"step_01M7Z97QKWS326FVG3ZFC9BWHA"}`
	var maker ledger.LeafMaker
	tree := &ledger.Tree{}
	b.ReportAllocs()
	for b.Loop() {
		leaf, err := maker.Leaf([]byte(entry))
		if err != nil {
			b.Fatal(err)
		}
		tree.Add(ledger.LeafHash(leaf))
	}
}

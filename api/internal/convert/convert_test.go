package convert

import (
	"strings"
	"testing"
)

func TestJSONKeepsOrderAndNumbers(t *testing.T) {
	const document = `
z: 9007199254740991
a: [1.50, true, null, '200', <b> & "c" —]
m: { '200': {}, n: [] }
text: |
  two
  lines
`
	const want = `{
  "z": 9007199254740991,
  "a": [
    1.50,
    true,
    null,
    "200",
    "<b> & \"c\" —"
  ],
  "m": {
    "200": {},
    "n": []
  },
  "text": "two\nlines\n"
}
`
	got, err := JSON([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestJSONRefusesWhatIsNotJSON(t *testing.T) {
	tests := map[string]struct{ document, message string }{
		"empty":            {"", "there is no document"},
		"number as key":    {"a: 1\n200: b", `line 2: key "200" is not a string, put it in quotes`},
		"key twice":        {"a: 1\nb: 2\na: 3", `"a"`},
		"timestamp":        {"at: 2026-01-31T09:30:00.000Z", `line 1: "2026-01-31T09:30:00.000Z" is read as !!timestamp, put it in quotes`},
		"octal":            {"mode: 0o644", `line 1: write "0o644" the way JSON does`},
		"null as a tilde":  {"nothing: ~", `line 1: write "~" the way JSON does`},
		"anchor":           {"a: &here 1", "line 1: anchors are not supported"},
		"malformed":        {"a: [1", "line"},
		"not JSON at all":  {"a: .inf", `line 1: write ".inf" the way JSON does`},
		"value left empty": {"a:", `line 1: write "" the way JSON does`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := JSON([]byte(test.document))
			if err == nil {
				t.Fatalf("got %s, want an error", got)
			}
			if !strings.Contains(err.Error(), test.message) {
				t.Errorf("got error %q, want it to contain %q", err, test.message)
			}
		})
	}
}

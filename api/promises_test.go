package api_test

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/routecard/routecard/api"
)

var release = flag.Bool("release", false, "write what the document promises to testdata/promises.txt, as a release does")

// A promise is one fact that a client may rely on, such as a field of a response.
type promise struct {
	types string // the types that it may have, sorted and separated by |
	must  bool   // in a request: it is required; in a response: it is always present
	sent  bool   // whether clients send it
}

func (p promise) String() string {
	words := []string{"answered", p.types, "sometimes"}
	if p.sent {
		words[0], words[2] = "sent", "optional"
	}
	if p.must {
		words[2] = "always"
	}
	return strings.Join(words, " ")
}

// promises collects the promises of a document, by their place: "GET /api/jobs 200", "POST /api/jobs < name", or "> Job.name" for a schema
// of responses.
type promises map[string]promise

// TestPromises compares the document with that of the last release, as docs/api/versions.md says, and reports changes that would break a
// client.
func TestPromises(t *testing.T) {
	now := promisesOf(load(t, api.YAML))
	const file = "testdata/promises.txt"
	if *release {
		if err := os.WriteFile(file, []byte(now.text()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	promised := string(text)
	for was, is := range renamedSchemas {
		if now["> "+is].types == "" || now["> "+was].types != "" {
			t.Errorf("the document has no schema %s, or still has %s", is, was)
		}
		promised = regexp.MustCompile(`\b`+was+`\b`).ReplaceAllString(promised, is)
	}
	released := parsePromises(t, promised)
	if len(released) < 500 {
		t.Fatalf("%s has %d lines", file, len(released))
	}
	broken := released.brokenBy(now)
	for _, one := range broken {
		if brokenOnPurpose[one] == "" {
			t.Errorf("%s since the last release: docs/api/versions.md says what may change", one)
		}
	}
	for one := range brokenOnPurpose {
		if !slices.Contains(broken, one) {
			t.Errorf("%q is no change since the last release", one)
		}
	}
}

// renamedSchemas are the schemas that were renamed since the last release. Requests and responses do not contain their names.
var renamedSchemas = map[string]string{}

// brokenOnPurpose are changes since the last release that break clients, with the reason. CHANGELOG.md lists each.
var brokenOnPurpose = map[string]string{}

// TestBrokenPromises checks that each kind of change that breaks clients is found, and no other.
func TestBrokenPromises(t *testing.T) {
	before := promises{
		"GET /a": {}, "GET /a ? limit": {"integer", false, true}, "GET /a 200": {"A", true, false},
		"POST /a": {}, "POST /a < name": {"string", true, true}, "POST /a < note": {"null|string", false, true},
		"> A.id": {"string", true, false}, "> A.due": {"string", false, false},
	}
	for what, change := range map[string]func(promises){
		"":                                  func(promises) {},
		"GET /a is gone":                    func(p promises) { delete(p, "GET /a") },
		"> A.due is gone":                   func(p promises) { delete(p, "> A.due") },
		"> A.id is sometimes left":          func(p promises) { p["> A.id"] = promise{"string", false, false} },
		"> A.due may be null":               func(p promises) { p["> A.due"] = promise{"null|string", false, false} },
		"POST /a < note may not be null":    func(p promises) { p["POST /a < note"] = promise{"string", false, true} },
		"POST /a < note has to be sent":     func(p promises) { p["POST /a < note"] = promise{"null|string", true, true} },
		"POST /a < new has to be sent":      func(p promises) { p["POST /a < new"] = promise{"string", true, true} },
		"GET /a ? limit may not be integer": func(p promises) { p["GET /a ? limit"] = promise{"string", false, true} },
	} {
		after := maps.Clone(before)
		change(after)
		broken := before.brokenBy(after)
		if what == "" && len(broken) != 0 || what != "" && (len(broken) != 1 || !strings.HasPrefix(broken[0], what)) {
			t.Errorf("%q: found %q", what, broken)
		}
	}
	after := maps.Clone(before)
	after["POST /a < new"] = promise{"string", false, true}
	after["POST /a < name"] = promise{"integer|string", false, true}
	after["> A.new"] = promise{"string", true, false}
	after["> A.due"] = promise{"string", true, false}
	after["PUT /b"], after["PUT /b < x"] = promise{}, promise{"string", true, true}
	if broken := before.brokenBy(after); len(broken) != 0 {
		t.Errorf("what breaks nobody is found: %q", broken)
	}
	if again := parsePromises(t, before.text()); !maps.Equal(again, before) {
		t.Errorf("written and read: %v", again)
	}
}

// brokenBy returns the promises that a later document breaks.
func (p promises) brokenBy(now promises) (broken []string) {
	for _, place := range slices.Sorted(maps.Keys(p)) {
		was := p[place]
		is, there := now[place]
		switch {
		case !there:
			broken = append(broken, place+" is gone")
			continue
		case was.sent && !was.must && is.must:
			broken = append(broken, place+" has to be sent")
		case !was.sent && was.must && !is.must:
			broken = append(broken, place+" is sometimes left out")
		}
		may, must, sentence := was.types, is.types, " may not be "
		if !was.sent {
			may, must, sentence = is.types, was.types, " may be "
		}
		for kind := range strings.SplitSeq(may, "|") {
			if !slices.Contains(strings.Split(must, "|"), kind) {
				broken = append(broken, place+sentence+kind)
			}
		}
	}
	for _, place := range slices.Sorted(maps.Keys(now)) {
		holder := strings.TrimRight(place[:max(0, strings.LastIndexAny(place, " ."))], " <?")
		_, old := p[place]
		if _, known := p[holder]; now[place].sent && now[place].must && !old && known {
			broken = append(broken, place+" has to be sent")
		}
	}
	return broken
}

func (p promises) text() string {
	var text strings.Builder
	for _, place := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(&text, "%s: %s\n", place, p[place])
	}
	return text.String()
}

func parsePromises(t *testing.T, text string) promises {
	t.Helper()
	all := promises{}
	for line := range strings.Lines(text) {
		place, words, ok := strings.Cut(strings.TrimSpace(line), ": ")
		fields := strings.Split(words, " ")
		if !ok || len(fields) != 3 {
			t.Fatalf("not understood: %q", line)
		}
		all[place] = promise{fields[1], fields[2] == "always", fields[0] == "sent"}
	}
	return all
}

func promisesOf(doc *openapi3.T) promises {
	all := promises{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			name := method + " " + path
			all[name] = promise{}
			for _, parameter := range operation.Parameters {
				if parameter.Value.In == openapi3.ParameterInPath {
					continue
				}
				all[name+" ? "+parameter.Value.Name] = promise{all.types(parameter.Value.Schema, true), parameter.Value.Required, true}
			}
			if operation.RequestBody != nil {
				if media := operation.RequestBody.Value.Content.Get("application/json"); media != nil {
					all.object(name+" <", " ", media.Schema, true)
				}
			}
			for status, response := range operation.Responses.Map() {
				if !strings.HasPrefix(status, "2") {
					continue
				}
				types := "nothing"
				if media := response.Value.Content.Get("application/json"); media != nil {
					types = all.types(media.Schema, false)
					if media.Schema.Ref == "" {
						all.object(name+" "+status, " ", media.Schema, false)
					}
				}
				all[name+" "+status] = promise{types, true, false}
			}
		}
	}
	failed := &openapi3.SchemaRef{Ref: "#/components/schemas/Error", Value: doc.Components.Schemas["Error"].Value}
	all[http.MethodGet+" errors"] = promise{all.types(failed, false), true, false}
	return all
}

// object adds the promises for the fields of an object. A named schema is added once, under its name.
func (p promises) object(place, between string, schema *openapi3.SchemaRef, sent bool) {
	for _, part := range schema.Value.AllOf {
		p.object(place, between, part, sent)
	}
	for name, field := range schema.Value.Properties {
		at := place + between + name
		p[at] = promise{p.types(field, sent), slices.Contains(schema.Value.Required, name), sent}
		inner := field
		if field.Value.Items != nil {
			inner = field.Value.Items
		}
		if inner.Ref == "" {
			p.object(at, ".", inner, sent)
		}
	}
}

// types returns the types that a value may have. It adds the promises of named schemas on the way.
func (p promises) types(schema *openapi3.SchemaRef, sent bool) string {
	if name := schema.Ref[strings.LastIndex(schema.Ref, "/")+1:]; name != "" && schema.Value.Type.Is("object") {
		place := map[bool]string{true: "< ", false: "> "}[sent] + name
		if _, known := p[place]; !known {
			p[place] = promise{"object", false, sent}
			p.object(place, ".", schema, sent)
		}
		return name
	}
	var all []string
	for _, part := range slices.Concat(schema.Value.OneOf, schema.Value.AnyOf, schema.Value.AllOf) {
		all = append(all, strings.Split(p.types(part, sent), "|")...)
	}
	for _, kind := range schema.Value.Type.Slice() {
		if kind == "array" && schema.Value.Items != nil {
			kind = "[" + p.types(schema.Value.Items, sent) + "]"
			kind = strings.ReplaceAll(kind, "|", "/")
		}
		all = append(all, kind)
	}
	if len(all) == 0 {
		return "anything"
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "|")
}

package handbook

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/docs"
)

// open requests an address of the handbook.
func open(t *testing.T, h *Handbook, address string) string {
	t.Helper()
	answer, err := h.Page(strings.TrimPrefix(address, Root+"/"))
	if address == Root {
		answer, err = h.Contents("")
	}
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	return string(answer.Body)
}

// served are the addresses outside the handbook to which its pages may lead.
var served = []string{"/", "/docs", "/docs/handbook.css", "/api/openapi.yaml", "/api/openapi.json"}

// Every link of every page, and every picture, leads to a page or file, and to an anchor that is on it.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	t.Parallel()
	h := New(docs.Files)
	link := regexp.MustCompile(`(?:href|src|action)="([^"]*)"`)
	pages := map[string]string{}
	type step struct{ from, to string }
	queue, links := []step{{"", Root}}, 0
	for len(queue) > 0 {
		from, to := queue[0].from, queue[0].to
		queue = queue[1:]
		to = strings.ReplaceAll(to, "&amp;", "&")
		if regexp.MustCompile(`^(https?|mailto):`).MatchString(to) || slices.Contains(served, to) {
			continue
		}
		links++
		address, anchor, _ := strings.Cut(to, "#")
		if address == "" {
			address = from
		}
		if address != Root && !strings.HasPrefix(address, Root+"/") {
			t.Errorf("%s leads to %q, which is not of the handbook", from, to)
			continue
		}
		body, visited := pages[address]
		if !visited {
			answer, err := h.Page(strings.TrimPrefix(address, Root+"/"))
			if address == Root {
				answer, err = h.Contents("")
			}
			if err != nil {
				t.Errorf("%s leads to %s: %v", from, to, err)
				continue
			}
			body = string(answer.Body)
			pages[address] = body
			if answer.Kind == htmlType {
				for _, one := range link.FindAllStringSubmatch(body, -1) {
					queue = append(queue, step{address, one[1]})
				}
			}
		}
		if anchor != "" && !strings.Contains(body, ` id="`+anchor+`"`) {
			t.Errorf("%s leads to %s, which has no such heading", from, to)
		}
	}
	if links < 500 || len(pages) < 30 {
		t.Errorf("only %d links and %d pages were found", links, len(pages))
	}
}

// Every document is in the table of contents, and renders with its own title.
func TestEveryDocumentIsInTheContents(t *testing.T) {
	t.Parallel()
	h := New(docs.Files)
	contents := open(t, h, Root)
	count := 0
	if err := fs.WalkDir(docs.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".md" {
			return err
		}
		count++
		if !strings.Contains(contents, `href="`+addressOf(name)+`"`) {
			t.Errorf("%s is in no chapter", name)
			return nil
		}
		body := open(t, h, addressOf(name))
		if !regexp.MustCompile(`<h1 id="[^"]+">`).MatchString(body) || strings.Contains(body, ".md</title>") {
			t.Errorf("%s has no title", name)
		}
		if strings.Contains(body, "raw HTML omitted") {
			t.Errorf("%s has HTML, which is left out", name)
		}
		if strings.Count(body, ` aria-current="page"`) == 0 {
			t.Errorf("the contents beside %s do not say where one is", name)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if count < 20 {
		t.Errorf("there are only %d documents", count)
	}
}

// An address without a document is not found.
func TestNothingElseIsShown(t *testing.T) {
	t.Parallel()
	h := New(docs.Files)
	for _, name := range []string{
		"nothing", "files/go.mod", "files/../go.mod", "files/running.md", "files/", "files/images", "files//images/scan.png", "files/../README.md",
		"running.md", "",
	} {
		if answer, err := h.Page(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q is %q %v", name, answer.Name, err)
		}
	}
	if answer, err := h.Page("files/examples/nginx.conf"); err != nil || answer.Kind != "text/plain; charset=utf-8" {
		t.Errorf("the example is %q %v", answer.Kind, err)
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	h := New(docs.Files)
	for _, one := range []struct {
		asked string
		first string // the address of the first section found
	}{
		{"file with settings", Root + "/running#a-file-with-settings"},
		{"WITNESSES  checkpoint", Root + "/ledger#"},
		{"idempotency-key", Root + "/"},
	} {
		answer, err := h.Contents(one.asked)
		if err != nil {
			t.Fatal(err)
		}
		_, results, _ := strings.Cut(string(answer.Body), `role="status"`)
		if _, found, _ := strings.Cut(results, `<h2><a href="`); !strings.HasPrefix(found, one.first) {
			t.Errorf("%q finds first %.80s", one.asked, found)
		}
	}
	for asked, want := range map[string]string{
		"zzzz nothing has this":       "0 sections have",
		`"><script>alert(1)</script>`: "0 sections have",
	} {
		answer, err := h.Contents(asked)
		if err != nil || !strings.Contains(string(answer.Body), want) || strings.Contains(string(answer.Body), "<script") {
			t.Errorf("%q: %v\n%s", asked, err, answer.Body)
		}
	}
	if answer, err := h.Contents(strings.Repeat("a ", 1000)); err != nil || len(answer.Body) > 1<<20 {
		t.Errorf("a long question has an answer of %d bytes %v", len(answer.Body), err)
	}
}

// A document cannot put markup into a page, or link to a script.
func TestMarkupOfDocuments(t *testing.T) {
	t.Parallel()
	h := New(docs.Files)
	made, err := h.renderDocument("words.md", []byte("# A <b>title</b>\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) [b](running.md#limits) [c](../shop/doc.go)\n"))
	if err != nil {
		t.Fatal(err)
	}
	body := string(made.Body)
	for _, refused := range []string{"<script", "javascript:", "<b>", "doc.go"} {
		if strings.Contains(body, refused) {
			t.Errorf("the page has %s: %s", refused, body)
		}
	}
	if !strings.Contains(body, `<a href="`+Root+`/running#limits">b</a> c`) {
		t.Errorf("links are %s", body)
	}
}

func BenchmarkRender(b *testing.B) {
	for b.Loop() {
		if _, err := New(docs.Files).book(); err != nil {
			b.Fatal(err)
		}
	}
}

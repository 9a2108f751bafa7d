// Package handbook shows the documents of the program as pages, with a search.
//
// The documents are rendered together at the first request for a page, and cached. A link from one document to another leads to its page; a
// link to a file that is not embedded, such as a source file or the readme above the folder of documents, becomes plain text.
package handbook

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
)

// Root is the address of the handbook. Every page is below it.
const Root = "/docs/handbook"

// Policy is the content security policy of every page: only files that the program serves, and no scripts.
const Policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// chapter is the ordered reading list for one kind of reader.
type chapter struct {
	For       string
	Documents []string
}

// chapters is the table of contents. A document may be in several chapters. A test fails if a document is in none.
var chapters = []chapter{
	{"Operators", []string{"shop-floor.md", "measuring.md", "files.md", "words.md"}},
	{"Leads and planners", []string{"starting.md", "shop-floor.md", "corrections.md", "tracker.md"}},
	{"Quality", []string{
		"corrections.md", "measuring.md", "traceability.md", "files.md", "signatures.md", "dossier.md", "validation.md", "hazards.md",
		"threats.md",
	}},
	{"Administrators", []string{
		"running.md", "access.md", "files.md", "notices.md", "postgres.md", "performance.md", "versions.md", "api/versions.md",
	}},
	{"Auditors", []string{"ledger.md", "dossier.md", "first-articles.md", "signatures.md", "access.md", "validation.md"}},
	{"Integrators", []string{
		"first-session.md", "api/README.md", "api/requests.md", "api/jobs.md", "api/paths.md", "api/units.md", "api/batches.md",
		"api/identifiers.md", "api/certificates.md", "api/bills.md", "api/lots.md", "api/components.md", "api/shipments.md",
		"api/conformances.md", "api/operators.md", "api/audit.md", "api/clients.md", "repeating.md", "api/versions.md",
	}},
	{"Those who change it", []string{
		"architecture.md", "adding-a-noun.md", "design.md", "storage.md", "translating.md", "dependencies.md",
	}},
}

// elsewhere maps files outside the folder of the documents to the addresses at which the service serves them.
var elsewhere = map[string]string{"../api/openapi.yaml": "/api/openapi.yaml", "../api/openapi.json": "/api/openapi.json"}

// Handbook shows documents. It is safe for concurrent use.
type Handbook struct {
	files fs.FS
	book  func() (*book, error)
}

// book is the rendered documents.
type book struct {
	chapters []shownChapter
	pages    map[string]*page // by address below Root
}

type shownChapter struct {
	For   string
	Pages []*page
}

// page is a rendered document.
type page struct {
	Title, Address string
	Body           template.HTML
	sections       []section
}

// New makes a Handbook from documents with paths such as api/jobs.md. It does not render them yet.
func New(files fs.FS) *Handbook {
	h := &Handbook{files: files}
	h.book = sync.OnceValues(h.render)
	return h
}

// addressOf returns the address of a document: api/jobs.md is at api/jobs below Root, and api/README.md at api.
func addressOf(document string) string {
	name := strings.ToLower(strings.TrimSuffix(document, ".md"))
	return Root + "/" + strings.TrimSuffix(name, "/readme")
}

func (h *Handbook) render() (*book, error) {
	made := &book{pages: map[string]*page{}}
	for _, one := range chapters {
		shown := shownChapter{For: one.For}
		for _, document := range one.Documents {
			address := addressOf(document)
			if made.pages[address] == nil {
				source, err := fs.ReadFile(h.files, document)
				if err != nil {
					return nil, err
				}
				if made.pages[address], err = h.renderDocument(document, source); err != nil {
					return nil, err
				}
			}
			shown.Pages = append(shown.Pages, made.pages[address])
		}
		made.chapters = append(made.chapters, shown)
	}
	return made, nil
}

// target returns the address for a link of a document, or "" if the handbook does not have its target.
func (h *Handbook) target(document, link string) string {
	to, err := url.Parse(link)
	if err != nil {
		return ""
	}
	if to.IsAbs() || to.Host != "" || to.Path == "" { // a link to another site, or within the page
		return link
	}
	fragment := ""
	if to.Fragment != "" {
		fragment = "#" + to.Fragment
	}
	file := path.Join(path.Dir(document), to.Path)
	if known, ok := elsewhere[file]; ok {
		return known + fragment
	}
	for _, one := range chapters {
		if slices.Contains(one.Documents, file) {
			return addressOf(file) + fragment
		}
	}
	if info, err := fs.Stat(h.files, file); err == nil && !info.IsDir() {
		return Root + "/files/" + file
	}
	return ""
}

//go:embed page.html
var templates embed.FS

var layout = template.Must(template.ParseFS(templates, "page.html"))

// shown is the data of the template.
type shown struct {
	Title    string
	Root     string
	Chapters []shownChapter
	Page     *page // nil for the contents and for a search
	Asked    string
	Found    []found
}

// Answer is a response of the handbook.
type Answer struct {
	Name string // the file name, which determines the content type
	Kind string // the content type
	Body []byte
}

const htmlType = "text/html; charset=utf-8"

// Contents returns the first page. With search words, it returns the sections that contain all of them.
func (h *Handbook) Contents(asked string) (Answer, error) {
	made, err := h.book()
	if err != nil {
		return Answer{}, err
	}
	content := shown{Title: "Handbook", Root: Root, Chapters: made.chapters, Asked: strings.TrimSpace(asked)}
	if content.Asked != "" {
		content.Title = "Search"
		content.Found = made.find(content.Asked)
	}
	return fill(content)
}

// Page returns the page of a document, or a file that a document shows, by its address below Root. The error wraps fs.ErrNotExist if the
// address is unknown.
func (h *Handbook) Page(name string) (Answer, error) {
	if file, ok := strings.CutPrefix(name, "files/"); ok {
		return h.file(file)
	}
	made, err := h.book()
	if err != nil {
		return Answer{}, err
	}
	found := made.pages[Root+"/"+name]
	if found == nil {
		return Answer{}, fs.ErrNotExist
	}
	return fill(shown{Title: found.Title, Root: Root, Chapters: made.chapters, Page: found})
}

// file returns a picture, or an example as text. The documents themselves have pages.
func (h *Handbook) file(name string) (Answer, error) {
	if !fs.ValidPath(name) || path.Ext(name) == ".md" {
		return Answer{}, fs.ErrNotExist
	}
	content, err := fs.ReadFile(h.files, name)
	if err != nil {
		return Answer{}, fs.ErrNotExist
	}
	kind := "text/plain; charset=utf-8"
	if path.Ext(name) == ".png" {
		kind = "image/png"
	}
	return Answer{Name: path.Base(name), Kind: kind, Body: content}, nil
}

func fill(content shown) (Answer, error) {
	var b bytes.Buffer
	if err := layout.Execute(&b, content); err != nil {
		return Answer{}, err
	}
	return Answer{Name: "page.html", Kind: htmlType, Body: b.Bytes()}, nil
}

package web_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/web"
	"github.com/routecard/routecard/internal/web/lang"
)

// Every page is rendered in the pseudo-language, in which each text of the catalogue has brackets. Words outside brackets are not in the
// catalogue, unless they are data. The audit trail contains all data of the shop.
func TestPagesHaveNoTextsOfTheirOwn(t *testing.T) {
	t.Parallel()
	open := openShop(t)
	open.crawl(open.visitor(), web.Patterns())
	guarded := openGuardedShop(t, access.All)
	guarded.crawl(guarded.signedIn("boss"), append(web.Patterns(), web.AccessPatterns()...))
}

// crawl visits the pages of the given routes in the pseudo-language.
func (s *visitedShop) crawl(v *visitor, patterns []string) {
	s.t.Helper()
	at := s.addresses()
	s.speaking("")
	data := latinWords.FindAllString(strings.ToLower(v.visit("/audit/entries.json").page.html), -1)
	v.cookies["language"] = lang.Pseudo().Tag()
	if s.door != nil {
		v.visit("/jobs").press(`name="language"`, "language", lang.Pseudo().Tag())
	}
	found := map[string]string{}
	for _, address := range v.pagesAt(at, patterns) {
		v.visit(address)
		depth := 0 // elements within a text split it into parts
		for _, text := range seenTexts(v.page.html) {
			var outside string
			outside, depth = withoutBrackets(text, depth)
			words := slices.DeleteFunc(latinWords.FindAllString(outside, -1), func(word string) bool {
				return slices.Contains(data, strings.ToLower(word)) || slices.Contains(untranslated, word)
			})
			if len(words) > 0 {
				found[strings.Join(strings.Fields(text), " ")] = address
			}
		}
		if depth != 0 {
			s.t.Errorf("%s has brackets that do not match", address)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(found)) {
		s.t.Errorf("%s shows a text that is not in the catalogue: %q", found[text], text)
	}
}

// pagesAt returns the addresses of the pages of the given routes: those in at, or else the pattern itself.
func (v *visitor) pagesAt(at map[string][]string, patterns []string) (pages []string) {
	v.t.Helper()
	for _, pattern := range patterns {
		address, get := strings.CutPrefix(pattern, "GET ")
		addresses := at[pattern]
		if addresses == nil && get && !strings.Contains(address, "{") {
			addresses = []string{address}
		}
		for _, address := range addresses {
			if v.visit(address); strings.HasPrefix(strings.TrimSpace(v.page.html), "<!doctype html>") {
				pages = append(pages, address)
			}
		}
	}
	if len(pages) < len(patterns)/4 {
		v.t.Errorf("only %d pages of %d patterns", len(pages), len(patterns))
	}
	return pages
}

// untranslated are words that no language translates: names, codes and units of measurement.
var untranslated = []string{
	"Routecard", "English", "The", "Boss", "UTC", "Ctrl", "Excel", "Code", "SHA", "pcs", "kg", "lb", "mm", "ft", "in", "ml", "kB",
}

var latinWords = regexp.MustCompile(`[A-Za-z]{2,}`)

// withoutBrackets removes codes and the text in the brackets of the pseudo-language, which can be nested. It starts at the given depth of
// brackets and returns the depth at the end.
func withoutBrackets(text string, depth int) (outside string, end int) {
	var kept strings.Builder
	for _, c := range text {
		switch string(c) {
		case lang.PseudoOpen:
			depth++
		case lang.PseudoClose:
			depth--
		default:
			if depth == 0 {
				kept.WriteRune(c)
			}
		}
	}
	return codes.ReplaceAllString(kept.String(), " "), depth
}

// codes matches codes, identifiers and addresses.
var codes = regexp.MustCompile(`\b(?:RC|SN|NCR|LOT)-[A-Z0-9-]+|\b[a-z]+_[0-9A-Z]{10,}|https?://\S+|\S+@\S+|[0-9a-f]{12,}|\S*/\S*`)

// seenTexts returns the texts of a page that people see or hear.
func seenTexts(page string) (texts []string) {
	var attributes []string
	tokens := html.NewTokenizer(strings.NewReader(strings.NewReplacer("<noscript>", "", "</noscript>", "").Replace(page)))
	silent := 0
	for kind := tokens.Next(); kind != html.ErrorToken; kind = tokens.Next() {
		token := tokens.Token()
		isSilent := slices.Contains([]string{"script", "style", "code", "pre"}, token.Data)
		switch {
		case kind == html.TextToken && silent == 0:
			texts = append(texts, token.Data)
		case kind == html.StartTagToken && isSilent:
			silent++
		case kind == html.EndTagToken && isSilent:
			silent--
		}
		for _, attribute := range token.Attr {
			if slices.Contains([]string{"placeholder", "title", "alt", "label", "aria-label", "data-label"}, attribute.Key) {
				attributes = append(attributes, attribute.Val)
			}
		}
	}
	return append(texts, attributes...)
}

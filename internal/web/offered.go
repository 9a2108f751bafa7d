package web

import (
	"bytes"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
)

// Forms are offered by what they post to. A route names the permission it needs, so what a visitor may not do is taken
// out of a page here, once for all pages: forms, buttons of forms with several, and what was there only to hold them.

var (
	formElement   = regexp.MustCompile(`(?s)<form\b([^>]*)>(.*?)</form>`)                //nolint:gochecknoglobals // compiled once
	buttonElement = regexp.MustCompile(`(?s)<button\b([^>]*)>.*?</button>`)              //nolint:gochecknoglobals // compiled once
	hiddenElement = regexp.MustCompile(`<input\b[^>]*type="hidden"[^>]*>`)               //nolint:gochecknoglobals // compiled once
	attributeText = regexp.MustCompile(`\b(action|method|name|value)="([^"]*)"`)         //nolint:gochecknoglobals // compiled once
	emptyHolder   = regexp.MustCompile(`(?s)<(?:section|details|li|dialog)\b[^>]*>\s*` + //nolint:gochecknoglobals // compiled once
		`(?:<(?:h2|h3|summary)\b[^>]*>[^<]*</(?:h2|h3|summary)>\s*)?` + goneMark + `\s*</(?:section|details|li|dialog)>`)
)

// goneMark stands where a form was. Nothing that is shown can contain it: texts are escaped.
const goneMark = "<!--not offered-->"

// offerPermitted takes out of a page what the visitor may not do, and says so in one line.
func (v *visit) offerPermitted(page *bytes.Buffer) {
	if v.access == nil {
		return
	}
	missing := make(map[shop.Permission]bool)
	text := formElement.ReplaceAllStringFunc(page.String(), func(form string) string {
		parts := formElement.FindStringSubmatch(form)
		attributes := attributesOf(parts[1])
		if attributes["method"] != "post" {
			return form
		}
		return v.offerForm(form, parts[2], attributes["action"], missing)
	})
	text = emptyHolder.ReplaceAllString(text, "")
	text = strings.ReplaceAll(text, goneMark, "")
	page.Reset()
	page.WriteString(strings.Replace(text, "</main>", v.whyMissing(missing)+"</main>", 1))
}

// offerForm returns a form with the buttons that the visitor may press, or goneMark.
func (v *visit) offerForm(form, content, action string, missing map[shop.Permission]bool) string {
	fields := url.Values{}
	for _, input := range hiddenElement.FindAllString(content, -1) {
		attributes := attributesOf(input)
		fields.Add(attributes["name"], attributes["value"])
	}
	if action == "" {
		action = v.r.URL.RequestURI()
	}
	target, found := v.routeOf(action)
	if !found {
		return form
	}
	left, choices := 0, 0
	offered := buttonElement.ReplaceAllStringFunc(form, func(button string) string {
		attributes := attributesOf(buttonElement.FindStringSubmatch(button)[1])
		if attributes["name"] == "" {
			return button
		}
		choices++
		pressed := url.Values{attributes["name"]: {attributes["value"]}}
		for name, values := range fields {
			pressed[name] = append(pressed[name], values...)
		}
		if needed := target.needs(pressed); !v.may(needed) {
			missing[needed] = true
			return ""
		}
		left++
		return button
	})
	if choices > 0 && left > 0 {
		return offered
	}
	if needed := target.needs(fields); choices == 0 && v.may(needed) {
		return form
	} else if choices == 0 {
		missing[needed] = true
	}
	return goneMark
}

func attributesOf(tag string) map[string]string {
	attributes := map[string]string{}
	for _, found := range attributeText.FindAllStringSubmatch(tag, -1) {
		attributes[found[1]] = html.UnescapeString(found[2])
	}
	return attributes
}

// routeOf finds the route that something would be posted to.
func (v *visit) routeOf(action string) (route, bool) {
	address, err := url.Parse(action)
	if err != nil {
		return route{}, false
	}
	_, pattern := v.mux.Handler(&http.Request{Method: http.MethodPost, URL: &url.URL{Path: address.Path}, Host: v.r.Host})
	at := slices.IndexFunc(v.all, func(route route) bool { return route.pattern == pattern })
	if at < 0 {
		return route{}, false
	}
	return v.all[at], true
}

// whyMissing tells a visitor why a page offers less than others see there.
func (v *visit) whyMissing(missing map[shop.Permission]bool) string {
	switch {
	case len(missing) == 0:
		return ""
	case v.identity == nil:
		return `<p class="hint">Sign in to change something here.</p>`
	}
	var needed []string
	for _, permission := range append(shop.Permissions(), shop.SignedIn) {
		if missing[permission] {
			needed = append(needed, string(permission))
		}
	}
	return `<p class="hint">More is offered here to people with the permission ` + strings.Join(needed, " or ") + `.</p>`
}

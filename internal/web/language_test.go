package web_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/web"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/workorder"
)

// speaking serves the pages of a shop in English and in the pseudo-language.
func (s *visitedShop) speaking(byDefault string) *visitedShop {
	return s.speakingOnly(byDefault, lang.English(), lang.Pseudo())
}

// speakingOnly serves the pages of a shop in the given languages.
func (s *visitedShop) speakingOnly(byDefault string, languages ...*lang.Language) *visitedShop {
	s.pages = web.New(site.Config{
		Service: s.service, Views: s.views, Access: s.door, Logger: slog.New(slog.DiscardHandler), Clock: s.clock,
		DefaultLanguage: byDefault, Languages: languages,
	})
	return s
}

// spoken returns the language of a page for a browser that prefers the given language, or "" if the page does not state one.
func (v *visitor) spoken(address, preferred string) string {
	v.t.Helper()
	request := httptest.NewRequest(http.MethodGet, address, nil)
	if preferred != "" {
		request.Header.Set("Accept-Language", preferred)
	}
	v.send(request)
	_, after, _ := strings.Cut(v.page.html, `<html lang="`)
	tag, _, _ := strings.Cut(after, `"`)
	return tag
}

// speaks fails unless the pages have the language tag for a browser that prefers the given language.
func (v *visitor) speaks(tag, preferred string) {
	v.t.Helper()
	for _, address := range []string{"/jobs", "/scan", "/jobs/job_none"} {
		if got := v.spoken(address, preferred); got != tag {
			v.t.Errorf("%s is in %q for a browser that prefers %q, want %q", address, got, preferred, tag)
		}
	}
}

// A page is in the language that the user chose. If the user chose none, it is in that of the device, then that of the browser, then that
// of the service.
func TestLanguageOfAVisitor(t *testing.T) {
	t.Parallel()
	s := openShop(t).speaking("")
	v := s.visitor()
	v.speaks("en", "")
	v.speaks("en-XA", "en-XA,en;q=0.5")
	s.speaking("en-XA")
	v.speaks("en-XA", "fr")
	v.speaks("en", "fr,en;q=0.1")

	v.visit("/scan").press(`name="language"`, "language", "en-XA")
	if v.page.address != "/scan" {
		t.Errorf("the choice leads to %s", v.page.address)
	}
	v.speaks("en-XA", "en")
	v.cookies["operator"] = s.operator("Dana")
	v.speaks("en-XA", "en")
	v.visit("/jobs?q=x").press(`name="language"`, "language", "en")
	if v.page.address != "/jobs?q=x" {
		t.Errorf("the choice leads to %s", v.page.address)
	}
	v.speaks("en", "en-XA")
	other := s.visitor()
	other.cookies["operator"] = v.cookies["operator"]
	other.speaks("en", "en-XA")
	v.cookies["operator"] = s.operator("Olaf")
	v.speaks("en-XA", "en") // the language of the device

	form := posted{action: "/language", values: map[string][]string{"language": {"de"}, "back": {"/"}}} // not offered
	if v.post(form); v.page.status != http.StatusBadRequest {
		t.Errorf("a language that is not offered is taken: %d", v.page.status)
	}
}

// Where people sign in, the language is that of the signed-in user on every device, or else that of the station.
func TestLanguageOfAUser(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	s.person("anna", "lead")
	s.speaking("")
	station := s.signedIn("anna")
	station.visit("/stations").press("Make it a station", "name", "Lathe 2")
	station.speaks("en", "")
	station.visit("/jobs").press("Sign out")
	if got := station.visit("/sign-in").spoken("/sign-in", ""); got != "en" {
		t.Errorf("the station begins in %s", got)
	}
	station.press(`name="language"`, "language", "en-XA")
	if got := station.spoken("/sign-in", "en"); got != "en-XA" {
		t.Errorf("the station is in %s", got)
	}
	anna := s.signedIn("anna")
	anna.speaks("en", "")
	anna.visit("/jobs").press(`name="language"`, "language", "en-XA")
	anna.speaks("en-XA", "en")
	s.signedIn("anna").speaks("en-XA", "en")
	s.signedIn("boss").speaks("en", "en")
}

// Pages offer the languages of the catalogue, and no choice if there is only one.
func TestOneLanguageIsNoChoice(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	v := s.visitor()
	for _, l := range lang.Languages() {
		if v.visit("/jobs"); !strings.Contains(v.page.html, `name="language" value="`+l.Tag()+`"`) {
			t.Errorf("the page does not offer %s", l.Endonym())
		}
		v.press(`name="language"`, "language", l.Tag()).speaks(l.Tag(), "en")
	}
	s.speakingOnly("", lang.English())
	if v.visit("/jobs"); strings.Contains(v.page.html, `action="/language"`) {
		t.Error("the page offers a choice of one language")
	}
}

// Style sheets have no words, and no rule depends on a label: both would be English on every page.
func TestStyleSheetsHaveNoWords(t *testing.T) {
	t.Parallel()
	sheets, err := filepath.Glob("static/*.css")
	if err != nil || len(sheets) == 0 {
		t.Fatal(sheets, err)
	}
	words := regexp.MustCompile(`content:[^;"]*"[^"]*[A-Za-z]{2,}[^"]*"|\[data-label="[^"]*"\]`)
	for _, sheet := range sheets {
		text, err := os.ReadFile(sheet)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range words.FindAllString(string(text), -1) {
			t.Errorf("%s: %s", sheet, found)
		}
	}
}

// The page that verifies dossiers is in the language of the visitor, or in the one that its address chooses. The page of a dossier offers the
// languages, with that of the job chosen.
func TestLanguageOfADossier(t *testing.T) {
	t.Parallel()
	s := openShop(t).speakingOnly("", lang.Languages()...)
	v := s.visitor()
	for _, test := range []struct{ address, preferred, want string }{
		{"/verify.html", "", "en"}, {"/verify.html", "de", "de"}, {"/verify.html?lang=fr", "de", "fr"}, {"/verify.html?lang=en", "de", "en"},
	} {
		if got := v.spoken(test.address, test.preferred); got != test.want {
			t.Errorf("%s is in %q for a browser that prefers %q, want %q", test.address, got, test.preferred, test.want)
		}
	}
	if v.visit("/verify.html?lang=xx"); v.page.status != http.StatusBadRequest {
		t.Errorf("an unknown language: %d", v.page.status)
	}
	job, unit := s.units(1, "Turn")
	chosen := func(address, tag string) {
		t.Helper()
		page := v.visit(address).page.html
		if strings.Count(page, "<option value=\"") != len(lang.Languages()) || !strings.Contains(page, `<option value="`+tag+`" lang="`+tag+`" selected>`) {
			t.Errorf("%s does not offer %s first: %s", address, tag, page)
		}
	}
	chosen("/serials/"+unit+"/dossier", "en")
	_, err := s.service.UpdateJob(t.Context(), job, shop.UpdateJobInput{OrderInput: workorder.OrderInput{Language: input.Given("de")}})
	s.must(err)
	chosen("/serials/"+unit+"/dossier", "de")
	chosen("/jobs/"+job+"/dossier", "de")
}

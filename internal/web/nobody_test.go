package web_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/passkeytest"
	"github.com/routecard/routecard/internal/web"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/workorder"
)

// openWatchedShop returns a shop with records in every table, and with more operators than one list shows.
func openWatchedShop(t *testing.T) (s *visitedShop, addresses map[string][]string) {
	t.Helper()
	s = openGuardedShop(t, access.All)
	for i := range 30 {
		_, err := s.service.CreateUser(t.Context(), shop.CreateUserInput{
			Name: input.Given(fmt.Sprintf("Operator Surname%02d", i)), Department: input.Given(fmt.Sprintf("Hall%02d of works", i)),
		})
		s.must(err)
	}
	addresses = s.addresses()
	for i := range 9 {
		_, err := s.service.CreateJob(t.Context(), shop.CreateJobInput{
			Name: input.Given(fmt.Sprintf("Gearbox cover %d", i)), GoalQuantity: input.Given(3.0),
			OrderInput: workorder.OrderInput{Customer: input.Given(fmt.Sprintf("Customer Inc %d", i))},
		})
		s.must(err)
	}
	return s, addresses
}

// requests returns a request for each page, as a browser sends it, and an empty form for each route that accepts forms.
func requests(addresses map[string][]string) (all []*http.Request) {
	variable := regexp.MustCompile(`\{[^}]*\}`)
	for _, pattern := range web.Patterns() {
		method, path, _ := strings.Cut(pattern, " ")
		at := addresses[pattern]
		if at == nil {
			at = []string{variable.ReplaceAllStringFunc(path, func(name string) string { return strings.Trim(name, "{}$.") })}
		}
		for _, address := range at {
			form := url.Values{"login": {"boss"}, "password": {"five birds on a wire"}, "code": {"SN-00001"}, "name": {"x"}}
			request := httptest.NewRequest(method, address, strings.NewReader(form.Encode()))
			if method == http.MethodPost {
				request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			}
			all = append(all, request)
		}
	}
	return all
}

// A visitor without read access sees no data: neither before signing in, nor before the second factor, nor while the password has to be
// changed, nor without a role. The test requests every page and searches the responses for every text of every table. It ignores texts that
// the page also has in an empty shop, and the visitor's own input and name.
func TestNothingIsShownToAVisitorWhoMayNotRead(t *testing.T) {
	t.Parallel()
	s, addresses := openWatchedShop(t)
	empty := openGuardedShop(t, access.All)
	empty.person("zeno")
	zeno := empty.signedIn("zeno")
	s.person("olaf")
	s.person("tess", "lead")
	s.generator(s.signedIn("tess"))
	given := s.operator("Name of mia")
	s.signedIn("boss").visit("/users/"+given).press("Save the account", "login", "mia", "role", "lead")
	s.signedIn("boss").visit("/users/"+given).press("Set the password", "password", "given by somebody")
	visitors := map[string]func() *visitor{
		"":     s.visitor,
		"olaf": func() *visitor { return s.signedIn("olaf") },
		"tess": func() *visitor { return s.halfway("tess", browsertest.GoodPassword) },
		"mia":  func() *visitor { return s.halfway("mia", "given by somebody") },
	}
	texts := enginetest.Texts(t, s.kept.BackDoor(t), 5)
	if !slices.Contains(texts, "Operator Surname07") || !slices.Contains(texts, "Hall07 of works") || !slices.Contains(texts, "Customer Inc 3") {
		t.Fatal("the texts of the database are not complete")
	}
	said := func(of *visitor, request *http.Request) string {
		answer := of.ask(request.Clone(t.Context()))
		return html.UnescapeString(answer.Body.String() + answer.Header().Get("Location"))
	}
	for login, visit := range visitors {
		v := visit()
		for i, request := range requests(addresses) {
			if strings.HasSuffix(request.URL.Path, "/sign-out") {
				continue
			}
			fromEmpty := said(empty.visitor(), requests(addresses)[i]) + said(zeno, requests(addresses)[i])
			answer := said(v, request)
			for _, text := range texts {
				own := login != "" && strings.Contains("Name of "+login+" "+login, text) || strings.Contains(request.URL.RequestURI(), text)
				if !own && strings.Contains(answer, text) && !strings.Contains(fromEmpty, text) {
					t.Errorf("%s %s shows %q to the visitor %q", request.Method, request.URL, text, login)
				}
			}
		}
	}
}

// Caches and browsers must not store pages, so that pages cannot be read after signing out. The test requests every page as every role and
// as visitors without read access, and posts every form without input.
func TestNoPageIsKept(t *testing.T) {
	t.Parallel()
	s, addresses := openWatchedShop(t)
	visitors := map[string]*visitor{"": s.visitor()}
	for _, role := range access.Roles() {
		s.person("a."+role.Name, role.Name)
		visitors[role.Name] = s.signedIn("a." + role.Name)
	}
	s.person("olaf")
	visitors["no role"] = s.signedIn("olaf")
	asked := 0
	for who, v := range visitors {
		for _, request := range requests(addresses) {
			if strings.HasSuffix(request.URL.Path, "/sign-out") || request.Method == http.MethodPost && who != "" && who != "no role" {
				continue
			}
			answer := v.ask(request.Clone(t.Context()))
			if asked++; answer.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("%s %s, asked by %q: %d, Cache-Control: %q", request.Method, request.URL, who, answer.Code, answer.Header().Get("Cache-Control"))
			}
		}
	}
	if asked < 500 {
		t.Errorf("%d pages were asked", asked)
	}
}

// generator sets up one-time codes for a signed-in visitor.
func (s *visitedShop) generator(v *visitor) {
	s.t.Helper()
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.AddCookie(&http.Cookie{Name: "session", Value: v.cookies["session"]})
	admitted, err := s.door.Admit(request, shop.Entering)
	s.must(err)
	from := access.Visitor{Address: "192.0.2.1"}
	made, err := s.door.SetUpOneTimeCodes(admitted.Context(), from, access.Confirmation{})
	s.must(err)
	_, err = s.door.ConfirmOneTimeCodes(admitted.Context(), from, access.CodeInput{Code: input.Given(passkeytest.Code(s.t, made.Secret, s.clock()))})
	s.must(err)
}

// halfway returns a visitor who has entered a password and must do something else before the sign-in is complete.
func (s *visitedShop) halfway(login, password string) *visitor {
	s.t.Helper()
	v := s.visitor()
	v.visit("/sign-in").press("current-password", "login", login, "password", password)
	if v.cookies["session"] == "" {
		s.t.Fatalf("%s is not signed in:\n%s", login, v.text())
	}
	return v
}

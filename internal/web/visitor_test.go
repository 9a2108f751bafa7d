package web_test

import (
	"context"
	"html"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/web"
	"github.com/routecard/routecard/internal/web/paper"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// fields are the members of a JSON body.
type fields = map[string]any

// visitedShop has the pages with a separate database, without a server or a browser. Its clock stands still until a test moves it.
type visitedShop struct {
	place   *files.Folder
	t       *testing.T
	service *shop.Service
	views   *views.Views
	store   sqlstore.Store
	pages   http.Handler
	door    *access.Service // nil without sign-in
	kept    enginetest.Database
	mu      sync.Mutex
	now     time.Time
}

func openShop(t *testing.T) *visitedShop {
	t.Helper()
	return openShopOn(t, func(store sqlstore.Store) sqlstore.Store { return store })
}

// openShopOn does the same as openShop, with a layer between the service and its store.
func openShopOn(t *testing.T, between func(sqlstore.Store) sqlstore.Store) *visitedShop {
	t.Helper()
	return openShopIn(t, enginetest.New(t), between)
}

// openShopIn is openShopOn with a database.
func openShopIn(t *testing.T, database enginetest.Database, between func(sqlstore.Store) sqlstore.Store) *visitedShop {
	t.Helper()
	s := &visitedShop{t: t, now: time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)}
	s.kept = database
	store := between(s.kept.Open(t))
	s.store = store
	s.service = shop.New(store, s.clock, ident.NewIdentifiers(s.clock), s.papers())
	s.keepsFiles()
	s.views = views.New(store, s.service)
	s.pages = web.New(site.Config{Service: s.service, Views: s.views, Logger: slog.New(slog.DiscardHandler), Clock: s.clock})
	return s
}

// papers makes the service print documents, and store them in a folder of the test.
func (s *visitedShop) papers() shop.Option {
	s.place = files.NewFolder(s.t.TempDir(), false)
	return shop.WithPapers(paper.New(time.UTC, s.keepsFiles))
}

// keepsFiles makes the service store what it prints and freezes.
func (s *visitedShop) keepsFiles() *files.Keeper {
	return files.New(s.place, s.service, 1<<20, s.clock, slog.New(slog.DiscardHandler))
}

func (s *visitedShop) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// pass moves the clock forward.
func (s *visitedShop) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

// units creates a job with one route, and units at the first step of the route. It returns the job and the first unit.
func (s *visitedShop) units(quantity int, steps ...string) (jobID, first string) {
	s.t.Helper()
	ctx := context.Background()
	number := input.Given(float64(quantity))
	job, err := s.service.CreateJob(ctx, shop.CreateJobInput{Name: input.Given("Valve body"), GoalQuantity: number})
	if err != nil {
		s.t.Fatal(err)
	}
	path, err := s.service.CreatePath(ctx, shop.CreatePathInput{
		JobID: input.Given(job.ID), Name: input.Given("Main route"), GoalQuantity: number,
		AdvancementMode: input.Given("flexible"), Steps: stepsCalled(steps...),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	batch, err := s.service.CreateSerials(ctx, shop.CreateSerialsInput{
		JobID: input.Given(job.ID), PathID: input.Given(path.ID), Quantity: number, UserID: input.Given("setup"),
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return job.ID, s.service.SerialPrefix().SerialID(batch.First)
}

// stepsCalled returns the input for steps with the given names and without places.
func stepsCalled(names ...string) shop.StepsInput {
	steps := make([]input.Input[shop.StepInput], len(names))
	for i, name := range names {
		steps[i] = input.Given(shop.StepInput{Name: input.Given(name)})
	}
	return input.Given(steps)
}

// template creates a route template.
func (s *visitedShop) template(name string, steps ...string) shop.Template {
	s.t.Helper()
	template, err := s.service.CreateTemplate(context.Background(), shop.CreateTemplateInput{
		Name: input.Given(name), Steps: shop.TemplateSteps(stepsCalled(steps...)),
	})
	s.must(err)
	return template
}

// operator adds an operator and returns the identifier.
func (s *visitedShop) operator(name string) string {
	s.t.Helper()
	user, err := s.service.CreateUser(context.Background(), shop.CreateUserInput{Name: input.Given(name)})
	if err != nil {
		s.t.Fatal(err)
	}
	return user.ID
}

// at returns a unit's status and the index of its step.
func (s *visitedShop) at(id string) (step int, status card.SerialStatus) {
	s.t.Helper()
	card, err := s.views.Card(context.Background(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	return card.Card.Serial.Position, card.Card.Serial.Status
}

// stands fails unless a unit has the given step and status.
func (s *visitedShop) stands(id string, step int, status card.SerialStatus) {
	s.t.Helper()
	if atStep, is := s.at(id); atStep != step || is != status {
		s.t.Errorf("%s is %s at step %d, want %s at step %d", id, is, atStep, status, step)
	}
}

// visitor simulates one person's browser with respect to forms and cookies.
type visitor struct {
	*visitedShop
	cookies map[string]string
	page    shown
}

// shown is a page as the visitor received it.
type shown struct {
	status  int
	address string
	html    string
}

func (s *visitedShop) visitor() *visitor {
	return &visitor{visitedShop: s, cookies: map[string]string{}}
}

// works returns a visitor who works as an operator.
func (s *visitedShop) works(name string) *visitor {
	s.t.Helper()
	v := s.visitor()
	v.cookies["operator"] = s.operator(name)
	return v
}

func (v *visitor) visit(address string) *visitor {
	v.t.Helper()
	return v.send(httptest.NewRequest(http.MethodGet, address, nil))
}

// send sends a request, stores the cookies and follows redirects.
func (v *visitor) send(request *http.Request) *visitor {
	v.t.Helper()
	answer := v.ask(request)
	if answer.Code == http.StatusSeeOther {
		return v.visit(answer.Header().Get("Location"))
	}
	if answer.Code == http.StatusNoContent && request.Method == http.MethodPost { // a browser stays on its page
		return v
	}
	v.page = shown{answer.Code, request.URL.RequestURI(), answer.Body.String()}
	return v
}

// answer returns the response from an address without following redirects.
func (v *visitor) answer(address string) *httptest.ResponseRecorder {
	v.t.Helper()
	return v.ask(httptest.NewRequest(http.MethodGet, address, nil))
}

func (v *visitor) ask(request *http.Request) *httptest.ResponseRecorder {
	v.t.Helper()
	for name, value := range v.cookies {
		request.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	answer := httptest.NewRecorder()
	v.pages.ServeHTTP(answer, request)
	for _, cookie := range answer.Result().Cookies() {
		if cookie.MaxAge < 0 {
			delete(v.cookies, cookie.Name)
		} else {
			v.cookies[cookie.Name] = cookie.Value
		}
	}
	return answer
}

// posted is a form of a page with all the values that a browser would send.
type posted struct {
	action string
	values url.Values
}

var (
	formTag  = regexp.MustCompile(`(?s)<form\b([^>]*)>(.*?)</form>`)
	inputTag = regexp.MustCompile(`(?s)<(?:input|button)\b[^>]*>`)
	attr     = func(name string) *regexp.Regexp { return regexp.MustCompile(`\b` + name + `="([^"]*)"`) }
	attrs    = map[string]*regexp.Regexp{"name": attr("name"), "value": attr("value"), "type": attr("type"), "action": attr("action"), "method": attr("method")}
)

func attribute(tag, name string) string {
	if found := attrs[name].FindStringSubmatch(tag); found != nil {
		return html.UnescapeString(found[1])
	}
	return ""
}

// form finds the form of the page that contains a piece of HTML, and returns it with its hidden fields.
func (p shown) form(t *testing.T, holds string) posted {
	t.Helper()
	for _, found := range formTag.FindAllStringSubmatch(p.html, -1) {
		if !strings.Contains(found[0], holds) || attribute(found[1], "method") != "post" {
			continue
		}
		form := posted{attribute(found[1], "action"), url.Values{}}
		for _, tag := range inputTag.FindAllString(found[2], -1) {
			if attribute(tag, "type") == "hidden" {
				form.values.Add(attribute(tag, "name"), attribute(tag, "value"))
			}
		}
		return form
	}
	t.Fatalf("no form on %s holds %q:\n%s", p.address, holds, p.html)
	return posted{}
}

// with sets fields of a form. The arguments are names and values in turn.
func (f posted) with(pairs ...string) posted {
	for i := 0; i+1 < len(pairs); i += 2 {
		f.values.Add(pairs[i], pairs[i+1])
	}
	return f
}

// post sends a form.
func (v *visitor) post(form posted) *visitor {
	v.t.Helper()
	request := httptest.NewRequest(http.MethodPost, form.action, strings.NewReader(form.values.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return v.send(request)
}

// press sends the form that contains a piece of HTML, with the given fields set.
func (v *visitor) press(holds string, pairs ...string) *visitor {
	v.t.Helper()
	return v.post(v.page.form(v.t, holds).with(pairs...))
}

// box returns the value of a ticked checkbox on the page.
func (v *visitor) box(name string) string {
	v.t.Helper()
	for _, tag := range inputTag.FindAllString(v.page.html, -1) {
		if attribute(tag, "type") == "checkbox" && attribute(tag, "name") == name {
			return attribute(tag, "value")
		}
	}
	v.t.Fatalf("no box %s on %s", name, v.page.address)
	return ""
}

// says fails unless the page shows the text.
func (v *visitor) says(text string) {
	v.t.Helper()
	if !strings.Contains(v.text(), text) {
		v.t.Errorf("%s does not say %q but:\n%s", v.page.address, text, v.text())
	}
}

var (
	tag    = regexp.MustCompile(`(?s)<[^>]*>`)
	aside  = strings.NewReplacer("<bdi>", "", "</bdi>", "") // an element within a sentence
	blanks = regexp.MustCompile(`\s+`)
)

// text returns the visible text of the page.
func (v *visitor) text() string {
	return blanks.ReplaceAllString(html.UnescapeString(tag.ReplaceAllString(aside.Replace(v.page.html), " ")), " ")
}

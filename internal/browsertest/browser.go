// Package browsertest runs the program and a real browser that visits its pages, for tests. Its folders have the tests of the pages:
// station those of the scan station, account those of signing in and of accounts, office those of all other pages. Tests that need
// internals of internal/web are in that package.
package browsertest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/process"
)

// Fields are the members of a JSON body.
type Fields = map[string]any

// Chromium finds the browser, or skips the test. It prefers the headless shell, which takes half the time.
func Chromium(t *testing.T) string {
	t.Helper()
	return process.Find(t, "chromium", "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
}

// Site is the running program.
type Site struct {
	T        *testing.T
	URL      string
	Address  string
	Database string
	server   *process.Server
}

// Serve starts the program on a free port with a new database.
func Serve(t *testing.T, flags ...string) *Site {
	t.Helper()
	s := &Site{T: t, Database: filepath.Join(t.TempDir(), "shop.db"), Address: FreeAddress(t)}
	s.URL = "http://" + s.Address
	s.Start(flags...)
	return s
}

// FreeAddress returns an address at which nothing listens. If the system can use the whole of 127.0.0.0/8, it takes a random address in
// that range, so that the port also stays free while the program is not running.
func FreeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", fmt.Sprintf("127.%d.%d.%d:0", rand.IntN(256), rand.IntN(256), 1+rand.IntN(254)))
	if err != nil {
		listener, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func (s *Site) Start(flags ...string) {
	s.T.Helper()
	s.server = process.Serve(s.T, append([]string{"--listen", s.Address, "--database", s.Database, "--log-level", "error"}, flags...)...)
	s.T.Cleanup(func() {
		if s.server != nil {
			s.Stop()
		}
	})
}

// Stop stops the program, and fails if the program does not stop in time: an open stream must not delay the stop.
func (s *Site) Stop() {
	s.T.Helper()
	server := s.server
	s.server = nil
	if err := server.Stop(); err != nil {
		s.T.Errorf("the program did not stop cleanly: %v", err)
	}
	if log := server.Stderr.String(); log != "" {
		s.T.Logf("the program's log: %s", log)
	}
}

// Patience is the maximum time for which a test waits for something that must happen. It is not a measurement.
const Patience = 60 * time.Second

// Browser is the browser of one person, with its own cookies.
type Browser struct {
	T       *testing.T
	Context context.Context
	URL     string
	Site    *Site
	LastKey time.Time // time of the last key that a person or a scanner typed
}

// Open starts a browser. The options are added to Chromium's defaults.
func (s *Site) Open(options ...chromedp.ExecAllocatorOption) *Browser {
	s.T.Helper()
	flags := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(Chromium(s.T)), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("no-first-run", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"),
		chromedp.Flag("lang", "en-GB"), chromedp.WindowSize(1440, 900))
	// The context of the test ends before its cleanups begin. That would kill the browser while it writes its files.
	allocator, stop := chromedp.NewExecAllocator(context.WithoutCancel(s.T.Context()), append(flags, options...)...)
	ctx, cancel := chromedp.NewContext(allocator)
	s.T.Cleanup(func() {
		hangs := time.AfterFunc(Patience, stop)
		_ = chromedp.Cancel(ctx)
		hangs.Stop()
		cancel()
		stop()
	})
	b := &Browser{T: s.T, Context: ctx, URL: s.URL, Site: s}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		s.T.Fatal(err)
	}
	return b
}

// Do runs actions and fails the test if they do not finish in time.
func (b *Browser) Do(what string, actions ...chromedp.Action[chromedp.Void]) {
	b.T.Helper()
	// The browser lives as long as the context of its first actions, so the time limit must not be part of that context.
	ended := make(chan error, 1)
	go func() { ended <- chromedp.Do(b.Context, actions...) }()
	select {
	case err := <-ended:
		if err != nil {
			b.T.Fatalf("%s: %v", what, err)
		}
	case <-time.After(Patience):
		b.T.Fatalf("%s: did not happen; the page says:\n%s", what, b.Text())
	}
}

func (b *Browser) Visit(path string) {
	b.T.Helper()
	b.Do("visit "+path, chromedp.Navigate(b.URL+path), chromedp.WaitVisible(chromedp.CSS("main")))
}

// Text returns the visible text of the page.
func (b *Browser) Text() string {
	ctx, cancel := context.WithTimeout(b.Context, 5*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.body ? location.href + "\n" + document.body.innerText : ""`))
	if err != nil {
		return err.Error()
	}
	return text
}

// ReloadUntil reloads the page until an expression is true on it.
func (b *Browser) ReloadUntil(what, expression string) {
	b.T.Helper()
	for until := time.Now().Add(Patience); !b.Is(expression); {
		if time.Now().After(until) {
			b.T.Fatalf("%s: did not happen; the page says:\n%s", what, b.Text())
		}
		b.Reload()
	}
}

func (b *Browser) Reload() {
	b.T.Helper()
	b.Do("load the page again", chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("main")))
}

// Is evaluates an expression on the page. It returns false while another page is loading.
func (b *Browser) Is(expression string) bool {
	ctx, cancel := context.WithTimeout(b.Context, Patience)
	defer cancel()
	is, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean("+expression+")"))
	return err == nil && is
}

// Wait waits until an expression is true on the page.
func (b *Browser) Wait(what, expression string) {
	b.T.Helper()
	look := time.NewTicker(30 * time.Millisecond)
	defer look.Stop()
	for limit := time.After(Patience); !b.Is(expression); {
		select {
		case <-look.C:
		case <-limit:
			b.T.Fatalf("%s: did not happen; the page says:\n%s", what, b.Text())
		}
	}
}

// Says waits until the page shows the given text.
func (b *Browser) Says(text string) {
	b.T.Helper()
	b.Wait("the page says "+text, fmt.Sprintf(`document.body.innerText.includes(%q)`, text))
}

// There waits until an element is on the page and the page has no running request.
func (b *Browser) There(selector string) {
	b.T.Helper()
	b.Wait(selector+" is there", fmt.Sprintf(`document.querySelector(%q) && !document.querySelector(".htmx-request")`, selector))
}

// Click clicks an element. If an update replaces the element during the click, the click is lost, and Click repeats it, as a person would.
func (b *Browser) Click(selector string) {
	b.T.Helper()
	for limit := time.Now().Add(Patience); ; {
		b.There(selector)
		b.Do("click "+selector, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
			`{const e = document.querySelector(%[1]q); for (let d = e.localName === "summary" ? null : e.parentElement?.closest("details:not([open])"); d; d = d.parentElement?.closest("details:not([open])")) d.open = true; e.scrollIntoView({block: "center"});
			const heard = () => { window.arrived = "" }; window.arrived = undefined; // without scripts it stays undefined
			document.addEventListener("heard", heard, {once: true}); document.dispatchEvent(new Event("heard"));
			document.addEventListener("click", click => { window.arrived = click.target.closest(%[1]q) ? "here" : click.target.querySelector(%[1]q) ? "" : "elsewhere" }, {capture: true, once: true}); undefined}`,
			selector)), chromedp.Click(chromedp.CSS(selector)))
		switch lost := b.Is(`window.arrived === ""`); {
		case !lost && b.Is(`window.arrived === "elsewhere"`):
			b.T.Fatalf("click %s: something else was clicked; the page says:\n%s", selector, b.Text())
		case !lost:
			return
		case time.Now().After(limit):
			b.T.Fatalf("click %s: it did not arrive; the page says:\n%s", selector, b.Text())
		}
	}
}

// Fill types a value into a field as a person would.
func (b *Browser) Fill(selector, value string) {
	b.T.Helper()
	b.There(selector)
	b.Do("fill "+selector, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
		`{const e = document.querySelector(%q); for (let d = e.closest("details:not([open])"); d; d = d.parentElement?.closest("details:not([open])")) d.open = true; e.value = ""; undefined}`,
		selector)), chromedp.Focus(chromedp.CSS(selector)))
	b.Keys(value)
}

func (b *Browser) Choose(selector, value string) {
	b.T.Helper()
	b.There(selector)
	b.Do("choose "+value, chromedp.SetValue(chromedp.CSS(selector), value))
}

// Work selects the operator of this browser, adding one of that name if there is none. It reloads the page.
func (b *Browser) Work(as string) {
	b.T.Helper()
	id := b.Site.Operator(as)
	b.Reload()
	if found, err := chromedp.Run(b.Context, chromedp.Evaluate[bool](`location.pathname === "/scan"`)); err == nil && found {
		b.Do("show who could work", chromedp.Evaluate[chromedp.Void](`{document.querySelector(".who-else")?.setAttribute("open", ""); undefined}`))
		b.Click(fmt.Sprintf(".who-works [value=%q]", id))
		b.Wait("the operator is chosen", fmt.Sprintf(`document.querySelector("#in-hand [name=who]")?.value === %q`, id))
		return
	}
	b.SwitchTo(id)
}

// SwitchTo opens the list of operators in the head of a page and presses the button of one.
func (b *Browser) SwitchTo(id string) {
	b.T.Helper()
	b.Click(`.operator button[popovertarget=who]`)
	b.Click(fmt.Sprintf(`#who button[value=%q]`, id))
	b.Wait("the operator is chosen", fmt.Sprintf(`document.querySelector("[data-operator]")?.dataset.operator === %q && !document.querySelector("#who:popover-open")`, id))
}

// Operator returns the identifier of the operator with this name. If there is none, it adds one.
func (s *Site) Operator(name string) string {
	s.T.Helper()
	var users []struct{ ID, Name string }
	s.Get("/api/users", &users)
	for _, user := range users {
		if user.Name == name {
			return user.ID
		}
	}
	var user struct{ ID string }
	s.Post("/api/users", map[string]any{"name": name}, &user)
	return user.ID
}

// Call sends a command of the DevTools protocol.
func Call[P, R any](b *Browser, what string, command cdp.Command[P, R], params P) R {
	b.T.Helper()
	var result R
	b.Do(what, chromedp.Func(func(ctx context.Context, target *chromedp.Target) (err error) {
		result, err = cdp.Call(ctx, target, command, params)
		return err
	}))
	return result
}

// Post creates a record through the interface, and reads the response.
func (s *Site) Post(path string, body, into any) {
	s.T.Helper()
	s.Send(http.MethodPost, path, body, into)
}

// Send sends a request to the interface, and reads the response.
func (s *Site) Send(method, path string, body, into any) {
	s.T.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		s.T.Fatal(err)
	}
	request, err := http.NewRequest(method, s.URL+path, bytes.NewReader(text))
	if err != nil {
		s.T.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.T.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		s.T.Fatalf("%s %s: %s %v\n%s", method, path, response.Status, err, answer)
	}
	if into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			s.T.Fatal(err)
		}
	}
}

// Job creates a job with one path through the interface and returns their identifiers.
func (s *Site) Job(name, mode string, quantity int, steps ...map[string]any) (jobID, pathID string, serials []string) {
	s.T.Helper()
	var made struct{ ID string }
	s.Post("/api/jobs", map[string]any{"name": name, "goalQuantity": quantity}, &made)
	jobID = made.ID
	s.Post("/api/paths", map[string]any{"jobId": jobID, "name": "Main route", "goalQuantity": quantity, "advancementMode": mode, "steps": steps}, &made)
	pathID = made.ID
	var units []struct{ ID string }
	s.Post("/api/serials", map[string]any{"jobId": jobID, "pathId": pathID, "quantity": quantity, "userId": "setup"}, &units)
	for _, unit := range units {
		serials = append(serials, unit.ID)
	}
	return jobID, pathID, serials
}

// Status returns the status of a serial according to the interface.
func (s *Site) Status(serial string) string {
	s.T.Helper()
	var unit struct{ Status string }
	s.Get("/api/serials/"+serial, &unit)
	return unit.Status
}

// Fits fails if a page scrolls sideways.
func (b *Browser) Fits(path string, width int64) {
	b.T.Helper()
	if b.Is(`document.documentElement.scrollWidth > document.documentElement.clientWidth`) {
		wide, _ := chromedp.Run(b.Context, chromedp.Evaluate[string](`[...document.querySelectorAll("main *")].filter(e =>
			e.getBoundingClientRect().right > innerWidth + 1 && !e.closest("svg")).slice(0, 4).map(e => e.outerHTML.slice(0, 120)).join("\n")`))
		b.T.Errorf("%s scrolls sideways at %d pixels:\n%s", path, width, wide)
	}
}

// Member uses the interface as a signed-in user.
type Member struct {
	*Site
	client *http.Client
}

// Invitation returns the path where the first administrator signs in.
func (s *Site) Invitation() string {
	s.T.Helper()
	if !s.server.Stdout.Await("API reference:", s.server.Ended()) {
		s.T.Fatal("the program ended")
	}
	found := regexp.MustCompile(`First sign-in: see (\S+)`).FindStringSubmatch(s.server.Stdout.String())
	if found == nil {
		s.T.Fatal("nobody is invited to be the first administrator")
	}
	line, err := os.ReadFile(found[1])
	if err != nil {
		s.T.Fatal(err)
	}
	address, err := url.Parse(strings.TrimSpace(strings.TrimPrefix(string(line), "First sign-in: ")))
	if err != nil {
		s.T.Fatal(err)
	}
	return address.RequestURI()
}

func (s *Site) SignIn(login, password string) *Member {
	s.T.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.T.Fatal(err)
	}
	m := &Member{s, &http.Client{Jar: jar}}
	m.Ask(http.MethodPost, "/api/sign-in", map[string]any{"login": login, "password": password}, nil)
	return m
}

// TabTo presses the tab key until an element has the focus.
func (b *Browser) TabTo(selector string) {
	b.T.Helper()
	for range 80 {
		if b.Is(fmt.Sprintf(`document.activeElement?.matches(%q)`, selector)) {
			return
		}
		b.Keys(kb.Tab)
	}
	b.T.Fatalf("the keyboard does not get to %s", selector)
}

// Keys types into the focused element as a person would.
func (b *Browser) Keys(text string) {
	b.T.Helper()
	b.AtPace(text, func() time.Duration { return 130 * time.Millisecond })
}

// Press clicks the button with a text, and waits until the next page shows another text.
func (b *Browser) Press(text, says string) {
	b.T.Helper()
	b.Wait("there is a button "+text, fmt.Sprintf(
		`[...document.querySelectorAll("button")].filter(e => e.innerText.trim() === %q).map(e => e.setAttribute("data-press", "")).length`, text))
	b.Click("[data-press]")
	b.Says(says)
}

// AtPace types keys with a gap before each key. The browser reads the times from the events, so no test waits for them and a slow machine
// does not change them.
func (b *Browser) AtPace(text string, gap func() time.Duration) {
	b.T.Helper()
	if now := time.Now(); b.LastKey.Before(now) {
		b.LastKey = now
	}
	b.LastKey = b.LastKey.Add(time.Second)
	b.Do("type", chromedp.KeyEvent(text, func(key *input.DispatchKeyEventParams) {
		if key.Type == kb.KeyDown {
			b.LastKey = b.LastKey.Add(gap())
		}
		key.Timestamp = input.TimeSinceEpoch(float64(b.LastKey.UnixMicro()) / 1e6)
	}))
}

// Twice double-clicks an element as fast as a person does. The browser recognizes the second click.
func (b *Browser) Twice(selector string) {
	b.T.Helper()
	b.There(selector)
	var at struct{ X, Y float64 }
	b.Do("find "+selector, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{document.querySelector(%q).scrollIntoView({block: "center"}); undefined}`, selector)))
	found, err := chromedp.Run(b.Context, chromedp.Evaluate[struct{ X, Y float64 }](fmt.Sprintf(
		`(({x, y, width, height}) => ({X: x + width / 2, Y: y + height / 2}))(document.querySelector(%q).getBoundingClientRect())`, selector)))
	if err != nil {
		b.T.Fatal(err)
	}
	at = found
	b.Do("click twice on "+selector, chromedp.MouseClickXY(at.X, at.Y), chromedp.MouseClickXY(at.X, at.Y, chromedp.ClickCount(2)))
}

// Get reads a response of the interface.
func (s *Site) Get(path string, into any) {
	s.T.Helper()
	response, err := http.Get(s.URL + path)
	if err != nil {
		s.T.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		s.T.Fatalf("GET %s: %s", path, response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		s.T.Fatal(err)
	}
}

// Picture writes a screenshot of the page to the folder in ROUTECARD_SCREENSHOTS, if it is set.
func (b *Browser) Picture(name string, width int64) {
	b.T.Helper()
	folder := os.Getenv("ROUTECARD_SCREENSHOTS")
	if folder == "" {
		return
	}
	size := Call(b, "measure", page.GetLayoutMetrics, cdp.Empty{}).CSSContentSize
	beyond := true
	taken := Call(b, "take a picture", page.CaptureScreenshot, page.CaptureScreenshotParams{
		CaptureBeyondViewport: &beyond,
		Clip:                  &page.Viewport{Width: float64(width), Height: min(size.Height, 2400), Scale: 1},
	}).Data
	if err := os.WriteFile(filepath.Join(folder, name+".png"), taken, 0o644); err != nil {
		b.T.Fatal(err)
	}
}

// Look sets the colour scheme and the width of the browser.
func (b *Browser) Look(scheme string, width int64) {
	b.T.Helper()
	Call(b, "set the scheme", emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	Call(b, "set the width", emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 500,
	})
}

// Widths are the widths of a phone, a tablet, a laptop and a monitor.
var Widths = []int64{390, 768, 1280, 1600}

// PagePath is the path of a page and the name of its screenshot.
type PagePath struct{ Name, Path string }

// EveryPage lists every page, with records that exist on the site.
func EveryPage(t *testing.T, s *Site) []PagePath {
	t.Helper()
	id := func(path string) string {
		var list []struct{ ID string }
		s.Get(path, &list)
		if len(list) == 0 {
			t.Fatalf("%s lists nothing", path)
		}
		return list[0].ID
	}
	var found struct {
		Items []struct{ ID, JobID, PathID string }
	}
	s.Get("/api/serials/search?status=in_progress&limit=40", &found)
	if len(found.Items) == 0 {
		t.Fatal("no unit is in progress")
	}
	unit := found.Items[len(found.Items)/2]
	var templates []struct{ ID string }
	if s.Get("/api/templates", &templates); len(templates) == 0 {
		s.Post("/api/templates", map[string]any{"name": "Turned part", "steps": []map[string]any{{"name": "Saw", "location": "Bay 1"},
			{"name": "Turn"}, {"name": "Deburr", "optional": true}, {"name": "Inspect", "dependencyType": "completion_gate"}}}, nil)
		s.Post("/api/users", map[string]any{"name": "Dana Whitfield", "department": "Turning"}, nil)
	}
	pages := []PagePath{
		{"floor", "/"}, {"jobs", "/jobs"}, {"job", "/jobs/" + unit.JobID},
		{"route-new", "/jobs/" + unit.JobID + "/route"}, {"route", "/jobs/" + unit.JobID + "/paths/" + unit.PathID},
		{"serials", "/serials"}, {"search", "/search?q=1"}, {"card", "/serials/" + unit.ID}, {"print", "/serials/" + unit.ID + "/print"},
		{"dossier", "/serials/" + unit.ID + "/dossier"},
		{"scan", "/scan?unit=" + unit.ID}, {"codes", "/scan/codes"}, {"queue", "/queue"},
		{"certs", "/certs"}, {"cert", "/certs/" + id("/api/certs")}, {"bom", "/bom"}, {"library", "/library"},
		{"templates", "/templates"}, {"users", "/users"}, {"import", "/import"}, {"audit", "/audit"}, {"ledger", "/audit/ledger"},
		{"labels", "/labels?first=" + unit.ID + "&last=" + found.Items[0].ID}, {"nowhere", "/nowhere"},
		{"instruments", "/instruments"}, {"wall", "/wall"},
	}
	pages = append(pages, quality(s, unit.PathID, found.Items[0].ID)...)
	pages = append(pages, PagePath{"bom-one", "/bom/" + id("/api/bom")}, PagePath{"template", "/templates/" + id("/api/templates")})
	return pages
}

// DemoPages lists the pages that need records of the demonstration: lots, shipments, recalls, characteristics, first articles, certificates
// of conformance, settings and the handbook.
func DemoPages(t *testing.T, s *Site) []PagePath {
	t.Helper()
	first := func(path string) string {
		var found struct{ Items []struct{ ID string } }
		if s.Get(path, &found); len(found.Items) == 0 {
			t.Fatalf("%s lists nothing", path)
		}
		return found.Items[0].ID
	}
	var valves struct {
		Items []struct{ ID, JobID, PathID string }
	}
	if s.Get("/api/serials/search?status=in_progress&limit=1&q=valve", &valves); len(valves.Items) == 0 {
		t.Fatal("no valve is in progress")
	}
	valve := valves.Items[0]
	var route struct{ Steps []struct{ ID string } }
	s.Get("/api/paths/"+valve.PathID, &route)
	shipment, article, certified := first("/api/shipments"), first("/api/first-articles"), first("/api/conformances")
	return []PagePath{
		{"lots", "/lots"}, {"lot", "/lots?id=" + first("/api/lots")},
		{"shipments", "/shipments"}, {"shipment", "/shipments?id=" + shipment}, {"shipment-print", "/shipments/" + shipment + "/print"},
		{"recall", "/recall"}, {"recall-heat", "/recall?of=G7719"}, {"card-valve", "/serials/" + valve.ID},
		{"job-valve", "/jobs/" + valve.JobID}, {"queue-unassigned", "/queue?operator=nobody"},
		{"charts", "/jobs/" + valve.JobID + "/charts"}, {"step", "/steps/" + route.Steps[0].ID},
		{"characteristics", "/steps/" + route.Steps[1].ID + "/characteristics"},
		{"first-articles", "/first-articles"}, {"first-article", "/first-articles?id=" + article},
		{"first-article-print", "/first-articles/" + article + "/print"}, {"conformances", "/conformances"},
		{"conformance", "/conformances?id=" + certified}, {"conformance-dossier", "/conformances/" + certified + "/dossier"},
		{"notices", "/settings/notices"}, {"organization", "/settings/organization"}, {"handbook", "/docs/handbook"},
	}
}

// quality creates a report with decisions, and a unit with corrected mistakes, and lists the pages that show them.
func quality(s *Site, pathID, other string) []PagePath {
	var held struct {
		Items []struct{ ID string }
	}
	s.Get("/api/serials/search?status=in_progress&limit=6&pathId="+pathID, &held)
	var ids []string
	for _, unit := range held.Items {
		ids = append(ids, unit.ID)
	}
	var report struct{ ID string }
	s.Post("/api/nonconformances", map[string]any{
		"title": "Bearing seat too small", "description": "Found with the plug gauge after turning. Tool 14 was worn.",
		"severity": "major", "serialIds": ids, "hold": true, "userId": "Dana Whitfield",
	}, &report)
	sheet := "/nonconformances/" + report.ID
	decide := map[string]any{
		"serialIds": ids[:1], "disposition": "use_as_is", "reason": "Within the limit of drawing C",
		"concession": "Customer, 3 March", "userId": "Dana Whitfield",
	}
	s.Post("/api"+sheet+"/dispositions", decide, nil)
	if len(ids) > 1 {
		s.Post("/api"+sheet+"/dispositions", map[string]any{
			"serialIds": ids[1:2], "disposition": "rework", "reason": "Turn again", "targetStepIndex": 0, "userId": "Dana Whitfield",
		}, nil)
	}
	var entries []struct{ ID string }
	s.Post("/api/serials/"+ids[0]+"/scrap", map[string]any{"reason": "damaged", "userId": "Dana Whitfield"}, nil)
	s.Get("/api/audit/serial/"+ids[0], &entries)
	s.Post("/api/serials/"+ids[0]+"/undo", map[string]any{
		"entryId": entries[len(entries)-1].ID, "reason": "It was the unit beside it", "userId": "Dana Whitfield",
	}, nil)
	return []PagePath{
		{"nonconformances", "/nonconformances"}, {"nonconformance", sheet}, {"nonconformance-print", sheet + "/print"},
		{"nonconformance-new", "/nonconformances/new?units=" + other + "&path=" + pathID}, {"holds", "/holds"},
		{"card-held", "/serials/" + ids[len(ids)-1]}, {"card-story", "/serials/" + ids[0]}, {"scan-held", "/scan?unit=" + ids[len(ids)-1]},
	}
}

// Typed types codes one after the other as a scanner does, without waiting for responses.
func (b *Browser) Typed(codes ...string) {
	b.T.Helper()
	b.Wait("the field has the focus", `document.activeElement.id === "code"`)
	for _, code := range codes {
		b.Do("scan "+code, chromedp.KeyEvent(code+kb.Enter))
	}
}

// Slow delays every response to the browser by this many milliseconds.
func (b *Browser) Slow(milliseconds float64) {
	b.T.Helper()
	Call(b, "slow the line down", network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{
			{Latency: milliseconds, DownloadThroughput: -1, UploadThroughput: -1},
		},
	})
}

// At fails unless a unit is at the given step. Steps are counted from 0.
func (s *Site) At(serial string, step int) {
	s.T.Helper()
	var unit struct{ CurrentStepIndex int }
	if s.Get("/api/serials/"+serial, &unit); unit.CurrentStepIndex != step {
		s.T.Errorf("%s stands at step %d, want %d", serial, unit.CurrentStepIndex, step)
	}
}

// TypedAtOnce types codes with no time between them, however slow the machine is.
func (b *Browser) TypedAtOnce(codes ...string) {
	b.T.Helper()
	b.Wait("the field has the focus", `document.activeElement.id === "code"`)
	typed, err := json.Marshal(codes)
	if err != nil {
		b.T.Fatal(err)
	}
	b.Do("scan "+string(typed), chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{const field = document.getElementById("code");
		for (const code of %s) {
			field.value = code;
			field.form.requestSubmit();
		}
		undefined}`, typed)))
}

// Demand sets the characteristics that are to be measured at a step of a path.
func (s *Site) Demand(path string, step int, list ...map[string]any) {
	s.T.Helper()
	var route struct{ Steps []struct{ ID string } }
	s.Get("/api/paths/"+path, &route)
	s.Send(http.MethodPut, "/api/steps/"+route.Steps[step].ID+"/characteristics", map[string]any{"characteristics": list, "userId": "setup"}, nil)
}

// Values returns the recorded values of a unit in the order in which they were recorded.
func (s *Site) Values(unit string) string {
	s.T.Helper()
	var readings []struct{ Number, Value string }
	s.Get("/api/serials/"+unit+"/measurements", &readings)
	list := make([]string, len(readings))
	for i, reading := range readings {
		list[i] = reading.Number + " " + reading.Value
	}
	return strings.Join(list, ", ")
}

// Listens makes the browser's pages record the tones that they play in window.tones, with the pitch and the kind of each tone.
func (b *Browser) Listens() {
	b.T.Helper()
	b.First(`{
		window.tones = [];
		const volume = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
		window.AudioContext = class {
			state = "running";
			currentTime = 0;
			createGain() { return { gain: volume, connect: (to) => to }; }
			createOscillator() {
				return { frequency: {}, connect: (to) => to, start() { tones.push(this.frequency.value + " " + this.type); }, stop() {} };
			}
		};
	}`)
}

// First runs a script on every page of the browser before the page's own scripts.
func (b *Browser) First(script string) {
	b.T.Helper()
	Call(b, "add a script", page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
}

// Run runs a script on the page.
func (b *Browser) Run(what, script string) {
	b.T.Helper()
	b.Do(what, chromedp.Evaluate[chromedp.Void]("{"+script+"; undefined}"))
}

// Accessible checks the page with axe-core, using all of its rules or only the given ones. No violation may be serious or worse.
func (b *Browser) Accessible(axe, what string, rules ...string) {
	b.T.Helper()
	b.Do("open everything", chromedp.Evaluate[chromedp.Void](`{document.querySelectorAll("details").forEach(d => d.open = true); undefined}`))
	if !b.Is(`window.axe`) {
		b.Do("load axe-core", chromedp.Evaluate[chromedp.Void](axe+"\nundefined"))
	}
	only := ""
	if len(rules) > 0 {
		only = fmt.Sprintf(`, runOnly: {type: "rule", values: ["%s"]}`, strings.Join(rules, `", "`))
	}
	var found string
	b.Do("look at "+what, chromedp.Func(func(ctx context.Context, target *chromedp.Target) (err error) {
		found, err = chromedp.Evaluate[string](`axe.run({resultTypes: ["violations"]`+only+`}).then(result => JSON.stringify(result.violations
			.filter(v => v.impact === "serious" || v.impact === "critical")
			.map(v => ({id: v.id, help: v.help, where: v.nodes.slice(0, 4).map(n => n.html.slice(0, 160) + " | " + n.any.map(a => a.message).join("; "))}))))`,
			func(p *runtime.EvaluateParams) { wait := true; p.AwaitPromise = &wait })(ctx, target)
		return err
	}))
	var violations []struct {
		ID    string   `json:"id"`
		Help  string   `json:"help"`
		Where []string `json:"where"`
	}
	if err := json.Unmarshal([]byte(found), &violations); err != nil {
		b.T.Fatal(err)
	}
	for _, v := range violations {
		b.T.Errorf("%s: %s (%s)\n  %s", what, v.Help, v.ID, strings.Join(v.Where, "\n  "))
	}
}

func (m *Member) Ask(method, path string, body, into any) {
	m.T.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		m.T.Fatal(err)
	}
	request, err := http.NewRequest(method, m.URL+path, bytes.NewReader(text))
	if err != nil {
		m.T.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := m.client.Do(request)
	if err != nil {
		m.T.Fatal(err)
	}
	said := ReadAll(m.T, answer)
	if answer.StatusCode >= 300 {
		m.T.Fatalf("%s %s: %s %s", method, path, answer.Status, said)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(said), into); err != nil {
			m.T.Fatal(err)
		}
	}
}

// Person creates a user with roles, a password, a PIN and a badge.
func (m *Member) Person(login string, roles ...string) (id, badge string) {
	m.T.Helper()
	var made struct{ ID, Badge string }
	m.Ask("POST", "/api/users", map[string]any{"name": "Name of " + login}, &made)
	path := "/api/users/" + made.ID
	m.Ask("PUT", path+"/account", map[string]any{"login": login, "roles": roles}, nil)
	m.Ask("PUT", path+"/password", map[string]any{"password": "given by the boss"}, nil)
	m.Ask("PUT", path+"/pin", map[string]any{"pin": "314159"}, nil)
	m.Ask("PUT", path+"/badge", map[string]any{}, &made)
	themselves := m.Site.SignIn(login, "given by the boss")
	themselves.Ask("PUT", path+"/password", map[string]any{"password": GoodPassword, "oldPassword": "given by the boss"}, nil)
	themselves.Ask("PUT", path+"/pin", map[string]any{"pin": "271828", "password": GoodPassword}, nil)
	return made.ID, made.Badge
}

const GoodPassword = "four birds on a wire"

func ReadAll(t *testing.T, response *http.Response) string {
	t.Helper()
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

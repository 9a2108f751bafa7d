package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"github.com/routecard/routecard/internal/process"
)

// chromium finds the browser, or skips the test. Without a window, and all that goes with one, it takes half the time.
func chromium(t *testing.T) string {
	t.Helper()
	return process.Find(t, "chromium", "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
}

// site is the running program.
type site struct {
	t        *testing.T
	url      string
	address  string
	database string
	server   *process.Server
}

// serve starts the program on a port of its own with a database of its own.
func serve(t *testing.T, flags ...string) *site {
	t.Helper()
	s := &site{t: t, database: filepath.Join(t.TempDir(), "shop.db"), address: freeAddress(t)}
	s.url = "http://" + s.address
	s.start(flags...)
	return s
}

// freeAddress is one at which nothing listens, and nothing else will: of 127.0.0.0/8, where the system has all of it, a test
// takes an address at random, and the port stays its own while its program is not running.
func freeAddress(t *testing.T) string {
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

func (s *site) start(flags ...string) {
	s.t.Helper()
	s.server = process.Serve(s.t, append([]string{"--listen", s.address, "--database", s.database, "--log-level", "error"}, flags...)...)
	s.t.Cleanup(func() {
		if s.server != nil {
			s.stop()
		}
	})
}

// stop asks the program to stop, and fails when it does not do so: an open stream must not delay it.
func (s *site) stop() {
	s.t.Helper()
	server := s.server
	s.server = nil
	if err := server.Stop(); err != nil {
		s.t.Errorf("the program did not stop cleanly: %v", err)
	}
	if log := server.Stderr.String(); log != "" {
		s.t.Logf("the program's log: %s", log)
	}
}

// patience bounds how long a test waits for something that has to happen; it measures nothing.
const patience = 60 * time.Second

// browser is one person's browser, with cookies of its own.
type browser struct {
	t    *testing.T
	ctx  context.Context
	url  string
	site *site
	at   time.Time // of the last key that was typed by hand or by a scanner
}

// open starts a browser. Flags are more of Chromium's.
func (s *site) open(options ...chromedp.ExecAllocatorOption) *browser {
	s.t.Helper()
	flags := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(chromium(s.t)), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("no-first-run", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"),
		chromedp.Flag("lang", "en-GB"), chromedp.WindowSize(1440, 900))
	// The test's own context ends before its cleanups begin, and would kill the browser in the middle of its files.
	allocator, stop := chromedp.NewExecAllocator(context.WithoutCancel(s.t.Context()), append(flags, options...)...)
	ctx, cancel := chromedp.NewContext(allocator)
	s.t.Cleanup(func() {
		hangs := time.AfterFunc(patience, stop)
		_ = chromedp.Cancel(ctx)
		hangs.Stop()
		cancel()
		stop()
	})
	b := &browser{t: s.t, ctx: ctx, url: s.url, site: s}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		s.t.Fatal(err)
	}
	return b
}

// do runs actions and fails the test when they do not come to an end.
func (b *browser) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	// The browser lives as long as the context of its first actions, so the limit is not part of that.
	ended := make(chan error, 1)
	go func() { ended <- chromedp.Do(b.ctx, actions...) }()
	select {
	case err := <-ended:
		if err != nil {
			b.t.Fatalf("%s: %v", what, err)
		}
	case <-time.After(patience):
		b.t.Fatalf("%s: did not happen; the page says:\n%s", what, b.text())
	}
}

func (b *browser) visit(path string) {
	b.t.Helper()
	b.do("visit "+path, chromedp.Navigate(b.url+path), chromedp.WaitVisible(chromedp.CSS("main")))
}

// text is what the page shows.
func (b *browser) text() string {
	ctx, cancel := context.WithTimeout(b.ctx, 5*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.body ? location.href + "\n" + document.body.innerText : ""`))
	if err != nil {
		return err.Error()
	}
	return text
}

// reloadUntil loads the page again until an expression is true on it.
func (b *browser) reloadUntil(what, expression string) {
	b.t.Helper()
	for until := time.Now().Add(patience); !b.is(expression); {
		if time.Now().After(until) {
			b.t.Fatalf("%s: did not happen; the page says:\n%s", what, b.text())
		}
		b.reload()
	}
}

func (b *browser) reload() {
	b.t.Helper()
	b.do("load the page again", chromedp.Reload(), chromedp.WaitVisible(chromedp.CSS("main")))
}

// is evaluates an expression on the page. While a page is exchanged for another nothing is true.
func (b *browser) is(expression string) bool {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	is, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean("+expression+")"))
	return err == nil && is
}

// wait waits until an expression is true on the page.
func (b *browser) wait(what, expression string) {
	b.t.Helper()
	look := time.NewTicker(30 * time.Millisecond)
	defer look.Stop()
	for limit := time.After(patience); !b.is(expression); {
		select {
		case <-look.C:
		case <-limit:
			b.t.Fatalf("%s: did not happen; the page says:\n%s", what, b.text())
		}
	}
}

// says waits until the page shows a text.
func (b *browser) says(text string) {
	b.t.Helper()
	b.wait("the page says "+text, fmt.Sprintf(`document.body.innerText.includes(%q)`, text))
}

// there waits until something is on the page and no request of it is under way.
func (b *browser) there(selector string) {
	b.t.Helper()
	b.wait(selector+" is there", fmt.Sprintf(`document.querySelector(%q) && !document.querySelector(".htmx-request")`, selector))
}

// click clicks where an element is. When the page is exchanged under the pointer by news of what happened meanwhile, the click
// is lost, and it is made again, as a person does.
func (b *browser) click(selector string) {
	b.t.Helper()
	for limit := time.Now().Add(patience); ; {
		b.there(selector)
		b.do("click "+selector, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
			`{const e = document.querySelector(%[1]q); for (let d = e.localName === "summary" ? null : e.parentElement?.closest("details:not([open])"); d; d = d.parentElement?.closest("details:not([open])")) d.open = true; e.scrollIntoView({block: "center"});
			const heard = () => { window.arrived = "" }; window.arrived = undefined; // and so it stays where scripts are switched off
			document.addEventListener("heard", heard, {once: true}); document.dispatchEvent(new Event("heard"));
			document.addEventListener("click", click => { window.arrived = click.target.closest(%[1]q) ? "here" : click.target.querySelector(%[1]q) ? "" : "elsewhere" }, {capture: true, once: true}); undefined}`,
			selector)), chromedp.Click(chromedp.CSS(selector)))
		switch lost := b.is(`window.arrived === ""`); {
		case !lost && b.is(`window.arrived === "elsewhere"`):
			b.t.Fatalf("click %s: something else was clicked; the page says:\n%s", selector, b.text())
		case !lost:
			return
		case time.Now().After(limit):
			b.t.Fatalf("click %s: it did not arrive; the page says:\n%s", selector, b.text())
		}
	}
}

// fill types a value into a field, as a person does.
func (b *browser) fill(selector, value string) {
	b.t.Helper()
	b.there(selector)
	b.do("fill "+selector, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
		`{const e = document.querySelector(%q); for (let d = e.closest("details:not([open])"); d; d = d.parentElement?.closest("details:not([open])")) d.open = true; e.value = ""; undefined}`,
		selector)), chromedp.Focus(chromedp.CSS(selector)))
	b.keys(value)
}

func (b *browser) choose(selector, value string) {
	b.t.Helper()
	b.there(selector)
	b.do("choose "+value, chromedp.SetValue(chromedp.CSS(selector), value))
}

// work chooses the operator of this browser, and adds one of that name when there is none. It loads the page again.
func (b *browser) work(as string) {
	b.t.Helper()
	id := b.site.operator(as)
	b.reload()
	if found, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`location.pathname === "/scan"`)); err == nil && found {
		b.do("show who could work", chromedp.Evaluate[chromedp.Void](`{document.querySelector(".who-else")?.setAttribute("open", ""); undefined}`))
		b.click(fmt.Sprintf(".who-works [value=%q]", id))
		b.wait("the operator is chosen", fmt.Sprintf(`document.querySelector("#in-hand [name=who]")?.value === %q`, id))
		return
	}
	b.switchTo(id)
}

// switchTo opens the list of operators in the head of a page and presses the button of one.
func (b *browser) switchTo(id string) {
	b.t.Helper()
	b.click(`.operator button[popovertarget=who]`)
	b.click(fmt.Sprintf(`#who button[value=%q]`, id))
	b.wait("the operator is chosen", fmt.Sprintf(`document.querySelector("[data-operator]")?.dataset.operator === %q && !document.querySelector("#who:popover-open")`, id))
}

// operator returns the identifier of the operator with this name, and adds one when there is none.
func (s *site) operator(name string) string {
	s.t.Helper()
	var users []struct{ ID, Name string }
	s.get("/api/users", &users)
	for _, user := range users {
		if user.Name == name {
			return user.ID
		}
	}
	var user struct{ ID string }
	s.post("/api/users", fields{"name": name}, &user)
	return user.ID
}

// call sends a command of the protocol.
func call[P, R any](b *browser, what string, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	var result R
	b.do(what, chromedp.Func(func(ctx context.Context, target *chromedp.Target) (err error) {
		result, err = cdp.Call(ctx, target, command, params)
		return err
	}))
	return result
}

// post makes something through the interface, and reads the answer.
func (s *site) post(path string, body, into any) {
	s.t.Helper()
	s.send(http.MethodPost, path, body, into)
}

// send changes something through the interface, and reads the answer.
func (s *site) send(method, path string, body, into any) {
	s.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	request, err := http.NewRequest(method, s.url+path, bytes.NewReader(text))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		s.t.Fatalf("%s %s: %s %v\n%s", method, path, response.Status, err, answer)
	}
	if into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			s.t.Fatal(err)
		}
	}
}

type fields = map[string]any

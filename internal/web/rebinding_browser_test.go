package web_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/routecard/routecard/internal/browsertest"
)

// TestReboundName lets a page of another site point its own domain name at the service (DNS rebinding) and send requests to it.
func TestReboundName(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	s := &browsertest.Site{T: t, Address: browsertest.FreeAddress(t), Database: t.TempDir() + "/shop.db"}
	host, port, err := net.SplitHostPort(s.Address)
	if err != nil {
		t.Fatal(err)
	}
	s.URL = "http://evil.example:" + port
	listener, err := net.Listen("tcp", s.Address)
	if err != nil {
		t.Fatal(err)
	}
	evil := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><main>A page of another site</main>")
	})}}
	evil.Start()
	defer evil.Close()
	b := s.Open(chromedp.Flag("host-resolver-rules", "MAP evil.example "+host))
	b.Visit("/")
	evil.Close() // from now on the name points to the service
	s.Start()

	const disguise = `headers: {"User-Agent": "node", "Accept-Language": "*"}, referrerPolicy: "no-referrer", credentials: "omit"`
	for what, request := range map[string]string{
		"GET":                     `fetch("/api/jobs")`,
		"GET in disguise":         `fetch("/api/jobs", {` + disguise + `})`,
		"GET of a page":           `fetch("/", {` + disguise + `})`,
		"the event stream by GET": `fetch("/api/events", {` + disguise + `})`,
		"POST":                    `fetch("/api/jobs", {method: "POST", body: '{"name": "A", "goalQuantity": 1}'})`,
		"POST in disguise":        `fetch("/api/jobs", {method: "POST", body: '{"name": "A", "goalQuantity": 1}', ` + disguise + `})`,
		"POST of a form":          `fetch("/jobs", {method: "POST", body: new URLSearchParams({name: "A", goalQuantity: 1})})`,
		"DELETE":                  `fetch("/api/jobs/JOB-00001", {method: "DELETE"})`,
	} {
		b.Do(what, chromedp.Evaluate[chromedp.Void](`{window.result = undefined; `+request+`.then(a => window.result = a.status, e => window.result = String(e)); undefined}`))
		b.Wait(what+" has a result", `window.result !== undefined`)
		if !b.Is(`window.result === 421`) {
			result, err := chromedp.Run(b.Context, chromedp.Evaluate[string](`String(window.result)`))
			t.Errorf("%s under a rebound name: %s, %v", what, result, err)
		}
	}
	b.Do("open the event stream", chromedp.Evaluate[chromedp.Void](`{const stream = new EventSource("/api/events");
		stream.onopen = () => window.stream = "open"; stream.onerror = () => window.stream = stream.readyState === 2 ? "refused" : "broken"; undefined}`))
	b.Wait("the event stream is refused", `window.stream`)
	if !b.Is(`window.stream === "refused"`) {
		t.Error("the event stream under a rebound name is not refused")
	}
	var jobs []struct{ ID string }
	s.URL = "http://" + s.Address
	if s.Get("/api/jobs", &jobs); len(jobs) != 0 {
		t.Errorf("a page of another site made %d jobs", len(jobs))
	}
}

package web_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/internal/web"
	"github.com/routecard/routecard/shop/ident"
)

// scansIn types a code and the final key as a scanner does.
func scansIn(b *browsertest.Browser, code, end string) {
	b.T.Helper()
	b.AtPace(code+end, func() time.Duration { return time.Duration(2+rand.IntN(28)) * time.Millisecond })
}

// offeredIn waits until the page offers to open the scanned code.
func offeredIn(b *browsertest.Browser, code, says string) {
	b.T.Helper()
	b.Wait("the page says that "+code+" was scanned, and "+says, fmt.Sprintf(
		`(text => text.includes(%q + " was scanned") && text.includes(%q))(document.getElementById("scanned")?.innerText ?? "")`, code, says))
}

// A scan outside a field for scans changes nothing: no text field, name or button receives its keys.
func TestScanOutsideAFieldForScans(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	jobID, _, serials := s.Job("Shaft", "strict", 3, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Wash"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	// A field for a reason keeps its text and the position of the cursor.
	const reason = `details[data-key=hold] [name=reason]`
	b.Fill(reason, "a crack at edge")
	b.Do("go back to the middle", chromedp.Evaluate[chromedp.Void](`{document.querySelector("`+reason+`").setSelectionRange(11, 13, "backward"); undefined}`))
	scansIn(b, serials[1], kb.Enter)
	offeredIn(b, serials[1], "Open "+serials[1])
	b.Wait("the reason is as it was", `(({value, selectionStart, selectionEnd}) => value === "a crack at edge" && selectionStart === 11 && selectionEnd === 13 &&
		document.activeElement.name === "reason")(document.querySelector("`+reason+`"))`)
	// The link in the offer works.
	b.Click(`#scanned a`)
	b.Wait("the other card is open", fmt.Sprintf(`location.pathname === "/serials/%s" && !document.querySelector("#scanned")`, serials[1]))

	for _, place := range []struct{ page, focus string }{
		{"/serials/" + serials[0], `#now button[value=advance]`}, {"/jobs/" + jobID, `.ticked button[value=ask-note]`},
		{"/users", `main [name=name]`}, {"/", `nav a[href="/jobs"]`},
	} {
		b.Visit(place.page)
		for _, end := range []string{kb.Enter, kb.Tab, kb.Enter + kb.Enter} {
			b.Do("focus "+place.focus, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
				`{const e = document.querySelector(%q); for (let d = e.closest("details"); d; d = d.parentElement.closest("details")) d.open = true; e.focus(); undefined}`, place.focus)))
			scansIn(b, serials[2], end)
			offeredIn(b, serials[2], "Open "+serials[2])
			if !b.Is(fmt.Sprintf(`document.activeElement.matches(%q) && location.pathname === %q`, place.focus, place.page)) {
				t.Errorf("%s: the focus is not at %s after a scan that ends in %q", place.page, place.focus, end)
			}
			b.Click("#scanned button")
		}
	}
	scansIn(b, "RC-DONE", kb.Enter)
	offeredIn(b, "RC-DONE", "Open the station")
	scansIn(b, "4006381333931", kb.Enter)
	offeredIn(b, "4006381333931", "No unit, job or order matches this code.")
	scansIn(b, "RC-ID-SECRET7K", kb.Enter)
	offeredIn(b, "A badge", "Nothing was changed.")
	if b.Is(`document.body.innerText.includes("SECRET") || performance.getEntriesByType("resource").some((one) => one.name.includes("SECRET"))`) {
		t.Error("the secret of a badge is on the screen or in an address")
	}
	for i, serial := range serials {
		s.At(serial, 0)
		if got := s.Status(serial); got != "in_progress" {
			t.Errorf("unit %d is %s", i, got)
		}
	}
	var users []struct{ Name string }
	if s.Get("/api/users", &users); len(users) != 1 {
		t.Errorf("the operators are %v", users)
	}
	// A field for scans accepts the scan.
	for _, end := range []string{kb.Enter, kb.Tab} {
		b.Visit("/")
		b.Do("go to the search", chromedp.Focus(chromedp.CSS(`#find [name=q]`)))
		scansIn(b, serials[2], end)
		b.Wait("the unit is open", fmt.Sprintf(`location.pathname === "/serials/%s"`, serials[2]))
	}
}

// A code that is scanned into a field for scans replaces the previous text, also if the results below the search have the focus. In a list
// of units each code gets its own line, whichever key ends it, and the focus stays.
func TestScansIntoFieldsThatHaveText(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 3, fields{"name": "Turn"}, fields{"name": "Grind"})
	b := s.Open()
	b.Visit("/")
	b.Work("Dana")
	b.Fill(`#find [name=q]`, "Shaf")
	b.There(`#find [data-hits] a`)
	b.Do("go to the first result", chromedp.KeyEvent(kb.ArrowDown))
	b.Wait("it has the focus", `document.activeElement.matches("[data-hits] a")`)
	scansIn(b, serials[1], kb.Enter)
	b.Wait("the unit is open", fmt.Sprintf(`location.pathname === "/serials/%s"`, serials[1]))

	b.Visit("/serials?q=" + serials[0])
	b.Do("go to the filter", chromedp.Focus(chromedp.CSS(`main [name=q]`)))
	scansIn(b, serials[2], kb.Enter)
	b.Wait("the filter has the second code", fmt.Sprintf(`document.querySelector("main [name=q]").value === %q && location.search.includes(%[1]q)`, serials[2]))

	b.Visit("/nonconformances/new")
	b.Fill(`[name=units]`, "41")
	for i, end := range []string{kb.Tab, kb.Enter, kb.Tab} {
		scansIn(b, serials[i], end)
		b.Wait("the list has the code", fmt.Sprintf(`document.activeElement.name === "units" && document.activeElement.value.includes(%q)`, serials[i]+"\n"))
	}
	b.Wait("each code has its own line", fmt.Sprintf(`document.querySelector("[name=units]").value === %q`,
		"41\n"+strings.Join(serials, "\n")+"\n"))
}

// If the page is swapped during a scan, it does not keep the beginning of the code.
func TestPageIsExchangedWithinAScan(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 1, fields{"name": "Turn"}, fields{"name": "Grind"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	const note = `details[data-key=note] [name=text]`
	b.Fill(note, "chatter")
	b.Do("be exchanged after five keys", chromedp.Evaluate[chromedp.Void](`{
		let keys = 0;
		addEventListener("input", () => {
			if (++keys === 5) document.dispatchEvent(new CustomEvent("htmx:before:swap", {detail: {}}));
		});
		performance.now = () => lastKey; // the times of the keys are not those of the clock
		addEventListener("keydown", (event) => { window.lastKey = event.timeStamp }, true);
		undefined}`))
	scansIn(b, serials[0], "")
	b.Wait("the note has the rest of the code alone", `document.querySelector("`+note+`").value === "chatter001"`)
}

// A unit that is scanned while a form waits for its response stays offered when the response shows the old unit again. The offer hides
// neither the field with the focus nor the buttons for what is ticked.
func TestScanIsOfferedUntilItIsClosed(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	jobID, _, serials := s.Job("Shaft", "strict", 2, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Wash"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	b.Do("keep the response", chromedp.Evaluate[chromedp.Void](`{
		const real = window.fetch;
		window.fetch = async (...request) => {
			const answer = await real(...request);
			if (request[1]?.method === "POST") await new Promise((arrive) => { window.arrive = arrive });
			return answer;
		};
		undefined}`))
	b.Click(`#now button[value=advance]`)
	b.Wait("the response is under way", `window.arrive`)
	scansIn(b, serials[1], kb.Enter)
	offeredIn(b, serials[1], "Open "+serials[1])
	b.Do("let the response arrive", chromedp.Evaluate[chromedp.Void](`{arrive(); undefined}`))
	b.Says(serials[0] + " advanced.")
	b.Click(`#scanned a`)
	b.Wait("the scanned unit is open", fmt.Sprintf(`location.pathname === "/serials/%s" && !document.querySelector("#scanned")`, serials[1]))

	s.Post("/api/serials/"+serials[1]+"/hold", fields{"reason": "burr", "userId": "dana"}, nil)
	for _, place := range []struct{ page, tick, bar, focus string }{
		{"/jobs/" + jobID, `[name=serial]`, ".ticked", `button[value=advance]`}, {"/holds", `[name=hold]`, ".selection", `[name=reason]`},
	} {
		b.Visit(place.page)
		b.Click(place.tick)
		b.Do("go to the bar", chromedp.Focus(chromedp.CSS(place.bar+" "+place.focus)))
		scansIn(b, serials[0], kb.Enter)
		offeredIn(b, serials[0], "Open "+serials[0])
		b.Wait("the bar is above the offer on "+place.page, fmt.Sprintf(
			`document.querySelector(%q).getBoundingClientRect().bottom <= document.querySelector("#scanned").getBoundingClientRect().top`, place.bar+":has("+place.focus+")"))
	}
}

// A card's field for a reading in words refuses the number of a unit and commands. It takes what is written on the part.
func TestUnitIsNoReadingInWords(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, path, serials := s.Job("Shaft", "strict", 2, fields{"name": "Turn"}, fields{"name": "Grind"})
	s.Demand(path, 0, fields{"number": "7", "name": "Stamp", "type": "text"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	for _, code := range []string{serials[1], "RC-DONE"} {
		b.Do("go to the reading", chromedp.Focus(chromedp.CSS(`[name^="value:"]`)))
		scansIn(b, code, kb.Enter)
		offeredIn(b, code, "Nothing was changed.")
	}
	scansIn(b, "4TX-118", kb.Enter)
	b.Says("1 reading recorded.")
	if got := s.Values(serials[0]); got != "7 4TX-118" {
		t.Errorf("recorded: %s", got)
	}
}

// If a slow page has searched for the beginning of a scanned code, the filter searches for its previous text again.
func TestFilterSearchesWithinAScan(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 1, fields{"name": "Turn"})
	b := s.Open()
	b.Visit("/users")
	b.Work("Dana")
	b.Visit("/users")
	b.Do("search for the beginning of the code", chromedp.Evaluate[chromedp.Void](`{
		const field = document.querySelector("form[hx-get] [name=q]");
		field.addEventListener("input", () => { if (field.value === "SN-00") field.form.requestSubmit(); });
		window.lists = 0;
		addEventListener("htmx:after:swap", () => lists++);
		field.focus();
		undefined}`))
	scansIn(b, serials[0], kb.Enter)
	b.Wait("all operators are listed", `window.lists === 2 && document.querySelector("#users").innerText.includes("Dana")`)
}

// pageState returns everything that a scan must not change: the values of fields, checkboxes, choices and open sections, the selection, the
// focus and the address. The key of a form is new when its list is read again.
const pageState = `JSON.stringify([location.pathname, [...document.querySelectorAll("input:not([name=once]), select, textarea")].map((e) =>
	[e.name, e.value, e.checked, e.selectedIndex]), [...document.querySelectorAll("details")].map((e) => e.open),
	document.activeElement.selectionStart ?? "", document.activeElement.selectionEnd ?? "", document.activeElement.outerHTML])`

// watchPage records the requests of a page, except those that read the result of a scan, this page, or suggestions for a field. A key that the guard holds to learn its pace is held until the next key.
const watchPage = `{
	window.asked = [];
	const real = fetch, wait = setTimeout;
	window.fetch = (...call) => {
		const address = new URL(call[0].url ?? call[0], location.href), method = call[1]?.method ?? call[0].method ?? "GET";
		const reads = method === "GET" && (["/search", location.pathname].includes(address.pathname) || address.pathname.startsWith("/pick/"));
		if (!reads) asked.push(method + " " + address);
		return real(...call);
	};
	window.setTimeout = (what, after, ...rest) => after === 60 ? 0 : wait(what, after, ...rest);
	for (const kind of ["submit", "click", "change"]) addEventListener(kind, (event) => {
		if (kind !== "change" || event.target.matches("select, [type=checkbox], [type=radio]")) asked.push(kind + " " + event.target.outerHTML.slice(0, 200));
	}, true);
	for (const part of document.querySelectorAll("details")) part.open = true;
	undefined}`

// nextControl focuses a control that was not tried on any page, fills it in, and returns its name, or "" if there is none.
const nextControl = `((tried) => {
	const route = (address) => new URL(address, location.href).pathname.replace(/\/[A-Za-z]+[-_][^/]*/g, "/*");
	for (const e of document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")) {
		if (e.matches("[data-takes=scan], [data-hits] a, [type=hidden], :disabled, .hidden")) continue;
		const name = [e.localName, e.type, e.name, e.form ? route(e.form.getAttribute("action") || "") : "", e.localName === "a" ? route(e.href) : "", e.localName === "button" ? e.value.split("/")[0] : ""].join(" ");
		if (tried.includes(name)) continue;
		const popover = e.closest("[popover]");
		if (popover && !popover.matches(":popover-open")) popover.showPopover();
		e.focus();
		if (document.activeElement !== e) continue;
		const fill = {date: "2030-01-02", "datetime-local": "2030-01-02T03:04", text: "kept as it was", search: "kept", password: "kept"}[e.type] ?? (e.localName === "textarea" ? "kept as it was" : null);
		if (fill && !e.closest("form[hx-get]")) e.value = fill; // the filter must match something
		if (e.selectionStart !== null && e.setSelectionRange) e.setSelectionRange(1, 3);
		asked.length = 0;
		return name;
	}
	return "";
})`

// noPages are the routes without a page: exports, parts of pages, redirects, and the station, which has its own guard.
var noPages = regexp.MustCompile(`^GET (/audit/entries\..*|/verify.html|/settings/notices/test|/progress/.*|/pick/.*|/scan|/import/.+|/instruments/{id}(/calibrations)?|/lots/{id}|/shipments/{id}|/conformances/{id}|/first-articles/{id}|` +
	`/serials/{id}/(measurements|components)|/steps/{id}/requirements|/jobs/{id}/paths/{path}/bom|/users/{id}/second-factors|/sign-in/(provider|return|second))$`)

// drawCode draws a random code that a scanner may read. If a field accepts some codes, the drawn code is one that the field does not
// accept.
func drawCode(control string) string {
	letters := "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-./+%$ "
	random := func(n int) string {
		code := make([]byte, n)
		for i := range code {
			code[i] = letters[rand.IntN(len(letters))]
		}
		return string(code)
	}
	ours := []string{fmt.Sprintf("SN-%05d", rand.IntN(60)), "RC-DONE", "RC-SCRAP-DAMAGED", "http://shop.example/serials/SN-00003", "]Q1SN-00001"}
	if strings.Contains(control, " password ") || strings.Contains(control, "pin") || strings.Contains(control, "login") || strings.Contains(control, "value:") {
		return ours[rand.IntN(len(ours))]
	}
	return append(ours, "4006381333931", "M-17", "a scratch", random(4+rand.IntN(16)), random(6), " "+random(5))[rand.IntN(len(ours)+6)]
}

// scanEverywhereIn scans into each control of a page that was not tried before, and returns the links on the page.
func scanEverywhereIn(b *browsertest.Browser, path string, tried *[]string) (links []string) {
	b.T.Helper()
	b.Visit(path)
	b.Do("watch the page", chromedp.Evaluate[chromedp.Void](watchPage))
	evaluate := func(expression string, into any) {
		b.T.Helper()
		text, err := chromedp.Run(b.Context, chromedp.Evaluate[string](`JSON.stringify(`+expression+`)`))
		if err == nil {
			err = json.Unmarshal([]byte(text), into)
		}
		if err != nil {
			b.T.Fatalf("%s: %v", expression, err)
		}
	}
	evaluate(`[...document.querySelectorAll("a[href^='/']")].map((a) => a.getAttribute("href"))`, &links)
	for {
		known, err := json.Marshal(*tried)
		if err != nil {
			b.T.Fatal(err)
		}
		var control, before, now string
		if evaluate(nextControl+"("+string(known)+")", &control); control == "" {
			return links
		}
		*tried = append(*tried, control)
		evaluate(pageState, &before)
		code, end := drawCode(control), []string{kb.Enter, kb.Tab, kb.Enter + kb.Enter}[rand.IntN(3)]
		scansIn(b, code, end)
		b.Wait(fmt.Sprintf("%s: the scan of %q into %s is offered", path, code, control), fmt.Sprintf(
			`document.querySelector("#scanned b")?.textContent === %q`, code))
		var asked []string
		evaluate(`asked`, &asked)
		if evaluate(pageState, &now); now != before {
			b.T.Errorf("%s: a scan of %q into %s changed the page from\n%s to\n%s", path, code, control, before, now)
		}
		if len(asked) > 0 {
			b.T.Errorf("%s: a scan of %q into %s did %q", path, code, control, asked)
		}
		b.Do("close the offer", chromedp.Evaluate[chromedp.Void](`{document.getElementById("scanned").remove(); undefined}`))
	}
}

// scanOnEveryPageIn follows links to the pages of the given routes, scans into each control, and returns the number of controls.
func scanOnEveryPageIn(b *browsertest.Browser, patterns, paths []string) int {
	b.T.Helper()
	mux := http.NewServeMux()
	for _, pattern := range patterns {
		mux.HandleFunc(pattern, func(http.ResponseWriter, *http.Request) {})
	}
	tried, visited, routes := []string{}, map[string]bool{}, map[string]int{}
	for len(paths) > 0 {
		path := paths[0]
		paths = paths[1:]
		request, err := http.NewRequestWithContext(b.T.Context(), http.MethodGet, path, http.NoBody)
		if err != nil || visited[path] {
			continue
		}
		_, pattern := mux.Handler(request)
		most := 1 // pages per route
		if pattern == "GET /serials/{id}" {
			most = 4 // cards offer the actions of their unit
		}
		if noPages.MatchString(pattern) || routes[pattern] == most {
			continue
		}
		visited[path] = true
		routes[pattern]++
		paths = append(paths, scanEverywhereIn(b, path, &tried)...)
	}
	for _, pattern := range patterns {
		if strings.HasPrefix(pattern, "GET ") && !noPages.MatchString(pattern) && routes[pattern] == 0 {
			b.T.Errorf("no link leads to a page of %s: add one to the test", pattern)
		}
	}
	return len(tried)
}

// A scan into any control of any page changes nothing and requests only the scanned code.
func TestScansChangeNothingAnywhere(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	s := browsertest.Serve(t, "--demo")
	b := s.Open()
	b.Visit("/")
	b.Work("Dana Whitfield")
	var paths []string
	for _, page := range browsertest.EveryPage(t, s) {
		paths = append(paths, page.Path)
	}
	job := paths[2]
	b.Visit(job)
	b.Do("attach a file", chromedp.SetUploadFiles(chromedp.CSS(`[data-attach] input[multiple]`), []string{browsertest.CameraPhoto(t, 40, 30)}))
	b.Says("IMG 0001.jpg: attached")
	_, packing, units := s.Job("Delivery", "strict", 1, browsertest.Fields{"name": "Pack"})
	s.Post("/api/serials/"+units[0]+"/advance", browsertest.Fields{"userId": "dana"}, nil)
	var shipment struct{ ID string }
	s.Post("/api/shipments", browsertest.Fields{"kind": "customer", "customer": "Norvik", "serialIds": units, "userId": "dana"}, &shipment)
	var article, certified struct{ ID string }
	s.Post("/api/paths/"+packing+"/first-articles", browsertest.Fields{"serialIds": units, "kind": "full", "reason": "new", "userId": "dana"}, &article)
	s.Post("/api/conformances", browsertest.Fields{"serialIds": units, "customer": "Norvik", "orderNumber": "PO-7", "userId": "dana"}, &certified)
	paths = append(paths, "/first-articles?id="+article.ID, "/first-articles/"+article.ID+"/print", "/first-articles/"+article.ID+"/dossier",
		"/conformances/"+certified.ID+"/dossier", "/serials/"+units[0]+"/dossier", job+"/dossier")
	paths = append(paths, "/shipments?id="+shipment.ID, "/shipments/"+shipment.ID+"/print", job+"/charts", job+"/take-back?do=advance&after="+ident.AuditID(0)+"&until="+ident.AuditID(1))
	if tried := scanOnEveryPageIn(b, web.Patterns(), paths); tried < 300 {
		t.Errorf("%d controls were tried", tried)
	}
}

// The same holds with sign-in, and on the pages for secrets and accounts.
func TestScansChangeNothingWherePeopleSignIn(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	s := browsertest.Serve(t, "--demo", "--auth", "all")
	b := s.Open()
	b.Visit(s.Invitation())
	b.TabTo("input[name=name]")
	b.Keys("The Boss\tboss\t" + browsertest.GoodPassword + kb.Enter)
	b.Says("Welcome.")
	var users []struct{ ID string }
	s.SignIn("boss", browsertest.GoodPassword).Ask(http.MethodGet, "/api/users", nil, &users)
	patterns := slices.DeleteFunc(web.AccessPatterns(), func(pattern string) bool { return pattern == "GET /setup" })
	if tried := scanOnEveryPageIn(b, patterns, []string{"/me", "/sign-in", "/users/" + users[0].ID, "/settings/access", "/settings/signatures",
		"/stations", "/me/second-factors"}); tried < 40 {
		t.Errorf("%d controls were tried", tried)
	}
}

// Keys that a person types reach every kind of control. Enter, Tab and Space work as on other pages.
func TestHandsStillType(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	jobID, _, serials := s.Job("Shaft", "flexible", 3, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Wash"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	focus := func(selector string) {
		t.Helper()
		b.There(selector)
		b.Do("focus "+selector, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{document.querySelector(%q).focus(); undefined}`, selector)))
	}
	// Space and Enter open sections and press buttons, and a select chooses by letters.
	focus(`details[data-key=note] summary`)
	b.Keys(" ")
	b.Wait("the note is open", `document.querySelector("details[data-key=note]").open`)
	focus(`details[data-key=note] select`)
	b.Keys("Wa")
	b.Wait("the step is chosen", `document.querySelector("details[data-key=note] select").selectedOptions[0].label === "Wash"`)
	b.Keys("\t" + "chatter at the edge")
	b.Wait("the note is written", `document.activeElement.value === "chatter at the edge"`)
	b.Keys(kb.Enter + "12 to 14")
	b.Wait("a text has lines", `document.activeElement.value === "chatter at the edge\n12 to 14"`)
	b.Keys("\t" + " ")
	b.Says("Note written.")
	focus(`details[data-key=hold] summary`)
	b.Keys(kb.Enter + "\t")
	// A program that inserts text for a person is as fast as a scanner, but the text does not end in Enter.
	scansIn(b, "a crack at the shoulder", "")
	b.Keys(kb.Enter)
	b.Says("On hold: a crack at the shoulder")

	b.Visit("/jobs/" + jobID)
	focus(`[name=serial][value="` + serials[1] + `"]`)
	b.Keys(" ")
	b.Wait("the unit is ticked", fmt.Sprintf(`document.querySelector('[name=serial][value="%s"]').checked`, serials[1]))
	b.Keys(kb.Enter)
	b.Says("Advance 1 unit by one step")
	b.Visit("/jobs")
	b.Do("open the form", chromedp.Evaluate[chromedp.Void](`{document.querySelector("form[action='/jobs'] [name=name]").closest("details")?.setAttribute("open", ""); undefined}`))
	focus(`form[action="/jobs"] [name=dueDate]`)
	b.Keys("12122026")
	b.Wait("the date is typed", `document.querySelector("form[action='/jobs'] [name=dueDate]").value === "2026-12-12"`)
	focus(`nav a[href="/queue"]`)
	b.Keys(kb.Enter)
	b.Wait("a link leads on", `location.pathname === "/queue"`)
	if b.Is(`document.getElementById("scanned")`) {
		t.Error("a person is taken for a scanner")
	}
}

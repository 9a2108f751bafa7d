package web_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/internal/httpapi"
	"github.com/routecard/routecard/internal/web"
)

// served returns the pages with the handlers that precede them in the program.
func (s *visitedShop) served() http.Handler {
	return httpapi.New(httpapi.Config{
		Service: s.service, Access: s.door, Pages: s.pages, Logger: slog.New(slog.DiscardHandler), Metrics: httpapi.NewMetrics(),
		Ready: func(context.Context) error { return nil }, MaxBody: 1 << 20,
	})
}

// A page of another site, or on another port of this machine, cannot post a form as the user.
func TestFormsOnlyFromOurPages(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	face := s.served()
	boss := s.signedIn("boss")
	post := func(target, name, value string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8080"+target, strings.NewReader("do=advance&once=x"))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.Header.Set(name, value)
		request.AddCookie(&http.Cookie{Name: "session", Value: boss.cookies["session"]})
		answer := httptest.NewRecorder()
		face.ServeHTTP(answer, request)
		return answer
	}
	const refused = "Cross-origin request refused"
	forms := 0
	for _, pattern := range append(web.Patterns(), web.AccessPatterns()...) {
		method, target, _ := strings.Cut(pattern, " ")
		if method != http.MethodPost {
			continue
		}
		forms++
		target = regexp.MustCompile(`\{\w+\}`).ReplaceAllString(target, "x_1")
		for _, from := range [][2]string{
			{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"},
			{"Origin", "http://127.0.0.1:9090"}, {"Origin", "https://127.0.0.1:8443"}, {"Origin", "https://evil.example"}, {"Origin", "null"},
		} {
			if answer := post(target, from[0], from[1]); answer.Code != http.StatusForbidden || !strings.Contains(answer.Body.String(), refused) {
				t.Errorf("%s with %s: %d", pattern, from, answer.Code)
			}
		}
		if pattern == "POST /sign-out" {
			continue // this form would end the session
		}
		if answer := post(target, "Origin", "http://127.0.0.1:8080"); strings.Contains(answer.Body.String(), refused) {
			t.Errorf("%s from our own page is refused", pattern)
		}
	}
	if forms < 15 {
		t.Errorf("only %d routes take forms", forms)
	}
	boss.visit("/me").says("The Boss")
}

// Secrets appear only on the page that just created them.
func TestPagesTellNoSecrets(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	anna := s.person("anna", "operator")
	boss := s.signedIn("boss")
	boss.visit("/users/"+anna).press("Set the PIN", "pin", "27182818284590")
	secrets := []string{browsertest.GoodPassword, "given by the boss", "27182818284590", boss.cookies["session"]}
	boss.press("Create a badge")
	secrets = append(secrets, regexp.MustCompile(`RC-ID-[0-9A-Za-z]{20}`).FindString(boss.text()))
	boss.visit("/users/"+s.program("gauge", "viewer")).press("Create a token", "name", "gateway", "permission", "read")
	secrets = append(secrets, regexp.MustCompile(`rcd_[0-9A-Za-z]{38}`).FindString(boss.text()))
	boss.visit("/sign-out") // there is no such page: a mistyped address ends no session
	wrong := s.visitor()
	wrong.visit("/sign-in").press("current-password", "login", "anna", "password", "a mistyped password")
	secrets = append(secrets, "a mistyped password")
	if strings.Contains(wrong.page.html, "a mistyped password") {
		t.Error("a wrong password comes back with the page")
	}
	told := ""
	for _, address := range []string{"/me", "/users", "/users/" + anna, "/stations", "/audit", "/audit/entries.csv", "/audit/entries.json", "/", "/nowhere"} {
		told += boss.answer(address).Body.String()
	}
	if !strings.Contains(told, "secret_changed") || !strings.Contains(told, "gateway") {
		t.Error("the pages do not tell what happened")
	}
	for _, secret := range secrets {
		if len(secret) < 6 || strings.Contains(told, secret) {
			t.Errorf("%q is on a page", secret)
		}
	}
}

// With https, cookies are sent over https only, and a cookie that a sibling host has set is not accepted as the session.
func TestCookiesOfPages(t *testing.T) {
	t.Parallel()
	for _, secure := range []bool{false, true} {
		s := openGuardedShop(t, access.All, func(o *access.Options) { o.Secure = secure })
		v := s.visitor()
		v.visit("/sign-in")
		name := "session"
		if secure {
			name = "__Host-session"
		}
		form := v.page.form(t, "current-password").with("login", "boss", "password", browsertest.GoodPassword)
		request := httptest.NewRequest(http.MethodPost, form.action, strings.NewReader(form.values.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for _, cookie := range v.ask(request).Result().Cookies() {
			if cookie.Secure != secure || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.Domain != "" {
				t.Errorf("https %v: %v", secure, cookie)
			}
		}
		if v.cookies[name] == "" {
			t.Errorf("https %v: the cookies are %v", secure, v.cookies)
		}
		v.visit("/me").says("The Boss")
		v.cookies["session"] = "another host's"
		if secure {
			v.visit("/me").says("The Boss")
		}
	}
}

// A slow download ends soon after the session that requested it.
func TestDownloadEndsWithItsSession(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	for range 150 {
		s.operator(strings.Repeat("x", 400))
	}
	boss, other := s.signedIn("boss"), s.signedIn("boss")
	read := func(between func()) (whole bool, length int) {
		w := &slowReader{ResponseRecorder: httptest.NewRecorder(), between: between}
		request := httptest.NewRequest(http.MethodGet, "/audit/entries.csv", nil)
		request.AddCookie(&http.Cookie{Name: "session", Value: other.cookies["session"]})
		defer func() {
			length = w.Body.Len()
			if cause := recover(); cause != nil && cause != http.ErrAbortHandler {
				panic(cause)
			} else if cause != nil {
				whole = false
			}
		}()
		s.pages.ServeHTTP(w, request)
		return true, w.Body.Len()
	}
	whole, all := read(func() { s.pass(11 * time.Second) })
	if !whole || all < 64<<10 {
		t.Fatalf("a slow reader who is signed in gets %d bytes, as a whole: %v", all, whole)
	}
	whole, part := read(func() {
		s.pass(11 * time.Second)
		boss.visit("/me").press("Change the password", "oldPassword", browsertest.GoodPassword, "password", "seven geese on a pond").says("Password changed.")
	})
	if whole || part == 0 || part >= all {
		t.Errorf("%d of %d bytes are answered, as a whole: %v", part, all, whole)
	}
}

// slowReader calls a function between the first piece of a response and the next.
type slowReader struct {
	*httptest.ResponseRecorder
	pieces  int
	between func()
}

func (w *slowReader) Write(piece []byte) (int, error) {
	if w.pieces++; w.pieces == 1 {
		w.between()
	}
	return w.ResponseRecorder.Write(piece)
}

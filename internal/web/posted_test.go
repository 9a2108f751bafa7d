package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/web"
)

// countedForm counts how many bytes of a form are read.
type countedForm struct {
	*strings.Reader
	read int
}

func (f *countedForm) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	f.read += n
	return n, err
}

// docs/running.md, "Limits": The permission of a visitor is checked before the visitor's form is read. If the visitor has not signed in,
// only a small part of the form is read.
func TestFormsAreReadBehindTheDoor(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.Writes)
	face := s.served()
	boss := s.signedIn("boss") // without the permission to plan
	post := func(target, session string) (status, read int) {
		form := &countedForm{Reader: strings.NewReader("do=make&code=RC-ID-1&name=" + strings.Repeat("x", 1<<20))}
		request := httptest.NewRequest(http.MethodPost, target, form)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if session != "" {
			request.AddCookie(&http.Cookie{Name: "session", Value: session})
		}
		answer := httptest.NewRecorder()
		face.ServeHTTP(answer, request)
		return answer.Code, form.read
	}
	for target, want := range map[string]int{
		"/sign-in": http.StatusRequestEntityTooLarge, "/setup": http.StatusRequestEntityTooLarge,
		"/jobs": http.StatusSeeOther, "/scan": http.StatusSeeOther, "/users": http.StatusSeeOther,
	} {
		if status, read := post(target, ""); status != want || read > web.AnonymousLimit+1<<10 {
			t.Errorf("%s by nobody: %d, and %d bytes are read", target, status, read)
		}
	}
	if status, read := post("/jobs", boss.cookies["session"]); status != http.StatusForbidden || read != 0 {
		t.Errorf("by somebody who may not: %d, and %d bytes are read", status, read)
	}
	if status, read := post("/users", boss.cookies["session"]); status == http.StatusSeeOther || read < 1<<20 {
		t.Errorf("by somebody who may: %d, and %d bytes are read", status, read)
	}
}

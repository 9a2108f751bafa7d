package web_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/browsertest"
)

// A user signs in through a provider in a real browser. The program is started as a shop starts it.
func TestBrowserSignsInWithProvider(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	s := &browsertest.Site{T: t, Database: filepath.Join(t.TempDir(), "shop.db"), Address: browsertest.FreeAddress(t)}
	s.URL = "http://" + s.Address
	p := startProvider(t, s.URL+"/sign-in/return")
	p.stop()
	p.knows(map[string]claims{"sub-anna": {"preferred_username": "anna", "name": "Anna Alt", "groups": []string{"Büro=1"}}})
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(clientSecret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Start("--auth", "all", "--public-url", s.URL, "--oidc-issuer", "http://localhost:"+p.port, "--oidc-client", "routecard",
		"--oidc-secret-file", secret, "--oidc-create", "--oidc-role", "Büro=1=admin", "--oidc-role", "golf=lead")
	b := s.Open()

	// The program has started without the provider and says so.
	b.Visit("/sign-in?next=/users")
	b.Click(`a[href^="/sign-in/provider"]`)
	b.Says("does not answer just now")
	if status := saysAt(s, "/readyz"); !strings.Contains(status, `"degraded"`) || !strings.Contains(status, "OpenID Connect") {
		t.Errorf("without the provider it is %s", status)
	}
	p.start()
	b.Click(`a[href^="/sign-in/provider"]`)
	b.Wait("the provider asks", `document.querySelector("input[name=login]")`)
	b.Fill("input[name=login]", "sub-anna")
	b.Fill("input[name=password]", "any")
	b.Click("button[type=submit]")
	b.Wait("she is where she wanted to be", fmt.Sprintf("location.href === %q", s.URL+"/users"))
	b.Says("Anna Alt")
	if status := saysAt(s, "/readyz"); !strings.Contains(status, `"ready"`) {
		t.Errorf("with the provider it is %s", status)
	}
	b.Visit("/me")
	b.Says("You may: read admin")
	b.Click(".operator button")
	b.Says("Signed out.")
	b.Visit("/users")
	b.Says("With a password")
}

// saysAt returns the response of the service to a request by its administrator.
func saysAt(s *browsertest.Site, path string) string {
	s.T.Helper()
	answer, err := http.Get(s.URL + path)
	if err != nil {
		s.T.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.T.Fatal(err)
	}
	return string(text)
}

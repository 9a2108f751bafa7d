package web_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A person signs in through a provider in a real browser, with the program as it is started in a shop.
func TestBrowserSignsInWithProvider(t *testing.T) {
	t.Parallel()
	chromium(t)
	s := &site{t: t, database: filepath.Join(t.TempDir(), "shop.db"), address: freeAddress(t)}
	s.url = "http://" + s.address
	p := startProvider(t, s.url+"/sign-in/return")
	p.stop()
	p.knows(map[string]claims{"sub-anna": {"preferred_username": "anna", "name": "Anna Alt", "groups": []string{"Büro=1"}}})
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(clientSecret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.start("--auth", "all", "--public-url", s.url, "--oidc-issuer", "http://localhost:"+p.port, "--oidc-client", "routecard",
		"--oidc-secret-file", secret, "--oidc-create", "--oidc-role", "Büro=1=admin", "--oidc-role", "golf=lead")
	b := s.open()

	// The program started without the provider, and says so.
	b.visit("/sign-in?next=/users")
	b.click(`a[href^="/sign-in/provider"]`)
	b.says("does not answer just now")
	if status := s.says("/readyz"); !strings.Contains(status, `"degraded"`) || !strings.Contains(status, "OpenID Connect") {
		t.Errorf("without the provider it is %s", status)
	}
	p.start()
	b.click(`a[href^="/sign-in/provider"]`)
	b.wait("the provider asks", `document.querySelector("input[name=login]")`)
	b.fill("input[name=login]", "sub-anna")
	b.fill("input[name=password]", "any")
	b.click("button[type=submit]")
	b.wait("she is where she wanted to be", fmt.Sprintf("location.href === %q", s.url+"/users"))
	b.says("Anna Alt")
	if status := s.says("/readyz"); !strings.Contains(status, `"ready"`) {
		t.Errorf("with the provider it is %s", status)
	}
	b.visit("/me")
	b.says("You may: read admin")
	b.click(".operator button")
	b.says("Signed out.")
	b.visit("/users")
	b.says("With a password")
}

// says is what an address of the service answers to whoever runs it.
func (s *site) says(path string) string {
	s.t.Helper()
	answer, err := http.Get(s.url + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

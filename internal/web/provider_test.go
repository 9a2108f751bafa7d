package web_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/internal/process"
)

const (
	clientSecret = "a-secret-of-the-shop"
	returnTo     = "http://shop.example/sign-in/return"
)

// provider is an independent implementation of an OpenID Connect provider, with users for these tests.
type provider struct {
	t        *testing.T
	port     string
	callback string
	people   string // path of a file
	server   *process.Server

	mu    sync.Mutex
	known map[string]claims
}

type claims map[string]any

// startProvider starts a provider that redirects to the given address of the shop.
func startProvider(t *testing.T, callback string) *provider {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections from this machine only
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err := errors.Join(err, listener.Close()); err != nil {
		t.Fatal(err)
	}
	p := &provider{t: t, port: port, callback: callback, people: filepath.Join(t.TempDir(), "people.json"), known: map[string]claims{}}
	p.knows(map[string]claims{})
	p.start()
	t.Cleanup(p.stop)
	return p
}

// knows sets the users that the provider knows, by subject.
func (p *provider) knows(people map[string]claims) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.Copy(p.known, people)
	content, err := json.Marshal(p.known)
	if err != nil {
		p.t.Fatal(err)
	}
	written := p.people + ".new" // the provider may be reading the file
	if err := errors.Join(os.WriteFile(written, content, 0o600), os.Rename(written, p.people)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *provider) start() {
	p.t.Helper()
	command := exec.Command(process.Find(p.t, "nodejs", "node"), "provider.mjs", p.port, p.callback, p.people)
	command.Dir = installedProvider(p.t)
	server, err := process.Start(command)
	if err != nil {
		p.t.Fatal(err)
	}
	p.server = server
}

func (p *provider) stop() {
	if p.server != nil {
		p.server.Kill()
		p.server = nil
	}
}

// installedProvider returns a folder with oidc-provider. The folder stays on the machine between runs. There is one for each list of
// versions.
func installedProvider(t *testing.T) string {
	t.Helper()
	npm := process.Find(t, "npm", "npm")
	const from = "testdata/openid"
	lock, err := os.ReadFile(filepath.Join(from, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile(filepath.Join(from, "provider.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(append(lock, script...))
	folder := filepath.Join(cache, "routecard-tests", "openid-"+hex.EncodeToString(sum[:8]))
	if _, err := os.Stat(folder); err == nil {
		return folder
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o700); err != nil {
		t.Fatal(err)
	}
	making, err := os.MkdirTemp(filepath.Dir(folder), ".making-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(making)
	if err := os.CopyFS(making, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	install := exec.Command(npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts")
	install.Dir = making
	if output, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, output)
	}
	if err := os.Rename(making, folder); err != nil && !errors.Is(err, os.ErrExist) { // another test has installed it first
		if _, gone := os.Stat(folder); gone != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// options returns the settings of a shop that signs users in with the provider.
func (p *provider) options(change ...func(*access.ProviderOptions)) func(*access.Options) {
	options := &access.ProviderOptions{
		Issuer: "http://localhost:" + p.port, Client: "routecard", Secret: clientSecret, Name: "the company account",
		Callback: p.callback, Scopes: []string{"profile"}, LoginClaim: "preferred_username", GroupsClaim: "groups",
	}
	for _, change := range change {
		change(options)
	}
	return func(o *access.Options) { o.Provider = options }
}

// leave follows the shop's link to the provider and returns the address to which it redirects.
func (v *visitor) leave(next string) string {
	v.t.Helper()
	answer := v.answer("/sign-in/provider?next=" + url.QueryEscape(next))
	if answer.Code != http.StatusSeeOther {
		v.t.Fatalf("led nowhere: %d %s", answer.Code, answer.Body)
	}
	return answer.Header().Get("Location")
}

var interaction = regexp.MustCompile(`action="(http://localhost:\d+/interaction/[^"]+)"`)

// signsIn signs a user in at the provider and returns the address of the shop to which the provider redirects.
func (p *provider) signsIn(address, subject string) string {
	p.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.t.Fatal(err)
	}
	back := ""
	client := &http.Client{Jar: jar, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(r.URL.String(), p.callback) {
			back = r.URL.RequestURI()
			return http.ErrUseLastResponse
		}
		return nil
	}}
	page, err := client.Get(address)
	if err != nil {
		p.t.Fatal(err)
	}
	if back != "" { // the provider redirected without a question
		page.Body.Close()
		return back
	}
	html := browsertest.ReadAll(p.t, page)
	form := interaction.FindStringSubmatch(html)
	if form == nil {
		p.t.Fatalf("the provider does not ask who it is: %s", html)
	}
	answer, err := client.PostForm(form[1], url.Values{"prompt": {"login"}, "login": {subject}, "password": {"any"}}) //nolint:bodyclose // ReadAll closes it
	if err != nil {
		p.t.Fatal(err)
	}
	if said := browsertest.ReadAll(p.t, answer); back == "" {
		p.t.Fatalf("the provider does not send %s back: %s", subject, said)
	}
	return back
}

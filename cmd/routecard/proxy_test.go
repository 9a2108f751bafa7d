package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/process"
)

// proxied is a service behind nginx, as seen from a browser.
type proxied struct {
	*testing.T
	instance served
	address  string // of nginx
	name     string // the name under which people reach it, with the port
}

// behindNginx starts a service, and nginx in front of it with docs/examples/nginx.conf. It changes only the addresses and the folders of
// nginx in the example.
func behindNginx(t *testing.T) *proxied {
	t.Helper()
	nginx := process.Find(t, "nginx", "nginx")
	instance := serveFile(t, "--public-url", "https://routecard.example.com")
	example, err := os.ReadFile("../../docs/examples/nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxied{T: t, instance: instance, address: listener.Addr().String()}
	_, port, err := net.SplitHostPort(p.address)
	if err != nil {
		t.Fatal(err)
	}
	p.name = "routecard.example.com:" + port
	folder := t.TempDir()
	paths := "http {\n    access_log off;\n"
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		paths += "    " + kind + "_temp_path " + filepath.Join(folder, kind) + ";\n"
	}
	config := string(example)
	for _, change := range [][2]string{
		{"http {\n", paths},
		{"listen 127.0.0.1:8000;", "listen " + p.address + ";"},
		{"127.0.0.1:8081", strings.TrimPrefix(instance.URL, "http://")},
		{"127.0.0.1:8082", strings.TrimPrefix(instance.URL, "http://")}, // a database file can have only one instance
		{"127.0.0.1:8083", strings.TrimPrefix(instance.URL, "http://")},
	} {
		if strings.Count(config, change[0]) != 1 {
			t.Fatalf("the example has %d times %q", strings.Count(config, change[0]), change[0])
		}
		config = strings.Replace(config, change[0], change[1], 1)
	}
	file := filepath.Join(folder, "nginx.conf")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	// nginx inherits a listening socket, as when its program is replaced while it runs. So no other process can take the port, and early
	// connections wait.
	socket, err := listener.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	var output bytes.Buffer
	settings := "daemon off; pid " + filepath.Join(folder, "pid") + ";"
	if os.Geteuid() == 0 {
		settings += " user root;" // otherwise nginx could not read the test's folder
	}
	command := exec.Command(nginx, "-e", "stderr", "-p", folder, "-c", file, "-g", settings)
	command.Env, command.ExtraFiles = append(os.Environ(), "NGINX=3;"), []*os.File{socket}
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := command.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if err := command.Wait(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("nginx:\n%s", output.String())
		}
	})
	for _, ours := range []io.Closer{socket, listener} {
		if err := ours.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// ask sends a request to nginx as a browser does from the service's page without Sec-Fetch-Site, and returns the response.
func (p *proxied) ask(method, path, body string, headers ...string) (status int, header http.Header, text string) {
	p.Helper()
	request, err := http.NewRequestWithContext(p.Context(), method, "http://"+p.address+path, strings.NewReader(body))
	if err != nil {
		p.Fatal(err)
	}
	request.Host = p.name
	request.Header.Set("Origin", "http://"+p.name)
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		if request.Header.Set(headers[i], headers[i+1]); headers[i] == "Host" {
			request.Host = headers[i+1]
		}
	}
	client := http.Client{
		Transport: &http.Transport{DisableKeepAlives: true}, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	response, err := client.Do(request)
	if err != nil {
		p.Fatal(err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		p.Fatal(err)
	}
	return response.StatusCode, response.Header, string(content)
}

// wants asks, compares the response with a status and a part of the body, and returns its headers.
func (p *proxied) wants(status int, part, method, path, body string, headers ...string) http.Header {
	p.Helper()
	got, header, text := p.ask(method, path, body, headers...)
	if got != status || !strings.Contains(text, part) {
		p.Errorf("%s %s %q: %d %.300s", method, path, headers, got, text)
	}
	return header
}

// TestNginxExample runs the service after a real nginx with the file of the documentation.
func TestNginxExample(t *testing.T) {
	t.Parallel()
	p := behindNginx(t)
	const job = `{"name": "Gearbox housing", "goalQuantity": 5}`

	// The permission to write depends on Host and Origin, port included.
	p.wants(http.StatusCreated, `"Gearbox housing"`, "POST", "/api/jobs", job)
	p.wants(http.StatusForbidden, `"statusCode":403`, "POST", "/api/jobs", job, "Origin", "http://elsewhere.example")
	p.wants(http.StatusForbidden, `"statusCode":403`, "POST", "/api/jobs", job, "Origin", "http://routecard.example.com:1")
	p.wants(http.StatusMisdirectedRequest, `"statusCode":421`, "POST", "/api/jobs", job, "Host", "elsewhere.example", "Origin", "http://elsewhere.example")
	p.wants(http.StatusSeeOther, "", "POST", "/jobs", "name=Valve+body&goalQuantity=2", "Content-Type", "application/x-www-form-urlencoded")

	// A request id from the caller reaches the log. Without one, nginx adds an id.
	const named = "bench-7/order-1234"
	if id := p.wants(http.StatusOK, "", "GET", "/api/jobs", "", "X-Request-Id", named).Get("X-Request-ID"); id != named {
		t.Errorf("the caller's request id became %q", id)
	}
	id := p.wants(http.StatusOK, "", "GET", "/api/jobs", "").Get("X-Request-ID")
	if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(id) {
		t.Errorf("the request id is %q, which is not nginx's", id)
	}

	// nginx passes bodies on up to the service's own limits, and the service itself refuses larger bodies.
	const list = `{"serialIds": ["SN-00001"], "userId": "ann"}`
	padded := func(size int) string { return list + strings.Repeat(" ", size-len(list)) }
	p.wants(http.StatusNotFound, "SN-00001", "POST", "/api/serials/batch-advance", padded(16<<20))
	p.wants(http.StatusRequestEntityTooLarge, `"statusCode":413`, "POST", "/api/serials/batch-advance", padded(16<<20+1))

	// A request that does not reach an operation is refused by nginx or by the HTTP server, so the response need not be JSON.
	long := strings.Repeat("x", 100<<10)
	p.wants(http.StatusBadRequest, "<html>", "GET", "/api/jobs", "", "X-Long", long)
	direct, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.instance.URL+"/api/jobs", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	direct.Header.Set("X-Long", long)
	response, err := http.DefaultClient.Do(direct)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusRequestHeaderFieldsTooLarge || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/plain") {
		t.Errorf("long headers without nginx: %s %s", response.Status, response.Header.Get("Content-Type"))
	}
	if err := response.Body.Close(); err != nil {
		t.Error(err)
	}
	if err := p.instance.Stop(); err != nil {
		t.Error(err)
	}
	p.wants(http.StatusBadGateway, "<html>", "GET", "/api/jobs", "")
	for _, id := range []string{named, id} {
		if !strings.Contains(p.instance.Stderr.String(), "request="+id) {
			t.Errorf("the log has no request %s", id)
		}
	}
}

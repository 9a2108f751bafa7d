package main

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/process"
)

// docs/running.md, "The first start": Known are configured names, the machine's own names, and every name that no page from the Internet
// can have.
func TestKnownHosts(t *testing.T) {
	t.Parallel()
	known, err := hostSettings{Host: []string{"Routecard.Example.COM", "shop.example"}, PublicURL: "https://cards.example.com:8443/"}.known()
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{
		own, own + ":8080", strings.ToUpper(own),
		"routecard.example.com", "routecard.example.com:443", "ROUTECARD.EXAMPLE.COM.", "shop.example", "cards.example.com", "cards.example.com:1",
		"localhost", "LOCALHOST:8080", "localhost.:80", "shop.localhost:1",
		"127.0.0.1:8080", "127.1.2.3", "192.168.0.1", "10.0.0.5:8080", "203.0.113.7", "0.0.0.0",
		"[::1]:8080", "[::1]", "::1", "[::2]", "[2001:db8::1]:8080", "[::ffff:127.0.0.1]", "[fe80::1%25eth0]:8080",
		"routecard", "routecard:8080", "ROUTECARD", "shop-server", "db_1:80", "xn--nxasmq6b",
		"routecard.local", "routecard.shop.svc.cluster.local:8080", "Routecard.Internal", "routecard.lan", "a.home.arpa:80", "shop.test.",
	} {
		if !known(host) {
			t.Errorf("%q is unknown", host)
		}
	}
	for _, host := range []string{
		"", ":8080", ".", "evil.example", "evil.example:8080", "evil.example.", "localhost.evil.example", "127.0.0.1.evil.example",
		"routecard.example.com.evil.example", "evilshop.example", "sub.shop.example", "evil.notlocal", "evil.xlan", "home.arpa", "a.arpa",
		"local.evil.example", "evil.localdomain", "evil.local.example", "evil.test.example:80", "x@localhost", "x y", "evil%2eexample",
		"[::1", "[evil.example]", "evil.example:80:80", "127.0.0.1x.example", "1.2.3", "1.2.3.4.5", "évil", "evil。example",
	} {
		if known(host) {
			t.Errorf("%q is known", host)
		}
	}
	for _, wrong := range []hostSettings{{Host: []string{"https://x"}}, {Host: []string{""}}, {PublicURL: "routecard.example.com"}, {PublicURL: "ftp://x"}} {
		if _, err := wrong.known(); err == nil {
			t.Errorf("%+v is accepted", wrong)
		}
	}
}

func TestMachineNames(t *testing.T) {
	t.Parallel()
	const hosts = "127.0.0.1 localhost\n\n# shop.example.org shop\n::1 localhost ip6-localhost\n" +
		"127.0.1.1\tShop.Example.COM\tshop  cards.example.com # evil.example\n10.0.0.1 other.example other\n10.0.0.2 www.shop\n"
	if names := namesOf("Shop", hosts); !slices.Equal(names, []string{"shop", "shop.example.com", "shop", "cards.example.com"}) {
		t.Errorf("names of the machine: %q", names)
	}
	if names := namesOf("db.example.com", ""); !slices.Equal(names, []string{"db.example.com"}) {
		t.Errorf("names without a file: %q", names)
	}
}

// Programs that send a GET and a POST with their defaults to each address, which all mean 127.0.0.1, and print the statuses.
const (
	curlRequests = `
for at; do
	host=${at#http://}; host=${host%%/*}
	curl -sS --resolve "$host:127.0.0.1" -o /dev/null -w "%{http_code} " "$at"
	curl -sS --resolve "$host:127.0.0.1" -o /dev/null -w "%{http_code}\\n" --json '{"name": "curl", "goalQuantity": 1}' "$at"
done
`
	pythonRequests = `
import socket, sys
from urllib.request import Request, urlopen
resolve = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **named: resolve("127.0.0.1", *rest, **named)
for at in sys.argv[1:]:
    made = urlopen(Request(at, b'{"name": "python", "goalQuantity": 1}', {"Content-Type": "application/json"}))
    print(urlopen(at).status, made.status)
`
	nodeRequests = `
const dns = require("node:dns"), http = require("node:http"), resolve = dns.lookup
dns.lookup = (host, ...rest) => resolve("127.0.0.1", ...rest)
const get = at => new Promise((done, failed) => http.get(at, {agent: false}, answer => done(answer.statusCode)).on("error", failed))
void async function () {
	for (const at of process.argv.slice(1)) {
		const body = JSON.stringify({name: "node", goalQuantity: 1}), headers = {"Content-Type": "application/json"}
		console.log(await get(at), (await fetch(at)).status, (await fetch(at, {method: "POST", headers, body})).status)
	}
}()
`
	javaRequests = `
import java.net.*;
import java.net.http.*;
class Requests {
	public static void main(String[] all) throws Exception {
		HttpClient client = HttpClient.newHttpClient();
		HttpResponse.BodyHandler<Void> none = HttpResponse.BodyHandlers.discarding();
		for (String at : all) {
			URI uri = URI.create(at);
			HttpRequest post = HttpRequest.newBuilder(uri).header("Content-Type", "application/json")
				.POST(HttpRequest.BodyPublishers.ofString("{\"name\": \"java\", \"goalQuantity\": 1}")).build();
			System.out.println(((HttpURLConnection) uri.toURL().openConnection()).getResponseCode() + " "
				+ client.send(HttpRequest.newBuilder(uri).build(), none).statusCode() + " " + client.send(post, none).statusCode());
		}
	}
}
`
)

// docs/running.md, "The first start": Programs reach the service under every name: of a compose or Kubernetes service, and of a public
// zone.
func TestProgramsUnderAnyName(t *testing.T) {
	t.Parallel()
	s := serveFile(t)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"routecard", "routecard.factory.svc.cluster.local", "routecard.factory.svc", "routecard.example.com"}
	addresses := []string{}
	for _, name := range names {
		addresses = append(addresses, "http://"+name+":"+port+"/api/jobs")
	}
	sends := func(program, statuses string, args ...string) {
		t.Helper()
		output, err := exec.CommandContext(t.Context(), program, append(args, addresses...)...).CombinedOutput()
		if want := strings.Repeat(statuses+"\n", len(names)); err != nil || string(output) != want {
			t.Errorf("%s under %q: %v\n%s", program, names, err, output)
		}
	}
	process.Find(t, "curl", "curl")
	sends("sh", "200 201", "-c", curlRequests, "sh")
	sends(process.Find(t, "python3", "python3"), "200 201", "-c", pythonRequests)
	sends(process.Find(t, "nodejs", "node"), "200 200 201", "-e", nodeRequests)
	if java, err := exec.LookPath("javac"); err != nil {
		t.Log("this machine has no JDK: only the headers that Java sends are tested")
	} else {
		source, hosts := filepath.Join(t.TempDir(), "Requests.java"), filepath.Join(t.TempDir(), "hosts")
		for file, text := range map[string]string{source: javaRequests, hosts: "127.0.0.1 " + strings.Join(names, " ") + "\n"} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		sends(strings.TrimSuffix(java, "c"), "200 200 201", "-Djdk.net.hosts.file="+hosts, source)
	}
	for program, header := range map[string]http.Header{
		"Go":                       nil,
		"Java's HttpClient":        {"User-Agent": {"Java-http-client/17.0.15"}, "Connection": {"Upgrade, HTTP2-Settings"}, "Upgrade": {"h2c"}},
		"Java's HttpURLConnection": {"User-Agent": {"Java/17.0.15"}, "Accept": {"text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"}},
		"a probe of Kubernetes":    {"User-Agent": {"kube-probe/1.31"}, "Accept": {"*/*"}, "Connection": {"close"}},
	} {
		for _, name := range names {
			if status := s.under(t, name, http.MethodGet, header); status != http.StatusOK {
				t.Errorf("%s under the name %s: %d", program, name, status)
			}
			if status := s.under(t, name, http.MethodPost, header); status != http.StatusCreated {
				t.Errorf("%s under the name %s: POST %d", program, name, status)
			}
		}
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
}

// under sends a request under another name of the service, and returns its status.
func (s served) under(t *testing.T, name, method string, header http.Header) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.URL+"/api/jobs", strings.NewReader(`{"name": "x", "goalQuantity": 1}`))
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		request.Header = header.Clone()
	}
	if method == http.MethodGet {
		request.Body, request.ContentLength = http.NoBody, 0
	} else {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Host = name
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

// docs/running.md, "The first start": A browser is refused under a public name that is not configured.
func TestRebinding(t *testing.T) {
	t.Parallel()
	s := serveFile(t, "--host", "routecard.example.com")
	browser := http.Header{"User-Agent": {"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"}, "Accept-Language": {"en"}}
	for name, want := range map[string]int{
		"evil.example": http.StatusMisdirectedRequest, "evil.example:80": http.StatusMisdirectedRequest,
		"routecard.example.com": http.StatusOK, "": http.StatusOK, "routecard:8080": http.StatusOK, "10.0.0.5": http.StatusOK,
	} {
		if status := s.under(t, name, http.MethodGet, browser); status != want {
			t.Errorf("a browser under the name %q: %d", name, status)
		}
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
}

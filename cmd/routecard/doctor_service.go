package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"
)

// doctorPatience is the time within which the service must respond to the doctor.
const doctorPatience = 10 * time.Second

// certificateSoon is the time before its expiry from which a certificate is reported.
const certificateSoon = 14 * 24 * time.Hour

// servicePoll sends the doctor's requests to a running service.
type servicePoll struct {
	base   string
	client *http.Client
	token  string
}

// lookAtService reports whether a service runs, its health, and whether it has the version of this program.
func (c *doctorCommand) lookAtService(ctx context.Context, found *check) {
	poll, err := c.poll()
	if err != nil {
		found.sayf(unknown, "%v", err)
		return
	}
	found.value("url", withoutSecrets(poll.base))
	status, body, err := poll.get(ctx, "/readyz")
	if err != nil {
		v := noted // the service need not run
		if c.URL != "" {
			v = unknown
		}
		found.sayf(v, "No service answers at %s: %v", poll.base, err)
		return
	}
	var health struct {
		Status  string `json:"status"`
		Message string `json:"message"`
	}
	if err := json.Unmarshal(body, &health); err != nil || status != http.StatusOK && status != http.StatusServiceUnavailable {
		found.sayf(unknown, "What answers at %s is no Routecard: %d to GET /readyz.", poll.base, status)
		return
	}
	c.answers = true
	found.value("status", health.Status)
	switch {
	case status != http.StatusOK:
		found.sayf(wrongNow, "The service at %s is not ready: %s", poll.base, health.Message)
	case health.Status != "ready":
		found.sayf(wrongNow, "The service at %s is %s: %s", poll.base, health.Status, health.Message)
	default:
		found.sayf(allWell, "The service at %s is ready.", poll.base)
	}
	c.compareVersions(ctx, poll, found)
}

var buildInfo = regexp.MustCompile(`(?m)^routecard_build_info\{.*\bversion="([^"]*)"`)

// compareVersions reports whether the running service is another version than this program: it was not restarted after an upgrade.
func (c *doctorCommand) compareVersions(ctx context.Context, poll *servicePoll, found *check) {
	status, body, err := poll.get(ctx, "/metrics")
	told := buildInfo.FindSubmatch(body)
	if err != nil || status != http.StatusOK || told == nil {
		found.sayf(allWell, "It does not tell its version here (GET /metrics answers %d); --token-file names a token that may read.",
			status)
		return
	}
	running := string(told[1])
	found.value("version", running)
	if running != version() {
		found.sayf(noted, "It is %s, and this program is %s: restart it after an upgrade.", running, version())
	}
}

// poll finds the address of the service.
func (c *doctorCommand) poll() (*servicePoll, error) {
	poll := &servicePoll{base: strings.TrimSuffix(c.URL, "/"), client: &http.Client{Timeout: doctorPatience}}
	if c.TokenFile != "" {
		token, err := os.ReadFile(c.TokenFile)
		if err != nil {
			return nil, err
		}
		poll.token = strings.TrimSpace(string(token))
	}
	if poll.base != "" {
		return poll, nil
	}
	if err := checkListen(c.Listen); err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return nil, fmt.Errorf("--listen: %w", err)
	}
	if address := net.ParseIP(host); host == "" || address.IsUnspecified() {
		host = "127.0.0.1"
	}
	scheme := "http://"
	if c.TLSCertFile != "" {
		scheme = "https://"
		trusted, _, err := c.trusting()
		if err != nil {
			return nil, err
		}
		poll.client.Transport = &http.Transport{TLSClientConfig: trusted}
	}
	poll.base = scheme + net.JoinHostPort(host, port)
	return poll, nil
}

// trusting returns a configuration that trusts the service's own certificate under the name in it, whatever the address of the request.
func (s tlsSettings) trusting() (*tls.Config, *x509.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(s.TLSCertFile, s.TLSKeyFile)
	if err != nil {
		return nil, nil, fmt.Errorf("--tls-cert-file: %w", err)
	}
	config := &tls.Config{RootCAs: x509.NewCertPool(), MinVersion: tls.VersionTLS12}
	config.RootCAs.AddCert(pair.Leaf)
	if len(pair.Leaf.DNSNames) > 0 {
		config.ServerName = pair.Leaf.DNSNames[0]
	}
	return config, pair.Leaf, nil
}

// lookAtCertificate reports when the certificate expires.
func (c *doctorCommand) lookAtCertificate(now time.Time, found *check) {
	if c.TLSCertFile == "" {
		return
	}
	_, leaf, err := c.trusting()
	if err != nil {
		return // lookAtSettings says so
	}
	found.value("certificateUntil", leaf.NotAfter.UTC().Format(time.RFC3339))
	switch left := leaf.NotAfter.Sub(now); {
	case left <= 0:
		found.sayf(wrongNow, "The certificate has expired at %s.", leaf.NotAfter.UTC().Format(time.RFC3339))
	case left < certificateSoon:
		found.sayf(noted, "The certificate expires at %s.", leaf.NotAfter.UTC().Format(time.RFC3339))
	}
}

const doctorAnswerLimit = 8 << 20

func (p *servicePoll) get(ctx context.Context, path string) (status int, body []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.base+path, http.NoBody)
	if err != nil {
		return 0, nil, err
	}
	if p.token != "" {
		request.Header.Set("Authorization", "Bearer "+p.token)
	}
	response, err := p.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(io.LimitReader(response.Body, doctorAnswerLimit))
	return response.StatusCode, body, err
}

package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"
)

const exampleSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// The example is from the documentation of Standard Webhooks.
func TestSignature(t *testing.T) {
	t.Parallel()
	secret, err := ParseSecret(exampleSecret)
	if err != nil {
		t.Fatal(err)
	}
	got := secret.Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("the signature is %s, not %s", got, want)
	}
	if text := fmt.Sprintf("%v %+v %#v %s", secret, secret, secret, secret); strings.Contains(text, "MfKQ9r8") {
		t.Errorf("a log would have the secret: %s", text)
	}
	for _, wrong := range []string{"", "whsec_", "whsec_MfKQ", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", exampleSecret + "!", "whsec_" + strings.Repeat("AAAA", 22)} {
		if _, err := ParseSecret(wrong); err == nil {
			t.Errorf("%q is a secret", wrong)
		}
	}
}

func TestPublicAddresses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"8.8.8.8": true, "2606:4700::1111": true, "172.32.0.1": true, "127.0.0.1": false, "127.9.9.9": false, "::1": false, "10.0.0.1": false,
		"172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "fe80::1": false, "fd00:ec2::254": false, "0.0.0.0": false, "::": false,
		"100.64.0.1": false, "100.100.100.200": false, "224.0.0.1": false, "ff02::1": false, "255.255.255.255": false, "::ffff:127.0.0.1": false,
		"::ffff:8.8.8.8": true, "64:ff9b::7f00:1": false, "2002:7f00:1::": false, "::127.0.0.1": false, "198.18.0.1": false,
		"192.0.2.1": false, "2001:db8::1": false, "fec0::1": false,
	} {
		if got := public(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s is public: %t", text, got)
		}
	}
}

func TestPolicyOfAddresses(t *testing.T) {
	t.Parallel()
	exceptions, err := ParsePolicy([]string{"10.1.0.0/16", "Hooks.Shop.Local.", "::1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []struct {
		address         string
		usual, excepted bool
	}{
		{"https://example.com/x", true, true}, {"https://8.8.8.8/", true, true}, {"https://[2606:4700::1111]/", true, true},
		{"http://8.8.8.8/", false, false}, {"https://10.1.2.3:8443/", false, true}, {"http://10.1.2.3/", false, true},
		{"https://10.2.0.1/", false, false}, {"http://[::1]:99/", false, true}, {"https://[::ffff:127.0.0.1]/", false, false},
		{"http://hooks.shop.local/", false, true}, {"http://HOOKS.shop.LOCAL./", false, true}, {"ftp://example.com/", false, false},
		{"https:///x", false, false}, {"http://example.com/", false, true}, // refused when it is dialed: see TestDialedAddressIsChecked
	} {
		target, err := url.Parse(one.address)
		if err != nil {
			t.Fatal(err)
		}
		if usual, excepted := (Policy{}).Allows(target), exceptions.Allows(target); usual != one.usual || excepted != one.excepted {
			t.Errorf("%s is allowed: %t, with exceptions %t", one.address, usual, excepted)
		}
	}
	for _, wrong := range []string{"", "http://x", "10.0.0.0/99", "a b", "*.local", "host:80"} {
		if _, err := ParsePolicy([]string{wrong}); err == nil {
			t.Errorf("%q is an exception", wrong)
		}
	}
}

// sending is a sender with a secret to a server.
func sending(t *testing.T, server *httptest.Server, exceptions ...string) *Sender {
	t.Helper()
	policy, err := ParsePolicy(exceptions)
	secret, wrong := ParseSecret(exampleSecret)
	if err := errors.Join(err, wrong); err != nil {
		t.Fatal(err)
	}
	sender := &Sender{Policy: policy, Secret: secret}
	if server != nil && server.TLS != nil {
		roots := x509.NewCertPool()
		roots.AddCert(server.Certificate())
		sender.TLS = &tls.Config{RootCAs: roots, ServerName: "example.com"}
	}
	return sender
}

func TestRequest(t *testing.T) {
	t.Parallel()
	at := time.Unix(1614265330, 5e8)
	body := `{"test": 2432232314}`
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		read, err := io.ReadAll(r.Body)
		if err != nil || string(read) != body || r.Method != http.MethodPost || r.URL.String() != "/hook?a=1" {
			t.Errorf("%s %s: %s, %v", r.Method, r.URL, read, err)
		}
		for name, want := range map[string]string{
			"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
			"webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "content-type": "application/json",
		} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s is %s", name, got)
			}
		}
		w.WriteHeader(http.StatusAccepted)
		_, _ = io.WriteString(w, "thank\r\nyou\x00")
	}))
	defer server.Close()
	answer, err := sending(t, server, "127.0.0.1").Send(t.Context(), server.URL+"/hook?a=1", "msg_p5jXN8AQM9LWM0D4loKWxJek", at, []byte(body))
	if err != nil || answer != "202 Accepted thank you" {
		t.Errorf("%q, %v", answer, err)
	}
}

func TestServersThatDoNotAccept(t *testing.T) {
	t.Parallel()
	reached := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer elsewhere.Close()
	released := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/redirect":
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		case "/gone":
			http.Error(w, strings.Repeat("x", 1<<20), http.StatusGone)
		case "/silent":
			<-released
		case "/endless":
			w.WriteHeader(http.StatusBadGateway)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, strings.Repeat("endless ", 1000))
			}
		}
	}))
	defer server.Close()
	defer close(released)
	sender := sending(t, server, "127.0.0.1")
	for path, want := range map[string]string{
		"/redirect": "the server responded 307 Temporary Redirect", "/gone": "the server responded 410 Gone xxx", "/endless": "the server responded 502 Bad Gateway endless",
	} {
		answer, err := sender.Send(t.Context(), server.URL+path, "id", time.Now(), nil)
		if err == nil || !strings.HasPrefix(err.Error(), want) || len(answer) > answerKept {
			t.Errorf("%s: %d bytes, %.80v", path, len(answer), err)
		}
	}
	if reached {
		t.Error("a redirect was followed")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() { cancel(nil) }()
	if _, err := sender.Send(ctx, server.URL+"/silent", "id", time.Now(), nil); err == nil {
		t.Error("a silent server has accepted")
	}
	if _, err := (&Sender{}).Send(t.Context(), server.URL, "id", time.Now(), nil); !errors.Is(err, ErrNoSecret) {
		t.Errorf("without a secret: %v", err)
	}
}

// A name may be resolved to an address that is not allowed. So the address that is dialed is checked, too.
func TestDialedAddressIsChecked(t *testing.T) {
	t.Parallel()
	reached := false
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer server.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "https://"), ":")
	for _, address := range []string{"https://localhost:" + port, "https://127.0.0.1:" + port, "http://localhost:" + port} {
		if _, err := sending(t, server, "10.0.0.0/8").Send(t.Context(), address, "id", time.Now(), nil); !errors.Is(err, ErrNotAllowed) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if reached {
		t.Error("a private address was reached")
	}
	if _, err := sending(t, server, "localhost").Send(t.Context(), "https://localhost:"+port, "id", time.Now(), nil); err != nil || !reached {
		t.Errorf("an address that is allowed by name: %v", err)
	}
}

package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Limits of a request.
const (
	Timeout       = 15 * time.Second
	answerRead    = 16 << 10
	answerKept    = 1 << 10
	headersAtMost = 16 << 10
)

// Sender sends signed requests. It is safe for concurrent use.
type Sender struct {
	Policy Policy
	Secret Secret
	// TLS is the configuration for encrypted requests; nil for the usual one.
	TLS *tls.Config
}

// ErrNoSecret is the error of a sender without a secret.
var ErrNoSecret = errors.New("web hooks need --webhook-secret-file")

// Send posts a body in JSON and returns the response, shortened. The error is nil only for a response with a status of 200 to 299.
// Redirects are not followed. id identifies the message: it is the same when the message is sent again.
func (s *Sender) Send(ctx context.Context, address, id string, at time.Time, body []byte) (answer string, err error) {
	if !s.Secret.Known() {
		return "", ErrNoSecret
	}
	target, err := url.Parse(address)
	if err != nil || !s.Policy.Allows(target) {
		return "", ErrNotAllowed
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target.String(), bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "Routecard")
	request.Header.Set("Webhook-Id", id)
	request.Header.Set("Webhook-Timestamp", strconv.FormatInt(at.Unix(), 10))
	request.Header.Set("Webhook-Signature", s.Secret.Sign(id, at, body))
	response, err := s.transport(target).RoundTrip(request) // a round trip follows no redirects and has no cookies
	if err != nil {
		return "", withoutAddress(err)
	}
	defer func() { _ = response.Body.Close() }()
	read, _ := io.ReadAll(io.LimitReader(response.Body, answerRead)) // the status counts, and not the rest of the response
	answer = shortened(response.Status + " " + string(read))
	if response.StatusCode < http.StatusOK || response.StatusCode >= http.StatusMultipleChoices {
		return answer, fmt.Errorf("the server responded %s", answer)
	}
	return answer, nil
}

// transport makes one connection, without a proxy and without reuse, so that each request is checked.
func (s *Sender) transport(target *url.URL) *http.Transport {
	return &http.Transport{
		DialContext: func(ctx context.Context, network, hostPort string) (net.Conn, error) {
			return s.Policy.dial(ctx, target, network, hostPort)
		},
		TLSClientConfig: s.TLS, DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: headersAtMost,
		TLSHandshakeTimeout: Timeout, ForceAttemptHTTP2: false,
	}
}

// withoutAddress removes the address of the request from an error.
func withoutAddress(err error) error {
	if failure, ok := errors.AsType[*url.Error](err); ok {
		return failure.Err
	}
	return err
}

// shortened returns the beginning of a response on one line.
func shortened(text string) string {
	text = strings.ToValidUTF8(text, "�")
	text = strings.Join(strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsControl(c) }), " ")
	if len(text) > answerKept {
		text = strings.ToValidUTF8(text[:answerKept], "")
	}
	return text
}

package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Settings say how a Client calls. The zero value is good for a service without authentication.
type Settings struct {
	// Token is the API token for a service that runs with --auth. The client sends it with every request.
	Token string
	// HTTP sends the requests. Nil for a client of its own.
	HTTP *http.Client
	// Patience is the time for which the client repeats a request before it gives up: two minutes if it is 0. With a negative value,
	// requests are not repeated.
	Patience time.Duration
	// Attempt is the time limit of one attempt, including reading the response: two minutes if it is 0. Streams have no limit.
	Attempt time.Duration
}

// Client calls one service. It is safe for concurrent use.
type Client struct {
	base     string
	settings Settings
}

const (
	usualPatience = 2 * time.Minute
	usualAttempt  = 2 * time.Minute
	firstWait     = 250 * time.Millisecond
	longestWait   = 15 * time.Second
)

// New makes a client of the service at an address such as https://routecard.example.com. It does not call it.
func New(address string, settings Settings) (*Client, error) {
	base, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	plain := url.URL{Scheme: base.Scheme, Host: base.Host, Path: base.Path}
	if base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || plain.String() != base.String() {
		return nil, fmt.Errorf("%q is not the address of a service, such as https://routecard.example.com", address)
	}
	if settings.HTTP == nil {
		settings.HTTP = &http.Client{}
	}
	if settings.Patience == 0 {
		settings.Patience = usualPatience
	}
	if settings.Attempt == 0 {
		settings.Attempt = usualAttempt
	}
	return &Client{base: strings.TrimRight(base.String(), "/"), settings: settings}, nil
}

// An Option changes one call.
type Option func(*call)

// Key sets the Idempotency-Key of a change. Otherwise the client generates one. A program that writes the key down before it calls can make
// the same call again after it was killed, and the change is still made once.
func Key(key string) Option { return Header("Idempotency-Key", key) }

// IfMatch makes a change only if the record is still what its ETag says.
func IfMatch(tag string) Option { return Header("If-Match", tag) }

// SignatureTicket carries a signature.
func SignatureTicket(ticket string) Option { return Header("Signature-Ticket", ticket) }

// Header sends a header with the request.
func Header(name, value string) Option {
	return func(c *call) { c.header.Set(name, value) }
}

// Answered stores the headers of the response, such as ETag, where the caller can read them.
func Answered(header *http.Header) Option {
	return func(c *call) { c.answered = header }
}

// request is one call of an operation.
type request struct {
	method, path string
	query        url.Values
	body         any           // sent as JSON; nil for no body
	content      io.ReadSeeker // sent as it is
	keyed        bool          // the operation takes a key
}

// call is a request on its way.
type call struct {
	request

	address  string
	sent     []byte
	header   http.Header
	answered *http.Header
}

func (c *Client) prepare(r request, options []Option) (*call, error) {
	prepared := &call{request: r, address: c.base + r.path, header: http.Header{}}
	if len(r.query) > 0 {
		prepared.address += "?" + r.query.Encode()
	}
	if c.settings.Token != "" {
		prepared.header.Set("Authorization", "Bearer "+c.settings.Token)
	}
	if raw, ok := r.body.(json.RawMessage); r.body != nil && (!ok || raw != nil) {
		body, err := json.Marshal(r.body)
		if err != nil {
			return nil, err
		}
		prepared.sent = body
		prepared.header.Set("Content-Type", "application/json")
	}
	if r.content != nil {
		prepared.header.Set("Content-Type", "application/octet-stream")
	}
	for _, option := range options {
		option(prepared)
	}
	if r.keyed && prepared.header.Get("Idempotency-Key") == "" {
		prepared.header.Set("Idempotency-Key", newKey())
	}
	return prepared, nil
}

// newKey makes a key that begins with the time: the service then stores it next to those before it.
func newKey() string {
	return strconv.FormatInt(time.Now().UnixMilli(), 36) + "-" + rand.Text()
}

// call sends a request, reads the JSON of its response into answer, and repeats the request while it may.
func (c *Client) call(ctx context.Context, r request, answer any, options []Option) error {
	prepared, err := c.prepare(r, options)
	if err != nil {
		return err
	}
	return c.repeat(ctx, prepared, func() error {
		attempt, cancel := context.WithTimeout(ctx, c.settings.Attempt)
		defer cancel()
		response, err := c.send(attempt, prepared)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body) // whole: half a response is useless
		if err != nil {
			return err
		}
		if err := json.Unmarshal(body, answer); err != nil {
			return &unreadableError{err}
		}
		return nil
	})
}

// open sends a request and repeats it until a response begins. The caller closes it.
func (c *Client) open(ctx context.Context, r request, options []Option) (body io.ReadCloser, err error) {
	prepared, err := c.prepare(r, options)
	if err != nil {
		return nil, err
	}
	err = c.repeat(ctx, prepared, func() error {
		response, err := c.send(ctx, prepared) //nolint:bodyclose // the caller canceled the call
		if err == nil {
			body = response.Body
		}
		return err
	})
	return body, err
}

// send makes one attempt. What the service refuses is an *Error.
func (c *Client) send(ctx context.Context, prepared *call) (*http.Response, error) {
	var body io.Reader
	switch {
	case prepared.content != nil:
		if _, err := prepared.content.Seek(0, io.SeekStart); err != nil {
			return nil, &unreadableError{err}
		}
		body = io.NopCloser(prepared.content) // net/http would close it, and it may have to be sent again
	case prepared.sent != nil:
		body = bytes.NewReader(prepared.sent)
	}
	request, err := http.NewRequestWithContext(ctx, prepared.method, prepared.address, body)
	if err != nil {
		return nil, &unreadableError{err}
	}
	request.Header = prepared.header.Clone()
	response, err := c.settings.HTTP.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= http.StatusOK && response.StatusCode < http.StatusMultipleChoices {
		if prepared.answered != nil {
			*prepared.answered = response.Header
		}
		return response, nil
	}
	defer response.Body.Close()
	return nil, refusal(response)
}

// unreadableError is an error that a repetition does not cure.
type unreadableError struct{ err error }

func (e *unreadableError) Error() string { return e.err.Error() }
func (e *unreadableError) Unwrap() error { return e.err }

// repeat makes attempts until one succeeds, is refused for good, or the patience is over.
func (c *Client) repeat(ctx context.Context, prepared *call, attempt func() error) error {
	began, wait := time.Now(), firstWait
	for attempts := 1; ; attempts++ {
		err := attempt()
		if err == nil || !prepared.mayRepeat() || !worthRepeating(err) {
			return err
		}
		pause := wait/2 + mathrand.N(wait/2+1) //nolint:gosec // a random pause, so that clients do not all repeat at the same time
		if failed, ok := errors.AsType[*Error](err); ok {
			pause = max(pause, failed.RetryAfter)
		}
		if ctx.Err() != nil || time.Since(began)+pause > c.settings.Patience {
			return &UnansweredError{Key: prepared.header.Get("Idempotency-Key"), Attempts: attempts, Err: err}
		}
		if !sleep(ctx, pause) {
			return &UnansweredError{Key: prepared.header.Get("Idempotency-Key"), Attempts: attempts, Err: errors.Join(ctx.Err(), err)}
		}
		wait = min(2*wait, longestWait)
	}
}

// mayRepeat reports whether a request does no harm when it comes twice.
func (c *call) mayRepeat() bool {
	return c.method == http.MethodGet || c.header.Get("Idempotency-Key") != "" && c.keyed
}

// worthRepeating reports whether the same request may succeed another time.
func worthRepeating(err error) bool {
	if _, ok := errors.AsType[*unreadableError](err); ok {
		return false
	}
	failed, ok := errors.AsType[*Error](err)
	if !ok {
		return true // no response
	}
	switch failed.StatusCode {
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable,
		http.StatusGatewayTimeout:
		return true
	default:
		return failed.Code == "idempotency_key_running"
	}
}

// sleep waits for the pause, and returns false if the context ends first.
func sleep(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// setParam adds a parameter to a query, unless it is empty or 0.
func setParam[T ~string | ~int64 | ~bool](values url.Values, name string, value T) {
	var none T
	if value != none {
		values.Set(name, fmt.Sprint(value))
	}
}

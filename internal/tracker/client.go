package tracker

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

const (
	slots       = 8                      // operations that send requests at the same time; others wait
	attempts    = 3                      // the maximum number of attempts for a request
	firstWait   = 500 * time.Millisecond // before the second attempt; doubled before each further one
	longestWait = 15 * time.Second       // if Jira asks for a longer pause, the request is not repeated
	answerLimit = 16 << 20               // largest response that is read, decompressed
	errorLimit  = 64 << 10               // largest part of an error's response that is read
	headerLimit = 64 << 10
	redirects   = 5
)

// Pause waits in real time.
func Pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Secret is a text that is sent but never shown.
type Secret string

const hidden = "(secret)"

func (Secret) String() string { return hidden }

// GoString returns the text for %#v.
func (Secret) GoString() string { return hidden }

// MarshalText returns the text for logs and JSON documents.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// failure is an APIError with the information for retries.
type failure struct {
	APIError
	again bool          // whether the next attempt may succeed
	after time.Duration // the pause that Jira asked for
	cause error         // for the log
}

func statusFailure(status int) *failure {
	return &failure{APIError: APIError{Status: strconv.Itoa(status)}}
}

func invalidFailure(cause error) *failure {
	return &failure{APIError: APIError{Status: TrackerInvalid}, cause: cause}
}

// newClient makes a client that sends credentials to only one host.
func newClient() *http.Client {
	transport := &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		MaxConnsPerHost:        slots,
		MaxIdleConnsPerHost:    slots,
		IdleConnTimeout:        time.Minute,
		TLSHandshakeTimeout:    usualTimeout,
		MaxResponseHeaderBytes: headerLimit,
		ForceAttemptHTTP2:      true,
	}
	return &http.Client{Transport: transport, CheckRedirect: func(next *http.Request, via []*http.Request) error {
		first := via[0]
		if len(via) > redirects || first.Method != http.MethodGet ||
			next.URL.Host != first.URL.Host || next.URL.Scheme != first.URL.Scheme {
			return http.ErrUseLastResponse // the status of the redirect is the result
		}
		return nil
	}}
}

// run runs one operation: it waits for its turn, applies the time limit, and reports the outcome to the circuit breaker.
func (j *Jira) run(ctx context.Context, what string, operation func(context.Context) *failure) error {
	now := j.options.Clock
	allowed, trial := j.circuit.allow(now())
	if !allowed {
		return &APIError{Status: TrackerUnavailable}
	}
	limited, cancel := context.WithTimeout(ctx, j.options.Patience)
	defer cancel()
	f := j.inTurn(limited, operation)
	switch {
	case f == nil:
		j.circuit.worked()
		return nil
	case errors.Is(ctx.Err(), context.Canceled): // the caller disconnected, which says nothing about Jira
		j.circuit.unknown(trial)
		return ctx.Err()
	}
	j.circuit.failed(now(), f.Status)
	j.options.Logger.WarnContext(ctx, "the issue tracker failed",
		"operation", what, "status", f.Status, "cause", j.redact(f.cause))
	return &f.APIError
}

// inTurn runs an operation when a slot is free, so that a hanging Jira delays only a few callers.
func (j *Jira) inTurn(ctx context.Context, operation func(context.Context) *failure) *failure {
	select {
	case j.slots <- struct{}{}:
		defer func() { <-j.slots }()
		return operation(ctx)
	case <-ctx.Done():
		return &failure{APIError: APIError{Status: TrackerTimeout}, cause: ctx.Err()}
	}
}

// redact returns the text of an error for the log. It removes the credentials, in case Jira sent them back.
func (j *Jira) redact(cause error) string {
	if cause == nil {
		return ""
	}
	token := string(j.options.Token)
	basic := base64.StdEncoding.EncodeToString([]byte(j.options.User + ":" + token))
	return strings.NewReplacer(token, hidden, basic, hidden).Replace(cause.Error())
}

// get sends a GET request, and repeats it if that may help.
func (j *Jira) get(ctx context.Context, path string, query url.Values, answer any) *failure {
	return j.retry(ctx, func() *failure { return j.send(ctx, http.MethodGet, path, query, nil, answer) })
}

// retry calls try until it succeeds, cannot succeed, or the time is over. Between attempts it waits at least as long as Jira asks. The
// pauses grow, and are random so that callers do not repeat their requests at the same moment.
func (j *Jira) retry(ctx context.Context, try func() *failure) *failure {
	for attempt := 1; ; attempt++ {
		f := try()
		if f == nil || !f.again || attempt == attempts {
			return f
		}
		wait := firstWait << (attempt - 1)
		wait = max(f.after, wait/2+rand.N(wait)) //nolint:gosec // spread, not secrecy
		if deadline, ok := ctx.Deadline(); wait > longestWait || ok && j.options.Clock().Add(wait).After(deadline) {
			return f
		}
		if j.options.Pause(ctx, wait) != nil {
			return f
		}
	}
}

// send makes one request and reads its response.
func (j *Jira) send(ctx context.Context, method, path string, query url.Values, body []byte, answer any) *failure {
	ctx, cancel := context.WithTimeout(ctx, j.options.Timeout)
	defer cancel()
	target := *j.base
	target.Path += "/rest/api/" + strconv.Itoa(j.options.API) + path
	target.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, method, target.String(), bytes.NewReader(body))
	if err != nil {
		return invalidFailure(err)
	}
	j.authorize(request)
	changes := method != http.MethodGet
	var sent atomic.Bool // whether Jira may have received a part of the request
	request = request.WithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteHeaderField: func(string, []string) { sent.Store(true) },
		WroteHeaders:     func() { sent.Store(true) },
	}))
	response, err := j.client.Do(request)
	if err != nil {
		return broken(err, changes && sent.Load())
	}
	defer response.Body.Close()
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return j.refused(response, changes)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, answerLimit+1))
	switch {
	case err != nil:
		f := broken(err, changes)
		f.Maybe, f.Pending = changes, false // the response had begun, so the change is done
		return f
	case len(text) > answerLimit:
		err = errors.New("the answer is too large")
	default:
		err = json.Unmarshal(text, answer)
	}
	if err != nil {
		f := invalidFailure(err)
		f.Maybe = changes
		return f
	}
	return nil
}

func (j *Jira) authorize(request *http.Request) {
	token := string(j.options.Token)
	if j.options.User == "" {
		request.Header.Set("Authorization", "Bearer "+token)
	} else {
		request.SetBasicAuth(j.options.User, token)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "Routecard")
	if request.Method != http.MethodGet {
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("X-Atlassian-Token", "no-check") // the request does not come from a browser that an attacker controls
	}
}

// broken returns the failure of a request without a complete response. changed says whether the request may have changed something.
func broken(err error, changed bool) *failure {
	network, ok := errors.AsType[net.Error](err)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || ok && network.Timeout() {
		// The request is not repeated: the caller has waited long enough, and Jira may still be working.
		return &failure{
			APIError: APIError{Status: TrackerTimeout, Maybe: changed, Pending: changed},
			cause:    err,
		}
	}
	return &failure{
		APIError: APIError{Status: TrackerUnreachable, Maybe: changed},
		again:    true, cause: err,
	}
}

// refused returns the failure of a response whose status is not a success.
func (j *Jira) refused(response *http.Response, changes bool) *failure {
	f := statusFailure(response.StatusCode)
	f.cause = errors.New(errorText(response.Body))
	server := response.StatusCode >= http.StatusInternalServerError
	f.again = server || response.StatusCode == http.StatusTooManyRequests
	if f.again {
		f.after = retryAfter(response.Header.Get("Retry-After"), j.options.Clock())
	}
	f.Maybe = changes && server
	f.Pending = changes && response.StatusCode == http.StatusGatewayTimeout
	if f.Pending {
		f.again = false // a proxy timed out, and the server after it may still be working
	}
	return f
}

// retryAfter parses the header Retry-After: seconds, or a time. Any other value counts as no wait.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// errorText returns Jira's description of an error, if the body has Jira's error format.
func errorText(body io.Reader) string {
	text, err := io.ReadAll(io.LimitReader(body, errorLimit))
	var said struct {
		Messages []string                   `json:"errorMessages"`
		Errors   map[string]json.RawMessage `json:"errors"`
	}
	if err != nil || json.Unmarshal(text, &said) != nil {
		return ""
	}
	for field, message := range said.Errors {
		said.Messages = append(said.Messages, fmt.Sprintf("%s: %s", field, plain(message)))
	}
	const enough = 300
	joined := strings.Join(said.Messages, "; ")
	return strings.ToValidUTF8(joined[:min(len(joined), enough)], "")
}

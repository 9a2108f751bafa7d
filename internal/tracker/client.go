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
	slots       = 8                      // operations that ask Jira at once; more wait
	attempts    = 3                      // how often one request is made
	firstWait   = 500 * time.Millisecond // before the second attempt; doubled before each further one
	longestWait = 15 * time.Second       // a Jira that asks for more than this is not waited for
	answerLimit = 16 << 20               // largest response that is read, decompressed
	errorLimit  = 64 << 10               // largest part of an error's response that is read
	headerLimit = 64 << 10
	redirects   = 5
)

// Pause waits for the real time.
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
	again bool          // whether it may go better the next time
	after time.Duration // how long Jira asked to be left alone
	cause error         // for the log
}

func statusFailure(status int) *failure {
	return &failure{APIError: APIError{Status: strconv.Itoa(status)}}
}

func invalidFailure(cause error) *failure {
	return &failure{APIError: APIError{Status: TrackerInvalid}, cause: cause}
}

// newClient makes a client that carries credentials to one host only.
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
			return http.ErrUseLastResponse // its status is the result
		}
		return nil
	}}
}

// run is one operation: it waits for its turn, keeps within its time, and reports its outcome to the circuit.
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
	case errors.Is(ctx.Err(), context.Canceled): // the caller left: that says nothing of Jira
		j.circuit.unknown(trial)
		return ctx.Err()
	}
	j.circuit.failed(now(), f.Status)
	j.options.Logger.WarnContext(ctx, "the issue tracker failed",
		"operation", what, "status", f.Status, "cause", j.redact(f.cause))
	return &f.APIError
}

// inTurn runs an operation when there are not too many others, so that a Jira that hangs delays few callers.
func (j *Jira) inTurn(ctx context.Context, operation func(context.Context) *failure) *failure {
	select {
	case j.slots <- struct{}{}:
		defer func() { <-j.slots }()
		return operation(ctx)
	case <-ctx.Done():
		return &failure{APIError: APIError{Status: TrackerTimeout}, cause: ctx.Err()}
	}
}

// redact makes a text for the log of an error, without the credentials should Jira have sent them back.
func (j *Jira) redact(cause error) string {
	if cause == nil {
		return ""
	}
	token := string(j.options.Token)
	basic := base64.StdEncoding.EncodeToString([]byte(j.options.User + ":" + token))
	return strings.NewReplacer(token, hidden, basic, hidden).Replace(cause.Error())
}

// get asks and, when that may help, asks again.
func (j *Jira) get(ctx context.Context, path string, query url.Values, answer any) *failure {
	return j.retry(ctx, func() *failure { return j.send(ctx, http.MethodGet, path, query, nil, answer) })
}

// retry tries something until it works, it cannot, or the time is up. Jira is left alone for as long as it asks, and
// between attempts for a time that grows and is never the same for two callers.
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
	var sent atomic.Bool // whether Jira can have got any of it
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
		f.Maybe, f.Pending = changes, false // the response had begun: the change is done
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
		request.Header.Set("X-Atlassian-Token", "no-check") // this is not a browser lured here by an attacker
	}
}

// broken is the failure of a request without a whole response; changed says whether it may have changed something.
func broken(err error, changed bool) *failure {
	network, ok := errors.AsType[net.Error](err)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || ok && network.Timeout() {
		// Not asked again: the caller has waited long enough, and Jira may still be working.
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

// refused is the failure of a response whose status is no success.
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
		f.again = false // a proxy lost patience; the server after it may still be working
	}
	return f
}

// retryAfter reads how long to wait: seconds, or a time. Anything else counts as nothing.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}

// errorText is Jira's description of an error, if it has its own form.
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

package access

import (
	"bytes"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/routecard/routecard/shop/ident"
)

// answersKept is the time for which the provider's metadata and keys are cached for requests that a stranger can cause.
const answersKept = time.Minute

// keptAnswers caches responses of a provider to requests that strangers can cause. Each address is requested once in answersKept.
type keptAnswers struct {
	clock ident.Clock

	mu       sync.Mutex
	answered map[string]keptAnswer // by address
}

type keptAnswer struct {
	at     time.Time
	header http.Header
	body   []byte
}

func (k *keptAnswers) find(r *http.Request) (*http.Response, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	kept, ok := k.answered[r.URL.String()]
	if age := k.clock().Sub(kept.at); !ok || age < 0 || age >= answersKept {
		return nil, false
	}
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header: kept.header.Clone(), Body: io.NopCloser(bytes.NewReader(kept.body)), ContentLength: int64(len(kept.body)),
	}, true
}

// keep stores the response to a request, and returns one that can be read.
func (k *keptAnswers) keep(r *http.Request, response *http.Response) (*http.Response, error) {
	body, err := io.ReadAll(response.Body)
	_ = response.Body.Close()
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.answered == nil {
		k.answered = make(map[string]keptAnswer)
	}
	k.answered[r.URL.String()] = keptAnswer{k.clock(), response.Header.Clone(), body}
	return response, nil
}

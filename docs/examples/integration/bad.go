package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/routecard/routecard/internal/process"
)

// service is a running service that can be killed.
type service struct {
	program, folder string
	address         *url.URL

	mu      sync.Mutex
	running *process.Server
}

func startService(ctx context.Context, program, folder string) (*service, error) {
	s := &service{program: program, folder: folder}
	var err error
	if s.running, err = s.start(ctx, "127.0.0.1:0"); err != nil {
		return nil, err
	}
	s.address, err = url.Parse(s.running.URL)
	return s, err
}

func (s *service) start(ctx context.Context, listen string) (*process.Server, error) {
	return process.Start(process.Command(context.WithoutCancel(ctx), s.program, "--listen", listen, "--database", filepath.Join(s.folder, "shop.db")))
}

// killAndStart kills the service and starts it again at the same address.
func (s *service) killAndStart(ctx context.Context) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running.Kill()
	s.running, err = s.start(ctx, s.address.Host)
	return err
}

func (s *service) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != nil {
		s.running.Kill()
	}
}

// badLine is a proxy that loses responses.
type badLine struct {
	*httptest.Server
	answers, dropped atomic.Int64
}

// dropEveryTenth starts a proxy for an address. The proxy forwards every request and drops every tenth response: the service executed the
// request, and the caller does not know. The proxy drops nothing of an event stream.
func dropEveryTenth(address *url.URL) *badLine {
	line := &badLine{}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(address)
			r.Out.Host = r.In.Host
		},
		FlushInterval: -1,
		ErrorLog:      slog.NewLogLogger(slog.DiscardHandler, slog.LevelError), // what it loses is on purpose
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) {
			panic(http.ErrAbortHandler) // the service is gone: so is the connection
		},
	}
	proxy.ModifyResponse = func(response *http.Response) error {
		if strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
			return nil
		}
		if line.answers.Add(1)%10 == 0 {
			line.dropped.Add(1)
			return http.ErrAbortHandler // to the ErrorHandler
		}
		return nil
	}
	line.Server = httptest.NewServer(proxy)
	return line
}

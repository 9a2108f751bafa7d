package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routecard/routecard/client"
	"github.com/routecard/routecard/internal/process"
)

// The service is killed after a web hook has arrived, before the response. After the next start it arrives again, under the same id.
func TestNoticeArrivesAgainAfterAKill(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	secret := filepath.Join(folder, "secret")
	if err := os.WriteFile(secret, []byte("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	arrived, answered := make(chan string), make(chan struct{})
	hooks := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || !strings.Contains(string(body), `"kind":"instrument_due"`) || !strings.Contains(string(body), "M-0815") {
			t.Errorf("%s, %v", body, err)
		}
		arrived <- r.Header.Get("Webhook-Id")
		<-answered
	}))
	defer hooks.Close()
	serve := func() *process.Server {
		return process.Serve(t, "--database", filepath.Join(folder, "shop.db"), "--webhook-secret-file", secret, "--webhook-allow", "127.0.0.1")
	}
	first := serve()
	prepareNotice(t.Context(), t, first.URL, hooks.URL)
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	second := serve()
	id := <-arrived
	second.Kill()
	third := serve()
	again := <-arrived
	close(answered)
	if id == "" || again != id {
		t.Errorf("%q arrived, and after the kill %q", id, again)
	}
	if err := third.Stop(); err != nil {
		t.Fatal(err)
	}
}

// prepareNotice makes an instrument that is due, and sets a web hook for it.
func prepareNotice(ctx context.Context, t *testing.T, service, hook string) {
	t.Helper()
	shop, err := client.New(service, client.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := shop.CreateInstrument(ctx, client.CreateInstrumentRequest{Number: "M-0815", Name: "Micrometer", DueDate: new("2026-01-31")}); err != nil {
		t.Fatal(err)
	}
	if _, err := shop.SetNotices(ctx, client.NoticesRequest{Rows: []client.NoticeRowRequest{{
		Kind: client.NoticeInstrumentDue, Hook: new(hook),
	}}}); err != nil {
		t.Fatal(err)
	}
}

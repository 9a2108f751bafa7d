package httpapi

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/routecard/routecard/shop/refusal"
)

// TestSpentMemory requests more memory than is left: the request is refused, or waits until another request returns memory.
func TestSpentMemory(t *testing.T) {
	t.Parallel()
	const limit = 200 << 10
	synctest.Test(t, func(t *testing.T) {
		budget := newMemory(limit)
		text := `{"x":"` + strings.Repeat("x", 40_000) + `"}`
		post := func() (*http.Request, *share) {
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(text))
			ctx, memory := budget.share(r.Context())
			r = r.WithContext(ctx)
			memory.count(r)
			return r, memory
		}
		read := func(r *http.Request) error {
			_, _, err := readBody(httptest.NewRecorder(), r, largeBodyLimit)
			return err
		}
		one, first := post()
		if err := read(one); err != nil {
			t.Fatal(err)
		}
		two, second := post()
		if err := read(two); !errors.Is(err, refusal.ErrBusy) {
			t.Errorf("with the budget spent: %v", err)
		}
		second.end()
		three, third := post()
		done := make(chan error)
		go func() { done <- read(three) }()
		synctest.Wait()
		first.TakeNow(20 << 20) // memory in use is counted and not refused
		first.end()
		if err := <-done; err != nil {
			t.Errorf("with the budget given back: %v", err)
		}
		third.end()
		third.TakeNow(1 << 20) // after the end of the request it is not counted
		if err := third.Take(1 << 20); err != nil || budget.left != limit {
			t.Errorf("%v; %d bytes are left", err, budget.left)
		}
	})
}

// TestSmallRequestsCostNothing checks that the spare memory of a request is not counted.
func TestSmallRequestsCostNothing(t *testing.T) {
	t.Parallel()
	budget := newMemory(1)
	_, memory := budget.share(t.Context())
	if err := memory.Take(memorySpare); err != nil || budget.left != 1 {
		t.Errorf("%v; %d bytes are left", err, budget.left)
	}
}

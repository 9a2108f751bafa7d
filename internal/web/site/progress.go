package site

import (
	"io"
	"net/http"
	"sync"

	"github.com/routecard/routecard/internal/web/lang"
)

// progresses has the progress of the running batches, by the key of the form that started each of them. app.js asks for it if a response
// takes longer than a second. It is safe for concurrent use.
type progresses struct {
	mu   sync.Mutex
	each map[string]progress
}

// progress is the number of selected items that were processed, and the texts about it.
type progress struct {
	done, selected int
	one, many      lang.Text
}

func (p *progresses) set(key string, now progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.each == nil {
		p.each = map[string]progress{}
	}
	p.each[key] = now
}

func (p *progresses) get(key string) (progress, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now, ok := p.each[key]
	return now, ok
}

func (p *progresses) end(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.each, key)
}

// ProgressOfUnits returns a function with which a batch of units reports its progress, and a function that ends the reporting.
func ProgressOfUnits(v *Visit) (told func(done, selected int), end func()) {
	return ProgressOf(v, "{done} of {n} unit", "{done} of {n} units")
}

// ProgressOf does the same as ProgressOfUnits for items other than units. The texts have the placeholders done and n.
func ProgressOf(v *Visit, one, many lang.Text) (told func(done, selected int), end func()) {
	key := v.Form.Get(onceField)
	if key == "" {
		return func(int, int) {}, func() {}
	}
	return func(done, selected int) { v.batches.set(key, progress{done, selected, one, many}) }, func() { v.batches.end(key) }
}

// showProgress responds with a text about the progress of a batch. It responds with nothing if the batch does not run on this instance.
func showProgress(v *Visit) error {
	v.W.Header().Set("Content-Type", "text/plain; charset=utf-8")
	v.W.Header().Set("Cache-Control", "no-store")
	now, ok := v.batches.get(v.R.PathValue("key"))
	if !ok {
		v.W.WriteHeader(http.StatusNoContent)
		return nil
	}
	_, err := io.WriteString(v.W, v.TN(now.selected, now.one, now.many, "done", v.Language.Number(now.done)))
	return err
}

package site

import (
	"fmt"
	"net/http"
	"sync"

	"github.com/routecard/routecard/internal/web/wording"
)

// progresses is the progress of the running batches, by the key of the form that started them. app.js asks for it when a response takes
// longer than a second. It is safe for concurrent use.
type progresses struct {
	mu   sync.Mutex
	each map[string]progress
}

// progress is the number of selected items that were processed, and the singular and plural of their noun.
type progress struct {
	done, selected int
	one, many      string
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

// ProgressOfUnits returns a function with which a batch of units reports its progress, and one that ends the reporting.
func ProgressOfUnits(v *Visit) (told func(done, selected int), end func()) {
	return ProgressOf(v, "unit", "units")
}

// ProgressOf is ProgressOfUnits for other items than units.
func ProgressOf(v *Visit, one, many string) (told func(done, selected int), end func()) {
	key := v.Form.Get(onceField)
	if key == "" {
		return func(int, int) {}, func() {}
	}
	return func(done, selected int) { v.batches.set(key, progress{done, selected, one, many}) }, func() { v.batches.end(key) }
}

// showProgress responds with the progress of a batch in words, or with nothing if the batch does not run on this instance.
func showProgress(v *Visit) error {
	v.W.Header().Set("Content-Type", "text/plain; charset=utf-8")
	v.W.Header().Set("Cache-Control", "no-store")
	now, ok := v.batches.get(v.R.PathValue("key"))
	if !ok {
		v.W.WriteHeader(http.StatusNoContent)
		return nil
	}
	_, err := fmt.Fprintf(v.W, "%s of %s", wording.Number(now.done), wording.Plural(now.selected, now.one, now.many))
	return err
}

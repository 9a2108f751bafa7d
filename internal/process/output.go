package process

import (
	"strings"
	"sync"
	"time"
)

// Output is the output of a process so far.
type Output struct {
	mu      sync.Mutex
	text    strings.Builder
	changed chan struct{} // closed by the next Write; nil while no call waits
}

// Write adds to the output.
func (o *Output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(b)
	if o.changed != nil {
		close(o.changed)
		o.changed = nil
	}
	return len(b), nil
}

// String returns the whole output so far.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// Await waits until the output contains a text. It returns false if the process ends without writing the text, or does not write it within
// patience.
func (o *Output) Await(text string, ended <-chan struct{}) bool {
	silent := time.NewTimer(patience)
	defer silent.Stop()
	for {
		o.mu.Lock()
		found := strings.Contains(o.text.String(), text)
		if o.changed == nil {
			o.changed = make(chan struct{})
		}
		changed := o.changed
		o.mu.Unlock()
		if found {
			return true
		}
		select {
		case <-changed:
		case <-ended:
			return strings.Contains(o.String(), text)
		case <-silent.C:
			return false
		}
	}
}

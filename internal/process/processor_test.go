package process

import (
	"testing"
	"time"
)

func TestProcessorTime(t *testing.T) {
	t.Parallel()
	const rest = " S 1 2 3 0 -1 4194560 100 0 0 0 150 50 0 0 20 0 8 0 1000 100 200"
	for _, test := range []struct {
		stat string
		want time.Duration
		ok   bool
	}{
		{"417 (routecard)" + rest, 2 * time.Second, true},
		{"417 (a ) b (c)" + rest, 2 * time.Second, true},
		{"417 (routecard) S 1", 0, false},
		{"", 0, false},
	} {
		if got, ok := processorTime([]byte(test.stat)); ok != test.ok || ok && got != test.want {
			t.Errorf("%q: %v %v, want %v %v", test.stat, got, ok, test.want, test.ok)
		}
	}
}

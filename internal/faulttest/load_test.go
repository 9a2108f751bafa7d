package faulttest

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	loadClients = 12
	loadSerials = 400 // of each client
)

// load is clients that advance serials through all instances. Each write has a different user, so that the trail shows which writes took
// place. Every second client gives its writes keys, and repeats each write until it is acknowledged.
type load struct {
	shop     *sharedShop
	clients  []*loadClient
	answered atomic.Int64 // successes
	repeated atomic.Int64 // the number of repeated attempts under a key
	stop     chan struct{}
	wait     sync.WaitGroup
}

type loadClient struct {
	name    string
	serials []string
	writes  []write
}

type write struct {
	user    string
	serial  string
	outcome outcome
	answer  string
}

func (s *sharedShop) startLoad() *load {
	s.Helper()
	l := &load{shop: s, stop: make(chan struct{})}
	serials := s.makeSerials(loadClients * loadSerials)
	for i := range loadClients {
		c := &loadClient{name: fmt.Sprint("client", i), serials: serials[i*loadSerials : (i+1)*loadSerials]}
		l.clients = append(l.clients, c)
		l.wait.Go(func() { l.run(c, i) })
	}
	return l
}

func (l *load) run(c *loadClient, offset int) {
	pause := time.NewTicker(5 * time.Millisecond) // after a refusal
	defer pause.Stop()
	steps := 0
	for n := 0; len(c.serials) > 0; n++ {
		select {
		case <-l.stop:
			return
		default:
		}
		w := write{user: fmt.Sprintf("%s-%d", c.name, n), serial: c.serials[0]}
		key := ""
		if offset%2 == 1 {
			key = w.user
		}
		for attempt := 0; ; attempt++ {
			w.outcome, w.answer = l.shop.sendUnder(key, l.shop.instances[(offset+n+attempt)%3],
				"/api/serials/"+w.serial+"/advance", map[string]any{"userId": w.user}, nil)
			if key == "" || w.outcome == done {
				break
			}
			<-pause.C
			select {
			case <-l.stop: // the client ends without knowing the outcome
				key, w.outcome = "", somehow
			default:
			}
			if key == "" {
				break
			}
			l.repeated.Add(1)
		}
		c.writes = append(c.writes, w)
		switch w.outcome {
		case done:
			l.answered.Add(1)
			steps++
		case somehow:
			steps = l.shop.steps // continue with another serial, so that this serial shows the outcome
			<-pause.C
		case refused:
			<-pause.C
		}
		if steps == l.shop.steps {
			c.serials, steps = c.serials[1:], 0
		}
	}
}

// more waits for n further successes, at most a minute for each.
func (l *load) more(n int64) {
	l.shop.Helper()
	for answered, want := l.answered.Load(), l.answered.Load()+n; answered < want; answered = l.answered.Load() {
		l.shop.eventually("there are more answers", time.Minute, func() bool { return l.answered.Load() > answered })
	}
}

// finish stops the clients and compares their records with the trail. Every acknowledged write took place once, with all its audit entries.
// No refused write took place. A write with an unknown outcome took place once or not at all. The serials have the positions that the trail
// says.
func (l *load) finish() {
	l.shop.Helper()
	close(l.stop)
	l.wait.Wait()
	s := l.shop
	i := s.instances[slices.IndexFunc(s.instances, func(i *instance) bool { return i.address() != "" })]
	var counts [3]int
	var found []struct{ ID, UserID, SerialID string }
	s.eventually("the trail can be read", 20*time.Second, func() bool { return s.get(i, "/api/audit", &found) == nil })
	entries, positions := map[string]int{}, map[string]int{}
	mine := map[string]bool{} // other clients may have written too
	for _, c := range l.clients {
		for _, w := range c.writes {
			mine[w.serial] = true
		}
	}
	for n, entry := range found {
		if mine[entry.SerialID] {
			entries[entry.UserID+" "+entry.SerialID]++
			positions[entry.SerialID]++
		}
		if want := fmt.Sprintf("aud_%016d", len(found)-n); entry.ID != want {
			s.Fatalf("entry %d from the newest is %s, want %s", n, entry.ID, want)
		}
	}
	for _, c := range l.clients {
		for _, w := range c.writes {
			counts[w.outcome]++
			got := entries[w.user+" "+w.serial]
			delete(entries, w.user+" "+w.serial)
			if ok := got == 1 && w.outcome != refused || got == 0 && w.outcome != done; !ok {
				s.Errorf("%s by %s has %d entries, and the client was told %s", w.serial, w.user, got, w.answer)
			}
		}
	}
	for key, n := range entries {
		s.Errorf("%d entries of nobody's write: %s", n, key)
	}
	var serials []struct {
		ID               string
		CurrentStepIndex int
	}
	if err := s.get(i, "/api/serials", &serials); err != nil {
		s.Fatal(err)
	}
	for _, serial := range serials {
		if !mine[serial.ID] {
			continue
		}
		want := positions[serial.ID]
		if want == s.steps {
			want = -1
		}
		if serial.CurrentStepIndex != want {
			s.Errorf("%s is at %d, and the trail says %d", serial.ID, serial.CurrentStepIndex, want)
		}
	}
	s.Logf("%d writes answered and none lost; %d refused; %d with an unknown outcome; %d times repeated under a key",
		counts[done], counts[refused], counts[somehow], l.repeated.Load())
}

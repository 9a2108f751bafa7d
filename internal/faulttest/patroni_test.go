//go:build patroni

package faulttest

import (
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/process"
)

// TestPatroni runs three instances on three PostgreSQL servers under Patroni, with the settings of docs/postgres.md, while 18 clients call
// them. Random faults hit the servers: a primary or a standby is killed, the primary hangs, connections are cut, Patroni switches over, the
// disk of the primary is full. Every acknowledged write took place once, the trail has no gap, the ledger agrees, one order of the calls
// explains all responses, and all instances serve again.
//
// Each fault occurs at least once. ROUTECARD_PATRONI is the time for which they occur. `bash .ci/run patroni` runs this test.
func TestPatroni(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("ROUTECARD_PATRONI"))
	if err != nil {
		t.Fatalf("ROUTECARD_PATRONI: %v", err)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	disk := "700m"
	if length > 10*time.Minute { // an hour of calls fills it
		disk = "2g"
	}
	p := pgtest.NewPatroni(t, documentedPatroni(t), disk)
	key := filepath.Join(t.TempDir(), "ledger-key")
	run(t, "ledger", "key", key)
	s := newShop(t, p.Address("postgres"), 1000, "--ledger-key-file", key, "--read-database", strings.Join(p.Standbys("postgres"), ","))
	l := s.startLoad()
	const callers, between = 6, 100 * time.Millisecond
	calls := int(max(length, time.Minute)/between)/callers + 1
	serials, called, stop := s.makeSerials(calls*callers/60+2), make(chan []porcupine.Operation, 1), make(chan struct{})
	go func() {
		pace := time.NewTicker(between)
		defer pace.Stop()
		called <- s.callAll(seed, callers, calls, serials, func(int) {
			select {
			case <-pace.C:
			case <-stop:
			}
		})
	}()
	faults := []string{"kill", "standby", "pause", "cut", "switch", "full"}
	var order []string
	for ended := time.Now().Add(length); time.Now().Before(ended) || len(order) > 0; {
		if len(order) == 0 {
			for _, i := range random.Perm(len(faults)) {
				order = append(order, faults[i])
			}
		}
		l.more(200)
		l.fault(p, order[0], random)
		order = order[1:]
	}
	l.more(200)
	close(stop)
	history := <-called
	l.finish()
	s.explain(history)
	read := 0.0
	for _, i := range s.instances {
		for _, n := range p.Nodes {
			read += s.metric(i, "routecard_standby_reads_total", n.Address())
		}
	}
	if read == 0 {
		t.Error("no standby served a read")
	}
	t.Logf("standbys served %.0f reads", read)
	for _, i := range s.instances {
		i.stop()
	}
	t.Log(run(t, "verify", "--database", s.database))
}

// run runs a command of the program, which must succeed, and returns its output.
func run(t *testing.T, args ...string) string {
	t.Helper()
	output, err := exec.CommandContext(t.Context(), process.Routecard(t), args...).CombinedOutput() //nolint:gosec // our own program
	if err != nil {
		t.Fatalf("%s: %v\n%s", args[0], err, output)
	}
	return string(output)
}

// documentedPatroni returns the settings of docs/postgres.md, with the shortest times that Patroni allows, so that the test is shorter.
func documentedPatroni(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/postgres.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, found := strings.Cut(string(text), "\n    bootstrap:\n")
	block, _, ended := strings.Cut(block, "\n\n")
	if !found || !ended || !strings.Contains(block, "ttl: 30") || !strings.Contains(block, "loop_wait: 10") {
		t.Fatal("docs/postgres.md has no settings for Patroni")
	}
	block = strings.NewReplacer("ttl: 30", "ttl: 20", "loop_wait: 10", "loop_wait: 1\n        retry_timeout: 5").Replace(block)
	return "bootstrap:\n" + strings.ReplaceAll("\n"+block, "\n    ", "\n")
}

// fault makes one fault happen, and waits until all instances serve again and the servers are complete.
func (l *load) fault(p *pgtest.Patroni, fault string, random *rand.Rand) {
	s := l.shop
	s.Helper()
	primary := p.NewPrimary(s.T)
	begun := time.Now()
	repair := func() {}
	switch fault {
	case "kill":
		primary.Kill()
		repair = func() { primary.Start(s.T) }
	case "standby":
		standby := p.Nodes[random.IntN(len(p.Nodes))]
		for standby == primary {
			standby = p.Nodes[random.IntN(len(p.Nodes))]
		}
		standby.Kill()
		repair = func() { standby.Start(s.T) }
	case "pause":
		goOn := primary.Pause()
		// After the shorter time it is still the primary. After the longer one another server is, and this one must not acknowledge anything.
		time.AfterFunc([]time.Duration{15 * time.Second, 40 * time.Second}[random.IntN(2)], goOn)
		repair = goOn
	case "cut":
		for range 20 {
			for _, n := range p.Nodes {
				n.Cut()
			}
			l.more(10)
		}
	case "switch":
		p.SwitchOver(s.T, primary)
	case "full":
		repair = primary.Fill(s.T)
		for answered, full := l.answered.Load(), time.Now(); time.Since(full) < 20*time.Second && l.answered.Load() < answered+20_000; {
			<-time.After(100 * time.Millisecond)
		}
		repair()
	}
	now := p.NewPrimary(s.T)
	elected := time.Now()
	for _, i := range s.instances {
		s.eventually("the instance serves again after "+fault, time.Minute, func() bool { return s.ready(i) == http.StatusOK })
	}
	serving := time.Now()
	l.more(50)
	repair()
	p.Settle(s.T)
	s.Logf("%s: primary %s, then %s after %s; all instances ready %s after that; complete after %s", fault, primary.Name, now.Name,
		elected.Sub(begun).Round(10*time.Millisecond), serving.Sub(elected).Round(10*time.Millisecond), time.Since(begun).Round(time.Second))
}

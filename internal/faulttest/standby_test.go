package faulttest

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/routecard/routecard/internal/pgtest"
)

// TestReadDatabase writes through one instance and reads through the others, whose lists and pages come from a standby, also while its replay
// is paused. Every response has what was written before, and /readyz and the metrics show the state of the standby.
func TestReadDatabase(t *testing.T) {
	primary := pgtest.New(t)
	standby := primary.Standby(t, "hot_standby = on")
	s := newShop(t, primary.Address("postgres"), 2, "--read-database", standby.Address("postgres"))
	served := func(server string) float64 { return s.metric(s.instances[1], "routecard_standby_reads_total", server) }
	used := func() bool { return s.metric(s.instances[1], "routecard_standby_used", standby.Folder()) == 1 }
	within := time.Minute
	s.eventually("the standby is used", within, used)
	writeAndRead := func(from, to int) {
		t.Helper()
		for i := from; i < to; i++ {
			name := fmt.Sprintf("Job %d", i)
			s.must("/api/jobs", map[string]any{"name": name, "goalQuantity": 1}, nil)
			reader := s.instances[1+i%2]
			for _, address := range []string{"/api/jobs", "/api/jobs/search?limit=1", "/jobs", "/api/export/jobs.csv", "/api/audit?limit=1", "/search?q=" + fmt.Sprint(i)} {
				if text := s.text(reader, address); !strings.Contains(text, name) {
					t.Errorf("%s lacks %s: %.300s", address, name, text)
				}
			}
		}
	}
	writeAndRead(0, 20)
	if served(standby.Folder()) == 0 {
		t.Error("no read was served by the standby")
	}
	if ready := s.text(s.instances[1], "/readyz"); !strings.Contains(ready, `"ready"`) {
		t.Errorf("with a standby: %s", ready)
	}
	conn, err := pgx.Connect(t.Context(), standby.Address("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	if _, err := conn.Exec(t.Context(), `SELECT pg_wal_replay_pause()`); err != nil {
		t.Fatal(err)
	}
	before := served("primary")
	writeAndRead(20, 25)
	if served("primary") == before {
		t.Error("the primary served no read in place of the paused standby")
	}
	s.eventually("the standby is left out", within, func() bool { return !used() })
	if ready := s.text(s.instances[1], "/readyz"); !strings.Contains(ready, "1 of 1 servers of --read-database left out: it lags") {
		t.Errorf("with a paused standby: %s", ready)
	}
	if lag := s.metric(s.instances[1], "routecard_standby_lag_seconds", standby.Folder()); lag <= 0 {
		t.Errorf("the lag is %v", lag)
	}
	if _, err := conn.Exec(t.Context(), `SELECT pg_wal_replay_resume()`); err != nil {
		t.Fatal(err)
	}
	s.eventually("the standby is used again", within, used)
	writeAndRead(25, 30)
}

// TestReadDatabaseRelievesThePrimary counts the statements that the primary runs for a response, with and without a standby.
func TestReadDatabaseRelievesThePrimary(t *testing.T) {
	const asked = 100
	primary := pgtest.New(t, "log_statement = all")
	standby := primary.Standby(t, "hot_standby = on", "log_statement = none")
	s := newShop(t, primary.Address("postgres"), 3)
	s.makeSerials(1000)
	with := &instance{t: t, database: s.database, flags: []string{"--read-database", standby.Address("postgres")}}
	with.start()
	s.eventually("the standby is used", time.Minute, func() bool { return s.metric(with, "routecard_standby_used", standby.Folder()) == 1 })
	for _, address := range []string{
		"/api/jobs/search", "/api/serials/search?limit=100", "/api/serials", "/api/audit/search?limit=50", "/api/export/serials.csv",
		"/api/operator/work-queue", "/jobs", "/serials", "/audit", "/search?q=step",
	} {
		var statements [2]float64
		var spent [2]time.Duration
		var before float64
		for i, reader := range []*instance{s.instances[0], with} {
			s.text(reader, address) // prepares statements
			before = s.metric(with, "routecard_standby_reads_total", "primary")
			statements[i], spent[i] = s.perResponse(primary, reader, address, asked)
		}
		t.Logf("%-32s statements on the primary: %5.1f without, %4.1f with; processor time: %6.2f ms, %5.2f ms", address,
			statements[0], statements[1], float64(spent[0].Microseconds())/1000, float64(spent[1].Microseconds())/1000)
		switch onPrimary := s.metric(with, "routecard_standby_reads_total", "primary") - before; {
		case onPrimary > 0:
			t.Logf("the machine was too slow for %.0f reads on the standby", onPrimary)
		case statements[1] > 1.5: // one, and what the background does more than while it was measured alone
			t.Errorf("%s: %.1f statements for a response on the primary", address, statements[1])
		}
	}
}

// logged matches a statement in the log of a server.
var logged = regexp.MustCompile(`LOG:  (?:statement|execute [^:]*): `) //nolint:gochecknoglobals // never changed

// perResponse asks an instance for a page many times. It returns the statements and the processor time of the primary for one response,
// without those that it spends anyway.
func (s *sharedShop) perResponse(primary *pgtest.Cluster, reader *instance, address string, asked int) (float64, time.Duration) {
	s.Helper()
	measured := func(ask func()) (count float64, spent, took time.Duration) {
		begun, used, before := time.Now(), primary.ProcessorTime(s.T), len(primary.Log(s.T))
		ask()
		count = float64(len(logged.FindAllString(primary.Log(s.T)[before:], -1)))
		return count, primary.ProcessorTime(s.T) - used, time.Since(begun)
	}
	count, spent, took := measured(func() {
		for range asked {
			s.text(reader, address)
		}
	})
	idle, idleSpent, idleTook := measured(func() { <-time.After(time.Second) })
	share := took.Seconds() / idleTook.Seconds()
	return max(0, count-idle*share) / float64(asked), time.Duration(max(0, float64(spent)-float64(idleSpent)*share) / float64(asked))
}

// text returns the response to a request, which must succeed.
func (s *sharedShop) text(i *instance, address string) string {
	s.Helper()
	answer, err := s.client.Get(i.address() + address)
	if err != nil {
		s.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		s.Errorf("%s: %d %s: %v", address, answer.StatusCode, text, err)
	}
	return string(text)
}

// metric returns a metric of a server.
func (s *sharedShop) metric(i *instance, name, server string) (value float64) {
	s.Helper()
	_, rest, found := strings.Cut(s.text(i, "/metrics"), name+`{server="`+server+`"} `)
	if _, err := fmt.Sscan(rest, &value); !found || err != nil {
		s.Fatalf("no metric %s of %s: %v", name, server, err)
	}
	return value
}

package faulttest

import (
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/routecard/routecard/internal/pgtest"
)

func TestAnInstanceIsKilled(t *testing.T) {
	s := newShop(t, pgtest.Database(t), 20)
	l := s.startLoad()
	for i := range 6 {
		l.more(300)
		s.instances[i%3].kill()
		l.more(100)
		s.instances[i%3].start()
	}
	l.more(300)
	l.finish()
}

func TestAllConnectionsAreTerminated(t *testing.T) {
	s := newShop(t, pgtest.Database(t), 20)
	l := s.startLoad()
	conn, err := pgx.Connect(t.Context(), s.database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	for range 15 {
		l.more(200)
		var terminated int
		if err := conn.QueryRow(t.Context(), `SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity
			WHERE application_name = 'routecard' AND datname = current_database()`).Scan(&terminated); err != nil {
			t.Fatal(err)
		}
		if terminated < 3 {
			t.Errorf("only %d connections", terminated)
		}
	}
	l.more(300)
	l.finish()
}

func TestTheServerIsRestarted(t *testing.T) {
	cluster := pgtest.New(t)
	s := newShop(t, cluster.Address("postgres"), 20)
	l := s.startLoad()
	for _, mode := range []string{"fast", "immediate"} {
		l.more(500)
		cluster.Stop(t, mode)
		stopped := time.Now()
		for _, i := range s.instances {
			s.eventually("the instance says that it is not ready", 5*time.Second, func() bool { return s.ready(i) == http.StatusServiceUnavailable })
		}
		t.Logf("%s: all instances said so after %s", mode, time.Since(stopped).Round(time.Millisecond))
		cluster.Start(t)
		started := time.Now()
		for _, i := range s.instances {
			s.eventually("the instance is ready again", 20*time.Second, func() bool { return s.ready(i) == http.StatusOK })
		}
		t.Logf("%s: all instances worked again %s after the server", mode, time.Since(started).Round(time.Millisecond))
	}
	l.more(500)
	l.finish()
}

func (s *sharedShop) ready(i *instance) int {
	client := &http.Client{Transport: s.client.Transport, Timeout: 3 * time.Second}
	answer, err := client.Get(i.address() + "/readyz")
	if err != nil {
		return 0 // a database that has just come back may be slow to respond to the first request
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

func TestThePrimaryIsLost(t *testing.T) {
	primary := pgtest.New(t)
	standby := primary.Standby(t, "synchronous_standby_names = ''", "hot_standby = on")
	primary.Configure(t, "synchronous_standby_names = '*'")
	primary.Reload(t)
	s := newShop(t, pgtest.Addresses("postgres", primary, standby), 20)
	s.eventually("the standby is synchronous", time.Minute, func() bool {
		conn, err := pgx.Connect(t.Context(), primary.Address("postgres"))
		if err != nil {
			return false
		}
		defer conn.Close(t.Context())
		var found bool
		err = conn.QueryRow(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync')`).Scan(&found)
		return err == nil && found
	})
	l := s.startLoad()
	l.more(1500)
	primary.Kill(t)
	killed := time.Now()
	standby.Promote(t)
	promoted := time.Now()
	for _, i := range s.instances {
		s.eventually("the instance has found the new primary", 10*time.Second, func() bool { return s.ready(i) == http.StatusOK })
	}
	found := time.Now()
	l.more(1000)
	t.Logf("promoted %s after the loss; all instances wrote again %s after that", promoted.Sub(killed).Round(time.Millisecond),
		found.Sub(promoted).Round(time.Millisecond))
	l.finish()
}

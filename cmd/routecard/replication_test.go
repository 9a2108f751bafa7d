package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/sqlstore"
)

// TestDoctorShowsReplication asks the doctor about a server with and without a synchronous standby, with a real standby server.
func TestDoctorShowsReplication(t *testing.T) {
	t.Parallel()
	primary := pgtest.New(t)
	address := primary.Address("postgres")
	store, err := sqlstore.OpenPostgres(t.Context(), address, sqlstore.Pool{}, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	var flags []string
	ask := func(address string) check {
		t.Helper()
		var out, failed strings.Builder
		run(t.Context(), append([]string{"doctor", "--listen", "127.0.0.1:1", "--json", "--database", address}, flags...), &out, &failed)
		var answer doctorAnswer
		if err := json.Unmarshal([]byte(out.String()), &answer); err != nil {
			t.Fatalf("%v: %s %s", err, &out, &failed)
		}
		at := slices.IndexFunc(answer.Checks, func(c check) bool { return c.What == "database" })
		return answer.Checks[at]
	}
	says := func(address string, v verdict, text string) {
		t.Helper()
		var found check
		for range 600 { // the server's processes notice a reload and a lost connection one after the other
			if found = ask(address); found.Verdict == v && strings.Contains(strings.Join(found.Says, "\n"), text) {
				return
			}
			<-time.After(50 * time.Millisecond)
		}
		t.Fatalf("the doctor says %+v, want %s: %s", found, v, text)
	}
	configure := func(setting string) {
		t.Helper()
		primary.Configure(t, setting)
		primary.Reload(t)
	}
	primary.Run(t, "psql", "--command", "CREATE ROLE plain LOGIN", "--command", "GRANT pg_read_all_data TO plain")
	asPlain := strings.Replace(address, "postgres://postgres@", "postgres://plain@", 1)
	standby := primary.Standby(t, "synchronous_standby_names = ''", "hot_standby = on", "cluster_name = 'second'")

	says(address, noted, "No standby is synchronous, since synchronous_standby_names is empty")
	says(standby.Address("postgres"), noted, "The server is a standby")
	flags = []string{"--read-database", standby.Address("postgres") + "," + address}
	says(address, noted, "is an up-to-date standby.")
	says(address, noted, "accepts writes: reads do not use it while it does.")
	flags[1] = pgtest.New(t).Address("postgres")
	says(address, wrongNow, "cannot be read, so reads leave it out:") // it has no tables
	flags = nil
	configure("synchronous_standby_names = 'ANY 1 (second)'")
	says(address, allWell, "Synchronous standbys: 1. synchronous_commit is on, synchronous_standby_names is ANY 1 (second).")
	if found := ask(address).Values; found["synchronousCommit"] != "on" || found["synchronousStandbyNames"] != "ANY 1 (second)" ||
		found["synchronousStandbys"] != 1.0 {
		t.Errorf("the values are %v", found)
	}
	says(asPlain, noted, "can be seen by members of pg_monitor only")
	configure("synchronous_commit = remote_write")
	says(address, noted, "synchronous_commit is remote_write: responses do not wait")
	configure("synchronous_commit = on")
	standby.Stop(t, "fast")
	says(address, wrongNow, "No synchronous standby is connected: writes wait.")
	configure("synchronous_standby_names = ''")
}

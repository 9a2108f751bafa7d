package sqlstore

import "testing"

func TestOnlyPostgres(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"PostgreSQL 18.1 on x86_64-pc-linux-gnu, compiled by gcc (Debian 14.2.0-19) 14.2.0, 64-bit": "",
		"PostgreSQL 16.4 (Ubuntu 16.4-1.pgdg24.04+2) on x86_64-pc-linux-gnu":                        "",
		"CockroachDB CCL v26.3.0 (x86_64-pc-linux-gnu, built 2026/08/01 12:00:00, go1.26.1)":        "the shop is on CockroachDB; Routecard needs PostgreSQL",
		"PostgreSQL 15.2-YB-2.25.0.0-b0 on x86_64-pc-linux-gnu":                                     "the shop is on YB; Routecard needs PostgreSQL",
	} {
		got := ""
		if err := checkProgram("the shop", version); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q", version, got)
		}
	}
}

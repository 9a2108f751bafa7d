package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/process"
)

const monitoring = "../../docs/examples/monitoring"

// scraped returns the response of /metrics from a service with all metrics.
func scraped(t *testing.T) []byte {
	t.Helper()
	folder := t.TempDir()
	p := process.Serve(t, "--database", filepath.Join(folder, "shop.db"), "--backup-dir", folder)
	poll := servicePoll{base: p.URL, client: http.DefaultClient}
	if status, _, err := poll.get(t.Context(), "/api/jobs"); err != nil || status != http.StatusOK {
		t.Fatalf("the list of jobs answers %d %v", status, err)
	}
	status, body, err := poll.get(t.Context(), "/metrics")
	if err != nil || status != http.StatusOK {
		t.Fatalf("the metrics answer %d %v", status, err)
	}
	return body
}

// told lists the metrics in a response, with the series of histograms.
func told(scrape []byte) map[string]bool {
	names := map[string]bool{"up": true} // Prometheus adds it
	for _, line := range regexp.MustCompile(`(?m)^# TYPE (\w+) (\w+)$`).FindAllSubmatch(scrape, -1) {
		names[string(line[1])] = true
		if string(line[2]) == "histogram" {
			for _, ending := range []string{"_bucket", "_sum", "_count"} {
				names[string(line[1])+ending] = true
			}
		}
	}
	return names
}

var measured = regexp.MustCompile(`\b(?:routecard|process|go)_[a-z_]+\b|\bup\b`)

// The dashboard and the alerts use only existing metrics. docs/running.md lists exactly the metrics of the service.
func TestMonitoringNamesMetricsThatThereAre(t *testing.T) {
	t.Parallel()
	scrape := scraped(t)
	names := told(scrape)
	for _, file := range []string{"alerts.yml", "alerts_test.yml", "dashboard.json"} {
		text, err := os.ReadFile(filepath.Join(monitoring, file))
		if err != nil {
			t.Fatal(err)
		}
		expressions := [][]byte{text}
		if file == "dashboard.json" {
			expressions = dashboardQueries(t, text)
		}
		count := 0
		for _, expression := range expressions {
			for _, name := range measured.FindAll(expression, -1) {
				if count++; !names[string(name)] {
					t.Errorf("%s names %s, which the service does not tell", file, name)
				}
			}
		}
		if count < 5 {
			t.Errorf("%s names only %d metrics", file, count)
		}
	}
	document, err := os.ReadFile("../../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := bytes.Cut(document, []byte("| metric | what |"))
	table, _, _ = bytes.Cut(table, []byte("\n\n"))
	var documented []string
	for _, name := range regexp.MustCompile("`(routecard_\\w+)`").FindAllSubmatch(table, -1) {
		documented = append(documented, string(name[1]))
		standby := bytes.HasPrefix(name[1], []byte("routecard_standby_")) // only with --read-database; TestReadDatabase reads them
		if !names[string(name[1])] && !standby {
			t.Errorf("docs/running.md has %s, which the service does not tell", name[1])
		}
	}
	for _, line := range regexp.MustCompile(`(?m)^# TYPE (routecard_\w+) `).FindAllSubmatch(scrape, -1) {
		if !slices.Contains(documented, string(line[1])) {
			t.Errorf("docs/running.md does not have %s", line[1])
		}
	}
	if !buildInfo.Match(scrape) {
		t.Error("the doctor does not find the version in what the service tells")
	}
}

// dashboardQueries returns the queries of a dashboard.
func dashboardQueries(t *testing.T, text []byte) (queries [][]byte) {
	t.Helper()
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, panel := range dashboard.Panels {
		if len(panel.Targets) == 0 {
			t.Errorf("the panel %q asks for nothing", panel.Title)
		}
		for _, target := range panel.Targets {
			queries = append(queries, []byte(target.Expr))
		}
	}
	return queries
}

// promtool accepts the metrics and the alerts, and every alert fires as its tests expect. The queries of the dashboard are written as rules
// so that promtool checks them too.
func TestPromtoolReadsTheAlerts(t *testing.T) {
	t.Parallel()
	promtool := process.Find(t, "prometheus", "promtool")
	run := func(input []byte, args ...string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), promtool, args...)
		command.Stdin = bytes.NewReader(input)
		if said, err := command.CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, said)
		}
	}
	run(scraped(t), "check", "metrics")
	run(nil, "check", "rules", filepath.Join(monitoring, "alerts.yml"))
	run(nil, "test", "rules", filepath.Join(monitoring, "alerts_test.yml"))
	text, err := os.ReadFile(filepath.Join(monitoring, "dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	type rule struct {
		Record string `json:"record"`
		Expr   string `json:"expr"`
	}
	var rules []rule
	for _, query := range dashboardQueries(t, text) {
		expression := strings.NewReplacer("$__rate_interval", "5m", "$job", "routecard").Replace(string(query))
		rules = append(rules, rule{"query", expression})
	}
	asRules, err := json.Marshal(map[string]any{"groups": []any{map[string]any{"name": "dashboard", "rules": rules}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "queries.yml")
	if err := os.WriteFile(file, asRules, 0o600); err != nil {
		t.Fatal(err)
	}
	run(nil, "check", "rules", "--lint=none", file)
}

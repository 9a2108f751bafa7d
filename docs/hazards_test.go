package docs_test

import (
	"regexp"
	"strings"
	"testing"
)

// Each row of docs/hazards.md has an act, a misuse, a harm, what prevents it, and the tests that show it. TestTestsThatAreNamed looks for
// the tests.
func TestHazardsNameTests(t *testing.T) {
	t.Parallel()
	_, table, found := strings.Cut(read(t, "hazards.md"), "| --- | --- | --- | --- | --- |\n")
	if !found {
		t.Fatal("hazards.md has no table of five columns")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	named := regexp.MustCompile("^`Test[A-Z][A-Za-z0-9]*`(, `Test[A-Z][A-Za-z0-9]*`)*$")
	acts := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(table), "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) != 5 || strings.Contains(line, "|  |") {
			t.Errorf("this row has %d of 5 cells: %s", len(cells), line)
			continue
		}
		if !named.MatchString(cells[4]) {
			t.Errorf("this row names no test: %s", line)
		}
		if acts[cells[0]] {
			t.Errorf("this act has two rows: %s", cells[0])
		}
		acts[cells[0]] = true
	}
	if len(acts) < 12 {
		t.Errorf("there are %d hazards", len(acts))
	}
}

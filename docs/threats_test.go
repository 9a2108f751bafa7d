package docs_test

import (
	"regexp"
	"strings"
	"testing"
)

// TestThreatsNameTests checks that docs/threats.md says of each insider what they have, what they must not be able to do, and which tests show
// it. TestTestsThatAreNamed looks for the tests.
func TestThreatsNameTests(t *testing.T) {
	t.Parallel()
	insiders, remains, found := strings.Cut(read(t, "threats.md"), "\n## What is not prevented\n")
	if !found || strings.Count(remains, "\n- **") < 3 {
		t.Error("threats.md does not say what is not prevented")
	}
	const head = "| must not be able to | tests |\n| --- | --- |\n"
	named := regexp.MustCompile("^`Test[A-Z][A-Za-z0-9]*`(, `Test[A-Z][A-Za-z0-9]*`)*$")
	sections := strings.Split(insiders, "\n## ")[1:]
	for _, section := range sections {
		who, text, _ := strings.Cut(section, "\n")
		has, table, complete := strings.Cut(text, head)
		if !complete || !strings.HasPrefix(strings.TrimSpace(has), "**Has:** ") {
			t.Errorf("%s: it is not said what they have and must not be able to do", who)
			continue
		}
		rows := strings.Split(strings.TrimSpace(table), "\n")
		if len(rows) < 3 {
			t.Errorf("%s: %d rows", who, len(rows))
		}
		acts := map[string]bool{}
		for _, row := range rows {
			act, tests, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(row, "| "), " |"), " | ")
			if !named.MatchString(tests) || acts[act] {
				t.Errorf("%s: this row names no test, or is there twice: %s", who, row)
			}
			acts[act] = true
		}
	}
	if len(sections) < 12 {
		t.Errorf("there are %d insiders", len(sections))
	}
}

package docs_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/selftest"
)

// docs/validation.md has a row for each claim of the self-test, in the words of the self-test and with tests, and no other.
func TestValidationNamesEveryClaim(t *testing.T) {
	t.Parallel()
	rows := regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| (.*?) \\| (.*?) \\| (.*?) \\|$").FindAllStringSubmatch(read(t, "validation.md"), -1)
	said := map[string]bool{}
	for _, row := range rows {
		said[fmt.Sprintf("%s: %s", row[1], row[2])] = true
		if row[3] == "" || !strings.Contains(row[4], "`Test") {
			t.Errorf("%s names no paragraph or no test", row[1])
		}
	}
	claims := selftest.Claims()
	for _, one := range claims {
		if !said[fmt.Sprintf("%s: %s", one.Name, one.Says)] {
			t.Errorf("there is no row for %s: %s", one.Name, one.Says)
		}
	}
	if len(rows) != len(claims) || len(claims) < 20 {
		t.Errorf("%d rows, and %d claims", len(rows), len(claims))
	}
}

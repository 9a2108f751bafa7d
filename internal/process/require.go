package process

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Find finds a program of a Debian package under any of its names. If it is missing, the test is skipped, or fails if the package is
// required.
func Find(tb testing.TB, debian string, names ...string) string {
	tb.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	Missing(tb, debian, fmt.Sprintf("%s (Debian: apt-get install %s)", names[0], debian))
	return ""
}

// Missing ends a test whose requirement is missing. The test is skipped, or fails if the environment variable ROUTECARD_REQUIRE contains
// the requirement or all.
func Missing(tb testing.TB, requirement, what string) {
	tb.Helper()
	if required(requirement) {
		tb.Fatalf("%s is required: needs %s", requirement, what)
	}
	tb.Skip("needs " + what)
}

// Lengthy skips a long test, unless ROUTECARD_REQUIRE contains the requirement or all.
func Lengthy(tb testing.TB, requirement, what string) {
	tb.Helper()
	if !required(requirement) {
		tb.Skipf("%s; ROUTECARD_REQUIRE=%s runs it", what, requirement)
	}
}

func required(requirement string) bool {
	named := strings.Split(os.Getenv("ROUTECARD_REQUIRE"), ",")
	return slices.Contains(named, requirement) || slices.Contains(named, "all")
}

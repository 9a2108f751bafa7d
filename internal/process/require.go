package process

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Find finds a program that comes with a package of Debian's, under any of its names. A test without it is skipped, or
// fails where the package is required.
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

// Missing ends a test that needs something which is not here: it is skipped, or fails where the environment variable
// ROUTECARD_REQUIRE names the requirement, or all.
func Missing(tb testing.TB, requirement, what string) {
	tb.Helper()
	if required(requirement) {
		tb.Fatalf("%s is required: needs %s", requirement, what)
	}
	tb.Skip("needs " + what)
}

// Lengthy skips a test that takes long, unless ROUTECARD_REQUIRE names the requirement, or all.
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

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/process"
)

// TestSystemdUnit requires that systemd-analyze rates the exposure of the packaged unit below 2.0 of 10.
func TestSystemdUnit(t *testing.T) {
	t.Parallel()
	analyze := process.Find(t, "systemd", "systemd-analyze")
	judged, err := exec.CommandContext(t.Context(), analyze, "security", "--no-pager", "--offline=true", "--threshold=20", //nolint:gosec // ours
		"../../packaging/files/routecard.service").CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, judged)
	}
}

// The unit of the packages does not restart the service after an exit status that a restart would end with too.
func TestSystemdUnitEndsLastingFailures(t *testing.T) {
	t.Parallel()
	unit, err := os.ReadFile("../../packaging/files/routecard.service")
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("\nRestartPreventExitStatus=2 %d\n", statusUnavailable); !strings.Contains(string(unit), want) {
		t.Errorf("the unit lacks%s", want)
	}
}

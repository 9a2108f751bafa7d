package main

import (
	"os/exec"
	"testing"

	"github.com/routecard/routecard/internal/process"
)

// TestSystemdUnit has systemd rate how much of the machine the unit of the packages exposes: less than 2.0 of 10.
func TestSystemdUnit(t *testing.T) {
	t.Parallel()
	analyze := process.Find(t, "systemd", "systemd-analyze")
	judged, err := exec.CommandContext(t.Context(), analyze, "security", "--no-pager", "--offline=true", "--threshold=20", //nolint:gosec // ours
		"../../packaging/files/routecard.service").CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, judged)
	}
}

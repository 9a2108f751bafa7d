package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/process"
)

// TestSystemdUnit lets systemd judge how much of the machine the unit of docs/running.md exposes: less than 2.0 of 10.
func TestSystemdUnit(t *testing.T) {
	t.Parallel()
	analyze := process.Find(t, "systemd", "systemd-analyze")
	unit := ""
	for _, block := range blocks(t, "../../docs/running.md") {
		for _, section := range []string{"[Unit]\n", "[Service]\n", "[Install]\n"} {
			if strings.HasPrefix(block.text, section) {
				unit += block.text + "\n"
			}
		}
	}
	if strings.Count(unit, "[Service]") != 1 {
		t.Fatalf("docs/running.md shows another unit than one of a service:\n%s", unit)
	}
	file := filepath.Join(t.TempDir(), "routecard.service")
	if err := os.WriteFile(file, []byte(unit), 0o600); err != nil {
		t.Fatal(err)
	}
	judged, err := exec.CommandContext(t.Context(), analyze, "security", "--no-pager", "--offline=true", "--threshold=20", file).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, judged)
	}
}

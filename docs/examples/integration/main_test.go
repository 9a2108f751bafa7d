package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/process"
)

// TestIntegration runs the whole integration with fewer orders.
func TestIntegration(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	trial := trial{process.Routecard(t), t.TempDir(), 12, 20, &out}
	if err := trial.run(t.Context()); err != nil {
		t.Fatalf("%v after\n%s", err, out.String())
	}
	for _, want := range []string{"12 orders imported", "events heard, none missing and none twice", "240 units exported", "every order is there once"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	if lost := strings.Contains(out.String(), "\n0 of "); lost {
		t.Errorf("no answer was lost:\n%s", out.String())
	}
	if found, err := filepath.Glob(filepath.Join(trial.folder, "units.csv")); err != nil || len(found) != 1 {
		t.Errorf("found %v, %v", found, err)
	}
}

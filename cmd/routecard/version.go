package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/routecard/routecard/internal/httpapi"
	"github.com/routecard/routecard/internal/sqlstore"
)

type versionCommand struct{}

// Run prints what this program was built from.
func (versionCommand) Run(w *world) error {
	_, err := fmt.Fprintln(w.stdout, "routecard", version())
	return err
}

// version is the module's version and, when it is known, the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	text := info.Main.Version
	if text == "" {
		text = "(devel)"
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			text += " " + setting.Value[:min(12, len(setting.Value))]
		}
	}
	return text + " " + info.GoVersion
}

// newMetrics makes metrics that say what this program was built from.
func newMetrics() (*httpapi.Metrics, error) {
	tables, err := sqlstore.Tables()
	if err != nil {
		return nil, err
	}
	metrics := httpapi.NewMetrics()
	metrics.Built(version(), runtime.Version(), tables)
	return metrics, nil
}

package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	sqlitelib "modernc.org/sqlite/lib"

	"github.com/routecard/routecard/internal/httpapi"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
)

type versionCommand struct {
	Check      string `help:"Check files of a release against the signed checksums in SHA256SUMS.note in the same folder. Exit status 0: all match, 1: one does not." placeholder:"FILE" env:"-"`
	ReleaseKey string `help:"With --check: the public key of the release, as its publisher announces it." placeholder:"KEY" env:"-"`
}

// Run prints what this program was built from, or checks the files of a release.
func (c versionCommand) Run(w *world) error {
	if c.Check != "" {
		return checkRelease(w.stdout, c.Check, c.ReleaseKey)
	}
	tables, err := migrations.Newest()
	if err != nil {
		return err
	}
	const form = "routecard %s\ncommit   %s\nengines  SQLite %s (part of the program), PostgreSQL %d or later\nschema   %d\n"
	_, err = fmt.Fprintf(w.stdout, form, version(), commit(), sqlitelib.SQLITE_VERSION, sqlstore.OldestPostgres, tables)
	return err
}

// version returns the module's version and, if it is known, the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	text := info.Main.Version
	if text == "" {
		text = "(devel)"
	}
	if revision := buildSetting(info, "vcs.revision"); revision != "" {
		text += " " + revision[:min(12, len(revision))]
	}
	return text + " " + info.GoVersion
}

// newMetrics makes metrics that include the build of this program.
func newMetrics() (*httpapi.Metrics, error) {
	tables, err := migrations.Newest()
	if err != nil {
		return nil, err
	}
	metrics := httpapi.NewMetrics()
	metrics.Built(version(), runtime.Version(), tables)
	return metrics, nil
}

// commit returns the commit of this program with its time, if they are known, and the target system.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	text := "unknown"
	if revision := buildSetting(info, "vcs.revision"); revision != "" {
		text = revision + " of " + buildSetting(info, "vcs.time")
	}
	if buildSetting(info, "vcs.modified") == "true" {
		text += ", with changes"
	}
	return text + ", for " + buildSetting(info, "GOOS") + "/" + buildSetting(info, "GOARCH")
}

func buildSetting(info *debug.BuildInfo, key string) string {
	for _, setting := range info.Settings {
		if setting.Key == key {
			return setting.Value
		}
	}
	return ""
}

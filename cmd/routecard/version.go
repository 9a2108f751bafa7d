package main

import (
	"fmt"
	"runtime/debug"
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

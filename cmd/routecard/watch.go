package main

import (
	"encoding/json"

	"github.com/routecard/routecard/client"
)

type watchCommand struct {
	After  string `help:"Start after this entry. Default: new entries only." env:"-" placeholder:"AUDIT-ID"`
	Types  string `help:"Only these actions, separated by commas." env:"-" placeholder:"ACTIONS"`
	Job    string `help:"Only entries about this job." env:"-" placeholder:"ID"`
	Serial string `help:"Only entries about this unit." env:"-" placeholder:"ID"`
	remoteSettings
}

// Run prints entries of the audit trail as they are stored, one a line, until it is stopped. After a lost connection it reconnects and
// continues after the last printed entry.
func (c *watchCommand) Run(w *world) error {
	service, err := c.connect()
	if err != nil {
		return wrongSettings(err)
	}
	lines := json.NewEncoder(w.stdout)
	lines.SetEscapeHTML(false)
	params := client.StreamEventsParams{After: c.After, Types: c.Types, JobID: c.Job, SerialID: c.Serial}
	for entry, err := range service.Events(w.ctx, params) {
		if err != nil {
			return asked(w.ctx, err)
		}
		if err := lines.Encode(entry); err != nil {
			return &exitError{err, 2}
		}
	}
	return nil
}

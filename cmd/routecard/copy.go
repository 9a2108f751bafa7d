package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/routecard/routecard/internal/sqlstore"
)

type copyCommand struct {
	From string `help:"Database to copy: a file, or postgres://..." required:"true" placeholder:"DATABASE"`
	To   string `help:"Empty database to copy to: a file, or postgres://..." required:"true" placeholder:"DATABASE"`
	logSettings
}

// Run copies everything and prints what was copied and verified.
func (c *copyCommand) Run(w *world) error {
	logger, err := c.logger(w.stderr)
	if err != nil {
		return err
	}
	options := sqlstore.CopyOptions{Options: sqlstore.Options{Logger: logger}}
	clean := func() {}
	if shown := terminal(w.stderr); shown != nil {
		options.Progress = func(table string, rows, of int64) {
			fmt.Fprintf(shown, "\r\x1b[K%s: %d of %d rows", table, rows, of)
		}
		clean = func() { fmt.Fprint(shown, "\r\x1b[K") }
	}
	copied, err := sqlstore.Copy(w.ctx, c.From, c.To, options)
	clean()
	if err != nil {
		return err
	}
	return c.report(w.stdout, copied)
}

func (c *copyCommand) report(out io.Writer, copied []sqlstore.CopiedTable) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "table\trows\tdigest on both sides")
	for _, t := range copied {
		fmt.Fprintf(table, "%s\t%d\t%s\n", t.Name, t.Rows, t.Digest)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%s is now the same as %s.\n", sqlstore.Redacted(c.To), sqlstore.Redacted(c.From))
	return err
}

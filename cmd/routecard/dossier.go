package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/ledger"
)

// verifyDossier checks a dossier. The exit status is 0 if it is proved, 1 if it is not, and 2 if it could not be checked.
func (c *verifyCommand) verifyDossier(out io.Writer) error {
	report, err := c.readDossier()
	if err != nil {
		return &exitError{fmt.Errorf("could not be checked: %w", err), 2}
	}
	if err := c.reportDossier(out, report); err != nil {
		return &exitError{err, 2}
	}
	if !report.Proved {
		return &exitError{errors.New("not proved: " + oneStoredLine(report.Findings[0].Text)), 1}
	}
	return nil
}

func (c *verifyCommand) readDossier() (report *dossier.Report, err error) {
	if len(c.Key) == 0 {
		return nil, errors.New("a dossier is checked with the log's verifier key, --key, which must not come from the dossier")
	}
	if len(c.Checkpoint) > 0 || c.Policy != "" {
		return nil, errors.New("--checkpoint and --policy do not apply to a dossier")
	}
	keys, err := ledger.Verifiers(c.Key...)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(c.Dossier)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	about, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return dossier.Verify(file, about.Size(), keys)
}

func (c *verifyCommand) reportDossier(out io.Writer, r *dossier.Report) error {
	if c.JSON {
		return json.NewEncoder(out).Encode(r)
	}
	var b strings.Builder
	if r.Proved {
		fmt.Fprintf(&b, "Proved: the dossier of %s is as the log %s signed it, with %d of its first %d entries and %d files.\n",
			oneStoredLine(r.About), oneStoredLine(r.Origin), r.Entries, r.Size, r.Files)
		fmt.Fprintf(&b, "As-built, readings, signatures and files follow from the entries of %s.\n", someOf(r.Units))
	} else {
		fmt.Fprintf(&b, "NOT PROVED: %s.\n", cmp.Or(prefixed("the dossier of ", oneStoredLine(r.About)), "the file is no dossier"))
		for _, finding := range r.Findings {
			fmt.Fprintf(&b, "- %s: %s\n", finding.Part, oneStoredLine(finding.Text))
		}
	}
	for _, what := range r.NotProved {
		fmt.Fprintf(&b, "Not proved: %s.\n", oneStoredLine(what))
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// prefixed returns a text after a prefix; "" for "".
func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

// someOf lists units, and counts those after the first twenty.
func someOf(units []string) string {
	const shown = 20
	if len(units) <= shown {
		return strings.Join(units, ", ")
	}
	return fmt.Sprintf("%s and %d more units", strings.Join(units[:shown], ", "), len(units)-shown)
}

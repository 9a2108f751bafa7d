package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/routecard/routecard/internal/sqlstore/migrations"
)

type doctorCommand struct {
	serveCommand

	URL       string `name:"url" beside:"" help:"Address of the running service. Default: the address of --listen." placeholder:"URL" env:"-"`
	TokenFile string `beside:"" help:"File with a token that may read, for a service with --auth all." placeholder:"FILE" env:"ROUTECARD_TOKEN_FILE"`
	JSON      bool   `name:"json" beside:"" help:"Print JSON." env:"-"`

	answers bool  // whether the service responded
	unread  error // the reason why the settings file could not be read
}

// verdict is the result of a check.
type verdict string

// The verdicts. The worst of them decides the exit status: 1 for wrong, 2 for unknown, and 0 otherwise.
const (
	allWell  verdict = "ok"
	noted    verdict = "note"    // nothing is wrong, but worth knowing
	unknown  verdict = "unknown" // could not be checked
	wrongNow verdict = "wrong"
)

func (v verdict) rank() int {
	return map[verdict]int{allWell: 0, noted: 1, unknown: 2, wrongNow: 3}[v]
}

// check is one line of the report.
type check struct {
	What    string         `json:"what"`
	Verdict verdict        `json:"verdict"`
	Says    []string       `json:"says"`
	Values  map[string]any `json:"values,omitempty"`
}

// sayf adds a sentence with a verdict. The verdict of the check becomes the worse of the two.
func (c *check) sayf(v verdict, format string, args ...any) {
	if v.rank() > c.Verdict.rank() {
		c.Verdict = v
	}
	c.Says = append(c.Says, hideSecrets(fmt.Sprintf(format, args...)))
}

// value adds a figure to the report in JSON.
func (c *check) value(name string, value any) {
	if c.Values == nil {
		c.Values = map[string]any{}
	}
	if text, ok := value.(string); ok {
		value = hideSecrets(text)
	}
	c.Values[name] = value
}

type doctorAnswer struct {
	Verdict verdict `json:"verdict"`
	At      string  `json:"at"`
	Checks  []check `json:"checks"`
}

// Run prints a diagnostic report. It opens the database for reading only; it writes only files that measure the disk, and removes them at
// the end. The exit status is 0 if nothing is wrong, 1 if something is wrong, and 2 if something could not be checked.
func (c *doctorCommand) Run(w *world, parsed *kong.Context) error {
	now := time.Now()
	answer := doctorAnswer{Verdict: allWell, At: now.UTC().Format(time.RFC3339)}
	// A --database that is not valid may be a mistyped address with a password in it: so no check uses it as the name of a file.
	withDatabase := func(look func(context.Context, *check)) func(context.Context, *check) {
		err := checkDatabase(c.Database, c.poolSettings)
		if err == nil {
			return look
		}
		return func(_ context.Context, found *check) { found.sayf(unknown, "Not checked: %v", err) }
	}
	for _, one := range []examination{
		{"version", c.lookAtVersion},
		{"settings", func(_ context.Context, found *check) { c.lookAtSettings(parsed, found) }},
		{"service", c.lookAtService},
		{"disk", withDatabase(c.lookAtDisk)},
		{"clock", func(_ context.Context, found *check) { c.lookAtClock(now, found) }},
		{"database", withDatabase(func(ctx context.Context, found *check) { c.lookAtDatabase(ctx, now, found) })},
		{"ledger", withDatabase(func(ctx context.Context, found *check) { c.lookAtLedger(ctx, now, found) })},
		{"backups", func(ctx context.Context, found *check) { c.lookAtBackups(ctx, now, found) }},
		{"errors", func(_ context.Context, found *check) { c.lookAtErrors(now, found) }},
	} {
		found := check{What: one.what, Verdict: allWell, Says: []string{}}
		if c.unread != nil && one.what != "version" {
			c.unsettled(&found)
		} else {
			one.look(w.ctx, &found)
		}
		if found.Verdict.rank() > answer.Verdict.rank() {
			answer.Verdict = found.Verdict
		}
		answer.Checks = append(answer.Checks, found)
	}
	if err := c.report(w.stdout, answer); err != nil {
		return &exitError{err, 2}
	}
	switch answer.Verdict {
	case wrongNow:
		return &exitError{errors.New("something is wrong: " + named(answer.Checks, wrongNow)), 1}
	case unknown:
		return &exitError{errors.New("could not be checked: " + named(answer.Checks, unknown)), 2}
	case allWell, noted:
	}
	return nil
}

// examination fills one check.
type examination struct {
	what string
	look func(ctx context.Context, found *check)
}

// unsettled fills a check when the settings are not known.
func (c *doctorCommand) unsettled(found *check) {
	if found.What == "settings" {
		found.sayf(wrongNow, "%v", c.unread)
		return
	}
	found.sayf(unknown, "Not checked: the settings could not be read.")
}

// named returns the names of the checks with a verdict.
func named(checks []check, v verdict) string {
	var names []string
	for i := range checks {
		if checks[i].Verdict == v {
			names = append(names, checks[i].What)
		}
	}
	return strings.Join(names, ", ")
}

func (c *doctorCommand) report(out io.Writer, answer doctorAnswer) error {
	if c.JSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(answer)
	}
	var b strings.Builder
	for _, one := range answer.Checks {
		for i, text := range one.Says {
			name, mark := "", ""
			if i == 0 {
				name, mark = one.What, string(one.Verdict)
			}
			fmt.Fprintf(&b, "%-8s %-9s %s\n", mark, name, inOneLine(text))
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (c *doctorCommand) lookAtVersion(_ context.Context, found *check) {
	tables, err := migrations.Newest()
	if err != nil {
		found.sayf(unknown, "%v", err)
	}
	found.value("version", version())
	found.value("system", runtime.GOOS+"/"+runtime.GOARCH)
	found.value("tables", tables)
	found.sayf(allWell, "routecard %s, %s/%s, tables of version %d", version(), runtime.GOOS, runtime.GOARCH, tables)
}

// lookAtSettings validates the settings as a start does, and lists those that differ from their defaults.
func (c *doctorCommand) lookAtSettings(parsed *kong.Context, found *check) {
	var warnings []string
	logger := slog.New(heard{&warnings})
	warnOfVariables(parsed, logger)
	if _, err := c.judged(logger); err != nil {
		found.sayf(wrongNow, "%v", err)
	} else {
		found.sayf(allWell, "They are right.")
	}
	for _, warning := range warnings {
		found.sayf(noted, "%s", warning)
	}
	all := map[string]any{}
	for _, flag := range settingsOf(parsed.Selected()) {
		value, source := shownSetting(flag), sourceOf(flag, parsed, c.Config)
		all[flag.Name] = map[string]any{"value": value, "from": source}
		if source != "default" {
			found.sayf(allWell, "%s: %v (%s)", flag.Name, value, source)
		}
	}
	found.value("settings", all)
	c.lookAtCertificate(time.Now(), found)
}

// The service works only in these years.
const clockFirstYear, clockLastYear = 1970, 2200

// lookAtClock checks the clock without the database; lookAtDatabase compares the clock with the trail.
func (c *doctorCommand) lookAtClock(now time.Time, found *check) {
	zone, err := c.zone()
	if err != nil {
		zone = time.UTC // lookAtSettings says so
	}
	found.value("now", now.UTC().Format(time.RFC3339))
	found.value("zone", cmp.Or(c.TimeZone, zone.String()))
	found.sayf(allWell, "%s; in the zone of the shop it is %s", now.UTC().Format(time.RFC3339), now.In(zone).Format("2006-01-02 15:04 MST"))
	if year := now.UTC().Year(); year < clockFirstYear || year > clockLastYear {
		found.sayf(wrongNow, "The service works from %d to %d only: set the clock.", clockFirstYear, clockLastYear)
	}
	if synchronized, known := clockSynchronized(); known {
		found.value("synchronized", synchronized)
		if !synchronized {
			found.sayf(noted, "The system does not say that it sets its clock by another one (NTP).")
		}
	}
}

// errorsShown is how many of the last errors are shown.
const errorsShown = 10

func (c *doctorCommand) lookAtErrors(now time.Time, found *check) {
	if c.ErrorLog == "" {
		found.sayf(noted, "They are not kept; --error-log names a file for them. Look into the log of the service.")
		return
	}
	lines, err := lastErrors(c.ErrorLog, errorsShown)
	switch {
	case err != nil:
		found.sayf(unknown, "%v", err)
		return
	case len(lines) == 0:
		found.sayf(allWell, "%s has none.", c.ErrorLog)
		return
	}
	told := []json.RawMessage{}
	for _, line := range lines {
		var entry struct {
			Time  time.Time `json:"time"`
			Level string    `json:"level"`
			Msg   string    `json:"msg"`
			Error string    `json:"error"`
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			found.sayf(noted, "%s", line)
			continue
		}
		told = append(told, json.RawMessage(line))
		as := allWell
		if now.Sub(entry.Time) < 24*time.Hour {
			as = noted
		}
		text := entry.Msg
		if entry.Error != "" {
			text += ": " + entry.Error
		}
		found.sayf(as, "%s %s %s", entry.Time.UTC().Format(time.RFC3339), entry.Level, text)
	}
	found.value("errors", told)
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
)

// commands is the whole command line: flags, ROUTECARD_* variables and defaults in one place.
type commands struct {
	Serve      serveCommand      `cmd:"" default:"withargs" help:"Run the service. This is the default command."`
	Copy       copyCommand       `cmd:"" help:"Copy a database into an empty one, between SQLite and PostgreSQL as well."`
	Backup     backupCommand     `cmd:"" help:"Create a verified backup of a database file, also while the service runs."`
	Restore    restoreCommand    `cmd:"" help:"Restore a backup to a new database."`
	Verify     verifyCommand     `cmd:"" help:"Verify the audit trail against the ledger. Exit status 0: proved, 1: not proved, 2: the check failed."`
	Files      filesCommand      `cmd:"" help:"Check or delete stored files."`
	Ledger     ledgerCommand     `cmd:"" help:"Manage the ledger."`
	Config     configCommand     `cmd:"" help:"Validate or print the settings of the service."`
	Doctor     doctorCommand     `cmd:"" help:"Print a diagnostic report: version, settings, disk, clock, database, ledger, backups, last errors. It takes the settings of the service. Exit status 0: nothing is wrong, 1: something is, 2: something could not be checked."`
	Selftest   selftestCommand   `cmd:"" help:"Test the documented claims of this program on a scratch installation and report each result, as part of validating it on this machine. Exit status 0: all hold, 1: one does not, 2: the test could not run."`
	Export     exportCommand     `cmd:"" help:"Export the results of a search from a running service to a file. Exit status 0: complete, 1: refused, 2: the service could not be reached."`
	Import     importCommand     `cmd:"" help:"Import the rows of a file into a running service. Exit status 0: all imported, 1: refused, 2: the service could not be reached."`
	Unit       unitCommand       `cmd:"" help:"Print the card of a unit, from a running service."`
	Watch      watchCommand      `cmd:"" help:"Print audit entries of a running service as they are recorded, as lines of JSON."`
	Completion completionCommand `cmd:"" help:"Print a shell completion script."`
	Man        manCommand        `cmd:"" help:"Print the manual page."`
	Version    versionCommand    `cmd:"" help:"Print the version."`
	Help       helpCommand       `cmd:"" help:"Print this help, or the help of one command."`
}

// world is the part of the process that a command may use.
type world struct {
	ctx    context.Context // ends when the process is asked to stop
	urgent func()          // after it returns, a second signal ends the process immediately
	stdout io.Writer       // for texts: unprintable characters are quoted
	stderr io.Writer       // likewise
	raw    io.Writer       // standard output for files, byte for byte
}

// run runs one command and returns the exit status: 0 if it did its work, 1 if it failed, 2 if the command line is wrong, and
// statusUnavailable if the service cannot start. Errors are one line on stderr. The first SIGINT or SIGTERM asks the command to stop; the
// second one ends the process immediately.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	command, helped, err := parse(args, stdout, stderr)
	if err == nil && !helped && configOf(command) != "" {
		var settings configFile
		settings, err = readConfig(configOf(command), settingsOf(command.Selected()))
		doctor, diagnoses := reflect.TypeAssert[*doctorCommand](command.Selected().Target.Addr())
		switch {
		case err == nil:
			command, helped, err = parse(args, stdout, stderr, kong.Resolvers(settings))
		case diagnoses:
			doctor.unread, err = err, nil // the doctor reports the error
		}
	}
	switch {
	case helped:
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "routecard: %s (try: routecard help)\n", oneLine(err))
		return 2
	}
	raw := stdout
	stdout, stderr = &printable{to: stdout}, &printable{to: stderr}
	ctx, stop := untilSignal(ctx)
	defer stop()
	limit := commandEnd
	if command.Selected().Name == "serve" {
		limit = serviceEnd
	}
	defer endLate(ctx, limit, stderr)()
	if err := command.Run(&world{ctx: ctx, urgent: stop, stdout: stdout, stderr: stderr, raw: raw}); err != nil {
		if own, ok := errors.AsType[*exitError](err); ok {
			failed(stderr, own.error)
			return own.status
		}
		return failed(stderr, err)
	}
	return 0
}

// parse parses the command line, with additional options of kong. helped is true if it printed the requested help.
func parse(args []string, stdout, stderr io.Writer, more ...kong.Option) (command *kong.Context, helped bool, err error) {
	parser, err := kong.New(&commands{}, append(more,
		kong.Name("routecard"),
		kong.Description("Production tracking: a route card for every unit in the shop."),
		kong.DefaultEnvars("ROUTECARD"),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { helped = true }),
	)...)
	if err != nil {
		return nil, false, err
	}
	command, err = parser.Parse(habitual(args))
	return command, helped, err
}

// configOf returns the settings file of a command, or "" if it has none.
func configOf(command *kong.Context) string {
	for _, flag := range command.Selected().Flags {
		if flag.Name == "config" {
			return flag.Target.String()
		}
	}
	return ""
}

// wrongSettings is an error of the command line that only the command itself can see.
func wrongSettings(err error) error { return &exitError{err, 2} }

// statusUnavailable is the exit status of a start that fails for a reason that only a person can remove: EX_UNAVAILABLE of sysexits. After
// this status, systemd does not restart the service.
const statusUnavailable = 69

// startFailure sets the exit status for the error of a start.
func startFailure(err error) error {
	if errors.Is(err, sqlstore.ErrOtherPrefix) {
		return wrongSettings(err)
	}
	for _, lasting := range []error{syscall.EADDRINUSE, syscall.EACCES, migrations.ErrTooOld} {
		if errors.Is(err, lasting) {
			return &exitError{err, statusUnavailable}
		}
	}
	return err
}

// habitual maps common spellings of a command to ours.
func habitual(args []string) []string {
	if len(args) == 0 {
		return args
	}
	switch args[0] {
	case "help":
		return append(args[1:len(args):len(args)], "--help")
	case "--version":
		return append([]string{"version"}, args[1:]...)
	}
	return args
}

func failed(stderr io.Writer, err error) int {
	fmt.Fprintln(stderr, "routecard:", oneLine(err))
	return 1
}

// oneLine returns the text of an error in one line, without secrets.
func oneLine(err error) string { return hideSecrets(inOneLine(err.Error())) }

// inOneLine joins the lines of a text. It separates them as sentences, unless the line before ends in a colon.
func inOneLine(text string) string {
	first, others, _ := strings.Cut(text, "\n")
	for line := range strings.Lines(others) {
		between := "; "
		if strings.HasSuffix(first, ":") {
			between = " "
		}
		first += between + strings.TrimSpace(line)
	}
	return first
}

// helpCommand exists only for the list of commands; habitual turns it into --help.
type helpCommand struct{}

// Run is never called.
func (helpCommand) Run() error { return nil }

// logSettings are the flags for the log of the service.
type logSettings struct {
	LogFormat string `help:"Log format: ${enum}." enum:"text,json" default:"text"`
	LogLevel  string `help:"Minimum log level: ${enum}." enum:"debug,info,warn,error" default:"info"`
}

// handler returns a handler that writes log lines of at least this level in the chosen format.
func (s logSettings) handler(w io.Writer, level slog.Level) slog.Handler {
	options := &slog.HandlerOptions{Level: level, ReplaceAttr: withoutSecretsInLog}
	if s.LogFormat == "json" {
		return slog.NewJSONHandler(w, options)
	}
	return slog.NewTextHandler(w, options)
}

func (s logSettings) logger(w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.LogLevel)); err != nil {
		return nil, fmt.Errorf("log level: %w", err)
	}
	return slog.New(s.handler(w, level)), nil
}

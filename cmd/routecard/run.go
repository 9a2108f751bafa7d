package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// commands is the whole command line: flags, ROUTECARD_* variables and defaults in one place.
type commands struct {
	Serve   serveCommand   `cmd:"" default:"withargs" help:"Run the service (what happens when no command is named)."`
	Version versionCommand `cmd:"" help:"Print the version."`
	Help    helpCommand    `cmd:"" help:"Print this help."`
}

// world is what a command may use of the process around it.
type world struct {
	ctx    context.Context // ends when the process is asked to stop
	stdout io.Writer
	stderr io.Writer
}

// run runs one command and returns the exit status: 0 when it did its work, 1 when it failed, 2 when the command line
// is wrong. Errors are one line on stderr.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var c commands
	helped := false
	parser, err := kong.New(&c,
		kong.Name("routecard"),
		kong.Description("Production tracking: a route card for every unit in the shop."),
		kong.DefaultEnvars("ROUTECARD"),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { helped = true }),
		kong.UsageOnError(),
	)
	if err != nil {
		fmt.Fprintln(stderr, "routecard:", err)
		return 1
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(args[1:], "--help")
	}
	command, err := parser.Parse(args)
	if helped {
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "routecard: %v\nTry: routecard help\n", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := command.Run(&world{ctx: ctx, stdout: stdout, stderr: stderr}); err != nil {
		fmt.Fprintln(stderr, "routecard:", strings.ReplaceAll(err.Error(), "\n", "; "))
		return 1
	}
	return 0
}

// helpCommand stands in the list of commands; run turns it into --help.
type helpCommand struct{}

// Run is never reached.
func (helpCommand) Run() error { return nil }

// logSettings are the flags that choose how the service logs.
type logSettings struct {
	LogFormat string `help:"How log lines look: ${enum}." enum:"text,json" default:"text"`
	LogLevel  string `help:"The least level that is logged: ${enum}." enum:"debug,info,warn,error" default:"info"`
}

func (s logSettings) logger(w io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(s.LogLevel)); err != nil {
		return nil, fmt.Errorf("log level: %w", err)
	}
	options := &slog.HandlerOptions{Level: level}
	if s.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, options)), nil
	}
	return slog.New(slog.NewTextHandler(w, options)), nil
}

package process

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Build compiles the service into a folder as in a release: without the race detector, even if the test runs with it.
func Build(ctx context.Context, folder string) (program string, err error) {
	program = filepath.Join(folder, "routecard")
	const source = "github.com/routecard/routecard/cmd/routecard"
	command := exec.CommandContext(ctx, "go", "build", "-o", program, source) //nolint:gosec // our own
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the service: %w\n%s", err, output)
	}
	return program, nil
}

// built is the service: the program that ROUTECARD_PROGRAM names, or one that is compiled when the first test of a process needs it.
var built = sync.OnceValues(func() (service, error) { //nolint:gochecknoglobals // once for all tests of a process
	if program := os.Getenv("ROUTECARD_PROGRAM"); program != "" {
		return service{program: program}, nil
	}
	folder, err := os.MkdirTemp("", "routecard-")
	if err != nil {
		return service{}, err
	}
	kept, err := removeAtEnd(folder)
	if err != nil {
		return service{}, err
	}
	program, err := Build(context.Background(), folder)
	return service{program, kept}, err
})

type service struct {
	program string
	kept    io.Closer // keeps the folder of the program until it is closed; nil for a program that was not built here
}

// Routecard returns the service's program: the file in ROUTECARD_PROGRAM, which must be built from this source, or one that is compiled
// once for all tests of a process.
func Routecard(tb testing.TB) string {
	tb.Helper()
	service, err := built()
	if err != nil {
		tb.Fatal(err)
	}
	return service.program
}

// removeAtEnd removes a folder when the returned Closer is closed. The system closes it when this process ends, even after a kill.
func removeAtEnd(folder string) (io.Closer, error) {
	reading, writing, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer reading.Close()
	const script = `read -r _; rm -rf "$0"`
	command := exec.CommandContext(context.Background(), "/bin/sh", "-c", script, folder) //nolint:gosec // a folder of ours
	command.Stdin = reading
	if err := command.Start(); err != nil {
		return nil, err
	}
	return writing, nil // the shell is not awaited: it ends after this process
}

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

// Build compiles the service into a folder as it is shipped: without the race detector that a test may run under.
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
	kept    io.Closer // as long as it is not closed, the folder of the program stays; nil for a program that was there before
}

// Routecard is the service's program: the one that ROUTECARD_PROGRAM names, which has to be of this source, or one that is compiled once
// for all tests of a process.
func Routecard(tb testing.TB) string {
	tb.Helper()
	service, err := built()
	if err != nil {
		tb.Fatal(err)
	}
	return service.program
}

// removeAtEnd has a folder removed when what it returns is closed, which happens at the latest when this process ends,
// however it ends.
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

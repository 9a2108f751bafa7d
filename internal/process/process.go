// Package process starts Routecard as a process of its own, for tests and measurements of the real program, and finds the other programs
// that tests need.
//
// A process that is started here ends with the one that started it, in every case: a test that panics or is killed leaves no service
// running. That holds on Linux; elsewhere a process is ended by the cleanup of its test.
package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// Server is a server in a process of its own.
type Server struct {
	URL    string // its address
	Stdout Output
	Stderr Output // empty when the command has another place for it

	command *exec.Cmd
	ended   chan struct{} // closed when the process is over; then err says how
	err     error
}

// patience is how long a server may take to say where it listens, and to stop when it is asked to. It measures nothing.
const patience = 10 * time.Minute

var address = regexp.MustCompile(`https?://[^\s,]+`)

// Start starts a server and returns when it has said where it listens: in the first line of its standard output.
func Start(command *exec.Cmd) (*Server, error) {
	s := &Server{command: command, ended: make(chan struct{})}
	command.Stdout = &s.Stdout
	if command.Stderr == nil {
		command.Stderr = &s.Stderr
	}
	started := make(chan error)
	go func() {
		// The system signals a child that its parent has ended when the thread ends that started it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		endWithParent(command)
		err := command.Start()
		started <- err
		if err == nil {
			s.err = command.Wait()
			close(s.ended)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	silent := time.AfterFunc(patience, s.Kill)
	defer silent.Stop()
	said := s.Stdout.Await("\n", s.ended)
	line, _, _ := strings.Cut(s.Stdout.String(), "\n")
	if s.URL = address.FindString(line); said && s.URL != "" {
		return s, nil
	}
	<-s.ended
	return nil, fmt.Errorf("the server did not say where it listens (%w):\n%s%s", s.err, s.Stdout.String(), s.Stderr.String())
}

// Serve starts the service for a test, with these flags; on a port of its own unless they say another. It is killed when
// the test ends, unless it is stopped before.
func Serve(tb testing.TB, flags ...string) *Server {
	tb.Helper()
	s, err := Start(Command(context.WithoutCancel(tb.Context()), Routecard(tb), flags...))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		s.Kill()
		if tb.Failed() {
			text := s.Stderr.String()
			tb.Logf("end of the log of %s: %s", s.URL, text[max(0, len(text)-4000):])
		}
	})
	return s
}

// Command is the command that starts the service with these flags; on a port of its own unless they say another.
func Command(ctx context.Context, program string, flags ...string) *exec.Cmd {
	if !slices.Contains(flags, "--listen") {
		flags = append([]string{"--listen", "127.0.0.1:0"}, flags...)
	}
	return exec.CommandContext(ctx, program, append([]string{"serve"}, flags...)...) //nolint:gosec // the program of a test
}

// PID is the number of the process.
func (s *Server) PID() int { return s.command.Process.Pid }

// Ended is closed when the process is over.
func (s *Server) Ended() <-chan struct{} { return s.ended }

// Wait waits until the process is over and says how it ended.
func (s *Server) Wait() error {
	<-s.ended
	return s.err
}

// Signal sends a signal to the process.
func (s *Server) Signal(signal os.Signal) error { return s.command.Process.Signal(signal) }

// Kill ends the process at once, as a power failure would, and waits until it is over. It may be over already.
func (s *Server) Kill() {
	_ = s.command.Process.Kill()
	<-s.ended
}

// Stop asks the server to stop with an interrupt, and waits until it has.
func (s *Server) Stop() error {
	if err := s.Signal(os.Interrupt); err != nil {
		s.Kill() // where processes cannot be asked
		return s.err
	}
	hung := time.NewTimer(patience)
	defer hung.Stop()
	select {
	case <-s.ended:
		return s.err
	case <-hung.C:
		s.Kill()
		return errors.New("the server did not stop and was killed")
	}
}

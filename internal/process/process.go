// Package process starts Routecard as a process of its own, for tests and measurements of the real program, and finds the other programs
// that tests need.
//
// A process that is started here always ends together with the process that started it: a test that panics or is killed leaves no service
// running. This is true on Linux; on other systems the cleanup of the test ends the process.
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
	URL    string // the address of the server
	Stdout Output
	Stderr Output // empty if the command writes it elsewhere

	command *exec.Cmd
	ended   chan struct{} // closed when the process has ended; err is valid from then on
	err     error
}

// patience is the time limit for the start of a server and for its stop. It only ends tests that hang.
const patience = 10 * time.Minute

var address = regexp.MustCompile(`https?://[^\s,]+`)

// Start starts a server and returns when the server has printed its address in the first line of standard output.
func Start(command *exec.Cmd) (*Server, error) {
	s := &Server{command: command, ended: make(chan struct{})}
	command.Stdout = &s.Stdout
	if command.Stderr == nil {
		command.Stderr = &s.Stderr
	}
	started := make(chan error)
	go func() {
		// The system regards the parent as ended when the thread that started the child ends.
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

// Serve starts the service for a test, with these flags; on a free port unless they set another. It is killed when the test ends, unless it
// was stopped before.
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

// Command returns the command that starts the service with these flags; on a free port unless they set another.
func Command(ctx context.Context, program string, flags ...string) *exec.Cmd {
	if !slices.Contains(flags, "--listen") {
		flags = append([]string{"--listen", "127.0.0.1:0"}, flags...)
	}
	return exec.CommandContext(ctx, program, append([]string{"serve"}, flags...)...) //nolint:gosec // the program of a test
}

// PID returns the number of the process.
func (s *Server) PID() int { return s.command.Process.Pid }

// Ended returns a channel that is closed when the process has ended.
func (s *Server) Ended() <-chan struct{} { return s.ended }

// Wait waits for the end of the process and returns its error.
func (s *Server) Wait() error {
	<-s.ended
	return s.err
}

// Signal sends a signal to the process.
func (s *Server) Signal(signal os.Signal) error { return s.command.Process.Signal(signal) }

// Kill kills the process, like a power failure, and waits for its end. The process may have ended already.
func (s *Server) Kill() {
	_ = s.command.Process.Kill()
	<-s.ended
}

// Stop sends the server an interrupt, and waits for its end.
func (s *Server) Stop() error {
	if err := s.Signal(os.Interrupt); err != nil {
		s.Kill() // on systems without such a signal
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

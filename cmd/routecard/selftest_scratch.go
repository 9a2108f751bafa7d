package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// scratch is an installation of this program for a self-test, with its own database in its own folder, and a service on loopback that
// requires sign-in. It reads no setting from the environment, so that it cannot affect another installation.
type scratch struct {
	ctx      context.Context
	program  string
	folder   string
	database string
	url      string
	code     string
	running  *exec.Cmd
	ended    chan struct{} // closed when the service has ended
	with     error         // the error with which it ended; valid once ended is closed
}

// newScratch starts the service of a program. The service ends when ctx ends.
func newScratch(ctx context.Context, program, folder string) (*scratch, error) {
	copies := filepath.Join(folder, "copies")
	if err := os.Mkdir(copies, 0o700); err != nil {
		return nil, err
	}
	s := &scratch{ctx: ctx, program: program, folder: copies, database: filepath.Join(folder, "shop.db")}
	err := s.start()
	return s, err
}

// URL returns the address of the service.
func (s *scratch) URL() string { return s.url }

// Database returns the database.
func (s *scratch) Database() string { return s.database }

// Folder returns a folder for copies.
func (s *scratch) Folder() string { return s.folder }

// SetupCode returns the code of the first sign-in.
func (s *scratch) SetupCode() (string, error) {
	if s.code == "" {
		return "", errors.New("the service does not tell how to sign in first")
	}
	return s.code, nil
}

// environment returns the environment of this process without the variables of the service.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(one string) bool { return strings.HasPrefix(one, "ROUTECARD_") })
}

// start starts the service, and returns when it responds.
func (s *scratch) start() error {
	args := []string{"serve", "--listen", "127.0.0.1:0", "--database", s.database, "--auth", "all", "--log-level", "warn"}
	command := exec.CommandContext(s.ctx, s.program, args...) //nolint:gosec // this program itself
	command.Env = environment()
	var said bytes.Buffer
	command.Stderr = &said
	printed, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	s.url, s.code = "", ""
	lines := bufio.NewScanner(printed)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "API reference:") {
		if address, ok := strings.CutPrefix(lines.Text(), "Routecard listens on "); ok {
			s.url = address
		}
		if file, ok := strings.CutPrefix(lines.Text(), "First sign-in: see "); ok {
			s.code, err = invited(file)
		}
	}
	s.running, s.ended = command, make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, printed) // the rest of the output does not matter, but must be read, or the service would block
		s.with = command.Wait()
		close(s.ended)
	}()
	if s.url == "" {
		<-s.ended
		return fmt.Errorf("the service does not start: %w: %s", s.with, strings.TrimSpace(said.String()))
	}
	return err
}

// invited returns the setup code from the file for the first sign-in.
func invited(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	address, err := url.Parse(strings.TrimSpace(strings.TrimPrefix(string(text), "First sign-in: ")))
	if err != nil {
		return "", err
	}
	return address.Query().Get("code"), nil
}

// Kill kills the service and starts it again.
func (s *scratch) Kill(context.Context) error {
	if err := s.running.Process.Kill(); err != nil {
		return err
	}
	<-s.ended
	return s.start()
}

// Stop stops the service with a signal, on systems that have signals.
func (s *scratch) Stop(context.Context) error {
	if s.running.Process.Signal(os.Interrupt) != nil {
		return s.end()
	}
	<-s.ended
	s.running = nil
	return s.with
}

// end ends the service if it runs.
func (s *scratch) end() error {
	if s.running == nil {
		return nil
	}
	err := s.running.Process.Kill()
	if err == nil {
		<-s.ended
	}
	if s.running = nil; errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return err
}

// Edit runs a statement on the database.
func (s *scratch) Edit(statement string) (err error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(s.database)}).EscapedPath())
	if err != nil {
		return err
	}
	_, err = db.ExecContext(s.ctx, statement)
	return errors.Join(err, db.Close())
}

// Command runs this program.
func (s *scratch) Command(ctx context.Context, args ...string) (status int, printed string, err error) {
	command := exec.CommandContext(ctx, s.program, args...) //nolint:gosec // this program itself
	command.Env = environment()
	output, err := command.CombinedOutput()
	if _, ended := errors.AsType[*exec.ExitError](err); ended {
		err = nil
	}
	return command.ProcessState.ExitCode(), string(output), err
}

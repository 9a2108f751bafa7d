package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore"
)

// invitation makes a code for the first administrator, "" when there is one or without authentication.
func invitation(ctx context.Context, door *access.Service) (code string, err error) {
	if door == nil {
		return "", nil
	}
	return door.SetupCode(ctx)
}

// invitationFile is the file of the line for the first administrator when there is no terminal: next to the database file, or next to the
// pepper where the database is on a server.
func (c *serveCommand) invitationFile() string {
	beside := c.Database
	if sqlstore.IsPostgres(c.Database) {
		beside = c.Access.PepperFile
	}
	return strings.TrimSuffix(beside, filepath.Ext(beside)) + ".first-sign-in"
}

// invite says how the first administrator signs in: at a terminal on standard output, and otherwise in a file that only
// its owner can read. What else standard output goes to keeps it for others to read, as the journal of systemd does. Once
// there is an administrator the file is removed.
func (c *serveCommand) invite(w *world, base, code string) error {
	file := c.invitationFile()
	if code == "" {
		if c.Access.Auth == string(access.Off) {
			return nil
		}
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the file with the first sign-in cannot be removed: %w", err)
		}
		return nil
	}
	line := "First sign-in: " + base + "/setup?code=" + code + "\n"
	if onTerminal(w.stdout) {
		_, err := io.WriteString(w.stdout, line)
		return err
	}
	if err := writeSecret(file, line); err != nil {
		return fmt.Errorf("the first sign-in cannot be written to a file: %w", err)
	}
	_, err := fmt.Fprintf(w.stdout, "First sign-in: see %s\n", file)
	return err
}

// writeSecret makes a file that only its owner can read, in the place of whatever has the name.
func writeSecret(name, text string) (err error) {
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*") // of mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	_, err = file.WriteString(text)
	err = errors.Join(err, file.Close())
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}

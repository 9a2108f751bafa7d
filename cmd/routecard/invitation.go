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

// invitation makes a code for the first administrator. It returns "" if there is an administrator, or without authentication.
func invitation(ctx context.Context, door *access.Service) (code string, err error) {
	if door == nil {
		return "", nil
	}
	return door.SetupCode(ctx)
}

// invitationFile returns the file for the link of the first sign-in, which is written if there is no terminal: next to the database file
// or, with PostgreSQL, next to the pepper.
func (c *serveCommand) invitationFile() string {
	beside := c.Database
	if sqlstore.IsPostgres(c.Database) {
		beside = c.Access.PepperFile
	}
	return strings.TrimSuffix(beside, filepath.Ext(beside)) + ".first-sign-in"
}

// invite gives the first administrator the link to sign in. If standard output is a terminal, it prints the link. Otherwise others could
// read standard output later, as in the journal of systemd, so it writes the link to a file that only its owner can read. Once there is an
// administrator, it removes the file.
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

// writeSecret creates a file that only its owner can read, and replaces an existing file of that name.
func writeSecret(name, text string) (err error) {
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*") // with mode 0600
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

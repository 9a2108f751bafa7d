package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime"

	"github.com/routecard/routecard/internal/access"
)

// Whose permissions make a secret an open one. The group may read what root gave to the service.
const (
	groupAndOthers fs.FileMode = 0o077
	onlyOthers     fs.FileMode = 0o007
)

// warnIfOpen warns of a file with a secret that others than its owner can read. On Windows the mode of a file does not show that.
func warnIfOpen(about fs.FileInfo, name, of string, who fs.FileMode, logger *slog.Logger) {
	if runtime.GOOS != "windows" && about.Mode().Perm()&who != 0 {
		logger.Warn("others can read a secret: chmod 600 its file", "of", of, "file", name,
			"permissions", about.Mode().Perm().String())
	}
}

// warnOfOpenSecrets warns of files that the settings name and everybody on the machine can read, though they have secrets.
func (c *serveCommand) warnOfOpenSecrets(logger *slog.Logger) {
	secrets := [][2]string{
		{"the key of the certificate", c.TLSKeyFile},
		{"the access key of the files", c.FilesAccessKeyFile},
		{"the secret key of the files", c.FilesSecretKeyFile},
	}
	if c.Ledger != "off" {
		for _, file := range keyFiles(c.Database, c.LedgerKeyFile) {
			secrets = append(secrets, [2]string{"the ledger", file})
		}
	}
	if access.Mode(c.Access.Auth) != access.Off {
		if file, err := c.Access.pepperFile(c.Database); err == nil {
			secrets = append(secrets, [2]string{"the pepper", file})
		}
	}
	if text, err := os.ReadFile(c.Config); err == nil {
		for _, address := range []string{c.Database, c.Tracker.URL, c.PublicURL} {
			if withoutPassword(address) != address && bytes.Contains(text, []byte(address)) {
				secrets = append(secrets, [2]string{"an address with a password", c.Config})
			}
		}
	}
	for _, secret := range secrets {
		if about, err := os.Stat(secret[1]); err == nil {
			warnIfOpen(about, secret[1], secret[0], onlyOthers, logger)
		}
	}
}

// heard keeps what a logger warns of, as sentences.
type heard struct{ said *[]string }

// Enabled is that of a slog.Handler.
func (heard) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

// Handle is that of a slog.Handler.
func (h heard) Handle(_ context.Context, record slog.Record) error { //nolint:gocritic // the interface passes it so
	text := record.Message
	record.Attrs(func(a slog.Attr) bool {
		text += fmt.Sprintf(", %s", a)
		return true
	})
	*h.said = append(*h.said, text)
	return nil
}

// WithAttrs is that of a slog.Handler.
func (h heard) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup is that of a slog.Handler.
func (h heard) WithGroup(string) slog.Handler { return h }

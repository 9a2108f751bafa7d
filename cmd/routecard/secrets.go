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

// File permissions of others that make a secret an open one. The group may read a file, because root may give a file to the service's
// group.
const (
	groupAndOthers fs.FileMode = 0o077
	onlyOthers     fs.FileMode = 0o007
)

// warnIfOpen warns of a file with a secret if its mode lets others read it. On Windows the mode of a file does not show that.
func warnIfOpen(about fs.FileInfo, name, of string, who fs.FileMode, logger *slog.Logger) {
	if runtime.GOOS != "windows" && about.Mode().Perm()&who != 0 {
		logger.Warn("others can read a secret: chmod 600 its file", "of", of, "file", name,
			"permissions", about.Mode().Perm().String())
	}
}

// warnOfOpenSecrets warns of files in the settings that contain secrets although every user of the machine can read them.
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
		addresses := append([]string{c.Database, c.Tracker.URL, c.PublicURL, c.Access.OpenID.Issuer, c.FilesEndpoint}, c.ReadDatabase...)
		for _, address := range addresses {
			if withoutSecrets(address) != address && bytes.Contains(text, []byte(address)) {
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

// heard is a log handler that collects warnings as sentences.
type heard struct{ said *[]string }

// Enabled implements slog.Handler.
func (heard) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

// Handle implements slog.Handler.
func (h heard) Handle(_ context.Context, record slog.Record) error { //nolint:gocritic // the interface requires this type
	text := record.Message
	record.Attrs(func(a slog.Attr) bool {
		text += fmt.Sprintf(", %s", a)
		return true
	})
	*h.said = append(*h.said, text)
	return nil
}

// WithAttrs implements slog.Handler.
func (h heard) WithAttrs([]slog.Attr) slog.Handler { return h }

// WithGroup implements slog.Handler.
func (h heard) WithGroup(string) slog.Handler { return h }

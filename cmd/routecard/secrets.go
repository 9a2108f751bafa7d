package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"runtime"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/tracker"
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

const secretLimit = 16 << 10

// readToken reads a token from its file, without the white space around it. of names what the token is for.
func readToken(name, of string, logger *slog.Logger) (tracker.Secret, error) {
	content, err := readSecret(name, of, logger)
	if err != nil {
		return "", err
	}
	token := bytes.TrimSpace(content)
	switch {
	case len(token) == 0:
		return "", fmt.Errorf("%s is empty", name)
	case len(content) > secretLimit, bytes.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }):
		return "", fmt.Errorf("%s holds something else than one token", name)
	}
	return tracker.Secret(token), nil
}

// readPassword reads a password from its file: everything but the end of the line. A password may have blanks.
func readPassword(name, of string, logger *slog.Logger) (tracker.Secret, error) {
	content, err := readSecret(name, of, logger)
	if err != nil {
		return "", err
	}
	password := strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r")
	switch {
	case password == "":
		return "", fmt.Errorf("%s is empty", name)
	case len(content) > secretLimit, !utf8.ValidString(password), strings.ContainsFunc(password, unicode.IsControl):
		return "", fmt.Errorf("%s must have one line with the password, and nothing else", name)
	}
	return tracker.Secret(password), nil
}

// readSecret reads a file up to one byte over the limit. It warns of a file that others can read.
func readSecret(name, of string, logger *slog.Logger) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	about, err := file.Stat()
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	warnIfOpen(about, name, of, groupAndOthers, logger)
	content, err := io.ReadAll(io.LimitReader(file, secretLimit+1))
	return content, errors.Join(err, file.Close())
}

package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
)

// tlsSettings are the flags for https without a proxy.
type tlsSettings struct {
	TLSCertFile string `name:"tls-cert-file" help:"File with the TLS certificate and its chain. It is read again when it changes." placeholder:"FILE"`
	TLSKeyFile  string `name:"tls-key-file" help:"File with the key of the certificate." placeholder:"FILE"`
}

// config returns the TLS configuration, or nil without https.
func (s tlsSettings) config(logger *slog.Logger) (*tls.Config, error) {
	switch {
	case s.TLSCertFile == "" && s.TLSKeyFile == "":
		return nil, nil //nolint:nilnil // a service without https is allowed
	case s.TLSCertFile == "":
		return nil, errors.New("--tls-cert-file is missing")
	case s.TLSKeyFile == "":
		return nil, errors.New("--tls-key-file is missing")
	}
	files := &certificateFiles{settings: s, logger: logger}
	if _, err := files.current(nil); err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: files.current}, nil
}

// certificateFiles is a certificate that is renewed while the service runs.
type certificateFiles struct {
	settings tlsSettings
	logger   *slog.Logger

	mu     sync.Mutex
	loaded *tls.Certificate
	state  string // of both files when they were read
}

// current returns the certificate in the files. While the files cannot be read, or do not match each other, it returns the previous
// certificate, because a renewal writes one file after the other.
func (f *certificateFiles) current(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	state, err := f.stat()
	if err == nil && f.loaded != nil && state == f.state {
		return f.loaded, nil
	}
	var read tls.Certificate
	if err == nil {
		read, err = tls.LoadX509KeyPair(f.settings.TLSCertFile, f.settings.TLSKeyFile)
	}
	if err != nil {
		err = fmt.Errorf("--tls-cert-file: %w", err)
		if f.loaded == nil {
			return nil, err
		}
		if state != f.state { // logged once for each state
			f.logger.LogAttrs(context.Background(), slog.LevelError, "the certificate cannot be renewed", slog.Any("error", err))
			f.state = state
		}
		return f.loaded, nil
	}
	f.loaded, f.state = &read, state
	return f.loaded, nil
}

func (f *certificateFiles) stat() (state string, err error) {
	for _, name := range []string{f.settings.TLSCertFile, f.settings.TLSKeyFile} {
		about, err := os.Stat(name)
		if err != nil {
			return "", err
		}
		state += fmt.Sprintf("%d %d ", about.ModTime().UnixNano(), about.Size())
	}
	return state, nil
}

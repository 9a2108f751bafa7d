package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"

	"github.com/routecard/routecard/internal/access"
)

// securityLog is the log of sign-ins and refusals. The zero securityLog is for a service without authentication.
type securityLog struct {
	*slog.Logger

	file *os.File // nil for standard error
	main *slog.Logger
	lost atomic.Bool // whether the last line could not be written
}

// securityLog opens the log of sign-ins and refusals for appending. The caller must close it at the end.
func (s accessSettings) securityLog(stderr io.Writer, logger *slog.Logger) (*securityLog, error) {
	log := &securityLog{main: logger}
	switch {
	case access.Mode(s.Auth) == access.Off:
	case s.SecurityLog == "":
		log.Logger = slog.New(slog.NewJSONHandler(stderr, nil)).With("log", "security")
	default:
		var err error
		if log.file, err = os.OpenFile(s.SecurityLog, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err != nil {
			return nil, fmt.Errorf("--security-log: %w", err)
		}
		log.Logger = slog.New(slog.NewJSONHandler(log, nil))
	}
	return log, nil
}

// Write writes a line to the file. A line that cannot be written is lost, and the service continues. The other log reports the failure
// once, until writing works again. Package slog writes one line at a time.
func (l *securityLog) Write(line []byte) (int, error) {
	n, err := l.file.Write(line)
	switch lost := err != nil; {
	case lost && !l.lost.Swap(true):
		l.main.Error("the security log cannot be written: who signs in is told nowhere", "error", err)
	case !lost && l.lost.Swap(false):
		l.main.Info("the security log is written again")
	}
	return n, err
}

// trouble reports the trouble of the log for the health of the service.
func (l *securityLog) trouble() string {
	if l.lost.Load() {
		return "security log: it cannot be written"
	}
	return ""
}

func (l *securityLog) close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}

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
	"sync"
)

// errorLog stores the last warnings and errors of the service in a file, one line of JSON each, for routecard doctor. The file stays below
// errorLogSize: when it is full, its older half is deleted. It is safe for concurrent use.
type errorLog struct {
	mu   sync.Mutex
	file *os.File
	size int64
}

const errorLogSize = 256 << 10

// openErrorLog opens the file for appending.
func openErrorLog(name string) (*errorLog, error) {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("--error-log: %w", err)
	}
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("--error-log: %w", err), file.Close())
	}
	return &errorLog{file: file, size: end}, nil
}

// Write adds a line. Package slog writes one line at a time. A line that cannot be written here is still in the other log.
func (l *errorLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(line) > errorLogSize/2 { // for example with a very long stack trace
		return len(line), nil
	}
	if l.size+int64(len(line)) > errorLogSize {
		if err := l.halve(); err != nil {
			return 0, err
		}
	}
	n, err := l.file.WriteAt(line, l.size)
	l.size += int64(n)
	return n, err
}

// halve deletes the older half of the file, and the line that the cut would leave incomplete.
func (l *errorLog) halve() error {
	newer := make([]byte, l.size-l.size/2)
	n, err := l.file.ReadAt(newer, l.size/2)
	if n < len(newer) {
		return err
	}
	_, newer, _ = bytes.Cut(newer, []byte("\n"))
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	n, err = l.file.WriteAt(newer, 0)
	l.size = int64(n)
	return err
}

// end writes the error with which the service ended, if any, and closes the file.
func (l *errorLog) end(why error) error {
	if l == nil {
		return nil
	}
	if why != nil {
		slog.New(l.handler()).LogAttrs(context.Background(), slog.LevelError, "the service ended", slog.Any("error", why))
	}
	return l.file.Close()
}

func (l *errorLog) handler() slog.Handler {
	return slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelWarn, ReplaceAttr: withoutSecretsInLog})
}

// keepErrors returns a logger that also writes its warnings and errors to a file. The caller must close the file at the end. Without a name
// it writes no file.
func keepErrors(logger *slog.Logger, name string) (*slog.Logger, *errorLog, error) {
	if name == "" {
		return logger, nil, nil
	}
	kept, err := openErrorLog(name)
	if err != nil {
		return nil, nil, err
	}
	return slog.New(slog.NewMultiHandler(logger.Handler(), kept.handler())), kept, nil
}

// lastErrors returns the last lines of an error log, the oldest first.
func lastErrors(name string, most int) ([]string, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	var last []string
	for _, line := range lines[max(0, len(lines)-most):] {
		if len(line) > 0 {
			last = append(last, string(line))
		}
	}
	return last, nil
}

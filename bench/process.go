package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/bench/internal/load"
	"github.com/routecard/routecard/internal/process"
)

// measured is a server in a process of its own: the service, or the floor with which it is compared.
type measured struct {
	server *process.Server
	base   string        // http://address
	ready  time.Duration // from the start of the process to the first response that reports readiness
}

// The time limits for a server to become ready, and for its ledger to read the trail.
const (
	startTimeout  = time.Minute
	ledgerTimeout = 20 * time.Minute
)

// startService starts the service on a database with default settings. Its log goes to a file, as in a shop.
func startService(ctx context.Context, binary, database string, flags ...string) (*measured, error) {
	logFile := database + ".log"
	log, err := os.Create(logFile)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // the service has the file open
	command := process.Command(ctx, binary, append([]string{"--database", database}, flags...)...)
	command.Stderr = log
	m, err := start(command)
	if err != nil {
		text, _ := os.ReadFile(logFile)
		return nil, fmt.Errorf("start the service: %w\n%s", err, text[max(len(text)-2000, 0):])
	}
	return m, nil
}

// start starts a server and waits until it is ready.
func start(command *exec.Cmd) (*measured, error) {
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 20 * time.Second
	started := time.Now()
	server, err := process.Start(command)
	if err != nil {
		return nil, err
	}
	m := &measured{server: server, base: server.URL}
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for time.Since(started) < startTimeout {
		if status, err := ask(m.base, "/readyz"); err == nil && status == http.StatusOK {
			m.ready = time.Since(started)
			return m, nil
		}
		<-ticker.C
	}
	return nil, errors.Join(errors.New("the server did not get ready"), m.stop())
}

// awaitLedger waits until the ledger has compared the trail with the last signature. It returns an error with the reason if the ledger
// signs nothing.
func (m *measured) awaitLedger() error {
	client, err := load.Dial(m.base)
	if err != nil {
		return err
	}
	defer client.Close()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for started := time.Now(); time.Since(started) < ledgerTimeout; <-ticker.C {
		var text bytes.Buffer
		answer, err := client.Do(load.Request{Method: http.MethodGet, Path: "/api/ledger"}, &text)
		if err != nil {
			return err
		}
		var ledger struct {
			Behind  int64  `json:"behind"`
			Problem string `json:"problem"`
		}
		if err := json.Unmarshal(text.Bytes(), &ledger); err != nil || answer.Status != http.StatusOK {
			return fmt.Errorf("the ledger: status %d: %w", answer.Status, err)
		}
		if ledger.Problem != "" {
			return errors.New("the ledger signs nothing: " + ledger.Problem)
		}
		if ledger.Behind == 0 {
			return nil
		}
	}
	return errors.New("the ledger did not come to the end of the trail")
}

func ask(base, path string) (status int, err error) {
	client, err := load.Dial(base)
	if err != nil {
		return 0, err
	}
	defer client.Close()
	answer, err := client.Do(load.Request{Method: http.MethodGet, Path: path}, nil)
	return answer.Status, err
}

// stop asks the server to stop and waits for its end.
func (m *measured) stop() error { return m.server.Stop() }

// usage is the resource usage of a server on Linux. On other systems known is false and the other fields are 0.
type usage struct {
	known    bool
	cpu      time.Duration
	resident int64 // bytes in memory at present
	peak     int64 // the peak since forgetPeak was last called
}

func (m *measured) proc(name string) string {
	return "/proc/" + strconv.Itoa(m.server.PID()) + "/" + name
}

func (m *measured) usage() (u usage) {
	status, err := os.ReadFile(m.proc("status"))
	if err != nil {
		return u
	}
	u.cpu, err = process.ProcessorTime(m.server.PID())
	u.known = err == nil
	u.resident, u.peak = sizeInStatus(status, "VmRSS"), sizeInStatus(status, "VmHWM")
	return u
}

// forgetPeak resets the peak to the current memory, and reports whether that succeeded.
func (m *measured) forgetPeak() bool {
	const forgetPeakResident = "5"
	return os.WriteFile(m.proc("clear_refs"), []byte(forgetPeakResident), 0o200) == nil
}

// sizeInStatus reads a size from /proc/<pid>/status, in bytes; 0 if it is missing.
func sizeInStatus(status []byte, name string) int64 {
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			if fields := strings.Fields(rest); len(fields) == 2 && fields[1] == "kB" {
				size, _ := strconv.ParseInt(fields[0], 10, 64)
				return size << 10
			}
		}
	}
	return 0
}

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/bench/internal/load"
)

// process is a server in a process of its own: the service, or the floor it is held against.
type process struct {
	command *exec.Cmd
	base    string        // http://address
	ready   time.Duration // from the start of the process to the first answer that says it is ready
}

// build compiles the service as a user gets it.
func build(ctx context.Context, folder string) (binary string, err error) {
	binary = filepath.Join(folder, "routecard")
	command := exec.CommandContext(ctx, "go", "build", "-o", binary, "github.com/routecard/routecard/cmd/routecard")
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the service: %w\n%s", err, output)
	}
	return binary, nil
}

// startTimeout is how long a server may take to be ready.
const startTimeout = time.Minute

// startService starts the service on a database, with its settings as they come; its log goes to a file, as it would
// in a shop.
func startService(ctx context.Context, binary, database string) (*process, error) {
	logFile := database + ".log"
	log, err := os.Create(logFile)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // the service has it
	command := exec.CommandContext(ctx, binary, "serve", "--listen", "127.0.0.1:0", "--database", database)
	command.Stderr = log
	p, err := start(command, "listens on ")
	if err != nil {
		text, _ := os.ReadFile(logFile)
		return nil, fmt.Errorf("start the service: %w\n%s", err, text[max(len(text)-2000, 0):])
	}
	return p, nil
}

// start starts a server that says on its standard output where it listens, and waits until it is ready.
func start(command *exec.Cmd, announcement string) (*process, error) {
	output, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 20 * time.Second
	p := &process{command: command}
	started := time.Now()
	if err := command.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(output)
	for p.base == "" && lines.Scan() {
		if _, base, ok := strings.Cut(lines.Text(), announcement); ok {
			p.base = strings.TrimSpace(base)
		}
	}
	if p.base == "" {
		return nil, errors.Join(errors.New("the server did not say where it listens"), command.Wait())
	}
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for time.Since(started) < startTimeout {
		if status, err := ask(p.base, "/readyz"); err == nil && status == http.StatusOK {
			p.ready = time.Since(started)
			return p, nil
		}
		<-ticker.C
	}
	return nil, errors.Join(errors.New("the server did not get ready"), p.stop())
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

// stop asks the server to stop and waits until it has.
func (p *process) stop() error {
	if err := p.command.Process.Signal(os.Interrupt); err != nil {
		_ = p.command.Process.Kill() // where processes cannot be asked
	}
	return p.command.Wait()
}

// usage is what a server has used, as Linux tells it; elsewhere known is false and the rest is 0.
type usage struct {
	known    bool
	cpu      time.Duration
	resident int64 // bytes in memory now
	peak     int64 // the most since the peak was last forgotten
}

func (p *process) proc(name string) string {
	return "/proc/" + strconv.Itoa(p.command.Process.Pid) + "/" + name
}

func (p *process) usage() (u usage) {
	stat, err := os.ReadFile(p.proc("stat"))
	if err != nil {
		return u
	}
	status, err := os.ReadFile(p.proc("status"))
	if err != nil {
		return u
	}
	u.cpu, u.known = cpuTime(stat)
	u.resident, u.peak = sizeInStatus(status, "VmRSS"), sizeInStatus(status, "VmHWM")
	return u
}

// forgetPeak makes the memory of this moment the peak, and reports whether it could.
func (p *process) forgetPeak() bool {
	const forgetPeakResident = "5"
	return os.WriteFile(p.proc("clear_refs"), []byte(forgetPeakResident), 0o200) == nil
}

// ticksPerSecond is Linux's unit of processor time in /proc, the same on every architecture that Go runs on.
const ticksPerSecond = 100

// cpuTime reads user and system time out of /proc/<pid>/stat. The name of the command, in parentheses, may hold
// anything, so fields are counted from its end.
func cpuTime(stat []byte) (time.Duration, bool) {
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	const user, system = 11, 12 // of those behind the name
	if len(fields) <= system {
		return 0, false
	}
	u, err := strconv.ParseInt(fields[user], 10, 64)
	s, err2 := strconv.ParseInt(fields[system], 10, 64)
	return time.Duration(u+s) * time.Second / ticksPerSecond, err == nil && err2 == nil
}

// sizeInStatus reads a size out of /proc/<pid>/status, in bytes; 0 when it is not there.
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

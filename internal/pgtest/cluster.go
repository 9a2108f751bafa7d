package pgtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/routecard/routecard/internal/process"
)

// Cluster is the PostgreSQL server of one test, which the test may stop, kill and start again. It listens on a socket in its folder, so it
// needs no free port.
type Cluster struct {
	folder string
	owner  owner
	server *exec.Cmd
	stop   io.Closer // closing it stops the server
	end    string    // what to do with the folder at the end: keep or remove
}

// New starts a server that lives as long as the test. Settings are lines of postgresql.conf.
func New(t testing.TB, settings ...string) *Cluster {
	t.Helper()
	folder := temporary(t)
	c, err := create(t.Context(), folder, owner{})
	demand(t, err)
	c.begin(t, settings)
	return c
}

// Standby starts a server that follows this one and can replace it. Settings are lines of postgresql.conf.
func (c *Cluster) Standby(t testing.TB, settings ...string) *Cluster {
	t.Helper()
	standby := c.BaseBackup(t, "--write-recovery-conf")
	standby.begin(t, settings)
	return standby
}

// BaseBackup makes a base backup of the running server, which Recover can start. flags are further flags of pg_basebackup.
func (c *Cluster) BaseBackup(t testing.TB, flags ...string) *Cluster {
	t.Helper()
	made := &Cluster{folder: temporary(t), owner: c.owner, end: "keep"}
	if err := c.owner.take(made.folder); err != nil {
		t.Fatal(err)
	}
	flags = append([]string{"--pgdata", made.data(), "--checkpoint=fast", "--host", c.folder, "--username", "postgres"}, flags...)
	if output, err := c.owner.run(t.Context(), "pg_basebackup", flags...); err != nil {
		t.Fatalf("pg_basebackup: %v\n%s", err, output)
	}
	return made
}

// Recover starts a server from a base backup. The settings are lines of postgresql.conf for the recovery.
func (c *Cluster) Recover(t testing.TB, settings ...string) {
	t.Helper()
	signal := filepath.Join(c.data(), "recovery.signal")
	if err := errors.Join(os.WriteFile(signal, nil, 0o600), c.owner.take(signal)); err != nil {
		t.Fatal(err)
	}
	c.begin(t, settings)
}

func temporary(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "routecard-postgres-") //nolint:usetesting // short: the path of a socket has 107 characters at most
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

func (c *Cluster) begin(t testing.TB, settings []string) {
	t.Helper()
	c.Configure(t, settings...)
	c.Start(t)
	t.Cleanup(func() { c.Stop(t, "immediate") })
	t.Cleanup(func() {
		if t.Failed() {
			log, _ := os.ReadFile(c.log())
			t.Logf("log of the server in %s:\n%s", c.folder, log[max(0, len(log)-4000):])
		}
	})
}

// patience is the connection timeout. It is long for busy machines: a server that has stopped refuses connections immediately.
const patience = "connect_timeout=60"

// Address returns the connection URL of a database on this server.
func (c *Cluster) Address(database string) string {
	return "postgres://postgres@/" + database + "?" + patience + "&host=" + url.QueryEscape(c.folder)
}

// Addresses returns a connection URL with several servers. The client connects to the server that accepts writes.
func Addresses(database string, clusters ...*Cluster) string {
	hosts := make([]string, len(clusters))
	for i, c := range clusters {
		hosts[i] = c.folder
	}
	return "postgres://postgres@/" + database + "?" + patience + "&target_session_attrs=read-write&host=" + url.QueryEscape(strings.Join(hosts, ","))
}

// Folder returns the folder of the server's socket.
func (c *Cluster) Folder() string { return c.folder }

// Configure adds lines to postgresql.conf, for the next start or reload.
func (c *Cluster) Configure(t testing.TB, settings ...string) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(c.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(strings.Join(settings, "\n") + "\n"); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}

// Reload makes the running server read postgresql.conf again.
func (c *Cluster) Reload(t testing.TB) {
	t.Helper()
	c.control(t, "reload")
}

// Start starts the server and waits until it responds.
func (c *Cluster) Start(t testing.TB) {
	t.Helper()
	if err := c.serve(context.WithoutCancel(t.Context())); err != nil {
		log, _ := os.ReadFile(c.log())
		t.Fatalf("start PostgreSQL: %v\n%s", err, log)
	}
}

// Stop stops the server if it runs: in mode fast it closes connections properly, in mode immediate it does not.
func (c *Cluster) Stop(t testing.TB, mode string) {
	t.Helper()
	if c.server == nil {
		return
	}
	c.control(t, "stop", "--mode", mode)
	c.gone()
}

// Kill kills all processes of the server immediately.
func (c *Cluster) Kill(t testing.TB) {
	t.Helper()
	postmaster, err := c.postmaster()
	if err != nil {
		t.Fatal(err)
	}
	// The children of the server end by themselves when it is gone. It is stopped first, so that they are killed before they can finish
	// anything.
	if err := syscall.Kill(postmaster, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	for _, child := range children(postmaster) {
		_ = syscall.Kill(child, syscall.SIGKILL)
	}
	if err := syscall.Kill(postmaster, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	c.gone()
}

// Hang stops all processes of the server, as a machine that hangs, and returns the function that lets them go on.
func (c *Cluster) Hang(t testing.TB) (goOn func()) {
	t.Helper()
	postmaster, err := c.postmaster()
	if err != nil {
		t.Fatal(err)
	}
	stopped := append(children(postmaster), postmaster)
	for _, pid := range stopped {
		_ = syscall.Kill(pid, syscall.SIGSTOP)
	}
	goOn = sync.OnceFunc(func() {
		for _, pid := range stopped {
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	})
	t.Cleanup(goOn)
	return goOn
}

func children(parent int) []int {
	listed, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", parent, parent))
	var found []int
	for field := range strings.FieldsSeq(string(listed)) {
		if pid, err := strconv.Atoi(field); err == nil {
			found = append(found, pid)
		}
	}
	return found
}

// ProcessorTime returns the processor time of all processes of the running server.
func (c *Cluster) ProcessorTime(t testing.TB) (used time.Duration) {
	t.Helper()
	postmaster, err := c.postmaster()
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range append(children(postmaster), postmaster) {
		if spent, err := process.ProcessorTime(pid); err == nil { // a process may just have ended
			used += spent
		}
	}
	return used
}

func (c *Cluster) postmaster() (int, error) {
	text, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strconv.Atoi(line)
}

func (c *Cluster) gone() {
	_ = c.stop.Close()
	_ = c.server.Wait()
	c.server = nil
}

// Promote makes a standby accept writes, and returns when it does.
func (c *Cluster) Promote(t testing.TB) {
	t.Helper()
	c.control(t, "promote", "--wait")
}

func (c *Cluster) control(t testing.TB, action string, args ...string) {
	t.Helper()
	args = append([]string{action, "--pgdata", c.data()}, args...)
	if output, err := c.owner.run(context.WithoutCancel(t.Context()), "pg_ctl", args...); err != nil {
		t.Fatalf("pg_ctl %s: %v\n%s", action, err, output)
	}
}

// Log returns what the server has logged.
func (c *Cluster) Log(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(c.log())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (c *Cluster) data() string { return filepath.Join(c.folder, "data") }
func (c *Cluster) log() string  { return filepath.Join(c.folder, "log") }

func create(ctx context.Context, folder string, as owner) (*Cluster, error) {
	if err := as.find(); err != nil {
		return nil, err
	}
	if err := as.take(folder); err != nil {
		return nil, err
	}
	c := &Cluster{folder: folder, owner: as, end: "keep"}
	output, err := as.run(ctx, "initdb", "--pgdata", c.data(), "--username", "postgres", "--auth", "trust", "--encoding", "UTF8",
		"--locale", "C", "--no-sync")
	if err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, output)
	}
	return c, nil
}

// watch runs a server until its standard input ends, which happens when this process ends in any way. Then it stops the server and, if
// requested, removes its folder.
const watch = `program=$0 folder=$1 end=$2
shift 2
"$program" -D "$folder/data" -k "$folder" -c listen_addresses= -c max_connections=200 "$@" </dev/null >>"$folder/log" 2>&1 &
read -r _
kill -INT $! 2>/dev/null
wait
[ "$end" = keep ] || rm -rf "$folder"`

func (c *Cluster) serve(ctx context.Context, settings ...string) error {
	reading, writing, err := os.Pipe()
	if err != nil {
		return err
	}
	args := append([]string{"-c", watch, filepath.Join(c.owner.binaries, "postgres"), c.folder, c.end}, settings...)
	c.server = c.owner.command(ctx, "/bin/sh", args...)
	c.server.Stdin = reading
	c.stop = writing
	if err := c.server.Start(); err != nil {
		return errors.Join(err, reading.Close(), writing.Close())
	}
	if err := reading.Close(); err != nil {
		return err
	}
	deadline := time.Now().Add(time.Minute)
	for {
		conn, err := pgx.Connect(ctx, c.Address("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		if time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// owner is the user who runs PostgreSQL, which refuses to run as root, and the folder of its binaries.
type owner struct {
	binaries   string
	credential *syscall.Credential // nil for the user who runs the tests
}

var errNoBinaries = errors.New("ROUTECARD_TEST_POSTGRES is not set and there is no initdb on this machine")

func (o *owner) find() error {
	if initdb, err := exec.LookPath("initdb"); err == nil {
		if initdb, err = filepath.EvalSymlinks(initdb); err != nil {
			return err
		}
		o.binaries = filepath.Dir(initdb)
	} else {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // Debian's folder of the binaries
		if len(found) == 0 {
			return errNoBinaries
		}
		o.binaries = filepath.Dir(slices.Max(found))
	}
	if os.Geteuid() != 0 {
		return nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(account.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(account.Gid, 10, 32)
		if err := errors.Join(uidErr, gidErr); err != nil {
			return err
		}
		o.credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		return nil
	}
	return errors.New("root cannot run PostgreSQL, and there is neither a user postgres nor nobody")
}

func (o *owner) take(folder string) error {
	if o.credential == nil {
		return nil
	}
	return os.Chown(folder, int(o.credential.Uid), int(o.credential.Gid))
}

func (o *owner) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = "/"
	command.Env = append(os.Environ(), "LC_ALL=C")
	// A process group of its own: an interrupt at the terminal goes only to the tests, which then stop the server.
	command.SysProcAttr = &syscall.SysProcAttr{Credential: o.credential, Setpgid: true}
	return command
}

func (o *owner) run(ctx context.Context, name string, args ...string) ([]byte, error) {
	return o.command(ctx, filepath.Join(o.binaries, name), args...).CombinedOutput()
}

// Run runs one of PostgreSQL's programs against this server's databases, and returns its output.
func (c *Cluster) Run(t testing.TB, program string, args ...string) string {
	t.Helper()
	args = append([]string{"--host", c.folder, "--username", "postgres"}, args...)
	output, err := c.owner.run(t.Context(), program, args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, output)
	}
	return string(output)
}

package pgtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/routecard/routecard/internal/process"
)

// Patroni is three PostgreSQL servers under Patroni, which elects the primary with the help of three etcd servers. All are processes on
// this machine. Clients reach each server through a proxy that can cut its connections.
type Patroni struct {
	Nodes  []*Node
	owner  owner
	client *http.Client
}

// Node is a PostgreSQL server with its Patroni.
type Node struct {
	Name   string
	Folder string // of the server's data; on a small file system of its own

	owner   owner
	api     string // the address of Patroni's interface
	proxy   *cuttingProxy
	command []string
	logged  int // length of the log when the node was last started
	stop    func()
}

// NewPatroni starts the servers, which live as long as the test, and returns when there are a primary and a synchronous standby.
// configuration is Patroni's section bootstrap, as YAML. disk is the size of the file system of each server, such as 700m. Patroni and etcd
// are Debian's.
func NewPatroni(t *testing.T, configuration, disk string) *Patroni {
	t.Helper()
	patroni := process.Find(t, "patroni", "patroni")
	etcd := process.Find(t, "etcd-server", "etcd")
	p := &Patroni{client: &http.Client{Timeout: 2 * time.Second}}
	demand(t, p.owner.find())
	electors := p.startEtcd(t, etcd)
	for i := range 3 {
		n := &Node{Name: fmt.Sprintf("db%d", i+1), Folder: process.SmallDisk(t, disk), owner: p.owner, api: freeAddress(t)}
		server := freeAddress(t)
		n.proxy = newCuttingProxy(t, server)
		settings := filepath.Join(temporary(t), "patroni.yml")
		if err := os.WriteFile(settings, n.settings(t, configuration, electors, server), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{n.Folder, filepath.Dir(settings), settings} {
			if err := p.owner.take(path); err != nil {
				t.Fatal(err)
			}
		}
		// PostgreSQL runs as another user, and demands that its folder is closed to other users.
		if err := errors.Join(os.Chmod(filepath.Dir(n.Folder), 0o711), os.Chmod(n.Folder, 0o700)); err != nil { //nolint:gosec // see above
			t.Fatal(err)
		}
		n.command = []string{patroni, settings}
		n.Start(t)
		t.Cleanup(func() {
			if t.Failed() {
				t.Logf("log of %s:\n%s", n.Name, n.lastLines())
			}
			n.Kill()
		})
		p.Nodes = append(p.Nodes, n)
	}
	p.Settle(t)
	return p
}

// settings returns the configuration file of a node.
func (n *Node) settings(t *testing.T, configuration, electors, server string) []byte {
	t.Helper()
	var read map[string]map[string]any
	if err := yaml.Unmarshal([]byte(configuration), &read); err != nil {
		t.Fatalf("%v in %s", err, configuration)
	}
	bootstrap := maps.Clone(read["bootstrap"])
	bootstrap["initdb"] = []any{map[string]any{"encoding": "UTF8"}, map[string]any{"locale": "C"}}
	all := map[string]any{
		"scope": "shop", "name": n.Name, "bootstrap": bootstrap,
		"restapi": map[string]any{"listen": n.api, "connect_address": n.api},
		"etcd3":   map[string]any{"hosts": electors},
		"postgresql": map[string]any{
			"listen": server, "connect_address": server, "data_dir": filepath.Join(n.Folder, "data"), "bin_dir": n.owner.binaries,
			"pgpass": filepath.Join(n.Folder, "pgpass"),
			"authentication": map[string]any{
				"superuser": map[string]any{"username": "postgres"}, "replication": map[string]any{"username": "replicator"},
			},
			"parameters": map[string]any{"unix_socket_directories": n.Folder, "min_wal_size": "64MB", "max_wal_size": "128MB"},
			"pg_hba":     []string{"local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"},
		},
	}
	text, err := yaml.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (p *Patroni) startEtcd(t *testing.T, etcd string) (addresses string) {
	t.Helper()
	var clients, peers, cluster []string
	for i := range 3 {
		clients, peers = append(clients, freeAddress(t)), append(peers, freeAddress(t))
		cluster = append(cluster, fmt.Sprintf("e%d=http://%s", i, peers[i]))
	}
	for i := range clients {
		stop := p.owner.watched(t, filepath.Join(temporary(t), "log"), "", etcd, "--name", fmt.Sprintf("e%d", i), "--data-dir", temporary(t),
			"--listen-client-urls", "http://"+clients[i], "--advertise-client-urls", "http://"+clients[i],
			"--listen-peer-urls", "http://"+peers[i], "--initial-advertise-peer-urls", "http://"+peers[i],
			"--initial-cluster", strings.Join(cluster, ","), "--unsafe-no-fsync")
		t.Cleanup(stop)
	}
	return strings.Join(clients, ",")
}

// watchGroup runs a program until its standard input ends, which happens when this process ends in any way. Then it kills the program with
// all its children, and the PostgreSQL server whose process is named in a file.
const watchGroup = `log=$0 pidfile=$1
shift
"$@" </dev/null >>"$log" 2>&1 &
read -r _
kill -KILL $! 2>/dev/null
[ -z "$pidfile" ] || kill -KILL $(head -n 1 "$pidfile") 2>/dev/null
kill -KILL 0`

// watched starts a program, and returns the function that kills it.
func (o *owner) watched(t *testing.T, log, pidfile string, program ...string) func() {
	t.Helper()
	reading, writing, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range program {
		if strings.HasPrefix(folder, os.TempDir()) {
			if err := o.take(folder); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := o.take(filepath.Dir(log)); err != nil {
		t.Fatal(err)
	}
	command := o.command(context.WithoutCancel(t.Context()), "/bin/sh", append([]string{"-c", watchGroup, log, pidfile}, program...)...)
	command.Stdin = reading
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	_ = reading.Close()
	ended := false
	return func() {
		if !ended {
			ended = true
			_ = writing.Close()
			_ = command.Wait()
		}
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// Address returns the connection URL of a database. The client connects to the server that accepts writes.
func (p *Patroni) Address(database string) string {
	hosts := make([]string, len(p.Nodes))
	for i, n := range p.Nodes {
		hosts[i] = n.Address()
	}
	return "postgres://postgres@" + strings.Join(hosts, ",") + "/" + database + "?sslmode=disable&connect_timeout=2&target_session_attrs=read-write"
}

// Standbys returns the connection URLs of a database on each server, for reading from it while it is a standby.
func (p *Patroni) Standbys(database string) (urls []string) {
	for _, n := range p.Nodes {
		urls = append(urls, "postgres://postgres@"+n.Address()+"/"+database+"?sslmode=disable&connect_timeout=2")
	}
	return urls
}

// Address returns the host and port at which clients reach the server of a node.
func (n *Node) Address() string { return n.proxy.address() }

// Primary returns the node that Patroni says is the primary; nil if there is none.
func (p *Patroni) Primary(t *testing.T) *Node {
	t.Helper()
	for _, n := range p.Nodes {
		if p.is(t, n, "primary") {
			return n
		}
	}
	return nil
}

func (p *Patroni) is(t *testing.T, n *Node, role string) bool {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+n.api+"/"+role, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := p.client.Do(request)
	if err != nil {
		return false // the node does not run
	}
	_ = answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// NewPrimary waits until there is a primary, and returns it.
func (p *Patroni) NewPrimary(t *testing.T) (primary *Node) {
	t.Helper()
	until(t, "a primary", func() bool { primary = p.Primary(t); return primary != nil })
	return primary
}

// Settle waits until there are a primary and two standbys, one of them synchronous. A primary whose Patroni cannot name a synchronous standby
// is restarted, as docs/postgres.md says.
func (p *Patroni) Settle(t *testing.T) {
	t.Helper()
	until(t, "a primary, a synchronous standby and another standby", func() bool {
		if n := p.Primary(t); n != nil && n.isStale() {
			t.Logf("Patroni of %s has an outdated copy of its synchronization key, and is restarted", n.Name)
			n.Kill()
			n.Start(t)
		}
		counts := map[string]int{}
		for _, n := range p.Nodes {
			for _, role := range []string{"primary", "synchronous", "replica"} {
				if p.is(t, n, role) {
					counts[role]++
				}
			}
		}
		return counts["primary"] == 1 && counts["synchronous"] == 1 && counts["replica"] == 2
	})
}

// until waits for a condition. The time limit only ends tests that hang.
func until(t *testing.T, what string, met func() bool) {
	t.Helper()
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(5 * time.Minute); !met(); {
		if time.Now().After(deadline) {
			t.Fatalf("in vain for %s", what)
		}
		<-ticker.C
	}
}

// SwitchOver makes Patroni promote a standby in place of the primary.
func (p *Patroni) SwitchOver(t *testing.T, primary *Node) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+primary.api+"/switchover",
		strings.NewReader(`{"leader":`+strconv.Quote(primary.Name)+`}`))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := (&http.Client{Timeout: time.Minute}).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= http.StatusBadRequest {
		t.Logf("Patroni did not switch over: %s", answer.Status)
	}
}

// Start starts the Patroni of a node, which starts PostgreSQL.
func (n *Node) Start(t *testing.T) {
	t.Helper()
	text, _ := os.ReadFile(n.log())
	n.logged = len(text)
	n.stop = n.owner.watched(t, n.log(), filepath.Join(n.Folder, "data", "postmaster.pid"), n.command...)
}

func (n *Node) log() string { return filepath.Join(filepath.Dir(n.command[1]), "log") }

// lastLines returns the end of the log of Patroni and PostgreSQL.
func (n *Node) lastLines() string {
	text, _ := os.ReadFile(n.log())
	return string(text[max(0, len(text)-6000):])
}

// isStale reports whether Patroni has failed for many seconds to write the key with the synchronous standby. Patroni before 3.1 does so for
// ever after a stall, until it is restarted: see https://github.com/patroni/patroni/pull/2783.
func (n *Node) isStale() bool {
	const failed, often = "Synchronous replication key updated by someone else", 12
	text, _ := os.ReadFile(n.log())
	return strings.Count(string(text[max(n.logged, len(text)-6000):]), failed) >= often
}

// Kill kills all processes of a node immediately, as the failure of its machine would.
func (n *Node) Kill() {
	for _, pid := range n.processes() {
		_ = syscall.Kill(pid, syscall.SIGSTOP) // none finishes anything
	}
	for _, pid := range n.processes() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	n.stop()
	n.proxy.Cut()
	for len(n.processes()) > 0 {
		runtime.Gosched() // a killed process ends in a moment
	}
}

// Pause stops all processes of a node, as a machine that hangs, and returns the function that lets them go on.
func (n *Node) Pause() (goOn func()) {
	stopped := n.processes()
	for _, pid := range stopped {
		_ = syscall.Kill(pid, syscall.SIGSTOP)
	}
	return func() {
		for _, pid := range stopped {
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}
}

// processes returns the processes whose command line or working directory is that of the node: Patroni, the PostgreSQL server and its
// children.
func (n *Node) processes() (found []int) {
	listed, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range listed {
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err != nil {
			continue
		}
		command, _ := os.ReadFile(filepath.Join(folder, "cmdline"))
		at, _ := os.Readlink(filepath.Join(folder, "cwd"))
		patroni := strings.Contains(string(command), n.command[1]) && !strings.HasPrefix(string(command), "/bin/sh")
		if patroni || at == filepath.Join(n.Folder, "data") {
			found = append(found, pid)
		}
	}
	return found
}

// Cut closes all connections of clients to a node.
func (n *Node) Cut() { n.proxy.Cut() }

// Fill fills the file system of a node, and returns the function that frees it.
func (n *Node) Fill(t *testing.T) (free func()) {
	t.Helper()
	filling := filepath.Join(n.Folder, "filling")
	fill := exec.CommandContext(t.Context(), "dd", "if=/dev/zero", "of="+filling, "bs=1M") //nolint:gosec // the folder of the node
	_ = fill.Run()                                                                         // ends with "No space left on device"
	return func() { _ = os.Remove(filling) }
}

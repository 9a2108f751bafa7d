package main

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/routecard/routecard/internal/process"
)

// TestMain lets scripts run this program under its own name, and lets a worker run many of its commands. sql replaces an external program
// for SQLite.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"routecard": main, "routecard-worker": runWorker, "sql": runSQL})
}

// runSQL runs a query on a database file and prints the first column: sql FILE QUERY.
func runSQL() {
	if err := querySQL(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "sql:", err)
		os.Exit(1)
	}
}

func querySQL(file, query string) error {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.QueryContext(context.Background(), query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			return err
		}
		fmt.Println(value)
	}
	return rows.Err()
}

// TestScripts runs the program as users do. In addition to the commands of testscript, scripts have:
//
//	start ARGS...           start routecard and wait until it has printed its address; then there are $URL and $ADDRESS,
//	                        and $PID
//	quit SIGNAL [SIGNAL]    send a signal, and when it was received the next, and wait for the end, which has to be exit
//	                        status 0; then there are the files served.out and served.err
//	http [-as NAME] [-H HEADER]... METHOD PATH [BODY]
//	                        send a request to it; the output is the status and the body. A request with a name has the
//	                        cookies from earlier responses to that name; redirects are not followed
//	download PATH FILE      write the body of a response with status 200 to a file
//	keep NAME FILE PATTERN  put the first match of a pattern's group in a file, or in stdout, into $NAME
//	wrong ARGS... : MESSAGE ask routecard to fill new.db and to serve it, with settings that it refuses: exit status 2,
//	                        the message, and no new file
//	status N ARGS...        run routecard, which has to end with this exit status
//	hang                    begin a request to it that is never finished
//	take                    take a port and put its address into $TAKEN
//	[root]                  whether the test runs as root
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Values[startedKey{}] = new(*process.Server)
			env.Values[visitorsKey{}] = map[string]*http.Client{}
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "root" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return os.Geteuid() == 0, nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"start": scriptStart, "quit": scriptQuit, "http": scriptHTTP, "hang": scriptHang, "take": scriptTake,
			"wrong": scriptWrong, "keep": scriptKeep, "status": scriptStatus, "download": scriptDownload,
		},
	})
}

// startedKey is the key of the process that a script started.
type startedKey struct{}

func started(ts *testscript.TestScript) **process.Server {
	return ts.Value(startedKey{}).(**process.Server)
}

func scriptStart(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("use ! exec routecard for a start that fails")
	}
	var env []string
	for _, name := range []string{
		"HOME", "PATH", "ROUTECARD_LISTEN", "ROUTECARD_DATABASE", "ROUTECARD_LOG_FORMAT", "ROUTECARD_LOG_LEVEL",
		"ROUTECARD_MAX_BODY", "ROUTECARD_DEMO", "ROUTECARD_UNDO_WINDOW", "TZ",
	} {
		if value := ts.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	if ts.Getenv("ROUTECARD_LISTEN") == "" && !slices.Contains(args, "--config") {
		env = append(env, "ROUTECARD_LISTEN=127.0.0.1:0") // several scripts run at once; --listen goes before it
	}
	command := exec.CommandContext(context.Background(), lookPath(ts, "routecard"), args...)
	command.Dir, command.Env = ts.MkAbs("."), env
	p, err := process.Start(command)
	ts.Check(err)
	ts.Defer(p.Kill)
	p.Stdout.Await("API reference:", p.Ended()) // the last line, after the line about the first sign-in
	*started(ts) = p
	ts.Setenv("URL", p.URL)
	ts.Setenv("ADDRESS", strings.TrimPrefix(p.URL, "http://"))
	ts.Setenv("PID", strconv.Itoa(p.PID()))
}

// lookPath finds a program on the script's PATH, where testscript puts this one.
func lookPath(ts *testscript.TestScript, name string) string {
	for _, folder := range filepath.SplitList(ts.Getenv("PATH")) {
		if path, err := exec.LookPath(filepath.Join(folder, name)); err == nil {
			return path
		}
	}
	ts.Fatalf("there is no %s", name)
	return ""
}

func scriptQuit(ts *testscript.TestScript, neg bool, args []string) {
	p := *started(ts)
	for i, name := range args {
		if i > 0 {
			p.Stderr.Await("stopping", p.Ended())
		}
		ts.Check(p.Signal(map[string]os.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM}[name]))
	}
	err := p.Wait()
	ts.Check(os.WriteFile(ts.MkAbs("served.out"), []byte(p.Stdout.String()), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("served.err"), []byte(p.Stderr.String()), 0o600))
	if (err != nil) != neg {
		ts.Fatalf("routecard ended with %v\n%s", err, p.Stderr.String())
	}
}

// visitorsKey is the key of the clients of a script, by name.
type visitorsKey struct{}

// visitor returns the client with a name. The client sends the cookies of earlier responses, but not if the name is empty.
func visitor(ts *testscript.TestScript, name string) *http.Client {
	visitors := ts.Value(visitorsKey{}).(map[string]*http.Client)
	if visitors[name] == nil {
		visitors[name] = &http.Client{
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
		if name != "" {
			jar, err := cookiejar.New(nil)
			ts.Check(err)
			visitors[name].Jar = jar
		}
	}
	return visitors[name]
}

func scriptDownload(ts *testscript.TestScript, _ bool, args []string) {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodGet, ts.Getenv("URL")+args[0], http.NoBody)
	ts.Check(err)
	answer, err := http.DefaultClient.Do(request)
	ts.Check(err)
	content, err := io.ReadAll(answer.Body)
	ts.Check(errors.Join(err, answer.Body.Close()))
	if answer.StatusCode != http.StatusOK {
		ts.Fatalf("%s: %s", answer.Status, content)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), content, 0o600))
}

func scriptHTTP(ts *testscript.TestScript, neg bool, args []string) {
	name, header := "", http.Header{}
	for ; len(args) > 2 && strings.HasPrefix(args[0], "-"); args = args[2:] {
		switch field, value, _ := strings.Cut(args[1], ": "); args[0] {
		case "-as":
			name = args[1]
		case "-H":
			header.Add(field, value)
		default:
			ts.Fatalf("http has no %s", args[0])
		}
	}
	request, err := http.NewRequestWithContext(context.Background(), args[0], ts.Getenv("URL")+args[1],
		strings.NewReader(strings.Join(args[2:], " ")))
	ts.Check(err)
	request.Header = header
	answer, err := visitor(ts, name).Do(request)
	if neg {
		if err == nil {
			ts.Fatalf("answered %s", answer.Status)
		}
		return
	}
	ts.Check(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	ts.Check(err)
	fmt.Fprintf(ts.Stdout(), "%d %s\n", answer.StatusCode, body)
}

func scriptKeep(ts *testscript.TestScript, _ bool, args []string) {
	pattern, err := regexp.Compile(`(?m)` + args[2])
	ts.Check(err)
	found := pattern.FindStringSubmatch(ts.ReadFile(args[1]))
	if found == nil {
		ts.Fatalf("%s has nothing like %s", args[1], args[2])
	}
	ts.Setenv(args[0], found[1])
}

func scriptWrong(ts *testscript.TestScript, _ bool, args []string) {
	end := slices.Index(args, ":")
	message := strings.Join(args[end+1:], " ")
	listed := func() (names []string) {
		entries, err := os.ReadDir(ts.MkAbs("."))
		ts.Check(err)
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		return names
	}
	before := listed()
	command := exec.CommandContext(context.Background(), lookPath(ts, "routecard"),
		append([]string{"--listen", "127.0.0.1:0", "--demo", "--database", "new.db"}, args[:end]...)...)
	command.Dir = ts.MkAbs(".")
	var said strings.Builder
	command.Stderr = &said
	_ = command.Run() // what it ends with is looked at
	if command.ProcessState.ExitCode() != 2 || said.String() != "routecard: "+message+"\n" {
		ts.Fatalf("exit status %d\n got %swant routecard: %s", command.ProcessState.ExitCode(), said.String(), message)
	}
	if after := listed(); !slices.Equal(after, before) {
		ts.Fatalf("it left behind %v", after)
	}
}

func scriptStatus(ts *testscript.TestScript, _ bool, args []string) {
	command := exec.CommandContext(context.Background(), lookPath(ts, "routecard"), args[1:]...)
	command.Dir = ts.MkAbs(".")
	said, _ := command.CombinedOutput() // what it ends with is looked at
	if ended := strconv.Itoa(command.ProcessState.ExitCode()); ended != args[0] {
		ts.Fatalf("exit status %s, not %s\n%s", ended, args[0], said)
	}
}

func scriptHang(ts *testscript.TestScript, _ bool, _ []string) {
	conn, err := beginRequest(ts.Getenv("ADDRESS"), 100)
	ts.Check(err)
	ts.Defer(func() { conn.Close() })
}

func scriptTake(ts *testscript.TestScript, _ bool, _ []string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { listener.Close() })
	ts.Setenv("TAKEN", listener.Addr().String())
}

// beginRequest sends the head of a request that creates a job, and returns when the service asks for the body. From then on the request is
// in flight.
func beginRequest(address string, length int) (net.Conn, error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(conn, "POST /api/jobs HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", address, length)
	const want = "HTTP/1.1 100 Continue\r\n\r\n"
	answer := make([]byte, len(want))
	if _, err := io.ReadFull(conn, answer); err != nil || string(answer) != want {
		return nil, errors.Join(fmt.Errorf("answered %q instead of asking for the body", answer), err, conn.Close())
	}
	return conn, nil
}

// TestStopFinishesWhatIsInFlight stops the service in the middle of a request: it accepts no new requests, responds to that request, and
// stores its change.
func TestStopFinishesWhatIsInFlight(t *testing.T) {
	t.Parallel()
	p := serveFile(t)
	address := strings.TrimPrefix(p.URL, "http://")
	const body = `{"name":"Bracket","goalQuantity":7}`
	conn, err := beginRequest(address, len(body))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := p.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if !p.Stderr.Await("stopping", p.Ended()) {
		t.Fatalf("it does not say that it stops:\n%s", p.Stderr.String())
	}
	for { // the listener closes right after that line
		late, err := net.Dial("tcp", address)
		if err != nil {
			break
		}
		late.Close()
	}
	if _, err := io.WriteString(conn, body); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusCreated {
		t.Errorf("answered %s", answer.Status)
	}
	conn.Close()
	if err := p.Wait(); err != nil {
		t.Errorf("ended with %v\n%s", err, p.Stderr.String())
	}
	again := process.Serve(t, "--database", p.file)
	var jobs []struct{ Name string }
	if err := getJSON(t.Context(), http.DefaultClient, again.URL+"/api/jobs", &jobs); err != nil || len(jobs) != 1 {
		t.Errorf("after a new start there are the jobs %v (%v)", jobs, err)
	}
}

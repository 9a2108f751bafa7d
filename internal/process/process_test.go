package process

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// role is the environment variable that makes this test program act as one of the processes of a test.
const role = "ROUTECARD_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "server":
		listen()
	case "silent":
		fmt.Println("The server has nothing to say")
		fmt.Fprintln(os.Stderr, "no such database")
		os.Exit(3)
	case "parent":
		command := as("server")
		command.Stderr = os.Stderr
		if _, err := Start(command); err != nil {
			panic(err)
		}
		folder, err := os.MkdirTemp(os.Getenv("ROUTECARD_TEST_FOLDER"), "")
		if err != nil {
			panic(err)
		}
		kept, err := removeAtEnd(folder)
		if err != nil {
			panic(err)
		}
		listen()
		_ = kept.Close()
	}
}

// listen prints its address and runs until the process is killed.
func listen() {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("This listens on http://%s, and nowhere else\n", listener.Addr())
	for {
		if _, err := listener.Accept(); err != nil {
			panic(err)
		}
	}
}

func as(what string) *exec.Cmd {
	command := exec.CommandContext(context.Background(), os.Args[0])
	command.Env = append(os.Environ(), role+"="+what)
	return command
}

// A killed process cannot end its servers or remove the program that it built. Both are gone nevertheless.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	if !endsWithParent {
		t.Skip("the system does not end a process with its parent")
	}
	reading, writing, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	command := as("parent")
	command.Env = append(command.Env, "ROUTECARD_TEST_FOLDER="+folder)
	command.Stderr = writing // the server has the same place for its log, and closes it when it ends
	parent, err := Start(command)
	if err != nil {
		t.Fatal(err)
	}
	writing.Close()
	parent.Kill()
	if err := reading.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(reading); err != nil {
		t.Errorf("the server has not ended: %v %s", err, text)
	}
	limit := time.After(time.Minute)
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for left := 1; left > 0; {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		left = len(entries)
		select {
		case <-look.C:
		case <-limit:
			t.Fatalf("%s is still there", entries[0].Name())
		}
	}
}

func TestStart(t *testing.T) {
	t.Parallel()
	s, err := Start(as("server"))
	if err != nil {
		t.Fatal(err)
	}
	if conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL, "http://")); err != nil {
		t.Errorf("it does not listen on %s: %v", s.URL, err)
	} else {
		conn.Close()
	}
	s.Kill()
	s.Kill() // it is over already
	if s.Wait() == nil || s.Stop() == nil {
		t.Error("a killed process ended well")
	}
	if s.Stdout.Await("never said", s.Ended()) {
		t.Error("it said what it never said")
	}
	_, err = Start(as("silent"))
	if err == nil || !strings.Contains(err.Error(), "no such database") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("a server that says no address: %v", err)
	}
	if _, err := Start(exec.CommandContext(t.Context(), "/nowhere/routecard")); err == nil {
		t.Error("a program that is not there was started")
	}
}

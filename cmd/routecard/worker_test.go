package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/process"
)

// workerCommand is a command line for a worker.
type workerCommand struct {
	In    string // the folder in which it runs
	Args  []string
	Until string // the worker stops the command when it has written this; "" if it ends by itself
}

// ended is the end of a command.
type ended struct {
	Status int
	Output string
	Hung   bool
}

// worker is a process that runs commands of this program one after the other, each in a folder of its own. This saves time, because a short
// command spends most of its time on starting a process.
type worker struct {
	folder  string // a folder for the files of a command
	process *exec.Cmd
	send    *json.Encoder
	receive *json.Decoder
}

// workers returns a channel with the workers, as many as may run at a time.
func (f *pathFixture) workers(t *testing.T) chan *worker {
	t.Helper()
	const count = 4
	workers := make(chan *worker, count)
	for range count {
		w := &worker{folder: t.TempDir()}
		workers <- w
		t.Cleanup(w.kill)
	}
	return workers
}

func (w *worker) kill() {
	if w.process != nil {
		_ = w.process.Process.Kill() // the process may have ended
		_ = w.process.Wait()         // likewise
		w.process = nil
	}
}

func (w *worker) start() error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	command := exec.CommandContext(context.Background(), program) //nolint:gosec // this test program
	command.Args = []string{"routecard-worker"}
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	if err != nil {
		return err
	}
	output, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	w.process, w.send, w.receive = command, json.NewEncoder(input), json.NewDecoder(output)
	return nil
}

// run runs a command in a folder, stops it when it has written until, and kills the worker if the command does not end.
func (w *worker) run(t *testing.T, in, until string, args []string) (got ended) {
	t.Helper()
	if w.process == nil {
		if err := w.start(); err != nil {
			t.Fatal(err)
		}
	}
	result := make(chan error, 1)
	if err := w.send.Encode(workerCommand{in, args, until}); err != nil {
		t.Fatal(err)
	}
	receive := w.receive
	go func() { result <- receive.Decode(&got) }()
	hangs := time.NewTimer(time.Minute)
	defer hangs.Stop()
	select {
	case err := <-result:
		if err != nil {
			w.kill()
			t.Fatalf("%q ended its process: %v", args, err)
		}
	case <-hangs.C:
		w.kill()
		<-result
		got.Hung = true
	}
	return got
}

// runWorker is the main function of a worker process.
func runWorker() {
	commands, results := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var next workerCommand
		err := commands.Decode(&next)
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil {
			err = os.Chdir(next.In)
		}
		if err == nil {
			err = results.Encode(next.run())
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "worker:", err)
			os.Exit(1)
		}
	}
}

func (c workerCommand) run() ended {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var output process.Output
	over := make(chan struct{})
	var stopped sync.WaitGroup
	if c.Until != "" {
		stopped.Go(func() {
			if output.Await(c.Until, over) {
				stop()
			}
		})
	}
	status := run(ctx, c.Args, &output, &output)
	close(over)
	stopped.Wait()
	return ended{Status: status, Output: output.String()}
}

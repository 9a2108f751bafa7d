package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// process is a routecard that a test started.
type process struct {
	cmd    *exec.Cmd
	stdout output
	stderr output
	ended  chan struct{} // closed when it is over; then err says how
	err    error
	url    string // where it answers
}

// startProcess starts a program and waits until it says where it answers.
func startProcess(program, folder string, env []string, args ...string) (*process, error) {
	p := &process{cmd: exec.Command(program, args...), ended: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = folder, env, &p.stdout, &p.stderr
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	const last = "API reference: "
	if !p.stdout.await("/docs\n", p.ended) {
		<-p.ended
		return nil, fmt.Errorf("routecard ended before it listened (%v):\n%s%s", p.err, p.stdout.String(), p.stderr.String())
	}
	_, line, _ := strings.Cut(p.stdout.String(), last)
	p.url = strings.TrimSuffix(strings.TrimSpace(line), "/docs")
	return p, nil
}

// kill ends the process as a power cut would, and waits for the end.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // it may be over already
	<-p.ended
}

// stop sends signals, each when the one before it was heard, and waits for the end.
func (p *process) stop(signals ...os.Signal) error {
	for i, signal := range signals {
		if i > 0 {
			p.stderr.await("stopping", p.ended)
		}
		if err := p.cmd.Process.Signal(signal); err != nil {
			return err
		}
	}
	<-p.ended
	return p.err
}

// output is what a process has written so far.
type output struct {
	mu      sync.Mutex
	text    strings.Builder
	changed chan struct{} // closed by the next Write; nil while nobody waits
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.Write(b)
	if o.changed != nil {
		close(o.changed)
		o.changed = nil
	}
	return len(b), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// await waits until the output has a text, and reports false when the process ended without.
func (o *output) await(text string, ended <-chan struct{}) bool {
	for {
		o.mu.Lock()
		found := strings.Contains(o.text.String(), text)
		if o.changed == nil {
			o.changed = make(chan struct{})
		}
		changed := o.changed
		o.mu.Unlock()
		if found {
			return true
		}
		select {
		case <-changed:
		case <-ended:
			return strings.Contains(o.String(), text)
		}
	}
}

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/selftest"
)

type selftestCommand struct {
	Claims []string `arg:"" optional:"" help:"Test these claims only." placeholder:"CLAIM"`
	List   bool     `help:"List the claims without testing them."`
	Folder string   `help:"Folder for the scratch installation, such as one on the database's disk. Default: the folder for temporary files." placeholder:"FOLDER" type:"existingdir" env:"-"`
	Keep   bool     `help:"Keep the scratch installation."`
	JSON   bool     `name:"json" help:"Print JSON." env:"-"`
}

// selftestAnswer is the record of a run.
type selftestAnswer struct {
	Program string            `json:"program"` // the version of the program
	SHA256  string            `json:"sha256"`  // the SHA-256 of the program file
	System  string            `json:"system"`
	Host    string            `json:"host"`
	Folder  string            `json:"folder"`
	Begun   string            `json:"begun"`
	Ended   string            `json:"ended"`
	True    bool              `json:"true"`
	Claims  []selftest.Result `json:"claims"`
	program string            // the program file
}

// Run makes a temporary installation of this very program, tests the claims on it, and removes it. The installation shares nothing with a
// running service. The exit status is 0 if all claims are true, 1 if a claim is false, and 2 if the claims could not be tested.
func (c *selftestCommand) Run(w *world) error {
	if c.List {
		_, err := fmt.Fprintln(w.stdout, strings.Join(selftest.Names(), "\n"))
		return err
	}
	answer, err := c.about()
	if err != nil {
		return &exitError{err, 2}
	}
	if err := c.try(w, answer); err != nil {
		return &exitError{fmt.Errorf("could not be tried: %w", err), 2}
	}
	answer.Ended = time.Now().UTC().Format(time.RFC3339)
	if err := c.sum(w.stdout, answer); err != nil {
		return &exitError{err, 2}
	}
	if !answer.True {
		return &exitError{errors.New("not true: " + strings.Join(answer.failed(), ", ")), 1}
	}
	return nil
}

// about identifies the program under test and its machine.
func (c *selftestCommand) about() (*selftestAnswer, error) {
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	digest, err := fileSHA256(name)
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp(c.Folder, "routecard-selftest-*")
	if err != nil {
		return nil, err
	}
	return &selftestAnswer{
		Program: version(), SHA256: digest, System: runtime.GOOS + "/" + runtime.GOARCH, Host: host, Folder: folder,
		Begun: time.Now().UTC().Format(time.RFC3339), True: true, Claims: []selftest.Result{}, program: name,
	}, nil
}

func fileSHA256(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	digest := sha256.New()
	if _, err := io.Copy(digest, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}

// try makes the installation, tests the claims, and prints the result of each.
func (c *selftestCommand) try(w *world, answer *selftestAnswer) (err error) {
	defer func() {
		if !c.Keep {
			err = errors.Join(err, os.RemoveAll(answer.Folder))
		}
	}()
	ctx, end := context.WithCancel(w.ctx)
	defer end()
	scratch, err := newScratch(ctx, answer.program, answer.Folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, scratch.end()) }()
	if !c.JSON {
		fmt.Fprintf(w.stdout, "program  %s, SHA-256 %s\nsystem   %s, %s\nbegun    %s, in %s\n\n",
			answer.Program, answer.SHA256, answer.System, answer.Host, answer.Begun, answer.Folder)
	}
	return selftest.Run(ctx, scratch, c.Claims, func(one selftest.Result) error {
		answer.Claims = append(answer.Claims, one)
		answer.True = answer.True && one.True
		if c.JSON {
			return nil
		}
		text := fmt.Sprintf("%-8s %-16s %s\n", map[bool]string{true: "true", false: "NOT TRUE"}[one.True], one.Claim, one.Says)
		if !one.True {
			text += fmt.Sprintf("%-25s Found: %s\n", "", strings.ReplaceAll(one.Found, "\n", " "))
		}
		_, err := io.WriteString(w.stdout, text)
		return err
	})
}

// failed returns the claims that are not true.
func (a *selftestAnswer) failed() (names []string) {
	for _, one := range a.Claims {
		if !one.True {
			names = append(names, one.Claim)
		}
	}
	return names
}

func (c *selftestCommand) sum(out io.Writer, answer *selftestAnswer) error {
	if c.JSON {
		encoder := json.NewEncoder(out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(answer)
	}
	tried := len(answer.Claims)
	text := fmt.Sprintf("\nended    %s: %d claims were tried, %d are true.\n", answer.Ended, tried, tried-len(answer.failed()))
	if c.Keep {
		text += "The scratch installation is left in " + answer.Folder + "\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// release is one that is being made.
type release struct {
	source  string // a checkout of the commit
	out     string // the folder of what is released
	scratch string // a folder for what goes into it
	targets []target

	programs  []program       // one for each target, in their order
	version   string          // that of all programs, without the v before it
	at        time.Time       // the time of the commit, which everything inside is dated
	parts     map[string]part // what is inside programs, by name
	documents string          // the folder of what is beside a program in archives and packages
}

// checkOut makes a checkout of a commit in a new folder. It is a clone, because the go command names the commit of a clone only, and
// not that of a further work tree; it copies no objects.
func checkOut(ctx context.Context, repository, commit, folder string) (string, error) {
	git := func(in string, args ...string) ([]byte, error) {
		command := exec.CommandContext(ctx, "git", args...) //nolint:gosec // ours
		command.Dir = in
		printed, err := command.Output()
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			err = fmt.Errorf("git %s: %w\n%s", args[0], err, failed.Stderr)
		}
		return printed, err
	}
	found, err := git(repository, "rev-parse", "--verify", commit+"^{commit}")
	if err != nil {
		return "", err
	}
	if _, err := git(repository, "clone", "--quiet", "--shared", "--no-checkout", ".", folder); err != nil {
		return "", err
	}
	_, err = git(folder, "checkout", "--quiet", "--detach", strings.TrimSpace(string(found)))
	return folder, err
}

// make builds the programs and writes everything but the checksums.
func (r *release) make(ctx context.Context) error {
	if entries, err := os.ReadDir(r.out); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty", r.out)
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil { //nolint:gosec // others may read a release
		return err
	}
	if err := r.build(ctx); err != nil {
		return err
	}
	if err := r.learnParts(ctx); err != nil {
		return err
	}
	if err := r.document(ctx); err != nil {
		return err
	}
	for i := range r.programs {
		if err := errors.Join(r.archive(&r.programs[i]), r.list(&r.programs[i]), r.pack(&r.programs[i])); err != nil {
			return err
		}
	}
	return r.image()
}

// file is a file of the release: a name that has the version and the target, and an ending.
func (r *release) file(t target, ending string) string {
	return filepath.Join(r.out, r.stem(t)+ending)
}

// stem is what the names of the files for a target begin with.
func (r *release) stem(t target) string {
	return strings.Join([]string{"routecard", r.version, t.system, t.processor}, "_")
}

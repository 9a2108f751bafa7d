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

// release is a release that is being made.
type release struct {
	source  string // a checkout of the commit
	out     string // the folder of the released files
	scratch string // a folder for intermediate files
	targets []target

	programs  []program       // one for each target, in their order
	version   string          // the version of all programs, without the leading v
	at        time.Time       // the time of the commit, used as the modification time of all files
	parts     map[string]part // the components of the programs, by name
	documents string          // the folder of the files that archives and packages have in addition to the program
}

// checkOut makes a checkout of a commit in a new folder. It is a clone, because the go command records the commit of a clone but not of an
// additional work tree. The clone copies no objects.
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

// make builds the programs and writes all files except the checksums.
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

// file returns the path of a file of the release. Its name has the version, the target and the ending.
func (r *release) file(t target, ending string) string {
	return filepath.Join(r.out, r.stem(t)+ending)
}

// stem returns the beginning of the names of all files for a target.
func (r *release) stem(t target) string {
	return strings.Join([]string{"routecard", r.version, t.system, t.processor}, "_")
}

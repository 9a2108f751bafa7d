// Command packaging makes a release of Routecard from a checkout: programs for six targets, archives, packages for Debian and for RPM, an
// image for containers, lists of the components with their licences, and checksums that are signed with a note key. The same commit gives
// the same bytes on every machine with the same version of Go. It is a module of its own, so that its dependencies are not in the module
// graph of the service.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("packaging", flag.ContinueOnError)
	repository := flags.String("repository", "..", "the repository of git that has the commit")
	commit := flags.String("commit", "HEAD", "the commit that is released; what is not committed is not")
	folder := flags.String("out", "../dist", "the folder of the release; it must be empty or not there")
	targets := flags.String("targets", "", "only these, such as linux/amd64,windows/arm64; all of them otherwise")
	key := flags.String("key", "", "the file with the note key that signs the checksums; without one they are not signed")
	newKey := flags.String("new-key", "", "write a new note key of this name to the file of -key, and print what verifies it")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *newKey != "" {
		return makeKey(*newKey, *key, out)
	}
	chosen, err := parseTargets(*targets)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "routecard-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch) //nolint:errcheck // the system removes the remains
	r := &release{out: *folder, scratch: scratch, targets: chosen}
	if r.source, err = checkOut(ctx, *repository, *commit, filepath.Join(scratch, "checkout")); err != nil {
		return err
	}
	if err := r.make(ctx); err != nil {
		return err
	}
	if err := r.sum(*key); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s of %s in %s%s\n", r.version, r.at.Format("2006-01-02 15:04:05 MST"), *folder, unsigned(*key))
	return err
}

func unsigned(key string) string {
	if key == "" {
		return ", not signed"
	}
	return ""
}

// parseTargets returns the targets with these names.
func parseTargets(text string) ([]target, error) {
	if text == "" {
		return allTargets, nil
	}
	var chosen []target
	for name := range strings.SplitSeq(text, ",") {
		found := false
		for _, one := range allTargets {
			if one.system+"/"+one.processor == name {
				chosen, found = append(chosen, one), true
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no target %q; there are %v", name, allTargets)
		}
	}
	return chosen, nil
}

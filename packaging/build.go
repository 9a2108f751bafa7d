package main

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// target is a system and a processor, with Go's names.
type target struct{ system, processor string }

var allTargets = []target{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

// program is the service, built for a target.
type program struct {
	target
	file string
	info *buildinfo.BuildInfo
}

// name returns the file name of the program on the target system.
func (t target) name() string {
	if t.system == "windows" {
		return "routecard.exe"
	}
	return "routecard"
}

// build builds the program for all targets.
func (r *release) build(ctx context.Context) error {
	for _, t := range r.targets {
		built, err := r.buildFor(ctx, t)
		if err != nil {
			return err
		}
		r.programs = append(r.programs, built)
	}
	commit := settings(r.programs[0].info)
	at, err := time.Parse(time.RFC3339, commit["vcs.time"])
	if err != nil {
		return fmt.Errorf("the program does not say the time of its commit: %w", err)
	}
	r.at = at.UTC()
	r.version = strings.TrimPrefix(r.programs[0].info.Main.Version, "v")
	return nil
}

func (r *release) buildFor(ctx context.Context, t target) (program, error) {
	folder, err := filepath.Abs(filepath.Join(r.scratch, "programs", t.system, t.processor))
	if err != nil {
		return program{}, err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // a folder of programs
		return program{}, err
	}
	built := program{target: t, file: filepath.Join(folder, t.name())}
	args := []string{"build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", built.file, "./cmd/routecard"}
	if _, err := r.goTool(ctx, t, args...); err != nil {
		return program{}, err
	}
	built.info, err = buildinfo.ReadFile(built.file)
	return built, err
}

// goTool runs the go command in the checkout, without environment variables that would change the program.
func (r *release) goTool(ctx context.Context, t target, args ...string) (printed []byte, err error) {
	command := exec.CommandContext(ctx, "go", args...) //nolint:gosec // ours
	command.Dir = r.source
	command.Env = append(os.Environ(), "GOOS="+t.system, "GOARCH="+t.processor, "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOWORK=off",
		"GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0", "GOFIPS140=off")
	printed, err = command.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, failed.Stderr)
	}
	return printed, err
}

// here returns the program for this machine. It builds one if the release has none for this machine.
func (r *release) here(ctx context.Context) (program, error) {
	own := target{runtime.GOOS, runtime.GOARCH}
	for _, built := range r.programs {
		if built.target == own {
			return built, nil
		}
	}
	return r.buildFor(ctx, own)
}

func settings(info *buildinfo.BuildInfo) map[string]string {
	all := map[string]string{}
	for _, setting := range info.Settings {
		all[setting.Key] = setting.Value
	}
	return all
}

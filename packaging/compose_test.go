package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/compose-spec/compose-go/v2/types"
)

// taken runs config show with an environment and returns the names of the variables that are settings. It fails for a value that a setting
// does not accept.
func taken(t *testing.T, program string, environment []string) []string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, "config", "show") //nolint:gosec // our program
	command.Env = environment
	var failed bytes.Buffer
	command.Stderr = &failed
	shown, err := command.Output()
	if err != nil {
		t.Fatalf("the settings %q are refused: %v: %s", environment, err, &failed)
	}
	var names []string
	for _, found := range regexp.MustCompile(`(?m) # (ROUTECARD_\w+)$`).FindAllStringSubmatch(string(shown), -1) {
		names = append(names, found[1])
	}
	return names
}

// built returns the program of this repository.
func built(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "routecard")
	if output, err := exec.CommandContext(t.Context(), "go", "-C", "..", "build", "-o", program, "./cmd/routecard").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return program
}

// checkVariables compares the variables of a service with the settings of the program.
func checkVariables(t *testing.T, program string, environment []string) {
	t.Helper()
	known := taken(t, program, environment)
	ours := 0
	for _, variable := range environment {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, "ROUTECARD_") {
			continue
		}
		ours++
		if !slices.Contains(known, name) {
			t.Errorf("%s is no setting", name)
		}
	}
	if ours == 0 {
		t.Error("there are no settings")
	}
}

// TestComposeExamples loads the Compose files of the documents with the library of the format, and compares them with the program and its
// image.
func TestComposeExamples(t *testing.T) {
	t.Parallel()
	program := built(t)
	files, err := filepath.Glob("../docs/examples/compose/*.yaml")
	if err != nil || len(files) != 3 {
		t.Fatalf("the examples are %q: %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			checkCompose(t, program, file)
		})
	}
}

func checkCompose(t *testing.T, program, file string) {
	t.Helper()
	options, err := cli.NewProjectOptions([]string{file}, cli.WithEnv([]string{"POSTGRES_PASSWORD=secret", "DOMAIN=routecard.example.com"}))
	if err != nil {
		t.Fatal(err)
	}
	project, err := options.LoadProject(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	service := project.Services["routecard"]
	var environment []string
	for name, value := range service.Environment {
		environment = append(environment, name+"="+*value)
	}
	checkVariables(t, program, environment)
	mounts := func(v types.ServiceVolumeConfig) bool {
		return v.Target == "/var/lib/routecard" && v.Type == types.VolumeTypeVolume
	}
	if !slices.ContainsFunc(service.Volumes, mounts) {
		t.Error("the folder of the data is no volume")
	}
	for _, port := range service.Ports {
		if port.Target != 8080 || port.HostIP != "127.0.0.1" {
			t.Errorf("the port %d of the image is published at %q", port.Target, port.HostIP)
		}
	}
	for name := range project.Services {
		for _, mounted := range project.Services[name].Volumes {
			if mounted.Type != types.VolumeTypeBind {
				continue
			}
			if _, err := os.Stat(mounted.Source); err != nil {
				t.Errorf("%s mounts a file that does not exist: %v", name, err)
			}
		}
	}
	if _, proxied := project.Services["caddy"]; proxied {
		if text := string(read(t, "../docs/examples/compose/Caddyfile")); !strings.Contains(text, "reverse_proxy routecard:8080 ") {
			t.Error("Caddy passes requests to another service")
		}
		network := project.Networks["inner"].Ipam.Config[0].Subnet
		if trusted := *service.Environment["ROUTECARD_TRUSTED_PROXY"]; trusted != network {
			t.Errorf("the service trusts %s, and Caddy is in %s", trusted, network)
		}
	}
}

// TestQuadletExample compares the unit for Podman with the program, and its restarts with those of the unit of the packages.
func TestQuadletExample(t *testing.T) {
	t.Parallel()
	unit, packaged := string(read(t, "../docs/examples/quadlet/routecard.container")), string(read(t, "files/routecard.service"))
	var environment []string
	for line := range strings.Lines(unit) {
		if variable, ok := strings.CutPrefix(strings.TrimSpace(line), "Environment="); ok {
			environment = append(environment, variable)
		}
	}
	checkVariables(t, built(t), environment)
	for _, name := range []string{"Restart", "RestartSec", "RestartPreventExitStatus"} {
		line := regexp.MustCompile(`(?m)^` + name + `=.*$`)
		if own, want := line.FindString(unit), line.FindString(packaged); own != want || own == "" {
			t.Errorf("%q, and the unit of the packages has %q", own, want)
		}
	}
	volume, _, _ := strings.Cut(strings.TrimPrefix(regexp.MustCompile(`(?m)^Volume=.*$`).FindString(unit), "Volume="), ":")
	if _, err := os.Stat(filepath.Join("../docs/examples/quadlet", volume)); err != nil {
		t.Errorf("the unit of the volume: %v", err)
	}
}

package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/process"
)

// TestFullDisk runs the service on a disk that fills up: writes and readiness report it, and reads continue. Once there is space again, the
// service continues by itself, with all acknowledged changes and none of the refused ones.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	folder := process.SmallDisk(t, "4m")
	file, ballast := filepath.Join(folder, "shop.db"), filepath.Join(folder, "ballast")
	flags := []string{"--database", file, "--ledger", "off"}
	s := served{process.Serve(t, flags...), file}
	const full = `503 {"statusCode":503,"message":"There is no space left for the database. Nothing was changed; try again later.","code":"database_full"}`
	var answered []string
	add := func() string {
		t.Helper()
		answer := s.ask(t, http.MethodPost, "/api/jobs", newJob)
		if made, found := strings.CutPrefix(answer, "201 "); found {
			var job struct{ ID string }
			if err := json.Unmarshal([]byte(made), &job); err != nil {
				t.Fatal(err)
			}
			answered = append(answered, job.ID)
		}
		return answer
	}
	agree := func() {
		t.Helper()
		var jobs []struct{ ID string }
		if err := getJSON(t.Context(), http.DefaultClient, s.URL+"/api/jobs", &jobs); err != nil {
			t.Fatal(err)
		}
		var there []string
		for _, job := range jobs {
			there = append(there, job.ID)
		}
		if slices.Reverse(there); !slices.Equal(there, answered) {
			t.Errorf("%d jobs are there, %d were answered", len(there), len(answered))
		}
	}
	fill := func() {
		t.Helper()
		out, err := os.OpenFile(ballast, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		for block := make([]byte, 4096); err == nil; {
			_, err = out.Write(block)
		}
		_ = out.Close()
	}
	if got := add(); !strings.HasPrefix(got, "201 ") {
		t.Fatal(got)
	}
	// The write-ahead log may begin again in the space that it already has, or a checkpoint may need some space; then the disk is filled
	// again.
	refused := func() bool {
		for range 20 {
			if got := add(); strings.HasPrefix(got, "201 ") {
				fill()
				return false
			} else if got != full {
				t.Fatalf("a write answers %s", got)
			}
			if got := s.ask(t, http.MethodGet, "/readyz", ""); got != full {
				return false
			}
		}
		return true
	}
	for patience := time.Now().Add(time.Minute); !refused(); {
		if time.Now().After(patience) {
			t.Fatal("the disk is never full, or readyz does not say so")
		}
	}
	if got := s.ask(t, http.MethodGet, "/healthz", ""); !strings.HasPrefix(got, "200 ") {
		t.Errorf("healthz answers %s", got)
	}
	agree()
	if !s.Stderr.Await("full", s.Ended()) {
		t.Error("the log does not say so")
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	for patience := time.Now().Add(time.Minute); !strings.HasPrefix(s.ask(t, http.MethodGet, "/readyz", ""), "200 "); {
		if time.Now().After(patience) {
			t.Fatal("not ready with space on the disk")
		}
	}
	if got := add(); !strings.HasPrefix(got, "201 ") {
		t.Errorf("with space on the disk a write answers %s", got)
	}
	agree()
	s.Kill()
	s.Server = process.Serve(t, flags...)
	agree()
}

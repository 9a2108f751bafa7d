package main

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// TestTargets picks targets by name.
func TestTargets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want []target
		bad  bool
	}{
		{"", allTargets, false},
		{"windows/arm64", []target{{"windows", "arm64"}}, false},
		{"linux/amd64,darwin/arm64", []target{{"linux", "amd64"}, {"darwin", "arm64"}}, false},
		{"plan9/amd64", nil, true},
		{"linux", nil, true},
	} {
		found, err := parseTargets(tt.text)
		if !slices.Equal(found, tt.want) || (err != nil) != tt.bad {
			t.Errorf("%q: %v, %v", tt.text, found, err)
		}
	}
}

// TestSums signs the checksums of a folder with a new key.
func TestSums(t *testing.T) {
	t.Parallel()
	folder, key := t.TempDir(), filepath.Join(t.TempDir(), "key")
	for _, name := range []string{"b.deb", "a.tar.gz"} {
		write(t, filepath.Join(folder, name), name)
	}
	var public bytes.Buffer
	if err := makeKey("routecard.test/release", key, &public); err != nil {
		t.Fatal(err)
	}
	if err := makeKey("routecard.test/release", key, &public); err == nil {
		t.Error("a second key replaced the first")
	}
	r := &release{out: folder}
	if err := r.sum(key); err != nil {
		t.Fatal(err)
	}
	verifier, err := note.NewVerifier(strings.TrimSpace(public.String()))
	if err != nil {
		t.Fatal(err)
	}
	signed, err := note.Open(read(t, filepath.Join(folder, noteName)), note.VerifierList(verifier))
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%x  a.tar.gz\n%x  b.deb\n", sha256.Sum256([]byte("a.tar.gz")), sha256.Sum256([]byte("b.deb")))
	if sums := string(read(t, filepath.Join(folder, sumsName))); sums != want || signed.Text != want {
		t.Errorf("signed %q, listed %q", signed.Text, sums)
	}
}

// TestArchivesRepeat writes the same files at different times of the day and requires the same bytes.
func TestArchivesRepeat(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	source := filepath.Join(folder, "routecard")
	write(t, source, "program")
	files := []archived{{"routecard_1.0.0/routecard", source, 0o755}}
	at := time.Date(2026, 11, 24, 3, 41, 0, 0, time.UTC)
	for name, written := range map[string]func(*bytes.Buffer) error{
		"tar.gz": func(to *bytes.Buffer) error { return writeTarGzip(to, files, at) },
		"zip":    func(to *bytes.Buffer) error { return writeZip(to, files, at) },
	} {
		var first, second bytes.Buffer
		if err := written(&first); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(source, time.Unix(0, 0), time.Unix(0, 0)); err != nil {
			t.Fatal(err)
		}
		if err := written(&second); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: other bytes", name)
		}
	}
}

// TestAuthorities reads the certificates of an image.
func TestAuthorities(t *testing.T) {
	t.Parallel()
	count := 0
	for rest := authorities(); ; count++ {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if _, err := x509.ParseCertificate(block.Bytes); err != nil {
			t.Error(err)
		}
	}
	if count < 100 {
		t.Errorf("%d certificates", count)
	}
}

// TestLicences recognizes the licences of modules from the files in their folders.
func TestLicences(t *testing.T) {
	t.Parallel()
	free := string(read(t, "../LICENSE"))
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string
		bad   string
	}{
		{"one", map[string]string{"LICENSE": free}, "Apache-2.0", ""},
		{"of a part", map[string]string{"LICENSE": free, "inner/COPYING": "All rights reserved."}, "Apache-2.0", ""},
		{"none", map[string]string{"README": free}, "", "has no licence that is known"},
		{"only of a test", map[string]string{"testdata/LICENSE": free}, "", "has no licence that is known"},
		{"not judged", map[string]string{"LICENSE": "SPDX-License-Identifier: AGPL-3.0-only\n" + agpl}, "", "not among those that were judged"},
	} {
		folder := t.TempDir()
		for name, text := range tt.files {
			write(t, filepath.Join(folder, name), text)
		}
		r := &release{parts: map[string]part{"module": {name: "module", version: "v1.0.0"}}}
		err := r.learnModule("module", folder)
		switch {
		case tt.bad == "" && (err != nil || r.parts["module"].licence != tt.want):
			t.Errorf("%s: %v, %v", tt.name, r.parts["module"], err)
		case tt.bad != "" && (err == nil || !strings.Contains(err.Error(), tt.bad)):
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

// The notice with which a program declares this licence.
const agpl = `This program is free software: you can redistribute it and/or modify
it under the terms of the GNU Affero General Public License as published by
the Free Software Foundation, either version 3 of the License, or
(at your option) any later version.
`

// TestEmbedded requires the licences of all third-party files inside the program, in the versions that the documents have.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	documents := string(read(t, "../docs/dependencies.md")) + string(read(t, "../internal/httpapi/docs/README.md"))
	known := map[string]bool{"LICENSE": true, "internal/browsertest/testdata/axe/LICENSE": true} // our own licence, and that of a test
	for _, one := range embedded {
		if !strings.Contains(documents, one.version) {
			t.Errorf("no document says %s %s", one.name, one.version)
		}
		for _, file := range one.files {
			known[file] = true
		}
	}
	listed, err := exec.CommandContext(t.Context(), "git", "-C", "..", "ls-files", "*LICENSE*", "*NOTICE*", "*COPYING*").Output()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for file := range strings.Lines(string(listed)) {
		if !known[strings.TrimSpace(file)] {
			t.Errorf("%s belongs to nothing that is listed as part of the program", strings.TrimSpace(file))
		}
		found++
	}
	if found != len(known) {
		t.Errorf("%d files about licences, of %d", found, len(known))
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

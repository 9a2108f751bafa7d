package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
)

// TestCheckRelease checks the output of routecard version --check for folders with files of a release.
func TestCheckRelease(t *testing.T) {
	t.Parallel()
	private, public, err := note.GenerateKey(rand.Reader, "routecard.test/release")
	if err != nil {
		t.Fatal(err)
	}
	_, other, err := note.GenerateKey(rand.Reader, "routecard.test/release")
	if err != nil {
		t.Fatal(err)
	}
	sums := fmt.Sprintf("%x  one.deb\n%x  two.tar.gz\n", sha256.Sum256([]byte("one")), sha256.Sum256([]byte("two")))
	for _, tt := range []struct {
		name, text, key string
		files           map[string]string
		status          int
		want            string
	}{
		{"both", sums, public, map[string]string{"one.deb": "one", "two.tar.gz": "two"}, 0, "2 as signed, 0 not in this folder"},
		{"one of them", sums, public, map[string]string{"one.deb": "one"}, 0, "1 as signed, 1 not in this folder"},
		{"another file", sums, public, map[string]string{"one.deb": "other"}, 1, "one.deb is not the file that was signed"},
		{"none", sums, public, nil, 1, "none of the files that"},
		{"another key", sums, other, map[string]string{"one.deb": "one"}, 1, "note has no verifiable signatures"},
		{"no key", sums, "", map[string]string{"one.deb": "one"}, 2, "--release-key is missing"},
		{"out of the folder", strings.ReplaceAll(sums, "one.deb", "../one.deb"), public, nil, 1, "is no line of checksums"},
		{"no checksums", "hello\n", public, nil, 1, "is no line of checksums"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			signer, err := note.NewSigner(private)
			if err != nil {
				t.Fatal(err)
			}
			signed, err := note.Sign(&note.Note{Text: tt.text}, signer)
			if err != nil {
				t.Fatal(err)
			}
			checksums := filepath.Join(folder, "SHA256SUMS.note")
			if err := os.WriteFile(checksums, signed, 0o600); err != nil {
				t.Fatal(err)
			}
			for name, content := range tt.files {
				if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var printed bytes.Buffer
			status := run(t.Context(), []string{"version", "--check", checksums, "--release-key", tt.key}, &printed, &printed)
			if status != tt.status || !strings.Contains(printed.String(), tt.want) {
				t.Errorf("status %d and %q, want %d and %q", status, printed.String(), tt.status, tt.want)
			}
		})
	}
}

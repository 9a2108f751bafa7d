package main

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
)

// Every secret that others can read is reported, by config check on standard error and by doctor.
func TestOpenSecretsAreToldOf(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a file's mode says nothing there")
	}
	at := func(folder, name string) string { return filepath.Join(folder, name) }
	folder := t.TempDir()
	writeCertificate(t, at(folder, "cert.pem"), at(folder, "key.pem"), 1)
	key, _, err := note.GenerateKey(rand.Reader, "routecard.test/ledger")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"key": "k", "pepper": base64.StdEncoding.EncodeToString(make([]byte, 32)), "ledger": key,
		"open.yaml": strings.Join([]string{
			"database: postgres://shop:hunter2@127.0.0.1:1/shop", "listen: 127.0.0.1:1", "auth: all",
			"tls-cert-file: " + at(folder, "cert.pem"), "tls-key-file: " + at(folder, "key.pem"), "files: s3://bucket/shop",
			"files-endpoint: https://s3.invalid", "files-access-key-file: " + at(folder, "key"), "files-secret-key-file: " + at(folder, "key"),
			"pepper-file: " + at(folder, "pepper"), "ledger-key-file: " + at(folder, "ledger"),
		}, "\n"),
	} {
		if err := os.WriteFile(at(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wanted := map[string]string{
		"the key of the certificate": "key.pem", "the access key of the files": "key", "the secret key of the files": "key",
		"the pepper": "pepper", "the ledger": "ledger", "an address with a password": "open.yaml",
	}
	check := func(mode os.FileMode, told bool) {
		t.Helper()
		for _, file := range wanted {
			if err := os.Chmod(at(folder, file), mode); err != nil {
				t.Fatal(err)
			}
		}
		var out, failed, answer strings.Builder
		if status := run(t.Context(), []string{"config", "check", "--config", at(folder, "open.yaml")}, &out, &failed); status != 0 {
			t.Fatalf("config check ends with %d: %s", status, &failed)
		}
		run(t.Context(), []string{"doctor", "--config", at(folder, "open.yaml")}, &answer, &out) // no server runs
		for of, file := range wanted {
			if strings.Contains(failed.String(), `of="`+of+`" file=`+at(folder, file)) != told &&
				strings.Contains(failed.String(), `of=`+of+` file=`+at(folder, file)) != told {
				t.Errorf("mode %v, %s: config check says %s", mode, of, &failed)
			}
			if strings.Contains(answer.String(), "others can read a secret: chmod 600 its file, of="+of+", file="+at(folder, file)) != told {
				t.Errorf("mode %v, %s: doctor says %s", mode, of, &answer)
			}
		}
		if strings.Contains(answer.String()+failed.String(), "hunter2") {
			t.Error("the password is shown")
		}
	}
	check(0o644, true)
	check(0o640, false)
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"one": "one", "one\ntwo": "one; two", "failed to connect to db:\n\t10.0.0.1: refused\n\t10.0.0.2: refused": "failed to connect to db: " +
			"10.0.0.1: refused; 10.0.0.2: refused",
	} {
		if got := oneLine(errors.New(text)); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// A password may have blanks and letters of any language. A file with anything else than one line is refused, because which part is the
// password would be a guess.
func TestReadPassword(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "password")
	for text, want := range map[string]string{
		"s3cret\n": "s3cret", "two words\r\n": "two words", " blanks \n": " blanks ", "Öl": "Öl",
		"": "is empty", "\n": "is empty", "a\nb": "one line", "a\n\n": "one line", "a\tb": "one line", "\xff": "one line",
		strings.Repeat("x", secretLimit+1): "one line",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		password, err := readPassword(name, "the mail server", slog.New(slog.DiscardHandler))
		if err != nil && !strings.Contains(err.Error(), want) || err == nil && string(password) != want {
			t.Errorf("%q: %q, %v", text, password, err)
		}
	}
}

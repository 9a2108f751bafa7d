package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// checkRelease compares the files of a release with its checksums, which a key signed. The checksums are a note whose text has lines as
// sha256sum writes them; the files are in the same folder. It returns an error if the signature is not valid, if a file differs, or if none
// of the files exists.
func checkRelease(out io.Writer, file, key string) error {
	if strings.TrimSpace(key) == "" {
		return wrongSettings(errors.New("--release-key is missing: the key that verifies, as whoever releases makes it known"))
	}
	verifier, err := note.NewVerifier(strings.TrimSpace(key))
	if err != nil {
		return wrongSettings(fmt.Errorf("--release-key: %w", err))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return wrongSettings(err)
	}
	signed, err := note.Open(text, note.VerifierList(verifier))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if _, err := fmt.Fprintf(out, "%s is signed by %s\n", file, verifier.Name()); err != nil {
		return err
	}
	good, missing := 0, 0
	for line := range strings.Lines(signed.Text) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok || name != filepath.Base(name) {
			return fmt.Errorf("%s: %q is no line of checksums", file, line)
		}
		actual, err := sha256Of(filepath.Join(filepath.Dir(file), name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing++
			continue
		case err != nil:
			return err
		case actual != sum:
			return fmt.Errorf("%s is not the file that was signed", name)
		}
		good++
		if _, err := fmt.Fprintf(out, "%s is the file that was signed\n", name); err != nil {
			return err
		}
	}
	if good == 0 {
		return fmt.Errorf("none of the files that %s names is beside it", file)
	}
	_, err = fmt.Fprintf(out, "%d as signed, %d not in this folder\n", good, missing)
	return err
}

// sha256Of returns the SHA-256 of a file in hexadecimal.
func sha256Of(name string) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), err
}

package main

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// The files with the SHA-256 of all other files of a release: in the format of sha256sum, and signed.
const (
	sumsName = "SHA256SUMS"
	noteName = "SHA256SUMS.note"
)

// sum writes the checksums of all files of the release, and signs them with the key in a file, unless that is "".
func (r *release) sum(keyFile string) error {
	entries, err := os.ReadDir(r.out) // sorted by name
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, entry := range entries {
		sum, err := digest(filepath.Join(r.out, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%x  %s\n", sum, entry.Name())
	}
	write := func(name, content string) error {
		return create(filepath.Join(r.out, name), func(to io.Writer) error {
			_, err := io.WriteString(to, content)
			return err
		})
	}
	if err := write(sumsName, text.String()); err != nil || keyFile == "" {
		return err
	}
	key, err := os.ReadFile(keyFile)
	if err != nil {
		return err
	}
	signer, err := note.NewSigner(strings.TrimSpace(string(key)))
	if err != nil {
		return fmt.Errorf("%s: %w", keyFile, err)
	}
	signed, err := note.Sign(&note.Note{Text: text.String()}, signer)
	if err != nil {
		return err
	}
	return write(noteName, string(signed))
}

func digest(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return hash.Sum(nil), err
}

// makeKey writes a new key to a file that only its owner can read, and prints the verifier key.
func makeKey(name, file string, out io.Writer) error {
	if file == "" {
		return errors.New("name the file for the new key with -key")
	}
	private, public, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		return err
	}
	to, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(to, private)
	if err := errors.Join(err, to.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, public)
	return err
}

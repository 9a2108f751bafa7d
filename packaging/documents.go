package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
)

// document writes the files that are shipped with the program: the manual page, shell completions, licences and the changelog.
func (r *release) document(ctx context.Context) error {
	r.documents = filepath.Join(r.scratch, "documents")
	if err := os.MkdirAll(r.documents, 0o755); err != nil { //nolint:gosec // a folder of documents
		return err
	}
	own, err := r.here(ctx)
	if err != nil {
		return err
	}
	documents := map[string][]byte{}
	for name, args := range map[string][]string{
		"routecard.1":    {"man"},
		"routecard.bash": {"completion", "bash"},
		"routecard.zsh":  {"completion", "zsh"},
		"routecard.fish": {"completion", "fish"},
	} {
		if documents[name], err = exec.CommandContext(ctx, own.file, args...).Output(); err != nil { //nolint:gosec // just built
			return err
		}
	}
	var errs [3]error
	documents["routecard.1.gz"], errs[0] = zipped(documents["routecard.1"])
	documents["LICENCES"], errs[1] = r.licences()
	documents["CHANGELOG.md"], errs[2] = os.ReadFile(filepath.Join(r.source, "CHANGELOG.md"))
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	for name, content := range documents {
		if err := os.WriteFile(filepath.Join(r.documents, name), content, 0o644); err != nil { //nolint:gosec // others read it too
			return err
		}
	}
	return nil
}

// zipped returns a content in gzip, without a name and a time.
func zipped(content []byte) ([]byte, error) {
	var to bytes.Buffer
	writer, err := gzip.NewWriterLevel(&to, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = writer.Write(content)
	err = errors.Join(err, writer.Close())
	return to.Bytes(), err
}

package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"time"
)

// archived is a file in an archive.
type archived struct {
	name, source string
	mode         int64
}

// archive writes the archive for a target: tar with gzip, or zip for Windows.
func (r *release) archive(p *program) error {
	files := []archived{{p.name(), p.file, 0o755}}
	for _, name := range []string{"CHANGELOG.md", "LICENCES", "routecard.1", "routecard.bash", "routecard.fish", "routecard.zsh"} {
		files = append(files, archived{name, filepath.Join(r.documents, name), 0o644})
	}
	for i := range files {
		files[i].name = path.Join(r.stem(p.target), files[i].name)
	}
	ending, write := ".tar.gz", writeTarGzip
	if p.system == "windows" {
		ending, write = ".zip", writeZip
	}
	return create(r.file(p.target, ending), func(to io.Writer) error { return write(to, files, r.at) })
}

// create writes a file that others may read.
func create(name string, write func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

func writeTarGzip(to io.Writer, files []archived, at time.Time) error {
	compressed := gzip.NewWriter(to)
	return errors.Join(writeTar(compressed, files, at), compressed.Close())
}

// writeTar writes the files without owners, all with the modification time at, so that equal inputs give equal bytes.
func writeTar(to io.Writer, files []archived, at time.Time) error {
	writer := tar.NewWriter(to)
	for _, one := range files {
		content, err := os.ReadFile(one.source)
		if err != nil {
			return err
		}
		header := &tar.Header{Name: one.name, Mode: one.mode, Size: int64(len(content)), ModTime: at, Format: tar.FormatPAX}
		if err := writer.WriteHeader(header); err != nil {
			return err
		}
		if _, err := writer.Write(content); err != nil {
			return err
		}
	}
	return writer.Close()
}

func writeZip(to io.Writer, files []archived, at time.Time) error {
	writer := zip.NewWriter(to)
	for _, one := range files {
		content, err := os.ReadFile(one.source)
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: one.name, Method: zip.Deflate, Modified: at}
		header.SetMode(os.FileMode(one.mode)) //nolint:gosec // permissions
		entry, err := writer.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := entry.Write(content); err != nil {
			return err
		}
	}
	return writer.Close()
}

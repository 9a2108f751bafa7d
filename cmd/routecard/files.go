package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// placeSettings are the flags that say where files are kept.
type placeSettings struct {
	Files              string `help:"Where to store files: a folder, which all instances share with PostgreSQL, or s3://bucket/prefix. Default: next to the database file." placeholder:"PLACE"`
	FilesEndpoint      string `help:"With s3://: address of the server." placeholder:"URL"`
	FilesAccessKeyFile string `help:"With s3://: file with the access key." placeholder:"FILE"`
	FilesSecretKeyFile string `help:"With s3://: file with the secret key." placeholder:"FILE"`
}

// place is where files are kept; nil for nowhere.
func (s *placeSettings) place(database string) (files.Place, error) {
	switch {
	case s.Files == "" && sqlstore.IsPostgres(database):
		return nil, nil //nolint:nilnil // there is none
	case s.Files == "":
		return files.NewFolder(files.Beside(database), false), nil
	case files.IsS3(s.Files):
		return s.bucket()
	}
	if info, err := os.Stat(s.Files); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("--files %s is not a folder", s.Files)
	}
	return files.NewFolder(s.Files, true), nil
}

// placeToCheck is where the files of a database are, which may be a backup with a folder of its own; nil for nowhere.
func (s *placeSettings) placeToCheck(database string) (files.Place, error) {
	if folder, ok := backup.FilesOf(database); ok && s.Files == "" {
		return files.NewFolder(folder, false), nil
	}
	return s.place(database)
}

// bucket is the place of an address of S3. Keys are in files, so that no list of processes shows them.
func (s *placeSettings) bucket() (files.Place, error) {
	var missing []string
	for _, needed := range [][2]string{
		{"--files-endpoint", s.FilesEndpoint},
		{"--files-access-key-file", s.FilesAccessKeyFile}, {"--files-secret-key-file", s.FilesSecretKeyFile},
	} {
		if needed[1] == "" {
			missing = append(missing, needed[0])
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("--files %s needs %s too", s.Files, strings.Join(missing, ", "))
	}
	config := files.S3Config{Address: s.Files, Endpoint: s.FilesEndpoint}
	for _, key := range []struct {
		flag, file string
		to         *string
	}{
		{"--files-access-key-file", s.FilesAccessKeyFile, &config.AccessKey},
		{"--files-secret-key-file", s.FilesSecretKeyFile, &config.SecretKey},
	} {
		text, err := os.ReadFile(key.file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key.flag, err)
		}
		*key.to = strings.TrimSpace(string(text))
	}
	place, err := files.NewS3(config)
	if err != nil {
		return nil, err
	}
	return place, nil
}

// fileSettings are the flags of a service that keeps files.
type fileSettings struct {
	placeSettings
	MaxFileSize int64 `help:"Maximum size of a file in bytes." default:"268435456"`
}

func (s *fileSettings) check() error {
	if s.MaxFileSize < 1 {
		return errors.New("--max-file-size must be greater than 0")
	}
	return nil
}

// keeper keeps files in a place; nil where there is none.
func (s *fileSettings) keeper(place files.Place, service *shop.Service, clock ident.Clock, logger *slog.Logger) *files.Keeper {
	if place == nil {
		return nil
	}
	return files.New(place, service, s.MaxFileSize, clock, logger)
}

// filesCommand has commands that work on files without the service.
type filesCommand struct {
	Check checkFilesCommand `cmd:"" help:"Compare all stored files with their digests, also while the service runs. Exit status 0: all match, 1: one is missing or altered, 2: the check failed."`
	Prune pruneFilesCommand `cmd:"" help:"Delete stored files that no record refers to."`
}

type checkFilesCommand struct {
	Database string `help:"The database: a file, or postgres://..." required:"true" placeholder:"DATABASE"`
	placeSettings
}

// Run checks.
func (c *checkFilesCommand) Run(w *world) error {
	place, err := c.placeToCheck(c.Database)
	if err == nil && place == nil {
		err = errors.New("say where the files are: --files")
	}
	if err != nil {
		return wrongSettings(err)
	}
	var wrong []string
	var checked files.Checked
	if err := sqlstore.ReadOnly(w.ctx, c.Database, func(tx shop.Reader) (err error) {
		checked, err = files.Check(w.ctx, place, tx.KeptFiles(), func(_, why string) { wrong = append(wrong, why) })
		return err
	}); err != nil {
		return &exitError{fmt.Errorf("could not be checked: %w", err), 2}
	}
	fmt.Fprintf(w.stdout, "%d files with %d bytes were checked.\n", checked.Files, checked.Bytes)
	if len(wrong) > 0 {
		return &exitError{errors.New(strings.Join(wrong, "\n")), 1}
	}
	return nil
}

type pruneFilesCommand struct {
	Database string `help:"The database: a file that no service has open, or postgres://..." required:"true" placeholder:"DATABASE"`
	placeSettings
	poolSettings
	logSettings
}

// Run prunes.
func (c *pruneFilesCommand) Run(w *world) error {
	logger, err := c.logger(w.stderr)
	if err != nil {
		return err
	}
	place, err := c.place(c.Database)
	if err == nil && place == nil {
		err = errors.New("say where the files are: --files")
	}
	if err != nil {
		return wrongSettings(err)
	}
	if _, err := os.Stat(c.Database); err != nil && !sqlstore.IsPostgres(c.Database) {
		return err // and none is made
	}
	store, err := openStore(w.ctx, c.Database, c.poolSettings, sqlstore.Options{Logger: logger})
	if err != nil {
		return err
	}
	service := shop.New(store, time.Now, ident.NewIdentifiers(time.Now))
	removed, bytes := 0, int64(0)
	err = files.Prune(w.ctx, place, service, func(stored files.Stored) {
		removed++
		bytes += stored.Size
	})
	if err == nil {
		err = files.New(place, service, 0, time.Now, logger).Sweep(w.ctx)
	}
	fmt.Fprintf(w.stdout, "%d files with %d bytes were removed, which the database does not know.\n", removed, bytes)
	return errors.Join(err, closeStore(store))
}

// checkFiles adds to what verification found the files that are missing or altered. It says how many it checked.
func checkFiles(ctx context.Context, place files.Place, tx shop.Reader, found func(digest, why string)) (files.Checked, error) {
	if place == nil {
		return files.Checked{}, nil
	}
	return files.Check(ctx, place, tx.KeptFiles(), found)
}

// hasFiles reports whether a database names files. One that cannot be read counts.
func hasFiles(tx shop.Reader) bool {
	next, stop := iter.Pull2(tx.KeptFiles())
	defer stop()
	_, _, found := next()
	return found
}

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

// placeSettings are the flags for the place where files are stored.
type placeSettings struct {
	Files              string `help:"Where to store files: a folder, which all instances share with PostgreSQL, or s3://bucket/prefix. Default: next to the database file." placeholder:"PLACE"`
	FilesEndpoint      string `help:"With s3://: address of the server." placeholder:"URL"`
	FilesAccessKeyFile string `help:"With s3://: file with the access key." placeholder:"FILE"`
	FilesSecretKeyFile string `help:"With s3://: file with the secret key." placeholder:"FILE"`
}

// place returns the storage for files, or nil if files are not enabled.
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

// placeToCheck returns the storage with the files of a database, or nil if it has none. The files of a backup are in the backup's own
// folder.
func (s *placeSettings) placeToCheck(database string) (files.Place, error) {
	if folder, ok := backup.FilesOf(database); ok && s.Files == "" {
		return files.NewFolder(folder, false), nil
	}
	return s.place(database)
}

// bucket returns the storage for an S3 address.
func (s *placeSettings) bucket() (files.Place, error) {
	bucket, err := bucketAt("--files", s.Files, bucketFlags{"--files", s.FilesEndpoint, s.FilesAccessKeyFile, s.FilesSecretKeyFile})
	if err != nil {
		return nil, err
	}
	return files.S3{Bucket: bucket}, nil
}

// bucketFlags are the values of the flags that belong to an S3 address. The names of these flags begin with begin.
type bucketFlags struct {
	begin, endpoint, accessKeyFile, secretKeyFile string
}

// bucketAt returns the bucket at the S3 address that a flag has. The access keys are read from files, so that no list of processes shows
// them.
func bucketAt(flag, address string, flags bucketFlags) (*files.Bucket, error) {
	config := files.S3Config{Address: address, Endpoint: flags.endpoint}
	keys := []struct {
		flag, file string
		to         *string
	}{
		{flags.begin + "-access-key-file", flags.accessKeyFile, &config.AccessKey},
		{flags.begin + "-secret-key-file", flags.secretKeyFile, &config.SecretKey},
	}
	var missing []string
	if flags.endpoint == "" {
		missing = append(missing, flags.begin+"-endpoint")
	}
	for _, key := range keys {
		if key.file == "" {
			missing = append(missing, key.flag)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%s %s needs %s too", flag, address, strings.Join(missing, ", "))
	}
	for _, key := range keys {
		text, err := os.ReadFile(key.file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key.flag, err)
		}
		*key.to = strings.TrimSpace(string(text))
	}
	return files.NewBucket(config)
}

// fileSettings are the flags of a service that stores files.
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

// keeper returns the keeper that stores files in a place; nil without a place.
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

// Run checks the files.
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

// Run deletes stored files that no record refers to.
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

// checkFiles passes each missing or altered file to found. It returns the number of files that it checked.
func checkFiles(ctx context.Context, place files.Place, tx shop.Reader, found func(digest, why string)) (files.Checked, error) {
	if place == nil {
		return files.Checked{}, nil
	}
	return files.Check(ctx, place, tx.KeptFiles(), found)
}

// hasFiles reports whether the records of a database refer to files. It returns true if the database cannot be read.
func hasFiles(tx shop.Reader) bool {
	next, stop := iter.Pull2(tx.KeptFiles())
	defer stop()
	_, _, found := next()
	return found
}

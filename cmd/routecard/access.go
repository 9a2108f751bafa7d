package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore"
)

// accessSettings are the flags for the authentication of callers.
type accessSettings struct {
	Auth        string        `help:"Which requests require sign-in: ${enum}." enum:"off,writes,all" default:"off"`
	PepperFile  string        `help:"File with the secret that password hashes depend on. Default: next to the database, created if missing." placeholder:"FILE"`
	SecurityLog string        `help:"File for the security log: sign-ins and refusals as lines of JSON. Default: standard error." placeholder:"FILE"`
	StationIdle time.Duration `help:"Idle time after which a station signs its user out." default:"10m"`

	OpenID openIDSettings `embed:""`
}

// check validates the settings.
func (s accessSettings) check(database string) error {
	if access.Mode(s.Auth) == access.Off {
		return nil
	}
	if s.StationIdle < time.Minute {
		return errors.New("--station-idle must be at least 1m")
	}
	if err := canAppend(s.SecurityLog); err != nil {
		return fmt.Errorf("--security-log: %w", err)
	}
	file, err := s.pepperFile(database)
	if err != nil {
		return err
	}
	if err := access.CheckPepper(file); err != nil {
		return fmt.Errorf("--pepper-file: %w", err)
	}
	return nil
}

// provider returns the OpenID Connect provider for sign-ins, or nil.
func (s accessSettings) provider(publicURL string, logger *slog.Logger) (*access.ProviderOptions, error) {
	options, err := s.OpenID.options(publicURL, logger)
	if err == nil && options != nil && access.Mode(s.Auth) == access.Off {
		return nil, errors.New("--oidc-issuer needs --auth writes or all: with off nobody signs in")
	}
	return options, err
}

// open makes the service that authenticates callers, or nil without authentication.
func (s accessSettings) open(ctx context.Context, store sqlstore.Store, database string, options access.Options,
) (*access.Service, error) {
	options.Mode = access.Mode(s.Auth)
	if options.Mode == access.Off {
		return nil, nil //nolint:nilnil // no authentication is no error
	}
	accounts, ok := store.(access.Store)
	if !ok {
		return nil, errors.New("--auth: this database keeps no accounts")
	}
	file, err := s.pepperFile(database)
	if err != nil {
		return nil, err
	}
	pepper, made, err := access.ReadPepper(file)
	if err != nil {
		return nil, fmt.Errorf("--pepper-file: %w", err)
	}
	if made {
		options.Logger.InfoContext(ctx,
			"made the pepper file: passwords are worth nothing without it, so keep a copy apart from the database", "file", file)
	}
	options.Pepper, options.StationIdle = pepper, s.StationIdle
	door, err := access.New(ctx, accounts, options)
	if err != nil {
		if made { // so that the right pepper can still be put in its place
			err = errors.Join(err, os.Remove(file))
		}
		return nil, fmt.Errorf("--pepper-file %s: %w", file, err)
	}
	return door, nil
}

// pepperFile returns the file of the pepper. A database file has a default place; all instances on a server need the same file.
func (s accessSettings) pepperFile(database string) (string, error) {
	switch {
	case s.PepperFile != "":
		return s.PepperFile, nil
	case sqlstore.IsPostgres(database):
		return "", errors.New("--pepper-file is missing: with PostgreSQL it has to be named, and be the same for all instances")
	}
	return strings.TrimSuffix(database, filepath.Ext(database)) + ".pepper", nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/routecard/routecard"
	"github.com/routecard/routecard/internal/demo"
	"github.com/routecard/routecard/internal/httpapi"
	"github.com/routecard/routecard/internal/sqlstore"
)

type serveCommand struct {
	Listen   string `help:"Address to listen on." default:"127.0.0.1:8080"`
	Database string `help:"Database: a file, created when it does not exist." default:"routecard.db"`
	MaxBody  int64  `help:"Largest request body in bytes; requests that list many serials may have 16 MiB." default:"1048576"`
	Demo     bool   `help:"Fill an empty database with a believable shop first."`
	logSettings
	Tracker trackerSettings `embed:""`
}

// Limits on what a client controls, and on how long stopping takes.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = time.Minute
	writeTimeout  = time.Minute
	idleTimeout   = 2 * time.Minute
	headerLimit   = 64 << 10
	stopTimeout   = 10 * time.Second
)

// Run serves until the process is asked to stop.
func (c *serveCommand) Run(w *world) (err error) {
	logger, err := c.logger(w.stderr)
	if err != nil {
		return err
	}
	if c.MaxBody < 1 {
		return errors.New("--max-body must be greater than 0")
	}
	jira, err := c.Tracker.connect(logger)
	if err != nil {
		return err
	}
	metrics := httpapi.NewMetrics()
	store, err := openStore(w.ctx, c.Database, sqlstore.Options{Logger: logger, Committed: metrics.Committed})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	clock := time.Now
	identifiers := routecard.NewIdentifiers(clock)
	if c.Demo {
		if err := demo.Fill(w.ctx, store, clock()); err != nil {
			return fmt.Errorf("--demo: %w", err)
		}
	}
	listener, err := (&net.ListenConfig{}).Listen(w.ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w", c.Listen, unwrapListen(err))
	}
	server := &http.Server{
		Handler: httpapi.New(httpapi.Config{
			Service: routecard.New(store, clock, identifiers, c.Tracker.options(jira)...), Ready: store.Ready,
			Degraded: c.Tracker.degraded(jira), Logger: logger, Metrics: metrics, MaxBody: c.MaxBody,
		}),
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: headerLimit, ConnState: metrics.ConnState,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	c.greet(w, listener.Addr())
	return serve(w.ctx, server, listener, logger)
}

// greet says where the service is. Beyond loopback it warns: users name themselves in this interface.
func (c *serveCommand) greet(w *world, address net.Addr) {
	base := "http://" + address.String()
	fmt.Fprintf(w.stdout, "Routecard listens on %s\nDatabase:      %s\nAPI reference: %s/docs\n", base, c.Database, base)
	if tcp, ok := address.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
		fmt.Fprintln(w.stderr, "Warning: anyone who reaches this port can write, under any name. "+
			"Listen on 127.0.0.1, or put something in front that knows your people (see docs/running.md).")
	}
}

// serve answers requests until ctx ends, then lets those in flight finish.
func serve(ctx context.Context, server *http.Server, listener net.Listener, logger *slog.Logger) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	logger.Info("stopping")
	stopping, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	if err := server.Shutdown(stopping); err != nil {
		logger.Warn("requests were still in flight and are cut off", "error", err)
		if err := server.Close(); err != nil {
			logger.Warn("closing", "error", err)
		}
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// unwrapListen leaves out what the message says already.
func unwrapListen(err error) error {
	if failure, ok := errors.AsType[*net.OpError](err); ok {
		return failure.Err
	}
	return err
}

// openStore opens the database that an address names.
func openStore(ctx context.Context, database string, options sqlstore.Options) (*sqlstore.SQLite, error) {
	if strings.HasPrefix(database, "postgres://") || strings.HasPrefix(database, "postgresql://") {
		return nil, errors.New("PostgreSQL is not in this build yet; --database takes a file")
	}
	return sqlstore.OpenSQLite(ctx, database, options)
}

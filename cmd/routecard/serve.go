package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // so that zones do not depend on the machine

	"github.com/alecthomas/kong"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/demo"
	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/httpapi"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/tail"
	"github.com/routecard/routecard/internal/tracker"
	"github.com/routecard/routecard/internal/web"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/paper"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

type serveCommand struct {
	configSettings

	Listen   string `help:"Address to listen on." default:"127.0.0.1:8080"`
	Database string `help:"Database: a file, created if missing, or postgres://..." default:"routecard.db"`
	// Servers for reads.
	ReadDatabase []string `help:"PostgreSQL: addresses of standbys, from which lists, searches, exports and pages without forms are read." placeholder:"ADDRESS"`

	MaxBody int64 `help:"Maximum size of a request body in bytes. Requests that list many serials may have 16 MiB." default:"1048576"`
	Demo    bool  `help:"Fill an empty database with demo data first."`
	// The time for which a request can be repeated.
	IdempotencyRetention time.Duration `help:"How long to store an Idempotency-Key." default:"168h"`
	// The memory of the service.
	MemoryLimit int64 `help:"Memory in bytes for requests and responses, which is also the soft memory limit. 0: a quarter of the machine's or the container's memory, at least 256 MiB." default:"0"`

	UndoWindow   time.Duration `help:"How long users may undo their own changes without the permission \"decide\"." default:"15m"`
	TimeZone     string        `help:"Time zone of the shop, such as Europe/Berlin: it determines when a day ends. Default: the machine's time zone."`
	Language     string        `help:"Language of pages for users and browsers that choose none, such as de. Default: English." placeholder:"TAG"`
	SerialPrefix string        `help:"Prefix of the identifiers of units: a capital letter, then capitals and digits, at most 8. The first start of a database stores it, and it never changes. Default: SN." placeholder:"PREFIX"`
	hostSettings
	tlsSettings
	poolSettings
	logSettings
	ErrorLog string          `help:"File for the latest warnings and errors, which routecard doctor prints." placeholder:"FILE"`
	Access   accessSettings  `embed:""`
	Tracker  trackerSettings `embed:""`
	ledgerSettings
	backupSettings
	noticeSettings
	fileSettings
}

// Limits on clients.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = time.Minute
	writeTimeout  = time.Minute
	idleTimeout   = 2 * time.Minute
	headerLimit   = 16 << 10
)

// check validates the settings by themselves, and opens nothing.
func (c *serveCommand) check() error {
	switch {
	case c.MaxBody < 1:
		return errors.New("--max-body must be greater than 0")
	case c.IdempotencyRetention <= 0:
		return errors.New("--idempotency-retention must be greater than 0")
	case c.MemoryLimit < 0:
		return errors.New("--memory-limit must not be negative")
	case c.UndoWindow < 0:
		return errors.New("--undo-window must not be negative")
	}
	if err := checkPrefix(c.SerialPrefix); err != nil {
		return err
	}
	if _, err := c.zone(); err != nil {
		return err
	}
	if err := checkListen(c.Listen); err != nil {
		return err
	}
	if err := canAppend(c.ErrorLog); err != nil {
		return fmt.Errorf("--error-log: %w", err)
	}
	if err := checkDatabase(c.Database, c.poolSettings); err != nil {
		return err
	}
	if err := checkStandbys(c.Database, c.ReadDatabase); err != nil {
		return err
	}
	if _, err := c.names(); err != nil {
		return err
	}
	if _, err := c.proxies(); err != nil {
		return err
	}
	if err := c.checkOrigins(); err != nil {
		return err
	}
	if err := c.backupSettings.check(c.Database); err != nil {
		return err
	}
	if c.Language != "" {
		if _, offered := lang.Find(lang.Languages(), c.Language); !offered {
			return fmt.Errorf("--language must be the tag of a language that pages are offered in, such as en, not %q", c.Language)
		}
	}
	if err := c.fileSettings.check(); err != nil {
		return err
	}
	return c.Access.check(c.Database)
}

// zone returns the time zone of the shop.
func (c *serveCommand) zone() (*time.Location, error) {
	if c.TimeZone == "" {
		return time.Local, nil //nolint:gosmopolitan // the zone of the machine is intended
	}
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return nil, fmt.Errorf("--time-zone must be an IANA name such as Europe/Berlin: %s", c.TimeZone)
	}
	return zone, nil
}

// checkPrefix validates the prefix of units. "" is the prefix of the database.
func checkPrefix(text string) error {
	prefix := ident.Prefix(text)
	switch {
	case text == "":
		return nil
	case !prefix.Valid():
		return fmt.Errorf("--serial-prefix must be a capital letter, then capitals and digits, at most %d, such as P2, not %q",
			ident.PrefixLimit, text)
	case shop.ReservedPrefix(prefix):
		return fmt.Errorf("--serial-prefix must not be %s: other codes of Routecard begin with it", text)
	}
	return nil
}

// checkListen validates the address to listen at, without listening. An empty setting would be a free port of every address of the machine.
func checkListen(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("--listen must be an address and a port such as 127.0.0.1:8080, not %q", address)
	}
	return nil
}

// canAppend returns the reason why a log cannot be opened. It creates no file. An empty name means no log.
func canAppend(name string) error {
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		return file.Close()
	}
	if info, folderErr := os.Stat(filepath.Dir(name)); errors.Is(err, fs.ErrNotExist) && folderErr == nil && info.IsDir() {
		return nil // the start of the service creates it
	}
	return err
}

// serviceOptions returns the settings of shop.Service.
func (c *serveCommand) serviceOptions(door *access.Service) ([]shop.Option, error) {
	zone, err := c.zone()
	options := []shop.Option{shop.WithUndoWindow(c.UndoWindow), shop.WithTimeZone(zone)}
	if door != nil {
		options = append(options, door.Signatures())
	}
	return options, err
}

// papers makes the service print documents, in the time zone that serviceOptions has validated.
func (c *serveCommand) papers(keeper func() *files.Keeper) shop.Option {
	zone, err := c.zone()
	if err != nil {
		zone = time.UTC
	}
	return shop.WithPapers(paper.New(zone, keeper))
}

// Run serves until the process is asked to stop. The settings are validated, the files they name are read, and the address is taken before
// the database is opened, so that a start that fails for one of these reasons leaves no files. The service sends no response before the
// database is ready.
func (c *serveCommand) Run(w *world, parsed *kong.Context) (err error) {
	logger, err := c.logger(w.stderr)
	if err != nil {
		return err
	}
	warnOfVariables(parsed, logger)
	read, err := c.judged(logger)
	if err != nil {
		return wrongSettings(err)
	}
	logger, errorsKept, err := keepErrors(logger, c.ErrorLog)
	if err != nil {
		return wrongSettings(err)
	}
	defer func() { err = errors.Join(err, errorsKept.end(err)) }()
	encryption, jira, provider, sealed, place := read.encryption, read.jira, read.provider, read.sealed, read.place
	listener, err := (&net.ListenConfig{}).Listen(w.ctx, "tcp", c.Listen)
	if err != nil {
		return startFailure(fmt.Errorf("cannot listen on %s: %w", c.Listen, unwrapListen(err)))
	}
	defer func() { err = errors.Join(err, closeListener(listener)) }()
	known, err := c.known()
	if err != nil {
		return err
	}
	proxies, err := c.proxies()
	if err != nil {
		return err
	}
	security, err := c.Access.securityLog(w.stderr, logger)
	if err != nil {
		return wrongSettings(err)
	}
	defer func() { err = errors.Join(err, security.close()) }()
	metrics, err := newMetrics()
	if err != nil {
		return err
	}
	follower := tail.New(logger)
	store, err := openStore(w.ctx, c.Database, c.poolSettings, sqlstore.Options{
		SerialPrefix: ident.Prefix(c.SerialPrefix), Logger: logger, Committed: func(callers int, took time.Duration) {
			metrics.Committed(callers, took)
			follower.Committed()
		},
	}, c.ReadDatabase...)
	if err != nil {
		return startFailure(err)
	}
	defer func() { err = errors.Join(err, closeStore(store)) }()
	metrics.WatchDatabase(!sqlstore.IsPostgres(c.Database), store.Sizes)
	standbys := standbysOf(store)
	standbys.watchedBy(metrics)
	clock := time.Now
	if c.Demo {
		if err := c.fillDemo(w.ctx, store, place, clock()); err != nil {
			return err
		}
	}
	keys := keyFiles(c.Database, c.LedgerKeyFile)
	seals, err := openLedger(w.ctx, sealed, sealing(c.Database, store, clock, logger, follower), keys)
	if err != nil {
		return err
	}
	metrics.WatchLedger(seals)
	defer startLedger(w.ctx, seals)()
	backups, stopBackups, err := c.startBackups(w.ctx, c.Database, place, logger)
	if err != nil {
		return err
	}
	defer stopBackups()
	metrics.WatchBackups(backups)
	newest, err := shop.NewestIdentifier(w.ctx, store)
	if err != nil {
		return err
	}
	ids := ident.NewIdentifiersAfter(newest, clock)
	door, err := c.Access.open(w.ctx, store, c.Database, access.Options{
		Provider: provider, Clock: clock, IDs: ids, Logger: logger, Locked: metrics.Locked,
		Origin: c.origin(listener.Addr(), encryption != nil), ShopNames: c.shopNames(), Security: security.Logger,
		Secure: encryption != nil || strings.HasPrefix(c.PublicURL, "https:"),
	})
	if err != nil {
		return err
	}
	code, err := invitation(w.ctx, door)
	if err != nil {
		return err
	}
	options, err := c.serviceOptions(door)
	if err != nil {
		return err
	}
	var kept *files.Keeper
	service := shop.New(store, clock, ids, append(options,
		c.papers(func() *files.Keeper { return kept }), shop.WithHooks(read.notices.policy.Allows))...)
	shown := views.New(store, service)
	kept = c.fileSettings.keeper(place, service, clock, logger)
	languages := lang.Languages()
	notices := c.notifier(service, shown, read.notices, languages, seals, backups, logger)
	metrics.WatchNotices(notices)
	following, stopFollowing := context.WithCancel(w.ctx)
	var followed sync.WaitGroup
	followed.Go(func() { follower.Run(following, store) })
	followed.Go(func() { notices.Run(following) })
	followed.Go(func() {
		// Counts in advance, so that the first page need not wait. If this fails, the first page counts and reports the error.
		if err := service.CountEverything(following); err != nil && following.Err() == nil {
			logger.Warn("counting serials at the start failed", "error", err)
		}
	})
	followed.Go(func() {
		if err := shown.SearchLongest(following); err != nil && following.Err() == nil {
			logger.Warn("looking for what stands longest at the start failed", "error", err)
		}
	})
	followed.Go(func() {
		service.ForgetKeys(following, c.IdempotencyRetention, tracker.Pause, func(err error) {
			logger.Warn("forgetting old idempotency keys failed", "error", err)
		})
	})
	if kept != nil {
		followed.Go(func() { kept.Run(following, tracker.Pause) })
	}
	if door != nil {
		followed.Go(func() { door.WatchProvider(following, tracker.Pause) })
	}
	defer followed.Wait()
	defer stopFollowing()
	memory := c.limitMemory()
	dossiers := dossier.NewMaker(service.Zone(), seals != nil, languages...)
	handler := httpapi.New(httpapi.Config{
		Service: service, Views: shown, Tracker: c.Tracker.link(service, jira), Access: door,
		KnownHost: known, Proxies: proxies, Origins: c.CORSOrigin, Memory: memory,
		Ready: service.Store().Ready,
		Degraded: degraded(c.Tracker.degraded(jira), ledgerTrouble(seals), backupTrouble(backups), providerTrouble(door),
			kept.Trouble, security.trouble, notices.Degraded, standbys.trouble),
		Stopping: w.ctx.Done(), Logger: logger, Metrics: metrics, MaxBody: c.MaxBody, Tail: follower,
		Ledger: seals, Backups: backups, Files: kept, Dossiers: dossiers, Notices: notices,
		Pages: web.New(site.Config{
			Service: service, Views: shown, Access: door, Logger: logger, Ledger: seals, Backups: backups, Notices: notices,
			MaxFileSize: kept.Limit(), KeyRetention: c.IdempotencyRetention, DefaultLanguage: c.Language, Dossiers: dossiers,
			Languages: languages,
		}),
	})
	limited := limitConnections(listener, memory, memoryOfConnection(encryption != nil), proxies)
	server := newServer(handler, encryption, func(conn net.Conn, state http.ConnState) {
		limited.changed(conn, state)
		metrics.ConnState(conn, state)
	}, logger)
	if err := c.greet(w, listener.Addr(), seals, code); err != nil {
		return err
	}
	return serve(w, server, limited, logger, seals.CutOff)
}

// newServer makes the server of a handler within the limits of this program; encryption is nil for a server without TLS.
func newServer(
	handler http.Handler, encryption *tls.Config, changed func(net.Conn, http.ConnState), logger *slog.Logger,
) *http.Server {
	return &http.Server{
		Handler: handler, ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: headerLimit, HTTP2: &http.HTTP2Config{MaxConcurrentStreams: encryptedStreams},
		ConnState: changed, TLSConfig: encryption, ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}

// fillDemo fills the database with demonstration data. If it cannot, its error says what to do instead.
func (c *serveCommand) fillDemo(ctx context.Context, store sqlstore.Store, place files.Place, now time.Time) error {
	err := demo.Fill(ctx, store, now)
	if err == nil && place != nil {
		err = demo.AttachFiles(ctx, store, place, now)
	}
	switch {
	case errors.Is(err, demo.ErrNotEmpty):
		return fmt.Errorf("--demo fills only an empty database, and %s has data: "+
			"start without --demo, or name a new file with --database", c.Database)
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("--demo was interrupted; delete %s before trying again", c.Database)
	default:
		return err
	}
}

// greet prints the address of the service. With a code it also prints how the first administrator signs in; this must not be in a log. If
// the service is reachable from other machines, it warns that callers are not authenticated, or that passwords are sent unencrypted.
func (c *serveCommand) greet(w *world, address net.Addr, seals *sealer.Sealer, code string) error {
	scheme, everywhere := "http://", ""
	if c.TLSCertFile != "" {
		scheme = "https://"
	}
	base := scheme + address.String()
	tcp, ok := address.(*net.TCPAddr)
	if ok && tcp.IP.IsUnspecified() {
		base = scheme + net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
		everywhere = " and every other address of this machine"
	}
	fmt.Fprintf(w.stdout, "Routecard listens on %s%s\nDatabase:      %s\n", base, everywhere, sqlstore.Redacted(c.Database))
	if seals != nil {
		for _, key := range seals.Status().VerifierKeys {
			fmt.Fprintf(w.stdout, "Verifier key:  %s\n", key)
		}
	}
	if err := c.invite(w, cmp.Or(strings.TrimSuffix(withoutSecrets(c.PublicURL), "/"), base), code); err != nil {
		return err
	}
	fmt.Fprintf(w.stdout, "API reference: %s/docs\n", base)
	switch beyond := ok && !tcp.IP.IsLoopback(); {
	case beyond && c.Access.Auth == string(access.Off):
		c.warn(w, "Anyone who reaches this port can write, under any name. "+
			"Listen on 127.0.0.1, or put something in front that knows your people (see docs/running.md).")
	case beyond && c.TLSCertFile == "":
		c.warn(w, "Passwords and tokens go to this port unencrypted. "+
			"Listen on 127.0.0.1, and put something with a certificate in front (see docs/access.md).")
	}
	return nil
}

// warn logs a warning at every log level, in the format of the log.
func (c *serveCommand) warn(w *world, text string) {
	if c.LogFormat == "json" {
		slog.New(c.handler(w.stderr, slog.LevelWarn)).Warn(text) //nolint:sloglint // a fixed text, one line above
		return
	}
	fmt.Fprintln(w.stderr, "Warning: "+text)
}

// closeListener closes a listener that the server may have closed already.
func closeListener(listener net.Listener) error {
	if err := listener.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

func closeStore(store sqlstore.Store) error {
	if err := store.Close(); err != nil {
		return fmt.Errorf("close the database: %w", err)
	}
	return nil
}

// unwrapListen removes the parts of the error that the message already has.
func unwrapListen(err error) error {
	if failure, ok := errors.AsType[*net.OpError](err); ok {
		return failure.Err
	}
	return err
}

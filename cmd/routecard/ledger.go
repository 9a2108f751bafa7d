package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/tail"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop/ident"
)

// ledgerSettings are the flags of the ledger over the audit trail.
type ledgerSettings struct {
	Ledger          string        `help:"Seal the audit trail: ${enum}. On PostgreSQL it needs --ledger-key-file." enum:"on,off" default:"on"`
	LedgerKeyFile   []string      `help:"Files with the private keys that sign; two during a key change. Default: a key next to the database file, created if missing." placeholder:"FILE"`
	LedgerOrigin    string        `help:"Name of a new log. Default: routecard/ and eight random digits." placeholder:"NAME"`
	LedgerInterval  time.Duration `help:"Longest time between the commit of an entry and its seal." default:"1s"`
	LedgerPolicy    string        `help:"File that lists the witnesses to cosign checkpoints, in the tlog-policy format." placeholder:"FILE"`
	LedgerAnchorDir string        `help:"Additional place to store a checkpoint every hour." placeholder:"FOLDER"`
}

// keyFiles returns the key files: the files in the settings, or else the file next to the database file.
func keyFiles(database string, named []string) []string {
	if len(named) == 0 && !sqlstore.IsPostgres(database) {
		return []string{database + ".ledger-key"}
	}
	return named
}

// config returns the configuration of the ledger from the settings and their files; nil without a ledger.
func (s *ledgerSettings) config(database string) (*sealer.Config, error) {
	config := &sealer.Config{KeyFiles: keyFiles(database, s.LedgerKeyFile)}
	if s.Ledger == "off" || len(config.KeyFiles) == 0 {
		if s.Ledger == "on" && (s.LedgerPolicy != "" || s.LedgerAnchorDir != "" || s.LedgerOrigin != "") {
			return nil, errors.New("the ledger of a PostgreSQL database needs --ledger-key-file")
		}
		return nil, nil //nolint:nilnil // there is none
	}
	if err := sealer.CheckKeys(config.KeyFiles); err != nil {
		return nil, fmt.Errorf("the key of the ledger: %w", err)
	}
	if s.LedgerInterval < 10*time.Millisecond || s.LedgerInterval > time.Hour {
		return nil, errors.New("--ledger-interval must be between 10ms and 1h")
	}
	if s.LedgerOrigin != "" {
		if err := ledger.CheckOrigin(s.LedgerOrigin); err != nil {
			return nil, fmt.Errorf("--ledger-origin: %w", err)
		}
	}
	config.Interval, config.Origin, config.AnchorFolder = s.LedgerInterval, s.LedgerOrigin, s.LedgerAnchorDir
	if s.LedgerPolicy != "" {
		var err error
		if config.Policy, err = readPolicy(s.LedgerPolicy); err != nil {
			return nil, fmt.Errorf("--ledger-policy: %w", err)
		}
	}
	if s.LedgerAnchorDir != "" {
		if info, err := os.Stat(s.LedgerAnchorDir); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("--ledger-anchor-dir %s is not a folder", s.LedgerAnchorDir)
		}
	}
	return config, nil
}

// openLedger opens the ledger of the settings. Without a ledger it returns nil and removes the state files of the keys, because the service
// will write entries that these files do not cover. The configuration service has the settings that do not depend on flags.
func openLedger(ctx context.Context, settings *sealer.Config, service sealer.Config, keys []string) (*sealer.Sealer, error) {
	if settings == nil {
		return nil, sealer.RemoveMarks(ctx, service.Store, keys)
	}
	config := *settings
	config.Alone = service.Alone
	config.Store, config.Clock, config.Logger, config.Wait = service.Store, service.Clock, service.Logger, service.Wait
	return sealer.Open(ctx, config)
}

func readPolicy(file string) (*ledger.Policy, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	policy, err := ledger.ParsePolicy(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return policy, nil
}

// startLedger runs a sealer alongside the service, until stop, which seals the commits so far.
func startLedger(ctx context.Context, s *sealer.Sealer) (stop func()) {
	if s == nil {
		return func() {}
	}
	running, end := context.WithCancel(context.WithoutCancel(ctx)) // because requests in flight when the service stops still commit entries
	var done sync.WaitGroup
	done.Go(func() { s.Run(running) })
	done.Go(func() { s.Watch(running) })
	done.Go(func() { s.Show(running) })
	return func() {
		end()
		done.Wait()
	}
}

// ledgerTrouble reports the troubles of a sealer for the health of the service.
func ledgerTrouble(s *sealer.Sealer) func() string {
	if s == nil {
		return nil
	}
	return s.Degraded
}

// degraded joins the sentences about parts of the service that do not work.
func degraded(asked ...func() string) func() string {
	return func() string {
		var said []string
		for _, ask := range asked {
			if ask != nil {
				if text := ask(); text != "" {
					said = append(said, text)
				}
			}
		}
		return strings.Join(said, "; ")
	}
}

// ledgerCommand has commands that work on the ledger without the service.
type ledgerCommand struct {
	Accept acceptCommand `cmd:"" help:"Restart the ledger after known data loss, such as a restored backup."`
	Key    keyCommand    `cmd:"" help:"Create a private key to sign together with the current one, and later to replace it."`
}

type acceptCommand struct {
	Database      string   `help:"Database: a file that no service has open, or postgres://..." required:"true" placeholder:"DATABASE"`
	Reason        string   `help:"What happened. The audit trail records it." required:"true"`
	User          string   `help:"Person who accepts it, for the audit trail." default:"administrator"`
	LedgerKeyFile []string `help:"Files with the private keys that the service uses." placeholder:"FILE"`
	logSettings
}

// Run restarts the ledger.
func (c *acceptCommand) Run(w *world) (err error) {
	logger, err := c.logger(w.stderr)
	if err != nil {
		return err
	}
	files := keyFiles(c.Database, c.LedgerKeyFile)
	if len(files) == 0 {
		return wrongSettings(errors.New("--ledger-key-file is needed"))
	}
	if !sqlstore.IsPostgres(c.Database) {
		if _, err := os.Stat(c.Database); err != nil {
			return err // and no database is created
		}
	}
	store, err := openStore(w.ctx, c.Database, poolSettings{
		PoolConnections: 4, PoolCommitGroups: 1, PoolIdleTime: time.Minute, PoolLifetime: time.Hour,
	}, sqlstore.Options{Logger: logger})
	if errors.Is(err, sqlstore.ErrInUse) {
		return fmt.Errorf("%w: stop the service first", err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeStore(store)) }()
	accepted, err := sealer.Accept(w.ctx, sealer.Config{
		Store: store, Clock: time.Now, Logger: logger, KeyFiles: files, Alone: !sqlstore.IsPostgres(c.Database),
	}, c.Reason, c.User)
	if err != nil {
		return err
	}
	if accepted.TakenOver {
		fmt.Fprintf(w.stdout, "The database has the ledger %s already; it is signed here too from the next start on.\n",
			accepted.Tree.Origin)
	} else {
		fmt.Fprintf(w.stdout, "The ledger begins anew as %s with the next start.\n", accepted.Tree.Origin)
	}
	if len(accepted.Found) > 0 {
		fmt.Fprintln(w.stdout, "This did not agree, and stands in the audit trail:")
		for _, found := range accepted.Found {
			fmt.Fprintf(w.stdout, "- %s\n", found)
		}
	}
	fmt.Fprintf(w.stdout, "Verifier key: %s\n", strings.Join(accepted.VerifierKeys, " "))
	return nil
}

type keyCommand struct {
	File string `arg:"" help:"File to create."`
}

// Run makes a key.
func (c *keyCommand) Run(w *world) error {
	if err := sealer.MakeKey(c.File, "routecard"); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w.stdout, "%s is made. Name it with --ledger-key-file beside the key in use; "+
		"its verifier key is printed at the start.\n", c.File)
	return err
}

// sealing returns the configuration of the service's sealer.
func sealing(database string, store sqlstore.Store, clock ident.Clock, logger *slog.Logger, follower *tail.Tail) sealer.Config {
	return sealer.Config{Alone: !sqlstore.IsPostgres(database), Store: store, Clock: clock, Logger: logger, Wait: follower.Wait}
}

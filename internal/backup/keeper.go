package backup

import (
	"context"
	"fmt"
	"log/slog"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// Keeper makes backups of a database while the service runs: at intervals and on request.
type Keeper struct {
	options Options
	every   time.Duration
	clock   func() time.Time
	logger  *slog.Logger
	ask     chan struct{}

	mu      sync.Mutex
	running bool
	problem string // the reason why the last backup failed; "" after a success
	failed  int64  // the number of failed backups since the start
	made    int64  // the number of successful backups since the start
	listed  []Manifest
	read    time.Time // the time when listed was read from a bucket
}

// NewKeeper makes a Keeper; Run does the work. Of the options, Now and ByHand are set for every backup.
func NewKeeper(options Options, every time.Duration, clock func() time.Time, logger *slog.Logger) *Keeper {
	return &Keeper{options: options, every: every, clock: clock, logger: logger, ask: make(chan struct{}, 1)}
}

const (
	lookEvery = time.Minute // the interval at which a Keeper checks whether a backup is due
	readEvery = time.Hour   // the interval of reading the list of a bucket again, because other programs may have changed it
)

// Run makes backups until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	failed := time.Time{}
	for {
		k.readBucket(ctx, readEvery)
		due := k.clock().Sub(k.lastDue()) >= k.every && k.clock().Sub(failed) >= min(k.every, time.Hour)
		if due && ctx.Err() == nil && !k.take(ctx, false) {
			failed = k.clock()
		}
		select {
		case <-ticker.C:
		case <-k.ask:
			if !k.take(ctx, true) {
				failed = k.clock()
			}
		case <-ctx.Done():
			return
		}
	}
}

// Start requests a backup now. It does nothing if a request is already pending.
func (k *Keeper) Start() {
	select {
	case k.ask <- struct{}{}:
	default:
	}
}

func (k *Keeper) take(ctx context.Context, byHand bool) bool {
	k.begin()
	options := k.options
	options.Now, options.ByHand = k.clock(), byHand
	made, err := Take(ctx, options)
	if err != nil {
		k.end(err)
		if ctx.Err() == nil {
			k.logger.ErrorContext(ctx, "the backup failed; the ones before it stay", "error", err)
		}
		return false
	}
	k.count()
	k.logger.InfoContext(ctx, "backup made", "file", made.File, "bytes", made.Bytes)
	k.readBucket(ctx, 0)
	err = k.runAfter(ctx, options.Address(made.File))
	k.end(err)
	if err != nil && ctx.Err() == nil {
		k.logger.ErrorContext(ctx, "the backup is made, and the command after it failed", "file", made.File, "error", err)
	}
	return true
}

// runAfter runs the command of the settings. A stop of the service ends the command.
func (k *Keeper) runAfter(ctx context.Context, file string) error {
	if k.options.After == "" {
		return nil
	}
	command := exec.CommandContext(ctx, k.options.After, file) //nolint:gosec // users who change the settings may run any command
	command.WaitDelay = time.Second
	output, err := command.CombinedOutput()
	if err == nil {
		return nil
	}
	const most = 500
	return fmt.Errorf("--after-backup %s: %w: %s", k.options.After, err, strings.TrimSpace(string(output[:min(len(output), most)])))
}

func (k *Keeper) begin() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.running = true
}

func (k *Keeper) end(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.running, k.problem = false, ""
	if err != nil {
		k.problem = err.Error()
		k.failed++
	}
}

func (k *Keeper) count() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.made++
}

// Made returns the number of successful backups since the start, including those whose command failed afterwards.
func (k *Keeper) Made() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.made
}

// Failed returns the number of failed backups since the start, including those whose command failed afterwards.
func (k *Keeper) Failed() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.failed
}

// Degraded returns a sentence with the reason why the last backup failed; "" if it did not fail.
func (k *Keeper) Degraded() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.problem == "" {
		return ""
	}
	return "backup: " + strings.ReplaceAll(k.problem, "\n", "; ")
}

// Standing is the state of the backups.
type Standing struct {
	Running bool
	Problem string // the reason why the last attempt failed
	Backups []Manifest
}

// Standing returns the state, with all good backups, the newest first.
func (k *Keeper) Standing() (Standing, error) {
	k.mu.Lock()
	standing := Standing{Running: k.running, Problem: k.problem}
	k.mu.Unlock()
	var err error
	standing.Backups, err = k.backups()
	return standing, err
}

// backups returns the good backups, the newest first. For a bucket it returns the list that was last read.
func (k *Keeper) backups() ([]Manifest, error) {
	if k.options.Bucket == nil {
		return List(k.options.Folder)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.listed), nil
}

// readBucket reads the list of a bucket unless it was read recently, within the given time. If the server is unavailable, the list stays as
// it was.
func (k *Keeper) readBucket(ctx context.Context, within time.Duration) {
	k.mu.Lock()
	fresh := !k.read.IsZero() && k.clock().Sub(k.read) < within
	k.mu.Unlock()
	if k.options.Bucket == nil || fresh {
		return
	}
	listed, err := k.options.List(ctx)
	if err != nil {
		if ctx.Err() == nil {
			k.logger.WarnContext(ctx, "the list of backups was not read", "bucket", k.options.Bucket.Address(""), "error", err)
		}
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listed, k.read = listed, k.clock()
}

// Last returns the time of the last successful backup, or the zero time.
func (k *Keeper) Last() time.Time {
	manifests, err := k.backups()
	if err != nil || len(manifests) == 0 {
		return time.Time{}
	}
	return manifests[0].takenAt()
}

// lastDue returns the time of the last successful scheduled backup.
func (k *Keeper) lastDue() time.Time {
	manifests, _ := k.backups()
	for _, one := range manifests {
		if !one.ByHand {
			return one.takenAt()
		}
	}
	return time.Time{}
}

func (m *Manifest) takenAt() time.Time {
	at, err := time.Parse(time.RFC3339, m.TakenAt)
	if err != nil {
		return time.Time{}
	}
	return at
}

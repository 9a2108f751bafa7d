package backup

import (
	"context"
	"fmt"
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// Keeper makes backups of a database while the service runs: every so often, and when it is asked.
type Keeper struct {
	options Options
	every   time.Duration
	clock   func() time.Time
	logger  *slog.Logger
	ask     chan struct{}

	mu      sync.Mutex
	running bool
	problem string // why the last backup failed; "" when it succeeded
	failed  int64  // how many failed since the start
	made    int64  // how many good ones were made since then
}

// NewKeeper makes a Keeper; Run does the work. Of the options, Now and ByHand are set for every backup.
func NewKeeper(options Options, every time.Duration, clock func() time.Time, logger *slog.Logger) *Keeper {
	return &Keeper{options: options, every: every, clock: clock, logger: logger, ask: make(chan struct{}, 1)}
}

// lookEvery is how often a Keeper checks whether a backup is due.
const lookEvery = time.Minute

// Run makes backups until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	failed := time.Time{}
	for {
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

// Start asks for a backup now. A call while another one is pending adds nothing.
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
	err = k.runAfter(ctx, filepath.Join(options.Folder, made.File))
	k.end(err)
	if err != nil && ctx.Err() == nil {
		k.logger.ErrorContext(ctx, "the backup is made, and the command after it failed", "file", made.File, "error", err)
	}
	return true
}

// runAfter runs the command that the settings name, until the service stops.
func (k *Keeper) runAfter(ctx context.Context, file string) error {
	if k.options.After == "" {
		return nil
	}
	command := exec.CommandContext(ctx, k.options.After, file) //nolint:gosec // who sets it may run what he likes
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

// Made is how many good backups were made since the start, with those whose command afterwards failed.
func (k *Keeper) Made() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.made
}

// Failed is how many backups have failed since the start, with those whose command afterwards did.
func (k *Keeper) Failed() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.failed
}

// Degraded says in a sentence why the last backup failed, or "".
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
	Problem string // why the last attempt failed
	Backups []Manifest
}

// Standing returns the state, with all good backups, the newest first.
func (k *Keeper) Standing() (Standing, error) {
	k.mu.Lock()
	standing := Standing{Running: k.running, Problem: k.problem}
	k.mu.Unlock()
	var err error
	standing.Backups, err = List(k.options.Folder)
	return standing, err
}

// Last returns when the last good backup was made; the zero time when there is none.
func (k *Keeper) Last() time.Time {
	manifests, err := List(k.options.Folder)
	if err != nil || len(manifests) == 0 {
		return time.Time{}
	}
	return manifests[0].takenAt()
}

// lastDue is when the last good backup was made by schedule.
func (k *Keeper) lastDue() time.Time {
	manifests, _ := List(k.options.Folder)
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

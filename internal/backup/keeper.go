package backup

import (
	"context"
	"log/slog"
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
}

// NewKeeper makes a Keeper; Run does the work. Of the options, Now is set anew for every backup.
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
		due := k.clock().Sub(k.Last()) >= k.every && k.clock().Sub(failed) >= min(k.every, time.Hour)
		if due && ctx.Err() == nil && !k.take(ctx) {
			failed = k.clock()
		}
		select {
		case <-ticker.C:
		case <-k.ask:
			if !k.take(ctx) {
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

func (k *Keeper) take(ctx context.Context) bool {
	k.set(true, "")
	options := k.options
	options.Now = k.clock()
	made, err := Take(ctx, options)
	if err != nil {
		k.set(false, err.Error())
		if ctx.Err() == nil {
			k.logger.ErrorContext(ctx, "the backup failed; the ones before it stay", "error", err)
		}
		return false
	}
	k.set(false, "")
	k.logger.InfoContext(ctx, "backup made", "file", made.File, "bytes", made.Bytes)
	return true
}

func (k *Keeper) set(running bool, problem string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.running, k.problem = running, problem
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
	at, err := time.Parse(time.RFC3339, manifests[0].TakenAt)
	if err != nil {
		return time.Time{}
	}
	return at
}

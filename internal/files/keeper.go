package files

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// Keeper receives the bytes of files, serves them, and removes unattached ones. It is safe for concurrent use. A nil Keeper refuses
// everything: a service without a place for files has one.
type Keeper struct {
	place   Place
	service *shop.Service
	limit   int64
	clock   ident.Clock
	logger  *slog.Logger

	mu      sync.Mutex // guards the fields below
	probed  time.Time
	trouble string
}

// New makes a Keeper, which also stores the files that operations of the service create. limit is the maximum size of a file in bytes.
func New(place Place, service *shop.Service, limit int64, clock ident.Clock, logger *slog.Logger) *Keeper {
	k := &Keeper{place: place, service: service, limit: limit, clock: clock, logger: logger}
	service.KeepBytesWith(k.Upload)
	return k
}

// Limit returns the maximum size of a file in bytes.
func (k *Keeper) Limit() int64 {
	if k == nil {
		return 0
	}
	return k.limit
}

// cannot logs the failure of the place, and returns a refusal without its cause.
func (k *Keeper) cannot(ctx context.Context, reason *refusal.Reason, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	k.logger.ErrorContext(ctx, "the place of files failed", "error", err)
	return refusal.Refuse(reason)
}

// Open opens a file if the caller may read it. The caller must close the content.
func (k *Keeper) Open(ctx context.Context, digest string) (file shop.File, content *Content, err error) {
	if k == nil {
		return file, nil, refusal.Refuse(shop.NoFiles)
	}
	if file, err = k.service.FindFile(ctx, digest); err != nil {
		return file, nil, err
	}
	content, err = k.place.Open(ctx, digest)
	switch {
	case errors.Is(err, ErrMissing):
		k.logger.ErrorContext(ctx, "the bytes of a file are missing", "sha256", digest)
		return file, nil, refusal.Refuse(bytesGone, digest)
	case err != nil:
		return file, nil, k.cannot(ctx, unreadable, err)
	case content.Size != file.Size:
		k.logger.ErrorContext(ctx, "a file has another length than it had", "sha256", digest, "size", content.Size, "was", file.Size)
		return file, nil, errors.Join(refusal.Refuse(bytesGone, digest), content.Close())
	}
	return file, content, nil
}

// dismissedAtOnce is the maximum number of files that one sweep removes.
const dismissedAtOnce = 100

// Sweep removes files that have not been attached for a day, and remains of interrupted uploads.
func (k *Keeper) Sweep(ctx context.Context) error {
	for {
		digests, err := k.service.DismissFiles(ctx, dismissedAtOnce)
		if err != nil {
			return err
		}
		for _, digest := range digests {
			if err := k.place.Remove(ctx, digest); err != nil {
				return err
			}
			if err := k.service.ForgetFile(ctx, digest); err != nil {
				return err
			}
		}
		if len(digests) < dismissedAtOnce {
			return k.place.Tidy(k.clock().Add(-shop.UnattachedFor))
		}
	}
}

// sweepEvery is the interval at which Run sweeps.
const sweepEvery = 10 * time.Minute

// Run removes unattached files immediately and then every ten minutes until the context ends. The caller must wait until Run returns. pause
// waits, and returns an error if the context ends first.
func (k *Keeper) Run(ctx context.Context, pause func(context.Context, time.Duration) error) {
	for {
		if err := k.Sweep(ctx); err != nil && ctx.Err() == nil {
			k.logger.WarnContext(ctx, "removing files that nobody attached failed", "error", err)
		}
		if pause(ctx, sweepEvery) != nil {
			return
		}
	}
}

const (
	probeEvery = 5 * time.Second // at most
	probeLimit = 2 * time.Second
)

// Trouble returns the reason why files cannot be stored at the moment, in a sentence; "" if they can. It probes the place at most every
// probeEvery.
func (k *Keeper) Trouble() string {
	if k == nil {
		return ""
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if now := k.clock(); k.probed.IsZero() || now.Sub(k.probed) >= probeEvery {
		ctx, cancel := context.WithTimeout(context.Background(), probeLimit)
		defer cancel()
		k.probed, k.trouble = now, ""
		if err := k.place.Probe(ctx); err != nil {
			k.trouble = "files: " + err.Error()
		}
	}
	return k.trouble
}

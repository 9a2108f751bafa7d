// Package demo fills an empty database with a believable machine shop: jobs, paths, some six hundred serials in every
// state, certificates, notes, bills of materials, libraries, what went wrong and how it was put right, and the audit trail
// of the thirty days it took to get there.
//
// All data is created through shop.Service, never directly in the database. The package runs a small simulation
// (production.go, quality.go) of the shop in shop.go through shop.Service, with a clock of its own that walks along
// the working hours in calendar.go. So every rule holds for the demonstration as it does for the real thing.
package demo

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
)

// ErrNotEmpty says that a database has data, which a demonstration would get mixed up with.
var ErrNotEmpty = errors.New("the database has data already")

// Fill fills an empty store with a shop whose history ends just before now and begins thirty days earlier; working hours
// are those of now's time zone. Two shops with the same now differ in their identifiers only, and in the order of what
// happened at one instant.
//
// It returns ErrNotEmpty, and changes nothing, when the store has any job, certificate, BOM, library entry, note,
// user, template or audit entry. When it fails or is cancelled on the way, what was made so far stays.
func Fill(ctx context.Context, store sqlstore.Store, now time.Time) error {
	if err := refuseData(ctx, store); err != nil {
		return err
	}
	s := newSimulation(store, now)
	if err := s.open(ctx); err != nil {
		return fmt.Errorf("fill the database with a demonstration: %w", err)
	}
	if err := s.run(ctx); err != nil {
		return fmt.Errorf("fill the database with a demonstration: %w", err)
	}
	return nil
}

// refuseData looks for any data that was entered. A note has an audit entry, and a path a job.
func refuseData(ctx context.Context, store sqlstore.Store) error {
	return store.View(ctx, func(tx shop.Reader) error {
		return errors.Join(
			refuseAny(tx.Jobs()), refuseAny(tx.Certificates()), refuseAny(tx.BOMs()),
			refuseAny(tx.LibraryEntries(shop.Processes)), refuseAny(tx.LibraryEntries(shop.Locations)),
			refuseAny(tx.Users()), refuseAny(tx.Templates()), refuseAny(tx.AuditEntries(1, 0)),
		)
	})
}

func refuseAny[T any](records iter.Seq2[T, error]) error {
	for _, err := range records {
		if err != nil {
			return err
		}
		return ErrNotEmpty
	}
	return nil
}

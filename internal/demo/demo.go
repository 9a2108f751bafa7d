// Package demo fills an empty database with a believable machine shop: jobs, paths, some six hundred serials in every state, certificates,
// lots, shipments, assemblies, notes, bills of materials, libraries, nonconformances with their corrections, and the trail of the last
// thirty days.
//
// All data is created through shop.Service, never directly in the database. The package runs a small simulation (production.go, quality.go)
// of the shop in shop.go through shop.Service, with its own clock, which follows the working hours in calendar.go. So the demonstration
// data obeys every rule of the service.
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

// ErrNotEmpty means that a database has data, with which demonstration data would be mixed.
var ErrNotEmpty = errors.New("the database has data already")

// Fill fills an empty store with a shop whose history ends just before now and begins thirty days earlier; working hours are those of now's
// time zone. Two shops with the same now differ only in their identifiers, and in the order of events at the same instant.
//
// It returns ErrNotEmpty, and changes nothing, if the store has any job, certificate, BOM, library entry, note, user, template or audit
// entry. If it fails or is cancelled, the data created so far stays.
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

// refuseData returns ErrNotEmpty if any data was entered. It need not check notes, which have audit entries, or paths, which have jobs.
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

package sealer

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// begin reads the ledger of the database, or begins a new one.
func (s *Sealer) begin(ctx context.Context) error {
	var log shop.LedgerTree
	var known []shop.LedgerKey
	err := s.config.Store.View(ctx, func(tx shop.Reader) (err error) {
		if log, err = tx.LedgerTree(); err != nil {
			return err
		}
		known, err = tx.LedgerKeys()
		return err
	})
	switch {
	case errors.Is(err, shop.ErrNoRecord):
		return s.first(ctx)
	case err != nil:
		return fmt.Errorf("read the ledger: %w", err)
	}
	s.mu.Lock()
	s.log = log
	s.mu.Unlock()
	if first := ledger.FirstOrigin(log.Origin); s.config.Origin != "" && s.config.Origin != first {
		return fmt.Errorf("the ledger of this database is called %s, and --ledger-origin says %s", first, s.config.Origin)
	}
	signers, keys, err := signers(s.config.KeyFiles, log.Origin)
	if errors.Is(err, fs.ErrNotExist) {
		return trouble("the key is missing: %v", err)
	}
	if err != nil {
		return err
	}
	s.signers, s.keys = signers, keys
	if err := s.lookBack(ctx, log); err != nil {
		return err
	}
	return s.exchangeKeys(ctx, known, keys)
}

// first begins a ledger in a database without one.
func (s *Sealer) first(ctx context.Context) error {
	for _, file := range s.config.KeyFiles {
		state, err := readState(file)
		if err != nil {
			return err
		}
		if state != nil {
			return trouble("the database has no ledger, and %s says that %d entries of %s were signed",
				StateFile(file), state.Size, state.Origin)
		}
	}
	origin := s.config.Origin
	if origin == "" {
		random := make([]byte, 4)
		_, _ = rand.Read(random) // Read never fails
		origin = "routecard/" + hex.EncodeToString(random)
	}
	made, keys, err := signers(s.config.KeyFiles, origin)
	if errors.Is(err, fs.ErrNotExist) && len(s.config.KeyFiles) == 1 {
		if err := MakeKey(s.config.KeyFiles[0], origin); err != nil {
			return err
		}
		made, keys, err = signers(s.config.KeyFiles, origin)
	}
	if err != nil {
		return fmt.Errorf("the key of the ledger: %w", err)
	}
	now := ident.TimestampOf(s.config.Clock())
	log := shop.LedgerTree{Number: 1, Origin: origin, BeganAt: now}
	err = s.config.Store.Update(ctx, func(tx shop.Tx) error {
		if err := tx.LockTrail(); err != nil {
			return err
		}
		if existing, err := tx.LedgerTree(); err == nil { // another instance was faster
			log = existing
			return nil
		}
		entries, err := tx.LastAuditSequence()
		if err == nil {
			err = tx.InsertLedgerTree(log)
		}
		for _, key := range keys {
			if err == nil {
				err = tx.PutLedgerKey(shop.LedgerKey{VerifierKey: key, AddedAt: now})
			}
		}
		if err == nil && entries > 0 {
			err = tx.AppendAudit(shop.LedgerStarted(origin, entries, now))
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("begin the ledger: %w", err)
	}
	if log.Origin != origin {
		return s.begin(ctx)
	}
	s.mu.Lock()
	s.log = log
	s.mu.Unlock()
	s.signers, s.keys = made, keys
	return nil
}

// exchangeKeys records new keys and removed keys. At least one known key must remain, because otherwise verifiers could not link old and
// new checkpoints.
func (s *Sealer) exchangeKeys(ctx context.Context, known []shop.LedgerKey, given []string) error {
	now := ident.TimestampOf(s.config.Clock())
	var changed []shop.LedgerKey
	var told []trail.Entry
	stays := false
	for _, key := range known {
		switch {
		case key.RetiredAt != 0:
		case slices.Contains(given, key.VerifierKey):
			stays = true
		default:
			key.RetiredAt = now
			changed = append(changed, key)
			told = append(told, shop.LedgerKeyChanged(shop.ActionLedgerKeyRetired, key.VerifierKey, now))
		}
	}
	if !stays {
		return trouble("none of the keys that signed so far is here")
	}
	for _, key := range given {
		if !slices.ContainsFunc(known, func(k shop.LedgerKey) bool { return k.VerifierKey == key && k.RetiredAt == 0 }) {
			changed = append(changed, shop.LedgerKey{VerifierKey: key, AddedAt: now})
			told = append(told, shop.LedgerKeyChanged(shop.ActionLedgerKeyAdded, key, now))
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return s.config.Store.Update(ctx, func(tx shop.Tx) error {
		for _, key := range changed {
			if err := tx.PutLedgerKey(key); err != nil {
				return err
			}
		}
		return tx.AppendAudit(told...)
	})
}

package verify

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// ErrBackInTime means that an entry of a serial has an earlier time than the entry before it, by more than the clocks of instances may
// differ. Entries are in the order of their commits, so a clock was set back.
var ErrBackInTime = errors.New("goes back in time")

// backInTime returns an ErrBackInTime with the entry that goes back farthest in time, or nil if no entry does.
func backInTime(entries []trail.Entry) error {
	var farthest ident.Timestamp
	var at string
	for i := 1; i < len(entries); i++ {
		if back := entries[i-1].Timestamp - entries[i].Timestamp; back > farthest {
			farthest, at = back, entries[i].ID
		}
	}
	if farthest <= ident.ClockSkew {
		return nil
	}
	return fmt.Errorf("entry %s %w by %v", at, ErrBackInTime, time.Duration(farthest)*time.Millisecond)
}

// CheckSerials compares the row of every serial with the state that follows from its entries. For each serial that differs it calls found
// with the fields that differ, or with the reason why the entries are not possible. It also checks the signatures among the entries;
// canonical returns the form in which an entry is signed. An ErrBackInTime alone does not mean that the row is wrong.
func CheckSerials(tx shop.Reader, canonical func(entry []byte) ([]byte, error),
	found func(serialID string, fields []string, why error),
) (checked int64, err error) {
	var batch []string
	histories := map[string]replay.PathHistory{}
	historyOf := func(path card.Path) (replay.PathHistory, error) {
		history, known := histories[path.ID]
		if known {
			return history, nil
		}
		history, err := replay.ReadHistory(tx, path)
		if err != nil {
			return history, err
		}
		if len(histories) == historiesKept {
			clear(histories)
		}
		histories[path.ID] = history
		return history, nil
	}
	flush := func() error {
		cards, err := cardsOf(tx, batch, found)
		if err != nil {
			return err
		}
		for _, id := range batch {
			card, ok := cards[id]
			if !ok {
				continue
			}
			checked++
			history, err := historyOf(card.Path)
			if err == nil {
				err = checkSerial(tx, card, &history, shop.Signing{Canonical: canonical}, found)
			}
			if unreadable(err) {
				found(id, nil, err)
			} else if err != nil {
				return err
			}
		}
		batch = batch[:0]
		return nil
	}
	const together = 500
	for listed, err := range tx.Serials(0) {
		if err != nil {
			return checked, err
		}
		if batch = append(batch, tx.SerialPrefix().SerialID(listed.Number)); len(batch) == together {
			if err := flush(); err != nil {
				return checked, err
			}
		}
	}
	if len(batch) == 0 {
		return checked, nil
	}
	return checked, flush()
}

// historiesKept is the number of paths whose reroutes CheckSerials keeps in memory.
const historiesKept = 1000

// cardsOf reads the cards of serials. If one of them cannot be read, it reads each card separately and reports those that fail.
func cardsOf(tx shop.Reader, ids []string, found func(string, []string, error)) (map[string]card.Card, error) {
	cards, err := tx.RouteCards(ids)
	if !unreadable(err) {
		return cards, err
	}
	cards = make(map[string]card.Card, len(ids))
	for _, id := range ids {
		single, err := tx.RouteCards([]string{id})
		if unreadable(err) {
			found(id, nil, err)
		} else if err != nil {
			return nil, err
		}
		maps.Copy(cards, single)
	}
	return cards, nil
}

func checkSerial(tx shop.Reader, card card.Card, history *replay.PathHistory, signing shop.Signing,
	found func(string, []string, error),
) error {
	id := card.Serial.ID
	entries, err := shop.TrailOf(tx, card.Serial)
	if err != nil {
		return err
	}
	replayed, err := history.Replay(card.Serial, entries)
	if err != nil {
		found(id, nil, err)
		return nil
	}
	differs, err := attachmentsDiffer(tx, id, entries)
	if err != nil {
		return err
	}
	overrides, err := overridesDiffer(tx, id, entries)
	if err != nil {
		return err
	}
	if !slices.Contains(replayed.Differs(card), "overrides") { // unless the difference is already listed
		differs = append(differs, overrides...)
	}
	if slices.Contains(replayed.Untold, "createdAt") {
		never, err := neverCreated(tx, card.Serial)
		if err != nil {
			return err
		}
		if never {
			differs = append(differs, "createdAt")
		}
	}
	if differs = append(replayed.Differs(card), differs...); len(differs) > 0 {
		found(id, differs, nil)
	}
	if err := backInTime(entries); err != nil {
		found(id, nil, err)
	}
	if signature, err := signing.Check(entries); err != nil {
		found(id, nil, fmt.Errorf("entry %s (%s): %w", signature, shop.ActionRecordSigned, err))
	}
	return nil
}

// neverCreated reports whether the trail proves that a serial without a creation entry was never created. Entries of an older trail do not
// have the serials that they created, so they may have created it.
func neverCreated(tx shop.Reader, serial card.Serial) (bool, error) {
	entries, err := tx.CreationsAt(serial.PathID, serial.CreatedAt)
	return err == nil && !slices.ContainsFunc(entries, func(entry trail.Entry) bool {
		_, told := shop.SerialsCreatedBy(entry)
		return !told
	}), err
}

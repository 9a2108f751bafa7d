package verify

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// unsignedCheck finds changes that needed signatures under the policy of their time, but were not signed by the required people. A
// signature comes after the entries that it signs.
//
// It stores the entries that are not signed yet, of which there are none between two changes, and the entries that were never signed.
type unsignedCheck struct {
	policy  shop.SignaturePolicy
	used    map[string]bool              // paths that have serials
	logins  map[string]string            // the logins of users, by identifier
	waiting map[string]*waitingSignature // by the serial of the entries; "" for entries without a serial
}

// waitingSignature has the entries that wait for signatures, of one serial or without a serial.
type waitingSignature struct {
	entries int // the number of entries since the first waiting entry, including that entry
	wanted  []unsignedEntry
}

// unsignedEntry is an entry that requires a signature and has none yet.
type unsignedEntry struct {
	id      string
	action  trail.Action
	by      string
	demand  shop.SignatureDemand
	place   int      // the place among the counted entries
	signers []string // logins
	second  bool     // whether only a second person has to sign it
}

func newUnsignedCheck() unsignedCheck {
	return unsignedCheck{
		policy: make(shop.SignaturePolicy), used: map[string]bool{}, logins: map[string]string{}, waiting: map[string]*waitingSignature{},
	}
}

// The missing signatures of a change.
var (
	errNotSelfSigned   = errors.New("it had to be signed, and is not")
	errNotSecondSigned = errors.New("it had to be signed by two people, and is not")
	errNotAdminSigned  = errors.New("it had to be signed by a second administrator, and is not")
)

// enough reports whether all required people have signed.
func (e *unsignedEntry) enough() bool {
	if e.second {
		return slices.ContainsFunc(e.signers, func(login string) bool { return login != e.by })
	}
	return slices.Contains(e.signers, e.by) && (e.demand == shop.SignedBySelf || len(e.signers) > 1)
}

// add reads the next entry of the trail that is not a signature. It does not retain the memory of the entry.
func (c *unsignedCheck) add(entry *trail.Entry) {
	if entry.Action == card.ActionSerialCreated && !c.used[entry.PathID] {
		c.used[strings.Clone(entry.PathID)] = true
	}
	waits := c.waiting[entry.SerialID]
	if waits != nil {
		waits.entries++
	}
	operation := shop.SigningOf(entry)
	demand := c.policy.Demand(operation)
	if operation == shop.SignAccounts {
		concerns, err := c.account(entry)
		if err == nil && entry.Action == shop.ActionSignaturePolicyChanged { // c.policy is already the policy after this entry
			var before shop.SignaturePolicy
			before, err = shop.PolicyBefore(c.policy, entry)
			demand = before.Demand(operation)
		}
		if err != nil || !concerns {
			return // the comparison of its record reports an entry that cannot be read
		}
	}
	if operation == "" || demand == shop.SignedByNobody || operation == shop.SignPathUpdate && !c.used[entry.PathID] {
		return
	}
	if waits == nil {
		waits = &waitingSignature{entries: 1}
		c.waiting[strings.Clone(entry.SerialID)] = waits
	}
	waits.wanted = append(waits.wanted, unsignedEntry{
		id: strings.Clone(entry.ID), action: trail.Action(strings.Clone(string(entry.Action))), by: strings.Clone(entry.UserID),
		demand: demand, place: waits.entries, second: operation.SecondOnly(),
	})
}

// account reads an entry about accounts, and reports whether the policy may require a signature for it.
func (c *unsignedCheck) account(entry *trail.Entry) (bool, error) {
	if entry.Action == shop.ActionAccountChanged {
		var told struct {
			AccountID string `json:"accountId"`
			After     struct {
				Login string `json:"login"`
			} `json:"after"`
		}
		if err := trail.ReadMetadata(entry, &told); err != nil {
			return false, err
		}
		c.logins[strings.Clone(told.AccountID)] = strings.Clone(told.After.Login)
	}
	return shop.ConcernsAccounts(entry, func(userID string) (string, error) { return c.logins[userID], nil })
}

// signed reads a signature of the last entries about a serial, or about no serial. The signature has the number of these entries.
func (c *unsignedCheck) signed(serialID, login string, entries int) {
	waits := c.waiting[serialID]
	if waits == nil {
		return
	}
	from := len(waits.wanted)
	for from > 0 && waits.wanted[from-1].place > waits.entries-entries {
		from--
		if wanted := &waits.wanted[from]; !slices.Contains(wanted.signers, login) {
			wanted.signers = append(wanted.signers, strings.Clone(login))
		}
	}
	tail := slices.DeleteFunc(waits.wanted[from:], func(e unsignedEntry) bool { return e.enough() })
	waits.wanted = waits.wanted[:from+len(tail)]
	if len(waits.wanted) == 0 {
		delete(c.waiting, serialID)
	}
}

// unsigned reports the entries that still wait for a signature, in the order of the trail.
func (c *unsignedCheck) unsigned(found func(RecordDifference)) {
	var all []unsignedEntry
	for _, serialID := range slices.Sorted(maps.Keys(c.waiting)) {
		all = append(all, c.waiting[serialID].wanted...)
	}
	slices.SortFunc(all, func(a, b unsignedEntry) int { return strings.Compare(a.id, b.id) })
	for _, entry := range all {
		why := errNotSelfSigned
		switch {
		case entry.second:
			why = errNotAdminSigned
		case entry.demand == shop.SignedBySecond:
			why = errNotSecondSigned
		}
		found(RecordDifference{
			Kind: UnsignedEntry, ID: entry.id, Why: fmt.Errorf("%s by %s: %w", entry.action, entry.by, why),
		})
	}
}

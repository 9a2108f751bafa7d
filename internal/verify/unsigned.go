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

// unsignedCheck follows the demands for signatures and the signatures: it finds the changes that the policy in force at that time wanted
// signed and that are not signed by the required people. A signature comes after the entries that it signs.
//
// It remembers what is not signed yet, which is nothing between two changes, and what has never been signed.
type unsignedCheck struct {
	policy  shop.SignaturePolicy
	used    map[string]bool              // paths that have serials
	logins  map[string]string            // of users, by identifier
	waiting map[string]*waitingSignature // by the serial of their entries, or "" for none
}

// waitingSignature are entries about one serial, or about none, that wait for signatures.
type waitingSignature struct {
	entries int // about it since the first one that waits, which is counted
	wanted  []unsignedEntry
}

// unsignedEntry is an entry that has to be signed.
type unsignedEntry struct {
	id      string
	action  trail.Action
	by      string
	demand  shop.SignatureDemand
	place   int      // among the entries that are counted
	signers []string // logins
	second  bool     // whether only a second person has to sign it
}

func newUnsignedCheck() unsignedCheck {
	return unsignedCheck{
		policy: make(shop.SignaturePolicy), used: map[string]bool{}, logins: map[string]string{}, waiting: map[string]*waitingSignature{},
	}
}

// What a change wants that is not signed.
var (
	errNotSelfSigned   = errors.New("it had to be signed, and is not")
	errNotSecondSigned = errors.New("it had to be signed by two people, and is not")
	errNotAdminSigned  = errors.New("it had to be signed by a second administrator, and is not")
)

// enough reports whether everybody has signed whose signature is wanted.
func (e *unsignedEntry) enough() bool {
	if e.second {
		return slices.ContainsFunc(e.signers, func(login string) bool { return login != e.by })
	}
	return slices.Contains(e.signers, e.by) && (e.demand == shop.SignedBySelf || len(e.signers) > 1)
}

// add takes the next entry of the trail, which is no signature. It keeps nothing of the memory that the entry uses.
func (c *unsignedCheck) add(entry *trail.Entry) {
	if entry.Action == card.ActionSerialCreated && !c.used[entry.PathID] {
		c.used[strings.Clone(entry.PathID)] = true
	}
	waits := c.waiting[entry.SerialID]
	if waits != nil {
		waits.entries++
	}
	operation := shop.SigningOf(entry.Action)
	demand := c.policy.Demand(operation)
	if operation == shop.SignAccounts {
		concerns, err := c.account(entry)
		if err == nil && entry.Action == shop.ActionSignaturePolicyChanged { // the policy is the one after it
			var before shop.SignaturePolicy
			before, err = shop.PolicyBefore(c.policy, entry)
			demand = before.Demand(operation)
		}
		if err != nil || !concerns {
			return // an entry that cannot be read is found where its record is compared
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

// account takes an entry about accounts, and reports whether it may have to be signed.
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

// signed takes a signature of the last so many entries about a serial, or about none.
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

// unsigned are the entries that still wait, in the order of the trail.
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

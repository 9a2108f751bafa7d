package sealer

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// Outside finds in the log of a running service, with nothing but what it serves, entries that were written while the service
// was stopped. Its user hands it each leaf, asks for the entries that these make it ask for, and hands it those.
type Outside struct {
	asked map[string]string // leaves by the identifiers of their entries
	found foundEntries
}

// NewOutside returns an Outside that was handed nothing yet.
func NewOutside() *Outside { return &Outside{asked: map[string]string{}} }

// AskedActions are the actions of the entries that it asks for.
func AskedActions() []trail.Action {
	return []trail.Action{shop.ActionLedgerEntriesFound, shop.ActionLedgerRestarted}
}

// Leaf takes a leaf of the log.
func (o *Outside) Leaf(leaf []byte) {
	var entry struct {
		ID     string       `json:"id"`
		Action trail.Action `json:"action"`
	}
	if json.Unmarshal(leaf, &entry) == nil && slices.Contains(AskedActions(), entry.Action) {
		o.asked[entry.ID] = string(leaf)
	}
}

// Asks reports whether it needs entries.
func (o *Outside) Asks() bool { return len(o.asked) > 0 }

// Entry takes an entry as the interface returned it. It counts if the log has its leaf.
func (o *Outside) Entry(text []byte) {
	var entry struct {
		ID       string          `json:"id"`
		Action   trail.Action    `json:"action"`
		Metadata json.RawMessage `json:"metadata"`
	}
	leaf, err := ledger.Leaf(text)
	if err != nil || json.Unmarshal(text, &entry) != nil || o.asked[entry.ID] != string(leaf) {
		return
	}
	delete(o.asked, entry.ID)
	o.found.add(&trail.Entry{ID: entry.ID, Action: entry.Action, Metadata: entry.Metadata})
}

// Findings returns the findings that were not accepted, and the entries that the interface returned differently from the log.
func (o *Outside) Findings() []ledger.Finding {
	findings := o.found.findings()
	for _, id := range slices.Sorted(maps.Keys(o.asked)) {
		findings = append(findings, ledger.Finding{Kind: ledger.WrongRecord, Entry: id, Text: fmt.Sprintf(
			"the interface does not answer entry %s as the log has it", id)})
	}
	return findings
}

// Unwitnessed returns the entries that a start found after the service was killed.
func (o *Outside) Unwitnessed() []shop.EntriesFound { return o.found.unknown }

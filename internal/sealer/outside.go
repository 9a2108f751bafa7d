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

// Outside finds entries that were written while a service was stopped, using only the public log of the running service. The caller passes
// each leaf, fetches the entries that Outside then requests, and passes these too.
type Outside struct {
	asked map[string]string // leaves by the identifiers of their entries
	found foundEntries
}

// NewOutside returns an Outside without entries.
func NewOutside() *Outside { return &Outside{asked: map[string]string{}} }

// AskedActions returns the actions of the entries that the check requests.
func AskedActions() []trail.Action {
	return []trail.Action{shop.ActionLedgerEntriesFound, shop.ActionLedgerRestarted}
}

// Leaf adds a leaf of the log.
func (o *Outside) Leaf(leaf []byte) {
	var entry struct {
		ID     string       `json:"id"`
		Action trail.Action `json:"action"`
	}
	if json.Unmarshal(leaf, &entry) == nil && slices.Contains(AskedActions(), entry.Action) {
		o.asked[entry.ID] = string(leaf)
	}
}

// Asks reports whether the caller must pass entries to Entry.
func (o *Outside) Asks() bool { return len(o.asked) > 0 }

// Entry adds an entry in the form that the interface returned. The entry counts only if the log has its leaf.
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

// Unwitnessed returns the entries that a start of the service found without a stop mark, because the service had been killed.
func (o *Outside) Unwitnessed() []shop.EntriesFound { return o.found.unknown }

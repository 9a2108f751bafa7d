// Package replay follows the entries of the audit trail: the card of a unit that they record, when the unit came to each step and left
// it, and the change that can be undone. The package imports no context, no clock and no store.
//
//	replay.go   the card that follows from a unit's entries (Replay), and what each action does to it
//	reroute.go  how units follow when the order of their steps changes, and the reroutes of a path that the trail records
//	undo.go     undoing the last change of a card
//	visit.go    when a unit came to each step and left it
//	number.go   the own number that an entry gives a unit
package replay

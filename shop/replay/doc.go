// Package replay replays entries of the audit trail. From them it derives the card of a unit, when the unit entered and left each step, and
// how to undo the last change. The package imports no context, no clock and no store.
//
//	replay.go   the card that follows from a unit's entries (Replay), and the effect of each action on it
//	reroute.go  the effect of a new order of steps on units, and the reroutes of a path in the audit trail
//	undo.go     undoing the last change of a card
//	visit.go    when a unit entered and left each step
//	number.go   the own number in an entry
package replay

// Package card has the rules of the route card as pure functions. Card is all that the rules need to know of one unit; a rule checks a card
// and returns a Change, which has the changed unit and its audit entries. The package imports no context, no clock and no store: times and
// identifiers are arguments.
//
//	card.go              Card, Change, the status of steps, and whether a step is optional for a unit
//	advance.go           advancing by one step or to a step, and the reasons for refusing it
//	skip.go              which steps a unit may skip (CheckTarget), and whether a step is then skipped or deferred
//	hold.go              placing and releasing holds; RefuseStopped is the rule that other operations call
//	scrap.go             scrapping
//	forcecomplete.go     completing with open steps
//	deferred.go          completing and waiving deferred steps
//	override.go          overrides, which make a step optional for one unit
//	rework.go            sending back
//	requiredreadings.go  which measurements a unit needs before it leaves a step (RefuseUnmeasured)
//	bill.go              the bill that a unit keeps
//	requirement.go       what steps require of a unit in addition to measurements
//	typed.go             readings as people type them: decimal comma, unit, a lost decimal sign
//	verdict.go           whether a reading is within its limits
//	demand.go            which measurements a step demands of one unit
//	closejob.go          what cannot be done while a job is closed
//	component.go         installing units and amounts of lots in a unit, and removing them
//	away.go              units that are with a supplier or customer; outside work
//	sampling.go          counting the arrivals of units at sampled steps, and first pieces
//
// The types of the fields of a card are in path.go, serial.go, characteristic.go, measurement.go, void.go and remembered.go.
package card

// Package card has the rules of the route card as functions of values. Card is all that the rules need to know of one unit; a rule
// judges a card and returns a Change, which has the unit afterwards and the entries of the trail that tell of it. The package
// imports no context, no clock and no store: times and identifiers are arguments.
//
//	card.go           Card, Change, the status of steps, and whether a step is optional for a unit
//	advance.go        moving on: which steps a unit may pass (CheckTarget), whether a passed one is skipped or deferred; the sentences
//	                  that refuse it
//	hold.go           placing and releasing holds; RefuseHeld is the rule which other operations call
//	scrap.go          scrapping
//	forcecomplete.go  completing with steps open
//	deferred.go       completing and waiving deferred steps
//	override.go       overrides, which make a step optional for one unit
//	rework.go         sending back
//	leaving.go        what has to be measured before a unit leaves a step (RefuseUnmeasured)
//	typed.go          readings as people type them: decimal comma, unit, a lost decimal sign
//	verdict.go        whether a reading is within its limits
//	demand.go         what is demanded of one unit at a step
//	closejob.go       what a closed job refuses
//	sampling.go       counting units at steps of which only a sample is measured, and first pieces
//
// The types of what a card has stand in path.go, serial.go, characteristic.go, measurement.go, void.go and remembered.go.
package card

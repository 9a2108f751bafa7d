// Package routecard is the business of Routecard: the words of the trade, its rules, and its operations.
//
// A job is an order for a quantity. A path belongs to a job and lists the process steps in order. A serial is one unit
// on its way through the steps of one path. Its route card is everything the rules need to know of it.
//
// # The life of a serial
//
//	from         operation                          to           afterwards
//	(nothing)    CreateSerials                      in_progress  stands on the first step
//	in_progress  AdvanceSerial, AdvanceToStep       in_progress  stands on a later step
//	in_progress  AdvanceSerial, AdvanceToStep       completed    stands behind the last step
//	in_progress  ScrapSerial                        scrapped     stays on its step
//	in_progress  ForceComplete                      completed    stays on its step
//	completed    any of these                       refused
//	scrapped     any of these                       refused
//
// # The life of a step, for one serial
//
// A step's status follows from the serial's position: before it completed, at it in progress, behind it pending. Only a
// step that was bypassed has a record of its own:
//
//	from        operation                           to
//	pending     AdvanceToStep, effectively optional skipped    (final)
//	pending     AdvanceToStep, required             deferred
//	deferred    CompleteDeferredStep                completed  (final)
//	deferred    WaiveStep                           waived     (final)
//
// An active override makes a required step effectively optional for one serial, until it is reversed.
//
// # Where to find what
//
// One file per noun holds its type, its rules and its operations: job.go, path.go, serial.go, card.go (the route card),
// advance.go, closing.go (scrap and force-complete), exception.go (deferred and waived steps), override.go,
// certificate.go, note.go, bom.go, library.go, audit.go. Requests arrive as fields that are not judged yet (input.go).
// Store and Tx (store.go) are all that is needed of a database; internal/sqlstore implements them. internal/httpapi puts
// the operations on HTTP. Rules are pure functions: no context, no clock, no I/O.
package routecard

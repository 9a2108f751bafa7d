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
// A serial on hold is neither advanced nor force-completed, whatever its state, until every hold is released. And what
// corrections do:
//
//	in_progress  ReworkSerial                       in_progress  stands on an earlier step, or begins its own again
//	completed    ReworkSerial                       in_progress  stands on any step
//	scrapped     ReworkSerial                       refused
//	any          Undo                               as before the last change, which may also be a scrap or a completion
//
// A decision about units of a report (DisposeNonconformance) takes these arrows, and no others: a scrap scraps them, a
// rework or a repair sends them back, use as it is and return to the supplier leave them where they stand.
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
//	any         ReworkSerial, at it or before it    pending, but waived stays
//	any         Undo                                as before the change that is taken back
//
// An active override makes a required step effectively optional for one serial, until it is reversed.
//
// # Where to find what
//
// A noun's file holds its type, its rules, its operations, and what they need of a database (a part of Tx):
//
//	job.go path.go step.go          orders, their routes, and the steps of a route
//	serial.go card.go               units, and the route card that the rules judge
//	advance.go closing.go           moving on, and what is skipped or deferred by it; scrap and force-complete
//	selection.go batch.go           which serials; the same operation on many of them at once
//	batchpart.go                    what is remembered of one that commits part by part
//	exception.go override.go        deferred and waived steps; overrides
//	hold.go rework.go undo.go       what keeps a unit from moving on; sending it back; taking a change back
//	void.go                         what was attached or noted by mistake
//	nonconformance.go disposition.go  reports of units that are not as they should be; deciding about them
//	certificate.go note.go bom.go   documents, observations, bills of materials
//	library.go template.go user.go  what is chosen from: names, routes, people
//	tracker.go comment.go           the issue tracker: linking tickets, posting notes
//	audit.go replay.go serialcheck.go recordcheck.go contentcheck.go  the audit trail, whose entries rules and
//	                                operations write (CardChange.Audit and Tx.AppendAudit); the card that follows from
//	                                it, and whether the rows of serials and of other records do
//	ledger.go                       the seals over the audit trail, which package ledger makes and checks
//	creation.go naming.go           what the trail tells of beginnings, and of what things were called
//
// A view's file holds what one page or list shows, and what it needs of a database beside the nouns (a part of Reader):
//
//	floor.go board.go worklist.go   the whole shop, one job, what waits for whom
//	find.go history.go trail.go     searches; a unit's page, the card; searches of the trail
//	quality.go                      reports for people, what waits for a decision, why units are on hold
//	actions.go                      what could be done with a unit now
//	scan.go                         what a scanned code means at a station
//	counts.go standstill.go         how many units stand where, and which stand still, without counting all of them
//
// And what all of them stand on:
//
//	service.go store.go error.go    Service, Store, and the refusals with their kinds
//	caller.go                       who calls, and what they may do
//	signature.go signing.go         what has to be signed, by whom; where that is demanded
//	scattered.go                    serials that a request lists in no order
//	input.go limit.go               fields of a request that are not judged yet; how much of them
//	once.go receipt.go match.go     requests that are repeated, and done once; records that changed since they were read
//	identifier.go timestamp.go      identifiers and times
//	clock.go browse.go              a clock that cannot be right; reading without holding anything
//	holding.go                      the memory that requests share
//	append.go                       JSON of what is listed by the thousand
//
// internal/sqlstore implements Store. Its files audit and batch write audit entries on SQLite, at once; on PostgreSQL
// postgres_session keeps them to the end of a transaction and postgres_group inserts them. What else PostgreSQL does
// differently: postgres opens, locks and retries, postgres_error says what is tried again, and smaller parts stand with
// their nouns. docs/postgres.md is for those who run it. internal/httpapi puts the operations on HTTP. internal/web shows the pages; its
// scan.go turns a scan into an operation. Rules are pure functions: no context, no clock, no I/O.
package routecard

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
// A serial on hold cannot be advanced, force-completed or sent back, and none of its deferred steps can be completed, until
// every hold is released. It can be scrapped, its deferred steps can be waived, and its last change can be undone. Corrections:
//
//	in_progress  ReworkSerial                       in_progress  stands on an earlier step, or begins its own again
//	completed    ReworkSerial                       in_progress  stands on any step
//	scrapped     ReworkSerial                       refused
//	any          Undo                               as before the last change, which may also be a scrap or a completion
//
// A disposition of units of a report (DisposeNonconformance) makes the same transitions and no others: scrap scraps the
// units, rework and repair send them back, use as is and return to supplier leave them where they are.
//
// # The life of a step, for one serial
//
// A step's status follows from the serial's position: before it completed, at it in progress, behind it pending. Only a
// step that was bypassed has a record of its own:
//
//	from        operation                           to
//	pending     AdvanceToStep, effectively optional skipped
//	pending     AdvanceToStep, required             deferred
//	pending     ReworkSerial, when it passes it     skipped or deferred, as above
//	deferred    CompleteDeferredStep                completed
//	deferred    WaiveStep                           waived
//	any         ReworkSerial, at it or before it    pending, but waived stays
//	any         Undo                                as before the change that is undone
//
// Only ReworkSerial and Undo change a skipped or completed step again; only Undo changes a waived one.
//
// An active override makes a required step effectively optional for one serial, until it is reversed.
//
// # Where to find what
//
// The file of a noun holds its type, its rules, its operations, and what they need of a database (a part of Tx):
//
//	job.go            orders
//	path.go           the routes of orders, with their steps (ProcessStep)
//	step.go           assigning and configuring one step of a route
//	serial.go         units; Service.Serial is what Get Serial answers
//	card.go           RouteCard, all that the rules need to know of a unit; the status of its steps (StepStatus), and whether
//	                  one is optional for it (EffectivelyOptional)
//	advance.go        moving on: which steps a unit may pass (checkTarget), whether a passed one is skipped or deferred (bypass)
//	closing.go        scrap and force-complete
//	selection.go      which serials an operation on many is about
//	batch.go          one operation on many serials at once
//	batchpart.go      what is remembered of a batch that commits part by part
//	scattered.go      serials that a request lists in no order
//	exception.go      completing and waiving deferred steps
//	override.go       overrides, which make a step optional for one unit
//	hold.go           holds; refuseHeld is the rule, which the operations call
//	rework.go         sending a unit back
//	undo.go           undoing the last of the changes that replay.go reads from the unit's entries
//	void.go           voiding what was attached or noted by mistake
//	nonconformance.go reports of units that are not as they should be
//	disposition.go    deciding about the units of a report
//	certificate.go    documents
//	note.go           observations
//	bom.go            bills of materials
//	library.go        lists of names to choose from
//	template.go       routes to copy
//	user.go           people
//	tracker.go        linking jobs to tickets of an issue tracker
//	comment.go        posting notes and the state of a job there
//
// The audit trail:
//
//	audit.go          entries, and what there can be (AuditAction)
//	replay.go         the card that follows from a unit's entries
//	serialcheck.go    comparing stored serials with their entries
//	recordcheck.go    comparing other stored records with their entries
//	contentcheck.go   comparing jobs, paths, certificates and holds with their entries
//	ledger.go         the signed state of the trail, which package ledger makes and checks
//	creation.go       finding the entry of a unit's creation
//	naming.go         earlier names of people, steps, jobs and certificates
//	signature.go      electronic signatures, and the policy that demands them
//	signing.go        where signatures are checked, and added to the trail
//
// An audit entry is made by a rule, in CardChange.Audit, or by whoever calls Tx.AppendAudit: operations, signing.go, and
// internal/access, internal/sealer and internal/backup. caller.go adds who acted. On SQLite entries are inserted by
// internal/sqlstore/audit.go, or by internal/sqlstore/batch.go for long runs of serials. On PostgreSQL the entries of an Update
// are collected in internal/sqlstore/postgres_session.go, those of a group of cards in internal/sqlstore/postgres_group.go,
// which inserts both before the commit.
//
// The file of a view holds what one page or list shows, and what it needs of a database beside the nouns (a part of Reader):
//
//	floor.go          the whole shop
//	board.go          one job
//	worklist.go       what waits for whom
//	find.go           searches for units and jobs, and names of steps to pick from
//	history.go        Service.Card: what is known of a unit; internal/web/card.go and its template make the page of it
//	trail.go          searches of the audit trail
//	quality.go        reports, what waits for a decision, why units are on hold
//	actions.go        what can be done with a unit now
//	scan.go           what a scanned code means at a station (InHand.Scan); internal/web/scan.go then calls the operation
//	counts.go         counts of units by step, without counting all of them
//	standstill.go     the units that have not moved for longest
//
// Shared by all files:
//
//	service.go        Service
//	store.go          Store: what a database has to do
//	error.go          refusals, and their kinds
//	caller.go         who calls, and writing that into entries; internal/access finds out who it is and what each role may do
//	input.go          fields of a request as they came, and how each kind of field is checked
//	limit.go          limits of texts and lists
//	once.go           requests with an Idempotency-Key, which internal/httpapi/once.go reads
//	receipt.go        what is remembered of them
//	match.go          refusing to change a record that has changed since it was read
//	identifier.go     identifiers
//	timestamp.go      times
//	clock.go          refusing changes while the clock is wrong
//	browse.go         reading long lists without a snapshot
//	holding.go        the memory that requests share
//	append.go         JSON of serials and of long lists, written by hand
//
// internal/sqlstore implements Store; its package comment lists what PostgreSQL does differently. internal/httpapi puts the
// operations on HTTP, and internal/web shows the pages. Rules are pure functions: no context, no clock, no I/O.
package routecard

// Package shop is the business of Routecard: the words of the trade, its rules, and its operations.
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
// A serial leaves a step as done only when what the step demands was measured; shop/card/leaving.go has the rule.
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
// The file of a noun holds its type, its rules, its operations, what they need of a database (a part of Tx), and what the noun
// declares: its kinds of records, the permissions of its operations, its audit actions, why it refuses. nouns.go lists the
// nouns, and the tables of all that are made of them when the program starts. Among the files are:
//
//	job.go            orders; what internal/tracker keeps of tickets
//	closejob.go       closing orders that are canceled, and reopening them
//	path.go           the routes of orders, with their steps (ProcessStep); assigning and configuring one step
//	editpath.go       changing a route, also with steps matched by identifier (ReplaceSteps), and what refuses that
//	serial.go         units; Service.Serial is what Get Serial returns
//	owncode.go        codes with a meaning of their own, which no record may be called by
//	ownnumber.go      the numbers that are engraved on units, which no two units of a part have in common; ranges of units between
//	                  two ids or two own numbers
//	advance.go        moving a unit on, sending it back (Rework), scrapping it, completing it with steps open; package card has the rules
//	stepstatus.go     completing and waiving deferred steps; overrides, which make a step optional for one unit
//	selection.go      which serials an operation on many is about
//	batch.go          one operation on many serials at once, and what is stored of a batch that commits part by part
//	hold.go           holds; card.RefuseHeld is the rule, which the operations call
//	undo.go           undoing the last of the changes that package replay reads from a unit's entries, also of many units at once
//	void.go           voiding what was attached or noted by mistake
//	nonconformance.go reports of units that are not as they should be
//	reported.go       the units of a report, and putting more on it
//	disposition.go    deciding about the units of a report, and who undid a decision
//	certificate.go    documents
//	note.go           observations
//	upload.go         files on their way in, and out when nobody attaches them
//	file.go           files that are attached to records; internal/files keeps their bytes
//	characteristic.go what is measured at a step; counting units at steps of which only a sample is measured, and first pieces
//	measurement.go    readings; package card judges whether one is out of limits (Judge)
//	baseline.go       which readings a control chart has, and control limits that are frozen
//	instrument.go     what the shop measures with, its range and its calibrations
//	doubt.go          the units that an instrument puts in doubt
//	bom.go            bills of materials
//	template.go       what new routes are made of: templates, and lists of names of steps and places to choose from
//	user.go           people, and that somebody can always administer; what is declared of accounts, tokens and stations, whose rules
//	                  are in internal/access
//	nouns.go          the list of nouns, and Tx, which is all that they need of a database; the tables of records (Record), of
//	                  operations with their permissions and signatures (Operation), and of audit actions with what they change
//	actions.go        what can be done with a unit now
//	counts.go         how many units stand at which step, without counting all of them
//
// The audit trail:
//
//	audit.go          entries, what there can be (trail.Action), the entry of a unit's creation, and the visits of units to steps
//	ledger.go         the signed state of the trail, which package ledger makes and checks
//	signature.go      electronic signatures, and the policy that demands them
//	secondadministrator.go
//	                  signatures of changes of accounts
//	signedtx.go       signatures in transactions: checking them, and adding them to the trail; what is signed (BodyOf)
//
// The rules make the entries: those that change a card have them in card.Change.Audit, the others hand them to
// Tx.AppendAudit. So do signedtx.go, secondadministrator.go, internal/access, internal/sealer and internal/backup. caller.go
// adds who acted, and internal/access by which means.
// internal/sqlstore/statement/audit_columns.go has the columns of an entry in the database, and the statements that insert and
// read them. On SQLite audit.go beside it inserts entries, and batch.go those of long runs of serials. On PostgreSQL
// internal/sqlstore/postgres_transaction.go collects the entries of an Update, and internal/sqlstore/postgres_group.go those of a group of
// cards, and inserts both before the commit.
//
// Below this package, each importing only those before it:
//
//	refusal           refusals: kind, reason, field and arguments; the sentences of the interface that no noun has alone
//	ident             identifiers and times
//	input             fields of requests, how each kind of field is checked, exact decimals, limits of texts,
//	                  numbers and lists
//	trail             entries of the audit trail, and hashes of contents
//	card              the rules of the route card, which are pure
//	replay            the card that follows from a unit's entries, reroutes of paths, and visits of steps
//	workorder         what a job is for: part, GTIN, customer, due date and priority; what is late, and which work is urgent
//
// Shared by all files:
//
//	service.go        Service, also within a transaction (Within); refusing changes while the clock is wrong
//	store.go          Store: what a database has to do, how much work one transaction does at most (WorkLimit), records that cannot be
//	                  read (UnreadableError), and the memory that requests share (MemoryBudget)
//	caller.go         who calls, and writing that into entries; internal/access finds out who it is and what each role may do
//	external.go       what other systems call records, and naming records so
//	once.go           requests with an Idempotency-Key, which internal/httpapi/once.go reads; what became of a request whose answer was
//	                  lost (Settle)
//	onceresult.go     what is remembered of them
//	precondition.go   refusing to change a record that has changed since it was read
//
// Above it, package importing takes the rows of files with the operations of Service.
//
// Package views answers what pages and lists show. Package internal/verify compares stored records with the trail.
// Package internal/station says what a scanned code means, and internal/tracker connects jobs to an issue tracker.
// internal/sqlstore implements Store; its package comment lists what PostgreSQL does differently. internal/httpapi puts the
// operations on HTTP, and internal/web shows the pages. This package imports none of them. Rules are pure functions: no
// context, no clock, no I/O.
package shop

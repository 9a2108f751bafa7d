// Package shop is the business logic of Routecard: its types, rules and operations.
//
// A job is an order for a quantity. A path belongs to a job and lists the process steps in order. A serial is one unit
// that moves through the steps of one path. Its route card has all data that the rules need.
//
// # The life of a serial
//
//	from         operation                          to           afterwards
//	(nothing)    CreateSerials                      in_progress  is on the first step
//	in_progress  AdvanceSerial, AdvanceToStep       in_progress  is on a later step
//	in_progress  AdvanceSerial, AdvanceToStep       completed    is past the last step
//	in_progress  ScrapSerial                        scrapped     stays on its step
//	in_progress  ForceComplete                      completed    stays on its step
//	completed    any of these                       refused
//	scrapped     any of these                       refused
//
// A serial can leave a step as done only after all required measurements of the step; shop/card/requiredreadings.go has the rule.
//
// A serial on hold cannot be advanced, force-completed or sent back, and none of its deferred steps can be completed, until
// every hold is released. It can be scrapped, its deferred steps can be waived, and its last change can be undone. Corrections:
//
//	in_progress  ReworkSerial                       in_progress  is on an earlier step, or begins its current step again
//	completed    ReworkSerial                       in_progress  is on any step
//	scrapped     ReworkSerial                       refused
//	any          Undo                               as before the last change, which may also be a scrap or a completion
//
// A disposition of units of a report (DisposeNonconformance) has only these transitions: scrap scraps the
// units, rework and repair send them back, use as is and return to supplier leave them where they are.
//
// # The life of a step, for one serial
//
// A step's status follows from the serial's position: steps before the position are completed, the step at the position is
// in progress, later steps are pending. Only a bypassed step has its own record:
//
//	from        operation                           to
//	pending     AdvanceToStep, effectively optional skipped
//	pending     AdvanceToStep, required             deferred
//	pending     ReworkSerial that passes the step   skipped or deferred, as above
//	deferred    CompleteDeferredStep                completed
//	deferred    WaiveStep                           waived
//	any         ReworkSerial to it or before it     pending, but waived stays
//	any         Undo                                as before the change that is undone
//
// Only ReworkSerial and Undo change a skipped or completed step again; only Undo changes a waived step.
//
// An active override makes a required step effectively optional for one serial, until it is reversed.
//
// # Where to find what
//
// The file of a noun has its type, its rules, its operations, their database functions (a part of Tx), and the declarations of
// the noun: its kinds of records, the permissions of its operations, its audit actions, its reasons for refusals. nouns.go lists
// the nouns, and builds the tables of records, operations and actions from them when the program starts. Among the files are:
//
//	job.go            jobs; closing canceled jobs (CloseJob), and reopening them; the database functions that internal/tracker needs
//	path.go           the routes of jobs, with their steps (ProcessStep); assigning and configuring one step
//	editpath.go       changing a route, also with steps matched by id (ReplaceSteps), and its refusals
//	serial.go         units; Service.Serial implements Get Serial
//	ownnumber.go      the numbers engraved on units, unique among the units of a part; ranges of units between two ids or two
//	                  own numbers
//	advance.go        advancing a unit, sending it back (Rework), scrapping it, force-completing it; package card has the rules;
//	                  completing and waiving deferred steps; overrides, which make a step optional for one unit
//	selection.go      selecting the serials for an operation on many
//	batch.go          one operation on many serials, and the stored results of a batch that commits part by part
//	hold.go           holds; operations call the rule card.RefuseStopped
//	undo.go           undoing the last of the changes that package replay reads from a unit's entries, also of many units at once;
//	                  voiding attachments and notes that were added by mistake (mayVoid)
//	nonconformance.go nonconformance reports; the units of a report, and adding units to it
//	disposition.go    deciding about the units of a report, and undone decisions
//	certificate.go    certificates
//	note.go           observations
//	file.go           files attached to records; internal/files stores their bytes; receiving files, and removing those that are
//	                  never attached
//	characteristic.go the characteristics measured at a step; numbering units at steps where a sample is measured; first pieces
//	measurement.go    readings; package card checks them against the limits (Judge)
//	requirement.go    what steps require of units before they leave; the bills of paths and units
//	component.go      installing units in units, and removing them; package card has the rules
//	shipment.go       shipments to suppliers for outside work, and to customers; package card has the rules
//	receipt.go        receiving units of shipments, certificates of receipts, voiding receipts; what may be delivered to a customer
//	conformance.go    certificates of conformance, their revisions and units
//	conformanceissue.go  checking units, printing and storing a revision (printing), withdrawing; package conformance has the content
//	firstarticle.go   first article inspections; firstarticleforms.go fills their forms from records, verifies and approves them
//	recall.go         following installations: the state of what contains what, and what the cause of a recall affects
//	baseline.go       the readings of a control chart, and frozen control limits
//	instrument.go     measuring instruments, their ranges and calibrations; the units that an instrument puts in doubt (Doubtful)
//	lot.go            lots of material: their part or material, their numbers, voiding them
//	lotbooking.go     receiving, counting and splitting lots; expiry, holds and certificates of lots
//	bom.go            bills of materials
//	template.go       templates for new routes, and lists of step names and locations to choose from
//	organization.go   the shop as printed papers show it; who gets notices, and the database functions of notices
//	user.go           users, and the rule that at least one user can administer; declarations of accounts, tokens and stations, whose
//	                  rules are in internal/access
//	nouns.go          the list of nouns, and Tx, their combined database functions; the tables of records (Record), of
//	                  operations with their permissions and signatures (Operation), and of audit actions with the records that
//	                  they change
//	actions.go        the actions that are currently possible for a unit
//	counts.go         the number of units at each step, without counting all of them
//
// The audit trail:
//
//	audit.go          entries and their actions (trail.Action), the entry of a unit's creation, and the visits of units to steps;
//	                  the ledger, the signed state of the trail, which package ledger computes and verifies
//	signature.go      electronic signatures, and the policy that requires them; signatures of changes of accounts by a second
//	                  administrator (SignAccounts)
//	signedtx.go       signatures in transactions: checking them, and adding them to the trail; the signed content (BodyOf)
//
// The rules create the entries: rules that change a card return the entries in card.Change.Audit, and all other rules pass the entries to
// Tx.AppendAudit. So do signedtx.go, signature.go, internal/access, internal/sealer and internal/backup. service.go adds the caller to
// entries, and internal/access determines the caller's Means. internal/sqlstore/statement/audit_columns.go has the columns of an entry in
// the database, and the statements that insert and read them. On SQLite audit.go in that folder inserts entries, and batch.go inserts those
// of long runs of serials. On PostgreSQL internal/sqlstore/postgres_transaction.go collects the entries of an Update, and
// internal/sqlstore/postgres_group.go those of a group of cards, and inserts both before the commit.
//
// Packages that this package imports, each importing only those listed before it:
//
//	refusal           refusals: kind, reason, field and arguments; the messages that several nouns share
//	ident             identifiers and times
//	input             fields of requests, how each kind of field is checked, exact decimals, limits of texts,
//	                  numbers and lists
//	trail             entries of the audit trail, and hashes of contents
//	card              the rules of the route card, which are pure
//	genealogy         what a unit contains, where things are used, and queries of recalls; pure, on the rows of a store
//	conformance       the fields of certificates of conformance, and how they follow from units; pure
//	notice            kinds of notices, who gets them, and messages on their way; pure
//	firstarticle      filling the forms of a first article inspection; pure, on records that the caller reads
//	replay            computing a card from a unit's entries, reroutes of paths, and visits of steps
//	compact           shortening stored results that list many records
//	workorder         the order fields of a job: part, GTIN, customer, due date and priority; late and urgent work
//
// Shared by all files:
//
//	service.go        Service, also within a transaction (Within); refusing changes while the clock is wrong; refusing to change a
//	                  record that has changed since it was read; the caller, and adding it to entries; internal/access
//	                  authenticates callers and has the permissions of roles
//	store.go          Store, the interface of a database; the maximum work of one transaction (WorkLimit), unreadable records
//	                  (UnreadableError), and the memory that requests share (MemoryBudget)
//	external.go       ids of records in other systems, and finding records by them; codes with a meaning of their own, which are
//	                  reserved: records cannot have them as names
//	once.go           requests with an Idempotency-Key, which internal/httpapi/once.go reads; their stored results; the result of a
//	                  request whose response was lost (Settle)
//
// Packages that import this package: importing applies the rows of files with the operations of Service.
//
// Package views has the queries of pages and lists. Package internal/verify compares stored records with the trail.
// Package internal/station resolves scanned codes, and internal/tracker connects jobs to an issue tracker.
// internal/sqlstore implements Store; its package comment lists the differences on PostgreSQL. internal/httpapi serves the
// operations over HTTP, and internal/web shows the pages. This package imports none of them. Rules are pure functions: no
// context, no clock, no I/O.
package shop

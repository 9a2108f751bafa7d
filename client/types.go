// Code generated from api/openapi.yaml by go test ./client/internal/generate -args -write. DO NOT EDIT.

package client

import (
	"encoding/json"
	"time"
)

// AccessPolicy is an answer of the interface.
type AccessPolicy struct {
	// The roles that need a second factor.
	SecondFactor []Role `json:"secondFactor"`
}

// AccessPolicyRequest is the body of the operation accessPolicy.
type AccessPolicyRequest struct {
	// All roles that are to need a second factor. An empty list demands it of nobody.
	SecondFactor []Role `json:"secondFactor,omitzero"`
}

// AccountDemand: Whether changes of who may do what need the signature of a second administrator, and of nobody
// else: an account, its roles, a secret or second factors of somebody else, a token of a program, the name of
// somebody with a login, to make them active again, a confirmation, this policy, and the policy for second
// factors. What only takes away needs none.
type AccountDemand string

// What a AccountDemand may be. Later releases may add some.
const (
	AccountDemandNone   AccountDemand = "none"
	AccountDemandSecond AccountDemand = "second"
)

// AccountKind: Whose account it is, given with the login, for good; person when it is left out. A program has
// tokens and no other secret.
type AccountKind string

// What a AccountKind may be. Later releases may add some.
const (
	AccountKindPerson  AccountKind = "person"
	AccountKindProgram AccountKind = "program"
)

// ActOnFirstArticleRequest: Who verifies or approves.
type ActOnFirstArticleRequest struct {
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// AddToNonconformanceRequest is the body of the operation addToNonconformance.
type AddToNonconformanceRequest struct {
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// Whether the units are put on hold too. Left out, they are not.
	Hold *bool `json:"hold,omitempty"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// AdjustLotRequest is the body of the operation adjustLot.
type AdjustLotRequest struct {
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// A decimal number of at most 18 digits, kept as it is written. A JSON number is taken too, to the digit.
	Remaining string `json:"remaining"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// AdvanceSerialRequest is the body of the operation advanceSerial.
type AdvanceSerialRequest struct {
	// Where the caller believes the serial stands. When it stands elsewhere, 409 answers and nothing is changed. Not
	// supplied or `null` means that anywhere will do.
	ExpectedStepIndex *int64 `json:"expectedStepIndex,omitempty"`
	// Who acts; `anonymous` when it is left out.
	UserID string `json:"userId,omitempty"`
}

// AdvanceToStepRequest is the body of the operation advanceToStep.
type AdvanceToStepRequest struct {
	// Where the caller believes the serial stands. When it stands elsewhere, 409 answers and nothing is changed. Not
	// supplied or `null` means that anywhere will do.
	ExpectedStepIndex *int64 `json:"expectedStepIndex,omitempty"`
	// Where to, counted from 0. The number of steps of the path means completion.
	TargetStepIndex int64 `json:"targetStepIndex"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// AdvancedSerial: The serial, and what became of the steps it passed over.
type AdvancedSerial struct {
	// In the order of the path; empty when nothing was bypassed.
	Bypassed []BypassedStep `json:"bypassed"`
	// One unit. The scrap fields are present when it is scrapped, the force-completion fields when it is
	// force-completed.
	Serial SerialNumber `json:"serial"`
}

// AdvancementMode: How serials may move along a path; see the tag Paths.
type AdvancementMode string

// What a AdvancementMode may be. Later releases may add some.
const (
	AdvancementModeStrict   AdvancementMode = "strict"
	AdvancementModeFlexible AdvancementMode = "flexible"
	AdvancementModePerStep  AdvancementMode = "per_step"
)

// ApplyTemplateRequest is the body of the operation applyTemplate.
type ApplyTemplateRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// How many units are wanted.
	GoalQuantity int64 `json:"goalQuantity"`
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// The name of the new path; the template's name when left out.
	PathName *string `json:"pathName,omitempty"`
}

// AsBuilt: A serial with all that it contains, or contained at a moment.
type AsBuilt struct {
	// The moment that was asked for; left out for now.
	At time.Time `json:"at,omitzero"`
	// Its components: units by number, then lots by lot number.
	Components []Part `json:"components"`
	// The serial.
	SerialID string `json:"serialId"`
}

// AssignStepRequest is the body of the operation assignStep.
type AssignStepRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// The operator; null for nobody.
	UserID *string `json:"userId"`
}

// AttachCertificateRequest is the body of the operation attachCertificate.
type AttachCertificateRequest struct {
	// The identifier of a certificate, whether or not it is attached to anything.
	CertID string `json:"certId"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// AttachFileRequest is the body of the operation attachFile.
type AttachFileRequest struct {
	// What the file is for.
	Kind FileKind `json:"kind"`
	// What the file is called; a download gets this name. It has no path, and no characters that cannot be seen.
	Name string `json:"name"`
	// Text of any number of lines; nothing but space counts as empty.
	Note *string `json:"note,omitempty"`
	// The SHA-256 of the bytes, in lower-case hex.
	SHA256 string `json:"sha256"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// AttachLotCertificateRequest is the body of the operation attachLotCertificate.
type AttachLotCertificateRequest struct {
	// An identifier that is stored as given; whether it exists is not checked.
	CertID string `json:"certId"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// AttachReceiptCertificateRequest is the body of the operation attachReceiptCertificate.
type AttachReceiptCertificateRequest struct {
	// An identifier that is stored as given; whether it exists is not checked.
	CertID string `json:"certId"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// AuditEntry: One thing that was done. Which fields are present depends on the action.
type AuditEntry struct {
	// What was done. The list is open: readers should pass over actions they do not know.
	//
	// | action | written by |
	// |---|---|
	// | `serial_created` | the creation of a batch of serials; `batchQuantity` is set, metadata has `firstSerialId` and `lastSerialId`, and `bomId` and `bomVersion` of the bill that they keep |
	// | `serial_advanced` | an advance, with `fromStepId`, and `toStepId` unless it completed the serial |
	// | `serial_completed` | Advance Serial from the last step, with `fromStepId` |
	// | `step_skipped`, `step_deferred` | an advance over the step in `stepId` |
	// | `serial_scrapped` | a scrapping; metadata has `reason` and, if given, `explanation` |
	// | `serial_force_completed` | a force-completion; metadata has `incompleteStepIds` and, if given, `reason` |
	// | `serial_number_set` | an own number that a serial got; metadata has it as `after`, the one `before`, null for none, and `reason` if one was given |
	// | `deferred_step_completed` | the completion of a deferred step |
	// | `step_waived` | a waiver; metadata has `reason` and `approverId` |
	// | `step_override_created` | the creation of an override; metadata has `reason` |
	// | `step_override_reversed` | the reversal of an override |
	// | `serial_held` | a hold; metadata has `holdId` and `reason` |
	// | `serial_released` | the release of a hold; metadata has `holdId` and `reason` |
	// | `change_undone` | a change that was taken back; metadata has its `entryId`, the `reason`, and `currentStepIndex` and `status` `before` and `after` |
	// | `nonconformance_opened` | a report was opened; metadata has `nonconformanceId`, `title`, `description`, `severity` and the `ranges` of its serials |
	// | `nonconformance_extended` | more serials came to a report; metadata has `nonconformanceId` and their `ranges` |
	// | `nonconformance_dispositioned` | a decision about units of a report; metadata has `nonconformanceId`, `disposition`, `reason`, their `ranges`, and what else was decided |
	// | `nonconformance_closed` | a report was closed; metadata has `nonconformanceId` and `summary` |
	// | `record_voided` | a note, an attachment, a link to a file, a reading or a component that does not count any more; metadata has its `recordId` and the `reason` |
	// | `serial_reworked` | a rework, with `toStepId`, and `fromStepId` unless the serial was completed by advancing; metadata has `reason` and the `pass` that begins |
	// | `record_signed` | a signature; metadata has `operation`, `meaning`, `login`, `printedName`, `method`, `signedAt`, the number of `entries` that it signs and their `sha256`; if it was given on a page, also the tag of the page's `language` and its words for the meaning, `meaningShown` |
	// | `cert_attached` | the attachment of a certificate, once per new attachment |
	// | `note_created` | a note, without its text but with a salted hash of it |
	// | `file_attached` | a file was attached; metadata has `linkId`, `sha256`, `size`, `type`, `name`, `kind`, and `note` and `nonconformanceId` if there are any |
	// | `bom_edited` | a versioned edit; metadata has `bomId`, `changeDescription` and `versionNumber` |
	// | `lot_created`, `lot_changed` | a lot; metadata has `lotId`, its `lotNumber`, what it was `before` and is `after`, and the `reason` of a change |
	// | `lot_received`, `lot_adjusted`, `lot_split` | a delivery, a count, a quantity that was split off to `childId`; metadata has the lot `before` and `after` |
	// | `lot_expiry_set` | the expiry of a lot; metadata has the lot `before` and `after`, the `reason` and the `sha256` of a file |
	// | `lot_held`, `lot_released` | a hold of a lot; metadata has `lotId`, `holdId` and `reason` |
	// | `lot_cert_attached` | the attachment of a certificate to a lot; metadata has `lotId` and `attachmentId` |
	// | `shipment_created` | a shipment; metadata has its fields, the `ranges` of its units, and `shipmentId` |
	// | `shipment_received` | a receipt; metadata has `shipmentId`, `receiptId`, the ranges `received` and `rejected`, and `missing` |
	// | `conformance_issued`, `conformance_reissued` | a revision of a certificate of conformance; metadata has its fields, `conformanceId`, `sha256` of the PDF and the `ranges` of its units |
	// | `conformance_withdrawn` | the withdrawal of a certificate of conformance; metadata has `conformanceId`, `revision`, `sha256`, `reason` and `ranges` |
	// | `receipt_cert_attached` | the attachment of a certificate to a receipt; metadata has `receiptId` and `attachmentId` |
	// | `first_article_created` | a first article; metadata has its fields and `firstArticleId` |
	// | `first_article_changed` | typed fields of a first article; metadata has `firstArticleId`, and the texts `before` and `after` by the name of the field |
	// | `first_article_verified`, `first_article_approved` | metadata has `firstArticleId`, `serialIds`, and the `sha256` of the frozen content |
	// | `first_article_reopened` | a verified first article that is a draft again; metadata has `firstArticleId`, the `sha256` that it had, and `reason` |
	// | `first_article_customer_approved` | the approval by the customer; metadata has `firstArticleId`, `name`, `approvedOn`, and the `sha256`, `size` and `type` of the file |
	// | `serial_sent` | a unit was sent; metadata has `shipmentId`, `kind`, `party`, `sentOn` and `pass` |
	// | `serial_received` | a unit in a receipt; metadata has `shipmentId`, `receiptId`, `result` and, for a missing unit, `reason` |
	// | `instrument_created`, `instrument_changed` | an instrument; metadata has `instrumentId`, its `number`, and what it was `before` and is `after` |
	// | `external_id_set` | an external identifier; metadata has `kind` and `id` of the record, and its external identifier `before` and `after`, null for none |
	// | `instrument_calibrated` | a calibration; metadata has `instrumentId`, its `number`, `calibrationId`, and what is so `after` it |
	// | `characteristics_changed` | what is measured at a step; metadata has `characteristicsId`, `revision`, and what was `before` and is `after` of those that differ |
	// | `requirements_changed` | what a step requires; metadata has `requirementsId`, `revision`, and what was required `before` and `after` |
	// | `path_bom_set` | the bill of a path; metadata has its `bomId` `before` and `after`, empty for none |
	// | `serial_bom_set` | the bill that a unit keeps; metadata has its `bomId` and `bomVersion` `before` and `after`, and the `reason` |
	// | `limits_frozen` | control limits were frozen; metadata has `baselineId`, the characteristic, `from`, `to`, `subgroup`, `rules`, the readings by `n`, `firstReadingId` and `lastReadingId`, the `limits` and `spread` that follow from them, and the `reason` |
	// | `measured` | readings of a serial at the step in `stepId`; metadata has their `revision`, `pass` and `values`, and as which unit it came (`arrival`) where a sample is measured |
	// | `component_installed` | something was installed in the serial, at the step in `stepId`; metadata has `componentId`, what was installed, how much, its `place` and the `pass` |
	// | `component_removed` | a component of the serial was removed; metadata has `componentId`, what it was, the `reason`, and `returned` if the amount can be used again |
	// | `unit_installed`, `unit_removed` | the serial was installed in another one, or removed from it; metadata has `componentId`, `parentSerialId`, and the `place` or the `reason` |
	// | `job_closed` | a job was closed; metadata has the `reason`, and `goalQuantity`, `completedSerials` and `scrappedSerials` as they were |
	// | `job_reopened` | a closed job was opened again; metadata has the `reason` |
	// | `step_assigned` | the assignment of a step |
	// | `step_config_changed` | the configuration of a step |
	// | `path_updated`, `path_deleted` | the update or deletion of a path |
	// | `advancement_mode_changed` | the change of a path's advancement mode |
	// | `account_confirmed` | a second person confirmed whose an account is |
	// | `account_changed`, `secret_changed` | a login, roles, a password, a PIN or a badge given, a passkey, one-time codes or recovery codes given or (`removed`) taken away, or who a user is to a provider of OpenID Connect; never the secret |
	// | `token_created`, `token_revoked` | the making or revoking of a token; never the token |
	// | `station_created`, `station_revoked` | a device made a station, or an ordinary one again |
	// | `sign_in_locked` | too many wrong attempts; metadata has `kind` (`account`, `address`, `station`), `name` and `address` |
	// | `account_unlocked`, `session_ended` | somebody forgot the wrong attempts at an account, or ended one of its sessions from another one; metadata has `accountId` and `login` |
	// | `signature_policy_changed` | a change of what has to be signed |
	// | `organization_changed` | a change of the organization on papers; metadata has `before`, null at first, and `after` |
	// | `notices_changed` | a change of who gets notices; metadata has `before` and `after` |
	// | `access_policy_changed` | a change of who needs a second factor; metadata has `before` and `after` |
	// | `template_applied` | the making of a path from a route template; metadata has `templateId` and `templateName` |
	// | `job_created`, `job_changed` | a job that was made or changed |
	// | `path_created` | a path that was made without a template |
	// | `certificate_created` | a certificate that was made |
	// | `bom_created`, `bom_updated` | a BOM that was made, or changed without a version; metadata has `bomId` |
	// | `user_created`, `user_changed` | an operator who was added or changed; metadata has their `userId` |
	// | `template_created`, `template_changed`, `template_deleted` | a route template; metadata has `templateId` |
	// | `ledger_started` | the beginning of the ledger over a trail that had entries already; metadata has `origin` and `entries` |
	// | `ledger_restarted` | the ledger beginning anew; metadata has `reason`, `origin`, `entries`, `lastCheckpoint` and `found` |
	// | `ledger_entries_found` | entries that a start found behind those that the service left; metadata has `first`, `last` and `written`: `stopped`, or `unknown` when the service was killed |
	// | `ledger_key_added`, `ledger_key_retired` | a key that signs from now on, or no more; metadata has `verifierKey` |
	// | `database_restored` | the restoring of a backup; metadata has `from`, `takenAt`, `lastEntry`, `lastSerial`, `skippedSerials`, and `sessionsEnded`, `tokensRevoked` and `secretsExpired`, or `credentialsKept` with the reason |
	//
	// The metadata of these, from `step_assigned` to `template_deleted` but for `template_applied`, has `before` and
	// `after`: what was changed, as it was and as it is; null for nothing.
	Action string `json:"action"`
	// The login of whoever acted for the user, or `oidc` where a provider of OpenID Connect had the entry made. Left
	// out where the user acted.
	Actor string `json:"actor,omitempty"`
	// How many serials the batch had.
	BatchQuantity *int64 `json:"batchQuantity,omitempty"`
	// An identifier that is stored as given; whether it exists is not checked.
	CertID string `json:"certId,omitempty"`
	// The step that the serial left.
	FromStepID string `json:"fromStepId,omitempty"`
	// The number of an entry of the audit trail. In the order of their numbers the entries are in the order in which
	// they were written.
	ID string `json:"id"`
	// An identifier that is stored as given; whether it exists is not checked.
	JobID string `json:"jobId,omitempty"`
	// What whoever made the entry proved to be themselves with: `session`, `token:{id}`, or `station:{id}` for a
	// session at a station. At a signature it is what the ticket was asked for with. Left out where nobody has to
	// prove who they are, in entries that the service makes by itself, and in those of earlier releases.
	Means string `json:"means,omitempty"`
	// What else belongs to this action.
	Metadata json.RawMessage `json:"metadata,omitzero"`
	// An identifier that is stored as given; whether it exists is not checked.
	PathID string `json:"pathId,omitempty"`
	// An identifier that is stored as given; whether it exists is not checked.
	SerialID string `json:"serialId,omitempty"`
	// An identifier that is stored as given; whether it exists is not checked.
	StepID string `json:"stepId,omitempty"`
	// An instant in UTC with milliseconds.
	Timestamp time.Time `json:"timestamp"`
	// The step that the serial came to.
	ToStepID string `json:"toStepId,omitempty"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId"`
}

// Away: Where a unit is that was sent and not received.
type Away struct {
	// `outside`: to a supplier, and back. `customer`: delivered.
	Kind ShipmentKind `json:"kind"`
	// The supplier or customer.
	Party string `json:"party"`
	// A day.
	SentOn string `json:"sentOn"`
	// A shipment, `SHP-` and a number of at least five digits.
	ShipmentID string `json:"shipmentId"`
}

// Backup is an answer of the interface.
type Backup struct {
	// Whether somebody asked for it; left out otherwise.
	ByHand bool `json:"byHand,omitempty"`
	// The size of the database file.
	Bytes int64 `json:"bytes"`
	// The newest signed checkpoint.
	Checkpoint string `json:"checkpoint,omitempty"`
	// The name of the file in the folder of backups.
	File string `json:"file"`
	// The files that came with it; left out when there are none.
	Files *BackupFiles `json:"files,omitempty"`
	// What is known to be wrong with the past of its trail.
	Findings []string `json:"findings,omitzero"`
	// The newest audit entry.
	LastEntry string `json:"lastEntry,omitempty"`
	// The last serial that was handed out.
	LastSerial string `json:"lastSerial,omitempty"`
	// How many rows each table has.
	Rows map[string]int64 `json:"rows"`
	// The SHA-256 of the database file, in lower-case hexadecimal digits.
	SHA256 string `json:"sha256"`
	// When the backup began, in UTC, to the second.
	TakenAt string `json:"takenAt"`
	// Of the program that made it.
	Version string `json:"version"`
}

// BackupFiles: The files that came with it; left out when there are none.
type BackupFiles struct {
	// The size of those files together.
	Bytes int64 `json:"bytes"`
	// How many files were copied with the database.
	Count int64 `json:"count"`
}

// Backups is an answer of the interface.
type Backups struct {
	// The backups that were checked and found good, the newest first.
	Backups []Backup `json:"backups"`
	// Why the last attempt failed.
	Problem string `json:"problem,omitempty"`
	// Whether one is being made just now.
	Running bool `json:"running"`
}

// Badge is an answer of the interface.
type Badge struct {
	// The text to be printed as a code. It is told this once, and an earlier badge of the user stops working.
	Badge string `json:"badge"`
}

// Baseline: Control limits that were frozen. They are never changed; a later baseline with the same subgroup
// supersedes them.
type Baseline struct {
	// What is charted.
	CharacteristicID string `json:"characteristicId"`
	// The first of them.
	FirstReadingID string `json:"firstReadingId"`
	// The readings are of this moment and later.
	From time.Time `json:"from"`
	// When they were frozen.
	FrozenAt time.Time `json:"frozenAt"`
	// Who froze them.
	FrozenBy string `json:"frozenBy"`
	// Its identifier.
	ID string `json:"id"`
	// The last of them.
	LastReadingID string `json:"lastReadingId"`
	// Those of the points.
	Limits ControlLimits `json:"limits"`
	// How many readings the limits follow from.
	N int64 `json:"n"`
	// Why these readings show the process as it should be.
	Reason string `json:"reason"`
	// The rules by which a chart judges points unless it is asked for with another set.
	Rules RuleSet `json:"rules"`
	// Those of the moving range, or of the range of each subgroup.
	Spread ControlLimits `json:"spread"`
	// The step at which it is measured.
	StepID string `json:"stepId"`
	// How many readings make a point.
	Subgroup int64 `json:"subgroup"`
	// The readings are until this moment.
	To time.Time `json:"to"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
}

// BatchAdvanceRequest is the body of the operation batchAdvance.
type BatchAdvanceRequest struct {
	// Judges as the operation does and changes nothing. Serials that refuse are listed in `refused` also with
	// `onRefusal: none`; `changed` is then 0.
	DryRun *bool `json:"dryRun,omitempty"`
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// Where the caller believes the serial stands. When it stands elsewhere, 409 answers and nothing is changed. Not
	// supplied or `null` means that anywhere will do.
	ExpectedStepIndex *int64 `json:"expectedStepIndex,omitempty"`
	// What happens when a serial refuses. `none` of them is changed, which holds when it is left out, or `each` that
	// can be.
	OnRefusal *OnRefusal `json:"onRefusal,omitempty"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// When it is not supplied, the trail says `anonymous`.
	UserID string `json:"userId,omitempty"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// BatchAdvanceToRequest is the body of the operation batchAdvanceTo.
type BatchAdvanceToRequest struct {
	// Judges as the operation does and changes nothing. Serials that refuse are listed in `refused` also with
	// `onRefusal: none`; `changed` is then 0.
	DryRun *bool `json:"dryRun,omitempty"`
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// Where the caller believes the serial stands. When it stands elsewhere, 409 answers and nothing is changed. Not
	// supplied or `null` means that anywhere will do.
	ExpectedStepIndex *int64 `json:"expectedStepIndex,omitempty"`
	// What happens when a serial refuses. `none` of them is changed, which holds when it is left out, or `each` that
	// can be.
	OnRefusal *OnRefusal `json:"onRefusal,omitempty"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// The step to go to, or the number of steps for completion.
	TargetStepIndex int64 `json:"targetStepIndex"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// BatchAttachCertificateRequest is the body of the operation batchAttachCertificate.
type BatchAttachCertificateRequest struct {
	// The identifier of a certificate, whether or not it is attached to anything.
	CertID string `json:"certId"`
	// The serials to attach the certificate to, each at the step that it stands on.
	SerialIDs []string `json:"serialIds"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// BatchAttachFileRequest is the body of the operation batchAttachFile.
type BatchAttachFileRequest struct {
	// Judges as the operation does and changes nothing. Serials that refuse are listed in `refused` also with
	// `onRefusal: none`; `changed` is then 0.
	DryRun *bool `json:"dryRun,omitempty"`
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// What the file is for.
	Kind FileKind `json:"kind"`
	// What the file is called; a download gets this name. It has no path, and no characters that cannot be seen.
	Name string `json:"name"`
	// Text of any number of lines; nothing but space counts as empty.
	Note *string `json:"note,omitempty"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// The SHA-256 of the bytes, in lower-case hex.
	SHA256 string `json:"sha256"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// BatchBomRequest: The serials, and the bill that they get.
type BatchBomRequest struct {
	// The bill; null for none.
	BomID *string `json:"bomId"`
	// Judges as the operation does and changes nothing. Serials that refuse are listed in `refused` also with
	// `onRefusal: none`; `changed` is then 0.
	DryRun *bool `json:"dryRun,omitempty"`
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// What happens when a serial refuses. `none` of them is changed, which holds when it is left out, or `each` that
	// can be.
	OnRefusal *OnRefusal `json:"onRefusal,omitempty"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// Why the bill changes.
	Reason string `json:"reason"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// Who acts.
	UserID string `json:"userId,omitempty"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// BatchCreateSerialsRequest is the body of the operation batchCreateSerials.
type BatchCreateSerialsRequest struct {
	// A certificate to attach to each of them at the first step.
	CertID *string `json:"certId,omitempty"`
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// A lot to install an amount of in each of them at the first step.
	LotID *string `json:"lotId,omitempty"`
	// How much of the lot is installed in each serial, in the unit of the lot. Required if the lot has a quantity.
	LotQuantity *string `json:"lotQuantity,omitempty"`
	// How the own numbers of new serials follow on each other.
	Numbering *Numbering `json:"numbering,omitempty"`
	// The identifier of a path. A path keeps it when it is renamed or its steps change.
	PathID string `json:"pathId"`
	// How many serials to make. Required without `serialNumbers`; with them it may be left out, or is their number.
	Quantity *int64 `json:"quantity,omitempty"`
	// The own numbers of the serials, in their order. Not together with `numbering`.
	SerialNumbers []string `json:"serialNumbers,omitzero"`
	// Who acts; `anonymous` when it is left out.
	UserID string `json:"userId,omitempty"`
}

// BatchForceCompleteRequest is the body of the operation batchForceComplete.
type BatchForceCompleteRequest struct {
	// Judges as the operation does and changes nothing. Serials that refuse are listed in `refused` also with
	// `onRefusal: none`; `changed` is then 0.
	DryRun *bool `json:"dryRun,omitempty"`
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// Where the caller believes the serial stands. When it stands elsewhere, 409 answers and nothing is changed. Not
	// supplied or `null` means that anywhere will do.
	ExpectedStepIndex *int64 `json:"expectedStepIndex,omitempty"`
	// What happens when a serial refuses. `none` of them is changed, which holds when it is left out, or `each` that
	// can be.
	OnRefusal *OnRefusal `json:"onRefusal,omitempty"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason *string `json:"reason,omitempty"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// BatchHoldRequest is the body of the operation batchHold.
type BatchHoldRequest struct {
	// Judges as the operation does and changes nothing. Serials that refuse are listed in `refused` also with
	// `onRefusal: none`; `changed` is then 0.
	DryRun *bool `json:"dryRun,omitempty"`
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// Whether the lots that the recall names are put on hold too, except those that are already on hold, also by a
	// lot that they were split from. Left out, they are not.
	Lots *bool `json:"lots,omitempty"`
	// An identifier that is stored as given; whether it exists is not checked.
	NonconformanceID *string `json:"nonconformanceId,omitempty"`
	// What happens when a serial refuses. `none` of them is changed, which holds when it is left out, or `each` that
	// can be.
	OnRefusal *OnRefusal `json:"onRefusal,omitempty"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// The units that a cause affects and that are not scrapped, by number: what `getRecall` lists with the same
	// parameters. Exactly one of `lotId` to `by` is required, and `from` with the last three of these.
	Recall *RecallCause `json:"recall,omitempty"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// BatchInstallComponentsRequest: The serials, and what is installed in each.
type BatchInstallComponentsRequest struct {
	// Judges as the operation does and changes nothing. Serials that refuse are listed in `refused` also with
	// `onRefusal: none`; `changed` is then 0.
	DryRun *bool `json:"dryRun,omitempty"`
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// The lot to take the amounts from.
	LotID string `json:"lotId"`
	// What happens when a serial refuses. `none` of them is changed, which holds when it is left out, or `each` that
	// can be.
	OnRefusal *OnRefusal `json:"onRefusal,omitempty"`
	// Where in each serial it is.
	Place *string `json:"place,omitempty"`
	// How much of the lot is installed in each serial, in the unit of the lot.
	Quantity *string `json:"quantity,omitempty"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// Who acts.
	UserID string `json:"userId,omitempty"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// BatchReleaseRequest is the body of the operation batchRelease.
type BatchReleaseRequest struct {
	// Judges as the operation does and changes nothing. Serials that refuse are listed in `refused` also with
	// `onRefusal: none`; `changed` is then 0.
	DryRun *bool `json:"dryRun,omitempty"`
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// An identifier that is stored as given; whether it exists is not checked.
	NonconformanceID *string `json:"nonconformanceId,omitempty"`
	// What happens when a serial refuses. `none` of them is changed, which holds when it is left out, or `each` that
	// can be.
	OnRefusal *OnRefusal `json:"onRefusal,omitempty"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// BatchResult: What became of the serials of a selection.
type BatchResult struct {
	// How many of them were changed.
	Changed int64 `json:"changed"`
	// How many lots were put on hold too; left out unless the request had `lots`.
	Lots *int64 `json:"lots,omitempty"`
	// Why the others were not, in the order of the selection.
	Refused []SerialRefusal `json:"refused"`
	// How many serials the selection has.
	Selected int64 `json:"selected"`
}

// BatchScrapRequest is the body of the operation batchScrap.
type BatchScrapRequest struct {
	// Judges as the operation does and changes nothing. Serials that refuse are listed in `refused` also with
	// `onRefusal: none`; `changed` is then 0.
	DryRun *bool `json:"dryRun,omitempty"`
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// Where the caller believes the serial stands. When it stands elsewhere, 409 answers and nothing is changed. Not
	// supplied or `null` means that anywhere will do.
	ExpectedStepIndex *int64 `json:"expectedStepIndex,omitempty"`
	// Required when reason is `other`.
	Explanation *string `json:"explanation,omitempty"`
	// What happens when a serial refuses. `none` of them is changed, which holds when it is left out, or `each` that
	// can be.
	OnRefusal *OnRefusal `json:"onRefusal,omitempty"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// Why a serial was scrapped.
	Reason ScrapReason `json:"reason"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// Bom: A bill of materials.
type Bom struct {
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// One entry for each part type, in the order in which they were given.
	Entries []BomEntry `json:"entries"`
	// What another system calls the record, unique among the records of its kind. Wherever an address or a body takes
	// the id of the record, `ext:` and this does too.
	ExternalID string `json:"externalId,omitempty"`
	// The identifier of a bill of materials, which stays the same through all its versions.
	ID string `json:"id"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// An instant in UTC with milliseconds.
	UpdatedAt time.Time `json:"updatedAt"`
}

// BomDetail: A bill of materials with its production summary.
type BomDetail struct {
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// One entry for each part type, in the order in which they were given.
	Entries []BomEntry `json:"entries"`
	// What another system calls the record, unique among the records of its kind. Wherever an address or a body takes
	// the id of the record, `ext:` and this does too.
	ExternalID string `json:"externalId,omitempty"`
	// The identifier of a bill of materials, which stays the same through all its versions.
	ID string `json:"id"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// What the jobs of a bill of materials have produced.
	Summary BomSummary `json:"summary"`
	// An instant in UTC with milliseconds.
	UpdatedAt time.Time `json:"updatedAt"`
}

// BomEntry: One part type of a bill of materials.
type BomEntry struct {
	// The identifier of a bill of materials, which stays the same through all its versions.
	BomID string `json:"bomId,omitempty"`
	// The jobs that make this part type; they need not exist.
	ContributingJobIDs []string `json:"contributingJobIds"`
	// The identifier of an entry of a bill. Entries that an update or an edit replaces are made anew, with other
	// identifiers.
	ID string `json:"id,omitempty"`
	// The part number of units and lots of this type; left out if it is the part type.
	PartNumber string `json:"partNumber,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	PartType string `json:"partType"`
	// How much of a part type one build needs, more than 0. Fractions are allowed.
	RequiredQuantityPerBuild float64 `json:"requiredQuantityPerBuild"`
}

// BomEntryRequest: One entry in the body of a creation, an update or an edit.
type BomEntryRequest struct {
	// The jobs that make the part; none when it is left out.
	ContributingJobIDs []string `json:"contributingJobIds,omitzero"`
	// The part number of units and lots of this type; left out if it is the part type.
	PartNumber *string `json:"partNumber,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	PartType string `json:"partType"`
	// How much of a part type one build needs, more than 0. Fractions are allowed.
	RequiredQuantityPerBuild float64 `json:"requiredQuantityPerBuild"`
}

// BomSummary: What the jobs of a bill of materials have produced.
type BomSummary struct {
	// The identifier of a bill of materials, which stays the same through all its versions.
	BomID string `json:"bomId"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	BomName string `json:"bomName"`
	// One line for each entry of the bill, in the order of its entries.
	Entries []BomSummaryEntry `json:"entries"`
}

// BomSummaryEntry: What the jobs of one entry have produced.
type BomSummaryEntry struct {
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	PartType string `json:"partType"`
	// How much of a part type one build needs, more than 0. Fractions are allowed.
	RequiredQuantityPerBuild float64 `json:"requiredQuantityPerBuild"`
	// A whole number of zero or more.
	TotalCompleted int64 `json:"totalCompleted"`
	// A whole number of zero or more.
	TotalInProgress int64 `json:"totalInProgress"`
	// What is required less what is completed, never below 0.
	TotalOutstanding float64 `json:"totalOutstanding"`
}

// BomVersion: What the entries of a bill of materials were before an edit.
type BomVersion struct {
	// The identifier of a bill of materials, which stays the same through all its versions.
	BomID string `json:"bomId"`
	// Text of any number of lines; nothing but space counts as empty.
	ChangeDescription string `json:"changeDescription"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	ChangedBy string `json:"changedBy"`
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// The entries as they were before the edit that made this version.
	EntriesSnapshot []BomEntry `json:"entriesSnapshot"`
	// The identifier of what the entries of a bill were before one edit.
	ID string `json:"id"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
	// Counted from 1 for each bill of materials.
	VersionNumber int64 `json:"versionNumber"`
}

// BypassedStep: A step that a serial passed over.
type BypassedStep struct {
	// `skipped` when the step may stay undone; `deferred` when it has to be completed or waived later.
	Classification BypassedStepClassification `json:"classification"`
	// The identifier of a step of a path. A step keeps it when it is renamed or changes its place; steps of templates
	// have none.
	StepID string `json:"stepId"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	StepName string `json:"stepName"`
}

// BypassedStepClassification: `skipped` when the step may stay undone; `deferred` when it has to be completed or
// waived later.
type BypassedStepClassification string

// What a BypassedStepClassification may be. Later releases may add some.
const (
	BypassedStepClassificationSkipped  BypassedStepClassification = "skipped"
	BypassedStepClassificationDeferred BypassedStepClassification = "deferred"
)

// CalibrateInstrumentRequest is the body of the operation calibrateInstrument.
type CalibrateInstrumentRequest struct {
	// What a calibration found.
	AsFound *CalibrationResult `json:"asFound,omitempty"`
	// A day.
	DueDate string `json:"dueDate"`
	// What a calibration found.
	Result CalibrationResult `json:"result"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// Calibration: One calibration of an instrument.
type Calibration struct {
	// What a calibration found.
	AsFound CalibrationResult `json:"asFound,omitempty"`
	// An instant in UTC with milliseconds.
	CalibratedAt time.Time `json:"calibratedAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	CalibratedBy string `json:"calibratedBy"`
	// A day.
	DueDate string `json:"dueDate"`
	// The identifier of one calibration of one instrument.
	ID string `json:"id"`
	// The identifier of an instrument. Its number, which people put on it, may change.
	InstrumentID string `json:"instrumentId"`
	// What a calibration found.
	Result CalibrationResult `json:"result"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
}

// CalibrationResult: What a calibration found.
type CalibrationResult string

// What a CalibrationResult may be. Later releases may add some.
const (
	CalibrationResultPass CalibrationResult = "pass"
	CalibrationResultFail CalibrationResult = "fail"
)

// Capability: How the spread of the readings compares with the limits of the drawing.
type Capability struct {
	// By the spread within subgroups or from reading to reading; left out where one limit is missing.
	Cp *float64 `json:"cp,omitempty"`
	// As cp, to the nearest limit.
	Cpk float64 `json:"cpk"`
	// Of how many readings.
	N int64 `json:"n"`
	// By the spread of all readings; left out where one limit is missing.
	Pp *float64 `json:"pp,omitempty"`
	// As pp, to the nearest limit.
	Ppk float64 `json:"ppk"`
}

// CertAttachment: A certificate on a serial at a step. Serial, certificate and step together are unique among
// those that are not voided.
type CertAttachment struct {
	// An instant in UTC with milliseconds.
	AttachedAt time.Time `json:"attachedAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	AttachedBy string `json:"attachedBy"`
	// The identifier of a certificate, whether or not it is attached to anything.
	CertID string `json:"certId"`
	// The identifier of one certificate on one serial at one step, by which it is voided.
	ID string `json:"id,omitempty"`
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	SerialID string `json:"serialId"`
	// The step the serial stood on.
	StepID string `json:"stepId"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
	// Text of any number of lines; nothing but space counts as empty.
	VoidReason string `json:"voidReason,omitempty"`
	// An instant in UTC with milliseconds.
	VoidedAt time.Time `json:"voidedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	VoidedBy string `json:"voidedBy,omitempty"`
}

// Certificate: A material or process certificate. It never changes.
type Certificate struct {
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// What another system calls the record, unique among the records of its kind. Wherever an address or a body takes
	// the id of the record, `ext:` and this does too.
	ExternalID string `json:"externalId,omitempty"`
	// The identifier of a certificate, whether or not it is attached to anything.
	ID string `json:"id"`
	// Whatever the certificate says. Stored and returned as given, up to 64 KiB.
	Metadata json.RawMessage `json:"metadata,omitzero"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// The number that the issuer gave the certificate.
	Number string `json:"number,omitempty"`
	// What a certificate speaks of.
	Type CertificateType `json:"type"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
	// In the certificates of a serial: the receipt, or the lot in the serial, that has the certificate, when it is
	// not attached to the serial.
	Via string `json:"via,omitempty"`
}

// CertificateType: What a certificate speaks of.
type CertificateType string

// What a CertificateType may be. Later releases may add some.
const (
	CertificateTypeMaterial CertificateType = "material"
	CertificateTypeProcess  CertificateType = "process"
)

// ChangeAccountRequest is the body of the operation changeAccount.
type ChangeAccountRequest struct {
	// Whose account it is, given with the login, for good; person when it is left out. A program has tokens and no
	// other secret.
	Kind *AccountKind `json:"kind,omitempty"`
	// Given once, for good.
	Login *string `json:"login,omitempty"`
	// All roles of the account anew.
	Roles []Role `json:"roles,omitzero"`
}

// ChangePasswordRequest is the body of the operation changePassword.
type ChangePasswordRequest struct {
	// For one's own.
	OldPassword *string `json:"oldPassword,omitempty"`
	// At least 12 characters.
	Password string `json:"password"`
}

// ChangePINRequest is the body of the operation changePIN.
type ChangePINRequest struct {
	// For one's own.
	Password *string `json:"password,omitempty"`
	// At least 6 digits, and none that many would choose.
	PIN string `json:"pin"`
}

// Characteristic: Something that the drawing demands of a unit at a step. In a template it has no id.
type Characteristic struct {
	// Whether it is more than an ordinary one.
	Designator Designator `json:"designator,omitempty"`
	// Its identifier; left out in a template.
	ID string `json:"id,omitempty"`
	// Whether a reading names the instrument.
	InstrumentRequired bool `json:"instrumentRequired"`
	// The least that passes.
	Lower string `json:"lower,omitempty"`
	// What it is called.
	Name string `json:"name"`
	// What the drawing wants.
	Nominal string `json:"nominal,omitempty"`
	// The balloon of the drawing.
	Number string `json:"number"`
	// Which of several like features it is.
	Place string `json:"place,omitempty"`
	// Whether a unit is measured before it leaves the step.
	Required bool `json:"required"`
	// What the drawing says in words.
	Requirement string `json:"requirement,omitempty"`
	// Which units are measured; every when it is left out.
	Sample string `json:"sample"`
	// What is read of it.
	Type CharacteristicType `json:"type"`
	// The unit of its numbers, such as mm.
	Unit string `json:"unit,omitempty"`
	// The greatest that passes.
	Upper string `json:"upper,omitempty"`
}

// CharacteristicRequest: One characteristic. `number` is its balloon on the drawing; no two of a step have the
// same number and place.
type CharacteristicRequest struct {
	// Whether it is more than an ordinary one.
	Designator *Designator `json:"designator,omitempty"`
	// false when it is left out.
	InstrumentRequired *bool `json:"instrumentRequired,omitempty"`
	// The least that passes.
	Lower *string `json:"lower,omitempty"`
	// What it is called.
	Name string `json:"name"`
	// What the drawing wants.
	Nominal *string `json:"nominal,omitempty"`
	// The balloon of the drawing.
	Number string `json:"number"`
	// Which of several like features it is.
	Place *string `json:"place,omitempty"`
	// true when it is left out.
	Required *bool `json:"required,omitempty"`
	// What the drawing says.
	Requirement *string `json:"requirement,omitempty"`
	// Which units are measured; every when it is left out.
	Sample *string `json:"sample,omitempty"`
	// What is read of it.
	Type CharacteristicType `json:"type"`
	// The unit of its numbers, such as mm.
	Unit *string `json:"unit,omitempty"`
	// The greatest that passes.
	Upper *string `json:"upper,omitempty"`
}

// CharacteristicSet: What is measured at a step. Every edit makes the next revision.
type CharacteristicSet struct {
	// When the revision was made.
	ChangedAt time.Time `json:"changedAt,omitzero"`
	// Who made the revision.
	ChangedBy string `json:"changedBy,omitempty"`
	// What is measured, in the order of the last edit.
	Characteristics []Characteristic `json:"characteristics"`
	// Counted from 1; 0 while the step never had any.
	Revision int64 `json:"revision"`
	// The step.
	StepID string `json:"stepId"`
}

// CharacteristicType: What is read.
type CharacteristicType string

// What a CharacteristicType may be. Later releases may add some.
const (
	CharacteristicNumber   CharacteristicType = "number"
	CharacteristicPassFail CharacteristicType = "pass_fail"
	CharacteristicText     CharacteristicType = "text"
)

// Chart: The control chart of a characteristic.
type Chart struct {
	// Whose limits those are; left out when they follow from the readings of the chart.
	Baseline *Baseline `json:"baseline,omitempty"`
	// Left out for fewer than 25 readings, without a limit of the drawing, and when nothing spreads.
	Capability *Capability `json:"capability,omitempty"`
	// The characteristic of the chart: as the newest set of its step has it, or as the last set that had it.
	Characteristic Characteristic `json:"characteristic"`
	// The standard deviation of all readings of the chart, with n-1.
	Deviation float64 `json:"deviation"`
	// The control limits of the points.
	Limits ControlLimits `json:"limits"`
	// Of all readings of the chart.
	Mean float64 `json:"mean"`
	// Whether there are older readings than those that are charted.
	More bool `json:"more"`
	// How many readings are charted.
	N int64 `json:"n"`
	// Oldest first.
	Points []ChartPoint `json:"points"`
	// The rules by which the points are judged.
	Rules RuleSet `json:"rules"`
	// The control limits of the moving range, or of the range of each subgroup.
	Spread ControlLimits `json:"spread"`
	// The step at which it is measured.
	StepID string `json:"stepId"`
	// How many readings make a point.
	Subgroup int64 `json:"subgroup"`
}

// ChartPoint: One point of a chart.
type ChartPoint struct {
	// When the last of its readings was recorded.
	At time.Time `json:"at"`
	// The numbers of the rules that are broken there.
	Broken []int64 `json:"broken"`
	// Those that make it, as many as the subgroup says.
	Readings []ChartedReading `json:"readings"`
	// How far the reading is from the one before it, or the range of the subgroup; 0 for the first of single
	// readings.
	Spread float64 `json:"spread"`
	// The reading, or the mean of the subgroup.
	Value float64 `json:"value"`
}

// ChartedReading: One reading in a chart.
type ChartedReading struct {
	// Its identifier.
	ID string `json:"id"`
	// The unit that was measured.
	SerialID string `json:"serialId"`
	// What was read, as it was typed.
	Value string `json:"value"`
}

// CloseNonconformanceRequest is the body of the operation closeNonconformance.
type CloseNonconformanceRequest struct {
	// Text of any number of lines; nothing but space counts as empty.
	Summary string `json:"summary"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// CodeReading: One way to read a code. Members that the code does not say are left out.
type CodeReading struct {
	// What it is read as. A mark is what a standard puts on items.
	As CodeReadingAs `json:"as"`
	// The customer's part number.
	CustomerPartNumber string `json:"customerPartNumber,omitempty"`
	// Who numbered it, such as a CAGE code.
	Enterprise string `json:"enterprise,omitempty"`
	// How the code is written. `elements` is a GS1 element string, `link` a GS1 Digital Link, `message` one of
	// ISO/IEC 15434, `number` a GTIN alone.
	Form CodeReadingForm `json:"form"`
	// A GTIN, with 14 digits.
	Gtin string `json:"gtin,omitempty"`
	// The id of the record that is named, whether there is one or not.
	ID string `json:"id,omitempty"`
	// What kind of record it is. Later releases may add some.
	Kind FoundKind `json:"kind,omitempty"`
	// The lot, heat or batch.
	Lot string `json:"lot,omitempty"`
	// The supplier's part number.
	PartNumber string `json:"partNumber,omitempty"`
	// The revision of the part.
	Revision string `json:"revision,omitempty"`
	// A second serial number.
	SecondarySerialNumber string `json:"secondarySerialNumber,omitempty"`
	// The serial number that the mark names, which another maker may use too.
	SerialNumber string `json:"serialNumber,omitempty"`
	// The command in capitals, or the text.
	Text string `json:"text,omitempty"`
	// The unique item identifier of MIL-STD-130, or an equivalent of it.
	Uii string `json:"uii,omitempty"`
}

// CodeReadingAs: What it is read as. A mark is what a standard puts on items.
type CodeReadingAs string

// What a CodeReadingAs may be. Later releases may add some.
const (
	ReadAsRecord  CodeReadingAs = "record"
	ReadAsCommand CodeReadingAs = "command"
	ReadAsBadge   CodeReadingAs = "badge"
	ReadAsMark    CodeReadingAs = "mark"
	ReadAsText    CodeReadingAs = "text"
)

// CodeReadingForm: How the code is written. `elements` is a GS1 element string, `link` a GS1 Digital Link,
// `message` one of ISO/IEC 15434, `number` a GTIN alone.
type CodeReadingForm string

// What a CodeReadingForm may be. Later releases may add some.
const (
	FormPlain    CodeReadingForm = "plain"
	FormShort    CodeReadingForm = "short"
	FormAddress  CodeReadingForm = "address"
	FormElements CodeReadingForm = "elements"
	FormLink     CodeReadingForm = "link"
	FormMessage  CodeReadingForm = "message"
	FormNumber   CodeReadingForm = "number"
)

// CodeRequest is the body of the operation code.
type CodeRequest struct {
	// The code that the app shows now.
	Code string `json:"code"`
}

// CompleteDeferredStepRequest is the body of the operation completeDeferredStep.
type CompleteDeferredStepRequest struct {
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// Component: One installation in a serial. It is never deleted, but removed or voided.
type Component struct {
	// The unit inside.
	ComponentSerialID string `json:"componentSerialId,omitempty"`
	// Its identifier.
	ID string `json:"id"`
	// When it was installed.
	InstalledAt time.Time `json:"installedAt"`
	// Who installed it.
	InstalledBy string `json:"installedBy"`
	// The lot that it was taken from.
	LotID string `json:"lotId,omitempty"`
	// The number of a purchased part.
	PartSerialNumber string `json:"partSerialNumber,omitempty"`
	// The part type of the bill that it counts for, as of its installation.
	PartType string `json:"partType,omitempty"`
	// Of the serial along its path; every rework begins one, with a number that no earlier pass has, not even an
	// undone one.
	Pass int64 `json:"pass"`
	// Where in the serial it is.
	Place string `json:"place,omitempty"`
	// How much of it, as it was typed.
	Quantity string `json:"quantity,omitempty"`
	// Why it was removed.
	RemoveReason string `json:"removeReason,omitempty"`
	// When it was removed; left out while it is inside.
	RemovedAt time.Time `json:"removedAt,omitzero"`
	// Who removed it.
	RemovedBy string `json:"removedBy,omitempty"`
	// Whether the removed amount can be used again.
	Returned bool `json:"returned,omitempty"`
	// The unit that contains it.
	SerialID string `json:"serialId"`
	// The step at which it was installed.
	StepID string `json:"stepId"`
	// Why it replaces a part type of the bill; left out if it replaces none.
	SubstituteReason string `json:"substituteReason,omitempty"`
	// The unit of the quantity, such as kg.
	Unit string `json:"unit,omitempty"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
	// Why it does not count.
	VoidReason string `json:"voidReason,omitempty"`
	// When it was voided; left out while it counts.
	VoidedAt time.Time `json:"voidedAt,omitzero"`
	// Who voided it.
	VoidedBy string `json:"voidedBy,omitempty"`
}

// ConfigureStepRequest is the body of the operation configureStep.
type ConfigureStepRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// What a step is to those behind it; see the tag Paths.
	DependencyType *DependencyType `json:"dependencyType,omitempty"`
	// Whether the step may be skipped. It has no effect in strict mode.
	Optional *bool `json:"optional,omitempty"`
}

// ConfirmSelfRequest: A password or a PIN.
type ConfirmSelfRequest struct {
	// The password of the caller, given again.
	Password *string `json:"password,omitempty"`
	// The PIN of the caller, given again.
	PIN *string `json:"pin,omitempty"`
}

// Confirmation: The caller's own password or PIN. Within five minutes of signing in it may be left out.
type Confirmation struct {
	// The password that the caller signs in with.
	Password *string `json:"password,omitempty"`
	// The PIN that the caller uses with a badge.
	PIN *string `json:"pin,omitempty"`
}

// Conformance: A certificate of conformance with the fields of its newest revision. A revision and its PDF never
// change.
type Conformance struct {
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Customer string `json:"customer"`
	// The address of the customer, in lines.
	CustomerAddress string `json:"customerAddress,omitempty"`
	// A certificate of conformance, `COC-` and a number of at least five digits.
	ID string `json:"id"`
	// An instant in UTC with milliseconds.
	IssuedAt time.Time `json:"issuedAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	IssuedBy string `json:"issuedBy"`
	// A language of papers.
	Lang PaperLanguage `json:"lang"`
	// One line for each job of the units.
	Lines []ConformanceLine `json:"lines"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	OrderNumber string `json:"orderNumber"`
	// Why it replaces the revision before.
	Reason string `json:"reason,omitempty"`
	// Counted from 1.
	Revision int64 `json:"revision"`
	// All revisions, oldest first.
	Revisions []ConformanceRevision `json:"revisions"`
	// The digest of the PDF.
	SHA256 string `json:"sha256"`
	// The shipment whose units it has.
	ShipmentID string `json:"shipmentId,omitempty"`
	// Whether the releaser signed electronically.
	Signed bool `json:"signed"`
	// The size of the PDF in bytes.
	Size int64 `json:"size"`
	// The statement; the usual one of the language when left out.
	Statement string `json:"statement,omitempty"`
	// `issued`, `superseded` by a later revision, or `withdrawn`.
	Status ConformanceStatus `json:"status"`
	// The number of units.
	Units int64 `json:"units"`
	// When it was last issued or withdrawn.
	UpdatedAt time.Time `json:"updatedAt"`
	// Text of any number of lines; nothing but space counts as empty.
	WithdrawReason string `json:"withdrawReason,omitempty"`
	// An instant in UTC with milliseconds.
	WithdrawnAt time.Time `json:"withdrawnAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	WithdrawnBy string `json:"withdrawnBy,omitempty"`
}

// ConformanceLine: The units of one job on a certificate.
type ConformanceLine struct {
	// The name of the job.
	Description string `json:"description"`
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// The line of the customer's order.
	OrderLine string `json:"orderLine,omitempty"`
	// The part number of the job.
	PartNumber string `json:"partNumber,omitempty"`
	// The number of units.
	Quantity int64 `json:"quantity"`
	// What else the customer should know.
	Remarks string `json:"remarks,omitempty"`
	// The part revision of the job.
	Revision string `json:"revision,omitempty"`
}

// ConformanceLineRequest: What to print for the units of a job.
type ConformanceLineRequest struct {
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// The line of the customer's order; that of the job when left out.
	OrderLine *string `json:"orderLine,omitempty"`
	// What else the customer should know.
	Remarks *string `json:"remarks,omitempty"`
}

// ConformancePage: One page of certificates of conformance.
type ConformancePage struct {
	// Newest first, or in the order that was asked for.
	Items []Conformance `json:"items"`
	// What `after` has to be for the next page; left out when there is none.
	Next string `json:"next,omitempty"`
}

// ConformanceRevision: When and why a revision was issued.
type ConformanceRevision struct {
	// An instant in UTC with milliseconds.
	IssuedAt time.Time `json:"issuedAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	IssuedBy string `json:"issuedBy"`
	// Why it replaces the revision before.
	Reason string `json:"reason,omitempty"`
	// Counted from 1.
	Revision int64 `json:"revision"`
	// The digest of its PDF.
	SHA256 string `json:"sha256"`
	// `issued`, `superseded` by a later revision, or `withdrawn`.
	Status ConformanceStatus `json:"status"`
}

// ConformanceStatus: `issued`, `superseded` by a later revision, or `withdrawn`.
type ConformanceStatus string

// What a ConformanceStatus may be. Later releases may add some.
const (
	ConformanceIssued     ConformanceStatus = "issued"
	ConformanceSuperseded ConformanceStatus = "superseded"
	ConformanceWithdrawn  ConformanceStatus = "withdrawn"
)

// ConformanceUnit: A unit on a certificate.
type ConformanceUnit struct {
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// The pass for which it is certified.
	Pass int64 `json:"pass"`
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	SerialID string `json:"serialId"`
	// The unit's own number.
	SerialNumber string `json:"serialNumber,omitempty"`
}

// ControlLimits: A centre line and the control limits on both sides of it.
type ControlLimits struct {
	// The centre line.
	Centre float64 `json:"centre"`
	// The lower control limit.
	Lower float64 `json:"lower"`
	// The upper control limit.
	Upper float64 `json:"upper"`
}

// CreateBomRequest is the body of the operation createBom.
type CreateBomRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// The part types that one build needs.
	Entries []BomEntryRequest `json:"entries"`
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
}

// CreateCertificateRequest is the body of the operation createCertificate.
type CreateCertificateRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// Whatever the certificate says. Stored and returned as given, up to 64 KiB.
	Metadata json.RawMessage `json:"metadata,omitzero"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// The number that the issuer gave the certificate. Null and blank are none.
	Number *string `json:"number,omitempty"`
	// What a certificate speaks of.
	Type CertificateType `json:"type"`
}

// CreateFirstArticleRequest: What is inspected, and why.
type CreateFirstArticleRequest struct {
	// The earlier first article, by its id or as a text; required for `partial`.
	Baseline *string `json:"baseline,omitempty"`
	// The numbers of the inspected characteristics; required for `partial`, and for nothing else.
	Characteristics []string `json:"characteristics,omitzero"`
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// What the forms show in place of the id.
	Identifier *string `json:"identifier,omitempty"`
	// Whether all characteristics are inspected, or some in addition to an earlier first article.
	Kind FirstArticleKind `json:"kind"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// The inspected units.
	SerialIDs []string `json:"serialIds"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// CreateInstrumentRequest is the body of the operation createInstrument.
type CreateInstrumentRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// A day.
	DueDate *string `json:"dueDate,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	ExternalID *string `json:"externalId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Number string `json:"number"`
	// The least value that it reads.
	RangeFrom *string `json:"rangeFrom,omitempty"`
	// The greatest value that it reads.
	RangeTo *string `json:"rangeTo,omitempty"`
	// The unit of the range.
	Unit *string `json:"unit,omitempty"`
}

// CreateJobRequest is the body of the operation createJob.
type CreateJobRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// Whom the job is for. Null and blank remove it.
	Customer *string `json:"customer,omitempty"`
	// The address of the customer, in lines. Null and blank remove it.
	CustomerAddress *string `json:"customerAddress,omitempty"`
	// What else is to be known of the job. Null and blank remove it.
	Description *string `json:"description,omitempty"`
	// The number of the drawing. Null and blank remove it.
	DrawingNumber *string `json:"drawingNumber,omitempty"`
	// The revision of the drawing. Null and blank remove it.
	DrawingRevision *string `json:"drawingRevision,omitempty"`
	// The day at whose end it must be finished, in the time zone of the shop. Null and blank remove it.
	DueDate *string `json:"dueDate,omitempty"`
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// How many units are wanted.
	GoalQuantity int64 `json:"goalQuantity"`
	// The GTIN of the part (EAN, UPC) with its 8, 12, 13 or 14 digits, of which the last has to be the check digit.
	// It is kept as it is written, and compared as the number with 14 digits. Null and blank remove it.
	Gtin *string `json:"gtin,omitempty"`
	// The language of papers for the customer: `en`, `de` or `es`. Null and blank remove it.
	Language *string `json:"language,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// The line of the customer's order. Null and blank remove it.
	OrderLine *string `json:"orderLine,omitempty"`
	// The order of the customer. Null and blank remove it.
	OrderNumber *string `json:"orderNumber,omitempty"`
	// The part that is made, in the words of the shop. Null and blank remove it.
	PartNumber *string `json:"partNumber,omitempty"`
	// The revision of the part. Null and blank remove it.
	PartRevision *string `json:"partRevision,omitempty"`
	// How urgent the job is, 1 first. Null is 3, the usual priority.
	Priority *int64 `json:"priority,omitempty"`
	// A word or a line.
	TrackerEpicLink *string `json:"trackerEpicLink,omitempty"`
	// Labels of the ticket. Each may have up to 500 characters.
	TrackerLabels []string `json:"trackerLabels,omitzero"`
	// A word or a line.
	TrackerPartNumber *string `json:"trackerPartNumber,omitempty"`
	// A word or a line.
	TrackerPriority *string `json:"trackerPriority,omitempty"`
	// A word or a line.
	TrackerTicketKey *string `json:"trackerTicketKey,omitempty"`
	// A word or a line.
	TrackerTicketSummary *string `json:"trackerTicketSummary,omitempty"`
}

// CreateLibraryEntryRequest is the body of the operation createLibraryEntry.
type CreateLibraryEntryRequest struct {
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
}

// CreateLotRequest is the body of the operation createLot.
type CreateLotRequest struct {
	// The kind of goods in a lot.
	Category *LotCategory `json:"category,omitempty"`
	// The certificates of the material.
	CertIDs []string `json:"certIds,omitzero"`
	// Whether the lot needs a certificate before it is used.
	CertificateRequired *bool `json:"certificateRequired,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Code *string `json:"code,omitempty"`
	// Whether the customer approved the source of a lot.
	CustomerApproval *CustomerApproval `json:"customerApproval,omitempty"`
	// A day.
	ExpiresOn *string `json:"expiresOn,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	ExternalID *string `json:"externalId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	HeatNumber *string `json:"heatNumber,omitempty"`
	// Text of any number of lines; nothing but space counts as empty.
	HoldReason *string `json:"holdReason,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	LotNumber *string `json:"lotNumber,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Manufacturer *string `json:"manufacturer,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Material string `json:"material"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	OrderNumber *string `json:"orderNumber,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Owner *string `json:"owner,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	PartNumber *string `json:"partNumber,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	PartRevision *string `json:"partRevision,omitempty"`
	// A decimal number of at most 18 digits, kept as it is written. A JSON number is taken too, to the digit.
	Quantity *string `json:"quantity,omitempty"`
	// A day.
	ReceivedOn *string `json:"receivedOn,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Specification *string `json:"specification,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Supplier *string `json:"supplier,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	SupplierLot *string `json:"supplierLot,omitempty"`
	// The unit of the quantity of a lot.
	Unit *LotUnit `json:"unit,omitempty"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// CreateNoteRequest is the body of the operation createNote.
type CreateNoteRequest struct {
	// An identifier that is stored as given; whether it exists is not checked.
	JobID string `json:"jobId"`
	// An identifier that is stored as given; whether it exists is not checked.
	PathID string `json:"pathId"`
	// The serials that the note is about.
	SerialIDs []string `json:"serialIds"`
	// An identifier that is stored as given; whether it exists is not checked.
	StepID string `json:"stepId"`
	// Text of any number of lines; nothing but space counts as empty.
	Text string `json:"text"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// CreateOverridesRequest is the body of the operation createOverrides.
type CreateOverridesRequest struct {
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// The serials to make an override for. Only these get one; list the one in the URL too if it is meant.
	SerialIDs []string `json:"serialIds"`
	// The identifier of a step of a path. A step keeps it when it is renamed or changes its place; steps of templates
	// have none.
	StepID string `json:"stepId"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// CreatePathRequest is the body of the operation createPath.
type CreatePathRequest struct {
	// How serials may move along the path; `strict` when it is left out.
	AdvancementMode *AdvancementMode `json:"advancementMode,omitempty"`
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// The day at whose end it must be finished, in the time zone of the shop. Null and blank remove it.
	DueDate *string `json:"dueDate,omitempty"`
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// How many units are wanted.
	GoalQuantity int64 `json:"goalQuantity"`
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// The steps in the order in which serials pass them. Their place here becomes their `order`.
	Steps []StepRequest `json:"steps"`
}

// CreateShipmentRequest: What is sent, and where.
type CreateShipmentRequest struct {
	// The customer; required for `customer`.
	Customer *string `json:"customer,omitempty"`
	// The day on which it is expected back.
	ExpectedBack *string `json:"expectedBack,omitempty"`
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// `outside` when it is left out.
	Kind *ShipmentKind `json:"kind,omitempty"`
	// The number of the purchase order or of the customer's order.
	OrderNumber *string `json:"orderNumber,omitempty"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// The supplier; required for `outside`.
	Supplier *string `json:"supplier,omitempty"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// CreateTemplateRequest is the body of the operation createTemplate.
type CreateTemplateRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// The steps in the order in which serials will pass them.
	Steps []StepRequest `json:"steps"`
}

// CreateTokenRequest is the body of the operation createToken.
type CreateTokenRequest struct {
	// In 90 days when it is left out; within a year.
	ExpiresAt time.Time `json:"expiresAt,omitzero"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// What the token may do, as long as its user may do it too.
	Permissions []Permission `json:"permissions"`
}

// CreateUserRequest is the body of the operation createUser.
type CreateUserRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// A word or a line.
	Department *string `json:"department,omitempty"`
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
}

// CustomerApproval: Whether the customer approved the source of a lot.
type CustomerApproval string

// What a CustomerApproval may be. Later releases may add some.
const (
	CustomerApprovalNA  CustomerApproval = "na"
	CustomerApprovalYes CustomerApproval = "yes"
	CustomerApprovalNo  CustomerApproval = "no"
)

// CustomerApprovalRequest: The approval by the customer.
type CustomerApprovalRequest struct {
	// A day.
	ApprovedOn string `json:"approvedOn"`
	// Who approved it.
	Name string `json:"name"`
	// The digest of an uploaded file, such as the letter of the customer.
	SHA256 *string `json:"sha256,omitempty"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// CustomerSignOff: The approval by the customer.
type CustomerSignOff struct {
	// A day.
	ApprovedOn string `json:"approvedOn"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// An instant in UTC with milliseconds.
	RecordedAt time.Time `json:"recordedAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	RecordedBy string `json:"recordedBy"`
	// The digest of a file, such as the letter of the customer.
	SHA256 string `json:"sha256,omitempty"`
}

// DeleteOverrideRequest is the body of the operation deleteOverride.
type DeleteOverrideRequest struct {
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// DeletePathRequest is the body of the operation deletePath.
type DeletePathRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
}

// DeleteTemplateRequest is the body of the operation deleteTemplate.
type DeleteTemplateRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
}

// DependencyType: What a step is to those behind it; see the tag Paths.
type DependencyType string

// What a DependencyType may be. Later releases may add some.
const (
	DependencyTypePhysical       DependencyType = "physical"
	DependencyTypePreferred      DependencyType = "preferred"
	DependencyTypeCompletionGate DependencyType = "completion_gate"
)

// Designator: What makes it more than an ordinary one.
type Designator string

// What a Designator may be. Later releases may add some.
const (
	DesignatorKey      Designator = "key"
	DesignatorCritical Designator = "critical"
)

// DisposeNonconformanceRequest is the body of the operation disposeNonconformance.
type DisposeNonconformanceRequest struct {
	// Text of any number of lines; nothing but space counts as empty.
	Concession *string `json:"concession,omitempty"`
	// What was decided about a nonconforming unit. Decide about Units of a Nonconformance says what the service does
	// for each.
	Disposition Disposition `json:"disposition"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// Why a serial was scrapped.
	ScrapReason *ScrapReason `json:"scrapReason,omitempty"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds"`
	// The place of a step in its path, counted from 0.
	TargetStepIndex *int64 `json:"targetStepIndex,omitempty"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// Disposition: What was decided about a nonconforming unit. Decide about Units of a Nonconformance says what the
// service does for each.
type Disposition string

// What a Disposition may be. Later releases may add some.
const (
	DispositionUseAsIs          Disposition = "use_as_is"
	DispositionRework           Disposition = "rework"
	DispositionRepair           Disposition = "repair"
	DispositionScrap            Disposition = "scrap"
	DispositionReturnToSupplier Disposition = "return_to_supplier"
)

// Done: The operation has been carried out.
type Done struct {
	// Always true; what fails answers an Error.
	Success bool `json:"success"`
}

// DossierPreview: What a dossier would have and what it lacks.
type DossierPreview struct {
	// The size of these files.
	Bytes int64 `json:"bytes"`
	// The number of its files.
	Files int64 `json:"files"`
	// The documents that it lacks; it can be made without them.
	Missing []MissingDocument `json:"missing"`
}

// EditBomRequest is the body of the operation editBom.
type EditBomRequest struct {
	// Text of any number of lines; nothing but space counts as empty.
	ChangeDescription string `json:"changeDescription"`
	// All entries anew; those that were there before are kept as a version.
	Entries []BomEntryRequest `json:"entries"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// File: Bytes that were uploaded.
type File struct {
	// Whether the same bytes were there before.
	Existed bool `json:"existed"`
	// The SHA-256 of the bytes, in lower-case hex.
	SHA256 string `json:"sha256"`
	// In bytes.
	Size int64 `json:"size"`
	// What the bytes are. It comes from the bytes, never from a name or a header.
	Type string `json:"type"`
}

// FileKind: What the file is for.
type FileKind string

// What a FileKind may be. Later releases may add some.
const (
	FileKindDrawing     FileKind = "drawing"
	FileKindInstruction FileKind = "instruction"
	FileKindPhoto       FileKind = "photo"
	FileKindCertificate FileKind = "certificate"
	FileKindReport      FileKind = "report"
	FileKindProgram     FileKind = "program"
	FileKindOther       FileKind = "other"
)

// FileLink: A file that is attached to a record. It is never changed, but for being voided.
type FileLink struct {
	// An instant in UTC with milliseconds.
	AttachedAt time.Time `json:"attachedAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	AttachedBy string `json:"attachedBy"`
	// The identifier of the attachment, not of the file. A file that is attached twice has two.
	ID string `json:"id"`
	// What the file is for.
	Kind FileKind `json:"kind"`
	// What the file is called; a download gets this name. It has no path, and no characters that cannot be seen.
	Name string `json:"name"`
	// Text of any number of lines; nothing but space counts as empty.
	Note string `json:"note,omitempty"`
	// The SHA-256 of the bytes, in lower-case hex.
	SHA256 string `json:"sha256"`
	// In bytes.
	Size int64 `json:"size"`
	// What the bytes are. It comes from the bytes, never from a name or a header.
	Type string `json:"type"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
	// Text of any number of lines; nothing but space counts as empty.
	VoidReason string `json:"voidReason,omitempty"`
	// An instant in UTC with milliseconds.
	VoidedAt time.Time `json:"voidedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	VoidedBy string `json:"voidedBy,omitempty"`
}

// FirstArticle: A first article inspection by AS9102 Rev C.
type FirstArticle struct {
	// An instant in UTC with milliseconds.
	ApprovedAt time.Time `json:"approvedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	ApprovedBy string `json:"approvedBy,omitempty"`
	// The earlier first article, by its id or as a text.
	Baseline string `json:"baseline,omitempty"`
	// When a record behind the frozen content first changed, if the content differs from the records now.
	ChangedSince time.Time `json:"changedSince,omitzero"`
	// The numbers of the characteristics of a partial one.
	Characteristics []string `json:"characteristics,omitzero"`
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	CreatedBy string `json:"createdBy"`
	// The approval by the customer.
	CustomerApproval *CustomerSignOff `json:"customerApproval,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	ExternalID string `json:"externalId,omitempty"`
	// The filled fields in the order of the forms; left out in lists.
	Fields []FirstArticleField `json:"fields,omitzero"`
	// A first article inspection, `FAI-` and a number of at least five digits.
	ID string `json:"id"`
	// What the forms show in place of the id.
	Identifier string `json:"identifier,omitempty"`
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// Whether all characteristics are inspected, or some in addition to an earlier first article.
	Kind FirstArticleKind `json:"kind"`
	// The fields without which it is not verified; left out in lists.
	Missing []FirstArticlePlace `json:"missing,omitzero"`
	// The part when it was created or verified.
	PartNumber string `json:"partNumber,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	PartRevision string `json:"partRevision,omitempty"`
	// The identifier of a path. A path keeps it when it is renamed or its steps change.
	PathID string `json:"pathId"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// The inspected units, in the order of their numbers.
	SerialIDs []string `json:"serialIds"`
	// The digest of the file with the frozen content.
	SHA256 string `json:"sha256,omitempty"`
	// A draft is filled from the records as they are. The content of a verified one is frozen. An approved one is
	// locked.
	Status FirstArticleStatus `json:"status"`
	// When an operation last changed it.
	UpdatedAt time.Time `json:"updatedAt"`
	// An instant in UTC with milliseconds.
	VerifiedAt time.Time `json:"verifiedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	VerifiedBy string `json:"verifiedBy,omitempty"`
	// Text of any number of lines; nothing but space counts as empty.
	VoidReason string `json:"voidReason,omitempty"`
	// An instant in UTC with milliseconds.
	VoidedAt time.Time `json:"voidedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	VoidedBy string `json:"voidedBy,omitempty"`
}

// FirstArticleField: A field of a form.
type FirstArticleField struct {
	// The number of the field on the form.
	Field int64 `json:"field"`
	// Which of the three forms it is on.
	Form int64 `json:"form"`
	// The row, counted from 1; left out for a field that is in none.
	Row *int64 `json:"row,omitempty"`
	// What it says.
	Text string `json:"text"`
	// Whether somebody typed it.
	Typed bool `json:"typed,omitempty"`
}

// FirstArticleKind: Whether all characteristics are inspected, or some in addition to an earlier first article.
type FirstArticleKind string

// What a FirstArticleKind may be. Later releases may add some.
const (
	FirstArticleKindFull    FirstArticleKind = "full"
	FirstArticleKindPartial FirstArticleKind = "partial"
)

// FirstArticlePage: One page of first articles.
type FirstArticlePage struct {
	// Newest first, or in the order that was asked for.
	Items []FirstArticle `json:"items"`
	// What `after` has to be for the next page; left out when there is none.
	Next string `json:"next,omitempty"`
}

// FirstArticlePlace: A place on a form.
type FirstArticlePlace struct {
	// The number of the field on the form.
	Field int64 `json:"field"`
	// Which of the three forms it is on.
	Form int64 `json:"form"`
	// The row, counted from 1; left out for a field that is in none.
	Row *int64 `json:"row,omitempty"`
}

// FirstArticleStatus: A draft is filled from the records as they are. The content of a verified one is frozen. An
// approved one is locked.
type FirstArticleStatus string

// What a FirstArticleStatus may be. Later releases may add some.
const (
	FirstArticleStatusDraft    FirstArticleStatus = "draft"
	FirstArticleStatusVerified FirstArticleStatus = "verified"
	FirstArticleStatusApproved FirstArticleStatus = "approved"
)

// ForceCompleteSerialRequest is the body of the operation forceCompleteSerial.
type ForceCompleteSerialRequest struct {
	// Where the caller believes the serial stands. When it stands elsewhere, 409 answers and nothing is changed. Not
	// supplied or `null` means that anywhere will do.
	ExpectedStepIndex *int64 `json:"expectedStepIndex,omitempty"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason *string `json:"reason,omitempty"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// FoundKind: What kind of record it is. Later releases may add some.
type FoundKind string

// What a FoundKind may be. Later releases may add some.
const (
	FoundSerial         FoundKind = "serial"
	FoundJob            FoundKind = "job"
	FoundPath           FoundKind = "path"
	FoundCertificate    FoundKind = "certificate"
	FoundNonconformance FoundKind = "nonconformance"
	FoundInstrument     FoundKind = "instrument"
	FoundLot            FoundKind = "lot"
	FoundUser           FoundKind = "user"
	FoundBOM            FoundKind = "bom"
	FoundTemplate       FoundKind = "template"
)

// FoundRecord: A record that a code names.
type FoundRecord struct {
	// The own number by which a serial was found, if it has another one by now.
	EarlierNumber string `json:"earlierNumber,omitempty"`
	// The id of the record, as its own operations take it.
	ID string `json:"id"`
	// What kind of record it is. Later releases may add some.
	Kind FoundKind `json:"kind"`
	// Its name; the number of an instrument, the own number of a serial. Left out where there is none.
	Name string `json:"name,omitempty"`
	// Whether no job has the GTIN of the code, so that the serial may be of another part. It is left out when not.
	PartUnknown bool `json:"partUnknown,omitempty"`
}

// FreezeLimitsRequest: From which readings limits are computed, and why they hold from now on.
type FreezeLimitsRequest struct {
	// Readings of this moment and later. A time as ISO 8601 and RFC 3339 write it.
	From string `json:"from"`
	// Why these readings show the process as it should be.
	Reason string `json:"reason"`
	// The rules by which charts judge points; western_electric when it is left out.
	Rules *RuleSet `json:"rules,omitempty"`
	// How many readings make a point; 1 when it is left out.
	Subgroup *int64 `json:"subgroup,omitempty"`
	// Readings until this moment. A time as ISO 8601 and RFC 3339 write it.
	To string `json:"to"`
	// Who acts.
	UserID string `json:"userId,omitempty"`
}

// FunctionalTest: The test that is made at a step.
type FunctionalTest struct {
	// The instruction of the test.
	Procedure string `json:"procedure"`
}

// Health: The process is alive.
type Health struct {
	// Always `ok`: a process that cannot answer does not answer.
	Status HealthStatus `json:"status"`
}

// HealthStatus: Always `ok`: a process that cannot answer does not answer.
type HealthStatus string

// What a HealthStatus may be. Later releases may add some.
const (
	HealthStatusOk HealthStatus = "ok"
)

// Hold: Keeps a serial from moving on until it is released.
type Hold struct {
	// The identifier of one hold of one serial. A serial that is held for several reasons has several.
	ID string `json:"id"`
	// The number of a report, counted up from NCR-00001.
	NonconformanceID string `json:"nonconformanceId,omitempty"`
	// An instant in UTC with milliseconds.
	PlacedAt time.Time `json:"placedAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	PlacedBy string `json:"placedBy"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// Text of any number of lines; nothing but space counts as empty.
	ReleaseReason string `json:"releaseReason,omitempty"`
	// An instant in UTC with milliseconds.
	ReleasedAt time.Time `json:"releasedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	ReleasedBy string `json:"releasedBy,omitempty"`
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	SerialID string `json:"serialId"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
}

// HoldPage: One page of holds.
type HoldPage struct {
	// Newest first, or in the order that was asked for.
	Items []Hold `json:"items"`
	// What `after` has to be for the next page; left out when there is none.
	Next string `json:"next,omitempty"`
}

// HoldSerialRequest is the body of the operation holdSerial.
type HoldSerialRequest struct {
	// An identifier that is stored as given; whether it exists is not checked.
	NonconformanceID *string `json:"nonconformanceId,omitempty"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// ImportResult: What became of the rows of a file. When a row is refused and onRefusal is none, nothing was
// created or updated.
type ImportResult struct {
	// How many of them created a record.
	Created int64 `json:"created"`
	// How many of those that were created are readings that fail. It is left out when none does.
	OutOfLimits *int64 `json:"outOfLimits,omitempty"`
	// Why the others were not taken, in the order of the file.
	Refused []RowRefusal `json:"refused"`
	// How many rows the file has, without its header and those with nothing in them.
	Rows int64 `json:"rows"`
	// How many of them say what is so already.
	Unchanged int64 `json:"unchanged"`
	// How many of them changed a record.
	Updated int64 `json:"updated"`
}

// InstallComponentRequest: What is installed.
type InstallComponentRequest struct {
	// The unit to install; exactly one of this and lotId.
	ComponentSerialID *string `json:"componentSerialId,omitempty"`
	// The lot to take an amount from.
	LotID *string `json:"lotId,omitempty"`
	// The number of a purchased part.
	PartSerialNumber *string `json:"partSerialNumber,omitempty"`
	// Where in the serial it is.
	Place *string `json:"place,omitempty"`
	// How much of the lot, in its unit. 1 for a unit and for a part with a number.
	Quantity *string `json:"quantity,omitempty"`
	// The step; the current one when it is left out.
	StepID *string `json:"stepId,omitempty"`
	// The part type of the bill that it replaces, for a part that the bill does not list. It needs the permission
	// decide.
	SubstituteFor *string `json:"substituteFor,omitempty"`
	// Why it replaces that part type; required with substituteFor.
	SubstituteReason *string `json:"substituteReason,omitempty"`
	// Who acts.
	UserID string `json:"userId,omitempty"`
}

// Instrument: Something to measure with.
type Instrument struct {
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// Its last day, in UTC, before the next calibration; left out when it needs none.
	DueDate string `json:"dueDate,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	ExternalID string `json:"externalId,omitempty"`
	// The identifier of an instrument. Its number, which people put on it, may change.
	ID string `json:"id"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Number string `json:"number"`
	// The least value that it reads; left out for no limit.
	RangeFrom string `json:"rangeFrom,omitempty"`
	// The greatest value that it reads; left out for no limit.
	RangeTo string `json:"rangeTo,omitempty"`
	// ready, due when its due date is over, or failed when its last calibration failed.
	State InstrumentState `json:"state"`
	// The unit of the range.
	Unit string `json:"unit,omitempty"`
	// An instant in UTC with milliseconds.
	UpdatedAt time.Time `json:"updatedAt"`
}

// InstrumentState: ready, due when its due date is over, or failed when its last calibration failed.
type InstrumentState string

// What a InstrumentState may be. Later releases may add some.
const (
	InstrumentStateReady  InstrumentState = "ready"
	InstrumentStateDue    InstrumentState = "due"
	InstrumentStateFailed InstrumentState = "failed"
)

// InstrumentPage: One page of instruments.
type InstrumentPage struct {
	// Newest first, or in the order that was asked for.
	Items []Instrument `json:"items"`
	// What `after` has to be for the next page; left out when there is none.
	Next string `json:"next,omitempty"`
}

// IssueConformanceRequest: What is certified, and to whom.
type IssueConformanceRequest struct {
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Customer string `json:"customer"`
	// The address of the customer, in lines; that of the jobs when left out.
	CustomerAddress *string `json:"customerAddress,omitempty"`
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// The language of the PDF; that of the jobs, or else of the organization, when left out.
	Lang *string `json:"lang,omitempty"`
	// What to print for the units of a job.
	Lines []ConformanceLineRequest `json:"lines,omitzero"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	OrderNumber string `json:"orderNumber"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// A shipment to a customer, instead of a selection: its units that did not come back.
	ShipmentID *string `json:"shipmentId,omitempty"`
	// The statement; that of the organization, or else the usual one, when left out.
	Statement *string `json:"statement,omitempty"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// IssuedSignature: A ticket.
type IssuedSignature struct {
	// An instant in UTC with milliseconds.
	ExpiresAt time.Time `json:"expiresAt"`
	// What the request carries in `Signature-Ticket`.
	Ticket string `json:"ticket"`
}

// Job: A production order.
type Job struct {
	// Why the job was closed; left out for an open job.
	CloseReason string `json:"closeReason,omitempty"`
	// When the job was closed; left out for an open job.
	ClosedAt time.Time `json:"closedAt,omitzero"`
	// Who closed the job; left out for an open job.
	ClosedBy string `json:"closedBy,omitempty"`
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// Whom the job is for.
	Customer string `json:"customer,omitempty"`
	// The address of the customer, in lines.
	CustomerAddress string `json:"customerAddress,omitempty"`
	// What else is to be known of the job.
	Description string `json:"description,omitempty"`
	// The number of the drawing.
	DrawingNumber string `json:"drawingNumber,omitempty"`
	// The revision of the drawing.
	DrawingRevision string `json:"drawingRevision,omitempty"`
	// The day at whose end it must be finished, in the time zone of the shop (`--time-zone`).
	DueDate string `json:"dueDate,omitempty"`
	// What another system calls the record, unique among the records of its kind. Wherever an address or a body takes
	// the id of the record, `ext:` and this does too.
	ExternalID string `json:"externalId,omitempty"`
	// How many units are wanted.
	GoalQuantity int64 `json:"goalQuantity"`
	// The GTIN of the part, as it was typed.
	Gtin string `json:"gtin,omitempty"`
	// The identifier of a job, made by the service and never used twice.
	ID string `json:"id"`
	// A language of papers.
	Language PaperLanguage `json:"language,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// The line of the customer's order.
	OrderLine string `json:"orderLine,omitempty"`
	// The order of the customer.
	OrderNumber string `json:"orderNumber,omitempty"`
	// The part that is made, in the words of the shop.
	PartNumber string `json:"partNumber,omitempty"`
	// The revision of the part.
	PartRevision string `json:"partRevision,omitempty"`
	// How urgent the job is, 1 first. It is left out when it is 3, the usual priority.
	Priority *int64 `json:"priority,omitempty"`
	// A word or a line.
	TrackerEpicLink string `json:"trackerEpicLink,omitempty"`
	// The labels that the ticket had when the job was made from it. They do not change with the ticket.
	TrackerLabels []string `json:"trackerLabels,omitzero"`
	// A word or a line.
	TrackerPartNumber string `json:"trackerPartNumber,omitempty"`
	// A word or a line.
	TrackerPriority string `json:"trackerPriority,omitempty"`
	// A word or a line.
	TrackerTicketKey string `json:"trackerTicketKey,omitempty"`
	// A word or a line.
	TrackerTicketSummary string `json:"trackerTicketSummary,omitempty"`
	// An instant in UTC with milliseconds.
	UpdatedAt time.Time `json:"updatedAt"`
}

// JobClosingRequest is the body of the operation jobClosing.
type JobClosingRequest struct {
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// JobDetail: A job with its paths, oldest first, and its progress.
type JobDetail struct {
	// Why the job was closed; left out for an open job.
	CloseReason string `json:"closeReason,omitempty"`
	// When the job was closed; left out for an open job.
	ClosedAt time.Time `json:"closedAt,omitzero"`
	// Who closed the job; left out for an open job.
	ClosedBy string `json:"closedBy,omitempty"`
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// Whom the job is for.
	Customer string `json:"customer,omitempty"`
	// The address of the customer, in lines.
	CustomerAddress string `json:"customerAddress,omitempty"`
	// What else is to be known of the job.
	Description string `json:"description,omitempty"`
	// The number of the drawing.
	DrawingNumber string `json:"drawingNumber,omitempty"`
	// The revision of the drawing.
	DrawingRevision string `json:"drawingRevision,omitempty"`
	// The day at whose end it must be finished, in the time zone of the shop (`--time-zone`).
	DueDate string `json:"dueDate,omitempty"`
	// What another system calls the record, unique among the records of its kind. Wherever an address or a body takes
	// the id of the record, `ext:` and this does too.
	ExternalID string `json:"externalId,omitempty"`
	// How many units are wanted.
	GoalQuantity int64 `json:"goalQuantity"`
	// The GTIN of the part, as it was typed.
	Gtin string `json:"gtin,omitempty"`
	// The identifier of a job, made by the service and never used twice.
	ID string `json:"id"`
	// A language of papers.
	Language PaperLanguage `json:"language,omitempty"`
	// Whether the due date has ended and fewer units than the goal are completed. A closed job is not late. It is
	// left out when not.
	Late bool `json:"late,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// The line of the customer's order.
	OrderLine string `json:"orderLine,omitempty"`
	// The order of the customer.
	OrderNumber string `json:"orderNumber,omitempty"`
	// The part that is made, in the words of the shop.
	PartNumber string `json:"partNumber,omitempty"`
	// The revision of the part.
	PartRevision string `json:"partRevision,omitempty"`
	// The paths of the job, oldest first, with their steps; empty for a new job.
	Paths []Path `json:"paths"`
	// How urgent the job is, 1 first. It is left out when it is 3, the usual priority.
	Priority *int64 `json:"priority,omitempty"`
	// How far a job has come.
	Progress JobProgress `json:"progress"`
	// A word or a line.
	TrackerEpicLink string `json:"trackerEpicLink,omitempty"`
	// The labels that the ticket had when the job was made from it. They do not change with the ticket.
	TrackerLabels []string `json:"trackerLabels,omitzero"`
	// A word or a line.
	TrackerPartNumber string `json:"trackerPartNumber,omitempty"`
	// A word or a line.
	TrackerPriority string `json:"trackerPriority,omitempty"`
	// A word or a line.
	TrackerTicketKey string `json:"trackerTicketKey,omitempty"`
	// A word or a line.
	TrackerTicketSummary string `json:"trackerTicketSummary,omitempty"`
	// An instant in UTC with milliseconds.
	UpdatedAt time.Time `json:"updatedAt"`
}

// JobOverview: A job with its progress, as searches answer it.
type JobOverview struct {
	// Why the job was closed; left out for an open job.
	CloseReason string `json:"closeReason,omitempty"`
	// When the job was closed; left out for an open job.
	ClosedAt time.Time `json:"closedAt,omitzero"`
	// Who closed the job; left out for an open job.
	ClosedBy string `json:"closedBy,omitempty"`
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// Whom the job is for.
	Customer string `json:"customer,omitempty"`
	// The address of the customer, in lines.
	CustomerAddress string `json:"customerAddress,omitempty"`
	// What else is to be known of the job.
	Description string `json:"description,omitempty"`
	// The number of the drawing.
	DrawingNumber string `json:"drawingNumber,omitempty"`
	// The revision of the drawing.
	DrawingRevision string `json:"drawingRevision,omitempty"`
	// The day at whose end it must be finished, in the time zone of the shop (`--time-zone`).
	DueDate string `json:"dueDate,omitempty"`
	// What another system calls the record, unique among the records of its kind. Wherever an address or a body takes
	// the id of the record, `ext:` and this does too.
	ExternalID string `json:"externalId,omitempty"`
	// How many units are wanted.
	GoalQuantity int64 `json:"goalQuantity"`
	// The GTIN of the part, as it was typed.
	Gtin string `json:"gtin,omitempty"`
	// The identifier of a job, made by the service and never used twice.
	ID string `json:"id"`
	// A language of papers.
	Language PaperLanguage `json:"language,omitempty"`
	// Whether the due date has ended and fewer units than the goal are completed. A closed job is not late. It is
	// left out when not.
	Late bool `json:"late,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// The line of the customer's order.
	OrderLine string `json:"orderLine,omitempty"`
	// The order of the customer.
	OrderNumber string `json:"orderNumber,omitempty"`
	// The part that is made, in the words of the shop.
	PartNumber string `json:"partNumber,omitempty"`
	// The revision of the part.
	PartRevision string `json:"partRevision,omitempty"`
	// How urgent the job is, 1 first. It is left out when it is 3, the usual priority.
	Priority *int64 `json:"priority,omitempty"`
	// How far a job has come.
	Progress JobProgress `json:"progress"`
	// A word or a line.
	TrackerEpicLink string `json:"trackerEpicLink,omitempty"`
	// The labels that the ticket had when the job was made from it. They do not change with the ticket.
	TrackerLabels []string `json:"trackerLabels,omitzero"`
	// A word or a line.
	TrackerPartNumber string `json:"trackerPartNumber,omitempty"`
	// A word or a line.
	TrackerPriority string `json:"trackerPriority,omitempty"`
	// A word or a line.
	TrackerTicketKey string `json:"trackerTicketKey,omitempty"`
	// A word or a line.
	TrackerTicketSummary string `json:"trackerTicketSummary,omitempty"`
	// An instant in UTC with milliseconds.
	UpdatedAt time.Time `json:"updatedAt"`
}

// JobPage: One page of a search for jobs.
type JobPage struct {
	// The jobs, in the order that was asked for.
	Items []JobOverview `json:"items"`
	// What `after` has to be for the next page; left out when there is none.
	Next string `json:"next,omitempty"`
}

// JobProgress: How far a job has come.
type JobProgress struct {
	// Serials that are completed, force-completed ones among them.
	CompletedSerials int64 `json:"completedSerials"`
	// How many units are wanted.
	GoalQuantity int64 `json:"goalQuantity"`
	// A whole number of zero or more.
	InProgressSerials int64 `json:"inProgressSerials"`
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	JobName string `json:"jobName"`
	// The same as goalQuantity.
	OrderedQuantity int64 `json:"orderedQuantity"`
	// The same as totalSerials.
	ProducedQuantity int64 `json:"producedQuantity"`
	// completedSerials / (goalQuantity - scrappedSerials) * 100. It can exceed 100.
	ProgressPercent float64 `json:"progressPercent"`
	// A whole number of zero or more.
	ScrappedSerials int64 `json:"scrappedSerials"`
	// A whole number of zero or more.
	TotalSerials int64 `json:"totalSerials"`
}

// JobSort: An order of jobs.
type JobSort string

// What a JobSort may be. Later releases may add some.
const (
	JobSortUrgency JobSort = "urgency"
	JobSortCreated JobSort = "created"
	JobSortName    JobSort = "name"
	JobSortUpdated JobSort = "updated"
)

// Ledger is an answer of the interface.
type Ledger struct {
	// Entries that are committed and not sealed yet.
	Behind int64 `json:"behind"`
	// The name of the log.
	Origin string `json:"origin"`
	// Why nothing is signed any more.
	Problem string `json:"problem,omitempty"`
	// When the newest of them was made; null while there is none.
	SealedUntil *time.Time `json:"sealedUntil"`
	// Entries that are sealed.
	Size int64 `json:"size"`
	// Entries that were there before the ledger.
	StartedWith int64 `json:"startedWith"`
	// What checks signatures. There is more than one while keys are exchanged.
	VerifierKeys []string `json:"verifierKeys"`
}

// LineStatus: What has become of a unit on a shipment.
type LineStatus string

// What a LineStatus may be. Later releases may add some.
const (
	LineAway     LineStatus = "away"
	LineMissing  LineStatus = "missing"
	LineReceived LineStatus = "received"
	LineRejected LineStatus = "rejected"
	LineScrapped LineStatus = "scrapped"
)

// LinkTrackerTicketRequest is the body of the operation linkTrackerTicket.
type LinkTrackerTicketRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// The ticket's quantity when left out, or 1.
	GoalQuantity *int64 `json:"goalQuantity,omitempty"`
	// The template from which the job gets a path; without it the job has none.
	TemplateID *string `json:"templateId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	TicketKey string `json:"ticketKey"`
}

// LinkedTicket: The new job, and the new path if a template was named.
type LinkedTicket struct {
	// A production order.
	Job Job `json:"job"`
	// A route of a job.
	Path *Path `json:"path,omitempty"`
}

// LocationLibraryEntry: The name of a location.
type LocationLibraryEntry struct {
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// The identifier of a name in the library of locations. No step refers to it.
	ID string `json:"id"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
}

// Lot: A quantity of material or parts of one origin.
type Lot struct {
	// The kind of goods in a lot.
	Category LotCategory `json:"category"`
	// Its certificates, also those of the lots that it was split from.
	CertIDs []string `json:"certIds,omitzero"`
	// Whether units made of the lot need a certificate of it.
	CertificateRequired bool `json:"certificateRequired"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Code string `json:"code,omitempty"`
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	CreatedBy string `json:"createdBy"`
	// Whether the customer approved the source of a lot.
	CustomerApproval CustomerApproval `json:"customerApproval"`
	// Whether its last day is over. It is left out when not.
	Expired bool `json:"expired,omitempty"`
	// The last day, in the time zone of the shop, on which it may be used.
	ExpiresOn string `json:"expiresOn,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	ExternalID string `json:"externalId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	HeatNumber string `json:"heatNumber,omitempty"`
	// Whether it is on hold, itself or through a lot that it was split from.
	Held bool `json:"held"`
	// The reason of the oldest open hold.
	HoldReason string `json:"holdReason,omitempty"`
	// The identifier of a lot. Its number, which people put on it, may change.
	ID string `json:"id"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	LotNumber string `json:"lotNumber"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Manufacturer string `json:"manufacturer,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Material string `json:"material"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	OrderNumber string `json:"orderNumber,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Owner string `json:"owner,omitempty"`
	// The lot that it was split from.
	ParentID string `json:"parentId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	PartNumber string `json:"partNumber,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	PartRevision string `json:"partRevision,omitempty"`
	// What was received in total; left out for a lot that is not counted.
	Quantity string `json:"quantity,omitempty"`
	// A day.
	ReceivedOn string `json:"receivedOn,omitempty"`
	// What is left.
	Remaining string `json:"remaining,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Specification string `json:"specification,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Supplier string `json:"supplier,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	SupplierLot string `json:"supplierLot,omitempty"`
	// The unit of the quantity of a lot.
	Unit LotUnit `json:"unit,omitempty"`
	// An instant in UTC with milliseconds.
	UpdatedAt time.Time `json:"updatedAt"`
	// Text of any number of lines; nothing but space counts as empty.
	VoidReason string `json:"voidReason,omitempty"`
	// An instant in UTC with milliseconds.
	VoidedAt time.Time `json:"voidedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	VoidedBy string `json:"voidedBy,omitempty"`
}

// LotCategory: The kind of goods in a lot.
type LotCategory string

// What a LotCategory may be. Later releases may add some.
const (
	LotRawMaterial LotCategory = "raw_material"
	LotDetail      LotCategory = "detail"
	LotSubAssembly LotCategory = "sub_assembly"
	LotStandard    LotCategory = "standard"
	LotCOTS        LotCategory = "cots"
	LotSoftware    LotCategory = "software"
)

// LotCertificate: A certificate attached to a lot.
type LotCertificate struct {
	// An instant in UTC with milliseconds.
	AttachedAt time.Time `json:"attachedAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	AttachedBy string `json:"attachedBy"`
	// The identifier of a certificate, whether or not it is attached to anything.
	CertID string `json:"certId"`
	// The identifier of a certificate's attachment to a lot.
	ID string `json:"id"`
	// The identifier of a lot. Its number, which people put on it, may change.
	LotID string `json:"lotId"`
}

// LotHold: A hold of a lot and of the lots that were split from it.
type LotHold struct {
	// The identifier of a hold of a lot.
	ID string `json:"id"`
	// The identifier of a lot. Its number, which people put on it, may change.
	LotID string `json:"lotId"`
	// The number of a report, counted up from NCR-00001.
	NonconformanceID string `json:"nonconformanceId,omitempty"`
	// An instant in UTC with milliseconds.
	PlacedAt time.Time `json:"placedAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	PlacedBy string `json:"placedBy"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// Text of any number of lines; nothing but space counts as empty.
	ReleaseReason string `json:"releaseReason,omitempty"`
	// An instant in UTC with milliseconds.
	ReleasedAt time.Time `json:"releasedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	ReleasedBy string `json:"releasedBy,omitempty"`
}

// LotPage: One page of lots.
type LotPage struct {
	// Newest first, or in the order that was asked for.
	Items []Lot `json:"items"`
	// What `after` has to be for the next page; left out when there is none.
	Next string `json:"next,omitempty"`
}

// LotUnit: The unit of the quantity of a lot.
type LotUnit string

// What a LotUnit may be. Later releases may add some.
const (
	UnitPieces     LotUnit = "pcs"
	UnitKilogram   LotUnit = "kg"
	UnitGram       LotUnit = "g"
	UnitPound      LotUnit = "lb"
	UnitMetre      LotUnit = "m"
	UnitMillimetre LotUnit = "mm"
	UnitFoot       LotUnit = "ft"
	UnitInch       LotUnit = "in"
	UnitLitre      LotUnit = "l"
	UnitMillilitre LotUnit = "ml"
)

// MeasuredValueRequest: One value that was read.
type MeasuredValueRequest struct {
	// The id of the characteristic, or its number.
	Characteristic string `json:"characteristic"`
	// What it was measured with.
	InstrumentID *string `json:"instrumentId,omitempty"`
	// A remark.
	Note *string `json:"note,omitempty"`
	// Which of several like features it is.
	Place *string `json:"place,omitempty"`
	// What was read, as it was typed. For pass or fail, OK, i.O., NOK and further words of English, French, German
	// and Spanish are read, in any case.
	Value string `json:"value"`
}

// Measurement: One reading of a serial, with what it was judged by.
type Measurement struct {
	// What was measured.
	CharacteristicID string `json:"characteristicId"`
	// When it was recorded; left out when that is `measuredAt`.
	EnteredAt time.Time `json:"enteredAt,omitzero"`
	// Its identifier.
	ID string `json:"id"`
	// What it was measured with.
	InstrumentID string `json:"instrumentId,omitempty"`
	// What it was judged by.
	Limits MeasurementLimits `json:"limits"`
	// When it was taken: as the row of a file says, or when it was recorded.
	MeasuredAt time.Time `json:"measuredAt"`
	// Who took the reading.
	MeasuredBy string `json:"measuredBy"`
	// A remark.
	Note string `json:"note,omitempty"`
	// The balloon of the drawing.
	Number string `json:"number"`
	// Of the serial along its path; every rework begins one, with a number that no earlier pass has, not even an
	// undone one.
	Pass int64 `json:"pass"`
	// Which of several like features it is.
	Place string `json:"place,omitempty"`
	// Of the characteristics of the step.
	Revision int64 `json:"revision"`
	// The unit that was measured.
	SerialID string `json:"serialId"`
	// The step at which it was measured.
	StepID string `json:"stepId"`
	// The unit of its numbers, such as mm.
	Unit string `json:"unit,omitempty"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
	// What was read, as it was typed.
	Value string `json:"value"`
	// What the reading says of itself.
	Verdict Verdict `json:"verdict"`
	// Why it does not count.
	VoidReason string `json:"voidReason,omitempty"`
	// When it was struck through; left out while it counts.
	VoidedAt time.Time `json:"voidedAt,omitzero"`
	// Who struck it through.
	VoidedBy string `json:"voidedBy,omitempty"`
}

// MeasurementLimits: What the reading was compared with. What there was not is left out.
type MeasurementLimits struct {
	// The least that passes.
	Lower string `json:"lower,omitempty"`
	// What the drawing wants.
	Nominal string `json:"nominal,omitempty"`
	// The greatest that passes.
	Upper string `json:"upper,omitempty"`
}

// MeasurementPage: One page of readings.
type MeasurementPage struct {
	// Newest first, or in the order that was asked for.
	Items []Measurement `json:"items"`
	// What `after` has to be for the next page; left out when there is none.
	Next string `json:"next,omitempty"`
}

// MissingDocument: A document that a dossier lacks.
type MissingDocument struct {
	// The number of the lot or characteristic, the name of the step, the part or part type, or the action.
	Name string `json:"name,omitempty"`
	// The id of the serial, lot or job that lacks it, or of the first article.
	Record string `json:"record"`
	// The step at which it is missing.
	StepID string `json:"stepId,omitempty"`
	// - `certificate`: of a lot that needs one, or of a step that requires one
	// - `reading`: of a required characteristic at a step that was done
	// - `part`: of the bill of materials, or the material that a step requires
	// - `receipt`: from outside work at a step that was done
	// - `signature`: of an operation that the policy now requires to be signed
	// - `firstArticle`: the approval of a first article of one of the serials, or any approved one of the part of a job
	What MissingDocumentWhat `json:"what"`
}

// MissingDocumentWhat: - `certificate`: of a lot that needs one, or of a step that requires one
// - `reading`: of a required characteristic at a step that was done
// - `part`: of the bill of materials, or the material that a step requires
// - `receipt`: from outside work at a step that was done
// - `signature`: of an operation that the policy now requires to be signed
// - `firstArticle`: the approval of a first article of one of the serials, or any approved one of the part of a job
type MissingDocumentWhat string

// What a MissingDocumentWhat may be. Later releases may add some.
const (
	MissingCertificate  MissingDocumentWhat = "certificate"
	MissingReading      MissingDocumentWhat = "reading"
	MissingPart         MissingDocumentWhat = "part"
	MissingReceipt      MissingDocumentWhat = "receipt"
	MissingSignature    MissingDocumentWhat = "signature"
	MissingFirstArticle MissingDocumentWhat = "firstArticle"
)

// MissingUnit: A unit that did not come back.
type MissingUnit struct {
	// A word or a line.
	Reason string `json:"reason"`
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	SerialID string `json:"serialId"`
}

// MissingUnitRequest: A unit that did not come back, and why.
type MissingUnitRequest struct {
	// A word or a line.
	Reason string `json:"reason"`
	// An identifier that is stored as given; whether it exists is not checked.
	SerialID string `json:"serialId"`
}

// NewBadgeRequest is the body of the operation newBadge.
type NewBadgeRequest struct {
}

// NewOneTimeCodes is an answer of the interface.
type NewOneTimeCodes struct {
	// In base 32.
	Secret string `json:"secret"`
	// The same for apps, as `otpauth` address.
	URI string `json:"uri"`
}

// NewToken is an answer of the interface.
type NewToken struct {
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// Given once, for good.
	CreatedBy string `json:"createdBy"`
	// An instant in UTC with milliseconds.
	ExpiresAt time.Time `json:"expiresAt"`
	// The identifier of a token, by which it is listed and revoked. It is not the token itself.
	ID string `json:"id"`
	// Within five minutes.
	LastUsedAt time.Time `json:"lastUsedAt,omitzero"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// What the token may do, as long as its user may do it too.
	Permissions []Permission `json:"permissions"`
	// An instant in UTC with milliseconds.
	RevokedAt time.Time `json:"revokedAt,omitzero"`
	// The token. It is told this once.
	Token string `json:"token"`
	// The identifier of an operator. Steps are assigned by it; the audit trail has logins or names instead.
	UserID string `json:"userId"`
}

// Nonconformance: A report that units are not as they should be, with what was decided about each of them.
type Nonconformance struct {
	// An instant in UTC with milliseconds.
	ClosedAt time.Time `json:"closedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	ClosedBy string `json:"closedBy,omitempty"`
	// Text of any number of lines; nothing but space counts as empty.
	Description string `json:"description,omitempty"`
	// The number of a report, counted up from NCR-00001.
	ID string `json:"id"`
	// An instant in UTC with milliseconds.
	OpenedAt time.Time `json:"openedAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	OpenedBy string `json:"openedBy"`
	// How bad a nonconformance is, as whoever opened the report judged it. No operation goes by it.
	Severity Severity `json:"severity"`
	// `open` until somebody closes the report, which takes a disposition for each of its units.
	Status NonconformanceStatus `json:"status"`
	// The step where it was found.
	StepID string `json:"stepId,omitempty"`
	// Text of any number of lines; nothing but space counts as empty.
	Summary string `json:"summary,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Title string `json:"title"`
	// In the order of their numbers.
	Units []NonconformingUnit `json:"units"`
	// Only in pages of what was changed since a time; when what the report shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
}

// NonconformancePage: One page of reports.
type NonconformancePage struct {
	// Newest first, or in the order that was asked for.
	Items []Nonconformance `json:"items"`
	// What `after` has to be for the next page; left out when there is none.
	Next string `json:"next,omitempty"`
}

// NonconformanceStatus: `open` until somebody closes the report, which takes a disposition for each of its units.
type NonconformanceStatus string

// What a NonconformanceStatus may be. Later releases may add some.
const (
	NonconformanceStatusOpen   NonconformanceStatus = "open"
	NonconformanceStatusClosed NonconformanceStatus = "closed"
)

// NonconformingUnit: A serial on a report, with what was decided about it.
type NonconformingUnit struct {
	// Who agreed to units that stay other than they should be.
	Concession string `json:"concession,omitempty"`
	// An instant in UTC with milliseconds.
	DecidedAt time.Time `json:"decidedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	DecidedBy string `json:"decidedBy,omitempty"`
	// What was decided about a nonconforming unit. Decide about Units of a Nonconformance says what the service does
	// for each.
	Disposition Disposition `json:"disposition,omitempty"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason,omitempty"`
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	SerialID string `json:"serialId"`
	// Who took the disposition back by undoing the scrap that carried it out. The disposition then no longer counts,
	// and the unit waits for another one. It is left out as soon as the unit is scrapped again.
	TakenBack *NonconformingUnitTakenBack `json:"takenBack,omitempty"`
}

// NonconformingUnitTakenBack: Who took the disposition back by undoing the scrap that carried it out. The
// disposition then no longer counts, and the unit waits for another one. It is left out as soon as the unit is
// scrapped again.
type NonconformingUnitTakenBack struct {
	// An instant in UTC with milliseconds.
	At time.Time `json:"at"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	By string `json:"by"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason,omitempty"`
}

// NothingToSay is an answer of the interface.
type NothingToSay struct {
}

// NoticeChannel: How a notice is delivered.
type NoticeChannel string

// What a NoticeChannel may be. Later releases may add some.
const (
	NoticeByMail NoticeChannel = "mail"
	NoticeByHook NoticeChannel = "hook"
)

// NoticeKind: What a notice reports.
type NoticeKind string

// What a NoticeKind may be. Later releases may add some.
const (
	NoticeTrailAltered   NoticeKind = "trail_altered"
	NoticeBackupFailed   NoticeKind = "backup_failed"
	NoticeDiskNearlyFull NoticeKind = "disk_nearly_full"
	NoticeInstrumentDue  NoticeKind = "instrument_due"
	NoticeUnitsHeld      NoticeKind = "units_held"
)

// NoticeRow is an answer of the interface.
type NoticeRow struct {
	// Whether notices of this kind are sent.
	Enabled bool `json:"enabled"`
	// The address of a web hook; empty for none.
	Hook string `json:"hook"`
	// What a notice reports.
	Kind NoticeKind `json:"kind"`
	// The mail addresses of the recipients.
	Mail []string `json:"mail"`
}

// NoticeRowRequest is the body of the operation noticeRow.
type NoticeRowRequest struct {
	// Whether notices of this kind are sent.
	Enabled *bool `json:"enabled,omitempty"`
	// The address of a web hook, with https. Null and blank remove it.
	Hook *string `json:"hook,omitempty"`
	// What a notice reports.
	Kind NoticeKind `json:"kind"`
	// The mail addresses of the recipients.
	Mail []string `json:"mail,omitzero"`
}

// NoticeTest is an answer of the interface.
type NoticeTest struct {
	// The response of the server, or why there is none.
	Answer string `json:"answer"`
	// How a notice is delivered.
	Channel NoticeChannel `json:"channel"`
	// Whether the server accepted it.
	Delivered bool `json:"delivered"`
	// The recipient.
	To string `json:"to"`
}

// NoticeTests: The results of a test.
type NoticeTests struct {
	// One for each recipient.
	Results []NoticeTest `json:"results"`
}

// Notices: Who gets notices, and when.
type Notices struct {
	// Instruments are reported this many days before they are due.
	DueDays int64 `json:"dueDays"`
	// Units on hold for this many days are reported.
	HeldDays int64 `json:"heldDays"`
	// From this time of the day in the zone of the shop nothing is sent, until `quietTo`; empty for no quiet hours.
	QuietFrom string `json:"quietFrom"`
	// The end of the quiet hours; empty for none.
	QuietTo string `json:"quietTo"`
	// A row for each kind.
	Rows []NoticeRow `json:"rows"`
}

// NoticesRequest is the body of the operation notices.
type NoticesRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// Instruments are reported this many days before they are due.
	DueDays *int64 `json:"dueDays,omitempty"`
	// Units on hold for this many days are reported.
	HeldDays *int64 `json:"heldDays,omitempty"`
	// The beginning of the quiet hours. Null and blank remove it.
	QuietFrom *string `json:"quietFrom,omitempty"`
	// The end of the quiet hours. Null and blank remove it.
	QuietTo *string `json:"quietTo,omitempty"`
	// The kinds to change.
	Rows []NoticeRowRequest `json:"rows,omitzero"`
}

// Numbering: How the own numbers of new serials follow on each other.
type Numbering struct {
	// How many digits each number is filled up to with zeros. The last number must not have more. When it is left
	// out, none is filled up.
	Digits *int64 `json:"digits,omitempty"`
	// The first number. The others follow by one.
	First int64 `json:"first"`
	// What stands in front of each number.
	Prefix *string `json:"prefix,omitempty"`
}

// OnRefusal: What happens when a serial refuses. `none` of them is changed, which holds when it is left out, or
// `each` that can be.
type OnRefusal string

// What a OnRefusal may be. Later releases may add some.
const (
	OnRefusalNone OnRefusal = "none"
	OnRefusalEach OnRefusal = "each"
)

// OpenNonconformanceRequest is the body of the operation openNonconformance.
type OpenNonconformanceRequest struct {
	// Text of any number of lines; nothing but space counts as empty.
	Description *string `json:"description,omitempty"`
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// Whether the units are put on hold too. Left out, they are not.
	Hold *bool `json:"hold,omitempty"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// The units that a cause affects and that are not scrapped, by number: what `getRecall` lists with the same
	// parameters. Exactly one of `lotId` to `by` is required, and `from` with the last three of these.
	Recall *RecallCause `json:"recall,omitempty"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// How bad a nonconformance is, as whoever opened the report judged it. No operation goes by it.
	Severity Severity `json:"severity"`
	// The identifier of a step of a path. A step keeps it when it is renamed or changes its place; steps of templates
	// have none.
	StepID *string `json:"stepId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Title string `json:"title"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// OperatorQueue: What waits for one operator.
type OperatorQueue struct {
	// The steps of the operator at which serials stand, one element for each step of a path.
	Jobs []WorkQueueJob `json:"jobs"`
	// The operator, or `_all` for everybody.
	OperatorID string `json:"operatorId"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	OperatorName string `json:"operatorName"`
	// A whole number of zero or more.
	TotalParts int64 `json:"totalParts"`
}

// Organization: The shop as printed papers show it.
type Organization struct {
	// In lines; empty until it is set.
	Address string `json:"address"`
	// A language of papers.
	Lang PaperLanguage `json:"lang"`
	// The SHA-256 of the bytes, in lower-case hex.
	Logo string `json:"logo,omitempty"`
	// Empty until it is set.
	Name string `json:"name"`
	// The statement on certificates of conformance.
	Statement string `json:"statement,omitempty"`
	// What customers call the shop.
	SupplierCode string `json:"supplierCode,omitempty"`
}

// OrganizationRequest is the body of the operation organization.
type OrganizationRequest struct {
	// The address, in lines.
	Address string `json:"address"`
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// A language of papers.
	Lang PaperLanguage `json:"lang"`
	// The SHA-256 of an uploaded PNG, JPEG or WebP picture. Null and blank remove it.
	Logo *string `json:"logo,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// The statement on certificates of conformance. Null and blank remove it.
	Statement *string `json:"statement,omitempty"`
	// What customers call the shop. Null and blank remove it.
	SupplierCode *string `json:"supplierCode,omitempty"`
}

// OutsideWork: Work that a supplier does at a step. A serial leaves the step as done only after it was received
// in this pass.
type OutsideWork struct {
	// The code of the process.
	Code *string `json:"code,omitempty"`
	// Whether the customer approved the source of a lot.
	CustomerApproval *CustomerApproval `json:"customerApproval,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Process string `json:"process"`
	// The specification of the work.
	Specification *string `json:"specification,omitempty"`
	// The approved suppliers; every supplier, if it is empty or left out.
	Suppliers []string `json:"suppliers,omitzero"`
}

// Override: Makes a required step count as optional for one serial, as long as it is active.
type Override struct {
	// False once the override was reversed.
	Active bool `json:"active"`
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	CreatedBy string `json:"createdBy"`
	// The identifier of an override, which is of one serial and one step.
	ID string `json:"id"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason,omitempty"`
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	SerialID string `json:"serialId"`
	// The identifier of a step of a path. A step keeps it when it is renamed or changes its place; steps of templates
	// have none.
	StepID string `json:"stepId"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
}

// PaperLanguage: A language of papers.
type PaperLanguage string

// What a PaperLanguage may be. Later releases may add some.
const (
	PaperLanguageEnglish PaperLanguage = "en"
	PaperLanguageGerman  PaperLanguage = "de"
	PaperLanguageSpanish PaperLanguage = "es"
)

// Part: A component with the components of its own. One level is like another, so the document describes two of
// them.
type Part struct {
	// The unit inside.
	ComponentSerialID string `json:"componentSerialId,omitempty"`
	// The components of the unit inside; left out when there are none.
	Components []Part `json:"components,omitzero"`
	// The heat number of the lot.
	HeatNumber string `json:"heatNumber,omitempty"`
	// Its identifier.
	ID string `json:"id"`
	// When it was installed.
	InstalledAt time.Time `json:"installedAt"`
	// Who installed it.
	InstalledBy string `json:"installedBy"`
	// The lot that it was taken from.
	LotID string `json:"lotId,omitempty"`
	// The number of the lot.
	LotNumber string `json:"lotNumber,omitempty"`
	// The material of the lot.
	Material string `json:"material,omitempty"`
	// The number of a purchased part.
	PartSerialNumber string `json:"partSerialNumber,omitempty"`
	// Of the serial along its path; every rework begins one, with a number that no earlier pass has, not even an
	// undone one.
	Pass int64 `json:"pass"`
	// Where in the serial it is.
	Place string `json:"place,omitempty"`
	// How much of it, as it was typed.
	Quantity string `json:"quantity,omitempty"`
	// Why it was removed.
	RemoveReason string `json:"removeReason,omitempty"`
	// When it was removed; left out while it is inside.
	RemovedAt time.Time `json:"removedAt,omitzero"`
	// Who removed it.
	RemovedBy string `json:"removedBy,omitempty"`
	// Whether the removed amount can be used again.
	Returned bool `json:"returned,omitempty"`
	// The unit that contains it.
	SerialID string `json:"serialId"`
	// The step at which it was installed.
	StepID string `json:"stepId"`
	// Why it replaces a part type of the bill; left out if it replaces none.
	SubstituteReason string `json:"substituteReason,omitempty"`
	// The unit of the quantity, such as kg.
	Unit string `json:"unit,omitempty"`
	// Why it does not count.
	VoidReason string `json:"voidReason,omitempty"`
	// When it was voided; left out while it counts.
	VoidedAt time.Time `json:"voidedAt,omitzero"`
	// Who voided it.
	VoidedBy string `json:"voidedBy,omitempty"`
}

// PartCount: One part type of the bill of a serial.
type PartCount struct {
	// How much of it is installed, with substitutes.
	Installed string `json:"installed"`
	// How much must still be installed.
	Missing string `json:"missing"`
	// The part type.
	PartType string `json:"partType"`
	// How much of it the bill requires.
	Required string `json:"required"`
	// The first step that requires it; left out if it is required at completion.
	StepID string `json:"stepId,omitempty"`
	// How much of the installed are substitutes.
	Substituted string `json:"substituted"`
}

// Passkey is an answer of the interface.
type Passkey struct {
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// The identifier of the passkey, by which it is removed.
	ID string `json:"id"`
	// An instant in UTC with milliseconds.
	LastUsedAt time.Time `json:"lastUsedAt,omitzero"`
	// What its owner called it when it was registered.
	Name string `json:"name"`
}

// PasskeyOptions: What `navigator.credentials` takes, as `PublicKeyCredential.parseRequestOptionsFromJSON` and
// `parseCreationOptionsFromJSON` read it.
type PasskeyOptions struct {
	// The options as WebAuthn names them, binary members in base64url.
	PublicKey json.RawMessage `json:"publicKey"`
}

// PasskeyRequest is the body of the operation passkey.
type PasskeyRequest struct {
	// What an authenticator answered: `PublicKeyCredential.toJSON()`.
	Passkey json.RawMessage `json:"passkey"`
}

// Path: A route of a job.
type Path struct {
	// How serials may move along a path; see the tag Paths.
	AdvancementMode AdvancementMode `json:"advancementMode"`
	// The bill of materials that new serials of the path keep; left out for none.
	BomID string `json:"bomId,omitempty"`
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// The day at whose end it must be finished, in the time zone of the shop. Without one that of the job counts.
	DueDate string `json:"dueDate,omitempty"`
	// What another system calls the record, unique among the records of its kind. Wherever an address or a body takes
	// the id of the record, `ext:` and this does too.
	ExternalID string `json:"externalId,omitempty"`
	// How many units are wanted.
	GoalQuantity int64 `json:"goalQuantity"`
	// The identifier of a path. A path keeps it when it is renamed or its steps change.
	ID string `json:"id"`
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// The steps in the order in which serials pass them.
	Steps []ProcessStep `json:"steps"`
	// An instant in UTC with milliseconds.
	UpdatedAt time.Time `json:"updatedAt"`
}

// PathDetail: A path with the distribution of its serials.
type PathDetail struct {
	// How serials may move along a path; see the tag Paths.
	AdvancementMode AdvancementMode `json:"advancementMode"`
	// The bill of materials that new serials of the path keep; left out for none.
	BomID string `json:"bomId,omitempty"`
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// One element per step, in the order of the path.
	Distribution []StepDistribution `json:"distribution"`
	// The day at whose end it must be finished, in the time zone of the shop. Without one that of the job counts.
	DueDate string `json:"dueDate,omitempty"`
	// What another system calls the record, unique among the records of its kind. Wherever an address or a body takes
	// the id of the record, `ext:` and this does too.
	ExternalID string `json:"externalId,omitempty"`
	// How many units are wanted.
	GoalQuantity int64 `json:"goalQuantity"`
	// The identifier of a path. A path keeps it when it is renamed or its steps change.
	ID string `json:"id"`
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// The steps in the order in which serials pass them.
	Steps []ProcessStep `json:"steps"`
	// An instant in UTC with milliseconds.
	UpdatedAt time.Time `json:"updatedAt"`
}

// Permission: What an operation names as `x-permission`. `act-for` lets a caller name somebody else as the acting
// user.
type Permission string

// What a Permission may be. Later releases may add some.
const (
	PermissionRead   Permission = "read"
	PermissionWork   Permission = "work"
	PermissionDecide Permission = "decide"
	PermissionPlan   Permission = "plan"
	PermissionAdmin  Permission = "admin"
	PermissionActFor Permission = "act-for"
)

// ProcessLibraryEntry: The name of a process.
type ProcessLibraryEntry struct {
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// The identifier of a name in the library of processes. No step refers to it.
	ID string `json:"id"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
}

// ProcessStep: One step of a path.
type ProcessStep struct {
	// The operator the step is assigned to. It is set through the step, not through the path.
	AssignedTo string `json:"assignedTo,omitempty"`
	// What a step is to those behind it; see the tag Paths.
	DependencyType DependencyType `json:"dependencyType"`
	// The identifier of a step of a path. A step keeps it when it is renamed or changes its place; steps of templates
	// have none.
	ID string `json:"id"`
	// Workstation or bay.
	Location string `json:"location,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// Whether the step may be skipped. It has no effect in strict mode.
	Optional bool `json:"optional"`
	// The place of a step in its path, counted from 0.
	Order int64 `json:"order"`
}

// PushTrackerCommentRequest is the body of the operation pushTrackerComment.
type PushTrackerCommentRequest struct {
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// The note to push; without it the comment tells of the progress of the job.
	NoteID *string `json:"noteId,omitempty"`
}

// PushedComment: The comment is on the ticket.
type PushedComment struct {
	// The identifier that the tracker gave the comment.
	CommentID string `json:"commentId"`
	// Always true; what fails answers an Error.
	Success bool `json:"success"`
}

// Readiness: Whether the process can do its work.
type Readiness struct {
	// What works less well than it should. The cause itself is in the log of the service.
	Message string `json:"message,omitempty"`
	// `degraded` when the service works and something beside it does not; `message` says what.
	Status ReadinessStatus `json:"status"`
}

// ReadinessStatus: `degraded` when the service works and something beside it does not; `message` says what.
type ReadinessStatus string

// What a ReadinessStatus may be. Later releases may add some.
const (
	ReadinessStatusReady    ReadinessStatus = "ready"
	ReadinessStatusDegraded ReadinessStatus = "degraded"
)

// Recall: What a cause affects.
type Recall struct {
	// Lots by lot number, then units by number.
	Items []RecallItem `json:"items"`
	// How many.
	Summary RecallSummary `json:"summary"`
}

// RecallCause: The units that a cause affects and that are not scrapped, by number: what `getRecall` lists with
// the same parameters. Exactly one of `lotId` to `by` is required, and `from` with the last three of these.
type RecallCause struct {
	// A user; units with an entry of the user in the period, other than their creation.
	By *string `json:"by,omitempty"`
	// A certificate that is attached to units or to lots.
	CertID *string `json:"certId,omitempty"`
	// Left out, `ever`: a unit stays affected after what affected it was removed. `now`: only what is inside now.
	Contains *RecallCauseContains `json:"contains,omitempty"`
	// The beginning of the period; required with `instrumentId`, `stepId` and `by`.
	From time.Time `json:"from,omitzero"`
	// The heat number of lots, in any case.
	HeatNumber *string `json:"heatNumber,omitempty"`
	// Units that it measured in the period.
	InstrumentID *string `json:"instrumentId,omitempty"`
	// A lot.
	LotID *string `json:"lotId,omitempty"`
	// A unit, with the units that contain it.
	SerialID *string `json:"serialId,omitempty"`
	// A shipment, with its units and those that contain one of them.
	ShipmentID *string `json:"shipmentId,omitempty"`
	// Units that were at the step in the period.
	StepID *string `json:"stepId,omitempty"`
	// The end of the period; now when it is left out.
	To time.Time `json:"to,omitzero"`
}

// RecallCauseContains: Left out, `ever`: a unit stays affected after what affected it was removed. `now`: only
// what is inside now.
type RecallCauseContains string

// What a RecallCauseContains may be. Later releases may add some.
const (
	ContainsEver RecallCauseContains = "ever"
	ContainsNow  RecallCauseContains = "now"
)

// RecallItem: A unit or a lot that a cause affects.
type RecallItem struct {
	// Where a unit in progress is, or one that is away.
	At *UnitPlace `json:"at,omitempty"`
	// The customer of the unit's job.
	Customer string `json:"customer,omitempty"`
	// Whether it is on hold.
	Held bool `json:"held"`
	// `cause`: it has the cause itself. `split`: the lot was split from an affected one. `contains`: something
	// affected is inside it, or was.
	How RecallItemHow `json:"how"`
	// The unit that contains this one.
	Inside string `json:"inside,omitempty"`
	// The lot; left out for a unit.
	LotID string `json:"lotId,omitempty"`
	// The number of the lot.
	LotNumber string `json:"lotNumber,omitempty"`
	// The order of the unit's job.
	OrderNumber string `json:"orderNumber,omitempty"`
	// What remains of a lot with a quantity.
	Remaining string `json:"remaining,omitempty"`
	// The outermost unit that contains this one.
	Root string `json:"root,omitempty"`
	// The unit; left out for a lot.
	SerialID string `json:"serialId,omitempty"`
	// The shipment with which it is away, itself or inside another unit.
	ShipmentID string `json:"shipmentId,omitempty"`
	// The moment since when it is affected.
	Since time.Time `json:"since"`
	// The status of the unit.
	Status SerialStatus `json:"status,omitempty"`
	// The unit of what remains.
	Unit string `json:"unit,omitempty"`
}

// RecallItemHow: `cause`: it has the cause itself. `split`: the lot was split from an affected one. `contains`:
// something affected is inside it, or was.
type RecallItemHow string

// What a RecallItemHow may be. Later releases may add some.
const (
	HowCause    RecallItemHow = "cause"
	HowSplit    RecallItemHow = "split"
	HowContains RecallItemHow = "contains"
)

// RecallSummary: How many units and lots a cause affects.
type RecallSummary struct {
	// The lots, also those that were split from others.
	Lots int64 `json:"lots"`
	// The scrapped units among them.
	Scrapped int64 `json:"scrapped"`
	// The units among them that are with a customer, themselves or inside another one.
	Shipped int64 `json:"shipped"`
	// The units, also scrapped ones.
	Units int64 `json:"units"`
}

// Receipt: What came back of a shipment at one time.
type Receipt struct {
	// Its certificates.
	CertIDs []string `json:"certIds"`
	// The identifier of the receipt.
	ID string `json:"id"`
	// Those that did not come back.
	Missing []MissingUnit `json:"missing"`
	// The report about the rejected units.
	NonconformanceID string `json:"nonconformanceId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	PackingSlip string `json:"packingSlip,omitempty"`
	// How many units came back in order.
	Received int64 `json:"received"`
	// An instant in UTC with milliseconds.
	ReceivedAt time.Time `json:"receivedAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	ReceivedBy string `json:"receivedBy"`
	// How many came back with defects.
	Rejected int64 `json:"rejected"`
	// A shipment, `SHP-` and a number of at least five digits.
	ShipmentID string `json:"shipmentId"`
	// Text of any number of lines; nothing but space counts as empty.
	VoidReason string `json:"voidReason,omitempty"`
	// An instant in UTC with milliseconds.
	VoidedAt time.Time `json:"voidedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	VoidedBy string `json:"voidedBy,omitempty"`
}

// ReceiptCertificate: A certificate attached to a receipt.
type ReceiptCertificate struct {
	// An instant in UTC with milliseconds.
	AttachedAt time.Time `json:"attachedAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	AttachedBy string `json:"attachedBy"`
	// The identifier of a certificate, whether or not it is attached to anything.
	CertID string `json:"certId"`
	// The identifier of the attachment.
	ID string `json:"id"`
	// The receipt that has the certificate.
	ReceiptID string `json:"receiptId"`
}

// ReceiveLotRequest is the body of the operation receiveLot.
type ReceiveLotRequest struct {
	// The certificates of the material.
	CertIDs []string `json:"certIds,omitzero"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	OrderNumber *string `json:"orderNumber,omitempty"`
	// A decimal number of at most 18 digits, kept as it is written. A JSON number is taken too, to the digit.
	Quantity string `json:"quantity"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// ReceiveShipmentRequest: What came back; at least one of received, rejected and missing.
type ReceiveShipmentRequest struct {
	// Certificates of the work.
	CertIDs []string `json:"certIds,omitzero"`
	// Units that did not come back.
	Missing []MissingUnitRequest `json:"missing,omitzero"`
	// The number of the supplier's packing slip.
	PackingSlip *string `json:"packingSlip,omitempty"`
	// The units in order.
	Received *ReceivedUnitsRequest `json:"received,omitempty"`
	// The units with defects.
	Rejected *RejectedUnitsRequest `json:"rejected,omitempty"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// ReceivedUnitsRequest: A selection of units.
type ReceivedUnitsRequest struct {
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// RecordMeasurementsRequest: Values that were read of a serial.
type RecordMeasurementsRequest struct {
	// The step; the current one when it is left out.
	StepID *string `json:"stepId,omitempty"`
	// Who acts.
	UserID string `json:"userId,omitempty"`
	// The values, each of another characteristic.
	Values []MeasuredValueRequest `json:"values"`
}

// RecoveryCodes is an answer of the interface.
type RecoveryCodes struct {
	// Each of them can be used once in place of a second factor. They are told this once.
	RecoveryCodes []string `json:"recoveryCodes"`
}

// RegisterPasskeyRequest is the body of the operation registerPasskey.
type RegisterPasskeyRequest struct {
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// What an authenticator answered: `PublicKeyCredential.toJSON()`.
	Passkey json.RawMessage `json:"passkey"`
}

// ReissueConformanceRequest: What is certified instead, and why.
type ReissueConformanceRequest struct {
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Customer string `json:"customer"`
	// The address of the customer, in lines; that of the jobs when left out.
	CustomerAddress *string `json:"customerAddress,omitempty"`
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// The language of the PDF; that of the jobs, or else of the organization, when left out.
	Lang *string `json:"lang,omitempty"`
	// What to print for the units of a job.
	Lines []ConformanceLineRequest `json:"lines,omitzero"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	OrderNumber string `json:"orderNumber"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// Why it replaces the revision before.
	Reason string `json:"reason"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// A shipment to a customer, instead of a selection: its units that did not come back.
	ShipmentID *string `json:"shipmentId,omitempty"`
	// The statement; that of the organization, or else the usual one, when left out.
	Statement *string `json:"statement,omitempty"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// RejectedUnitsRequest: A selection of units with defects, and the report about them.
type RejectedUnitsRequest struct {
	// How many serials the caller believes the selection has. Required with `ranges`, `where` and `recall`.
	ExpectedCount *int64 `json:"expectedCount,omitempty"`
	// Ranges of serials, in this order. A serial in several counts once. Numbers that no serial has are passed over.
	Ranges []SerialRange `json:"ranges,omitzero"`
	// The serials, in this order. One that is listed twice counts once.
	SerialIDs []string `json:"serialIds,omitzero"`
	// How bad a nonconformance is, as whoever opened the report judged it. No operation goes by it.
	Severity Severity `json:"severity"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Title string `json:"title"`
	// What serials have to be, all of it; the oldest first. At least one member is required.
	Where *SerialFilter `json:"where,omitempty"`
}

// ReleaseSerialRequest is the body of the operation releaseSerial.
type ReleaseSerialRequest struct {
	// An identifier that is stored as given; whether it exists is not checked.
	HoldID string `json:"holdId"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// RemoveComponentRequest: Why a component is removed.
type RemoveComponentRequest struct {
	// Why it is removed.
	Reason string `json:"reason"`
	// Whether the removed amount can be used again; false when it is left out.
	Returned *bool `json:"returned,omitempty"`
	// Who acts.
	UserID string `json:"userId,omitempty"`
}

// ReplaceStepsRequest is the body of the operation replaceSteps.
type ReplaceStepsRequest struct {
	// How serials may move along a path; see the tag Paths.
	AdvancementMode *AdvancementMode `json:"advancementMode,omitempty"`
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// The day at whose end it must be finished, in the time zone of the shop. Null and blank remove it.
	DueDate *string `json:"dueDate,omitempty"`
	// How many units are wanted.
	GoalQuantity *int64 `json:"goalQuantity,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name *string `json:"name,omitempty"`
	// All steps of the path, in their order. Steps of the path that are not in it are removed.
	Steps []RouteStepRequest `json:"steps"`
}

// RequirementSet: The requirements of a step. Every edit creates the next revision.
type RequirementSet struct {
	// Whether a certificate must be attached at the step, or to the receipt of its outside work, in this pass.
	CertificateRequired bool `json:"certificateRequired"`
	// When the revision was made.
	ChangedAt time.Time `json:"changedAt,omitzero"`
	// Who made the revision.
	ChangedBy string `json:"changedBy,omitempty"`
	// Part types of the bill of the serial, each once.
	Components []string `json:"components"`
	// The test that is made at the step.
	FunctionalTest *FunctionalTest `json:"functionalTest,omitempty"`
	// Whether material of a lot must be installed at the step.
	LotRequired bool `json:"lotRequired"`
	// The work that a supplier does at the step.
	Outside *OutsideWork `json:"outside,omitempty"`
	// Counted from 1; 0 if the step never had any.
	Revision int64 `json:"revision"`
	// The step.
	StepID string `json:"stepId"`
}

// Requirements: What a step requires of a serial before the serial leaves it, in addition to measurements.
type Requirements struct {
	// Whether a certificate must be attached at the step, or to the receipt of its outside work, in this pass.
	CertificateRequired bool `json:"certificateRequired"`
	// Part types of the bill of the serial, each once.
	Components []string `json:"components"`
	// The test that is made at the step.
	FunctionalTest *FunctionalTest `json:"functionalTest,omitempty"`
	// Whether material of a lot must be installed at the step.
	LotRequired bool `json:"lotRequired"`
	// The work that a supplier does at the step.
	Outside *OutsideWork `json:"outside,omitempty"`
}

// RequirementsRequest: What a step requires. Fields that are left out require nothing.
type RequirementsRequest struct {
	// Whether a certificate must be attached at the step, or to the receipt of its outside work, in this pass.
	CertificateRequired *bool `json:"certificateRequired,omitempty"`
	// Part types of the bill of the serial.
	Components []string `json:"components,omitzero"`
	// The test that is made at the step.
	FunctionalTest *FunctionalTest `json:"functionalTest,omitempty"`
	// Whether material of a lot must be installed at the step.
	LotRequired *bool `json:"lotRequired,omitempty"`
	// The work that a supplier does at the step.
	Outside *OutsideWork `json:"outside,omitempty"`
}

// Resolution: What a code names.
type Resolution struct {
	// The records that there are, the likeliest first.
	Found []FoundRecord `json:"found"`
	// What the code says, the most certain reading first; empty for a code that says nothing. At most 16.
	Readings []CodeReading `json:"readings"`
	// Whether only a person can tell which record is meant, since more than one was found, or one with `partUnknown`.
	Several bool `json:"several"`
}

// ReworkSerialRequest is the body of the operation reworkSerial.
type ReworkSerialRequest struct {
	// An identifier that is stored as given; whether it exists is not checked.
	NonconformanceID *string `json:"nonconformanceId,omitempty"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// The place of a step in its path, counted from 0.
	TargetStepIndex int64 `json:"targetStepIndex"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// Role: A set of permissions with a name. Somebody with several roles has the permissions of all of them.
type Role string

// What a Role may be. Later releases may add some.
const (
	RoleViewer      Role = "viewer"
	RoleOperator    Role = "operator"
	RoleQuality     Role = "quality"
	RoleLead        Role = "lead"
	RolePlanner     Role = "planner"
	RoleAdmin       Role = "admin"
	RoleIntegration Role = "integration"
)

// RouteStepRequest: One step in the body of Replace Steps. Its order is its place in the array.
type RouteStepRequest struct {
	// The effect of the step on the steps after it. When it is left out, a new step is `preferred`, and any other
	// step keeps its value.
	DependencyType *DependencyType `json:"dependencyType,omitempty"`
	// Which step of the path it is. A new step has none.
	ID *string `json:"id,omitempty"`
	// A word or a line.
	Location *string `json:"location,omitempty"`
	// The name of the step, which a new step needs. A step that the path has keeps its name when it is left out.
	Name *string `json:"name,omitempty"`
	// Whether the step may be passed over. When it is left out, a new step is required, and any other step keeps its
	// value.
	Optional *bool `json:"optional,omitempty"`
}

// RowRefusal: Why one row was not taken, as the operation on one record answers it.
type RowRefusal struct {
	// What was wrong, for programs, as in Error.
	Code string `json:"code"`
	// The column that it is about. It is left out when it is about no single one.
	Column string `json:"column,omitempty"`
	// What was wrong.
	Message string `json:"message"`
	// The number of the row as a spreadsheet counts, in which the header of a CSV file is the first, or of the line
	// of JSON.
	Row int64 `json:"row"`
	// The HTTP status that the operation on this record alone would have.
	StatusCode int64 `json:"statusCode"`
}

// RuleSet: A named set of rules that points of a chart may break.
type RuleSet string

// What a RuleSet may be. Later releases may add some.
const (
	RuleSetWesternElectric RuleSet = "western_electric"
	RuleSetNelson          RuleSet = "nelson"
)

// ScrapReason: Why a serial was scrapped.
type ScrapReason string

// What a ScrapReason may be. Later releases may add some.
const (
	ScrapReasonOutOfTolerance ScrapReason = "out_of_tolerance"
	ScrapReasonProcessDefect  ScrapReason = "process_defect"
	ScrapReasonDamaged        ScrapReason = "damaged"
	ScrapReasonOperatorError  ScrapReason = "operator_error"
	ScrapReasonOther          ScrapReason = "other"
)

// ScrapSerialRequest is the body of the operation scrapSerial.
type ScrapSerialRequest struct {
	// Where the caller believes the serial stands. When it stands elsewhere, 409 answers and nothing is changed. Not
	// supplied or `null` means that anywhere will do.
	ExpectedStepIndex *int64 `json:"expectedStepIndex,omitempty"`
	// Required when reason is `other`.
	Explanation *string `json:"explanation,omitempty"`
	// Why a serial was scrapped.
	Reason ScrapReason `json:"reason"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// SecondFactorRequest: Either code or passkey.
type SecondFactorRequest struct {
	// A one-time code or a recovery code. Spaces and hyphens do not matter.
	Code *string `json:"code,omitempty"`
	// What an authenticator answered: `PublicKeyCredential.toJSON()`.
	Passkey json.RawMessage `json:"passkey,omitzero"`
}

// SecondFactors is an answer of the interface.
type SecondFactors struct {
	// Whether there are confirmed ones.
	OneTimeCodes bool `json:"oneTimeCodes"`
	// The passkeys of the caller.
	Passkeys []Passkey `json:"passkeys"`
	// How many are left.
	RecoveryCodes int64 `json:"recoveryCodes"`
	// Whether a role needs one.
	Required bool `json:"required"`
}

// SerialBom: The bill that a serial keeps, and what is installed.
type SerialBom struct {
	// The bill; left out for none.
	BomID string `json:"bomId,omitempty"`
	// The part types, each once.
	Entries []PartCount `json:"entries"`
	// The version of the bill, 1 for one that was never changed.
	Version *int64 `json:"version,omitempty"`
}

// SerialDetail: A serial with its certificates and the deferred steps that are still open.
type SerialDetail struct {
	// Where the serial was sent, if it was not received since. Left out when it is here.
	Away *Away `json:"away,omitempty"`
	// The certificates attached at any step, then those of its receipts of outside work, each once.
	Certs []Certificate `json:"certs"`
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// The step at which the serial stands. Left out unless it is in progress.
	CurrentStepID string `json:"currentStepId,omitempty"`
	// The index of the step the serial stands on, counted from 0; -1 when completed. A scrapped serial keeps it.
	CurrentStepIndex int64 `json:"currentStepIndex"`
	// What that step is called.
	CurrentStepName string `json:"currentStepName,omitempty"`
	// What another system calls the record, unique among the records of its kind. Wherever an address or a body takes
	// the id of the record, `ext:` and this does too.
	ExternalID string `json:"externalId,omitempty"`
	// Whether the serial was completed with required steps left undone.
	ForceCompleted bool `json:"forceCompleted"`
	// An instant in UTC with milliseconds.
	ForceCompletedAt time.Time `json:"forceCompletedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	ForceCompletedBy string `json:"forceCompletedBy,omitempty"`
	// Text of any number of lines; nothing but space counts as empty.
	ForceCompletedReason string `json:"forceCompletedReason,omitempty"`
	// The open holds, oldest first. Left out when there are none.
	Holds []Hold `json:"holds,omitzero"`
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	ID string `json:"id"`
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// What the step behind it is called. Left out at the last one.
	NextStepName string `json:"nextStepName,omitempty"`
	// The steps that read deferred, in the order of the path. Left out when there are none.
	OpenDeferredStepIDs []string `json:"openDeferredStepIds,omitzero"`
	// Which way along its path this is, counted from 1; every rework begins one. Left out on the first.
	Pass *int64 `json:"pass,omitempty"`
	// The identifier of a path. A path keeps it when it is renamed or its steps change.
	PathID string `json:"pathId"`
	// Text of any number of lines; nothing but space counts as empty.
	ScrapExplanation string `json:"scrapExplanation,omitempty"`
	// Why a serial was scrapped.
	ScrapReason ScrapReason `json:"scrapReason,omitempty"`
	// The step the serial stood on when it was scrapped.
	ScrapStepID string `json:"scrapStepId,omitempty"`
	// An instant in UTC with milliseconds.
	ScrappedAt time.Time `json:"scrappedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	ScrappedBy string `json:"scrappedBy,omitempty"`
	// The unit's own number, which is engraved on it. Left out when it has none.
	SerialNumber string `json:"serialNumber,omitempty"`
	// The status of a serial. `completed` and `scrapped` are final.
	Status SerialStatus `json:"status"`
	// An instant in UTC with milliseconds.
	UpdatedAt time.Time `json:"updatedAt"`
}

// SerialFilter: What serials have to be, all of it; the oldest first. At least one member is required.
type SerialFilter struct {
	// The identifier of a job, made by the service and never used twice.
	JobID *string `json:"jobId,omitempty"`
	// The identifier of a path. A path keeps it when it is renamed or its steps change.
	PathID *string `json:"pathId,omitempty"`
	// The status of a serial. `completed` and `scrapped` are final.
	Status *SerialStatus `json:"status,omitempty"`
	// The step that they stand on, in progress.
	StepID *string `json:"stepId,omitempty"`
}

// SerialListItem: A serial as a screen shows it. Note the hyphen in `in-progress`.
type SerialListItem struct {
	// The operator of the current step; left out if there is none.
	AssignedTo string `json:"assignedTo,omitempty"`
	// When the unit was completed; left out for others. Only in pages of the list.
	CompletedAt time.Time `json:"completedAt,omitzero"`
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// The index of the step the serial stands on, counted from 0; -1 when completed. A scrapped serial keeps it.
	CurrentStepIndex int64 `json:"currentStepIndex"`
	// The name of the step; `Completed` or `Scrapped` for serials that are; empty if it cannot be resolved.
	CurrentStepName string `json:"currentStepName"`
	// What another system calls the unit; left out if it has no such name. Only in pages of the list.
	ExternalID string `json:"externalId,omitempty"`
	// True when force-completed, otherwise left out.
	ForceCompleted bool `json:"forceCompleted,omitempty"`
	// Whether the unit has an open hold. Only in pages of the list.
	Held bool `json:"held,omitempty"`
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	ID string `json:"id"`
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// Empty if the job cannot be resolved.
	JobName string `json:"jobName"`
	// The part number of the job; left out if it has none. Only in pages of the list.
	PartNumber string `json:"partNumber,omitempty"`
	// The identifier of a path. A path keeps it when it is renamed or its steps change.
	PathID string `json:"pathId"`
	// Empty if the path cannot be resolved.
	PathName string `json:"pathName"`
	// Why a serial was scrapped.
	ScrapReason ScrapReason `json:"scrapReason,omitempty"`
	// The unit's own number, which is engraved on it. Left out when it has none.
	SerialNumber string `json:"serialNumber,omitempty"`
	// The status of the serial, with a hyphen in `in-progress` where other answers have `in_progress`.
	Status SerialListItemStatus `json:"status"`
	// When anything in this row was last changed, be it of the unit, its holds, its path or its job, but for
	// `externalId`. Only in pages of the list.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
}

// SerialListItemStatus: The status of the serial, with a hyphen in `in-progress` where other answers have
// `in_progress`.
type SerialListItemStatus string

// What a SerialListItemStatus may be. Later releases may add some.
const (
	SerialListItemStatusInProgress SerialListItemStatus = "in-progress"
	SerialListItemStatusCompleted  SerialListItemStatus = "completed"
	SerialListItemStatusScrapped   SerialListItemStatus = "scrapped"
)

// SerialNumber: One unit. The scrap fields are present when it is scrapped, the force-completion fields when it
// is force-completed.
type SerialNumber struct {
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// The index of the step the serial stands on, counted from 0; -1 when completed. A scrapped serial keeps it.
	CurrentStepIndex int64 `json:"currentStepIndex"`
	// What another system calls the record, unique among the records of its kind. Wherever an address or a body takes
	// the id of the record, `ext:` and this does too.
	ExternalID string `json:"externalId,omitempty"`
	// Whether the serial was completed with required steps left undone.
	ForceCompleted bool `json:"forceCompleted"`
	// An instant in UTC with milliseconds.
	ForceCompletedAt time.Time `json:"forceCompletedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	ForceCompletedBy string `json:"forceCompletedBy,omitempty"`
	// Text of any number of lines; nothing but space counts as empty.
	ForceCompletedReason string `json:"forceCompletedReason,omitempty"`
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	ID string `json:"id"`
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// The identifier of a path. A path keeps it when it is renamed or its steps change.
	PathID string `json:"pathId"`
	// Text of any number of lines; nothing but space counts as empty.
	ScrapExplanation string `json:"scrapExplanation,omitempty"`
	// Why a serial was scrapped.
	ScrapReason ScrapReason `json:"scrapReason,omitempty"`
	// The step the serial stood on when it was scrapped.
	ScrapStepID string `json:"scrapStepId,omitempty"`
	// An instant in UTC with milliseconds.
	ScrappedAt time.Time `json:"scrappedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	ScrappedBy string `json:"scrappedBy,omitempty"`
	// The unit's own number, which is engraved on it. Left out when it has none.
	SerialNumber string `json:"serialNumber,omitempty"`
	// The status of a serial. `completed` and `scrapped` are final.
	Status SerialStatus `json:"status"`
	// An instant in UTC with milliseconds.
	UpdatedAt time.Time `json:"updatedAt"`
}

// SerialPage: One page of a search.
type SerialPage struct {
	// Newest first, or in the order that was asked for.
	Items []SerialListItem `json:"items"`
	// What `after` has to be for the next page; left out when there is none.
	Next string `json:"next,omitempty"`
}

// SerialRange: A range of serials, both ends included.
type SerialRange struct {
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	First string `json:"first"`
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	Last string `json:"last"`
}

// SerialRefusal: Why one serial was not changed, as the operation on one serial answers it.
type SerialRefusal struct {
	// What was wrong, for programs, as in Error.
	Code string `json:"code"`
	// What was wrong.
	Message string `json:"message"`
	// The id of a serial as it was selected. When it was listed, it is what was listed, also when no serial has such
	// an id.
	SerialID string `json:"serialId"`
	// The HTTP status that the operation on this serial alone would have.
	StatusCode int64 `json:"statusCode"`
}

// SerialStatus: The status of a serial. `completed` and `scrapped` are final.
type SerialStatus string

// What a SerialStatus may be. Later releases may add some.
const (
	SerialStatusInProgress SerialStatus = "in_progress"
	SerialStatusCompleted  SerialStatus = "completed"
	SerialStatusScrapped   SerialStatus = "scrapped"
)

// SerialStepStatus: One step of a serial's path with its status for the serial.
type SerialStepStatus struct {
	// What a step is to those behind it; see the tag Paths.
	DependencyType DependencyType `json:"dependencyType"`
	// Whether the serial has an active override for the step.
	HasOverride bool `json:"hasOverride"`
	// Whether the step itself is optional.
	Optional bool `json:"optional"`
	// The status of one step for one serial.
	Status StepStatus `json:"status"`
	// The identifier of a step of a path. A step keeps it when it is renamed or changes its place; steps of templates
	// have none.
	StepID string `json:"stepId"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	StepName string `json:"stepName"`
	// The place of a step in its path, counted from 0.
	StepOrder int64 `json:"stepOrder"`
}

// SetCharacteristicsRequest: What is measured at a step from now on.
type SetCharacteristicsRequest struct {
	// What is measured, in the order of the last edit.
	Characteristics []CharacteristicRequest `json:"characteristics"`
	// Who acts.
	UserID string `json:"userId,omitempty"`
}

// SetLotExpiryRequest is the body of the operation setLotExpiry.
type SetLotExpiryRequest struct {
	// A day; null for none.
	ExpiresOn *string `json:"expiresOn"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// An uploaded file about a new test.
	SHA256 *string `json:"sha256,omitempty"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// SetPathBomRequest: The bill of materials of a path.
type SetPathBomRequest struct {
	// The bill; null for none.
	BomID *string `json:"bomId"`
	// Who acts.
	UserID string `json:"userId,omitempty"`
}

// SetRequirementsRequest: What a step requires from now on. Fields that are left out require nothing.
type SetRequirementsRequest struct {
	// Whether a certificate must be attached at the step, or to the receipt of its outside work, in this pass.
	CertificateRequired *bool `json:"certificateRequired,omitempty"`
	// Part types of the bill of the serial.
	Components []string `json:"components,omitzero"`
	// The test that is made at the step.
	FunctionalTest *FunctionalTest `json:"functionalTest,omitempty"`
	// Whether material of a lot must be installed at the step.
	LotRequired *bool `json:"lotRequired,omitempty"`
	// The work that a supplier does at the step.
	Outside *OutsideWork `json:"outside,omitempty"`
	// Who acts.
	UserID string `json:"userId,omitempty"`
}

// SetSerialNumberRequest is the body of the operation setSerialNumber.
type SetSerialNumberRequest struct {
	// Why the number is corrected. Required when the serial has another number.
	Reason *string `json:"reason,omitempty"`
	// The own number of a unit, which is engraved on it or written in its papers: visible characters, without blanks
	// at the ends. It must not look like the id of a serial. No two serials of a part have the same at a time.
	SerialNumber string `json:"serialNumber"`
	// Who acts.
	UserID string `json:"userId,omitempty"`
}

// SetUpRequest is the body of the operation setUp.
type SetUpRequest struct {
	// The code that the service made at its start, which is good for a day and for one use.
	Code string `json:"code"`
	// Given once, for good.
	Login string `json:"login"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// At least 12 characters.
	Password string `json:"password"`
}

// Severity: How bad a nonconformance is, as whoever opened the report judged it. No operation goes by it.
type Severity string

// What a Severity may be. Later releases may add some.
const (
	SeverityMinor    Severity = "minor"
	SeverityMajor    Severity = "major"
	SeverityCritical Severity = "critical"
)

// Shipment: Units that were sent to a supplier for outside work, or to a customer.
type Shipment struct {
	// The units of a shipment.
	Counts ShipmentCounts `json:"counts"`
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	CreatedBy string `json:"createdBy"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Customer string `json:"customer,omitempty"`
	// The last day, in the time zone of the shop, on which it is not overdue.
	ExpectedBack string `json:"expectedBack,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	ExternalID string `json:"externalId,omitempty"`
	// A shipment, `SHP-` and a number of at least five digits.
	ID string `json:"id"`
	// `outside`: to a supplier, and back. `customer`: delivered.
	Kind ShipmentKind `json:"kind"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	OrderNumber string `json:"orderNumber,omitempty"`
	// What came back, oldest first; also voided receipts.
	Receipts []Receipt `json:"receipts"`
	// The day when it was sent in the time zone of the shop.
	SentOn string `json:"sentOn"`
	// `open`: some units are away. `overdue`: some are away after the day when they were expected. `closed`: every
	// line is settled. `shipped`: sent to a customer.
	Status ShipmentStatus `json:"status"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Supplier string `json:"supplier,omitempty"`
	// When it was made, or a receipt, a certificate or a voiding was last recorded.
	UpdatedAt time.Time `json:"updatedAt"`
}

// ShipmentCounts: The units of a shipment.
type ShipmentCounts struct {
	// Neither received nor rejected nor scrapped.
	Away int64 `json:"away"`
	// Of those away: reported missing by the last receipt about them.
	Missing int64 `json:"missing"`
	// Back.
	Received int64 `json:"received"`
	// Back, on hold.
	Rejected int64 `json:"rejected"`
	// Scrapped while they were away.
	Scrapped int64 `json:"scrapped"`
	// All units.
	Sent int64 `json:"sent"`
}

// ShipmentKind: `outside`: to a supplier, and back. `customer`: delivered.
type ShipmentKind string

// What a ShipmentKind may be. Later releases may add some.
const (
	ShipmentOutside  ShipmentKind = "outside"
	ShipmentCustomer ShipmentKind = "customer"
)

// ShipmentLine: A unit on a shipment.
type ShipmentLine struct {
	// The pass in which it was sent.
	Pass int64 `json:"pass"`
	// Why it is missing.
	Reason string `json:"reason,omitempty"`
	// The receipt that says so.
	ReceiptID string `json:"receiptId,omitempty"`
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	SerialID string `json:"serialId"`
	// The unit's own number.
	SerialNumber string `json:"serialNumber,omitempty"`
	// When it came back.
	SettledAt time.Time `json:"settledAt,omitzero"`
	// What has become of a unit on a shipment.
	Status LineStatus `json:"status"`
	// The step with the outside work.
	StepID string `json:"stepId,omitempty"`
}

// ShipmentPage: One page of shipments.
type ShipmentPage struct {
	// Newest first, or in the order that was asked for.
	Items []Shipment `json:"items"`
	// What `after` has to be for the next page; left out when there is none.
	Next string `json:"next,omitempty"`
}

// ShipmentStatus: `open`: some units are away. `overdue`: some are away after the day when they were expected.
// `closed`: every line is settled. `shipped`: sent to a customer.
type ShipmentStatus string

// What a ShipmentStatus may be. Later releases may add some.
const (
	ShipmentOpen    ShipmentStatus = "open"
	ShipmentOverdue ShipmentStatus = "overdue"
	ShipmentClosed  ShipmentStatus = "closed"
	ShipmentShipped ShipmentStatus = "shipped"
)

// SignInRequest: Either login and password, or badge and pin.
type SignInRequest struct {
	// What a scanner reads from a badge, sent with `pin`.
	Badge *string `json:"badge,omitempty"`
	// The login of a person, sent with `password`.
	Login *string `json:"login,omitempty"`
	// The password that goes with `login`.
	Password *string `json:"password,omitempty"`
	// The PIN of the badge's owner.
	PIN *string `json:"pin,omitempty"`
}

// SignRequest: One of passkey, pin and password.
type SignRequest struct {
	// The SHA-256 of the body of that request in the form of RFC 8785, in lower-case hexadecimal digits, with
	// identifiers in the place of external ones. No body counts as an empty object. The SHA-256 of the body that is
	// sent has to be the same; a body with two members of one name has none.
	BodySHA256 string `json:"bodySha256"`
	// What somebody means by a signature.
	Meaning SignatureMeaning `json:"meaning"`
	// An operation that can be signed.
	Operation SignedOperation `json:"operation"`
	// What an authenticator answered: `PublicKeyCredential.toJSON()`.
	Passkey json.RawMessage `json:"passkey,omitzero"`
	// The password of the caller, given again for this signature.
	Password *string `json:"password,omitempty"`
	// The PIN of the caller, given again for this signature.
	PIN *string `json:"pin,omitempty"`
	// The address of the request that will carry the ticket.
	Target string `json:"target"`
}

// Signature is an answer of the interface.
type Signature struct {
	// How many audit entries it signs.
	Entries int64 `json:"entries"`
	// The entries that it signs; the last so many before it that are about the same serial and no signatures.
	EntryIDs []string `json:"entryIds"`
	// Of the audit entry `record_signed`.
	ID string `json:"id"`
	// Given once, for good.
	Login string `json:"login"`
	// What somebody means by a signature.
	Meaning SignatureMeaning `json:"meaning"`
	// What they proved to be themselves with.
	Method SignatureMethod `json:"method"`
	// An operation that can be signed.
	Operation SignedOperation `json:"operation"`
	// The name of the person at that time.
	PrintedName string `json:"printedName"`
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	SerialID string `json:"serialId,omitempty"`
	// Of the entries that it signs, in their order. Each is written as the leaf of the ledger has it, but without
	// `id`, and a line feed follows it.
	SHA256 string `json:"sha256"`
	// An instant in UTC with milliseconds.
	SignedAt time.Time `json:"signedAt"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
}

// SignatureMethod: What they proved to be themselves with.
type SignatureMethod string

// What a SignatureMethod may be. Later releases may add some.
const (
	SignatureMethodPassword SignatureMethod = "password"
	SignatureMethodPin      SignatureMethod = "pin"
	SignatureMethodPasskey  SignatureMethod = "passkey"
)

// SignatureDemand: The signatures that an operation needs. `second` needs the signatures of the person who does
// it and of a second person with the permission.
type SignatureDemand string

// What a SignatureDemand may be. Later releases may add some.
const (
	SignatureDemandNone   SignatureDemand = "none"
	SignatureDemandSelf   SignatureDemand = "self"
	SignatureDemandSecond SignatureDemand = "second"
)

// SignatureMeaning: What somebody means by a signature.
type SignatureMeaning string

// What a SignatureMeaning may be. Later releases may add some.
const (
	SignatureMeaningApproval       SignatureMeaning = "approval"
	SignatureMeaningReview         SignatureMeaning = "review"
	SignatureMeaningResponsibility SignatureMeaning = "responsibility"
	SignatureMeaningAuthorship     SignatureMeaning = "authorship"
)

// SignaturePolicy is an answer of the interface.
type SignaturePolicy struct {
	// Whether changes of who may do what need the signature of a second administrator, and of nobody else: an
	// account, its roles, a secret or second factors of somebody else, a token of a program, the name of somebody
	// with a login, to make them active again, a confirmation, this policy, and the policy for second factors. What
	// only takes away needs none.
	Accounts AccountDemand `json:"accounts"`
	// Changing the entries of a bill of materials, by a versioned edit or an update.
	BomEdit SignatureDemand `json:"bomEdit"`
	// Issuing, reissuing and withdrawing certificates of conformance.
	Conformance SignatureDemand `json:"conformance"`
	// Dispositions of nonconformances, with all that they do.
	Disposition SignatureDemand `json:"disposition"`
	// Verifying and approving a first article.
	FirstArticle SignatureDemand `json:"firstArticle"`
	// Force-completing.
	ForceComplete SignatureDemand `json:"forceComplete"`
	// Setting the day of expiry of a lot.
	LotExpiry SignatureDemand `json:"lotExpiry"`
	// Creating and reversing overrides.
	Override SignatureDemand `json:"override"`
	// Changing a path that has serials, its advancement mode, or the configuration of one of its steps.
	PathUpdate SignatureDemand `json:"pathUpdate"`
	// Releasing a hold.
	Release SignatureDemand `json:"release"`
	// Sending back for rework.
	Rework SignatureDemand `json:"rework"`
	// Scrapping.
	Scrap SignatureDemand `json:"scrap"`
	// Installing a part that replaces a part type of the bill.
	Substitute SignatureDemand `json:"substitute"`
	// Taking a change back.
	Undo SignatureDemand `json:"undo"`
	// Waiving a deferred step.
	Waive SignatureDemand `json:"waive"`
}

// SignaturePolicyRequest is the body of the operation signaturePolicy.
type SignaturePolicyRequest struct {
	// Whether changes of who may do what need the signature of a second administrator, and of nobody else: an
	// account, its roles, a secret or second factors of somebody else, a token of a program, the name of somebody
	// with a login, to make them active again, a confirmation, this policy, and the policy for second factors. What
	// only takes away needs none.
	Accounts *AccountDemand `json:"accounts,omitempty"`
	// The signatures that an operation needs. `second` needs the signatures of the person who does it and of a second
	// person with the permission.
	BomEdit *SignatureDemand `json:"bomEdit,omitempty"`
	// The signatures that an operation needs. `second` needs the signatures of the person who does it and of a second
	// person with the permission.
	Conformance *SignatureDemand `json:"conformance,omitempty"`
	// The signatures that an operation needs. `second` needs the signatures of the person who does it and of a second
	// person with the permission.
	Disposition *SignatureDemand `json:"disposition,omitempty"`
	// The signatures that an operation needs. `second` needs the signatures of the person who does it and of a second
	// person with the permission.
	FirstArticle *SignatureDemand `json:"firstArticle,omitempty"`
	// The signatures that an operation needs. `second` needs the signatures of the person who does it and of a second
	// person with the permission.
	ForceComplete *SignatureDemand `json:"forceComplete,omitempty"`
	// The signatures that an operation needs. `second` needs the signatures of the person who does it and of a second
	// person with the permission.
	LotExpiry *SignatureDemand `json:"lotExpiry,omitempty"`
	// The signatures that an operation needs. `second` needs the signatures of the person who does it and of a second
	// person with the permission.
	Override *SignatureDemand `json:"override,omitempty"`
	// The signatures that an operation needs. `second` needs the signatures of the person who does it and of a second
	// person with the permission.
	PathUpdate *SignatureDemand `json:"pathUpdate,omitempty"`
	// The signatures that an operation needs. `second` needs the signatures of the person who does it and of a second
	// person with the permission.
	Release *SignatureDemand `json:"release,omitempty"`
	// The signatures that an operation needs. `second` needs the signatures of the person who does it and of a second
	// person with the permission.
	Rework *SignatureDemand `json:"rework,omitempty"`
	// The signatures that an operation needs. `second` needs the signatures of the person who does it and of a second
	// person with the permission.
	Scrap *SignatureDemand `json:"scrap,omitempty"`
	// The signatures that an operation needs. `second` needs the signatures of the person who does it and of a second
	// person with the permission.
	Substitute *SignatureDemand `json:"substitute,omitempty"`
	// The signatures that an operation needs. `second` needs the signatures of the person who does it and of a second
	// person with the permission.
	Undo *SignatureDemand `json:"undo,omitempty"`
	// The signatures that an operation needs. `second` needs the signatures of the person who does it and of a second
	// person with the permission.
	Waive *SignatureDemand `json:"waive,omitempty"`
}

// SignedIn is an answer of the interface.
type SignedIn struct {
	// Get who is asking alone, for a caller with the permission `act-for`: the login that audit entries have as
	// `actor` when the caller names somebody else.
	Actor string `json:"actor,omitempty"`
	// Whether the password or the PIN has to be changed before anything else.
	MustChange bool `json:"mustChange,omitempty"`
	// What the caller may do: what the roles of the user allow, or less with a token.
	Permissions []Permission `json:"permissions"`
	// `give`: nothing is permitted before Give Second Factor. `set-up`: a role needs a second factor, and nothing is
	// permitted before there is one.
	SecondFactor SignedInSecondFactor `json:"secondFactor,omitempty"`
	// An operator.
	User User `json:"user"`
}

// SignedInSecondFactor: `give`: nothing is permitted before Give Second Factor. `set-up`: a role needs a second
// factor, and nothing is permitted before there is one.
type SignedInSecondFactor string

// What a SignedInSecondFactor may be. Later releases may add some.
const (
	SignedInSecondFactorGive  SignedInSecondFactor = "give"
	SignedInSecondFactorSetUp SignedInSecondFactor = "set-up"
)

// SignedOperation: An operation that can be signed.
type SignedOperation string

// What a SignedOperation may be. Later releases may add some.
const (
	SignedOperationScrap         SignedOperation = "scrap"
	SignedOperationForceComplete SignedOperation = "forceComplete"
	SignedOperationWaive         SignedOperation = "waive"
	SignedOperationOverride      SignedOperation = "override"
	SignedOperationRelease       SignedOperation = "release"
	SignedOperationDisposition   SignedOperation = "disposition"
	SignedOperationUndo          SignedOperation = "undo"
	SignedOperationRework        SignedOperation = "rework"
	SignedOperationBomEdit       SignedOperation = "bomEdit"
	SignedOperationLotExpiry     SignedOperation = "lotExpiry"
	SignedOperationPathUpdate    SignedOperation = "pathUpdate"
	SignedOperationSubstitute    SignedOperation = "substitute"
	SignedOperationConformance   SignedOperation = "conformance"
	SignedOperationFirstArticle  SignedOperation = "firstArticle"
	SignedOperationAccounts      SignedOperation = "accounts"
)

// SigningOptionsRequest is the body of the operation signingOptions.
type SigningOptionsRequest struct {
	// The SHA-256 of the body of that request, as in Sign.
	BodySHA256 string `json:"bodySha256"`
	// What somebody means by a signature.
	Meaning SignatureMeaning `json:"meaning"`
	// An operation that can be signed.
	Operation SignedOperation `json:"operation"`
	// The address of the request that will carry the ticket.
	Target string `json:"target"`
}

// SnStepStatus: The status of one step for one serial.
type SnStepStatus struct {
	// The identifier of the status that one serial has at one step. The number of the serial is a part of it.
	ID string `json:"id"`
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	SerialID string `json:"serialId"`
	// The status of one step for one serial.
	Status StepStatus `json:"status"`
	// The identifier of a step of a path. A step keeps it when it is renamed or changes its place; steps of templates
	// have none.
	StepID string `json:"stepId"`
	// The place of a step in its path, counted from 0.
	StepIndex int64 `json:"stepIndex"`
	// An instant in UTC with milliseconds.
	UpdatedAt time.Time `json:"updatedAt"`
}

// SplitLotRequest is the body of the operation splitLot.
type SplitLotRequest struct {
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	LotNumber *string `json:"lotNumber,omitempty"`
	// A decimal number of at most 18 digits, kept as it is written. A JSON number is taken too, to the digit.
	Quantity string `json:"quantity"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// StepDistribution: How the serials of a path stand to one step.
type StepDistribution struct {
	// Serials of the path whose status for the step is completed.
	CompletedCount int64 `json:"completedCount"`
	// Whether no step of the path has more serials standing on it, and this one has any.
	IsBottleneck bool `json:"isBottleneck"`
	// A word or a line.
	Location string `json:"location,omitempty"`
	// Serials in progress that stand on the step.
	SerialCount int64 `json:"serialCount"`
	// The identifier of a step of a path. A step keeps it when it is renamed or changes its place; steps of templates
	// have none.
	StepID string `json:"stepId"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	StepName string `json:"stepName"`
	// The place of a step in its path, counted from 0.
	StepOrder int64 `json:"stepOrder"`
}

// StepNote: An observation at a step. Its text never changes; it may be pushed to the tracker, and voided.
type StepNote struct {
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	CreatedBy string `json:"createdBy"`
	// The identifier of a note. A note about several serials has one.
	ID string `json:"id"`
	// An identifier that is stored as given; whether it exists is not checked.
	JobID string `json:"jobId"`
	// An identifier that is stored as given; whether it exists is not checked.
	PathID string `json:"pathId"`
	// Whether the note was pushed to the issue tracker.
	PushedToTracker bool `json:"pushedToTracker"`
	// The serials that the note was written about, as they were given.
	SerialIDs []string `json:"serialIds"`
	// An identifier that is stored as given; whether it exists is not checked.
	StepID string `json:"stepId"`
	// Text of any number of lines; nothing but space counts as empty.
	Text string `json:"text"`
	// The comment's id in the issue tracker.
	TrackerCommentID string `json:"trackerCommentId,omitempty"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
	// Text of any number of lines; nothing but space counts as empty.
	VoidReason string `json:"voidReason,omitempty"`
	// An instant in UTC with milliseconds.
	VoidedAt time.Time `json:"voidedAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	VoidedBy string `json:"voidedBy,omitempty"`
}

// StepQueue: What waits at one step.
type StepQueue struct {
	// The serials of one path that stand on one step.
	Job WorkQueueJob `json:"job"`
	// The notes that were written at the step.
	Notes []StepNote `json:"notes"`
	// How many serials stand on the step before; left out at the first step.
	PreviousStepWipCount *int64 `json:"previousStepWipCount,omitempty"`
}

// StepRequest: One step in the body of a creation or an update. Its order is its place in the array.
type StepRequest struct {
	// What is measured at the step of a template. The steps of paths disregard it; Set Characteristics says what is
	// measured there. In an update of a template a step without it keeps those of the step with its name, which is
	// the step at its place or the only one that left its place.
	Characteristics []CharacteristicRequest `json:"characteristics,omitzero"`
	// What it is to the steps behind it; `preferred` when it is left out.
	DependencyType *DependencyType `json:"dependencyType,omitempty"`
	// A word or a line.
	Location *string `json:"location,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// Whether the step may be passed over; false when it is left out.
	Optional *bool `json:"optional,omitempty"`
	// What the step of a template requires. The steps of paths disregard it; Set Requirements sets it there. In an
	// update of a template a step without it keeps those of the step that characteristics are kept of.
	Requirements *RequirementsRequest `json:"requirements,omitempty"`
}

// StepStatus: The status of one step for one serial.
type StepStatus string

// What a StepStatus may be. Later releases may add some.
const (
	StepStatusPending    StepStatus = "pending"
	StepStatusInProgress StepStatus = "in_progress"
	StepStatusCompleted  StepStatus = "completed"
	StepStatusSkipped    StepStatus = "skipped"
	StepStatusDeferred   StepStatus = "deferred"
	StepStatusWaived     StepStatus = "waived"
)

// TemplateRoute: A route to be used again.
type TemplateRoute struct {
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// What another system calls the record, unique among the records of its kind. Wherever an address or a body takes
	// the id of the record, `ext:` and this does too.
	ExternalID string `json:"externalId,omitempty"`
	// The identifier of a route template. Paths made from the template do not refer to it.
	ID string `json:"id"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// The steps in the order in which serials will pass them.
	Steps []TemplateStep `json:"steps"`
	// An instant in UTC with milliseconds.
	UpdatedAt time.Time `json:"updatedAt"`
}

// TemplateStep: One step of a route template.
type TemplateStep struct {
	// What is measured at the step; left out when nothing is.
	Characteristics []Characteristic `json:"characteristics,omitzero"`
	// What a step is to those behind it; see the tag Paths.
	DependencyType DependencyType `json:"dependencyType"`
	// A word or a line.
	Location string `json:"location,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// Whether the step of a path made from the template may be skipped.
	Optional bool `json:"optional"`
	// The place of a step in its path, counted from 0.
	Order int64 `json:"order"`
	// What the step requires in addition; left out for nothing.
	Requirements *Requirements `json:"requirements,omitempty"`
}

// TestNoticesRequest is the body of the operation testNotices.
type TestNoticesRequest struct {
	// What a notice reports.
	Kind NoticeKind `json:"kind"`
}

// Token is an answer of the interface.
type Token struct {
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// Given once, for good.
	CreatedBy string `json:"createdBy"`
	// An instant in UTC with milliseconds.
	ExpiresAt time.Time `json:"expiresAt"`
	// The identifier of a token, by which it is listed and revoked. It is not the token itself.
	ID string `json:"id"`
	// Within five minutes.
	LastUsedAt time.Time `json:"lastUsedAt,omitzero"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// What the token may do, as long as its user may do it too.
	Permissions []Permission `json:"permissions"`
	// An instant in UTC with milliseconds.
	RevokedAt time.Time `json:"revokedAt,omitzero"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
	// The identifier of an operator. Steps are assigned by it; the audit trail has logins or names instead.
	UserID string `json:"userId"`
}

// TrackerTicket: A ticket of the issue tracker, as far as jobs need it.
type TrackerTicket struct {
	// The key of the epic that the ticket belongs to.
	EpicLink string `json:"epicLink,omitempty"`
	// The key of the ticket, as the tracker writes it.
	Key string `json:"key"`
	// Up to 100 labels of the ticket.
	Labels []string `json:"labels,omitzero"`
	// What the ticket has in the field that the settings name for part numbers.
	PartNumber string `json:"partNumber,omitempty"`
	// The priority in the words of the tracker.
	Priority string `json:"priority,omitempty"`
	// Left out when the ticket names none.
	Quantity *int64 `json:"quantity,omitempty"`
	// The status in the words of the tracker.
	Status string `json:"status,omitempty"`
	// The title of the ticket.
	Summary string `json:"summary"`
	// The ticket's page.
	URL string `json:"url,omitempty"`
}

// UndoRequest is the body of the operation undo.
type UndoRequest struct {
	// An identifier that is stored as given; whether it exists is not checked.
	EntryID string `json:"entryId"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// UnitPlace: Where a unit is.
type UnitPlace struct {
	// The customer to whom it was delivered.
	Customer string `json:"customer,omitempty"`
	// The name of the step.
	Step string `json:"step,omitempty"`
	// The step at which it is.
	StepID string `json:"stepId,omitempty"`
	// The supplier with whom it is for outside work.
	Supplier string `json:"supplier,omitempty"`
}

// UnitsInDoubt: The units that an instrument puts in doubt.
type UnitsInDoubt struct {
	// How many units they are, as selections take it.
	ExpectedCount int64 `json:"expectedCount"`
	// What it was measured with.
	InstrumentID string `json:"instrumentId"`
	// The units, as selections take them.
	Ranges []SerialRange `json:"ranges"`
	// The last good calibration; left out when there was none.
	Since time.Time `json:"since,omitzero"`
	// The calibration that found it wrong; left out when none did.
	Until time.Time `json:"until,omitzero"`
}

// UpdateAdvancementModeRequest is the body of the operation updateAdvancementMode.
type UpdateAdvancementModeRequest struct {
	// How serials may move along a path; see the tag Paths.
	AdvancementMode AdvancementMode `json:"advancementMode"`
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
}

// UpdateBomRequest is the body of the operation updateBom.
type UpdateBomRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// All entries anew; those that are left out are removed.
	Entries []BomEntryRequest `json:"entries,omitzero"`
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name *string `json:"name,omitempty"`
}

// UpdateCertificateRequest is the body of the operation updateCertificate.
type UpdateCertificateRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// Whatever the certificate says. Stored and returned as given, up to 64 KiB.
	Metadata json.RawMessage `json:"metadata,omitzero"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name *string `json:"name,omitempty"`
	// The number that the issuer gave the certificate. Null and blank are none.
	Number *string `json:"number,omitempty"`
	// What a certificate speaks of.
	Type *CertificateType `json:"type,omitempty"`
}

// UpdateFirstArticleRequest: The typed texts.
type UpdateFirstArticleRequest struct {
	// The texts by the name of the field, such as 1.8 or 2.3.9. Null and blank remove the typed text.
	Fields map[string]string `json:"fields"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// UpdateInstrumentRequest is the body of the operation updateInstrument.
type UpdateInstrumentRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// A day; empty for none.
	DueDate *string `json:"dueDate,omitempty"`
	// The external identifier; empty for none.
	ExternalID *string `json:"externalId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name *string `json:"name,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Number *string `json:"number,omitempty"`
	// The least value that it reads; empty for no limit.
	RangeFrom *string `json:"rangeFrom,omitempty"`
	// The greatest value that it reads; empty for no limit.
	RangeTo *string `json:"rangeTo,omitempty"`
	// The unit of the range; empty for none.
	Unit *string `json:"unit,omitempty"`
}

// UpdateJobRequest is the body of the operation updateJob.
type UpdateJobRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// Whom the job is for. Null and blank remove it.
	Customer *string `json:"customer,omitempty"`
	// The address of the customer, in lines. Null and blank remove it.
	CustomerAddress *string `json:"customerAddress,omitempty"`
	// What else is to be known of the job. Null and blank remove it.
	Description *string `json:"description,omitempty"`
	// The number of the drawing. Null and blank remove it.
	DrawingNumber *string `json:"drawingNumber,omitempty"`
	// The revision of the drawing. Null and blank remove it.
	DrawingRevision *string `json:"drawingRevision,omitempty"`
	// The day at whose end it must be finished, in the time zone of the shop. Null and blank remove it.
	DueDate *string `json:"dueDate,omitempty"`
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// How many units are wanted.
	GoalQuantity *int64 `json:"goalQuantity,omitempty"`
	// The GTIN of the part (EAN, UPC) with its 8, 12, 13 or 14 digits, of which the last has to be the check digit.
	// It is kept as it is written, and compared as the number with 14 digits. Null and blank remove it.
	Gtin *string `json:"gtin,omitempty"`
	// The language of papers for the customer: `en`, `de` or `es`. Null and blank remove it.
	Language *string `json:"language,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name *string `json:"name,omitempty"`
	// The line of the customer's order. Null and blank remove it.
	OrderLine *string `json:"orderLine,omitempty"`
	// The order of the customer. Null and blank remove it.
	OrderNumber *string `json:"orderNumber,omitempty"`
	// The part that is made, in the words of the shop. Null and blank remove it.
	PartNumber *string `json:"partNumber,omitempty"`
	// The revision of the part. Null and blank remove it.
	PartRevision *string `json:"partRevision,omitempty"`
	// How urgent the job is, 1 first. Null is 3, the usual priority.
	Priority *int64 `json:"priority,omitempty"`
}

// UpdateLotRequest is the body of the operation updateLot.
type UpdateLotRequest struct {
	// The kind of goods in a lot.
	Category *LotCategory `json:"category,omitempty"`
	// Whether the lot needs a certificate before it is used.
	CertificateRequired *bool `json:"certificateRequired,omitempty"`
	// Empty for none.
	Code *string `json:"code,omitempty"`
	// Whether the customer approved the source of a lot.
	CustomerApproval *CustomerApproval `json:"customerApproval,omitempty"`
	// Empty for none.
	ExternalID *string `json:"externalId,omitempty"`
	// Empty for none.
	HeatNumber *string `json:"heatNumber,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	LotNumber *string `json:"lotNumber,omitempty"`
	// Empty for none.
	Manufacturer *string `json:"manufacturer,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Material *string `json:"material,omitempty"`
	// Empty for none.
	OrderNumber *string `json:"orderNumber,omitempty"`
	// Empty for none.
	Owner *string `json:"owner,omitempty"`
	// Empty for none.
	PartNumber *string `json:"partNumber,omitempty"`
	// Empty for none.
	PartRevision *string `json:"partRevision,omitempty"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason *string `json:"reason,omitempty"`
	// A day; empty for none.
	ReceivedOn *string `json:"receivedOn,omitempty"`
	// Empty for none.
	Specification *string `json:"specification,omitempty"`
	// Empty for none.
	Supplier *string `json:"supplier,omitempty"`
	// Empty for none.
	SupplierLot *string `json:"supplierLot,omitempty"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// UpdatePathRequest is the body of the operation updatePath.
type UpdatePathRequest struct {
	// How serials may move along a path; see the tag Paths.
	AdvancementMode *AdvancementMode `json:"advancementMode,omitempty"`
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// The day at whose end it must be finished, in the time zone of the shop. Null and blank remove it.
	DueDate *string `json:"dueDate,omitempty"`
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// How many units are wanted.
	GoalQuantity *int64 `json:"goalQuantity,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name *string `json:"name,omitempty"`
	// All steps of the path anew, in their order. Those that are left out are removed.
	Steps []StepRequest `json:"steps,omitzero"`
}

// UpdateSerialRequest is the body of the operation updateSerial.
type UpdateSerialRequest struct {
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// UpdateTemplateRequest is the body of the operation updateTemplate.
type UpdateTemplateRequest struct {
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name *string `json:"name,omitempty"`
	// All steps of the template anew. Paths that were made from it stay as they are.
	Steps []StepRequest `json:"steps,omitzero"`
}

// UpdateUserRequest is the body of the operation updateUser.
type UpdateUserRequest struct {
	// False for somebody who is to get no more steps assigned. With `--auth` they cannot sign in either.
	Active *bool `json:"active,omitempty"`
	// Who acts; `anonymous` when it is left out. Self-reported, like every acting user.
	ChangedBy string `json:"changedBy,omitempty"`
	// Null or blank takes it away.
	Department *string `json:"department,omitempty"`
	// What another system calls the record. Null and blank remove it. Space around it is removed.
	ExternalID *string `json:"externalId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name *string `json:"name,omitempty"`
}

// Use: A unit that contains another unit or a lot, or a lot that was split from the lot.
type Use struct {
	// Where a unit in progress is, or one that is away.
	At *UnitPlace `json:"at,omitempty"`
	// The customer of the unit's job.
	Customer string `json:"customer,omitempty"`
	// 1 for what contains it directly, one more for each unit in between; 0 for a lot that was split from it.
	Depth int64 `json:"depth"`
	// Whether it is on hold.
	Held bool `json:"held"`
	// The unit that contains this one.
	Inside string `json:"inside,omitempty"`
	// The lot; left out for a unit.
	LotID string `json:"lotId,omitempty"`
	// The number of the lot.
	LotNumber string `json:"lotNumber,omitempty"`
	// The order of the unit's job.
	OrderNumber string `json:"orderNumber,omitempty"`
	// What remains of a lot with a quantity.
	Remaining string `json:"remaining,omitempty"`
	// The outermost unit that contains this one.
	Root string `json:"root,omitempty"`
	// The unit; left out for a lot.
	SerialID string `json:"serialId,omitempty"`
	// The shipment with which it is away, itself or inside another unit.
	ShipmentID string `json:"shipmentId,omitempty"`
	// The status of the unit.
	Status SerialStatus `json:"status,omitempty"`
	// The unit of what remains.
	Unit string `json:"unit,omitempty"`
}

// User: An operator.
type User struct {
	// Whether steps can be assigned to the operator.
	Active bool `json:"active"`
	// An instant in UTC with milliseconds.
	CreatedAt time.Time `json:"createdAt"`
	// A word or a line.
	Department string `json:"department,omitempty"`
	// What another system calls the record, unique among the records of its kind. Wherever an address or a body takes
	// the id of the record, `ext:` and this does too.
	ExternalID string `json:"externalId,omitempty"`
	// The identifier of an operator. Steps are assigned by it; the audit trail has logins or names instead.
	ID string `json:"id"`
	// Left out for the account of a person.
	Kind UserKind `json:"kind,omitempty"`
	// Given once, for good.
	Login string `json:"login,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	Name string `json:"name"`
	// What the account may do, with `--auth`. Left out for somebody without an account.
	Roles []Role `json:"roles,omitzero"`
	// Only in pages of a list; when what the row shows was last changed.
	UpdatedAt time.Time `json:"updatedAt,omitzero"`
}

// UserKind: Left out for the account of a person.
type UserKind string

// What a UserKind may be. Later releases may add some.
const (
	UserKindProgram UserKind = "program"
)

// Verdict: What a reading says of itself; recorded when there is nothing to compare it with.
type Verdict string

// What a Verdict may be. Later releases may add some.
const (
	VerdictPass     Verdict = "pass"
	VerdictFail     Verdict = "fail"
	VerdictRecorded Verdict = "recorded"
)

// Visit: One time that a serial was at a step, or passed over it.
type Visit struct {
	// An instant in UTC with milliseconds.
	EnteredAt time.Time `json:"enteredAt,omitzero"`
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// An instant in UTC with milliseconds.
	LeftAt time.Time `json:"leftAt,omitzero"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	LeftBy string `json:"leftBy,omitempty"`
	// 1, and one more each time that the serial was sent back.
	Pass int64 `json:"pass"`
	// The identifier of a path. A path keeps it when it is renamed or its steps change.
	PathID string `json:"pathId"`
	// The number of a unit. Numbers go up over all jobs, and a number stays with its unit for ever.
	SerialID string `json:"serialId"`
	// How the visit ended. `deferred`: the step is still to be done. `sent_back`: by a rework. `unknown`: somebody
	// edited the trail of the serial, so that it cannot be followed; it has this one row.
	Status VisitStatus `json:"status"`
	// The step; empty where the trail of the serial cannot be followed.
	StepID string `json:"stepId"`
	// What it is called today.
	StepName string `json:"stepName"`
	// Its place in the path, from 0.
	StepOrder int64 `json:"stepOrder"`
}

// VisitStatus: How the visit ended. `deferred`: the step is still to be done. `sent_back`: by a rework.
// `unknown`: somebody edited the trail of the serial, so that it cannot be followed; it has this one row.
type VisitStatus string

// What a VisitStatus may be. Later releases may add some.
const (
	VisitStatusInProgress     VisitStatus = "in_progress"
	VisitStatusCompleted      VisitStatus = "completed"
	VisitStatusSkipped        VisitStatus = "skipped"
	VisitStatusDeferred       VisitStatus = "deferred"
	VisitStatusWaived         VisitStatus = "waived"
	VisitStatusScrapped       VisitStatus = "scrapped"
	VisitStatusForceCompleted VisitStatus = "force_completed"
	VisitStatusSentBack       VisitStatus = "sent_back"
	VisitStatusUnknown        VisitStatus = "unknown"
)

// VoidRequest is the body of the operation void.
type VoidRequest struct {
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// WaiveStepRequest is the body of the operation waiveStep.
type WaiveStepRequest struct {
	// Who acts. Self-reported; any text that is not blank is accepted.
	ApproverID string `json:"approverId,omitempty"`
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
}

// WithdrawConformanceRequest: Why it no longer holds.
type WithdrawConformanceRequest struct {
	// Text of any number of lines; nothing but space counts as empty.
	Reason string `json:"reason"`
	// Who acts. Self-reported; any text that is not blank is accepted.
	UserID string `json:"userId,omitempty"`
}

// WorkQueue: What waits where.
type WorkQueue struct {
	// One group for each operator for whom something waits, and one for steps without an operator.
	Groups []WorkQueueGroup `json:"groups"`
	// A whole number of zero or more.
	TotalParts int64 `json:"totalParts"`
}

// WorkQueueGroup: What waits for one operator, or for nobody in particular.
type WorkQueueGroup struct {
	// The steps of the operator at which serials stand, one element for each step of a path.
	Jobs []WorkQueueJob `json:"jobs"`
	// The operator; null for steps that nobody is assigned to.
	OperatorID *string `json:"operatorId"`
	// A word or a line.
	OperatorName string `json:"operatorName"`
	// A whole number of zero or more.
	TotalParts int64 `json:"totalParts"`
}

// WorkQueueJob: The serials of one path that stand on one step.
type WorkQueueJob struct {
	// Whom the job is for.
	Customer string `json:"customer,omitempty"`
	// The due date of the path, or else that of the job.
	DueDate string `json:"dueDate,omitempty"`
	// Whether no step comes after this one, so that Advance Serial completes the serials.
	IsFinalStep bool `json:"isFinalStep"`
	// The identifier of a job, made by the service and never used twice.
	JobID string `json:"jobId"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	JobName string `json:"jobName"`
	// Whether the due date has ended and fewer units than the path's goal are completed. It is left out when not.
	Late bool `json:"late,omitempty"`
	// The identifier of a step of a path. A step keeps it when it is renamed or changes its place; steps of templates
	// have none.
	NextStepID string `json:"nextStepId,omitempty"`
	// A word or a line.
	NextStepLocation string `json:"nextStepLocation,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	NextStepName string `json:"nextStepName,omitempty"`
	// The order of the customer.
	OrderNumber string `json:"orderNumber,omitempty"`
	// How many serials stand there.
	PartCount int64 `json:"partCount"`
	// The part that is made, in the words of the shop.
	PartNumber string `json:"partNumber,omitempty"`
	// The revision of the part.
	PartRevision string `json:"partRevision,omitempty"`
	// The identifier of a path. A path keeps it when it is renamed or its steps change.
	PathID string `json:"pathId"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	PathName string `json:"pathName"`
	// The identifier of a step of a path. A step keeps it when it is renamed or changes its place; steps of templates
	// have none.
	PreviousStepID string `json:"previousStepId,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	PreviousStepName string `json:"previousStepName,omitempty"`
	// How urgent the job is, 1 first. It is left out when it is 3, the usual priority.
	Priority *int64 `json:"priority,omitempty"`
	// The serials, oldest first.
	SerialIDs []string `json:"serialIds"`
	// The identifier of a step of a path. A step keeps it when it is renamed or changes its place; steps of templates
	// have none.
	StepID string `json:"stepId"`
	// A word or a line.
	StepLocation string `json:"stepLocation,omitempty"`
	// A name. Trimmed where the service says so; nothing but space counts as empty.
	StepName string `json:"stepName"`
	// The place of a step in its path, counted from 0.
	StepOrder int64 `json:"stepOrder"`
	// How many steps the path has.
	TotalSteps int64 `json:"totalSteps"`
}

// WorkSort: An order of what waits.
type WorkSort string

// What a WorkSort may be. Later releases may add some.
const (
	WorkSortUrgency WorkSort = "urgency"
)

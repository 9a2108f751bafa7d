package shop

import "slices"

// Operation is something that a caller can ask for, by the name that it has in forms and in the addresses of the pages.
// What an operation needs stands in one table, which routes, pages, signatures and Actions read.
type Operation string

// What can be asked for of one unit. Actions judges these.
const (
	OpAdvance          Operation = "advance"
	OpAdvanceTo        Operation = "advance-to"
	OpScrap            Operation = "scrap"
	OpForceComplete    Operation = "force-complete"
	OpAttach           Operation = "attach"
	OpCompleteDeferred Operation = "complete-deferred"
	OpWaive            Operation = "waive"
	OpOverride         Operation = "override"
	OpReverseOverride  Operation = "reverse-override"
	OpNote             Operation = "note"
	OpHold             Operation = "hold"
	OpRelease          Operation = "release"
	OpReport           Operation = "report" // open a nonconformance
	OpDispose          Operation = "dispose"
	OpUndo             Operation = "undo"
	OpRework           Operation = "rework"
	OpVoid             Operation = "void"
)

// What can be asked for of the other records.
const (
	OpAddToReport Operation = "add-to-report"
	OpCloseReport Operation = "close-report"

	OpCreateBOM Operation = "create-bom"
	OpUpdateBOM Operation = "update-bom"
	OpEditBOM   Operation = "edit-bom"

	OpCreatePath    Operation = "create-path"
	OpUpdatePath    Operation = "update-path"
	OpChangeMode    Operation = "change-advancement-mode"
	OpDeletePath    Operation = "delete-path"
	OpConfigureStep Operation = "configure-step"
	OpAssignStep    Operation = "assign-step"

	OpCreateJob         Operation = "create-job"
	OpUpdateJob         Operation = "update-job"
	OpCreateSerials     Operation = "create-serials"
	OpCreateCertificate Operation = "create-certificate"
	OpAddToLibrary      Operation = "add-to-library"
	OpRemoveFromLibrary Operation = "remove-from-library"
	OpCreateTemplate    Operation = "create-template"
	OpUpdateTemplate    Operation = "update-template"
	OpDeleteTemplate    Operation = "delete-template"
	OpApplyTemplate     Operation = "apply-template"
	OpLinkTicket        Operation = "link-ticket"
	OpPostComment       Operation = "post-comment"
	OpAttachFile        Operation = "attach-file"
)

// What can be asked for of people, stations and settings.
const (
	OpCreateUser       Operation = "create-user"
	OpUpdateUser       Operation = "update-user"
	OpChangeAccount    Operation = "change-account"     // somebody else's
	OpChangeOwnAccount Operation = "change-own-account" // see it, its secrets and its tokens as well
	OpReplaceSecret    Operation = "replace-secret"     // set a password or a PIN, one's own or somebody else's
	OpConfirmAccount   Operation = "confirm-account"    // of somebody whose secret another person set
	OpSign             Operation = "sign"
	OpSignOut          Operation = "sign-out"
	OpIdentify         Operation = "identify" // see who one is; see, give and set up one's second factors
	OpEnter            Operation = "enter"    // sign in, set the first password, choose who works at a browser, leave it
	OpMakeStation      Operation = "make-station"
	OpRevokeStation    Operation = "revoke-station"
	OpSeeStations      Operation = "see-stations"
	OpSetPolicy        Operation = "set-signature-policy" // see it as well
	OpSetAccess        Operation = "set-access-policy"    // see it as well
	OpBackUp           Operation = "back-up"              // see the backups as well
)

// OpRead is to read jobs, units, records and the trail. It needs only Read.
const OpRead Operation = "read"

// Subject is a kind of thing that operations are about.
type Subject string

// The subjects of operations.
const (
	AboutUnit        Subject = "unit"
	AboutReport      Subject = "report"
	AboutBOM         Subject = "bom"
	AboutPath        Subject = "path"
	AboutStep        Subject = "step"
	AboutJob         Subject = "job"
	AboutCertificate Subject = "certificate"
	AboutLibrary     Subject = "library"
	AboutTemplate    Subject = "template"
	AboutPerson      Subject = "person"
	AboutStation     Subject = "station"
	AboutSettings    Subject = "settings"
	AboutFile        Subject = "file"
	AboutAnything    Subject = "anything"
)

// operationRow is what there is to know about one operation.
type operationRow struct {
	operation  Operation
	permission Permission
	subject    Subject
	signed     SignedOperation // what the signature policy calls it; "" when nobody signs it
	many       bool            // whether a page has a form that does it with many units
	second     Permission      // what a second signer needs; "" when that is what the first one needs
}

// operations is the table of operations. The signature policy lists what can be signed in the order of the table.
var operations = []operationRow{
	{operation: OpRead, permission: Read, subject: AboutAnything},

	{operation: OpAdvance, permission: Work, subject: AboutUnit, many: true},
	{operation: OpAdvanceTo, permission: Work, subject: AboutUnit},
	{operation: OpScrap, permission: Decide, subject: AboutUnit, signed: SignScrap, many: true},
	{operation: OpForceComplete, permission: Decide, subject: AboutUnit, signed: SignForceComplete, many: true},
	{operation: OpAttach, permission: Work, subject: AboutUnit, many: true},
	{operation: OpCompleteDeferred, permission: Work, subject: AboutUnit},
	{operation: OpWaive, permission: Decide, subject: AboutUnit, signed: SignWaive},
	{operation: OpOverride, permission: Decide, subject: AboutUnit, signed: SignOverride},
	{operation: OpReverseOverride, permission: Decide, subject: AboutUnit, signed: SignOverride},
	{operation: OpNote, permission: Work, subject: AboutUnit, many: true},
	{operation: OpHold, permission: Work, subject: AboutUnit},
	{operation: OpRelease, permission: Decide, subject: AboutUnit, signed: SignRelease},
	{operation: OpReport, permission: Work, subject: AboutUnit, many: true},
	{operation: OpDispose, permission: Decide, subject: AboutUnit, signed: SignDisposition},
	// Whoever did something may undo and void it for a while. Undo and void ask for Decide themselves otherwise.
	{operation: OpUndo, permission: Work, subject: AboutUnit, signed: SignUndo, second: Decide},
	{operation: OpRework, permission: Decide, subject: AboutUnit, signed: SignRework},
	{operation: OpVoid, permission: Work, subject: AboutUnit},

	{operation: OpAddToReport, permission: Work, subject: AboutReport},
	{operation: OpCloseReport, permission: Decide, subject: AboutReport},

	{operation: OpCreateBOM, permission: Plan, subject: AboutBOM},
	{operation: OpUpdateBOM, permission: Plan, subject: AboutBOM, signed: SignBOMEdit}, // of its entries
	{operation: OpEditBOM, permission: Plan, subject: AboutBOM, signed: SignBOMEdit},

	{operation: OpCreatePath, permission: Plan, subject: AboutPath},
	{operation: OpUpdatePath, permission: Plan, subject: AboutPath, signed: SignPathUpdate},
	{operation: OpChangeMode, permission: Plan, subject: AboutPath, signed: SignPathUpdate},
	{operation: OpDeletePath, permission: Plan, subject: AboutPath},
	{operation: OpConfigureStep, permission: Plan, subject: AboutStep, signed: SignPathUpdate},
	{operation: OpAssignStep, permission: Plan, subject: AboutStep},

	{operation: OpCreateJob, permission: Plan, subject: AboutJob},
	{operation: OpUpdateJob, permission: Plan, subject: AboutJob},
	{operation: OpCreateSerials, permission: Plan, subject: AboutPath},
	{operation: OpCreateCertificate, permission: Plan, subject: AboutCertificate},
	{operation: OpAddToLibrary, permission: Plan, subject: AboutLibrary},
	{operation: OpRemoveFromLibrary, permission: Plan, subject: AboutLibrary},
	{operation: OpCreateTemplate, permission: Plan, subject: AboutTemplate},
	{operation: OpUpdateTemplate, permission: Plan, subject: AboutTemplate},
	{operation: OpDeleteTemplate, permission: Plan, subject: AboutTemplate},
	{operation: OpApplyTemplate, permission: Plan, subject: AboutTemplate},
	{operation: OpLinkTicket, permission: Plan, subject: AboutJob},
	{operation: OpPostComment, permission: Plan, subject: AboutJob},
	{operation: OpAttachFile, permission: Work, subject: AboutFile},

	{operation: OpCreateUser, permission: Admin, subject: AboutPerson},
	{operation: OpUpdateUser, permission: Admin, subject: AboutPerson},
	{operation: OpChangeAccount, permission: Admin, subject: AboutPerson},
	{operation: OpChangeOwnAccount, permission: SignedIn, subject: AboutPerson},
	{operation: OpReplaceSecret, permission: Arrived, subject: AboutPerson},
	// Whoever may decide or administer. ConfirmAccount asks for that itself.
	{operation: OpConfirmAccount, permission: SignedIn, subject: AboutPerson},
	{operation: OpSign, permission: SignedIn, subject: AboutPerson},
	{operation: OpSignOut, permission: Arrived, subject: AboutPerson},
	{operation: OpIdentify, permission: Entering, subject: AboutPerson},
	{operation: OpEnter, permission: Anyone, subject: AboutPerson},
	{operation: OpMakeStation, permission: Plan, subject: AboutStation},
	{operation: OpRevokeStation, permission: Admin, subject: AboutStation},
	{operation: OpSeeStations, permission: SignedIn, subject: AboutStation},
	{operation: OpSetPolicy, permission: Admin, subject: AboutSettings},
	{operation: OpSetAccess, permission: Admin, subject: AboutSettings},
	{operation: OpBackUp, permission: Admin, subject: AboutSettings},
}

// Operations returns every operation, in the order of the table.
func Operations() []Operation {
	all := make([]Operation, len(operations))
	for i := range operations {
		all[i] = operations[i].operation
	}
	return all
}

// row is what the table says of an operation. An operation that the table does not have needs a permission that nobody
// has.
func (o Operation) row() operationRow {
	at := slices.IndexFunc(operations, func(row operationRow) bool { return row.operation == o })
	if at < 0 {
		return operationRow{operation: o}
	}
	return operations[at]
}

// Known reports whether there is such an operation.
func (o Operation) Known() bool { return o.row().subject != "" }

// Permission is what a caller needs to ask for the operation. It is "" for an operation that does not exist, which nobody
// may do.
func (o Operation) Permission() Permission { return o.row().permission }

// Signed is what the signature policy calls the operation, "" for one that nobody signs.
func (o Operation) Signed() SignedOperation { return o.row().signed }

// Subject is what the operation is about.
func (o Operation) Subject() Subject { return o.row().subject }

// Many reports whether a page has a form that does the operation with many units.
func (o Operation) Many() bool { return o.row().many }

package shop

import "slices"

// RecordKind is a kind of record, in a word of the shop's.
type RecordKind string

// The kinds of records.
const (
	RecordJob             RecordKind = "job"
	RecordPath            RecordKind = "path"
	RecordStep            RecordKind = "step"
	RecordSerial          RecordKind = "serial"
	RecordStepStatus      RecordKind = "step status"
	RecordOverride        RecordKind = "override"
	RecordHold            RecordKind = "hold"
	RecordNonconformance  RecordKind = "report"
	RecordCertificate     RecordKind = "certificate"
	RecordAttachment      RecordKind = "attachment"
	RecordNote            RecordKind = "note"
	RecordFile            RecordKind = "file"
	RecordFileLink        RecordKind = "attached file"
	RecordBOM             RecordKind = "bill of materials"
	RecordBOMVersion      RecordKind = "version of a bill of materials"
	RecordProcess         RecordKind = "process"
	RecordLocation        RecordKind = "location"
	RecordUser            RecordKind = "user"
	RecordToken           RecordKind = "token"
	RecordStation         RecordKind = "station"
	RecordPasskey         RecordKind = "passkey"
	RecordSignaturePolicy RecordKind = "signature policy"
	RecordAccessPolicy    RecordKind = "access policy"
	RecordTemplate        RecordKind = "template"
	RecordEntry           RecordKind = "entry"
	RecordSignature       RecordKind = "signature" // an entry that signs others
	RecordLedger          RecordKind = "ledger"
)

// RecordName is what the messages of the interface call a record. They are part of the contract, to the letter.
type RecordName string

// The names of records. The interface has two for a serial, each in operations of its own.
const (
	NameJob             RecordName = "Job"
	NamePath            RecordName = "Path"
	NameStep            RecordName = "ProcessStep"
	NameSerial          RecordName = "Serial"
	NameSerialNumber    RecordName = "SerialNumber"
	NameStepStatus      RecordName = "SnStepStatus"
	NameHold            RecordName = "Hold"
	NameNonconformance  RecordName = "Nonconformance"
	NameCertificate     RecordName = "Certificate"
	NameAttachment      RecordName = "Attachment"
	NameNote            RecordName = "Note"
	NameFile            RecordName = "File"
	NameFileLink        RecordName = "FileLink"
	NameBOM             RecordName = "BOM"
	NameProcess         RecordName = "ProcessLibraryEntry"
	NameLocation        RecordName = "LocationLibraryEntry"
	NameUser            RecordName = "User"
	NameToken           RecordName = "Token"
	NameStation         RecordName = "Station"
	NamePasskey         RecordName = "Passkey"
	NameSignaturePolicy RecordName = "SignaturePolicy"
	NameAccessPolicy    RecordName = "AccessPolicy"
	NameTemplate        RecordName = "TemplateRoute"
	NameEntry           RecordName = "Audit entry"
)

// NotFound is the refusal of a request that names a record which does not exist.
func (n RecordName) NotFound(id string) *Error { return Refuse(NoRecord, string(n), id) }

// Record is what holds of a kind of record.
type Record struct {
	Kind RecordKind
	// Names are what messages call such a record, the usual name first; none when no message names one.
	Names []RecordName
	// Prefix begins the identifiers of such records; "" when they have none that Routecard makes here.
	Prefix string
	// Table is where a database keeps them: one row each. It is "" for those that are part of another record.
	Table string
	// Tagged says that the answer with one of them has an ETag.
	Tagged bool
	// Voidable says that one of them can be struck through.
	Voidable bool
	// Compared says that entries of the trail tell what such a record has, and that verification compares it with them. Of a
	// record that is only Voidable it compares whether it is voided.
	Compared bool
}

// records has a row for every kind of record.
var records = []Record{
	{Kind: RecordJob, Names: named(NameJob), Prefix: prefixJob, Table: "job", Tagged: true, Compared: true},
	{Kind: RecordPath, Names: named(NamePath), Prefix: prefixPath, Table: "path", Tagged: true, Compared: true},
	{Kind: RecordStep, Names: named(NameStep), Prefix: prefixStep, Table: "step", Compared: true},
	{
		Kind: RecordSerial, Names: named(NameSerial, NameSerialNumber), Prefix: SerialPrefix, Table: "serial",
		Tagged: true, Compared: true,
	},
	{Kind: RecordStepStatus, Names: named(NameStepStatus), Prefix: prefixStepStatus, Table: "step_exception", Compared: true},
	{Kind: RecordOverride, Prefix: prefixOverride, Table: "step_override", Compared: true},
	{Kind: RecordHold, Names: named(NameHold), Prefix: prefixHold, Table: "hold", Compared: true},
	{
		Kind: RecordNonconformance, Names: named(NameNonconformance), Prefix: prefixNonconformance, Table: "nonconformance",
		Compared: true,
	},
	{
		Kind: RecordCertificate, Names: named(NameCertificate), Prefix: prefixCertificate, Table: "certificate",
		Tagged: true, Compared: true,
	},
	{
		Kind: RecordAttachment, Names: named(NameAttachment), Prefix: prefixAttachment, Table: "attachment",
		Voidable: true, Compared: true,
	},
	{Kind: RecordNote, Names: named(NameNote), Prefix: prefixNote, Table: "note", Voidable: true, Compared: true},
	{Kind: RecordFile, Names: named(NameFile), Table: "file", Compared: true},
	{
		Kind: RecordFileLink, Names: named(NameFileLink), Prefix: prefixFileLink, Table: "file_link",
		Voidable: true, Compared: true,
	},
	{Kind: RecordBOM, Names: named(NameBOM), Prefix: prefixBOM, Table: "bom", Tagged: true, Compared: true},
	{Kind: RecordBOMVersion, Prefix: prefixBOMVersion, Table: "bom_version", Compared: true},
	{Kind: RecordProcess, Names: named(NameProcess), Prefix: prefixProcess, Table: "library_entry"},
	{Kind: RecordLocation, Names: named(NameLocation), Prefix: prefixLocation, Table: "library_entry"},
	{Kind: RecordUser, Names: named(NameUser), Prefix: prefixUser, Table: "shop_user", Tagged: true, Compared: true},
	{Kind: RecordToken, Names: named(NameToken), Prefix: TokenPrefix, Table: "access_token"},
	{Kind: RecordStation, Names: named(NameStation), Prefix: StationPrefix, Table: "station"},
	{Kind: RecordPasskey, Names: named(NamePasskey), Prefix: PasskeyPrefix, Table: "passkey"},
	{Kind: RecordSignaturePolicy, Names: named(NameSignaturePolicy), Table: "signature_policy", Compared: true},
	{Kind: RecordAccessPolicy, Names: named(NameAccessPolicy), Table: "second_factor_role", Compared: true},
	{Kind: RecordTemplate, Names: named(NameTemplate), Prefix: prefixTemplate, Table: "template", Tagged: true, Compared: true},
	{Kind: RecordEntry, Names: named(NameEntry), Prefix: AuditPrefix, Table: "audit"},
	{Kind: RecordSignature, Compared: true},
	{Kind: RecordLedger, Table: "ledger_tree"},
}

func named(names ...RecordName) []RecordName { return names }

// Records returns what holds of every kind of record. The caller must not change what the rows refer to.
func Records() []Record { return slices.Clone(records) }

// Actions returns the actions of the trail that tell of records of a kind, in the order of the table of actions.
func (k RecordKind) Actions() (actions []AuditAction) {
	for i := range actionTable {
		if slices.Contains(actionTable[i].of, k) {
			actions = append(actions, actionTable[i].action)
		}
	}
	return actions
}

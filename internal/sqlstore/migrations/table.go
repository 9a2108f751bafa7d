package migrations

import (
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// Table describes a table of the database, except for its columns.
type Table struct {
	Name string
	// Of is the kind of record of which a row is all or a part. It is "" for a table of the program's own data, without records of the
	// shop.
	Of  ident.RecordKind
	Key string // the order in which Copy reads rows
	// Cards says which cards the cache drops when a row changes; see cardCache.
	Cards cardsOf
	// Serial is the column with the number of a row's serial. It is set if Cards is OneCard.
	Serial string
	// Other is another such column; "" for none.
	Other string
	// Identities reports that identities depend on the rows; see identityCache.
	Identities bool
	// Indexed reports that the column id has an index, which NewestIdentifier reads.
	Indexed bool
}

// cardsOf says which cards depend on a row of a table.
type cardsOf int

// A change of a row of the table affects no card, the card of the row's serial, or all cards.
const (
	NoCard cardsOf = iota
	OneCard
	EveryCard
)

// Tables are all tables except goose_db_version, which has the state of the migrations. A table comes before the tables that refer to it,
// so that Copy can insert in this order. withPlain adds the plain tables of records that are not in the list.
//
// No card depends on a certificate, because a certificate is written once, before it is attached to anything, and never changes.
var Tables = withPlain([]Table{
	{Name: "job", Of: shop.RecordJob, Key: "id", Indexed: true},
	{Name: "ticket_link", Of: shop.RecordJob, Key: "ticket_key"},
	{Name: "path", Of: shop.RecordPath, Key: "id", Cards: EveryCard, Indexed: true},
	{Name: "step", Of: shop.RecordStep, Key: "id", Cards: EveryCard, Indexed: true},
	{Name: "serial", Of: shop.RecordSerial, Key: "number", Cards: OneCard, Serial: "number"},
	{Name: "own_number", Of: shop.RecordSerial, Key: "serial_number, given"},
	{Name: "step_exception", Of: shop.RecordStepStatus, Key: "serial_number, step_id", Cards: OneCard, Serial: "serial_number"},
	{Name: "step_override", Of: shop.RecordOverride, Key: "id", Cards: OneCard, Serial: "serial_number", Indexed: true},
	{Name: "hold", Of: shop.RecordHold, Key: "id", Cards: OneCard, Serial: "serial_number", Indexed: true},
	{Name: "nonconformance", Of: shop.RecordNonconformance, Key: "number"},
	{
		Name: "nonconforming_unit", Of: shop.RecordNonconformance, Key: "nonconformance_number, serial_number",
		Cards: OneCard, Serial: "serial_number",
	},
	{Name: "step_characteristics", Of: shop.RecordCharacteristics, Key: "id", Cards: EveryCard, Indexed: true},
	{Name: "step_requirements", Of: shop.RecordRequirements, Key: "id", Cards: EveryCard, Indexed: true},
	{Name: "characteristic", Of: shop.RecordCharacteristic, Key: "id", Indexed: true},
	{Name: "measurement", Of: shop.RecordMeasurement, Key: "id", Cards: OneCard, Serial: "serial_number", Indexed: true},
	{Name: "arrival", Of: shop.RecordCharacteristics, Key: "step_id, ordinal", Cards: OneCard, Serial: "serial_number"},
	{
		Name: "component", Of: shop.RecordComponent, Key: "id", Cards: OneCard, Serial: "component_number",
		Other: "serial_number", Indexed: true,
	},
	{Name: "shipment", Of: shop.RecordShipment, Key: "number"},
	{
		Name: "shipment_line", Of: shop.RecordShipmentLine, Key: "shipment_id, serial_number", Cards: OneCard, Serial: "serial_number",
	},
	{Name: "conformance", Of: shop.RecordConformance, Key: "number"},
	{Name: "conformance_revision", Of: shop.RecordConformanceIssue, Key: "conformance_id, revision"},
	{Name: "conformance_unit", Of: shop.RecordConformanceIssue, Key: "conformance_id, revision, serial_number"},
	{Name: "first_article", Of: shop.RecordFirstArticle, Key: "number"},
	{Name: "first_article_unit", Of: shop.RecordFirstArticle, Key: "first_article_id, serial_number"},
	{Name: "certificate", Of: shop.RecordCertificate, Key: "id", Indexed: true},
	{Name: "lot", Of: shop.RecordLot, Key: "id", Indexed: true},
	{Name: "lot_certificate", Of: shop.RecordLotCertificate, Key: "id", Cards: EveryCard, Indexed: true},
	{
		Name: "attachment", Of: shop.RecordAttachment, Key: "serial_number, certificate_id, step_id, voided_as",
		Cards: OneCard, Serial: "serial_number",
	},
	{Name: "note", Of: shop.RecordNote, Key: "id", Indexed: true},
	{Name: "note_serial", Of: shop.RecordNote, Key: "serial_id, note_id"},
	{Name: "note_post", Of: shop.RecordNote, Key: "note_id"},
	{Name: "file", Of: shop.RecordFile, Key: "sha256"},
	{Name: "file_upload", Of: shop.RecordFile, Key: "sha256, uploaded_by"},
	{Name: "file_link", Of: shop.RecordFileLink, Key: "id", Indexed: true},
	{Name: "bom", Of: shop.RecordBOM, Key: "id", Indexed: true},
	{Name: "bom_version", Of: shop.RecordBOMVersion, Key: "bom_id, version_number"},
	{Name: "library_entry", Of: shop.RecordProcess, Key: "library, name", Indexed: true},
	{Name: "shop_user", Of: shop.RecordUser, Key: "id", Identities: true, Indexed: true},
	{Name: "user_secret", Of: shop.RecordUser, Key: "user_id, kind", Identities: true},
	{Name: "user_identity", Of: shop.RecordUser, Key: "issuer, subject", Identities: true},
	{Name: "access_token", Of: shop.RecordToken, Key: "hash", Identities: true},
	{Name: "station", Of: shop.RecordStation, Key: "hash", Identities: true},
	{Name: "access_session", Key: "hash", Identities: true},     // current sessions
	{Name: "sign_in_attempt", Key: "subject, id"},               // recent attempts by subject
	{Name: "page_language", Key: "chosen_by", Identities: true}, // languages of pages, by user or station
	{Name: "access_setting", Key: "name"},                       // whether any user has signed in yet
	{Name: "second_factor_role", Of: shop.RecordAccessPolicy, Key: "role", Identities: true},
	{Name: "passkey", Of: shop.RecordPasskey, Key: "id", Identities: true, Indexed: true},
	{Name: "one_time_code", Of: shop.RecordUser, Key: "user_id", Identities: true},
	{Name: "recovery_code", Of: shop.RecordUser, Key: "user_id, hash"},
	{Name: "access_challenge", Key: "hash"}, // challenges to authenticators
	{Name: "signature_policy", Of: shop.RecordSignaturePolicy, Key: "operation"},
	{Name: "notice_cause", Key: "day, kind, key"}, // what was notified on a day
	{Name: "notice", Key: "id", Indexed: true},    // messages, and when each was delivered
	{Name: "signature_ticket", Key: "hash"},       // signatures not given yet; given ones are in the trail
	{
		Name: "external_id", Of: shop.RecordExternalID, Key: "kind, record_id", Cards: OneCard, Serial: "serial_number",
	},
	{Name: "template", Of: shop.RecordTemplate, Key: "id", Indexed: true},
	{Name: "remembered", Key: "caller, once_key"}, // responses to repeated requests
	{Name: "audit", Of: shop.RecordEntry, Key: "sequence"},
	{Name: "ledger_tree", Of: shop.RecordLedger, Key: "number"},
	{Name: "ledger_key", Of: shop.RecordLedger, Key: "verifier_key"},
	{Name: "ledger_tile", Of: shop.RecordLedger, Key: "tree, level, number"},
	{Name: "ledger_checkpoint", Of: shop.RecordLedger, Key: "tree, hour"},
	{Name: "ledger_cosigned", Of: shop.RecordLedger, Key: "tree, hour"},
	{Name: "counter", Key: "name"},         // the last numbers that were assigned
	{Name: "serial_prefix", Key: "number"}, // the prefix of the identifiers of serials
})

// withPlain adds the tables of all other records to the listed tables, in the order of shop.Records. The key of such a table is id, and no
// cache depends on it.
func withPlain(listed []Table) []Table {
	for _, record := range shop.Records() {
		if record.Table != "" && !slices.ContainsFunc(listed, func(t Table) bool { return t.Name == record.Table }) {
			listed = append(listed, Table{Name: record.Table, Of: record.Kind, Key: "id", Indexed: true})
		}
	}
	return listed
}

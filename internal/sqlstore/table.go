package sqlstore

import (
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// table is what holds of a table in the database, whatever its columns are.
type table struct {
	name string
	// of is the kind of record that a row is, or is a part of; "" for a table without records of the shop: what the program
	// keeps for itself.
	of  ident.RecordKind
	key string // in whose order Copy reads
	// cards are the cards that are forgotten when a row changes; see cardCache.
	cards cardsOf
	// serial is the column that has the number of a row's serial, where cards is oneCard.
	serial string
	// identities says that a row belongs to somebody's identity; see identityCache.
	identities bool
	// indexed says that the column id has an index, in whose order the last identifier is found; see NewestIdentifier.
	indexed bool
}

// cardsOf are the cards that depend on a row of a table.
type cardsOf int

const (
	noCard cardsOf = iota
	oneCard
	everyCard
)

// tables are all tables but goose_db_version, which says how far the migrations are. Those that are referred to come before
// those that refer to them, which is the order of Copy. A record whose table is not in the list has a plain one: see withPlain.
//
// No card depends on a certificate: it is written once, before it is attached to anything.
var tables = withPlain([]table{
	{name: "job", of: shop.RecordJob, key: "id", indexed: true},
	{name: "ticket_link", of: shop.RecordJob, key: "ticket_key"},
	{name: "path", of: shop.RecordPath, key: "id", cards: everyCard, indexed: true},
	{name: "step", of: shop.RecordStep, key: "id", cards: everyCard, indexed: true},
	{name: "serial", of: shop.RecordSerial, key: "number", cards: oneCard, serial: "number"},
	{name: "own_number", of: shop.RecordSerial, key: "serial_number, given"},
	{name: "step_exception", of: shop.RecordStepStatus, key: "serial_number, step_id", cards: oneCard, serial: "serial_number"},
	{name: "step_override", of: shop.RecordOverride, key: "id", cards: oneCard, serial: "serial_number", indexed: true},
	{name: "hold", of: shop.RecordHold, key: "id", cards: oneCard, serial: "serial_number", indexed: true},
	{name: "nonconformance", of: shop.RecordNonconformance, key: "number"},
	{
		name: "nonconforming_unit", of: shop.RecordNonconformance, key: "nonconformance_number, serial_number",
		cards: oneCard, serial: "serial_number",
	},
	{name: "step_characteristics", of: shop.RecordCharacteristics, key: "id", cards: everyCard, indexed: true},
	{name: "characteristic", of: shop.RecordCharacteristic, key: "id", indexed: true},
	{name: "measurement", of: shop.RecordMeasurement, key: "id", cards: oneCard, serial: "serial_number", indexed: true},
	{name: "arrival", of: shop.RecordCharacteristics, key: "step_id, ordinal", cards: oneCard, serial: "serial_number"},
	{name: "certificate", of: shop.RecordCertificate, key: "id", indexed: true},
	{
		name: "attachment", of: shop.RecordAttachment, key: "serial_number, certificate_id, step_id, voided_as",
		cards: oneCard, serial: "serial_number",
	},
	{name: "note", of: shop.RecordNote, key: "id", indexed: true},
	{name: "note_serial", of: shop.RecordNote, key: "serial_id, note_id"},
	{name: "note_post", of: shop.RecordNote, key: "note_id"},
	{name: "file", of: shop.RecordFile, key: "sha256"},
	{name: "file_upload", of: shop.RecordFile, key: "sha256, uploaded_by"},
	{name: "file_link", of: shop.RecordFileLink, key: "id", indexed: true},
	{name: "bom", of: shop.RecordBOM, key: "id", indexed: true},
	{name: "bom_version", of: shop.RecordBOMVersion, key: "bom_id, version_number"},
	{name: "library_entry", of: shop.RecordProcess, key: "library, name", indexed: true},
	{name: "shop_user", of: shop.RecordUser, key: "id", identities: true, indexed: true},
	{name: "user_secret", of: shop.RecordUser, key: "user_id, kind", identities: true},
	{name: "user_identity", of: shop.RecordUser, key: "issuer, subject", identities: true},
	{name: "access_token", of: shop.RecordToken, key: "hash", identities: true},
	{name: "station", of: shop.RecordStation, key: "hash", identities: true},
	{name: "access_session", key: "hash", identities: true}, // who is signed in
	{name: "sign_in_attempt", key: "subject, id"},           // who tried
	{name: "access_setting", key: "name"},                   // whether anybody has signed in yet
	{name: "second_factor_role", of: shop.RecordAccessPolicy, key: "role", identities: true},
	{name: "passkey", of: shop.RecordPasskey, key: "id", identities: true, indexed: true},
	{name: "one_time_code", of: shop.RecordUser, key: "user_id", identities: true},
	{name: "recovery_code", of: shop.RecordUser, key: "user_id, hash"},
	{name: "access_challenge", key: "hash"}, // what authenticators are asked
	{name: "signature_policy", of: shop.RecordSignaturePolicy, key: "operation"},
	{name: "signature_ticket", key: "hash"}, // signatures on their way; the trail has those that were given
	{
		name: "external_id", of: shop.RecordExternalID, key: "kind, record_id", cards: oneCard, serial: "serial_number",
	},
	{name: "template", of: shop.RecordTemplate, key: "id", indexed: true},
	{name: "remembered", key: "caller, once_key"}, // answers to repeated requests
	{name: "audit", of: shop.RecordEntry, key: "sequence"},
	{name: "ledger_tree", of: shop.RecordLedger, key: "number"},
	{name: "ledger_key", of: shop.RecordLedger, key: "verifier_key"},
	{name: "ledger_tile", of: shop.RecordLedger, key: "tree, level, number"},
	{name: "ledger_checkpoint", of: shop.RecordLedger, key: "tree, hour"},
	{name: "ledger_cosigned", of: shop.RecordLedger, key: "tree, hour"},
	{name: "counter", key: "name"}, // numbers that were handed out
})

// withPlain adds the tables of the other records, in the order of shop.Records, to those that are listed. Such a table has its
// records by id, and nothing that is cached depends on it.
func withPlain(listed []table) []table {
	for _, record := range shop.Records() {
		if record.Table != "" && !slices.ContainsFunc(listed, func(t table) bool { return t.name == record.Table }) {
			listed = append(listed, table{name: record.Table, of: record.Kind, key: "id", indexed: true})
		}
	}
	return listed
}

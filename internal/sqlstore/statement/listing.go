package statement

import (
	"fmt"

	"github.com/routecard/routecard/internal/sqlstore/account"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// ListSource says how the records of a kind are read for a list: their columns, the tables, and the scan function.
type ListSource struct {
	Columns, From string
	Scan          func(ident.Prefix) func(db.Rows) (any, error)
}

// anyOf converts a scan of some type to one of any.
func anyOf[T any](scan func(db.Rows) (T, error)) func(ident.Prefix) func(db.Rows) (any, error) {
	return func(ident.Prefix) func(db.Rows) (any, error) { return func(r db.Rows) (any, error) { return scan(r) } }
}

// ofUnits is anyOf for rows with serials.
func ofUnits[T any](scan func(ident.Prefix, db.Rows) (T, error)) func(ident.Prefix) func(db.Rows) (any, error) {
	return func(prefix ident.Prefix) func(db.Rows) (any, error) {
		return func(r db.Rows) (any, error) { return scan(prefix, r) }
	}
}

// NotesOfSerials returns the source for notes about serials.
func NotesOfSerials() ListSource {
	return ListSource{noteColumns, `note_serial s JOIN note n ON n.id = s.note_id`, anyOf(scanNote)}
}

// listSources has a source for each kind of record that has a list.
var listSources = map[ident.RecordKind]ListSource{ //nolint:exhaustive // the other kinds have no list
	shop.RecordJob:              {JobColumns, `job`, func(p ident.Prefix) func(db.Rows) (any, error) { return anyOf(ScanJobs())(p) }},
	shop.RecordCertificate:      {certificateColumns, `certificate`, anyOf(scanCertificate)},
	shop.RecordBOM:              {bomColumns, `bom`, anyOf(scanBOM)},
	shop.RecordBOMVersion:       {bomVersionColumns, `bom_version`, anyOf(scanBOMVersion)},
	shop.RecordTemplate:         {templateColumns, `template`, anyOf(scanTemplate)},
	shop.RecordUser:             {account.UserColumns, `shop_user`, anyOf(account.ScanUser)},
	shop.RecordProcess:          {libraryColumns, `library_entry`, anyOf(scanLibraryEntry)},
	shop.RecordLocation:         {libraryColumns, `library_entry`, anyOf(scanLibraryEntry)},
	shop.RecordAttachment:       {attachmentColumns, `attachment`, ofUnits(scanAttachment)},
	shop.RecordOverride:         {overrideColumns, `step_override`, ofUnits(scanOverride)},
	shop.RecordHold:             {holdColumns, `hold`, ofUnits(scanHold)},
	shop.RecordNote:             {noteColumns, `note n`, anyOf(scanNote)},
	shop.RecordNonconformance:   {reportColumns, `nonconformance`, anyOf(scanReport)},
	shop.RecordFileLink:         {fileLinkColumns, fileLinkTables, anyOf(scanFileLink)},
	shop.RecordCalibration:      {calibrationColumns, `calibration`, anyOf(scanCalibration)},
	shop.RecordInstrument:       {instrumentColumns, `instrument`, anyOf(scanInstrument)},
	shop.RecordLot:              {lotColumns, `lot`, anyOf(scanLot)},
	shop.RecordShipment:         {shipmentColumns, `shipment`, anyOf(scanShipment)},
	shop.RecordShipmentLine:     {listedLineColumns, listedLines, ofUnits(scanListedLine)},
	shop.RecordConformance:      {conformanceColumns, conformanceFrom, anyOf(scanConformance)},
	shop.RecordConformanceIssue: {conformanceUnitColumns, newestUnits, ofUnits(scanConformanceUnit)},
	shop.RecordMeasurement:      {measurementRead, `measurement`, ofUnits(scanMeasurement)},
	shop.RecordBaseline:         {baselineColumns, `baseline`, anyOf(scanBaseline)},
	shop.RecordEntry:            {`sequence, ` + AuditNames, `audit`, scanListedEntries},
	shop.RecordFirstArticle:     {listedFirstArticles, `first_article`, anyOf(scanFirstArticle)},
}

// SourceOf returns the source for a kind of record.
func SourceOf(kind ident.RecordKind) ListSource {
	from, known := listSources[kind]
	if !known {
		panic(fmt.Sprintf("nobody says how %s are listed", kind)) // kinds are constants
	}
	return from
}

func scanListedEntries(prefix ident.Prefix) func(db.Rows) (any, error) {
	scan := ScanEntries(prefix)
	return func(r db.Rows) (any, error) {
		row, err := scan(r)
		return row.Entry, err
	}
}

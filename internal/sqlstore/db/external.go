package db

// The external identifier of a record, as a column of a statement that reads records of a kind. That of a serial is found by its number: no
// statement writes the identifiers of serials. A statement checks once whether any external identifier exists, so a shop without them does
// not look for one in each row.
const (
	ExternalOf = `, CASE WHEN EXISTS (SELECT 1 FROM external_id WHERE kind > '') THEN
		COALESCE((SELECT x.external_id FROM external_id x WHERE x.kind = '`
	ExternalEnd      = `), '') ELSE '' END`
	ExternalOfSerial = `CASE WHEN EXISTS (SELECT 1 FROM external_id WHERE kind > '') THEN
		COALESCE((SELECT x.external_id FROM external_id x WHERE x.serial_number = s.number AND x.serial_number > 0` + ExternalEnd
)

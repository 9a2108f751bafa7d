package db

// The external identifier of a record, as a column for statements that read records of a kind. A serial is identified here by its number,
// because no statement writes the identifiers of serials. A statement checks once whether any external identifier exists. A shop without
// external identifiers thus needs no look-up for each row.
const (
	ExternalOf = `, CASE WHEN EXISTS (SELECT 1 FROM external_id WHERE kind > '') THEN
		COALESCE((SELECT x.external_id FROM external_id x WHERE x.kind = '`
	ExternalEnd      = `), '') ELSE '' END`
	ExternalOfSerial = `CASE WHEN EXISTS (SELECT 1 FROM external_id WHERE kind > '') THEN
		COALESCE((SELECT x.external_id FROM external_id x WHERE x.serial_number = s.number AND x.serial_number > 0` + ExternalEnd
)

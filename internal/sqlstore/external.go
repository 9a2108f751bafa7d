package sqlstore

import (
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// The external identifier of a record, as a column of a statement that reads records of a kind. That of a serial is found by its
// number: no statement writes the identifiers of serials. Whether there is any external identifier at all is asked once for a
// statement, so that a shop without them looks for none row by row.
const (
	externalOf = `, CASE WHEN EXISTS (SELECT 1 FROM external_id WHERE kind > '') THEN
		COALESCE((SELECT x.external_id FROM external_id x WHERE x.kind = '`
	externalEnd      = `), '') ELSE '' END`
	externalOfSerial = `CASE WHEN EXISTS (SELECT 1 FROM external_id WHERE kind > '') THEN
		COALESCE((SELECT x.external_id FROM external_id x WHERE x.serial_number = s.number AND x.serial_number > 0` + externalEnd
)

func (t *transaction) SetExternalID(external shop.ExternalID) error {
	kind := string(external.Of)
	if err := run(t, `DELETE FROM external_id WHERE kind = $1 AND record_id = $2`, kind, external.ID); err != nil {
		return err
	}
	if external.ExternalID == "" {
		return nil
	}
	var number int64
	if external.Of == shop.RecordSerial {
		number, _ = ident.ParseSerialID(external.ID)
	}
	n, err := affecting(t, `INSERT INTO external_id (kind, record_id, serial_number, external_id) VALUES ($1, $2, $3, $4)
		ON CONFLICT DO NOTHING`, kind, external.ID, number, external.ExternalID)
	if err == nil && n == 0 {
		err = shop.ErrDuplicate
	}
	return err
}

func (t *transaction) RecordOutside(kind ident.RecordKind, externalID string) (string, error) {
	return one(t, scalar[string], `SELECT record_id FROM external_id WHERE kind = $1 AND external_id = $2`, string(kind), externalID)
}

func (t *transaction) ExternalIDs() iter.Seq2[shop.ExternalID, error] {
	return pages(func(last shop.ExternalID, _ bool, limit int) ([]shop.ExternalID, bool, error) {
		return page(t, func(r rows) (e shop.ExternalID, err error) {
			err = r.Scan(&e.Of, &e.ID, &e.ExternalID)
			return e, err
		}, `SELECT kind, record_id, external_id FROM external_id WHERE (kind, record_id) > ($1, $2)
			ORDER BY kind, record_id LIMIT $3`, string(last.Of), last.ID, limit)
	})
}

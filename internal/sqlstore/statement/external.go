package statement

import (
	"iter"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

type externalIDs struct{ *db.Core }

func (t externalIDs) SetExternalID(external shop.ExternalID) error {
	kind := string(external.Of)
	if err := db.Run(t, `DELETE FROM external_id WHERE kind = $1 AND record_id = $2`, kind, external.ID); err != nil {
		return err
	}
	if external.ExternalID == "" {
		return nil
	}
	var number int64
	if external.Of == shop.RecordSerial {
		number, _ = t.Prefix.ParseSerialID(external.ID)
	}
	n, err := db.Affecting(t, `INSERT INTO external_id (kind, record_id, serial_number, external_id) VALUES ($1, $2, $3, $4)
		ON CONFLICT DO NOTHING`, kind, external.ID, number, external.ExternalID)
	if err == nil && n == 0 {
		err = shop.ErrDuplicate
	}
	return err
}

func (t externalIDs) RecordOutside(kind ident.RecordKind, externalID string) (string, error) {
	return db.One(t, db.Scalar[string], `SELECT record_id FROM external_id WHERE kind = $1 AND external_id = $2`, string(kind), externalID)
}

func (t externalIDs) ExternalIDs() iter.Seq2[shop.ExternalID, error] {
	return db.Pages(func(last shop.ExternalID, _ bool, limit int) ([]shop.ExternalID, bool, error) {
		return db.Page(t, func(r db.Rows) (e shop.ExternalID, err error) {
			err = r.Scan(&e.Of, &e.ID, &e.ExternalID)
			return e, err
		}, `SELECT kind, record_id, external_id FROM external_id WHERE (kind, record_id) > ($1, $2)
			ORDER BY kind, record_id LIMIT $3`, string(last.Of), last.ID, limit)
	})
}

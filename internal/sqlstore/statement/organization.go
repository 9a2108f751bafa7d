package statement

import (
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
)

type organizations struct{ *db.Core }

// Organizations locks the name of the organization, because there may be no row to lock.
func (t organizations) Organizations() ([]shop.Organization, error) {
	if err := t.LockAbsent("organization"); err != nil {
		return nil, err
	}
	return db.All(t, func(r db.Rows) (o shop.Organization, err error) {
		err = r.Scan(&o.ID, &o.Name, &o.Address, &o.SupplierCode, &o.Logo, &o.Statement, &o.Lang)
		return o, err
	}, `SELECT id, name, address, supplier_code, logo, statement, lang FROM organization ORDER BY id`)
}

func (t organizations) PutOrganization(o shop.Organization) error {
	if err := db.Run(t, `UPDATE file SET attached = 1 WHERE sha256 = $1 AND attached = 0`, o.Logo); err != nil {
		return err
	}
	return db.Run(t, `INSERT INTO organization (id, name, address, supplier_code, logo, statement, lang) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, address = excluded.address, supplier_code = excluded.supplier_code,
		logo = excluded.logo, statement = excluded.statement, lang = excluded.lang`,
		o.ID, o.Name, o.Address, o.SupplierCode, o.Logo, o.Statement, o.Lang)
}

package account

import "github.com/routecard/routecard/internal/sqlstore/db"

type factorRoles struct{ *db.Core }

// SecondFactorRoles locks the name of the list, because an empty list has no rows to lock.
func (t factorRoles) SecondFactorRoles() ([]string, error) {
	if err := t.LockAbsent("second factor roles"); err != nil {
		return nil, err
	}
	return db.All(t, db.Scalar[string], `SELECT role FROM second_factor_role ORDER BY role`)
}

func (t factorRoles) PutSecondFactorRoles(roles []string) error {
	if err := db.Run(t, `DELETE FROM second_factor_role`); err != nil {
		return err
	}
	for _, role := range roles {
		if err := db.Run(t, `INSERT INTO second_factor_role (role) VALUES ($1)`, role); err != nil {
			return err
		}
	}
	return nil
}

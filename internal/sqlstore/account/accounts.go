package account

import "github.com/routecard/routecard/internal/sqlstore/db"

// Statements has the statements for users and for their means of signing in.
type Statements struct {
	users
	secrets
	identities
	tokens
	sessions
	stations
	attempts
	settings
	factorRoles
	passkeys
	oneTimeCodes
	challenges
}

// Over returns the statements that run on a core.
func Over(at *db.Core) Statements {
	return Statements{
		users:        users{at},
		secrets:      secrets{at},
		identities:   identities{at},
		tokens:       tokens{at},
		sessions:     sessions{at},
		stations:     stations{at},
		attempts:     attempts{at},
		settings:     settings{at},
		factorRoles:  factorRoles{at},
		passkeys:     passkeys{at},
		oneTimeCodes: oneTimeCodes{at},
		challenges:   challenges{at},
	}
}

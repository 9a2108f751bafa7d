package shop

import (
	"context"
	"slices"

	"github.com/routecard/routecard/shop/trail"
)

// Forget appends an audit entry in somebody's name without asking who acts, as no operation may.
func (s *Service) Forget(ctx context.Context, user string) error {
	return s.store.Update(ctx, func(tx Tx) error {
		return tx.AppendAudit(trail.Entry{Action: "forgotten", UserID: user, Timestamp: s.Now()})
	})
}

// accountLogins are the logins of the users that the tests of signedAs name.
var accountLogins = map[string]string{"user_anna": "anna"}

// SignedAs is signedAs, for paths of which some are in use.
func SignedAs(entries []trail.Entry, inUse ...string) ([]SignedOperation, error) {
	return signedAs([][]trail.Entry{entries}, func(path string) (bool, error) { return slices.Contains(inUse, path), nil },
		func(userID string) (string, error) { return accountLogins[userID], nil })
}

package shop

import (
	"context"
	"slices"

	"github.com/routecard/routecard/shop/trail"
)

// Forget appends an audit entry with a given user without checking who acts, which no operation may do.
func (s *Service) Forget(ctx context.Context, user string) error {
	return s.store.Update(ctx, func(tx Tx) error {
		return tx.AppendAudit(trail.Entry{Action: "forgotten", UserID: user, Timestamp: s.Now()})
	})
}

// accountLogins maps the users in the tests of signedAs to their logins.
var accountLogins = map[string]string{"user_anna": "anna"}

// SignedAs is signedAs for paths of which some are in use.
func SignedAs(entries []trail.Entry, inUse ...string) ([]SignedOperation, error) {
	return signedAs([][]trail.Entry{entries}, func(path string) (bool, error) { return slices.Contains(inUse, path), nil },
		func(userID string) (string, error) { return accountLogins[userID], nil })
}

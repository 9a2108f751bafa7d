package access

import (
	"slices"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// groupRolesLife is the time for which roles from the provider's groups last after the last sign-in there. After that time it is unknown
// whether the person is still in the groups. Without the limit, people who left the company would keep the roles in a badge or token.
const groupRolesLife = 12 * time.Hour

// allowed returns the permissions of a user's roles, and the further permissions that the user lost because roles from groups have ended.
// seenAt is the time when a provider last identified the user; 0 for a user without a connection.
func (s *Service) allowed(user shop.User, seenAt ident.Timestamp) (now, ended []shop.Permission) {
	now = PermissionsOf(user.Roles)
	if s.provider == nil || seenAt == 0 || seenAt > s.since(groupRolesLife) {
		return now, nil
	}
	all := now
	now = PermissionsOf(s.provider.granted(user.Roles, nil))
	return now, slices.DeleteFunc(all, func(p shop.Permission) bool { return slices.Contains(now, p) })
}

// allowedIn is allowed for a user within a transaction.
func (s *Service) allowedIn(tx Reader, user shop.User) (now, ended []shop.Permission, err error) {
	identities, err := tx.IdentitiesOfUser(user.ID)
	var seenAt ident.Timestamp
	for _, identity := range identities {
		seenAt = max(seenAt, identity.SeenAt)
	}
	now, ended = s.allowed(user, seenAt)
	return now, ended, err
}

// lacks refuses a user without a permission.
func (s *Service) lacks(needs shop.Permission, ended []shop.Permission) error {
	if slices.Contains(ended, needs) {
		return s.signInAgain()
	}
	return NotPermitted(needs)
}

// signInAgain refuses a user whose roles from groups have ended.
func (s *Service) signInAgain() error {
	return &RefusalError{Refusal: refusal.Refuse(reasonSignInAgain, s.provider.Name), Challenge: realm}
}

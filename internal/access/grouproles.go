package access

import (
	"slices"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// groupRolesLife is how long roles from the provider's groups last after the last sign-in there. Later it is unknown whether the person is
// still in the groups: people who left the company would keep the roles in a badge or token.
const groupRolesLife = 12 * time.Hour

// allowed returns what the roles of a user allow, and what else roles from groups would allow that have ended. seenAt is
// when a provider last said who the user is, 0 for a user who is connected with none.
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

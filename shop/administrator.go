package shop

import (
	"iter"
	"slices"

	"github.com/routecard/routecard/shop/refusal"
)

// AdministratorStore is what the rule about the last administrator needs of a database.
type AdministratorStore interface {
	Users() iter.Seq2[User, error]
	// LockAdministrators keeps others from changing who is an administrator until the transaction ends.
	LockAdministrators() error
}

// Administers reports whether a user can administer: an active person with the permission. A program cannot sign in, and
// so could give the permission to nobody.
func Administers(user User, permissions func(roles []string) []Permission) bool {
	return user.Active && user.Login != "" && user.Kind != Program && slices.Contains(permissions(user.Roles), Admin)
}

// KeepsAdministrator refuses a change of a user by which nobody would be left who can administer. Nobody could undo it.
func KeepsAdministrator(store AdministratorStore, before, after User, permissions func(roles []string) []Permission) error {
	if !Administers(before, permissions) || Administers(after, permissions) {
		return nil
	}
	if err := store.LockAdministrators(); err != nil {
		return err
	}
	for user, err := range store.Users() {
		if err != nil {
			return err
		}
		if user.ID != before.ID && Administers(user, permissions) {
			return nil
		}
	}
	return refusal.Refuse(refusal.LastAdmin)
}

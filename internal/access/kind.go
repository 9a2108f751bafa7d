package access

import (
	"slices"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// The kind of an account, person or program, never changes. An administrator can make tokens for programs, so an administrator who could
// turn a person's account into a program's could act as that person.

// checkKind validates a kind of account. The kind of a person is stored as "".
func checkKind(in input.TextInput) (shop.AccountKind, error) {
	kind, err := input.RequiredText("kind", in)
	switch {
	case err != nil:
		return "", err
	case kind == string(shop.Program):
		return shop.Program, nil
	case kind == string(shop.Person):
		return "", nil
	}
	return "", input.NotOneOf("kind", shop.AccountKinds())
}

const (
	freshFor      = 24 * time.Hour // the maximum age of a user record that can become a service account
	freshSearched = 5000           // entries of the trail that are searched for the user
)

// unused refuses to turn the record of a user who may have worked here into a program's account: the administrator who makes its tokens
// could act under that person's name.
func (s *Service) unused(tx Reader, user shop.User) error {
	refusal := refusal.RefuseField(reasonHasHistory, "kind", user.Name)
	if user.CreatedAt <= s.since(freshFor) {
		return refusal
	}
	last, err := tx.LastAuditSequence()
	if err != nil {
		return err
	}
	first := max(0, last-freshSearched)
	for after := first; after < last; {
		entries, err := tx.AuditAfter(after, int(last-after))
		if err != nil || len(entries) == 0 {
			return err
		}
		early := after == first && first > 0 && entries[0].Timestamp > user.CreatedAt // earlier entries are not searched
		if early || slices.ContainsFunc(entries, func(e trail.Entry) bool { return e.UserID == user.ID || e.UserID == user.Name }) {
			return refusal
		}
		after += int64(len(entries))
	}
	return nil
}

// personOnly refuses an operation for the account of a program, which can have only tokens.
func personOnly(user shop.User) error {
	if user.Kind == shop.Program {
		return refusal.Refuse(reasonProgram)
	}
	return nil
}

// tokenMaker refuses to let a user make a token for another person.
func tokenMaker(user shop.User, own bool) error {
	if user.Kind != shop.Program && !own {
		return refusal.Refuse(reasonOthersOwn)
	}
	return nil
}

package access

import (
	"slices"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// An account is a person's or a program's for good: an administrator can make tokens of programs, and could act as a person whose account
// they had turned into a program's.

// checkKind validates a kind of account. A person's is stored as "".
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
	freshFor      = 24 * time.Hour // how old the record of a user is at most that becomes a program's
	freshSearched = 5000           // entries of the trail that are searched for the user
)

// unused refuses to make a program's account of the record of a user who may have worked here: the administrator who makes its tokens could
// act under that person's name.
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

// personOnly refuses to give a program anything but tokens.
func personOnly(user shop.User) error {
	if user.Kind == shop.Program {
		return refusal.Refuse(reasonProgram)
	}
	return nil
}

// tokenMaker refuses a token of a person made by another user.
func tokenMaker(user shop.User, own bool) error {
	if user.Kind != shop.Program && !own {
		return refusal.Refuse(reasonOthersOwn)
	}
	return nil
}

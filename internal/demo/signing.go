package demo

import (
	"context"
	"errors"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// Two people who decide have a login, and sign some of their decisions. Without a secret these logins cannot sign in.

// loginOf returns the login of a person who signs.
func loginOf(person string) string {
	return map[string]string{quality: "d.rao", supervisor: "m.lindqvist"}[person]
}

// accountsOf returns the store of the accounts in a database.
func accountsOf(store sqlstore.Store) (access.Store, error) {
	accounts, ok := store.(access.Store)
	if !ok {
		return nil, errors.New("the database has no accounts")
	}
	return accounts, nil
}

// openAccounts gives the people who sign their logins.
func (s *simulation) openAccounts(ctx context.Context) error {
	accounts, err := accountsOf(s.store)
	if err != nil {
		return err
	}
	clock := func() time.Time { return s.moment }
	door, err := access.New(ctx, accounts, access.Options{Clock: clock, IDs: ident.NewIdentifiers(clock)})
	if err != nil {
		return err
	}
	planning := shop.WithCaller(ctx, shop.Caller{Login: s.people[planner], Confirmed: true})
	for _, person := range []string{quality, supervisor} {
		if _, err := door.ChangeAccount(planning, s.people[person], access.ChangeAccountInput{
			Login: input.Given(loginOf(person)), Roles: input.GivenTexts("lead"),
		}); err != nil {
			return err
		}
	}
	// No secret was hashed, so the database may get another pepper.
	return accounts.UpdateAccess(ctx, func(tx access.Tx) error { return tx.DeleteSettings("pepper") })
}

// signature describes a request that a person signs.
type signature struct {
	person    string // the name
	operation shop.SignedOperation
	target    string // the address of the request
	in        any    // its body
}

// signed returns a context in which a person signs an operation. The body has the person's login as its user.
func signed(ctx context.Context, store sqlstore.Store, userID string, at time.Time, of signature) (context.Context, error) {
	accounts, err := accountsOf(store)
	if err != nil {
		return nil, err
	}
	body, err := shop.BodyOf(of.in)
	if err != nil {
		return nil, err
	}
	digest := access.BodySHA256(body)
	ticket := shop.SignatureTicket{
		Hash: of.target + " " + digest, UserID: userID, Login: loginOf(of.person), PrintedName: of.person, Meaning: shop.Approval,
		Method: string(access.Password), Operation: of.operation, Target: of.target, BodySHA256: digest, SignedAt: ident.TimestampOf(at),
		ExpiresAt: ident.TimestampOf(at.Add(shop.TicketLife)),
	}
	if err := accounts.UpdateAccess(ctx, func(tx access.Tx) error { return tx.InsertSignatureTicket(ticket) }); err != nil {
		return nil, err
	}
	return shop.WithSignatureTickets(ctx, shop.SignedRequest{
		Address: of.target, Tickets: []string{ticket.Hash}, BodySHA256: func() string { return digest },
	}), nil
}

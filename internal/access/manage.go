package access

import (
	"context"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// managesCredentials refuses callers who may not manage secrets, tokens, badges and stations, whatever their permissions: callers without
// an identity, and callers with a token. Credentials made with a stolen token would outlive it.
func managesCredentials(ctx context.Context) (*Identity, error) {
	identity := IdentityOf(ctx)
	switch {
	case identity == nil:
		return nil, authenticationRequired()
	case identity.TokenID != "":
		return nil, refusal.Refuse(reasonByToken)
	case identity.Second == GiveSecond:
		return nil, ErrGiveSecond
	}
	return identity, nil
}

// managesOf is managesCredentials for the credentials of one user: the caller's own, or any user's with the permission admin.
func managesOf(ctx context.Context, userID string) (own bool, err error) {
	if _, err := managesCredentials(ctx); err != nil {
		return false, err
	}
	return ownOrAdmin(ctx, userID)
}

// ownOrAdmin refuses a caller who is neither the user nor has the permission admin.
func ownOrAdmin(ctx context.Context, userID string) (own bool, err error) {
	identity := IdentityOf(ctx)
	switch {
	case identity == nil:
		return false, authenticationRequired()
	case identity.User.ID == userID:
		return true, nil
	case identity.MustChange != "":
		return false, mustReplace(identity.MustChange)
	case !slices.Contains(identity.Permissions, shop.OpChangeAccount.Permission()):
		return false, NotPermitted(shop.OpChangeAccount.Permission())
	}
	return false, nil
}

package access

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Lifetimes of tokens.
const (
	tokenLife = 90 * 24 * time.Hour
	tokenMost = 365 * 24 * time.Hour
)

// NewToken is the response of Create Token. No other response contains the token itself.
type NewToken struct {
	Token
	Text string `json:"token"`
}

// CreateTokenInput is the body of Create Token.
type CreateTokenInput struct {
	Name        input.TextInput  `field:"name"`
	Permissions input.TextsInput `field:"permissions" form:"permission"`
	ExpiresAt   input.TextInput  `field:"expiresAt" form:"-"` // a form has a day instead
}

// CreateToken makes a token for the caller or, with the permission admin, for a program. The token can have at most the permissions of its
// user. A token for the caller can have at most the caller's current permissions.
func (s *Service) CreateToken(ctx context.Context, userID string, in CreateTokenInput) (NewToken, error) {
	own, err := managesOf(ctx, userID)
	if err != nil {
		return NewToken{}, err
	}
	if err := shop.CallerOf(ctx).RequireConfirmed(); err != nil {
		return NewToken{}, err
	}
	made := NewToken{Text: newToken()}
	ctx = shop.Signable(ctx, in, userID)
	err = s.once(ctx, func(tx Tx) (err error) {
		user, err := findUser(tx, userID)
		if err != nil {
			return err
		}
		if err := tokenMaker(user, own); err != nil {
			return err
		}
		if user.Login == "" || !user.Active {
			return refusal.Refuse(reasonNoAccount)
		}
		allowed := PermissionsOf(user.Roles)
		if own {
			allowed = IdentityOf(ctx).Permissions
		}
		if made.Token, err = in.check(s.now(), allowed); err != nil {
			return err
		}
		made.ID, made.UserID, made.Hash = s.newID(shop.TokenPrefix), userID, digest(made.Text)
		made.CreatedBy = shop.CallerOf(ctx).Login
		if err := tx.InsertToken(made.Token); err != nil {
			return err
		}
		return tx.AppendAudit(tokenEntry(shop.ActionTokenCreated, made.Token, made.CreatedBy, made.CreatedAt))
	})
	return made, err
}

func (in CreateTokenInput) check(now ident.Timestamp, allowed []shop.Permission) (token Token, err error) {
	token.CreatedAt = now
	if token.Name, err = input.RequiredName("name", in.Name); err != nil {
		return token, err
	}
	given, err := input.RequiredTexts("permissions", in.Permissions, refusal.ListEmpty)
	if err != nil {
		return token, err
	}
	for i, permission := range given {
		if !slices.Contains(shop.Permissions(), shop.Permission(permission)) {
			return token, input.NotOneOf(fmt.Sprintf("permissions[%d]", i), shop.Permissions())
		}
		if !slices.Contains(allowed, shop.Permission(permission)) {
			return token, NotPermitted(shop.Permission(permission))
		}
	}
	for _, permission := range shop.Permissions() {
		if slices.Contains(given, string(permission)) {
			token.Permissions = append(token.Permissions, permission)
		}
	}
	expires, err := input.OptionalText("expiresAt", in.ExpiresAt)
	if err != nil {
		return token, err
	}
	token.ExpiresAt = ident.TimestampOf(now.Time().Add(tokenLife))
	if expires != "" {
		at, err := time.Parse(time.RFC3339, expires)
		if err != nil {
			return token, refusal.RefuseField(reasonNoTime, "expiresAt")
		}
		token.ExpiresAt = ident.TimestampOf(at)
	}
	switch {
	case token.ExpiresAt <= now:
		return token, refusal.RefuseField(reasonPast, "expiresAt")
	case token.ExpiresAt > ident.TimestampOf(now.Time().Add(tokenMost)):
		return token, refusal.RefuseField(reasonFar, "expiresAt")
	}
	return token, nil
}

func tokenEntry(action trail.Action, token Token, by string, at ident.Timestamp) trail.Entry {
	return trail.Entry{
		Action: action, UserID: by, Timestamp: at,
		Metadata: metadata(struct {
			AccountID   string            `json:"accountId"`
			TokenID     string            `json:"tokenId"`
			Name        string            `json:"name"`
			Permissions []shop.Permission `json:"permissions"`
			ExpiresAt   ident.Timestamp   `json:"expiresAt"`
		}{token.UserID, token.ID, token.Name, token.Permissions, token.ExpiresAt}),
	}
}

// Tokens returns the tokens of a user, oldest first, including revoked and expired ones.
func (s *Service) Tokens(ctx context.Context, userID string) ([]Token, error) {
	if _, err := ownOrAdmin(ctx, userID); err != nil {
		return nil, err
	}
	var tokens []Token
	err := s.store.ViewAccess(ctx, func(tx Reader) (err error) {
		if _, err := findUser(tx, userID); err != nil {
			return err
		}
		tokens, err = tx.TokensOfUser(userID)
		return err
	})
	return tokens, err
}

// RevokeToken revokes a token immediately: the caller's own, or any user's with the permission admin. A caller with a token can revoke only
// that token.
func (s *Service) RevokeToken(ctx context.Context, userID, id string) error {
	manages := managesOf
	if identity := IdentityOf(ctx); identity != nil && identity.TokenID != "" && identity.TokenID == id {
		manages = ownOrAdmin
	}
	if _, err := manages(ctx, userID); err != nil {
		return err
	}
	return s.once(ctx, func(tx Tx) error {
		if _, err := userAsRead(ctx, tx, userID); err != nil {
			return err
		}
		tokens, err := tx.TokensOfUser(userID)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(tokens, func(token Token) bool { return token.ID == id })
		if at < 0 {
			return shop.NameToken.NotFound(id)
		}
		err = tx.RevokeToken(userID, id, s.now())
		if errors.Is(err, shop.ErrNoRecord) { // it was revoked before
			return nil
		}
		if err != nil {
			return err
		}
		return tx.AppendAudit(tokenEntry(shop.ActionTokenRevoked, tokens[at], shop.CallerOf(ctx).Login, s.now()))
	})
}

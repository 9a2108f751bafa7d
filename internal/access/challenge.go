package access

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/routecard/routecard/shop"
)

// challengeLife is the time within which an authenticator must sign a challenge.
const challengeLife = 5 * time.Minute

// The purposes of challenges. An assertion is valid for its purpose only.
const (
	challengeRegister = "register"
	challengeSignIn   = "sign-in"
	challengeSecond   = "second"
	challengeSign     = "sign"
)

// PasskeyOptions are the options that a page passes to navigator.credentials, in its JSON form.
type PasskeyOptions struct {
	PublicKey any `json:"publicKey"`
}

// ask stores a challenge. The challenge is bound to the party that must sign it, and any instance accepts the assertion.
func (s *Service) ask(ctx context.Context, purpose, boundTo string, session *webauthn.SessionData) error {
	return s.store.UpdateAccess(ctx, func(tx Tx) error {
		if err := tx.DeleteChallengesBefore(s.since(challengeLife)); err != nil {
			return err
		}
		return tx.InsertChallenge(Challenge{
			Hash: digest(session.Challenge), Purpose: purpose, BoundTo: boundTo, Data: string(metadata(session)), CreatedAt: s.now(),
		})
	})
}

// asked finds the challenge of an assertion. It returns false if the challenge is unknown, had expired, had another purpose or was bound to
// another party.
func (s *Service) asked(tx Reader, challenge, purpose, boundTo string) (session webauthn.SessionData, ok bool, err error) {
	kept, err := tx.Challenge(digest(challenge))
	if errors.Is(err, shop.ErrNoRecord) {
		return session, false, nil
	}
	if err != nil || kept.Purpose != purpose || !same(kept.BoundTo, boundTo) || kept.CreatedAt <= s.since(challengeLife) {
		return session, false, err
	}
	err = json.Unmarshal([]byte(kept.Data), &session)
	return session, err == nil, err
}

// consume deletes a challenge, so that it can be used once. It returns the error wrong if the challenge does not exist.
func consume(tx Tx, challenge string, wrong error) error {
	err := tx.DeleteChallenge(digest(challenge))
	if errors.Is(err, shop.ErrNoRecord) {
		return wrong
	}
	return err
}

// spoiled deletes a challenge after a wrong assertion.
func (s *Service) spoiled(ctx context.Context, challenge string) error {
	err := s.store.UpdateAccess(context.WithoutCancel(ctx), func(tx Tx) error { return tx.DeleteChallenge(digest(challenge)) })
	if errors.Is(err, shop.ErrNoRecord) {
		return nil
	}
	return err
}

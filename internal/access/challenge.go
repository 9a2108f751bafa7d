package access

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/routecard/routecard/shop"
)

// challengeLife is how long an authenticator may take to answer.
const challengeLife = 5 * time.Minute

// What a challenge is for. An answer is good for nothing else.
const (
	challengeRegister = "register"
	challengeSignIn   = "sign-in"
	challengeSecond   = "second"
	challengeSign     = "sign"
)

// PasskeyOptions is what a page hands to navigator.credentials, in the form of its JSON.
type PasskeyOptions struct {
	PublicKey any `json:"publicKey"`
}

// ask keeps a challenge until it is answered. It is bound to who has to answer it, on whichever instance.
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

// asked finds the challenge that an answer has. It is false when that was asked for something else, of somebody else or
// too long ago, or not at all.
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

// answered uses a challenge up; wrong refuses whoever comes second.
func answered(tx Tx, challenge string, wrong error) error {
	err := tx.DeleteChallenge(digest(challenge))
	if errors.Is(err, shop.ErrNoRecord) {
		return wrong
	}
	return err
}

// spoiled uses up a challenge that was answered wrongly.
func (s *Service) spoiled(ctx context.Context, challenge string) error {
	err := s.store.UpdateAccess(context.WithoutCancel(ctx), func(tx Tx) error { return tx.DeleteChallenge(digest(challenge)) })
	if errors.Is(err, shop.ErrNoRecord) {
		return nil
	}
	return err
}

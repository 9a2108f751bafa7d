package access

import (
	"errors"
	"slices"

	"github.com/routecard/routecard/shop/refusal"
)

// A secret that another person set is known to two people. So its owner must replace it before anything else, whichever secret the owner
// signed in with.

// toReplace returns the secret of a user that has to be replaced first, "" for none. A badge need not be replaced, because it proves
// nothing.
func toReplace(secrets []Secret) SecretKind {
	for _, kind := range []SecretKind{Password, PIN} {
		if slices.ContainsFunc(secrets, func(secret Secret) bool { return secret.Kind == kind && secret.MustChange }) {
			return kind
		}
	}
	return ""
}

// mustReplace returns the refusal of a user who must first replace a secret of this kind.
func mustReplace(kind SecretKind) error {
	if kind == PIN {
		return refusal.Refuse(PINChange)
	}
	return refusal.Refuse(reasonPassword)
}

// MustReplace reports whether a user was refused because they must replace a secret first.
func MustReplace(err error) bool {
	refusal, ok := errors.AsType[*refusal.Error](err)
	return ok && (refusal.Reason == PINChange || refusal.Reason == reasonPassword)
}

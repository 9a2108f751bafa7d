package access

import (
	"errors"
	"slices"

	"github.com/routecard/routecard/shop/refusal"
)

// Who knows a secret that another person set is not the only one who does. They replace it before anything else, with
// whichever of their secrets they signed in.

// toReplace is the secret of a user that has to be replaced first, "" for none. A badge proves nothing, and stays.
func toReplace(secrets []Secret) SecretKind {
	for _, kind := range []SecretKind{Password, PIN} {
		if slices.ContainsFunc(secrets, func(secret Secret) bool { return secret.Kind == kind && secret.MustChange }) {
			return kind
		}
	}
	return ""
}

// mustReplace refuses everything but replacing a secret.
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

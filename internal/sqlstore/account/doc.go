// Package account has the statements about users and about all that they sign in with: secrets, identities at a provider, tokens,
// sessions, stations, second factors. They implement internal/access's Reader and Tx, and shop.UserStore.
package account

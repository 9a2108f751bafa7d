// Package account has the statements for users and for their means of signing in: secrets, identities at a provider, tokens, sessions,
// stations, second factors. They implement internal/access's Reader and Tx, and shop.UserStore.
package account

// Package access authenticates callers: it turns a request into a caller.
//
// People sign in with a password, with a badge and a PIN at a station, or through a provider of OpenID Connect, and then have a session;
// programs have tokens. Permissions follow from roles, in one table (roles.go). The interface and the pages ask at one place, Admit, with
// the permission that the operation of a route or a page needs; operations of the business see a shop.Caller and never a role's name.
//
// Secrets are stored only as hashes. Wrong attempts are counted in the database, so that all instances count together. This package caches
// nothing. The store may cache the user of a token or a session (TokenByHash, SessionByHash), and the active logins (ActiveLogins), as long
// as the rows in the database are unchanged, so that every instance respects a revoked permission from the next request on.
//
// Where to find what:
//
//	admit.go     Admit, which lets a request through: it identifies the caller (identify), verifies a token (byToken) or a session
//	             (bySession), with its idle time and its end (ended), and compares the permissions
//	signin.go    signing in with a password, or a badge and a PIN: opens a session
//	session.go   making, listing and ending sessions, and their cookie; admit.go verifies them
//	openid.go    signing in with a provider of OpenID Connect; provider.go is its client
//	setup.go     the code for the first sign-in
//	account.go   logins, roles, passwords, PINs and badges of users
//	tokens.go    making and revoking tokens; token.go has their form
//	station.go   devices that are stations
//	sign.go      proving one's identity again for a signature; signedtx.go demands the signatures of changes of accounts
//	roles.go     the table of roles
//	secondfactor.go
//	             required second factors, and proving one: passkey.go registers and verifies passkeys,
//	             challenge.go stores challenges, onetimecode.go has codes; confirm.go confirms accounts
//	security.go  the security log; authmethod.go the means by which a caller acted
//	secret.go    hashes, and limits of passwords and PINs; pepper.go has the secret next to the database
//	throttle.go  counting wrong attempts
//	refusal.go   refusals with header fields; reason.go has the reasons
//	once.go      changes under an Idempotency-Key
//	store.go     the methods that this package needs of a database
package access

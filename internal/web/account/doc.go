// Package account has the pages about people: the first account (setup), signing in with a password, a second factor, an OpenID Connect
// provider or a badge, the user's own account, the accounts of others, stations, and the policies for access and signatures.
//
// Routes exist only with --auth, UserRoutes in every mode.
package account

// Package account has the pages about people: the first account (setup), signing in with a password, a second factor, a provider of OpenID
// Connect or a badge, one's own page, the accounts of others, stations, and what administrators decide about access and signatures.
//
// Routes are there with --auth, UserRoutes in every mode.
package account

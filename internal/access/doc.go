// Package access knows who is asking: it turns a request into a caller.
//
// People sign in with a password, with a badge and a PIN at a station, or through a provider of OpenID Connect, and then
// have a session; programs have tokens. What somebody may do follows from their roles, in one table (roles.go). The faces
// ask at one place, Admit, with the permission that a route or a page names; operations of the business see a
// shop.Caller and never a role's name.
//
// Secrets are stored only as hashes. Wrong attempts are counted in the database, so that all instances count together.
// This package caches nothing. The store may cache the user of a token or a session (TokenByHash, SessionByHash) for as
// long as the rows in the database are unchanged, so that a permission that is taken away is gone at the next request, on
// every instance.
package access

// Package faulttest holds tests that start several instances of the real program on one PostgreSQL and take things away
// from them: an instance, its connections, the server, the primary. Clients keep a record of what they were answered,
// and at the end the database has to agree with it.
package faulttest

// Package faulttest holds tests that expose the real program to failures that it must survive. Several instances run on
// one PostgreSQL and things are taken away from them: an instance, its connections, the server, the primary. Every
// operation of the OpenAPI document is called with random input, valid and invalid. The calls by which the program writes
// its files fail, one after the other, and it starts on what a power failure may leave of them. Clients keep a record of
// what they were answered, and at the end the database has to agree with it.
package faulttest

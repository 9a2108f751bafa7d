// Package faulttest has tests that expose the real program to failures that it must survive. Several instances run on one PostgreSQL and
// lose one part after the other: an instance, its connections, the server, the primary. Every operation of the OpenAPI document is called
// with random input, valid and invalid. The calls by which the program writes its files fail, one after the other, and the program starts
// on the files that a power failure may leave. Clients record the responses that they get, and at the end the database has to agree with
// them.
package faulttest

// Package faulttest has tests that expose the real program to failures that it must survive. Several instances run on one PostgreSQL and
// lose one part after the other: an instance, its connections, the server, the primary. Every operation of the OpenAPI document is called
// with random input, valid and invalid. The calls with which the program writes its files fail, one after the other, and the program starts
// on files as a power failure may leave them. Clients record their responses, and at the end the database must agree with these.
package faulttest

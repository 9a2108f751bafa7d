// Package input represents the fields of requests as they were sent: absent, null, of a wrong type, or with a value. An operation checks
// its fields with the functions of this package, in the order that the HTTP API documents. The package also has exact decimals and the
// limits of texts, numbers and lists.
package input

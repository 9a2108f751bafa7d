// Package input has the fields of requests as they came: absent, null, of a wrong type, or a value. An operation checks its fields with
// the functions of this package, in the order of the interface. It also has exact decimals and the limits of texts, numbers and lists.
package input

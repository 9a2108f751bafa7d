// Package ident creates and parses the identifiers of records and audit entries, and timestamps.
package ident

// Package ident makes and reads identifiers of records and of entries of the trail, and the times that are stored.
package ident

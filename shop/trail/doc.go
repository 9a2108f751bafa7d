// Package trail has the entries of the audit trail, and the hashes of record contents that entries include.
package trail

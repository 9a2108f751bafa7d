// Package trail has the entries of the audit trail, and the hashes of what records have, which entries tell.
package trail

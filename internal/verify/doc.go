// Package verify compares stored records with the audit trail: units (serials.go), reports, voided records, the signature policy and
// signatures (records.go), and jobs, paths, certificates and holds (contents.go).
//
// It reads through shop.Reader and follows replay.Replay for units. The command routecard verify calls it (cmd/routecard/verify.go)
// together with package ledger, which proves that the trail itself was not changed.
package verify

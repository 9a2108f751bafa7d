// Package sealer seals the audit trail: it follows the commits, extends the Merkle tree over the entries and signs checkpoints, as package
// ledger describes. It never delays production: entries are sealed after their commit, and if sealing fails, production continues.
//
// After a start, and before it signs, it compares the whole trail with the last signed checkpoint, which is stored both in the database and
// in a file next to the key. If nothing was signed yet, it reads the trail while sealing it. It signs ledger.Checkpoint.Text: the log's
// name, its number of entries and its root. If entries are missing or changed, it signs nothing until an administrator accepts the change,
// see Accept.
//
// It also serves the sealed log, verifies it repeatedly, and sends checkpoints to witnesses.
//
//	sealer.go   Sealer and its settings; begin.go reads the ledger of the database or begins one, key.go creates keys
//	seal.go     sealing new entries; leaves.go encodes them
//	compare.go  the comparison after a start; stopped.go the mark of the last stop, accept.go the restart after known loss
//	serve.go    tiles, checkpoints and proofs; status.go the state for pages and /readyz
//	watch.go    continuous verification; verify.go verifies a database, outside.go a running service
//	witness.go  witnesses, and the folder for checkpoints
package sealer

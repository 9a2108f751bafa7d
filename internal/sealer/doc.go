// Package sealer seals the audit trail: it follows the commits, extends the Merkle tree over the entries and signs checkpoints, as package
// ledger describes. It never delays production: entries are sealed after their commit, and when sealing fails production continues.
//
// After a start, and before it signs, it compares the whole trail with the last signed checkpoint, which is stored both in the database and
// in a file next to the key. If nothing was signed yet, it reads the trail as it seals it. It signs ledger.Checkpoint.Text: the log's name,
// its number of entries and its root. When entries are missing or changed it signs nothing until an administrator accepts the change, see
// Accept.
//
// It also serves the sealed log, verifies it repeatedly, and sends checkpoints to witnesses.
package sealer

// Package sealer seals the audit trail: it follows what is committed, extends the Merkle tree over it and signs
// checkpoints, as package ledger says. It is beside the work of the shop and never in its way: entries are sealed after
// their commit, and when sealing fails production goes on.
//
// After a start, and before it signs, it compares the whole trail with the last signed checkpoint, which is stored both in
// the database and in a file beside the key. Where nothing was signed yet, it reads the trail as it seals it.
// What it signs is ledger.Checkpoint.Text: the log's name, its number of entries and its root. When entries are missing or
// changed it signs nothing until somebody accepts what happened, see Accept.
//
// It also serves what was sealed, verifies it again and again, and shows checkpoints to witnesses.
package sealer

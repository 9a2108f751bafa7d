// Package ledger checks, and makes, the transparency log over Routecard's audit trail. It knows no database and no service: an auditor can
// import it alone.
//
// The log is a Merkle tree (RFC 6962) over the entries of the trail. Its formats are those of C2SP (https://c2sp.org): signed-note,
// tlog-checkpoint, tlog-tiles, tlog-proof, tlog-cosignature, tlog-policy. Hashing and proofs are those of golang.org/x/mod/sumdb/tlog,
// signatures those of golang.org/x/mod/sumdb/note.
//
// # The leaf
//
// Leaf n, counted from 0, is the audit entry with sequence number n+1, the one whose identifier is aud_ and n+1 in sixteen digits. It is
// made of the entry's JSON as GET /api/audit returns it: metadata, if there is any, is replaced by metadataSha256, the SHA-256 in
// lower-case hex of its canonical form, and the result is put into canonical form. The canonical form is that of RFC 8785. Function [Leaf]
// does both.
//
// # Checking one entry
//
// GET /api/ledger/proof/{auditId} returns a file that proves one entry. With the log's verifier key, which the auditor has from the shop by
// another way, it needs neither the service nor a network:
//
//	proof, err := ledger.ParseProof(file)
//	verifiers, err := ledger.Verifiers(verifierKey)
//	checkpoint, err := proof.Verify(verifiers)
//	// proof.Leaf is now known to be leaf proof.Index of the tree that checkpoint signs.
//
// # Checking the whole trail
//
// [Verify] reads the leaves in order, makes the tree of them and compares it with checkpoints: the newest one of the log, and any that were
// kept elsewhere. A kept checkpoint exposes later changes: either the trail still begins with the entries of that time, or Verify reports
// that it does not.
//
// # What is proved
//
// A tree whose root fits a checkpoint has exactly the entries that existed when the checkpoint was signed. An attacker who has the database
// but not the private key cannot change a sealed entry unnoticed. If the end is cut off, with everything that was signed since, those who
// kept a checkpoint notice. An attacker with the database and the key can sign another history, which only a checkpoint kept elsewhere, or
// a witness's cosignature, reveals. A log cannot show whether an entry was true when it was written.
package ledger

// Package ledger creates and verifies the transparency log over Routecard's audit trail. It does not depend on a database or the service,
// so that an auditor can import it alone.
//
// The log is a Merkle tree (RFC 6962) over the entries of the trail. Its formats are those of C2SP (https://c2sp.org): signed-note,
// tlog-checkpoint, tlog-tiles, tlog-proof, tlog-cosignature, tlog-policy. Hashing and proofs are those of golang.org/x/mod/sumdb/tlog,
// signatures those of golang.org/x/mod/sumdb/note.
//
// # The leaf
//
// Leaf n, counted from 0, is the audit entry with sequence number n+1, the one whose identifier is aud_ and n+1 in sixteen digits. The leaf
// is made from the entry's JSON as GET /api/audit returns it: the member metadata, if present, is replaced by metadataSha256, the SHA-256
// in lower-case hex of its canonical form, and the result is converted to canonical form. The canonical form is that of RFC 8785. Function
// [Leaf] does both.
//
// # Checking one entry
//
// GET /api/ledger/proof/{auditId} returns a file that proves one entry. With the log's verifier key, which the auditor got from the shop in
// another way, checking the proof needs neither the service nor a network:
//
//	proof, err := ledger.ParseProof(file)
//	verifiers, err := ledger.Verifiers(verifierKey)
//	checkpoint, err := proof.Verify(verifiers)
//	// proof.Leaf is now known to be leaf proof.Index of the tree that checkpoint signs.
//
// # Checking the whole trail
//
// [Verify] reads the leaves in order, builds their tree and compares it with checkpoints: the newest checkpoint of the log, and any that
// were stored elsewhere. A stored checkpoint exposes later changes: either the trail still begins with the entries of that time, or Verify
// reports that it does not.
//
// # What is proved
//
// A tree whose root fits a checkpoint has exactly the entries that existed when the checkpoint was signed. An attacker who has the database
// but not the private key cannot change a sealed entry unnoticed. If the end of the trail is removed, with everything that was signed
// since, only a checkpoint that was stored elsewhere shows it. An attacker with the database and the key can sign another history, which
// only a checkpoint stored elsewhere, or a witness's cosignature, reveals. A log cannot show whether an entry was true when it was written.
package ledger

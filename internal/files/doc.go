// Package files keeps the bytes of files: drawings, photos, papers. What is known of a file, and what it is attached to, is in
// the database; see shop.File.
//
// Bytes have a Place, a folder or a bucket of S3, where they lie under the SHA-256 of what they are. They are never changed
// there. A Keeper (keeper.go) receives them, hands them out, and removes those that are attached to no record; folder.go and s3.go
// write them.
//
// # From upload to answer
//
// The bytes are written aside, and synced. Then the database notes that they are arriving, then they are put in their place,
// then the database notes that they are kept, and only then is the caller told. Removing goes the other way: the database
// notes that a file is leaving, and nobody can attach it from then on; then its bytes are removed; then the database forgets
// it. Wherever power fails, what the database calls kept has its bytes, and bytes that it does not know are served to nobody.
// The next upload of the same bytes, or the next round of removing, goes on from there.
//
// Several instances may share a place and a database, and receive the same bytes at once.
package files

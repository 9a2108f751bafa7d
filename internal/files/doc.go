// Package files stores the bytes of files: drawings, photos, papers. The database has their descriptions and attachments; see shop.File.
//
// Bytes have a Place, a folder or a bucket of S3, where they are stored under their SHA-256. They are never changed there. A Keeper
// (keeper.go) receives them, serves them, and removes those that are attached to no record; folder.go and s3.go write them.
// place.go declares Place, describe.go detects types, syncing.go syncs while more is written, check.go compares bytes with their digests.
//
// # From upload to response
//
// The bytes are written to a temporary file and synced. Then the database records that they are arriving, then they are put in their place,
// then the database records that they are stored, and only then the service responds. Removing goes the other way: the database records
// that a file is leaving, which prevents new attachments; then its bytes are removed; then the database forgets it. Wherever power fails, a
// file that the database calls stored has its bytes, and unknown bytes are never served. The next upload of the same bytes, or the next
// round of removing, continues from there.
//
// Several instances may share a place and a database, and receive the same bytes at once.
package files

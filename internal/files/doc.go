// Package files stores the bytes of files: drawings, photos, documents. The database has their descriptions and attachments; see shop.File.
//
// The bytes of a file are stored in a Place, a folder or an S3 bucket, under their SHA-256, and are never changed there. A Keeper
// (keeper.go) receives them (upload.go), serves them, and removes files that are not attached to a record; folder.go and s3.go write them.
// place.go declares Place, describe.go detects types, syncing.go syncs a file while it is written, check.go compares bytes with their
// digests.
//
// # From upload to response
//
// The bytes are written to a temporary file and synced. Then the database records that the file is arriving, then the bytes are moved to
// their place, then the database records that the file is stored, and only then the service responds. Removing works in reverse: the
// database records that a file is leaving, which prevents new attachments; then its bytes are removed; then its record is deleted. After a
// power failure at any moment, a file that is stored according to the database has its bytes, and bytes without a record are never served.
// The next upload of the same bytes, or the next round of removing, continues from there.
//
// Several instances may share a place and a database, and may receive the same bytes at the same time.
package files

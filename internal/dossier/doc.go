// Package dossier writes and verifies dossiers: everything about the units of a unit, job, certificate of conformance or first article in
// one file that a customer can check without the service.
//
// A dossier is a BagIt bag (RFC 8493) in an uncompressed ZIP archive. It has the entries of the trail about these units, all that is inside
// them and the records that belong to them, with proofs that they are in the ledger. The ledger's key signs the bag, because the proofs
// alone would not show that an entry was left out. The same content gives the same bytes.
//
//	content.go  what a dossier has, and entries whose metadata identify other units
//	derive.go   the files that follow from the entries: as-built.json, measurements.csv, signatures.json, files.json
//	missing.go  the documents that a dossier lacks
//	bag.go      the bag: names, manifests, the signed note
//	read.go     reading the content from a database; records.go makes the files with records, and card.go makes card.html
//	request.go  what a request can choose, and the language of the pages
//	page.go     verify.html, with verify.js
//	write.go    writing a dossier
//	verify.go   verifying a dossier with a verifier key, without a database and without a network; verify.js does the same in a browser
package dossier

// Package firstarticle fills the forms of a first article inspection (AS9102 Rev C) from records. It is pure: the same records and typed
// texts give the same content.
//
//	records.go  what the forms are filled from
//	content.go  the fields of the forms, those that are missing, and typed texts
//	fill.go     which record fills which field
package firstarticle

// Package refusal says no to a caller: the kind of a refusal, its reason with the sentence of the interface, and what it is about.
// Each noun declares its own reasons with NewReason; reason.go has those that no noun has alone. A refusal is a value that never
// changes, and is safe for concurrent use.
package refusal

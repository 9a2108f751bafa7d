// Package refusal represents refusals of requests: their kind, their reason with the message of the interface, and the field or serial
// concerned. Each noun declares its own reasons with NewReason; reason.go has the reasons that several nouns share. A refusal is immutable
// and safe for concurrent use.
package refusal

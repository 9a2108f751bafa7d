// Package scanpages has the scan station: what a device shows that people scan with, and the sheet of command codes. A scan is a POST
// /scan, with and without JavaScript. scan.go asks internal/station what follows, and carries it out: look.go looks a unit up, act.go calls
// the operation of a command, measure.go takes a reading, undo.go takes the last change back. words.go has the sentences, names.go what is
// scanned that names several units, and recent.go the scans that the device remembers.
package scanpages

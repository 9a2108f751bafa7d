// Package scanpages has the scan station, which is the page that a device shows while its operator scans, and the sheet of command codes. A
// scan is a POST /scan, with and without JavaScript. scan.go asks internal/station for the next state and carries out its effects: look.go
// looks up a unit, act.go calls the operation of a command, measure.go records a reading, undo.go undoes the last change. words.go has the
// sentences, names.go handles codes that match no unit, and recent.go stores the recent scans in a cookie of the device.
package scanpages

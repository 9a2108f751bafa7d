// Package notice has the kinds of notices, the settings that say who gets each of them and when, and the messages on their way. Its
// functions are pure. Package internal/notify finds causes and delivers messages.
//
//	notice.go     kinds, causes and messages
//	settings.go   the settings, their body in a request, and quiet hours
package notice

// Package notify reports failures and due work by mail and by web hooks. It finds causes at intervals, stores a message for
// each address before it sends the message, and repeats a message until its server accepts it: each is delivered at least once, also if the
// process ends between sending it and storing that it was sent. Package shop/notice has the kinds of notices and their settings.
//
//	notify.go    the loop: finding causes, storing messages, sending those that are due
//	find.go      the causes of each kind
//	outbox.go    messages in the database, and in memory while the database cannot be written
//	send.go      sending one message
//	mail.go      SMTP
//	trial.go     sending a test at once
//	status.go    the state for metrics, /readyz and the page
package notify

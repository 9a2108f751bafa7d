// Package web is the pages for the shop floor: a second face beside internal/httpapi on the same routecard.Service.
//
// Each page has a file with its handlers and a template of the same name. Pages are whole documents that the server
// renders; actions are ordinary forms that post to the page they stand on and lead back to it, so that everything works
// without JavaScript. With it htmx makes the change of pages smooth, app.js puts fresh parts into an open page when the
// stream of events (GET /api/events) tells of a change, and station.js answers scans one by one.
//
// A form says what the person saw: {{once}} is the key of its rendering, so that sending it twice is one change, and the
// part "seen" adds the step that a unit was shown at, so that acting on one that moved meanwhile is refused.
//
// No rule of the trade is here: what may be done with a unit is asked of routecard.Actions, what a scanned code means of
// routecard.InHand. Messages of the interface are put into the words of the shop by sentences.go, each beside the field
// that it is about.
//
// Everything that a page loads is embedded, has its fingerprint in its name and is kept by browsers for a year. The
// content security policy allows nothing else: no inline script or style, nothing from elsewhere.
package web

// Package web is the pages for the shop floor: a second face beside internal/httpapi on the same shop.Service.
//
// Each page has a file with its handlers and a template of the same name. Pages are whole documents that the server
// renders; actions are ordinary forms that post to the page they stand on and lead back to it, so that everything works
// without JavaScript. With it htmx makes the change of pages smooth, app.js puts fresh parts into an open page when the
// stream of events (GET /api/events) tells of a change, and station.js answers scans one by one.
//
// {{once}} adds to a form a key made for each rendering, so sending it twice makes one change. The part "seen" adds the
// step that was shown, so acting on a unit that has moved is refused. What else a form changes or deletes is compared with what
// was read of it (stale.go).
//
// No rule of the trade is here: shop.Actions decides what may be done with a unit; station.InHand.Scan decides
// what a code means. Reasons of refusals are put into the words of the shop by sentences.go, each beside the field
// that it is about; reason.go is the table of those that are the pages' own.
//
// Everything that a page loads is embedded, has its fingerprint in its name and is kept by browsers for a year. The
// content security policy allows nothing else: no inline script or style, nothing from elsewhere.
package web

// Package web is the pages for the shop floor: a second face beside internal/httpapi on the same shop.Service.
//
// routes.go lists the pages and what is posted to them, with the functions that answer; access.go lists those that are
// there with --auth, and nouns.go the nouns whose own files list theirs. A page's function names its template in folder
// templates when it calls visit.show. Pages are whole documents that the server renders; actions are ordinary forms, most
// of which post to the page they stand on and lead back to it, so that everything works without JavaScript. With it htmx
// makes the change of pages smooth, app.js puts fresh parts into an open page when the stream of events (GET /api/events)
// tells of a change, and station.js sends scans one by one.
//
// {{once $}} adds to a form a key made for each rendering, so sending it twice makes one change, and who goes
// back and presses again is told so (answered.go). A page that lost the answer to a form asks what became of it
// (static/acts.js, settle.go). The part "seen" adds the
// step that was shown, so acting on a unit that has moved is refused. What else a form changes or deletes is compared with what
// was read of it (stale.go).
//
// A route names the operation that a visitor asks for, and where a page has several forms, byForm in routes.go names one
// for each value of the field do. The noun of the operation declares in shop which permission it needs. posted.go
// (enterWith) has door.go (admit) check it (route.needs) before the route answers; a scan needs only what advancing needs
// there, and scanact.go checks its command's own. offered.go (May) lets a template leave out what the visitor may not do.
// forms.go only reads fields.
//
// At a station static/station.js makes each scan a POST /scan (request) and sends it (answer). scan.go (scan, follow) asks
// station.Next what follows, and carries it out: scanlook.go, scanundo.go, and scanact.go (do), which calls the operation.
// static/camera.js reads codes with the camera, and station.js sends them as those of a scanner.
//
// No rule of the trade is here: shop.Actions decides what may be done with a unit; station.Next decides
// what a scan does. Reasons of refusals are put into the words of the shop by sentences.go, each beside the field
// that it is about; reason.go is the table of those that are the pages' own.
//
// Everything that a page loads is embedded, has its fingerprint in its name and is kept by browsers for a year. The
// content security policy allows nothing else: no inline script or style, nothing from elsewhere. The worker that reads codes has one of
// its own (assets.go).
package web

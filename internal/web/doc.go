// Package web is the pages for the shop floor: a second face beside internal/httpapi on the same shop.Service. It puts together what its
// packages have, and embeds their templates and files:
//
//	wording     sentences, names of fields and records: the catalogue of texts, by noun
//	site        what all pages share: requests, the frame, forms, lists, the door, signatures, rendering
//	account     signing in, second factors, accounts, stations, policies
//	unitcard    the card of a unit
//	scanpages   the scan station
//	office      all other pages
//
// account, unitcard and office do not import each other; scanpages shows a part of the card. Each declares its routes, with the operation
// that a visitor asks for and the function that answers. A page's function names its template in folder templates when it calls Visit.Show.
// Pages are whole documents that the server renders; actions are ordinary forms, most of which post to the page they stand on and lead back
// to it, so that everything works without JavaScript. With it htmx makes the change of pages smooth, app.js puts fresh parts into an open
// page when the stream of events (GET /api/events) tells of a change, and station.js sends scans one by one.
//
// {{once $}} adds to a form a key made for each rendering, so sending it twice makes one change, and who goes back and presses again gets
// to read that (site/answered.go). A page that lost the answer to a form asks what became of it (static/acts.js, site/settle.go). The part
// "seen" adds the step that was shown, so acting on a unit that has moved is refused. What else a form changes or deletes is compared with
// what was read of it (site/stale.go).
//
// Where a page has several forms, site.ByForm names one operation for each value of the field do. The noun of the operation declares in
// shop which permission it needs (Route.Needs, in site/routing.go). site/posted.go (enterWith) has site/door.go (admit) check it before
// the route answers; a scan needs only what advancing needs there, and scanpages/act.go checks its command's own. site/offered.go (May)
// lets a template leave out what the visitor may not do. site/forms.go only reads fields.
//
// At a station static/station.js makes each scan a POST /scan (request) and sends it (answer). scanpages/scan.go (scan, follow) asks
// station.Next what follows, and carries it out. static/camera.js reads codes with the camera, and station.js sends them as those of a
// scanner.
//
// No rule of the trade is here: shop.Actions decides what may be done with a unit; station.Next decides what a scan does. Reasons of
// refusals are put into the words of the shop by wording/sentences.go, each beside the field that it is about; wording/reason.go is the
// table of those that are the pages' own.
//
// Everything that a page loads is embedded, has its fingerprint in its name and is kept by browsers for a year. The content security policy
// allows nothing else: no inline script or style, nothing from elsewhere. The worker that reads codes has one of its own (site/assets.go).
package web

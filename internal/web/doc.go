// Package web has the pages for the shop floor. Like internal/httpapi it calls shop.Service. This package combines its subpackages and
// embeds their templates and files:
//
//	lang        the catalogue: texts in the languages of the pages
//	wording     sentences, names of fields and records, by noun
//	site        what all pages share: requests, the frame, forms, lists, the door, signatures, rendering
//	account     signing in, second factors, accounts, stations, policies
//	unitcard    the card of a unit
//	scanpages   the scan station
//	office      all other pages
//
// account, unitcard and office do not import each other; scanpages shows a part of the card. Each package declares its routes. A route has
// the operation that a visitor asks for and the function that responds. A page's function passes the name of its template in folder
// templates to Visit.Show. Pages are whole documents that the server renders. Actions are ordinary forms. Most forms post to their own page
// and redirect back to it, so everything works without JavaScript. With JavaScript, htmx replaces the page without a full load, app.js
// updates parts of an open page when the event stream (GET /api/events) reports a change, and station.js sends scans one by one.
//
// {{once $}} adds to a form a key that is new for each rendering, so sending the form twice makes one change. If a user goes back and
// presses the button again, a message says that it was done before (site/results.go). A page that lost the response to a form asks for its
// result (static/acts.js, site/outcome.go). The part "seen" adds the step that was shown, so an operation on a unit that has moved since is
// refused. For other records that a form changes or deletes, the state that was read is compared with the current state (site/stale.go).
//
// Where a page has several forms, site.ByForm maps each value of the field do to an operation. In package shop, the noun of the operation
// declares the required permission (Route.Needs, in site/routing.go). Before the route runs, site/posted.go (enterWith) calls site/door.go
// (admit) to check the permission. A scan needs only the permission to advance at that point; scanpages/act.go checks the permission for
// its command. Templates call May (site/permissions.go) to omit what the visitor may not do. site/forms.go only reads fields.
//
// At a station static/station.js turns each scan into a POST /scan (request) and sends it (answer). scanpages/scan.go (scan, follow) asks
// station.Next for the effects and carries them out. static/camera.js reads codes with the camera, and station.js sends them like those of
// a scanner.
//
// The rules of the shop floor are elsewhere: shop.Actions decides which operations a unit allows, and station.Next decides the effect of a
// scan. wording/sentences.go expresses reasons of refusals in the words of the shop, each next to its field. wording/reason.go lists the
// reasons that only the pages have.
//
// All files that a page loads are embedded, have their fingerprint in the name, and are cached by browsers for a year. The content security
// policy allows nothing else: no inline script or style, nothing from other hosts. The worker that reads codes has its own policy
// (site/assets.go).
package web

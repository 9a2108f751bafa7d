// Package site has what all pages share: a request on its way through a page (Visit), the frame around every page, forms, lists, sign-in,
// confirmation and signatures, and the rendering of templates. The packages of pages (account, office, scanpages, unitcard) declare
// routes with Get and Post; internal/web combines them.
//
//	site.go, routing.go           the handler of all pages; what a route is, and which permission its form needs (Route.Needs)
//	visit.go, posted.go           a request, from reading the posted form to the failure page
//	door.go, reauthenticate.go    admission, badges, confirming one's identity with a secret
//	people.go                     operators, and the operator of the device
//	signing.go, signedrows.go     forms that have to be signed
//	once.go, outcome.go           a form that arrives twice, and one whose response was lost
//	results.go, stale.go          results of forms, and records that changed since a page was shown
//	render.go, assets.go          templates, the frame, and files that pages load
//	language.go                   the language of a request
//	list.go, download.go          lists, and their exports
//	pick.go, unitfields.go        fields for a record or for units
//	history.go, entrydetails.go   audit entries in words
package site

// Package site has what all pages share: a request on its way through a page (Visit), the frame around every page, forms, lists, the
// door, confirmation and signatures, and how templates are rendered. The packages of pages (account, office, scanpages, unitcard) declare
// routes with Get and Post; internal/web puts them together.
//
//	site.go, routing.go       the handler of all pages; what a route is, and which permission its form needs (Route.Needs)
//	visit.go, posted.go       a request, from reading what was posted to telling a failure
//	door.go, whoitis.go       who asks: admission, badges, confirming with a secret
//	people.go                 who works on the device
//	signing.go, signedrows.go forms that have to be signed
//	once.go, settle.go        a form that arrives twice, and one whose answer was lost
//	answered.go, stale.go     what was done before, and what changed since a page was shown
//	render.go, assets.go      templates, the frame, and files that pages load
//	list.go, download.go      lists, and the same as a file
//	pick.go, unittyped.go     what people type for a record or for units
//	past.go, told.go          entries of the trail as pages tell them
package site

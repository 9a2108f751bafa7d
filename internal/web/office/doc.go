// Package office has the pages that are neither the station, the card of a unit nor about accounts: jobs and their boards, routes,
// templates, units in lists, nonconformances, certificates, bills of material, instruments, imports, the queue, the trail and the floor.
//
// A noun with a file of its own declares its routes, its entry in the menu and what the search finds there (nouns.go); routes.go lists the
// other pages.
package office

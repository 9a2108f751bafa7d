// Package office has the pages for the office: jobs and their boards, routes, templates, lists of units, nonconformances, certificates,
// bills of materials, instruments, imports, the queue, the audit trail and the floor. The station, unit cards and accounts have packages
// of their own.
//
// A noun with its own file declares its routes, its menu entries and its records for the search there (nouns.go). routes.go lists the other
// pages.
package office

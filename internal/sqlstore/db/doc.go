// Package db runs the statements of the store. A Querier runs SQL inside one transaction of either engine; One, All, Page, Run and
// Pipelined read and write through it, Conditions builds a WHERE clause, and Pages reads a long list page by page.
//
// A Core is the part of a transaction that the statements of all nouns use. Metered measures the work of an Update, and Memory counts what
// a View reads.
package db

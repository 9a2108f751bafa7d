// Package db runs the statements of the store. A Querier runs SQL inside one transaction of either engine; One, All, Page, Run and
// Pipelined read and write through it, Conditions puts a WHERE clause together, and Pages reads a long list page by page.
//
// A Core is what the statements of all nouns need of the transaction that they belong to. Metered weighs what an Update does, and
// Memory counts what a View reads.
package db

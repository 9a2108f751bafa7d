// Package genealogy computes what a unit contains, where units and lots went, and what a recall affects. Its functions are pure: they
// take the rows that a store found along the installations, and check queries.
//
// An installation counts from its own time until just before the time of its removal. A voided installation never counts. So a unit can be
// inside another unit in spring and contain that unit in autumn. Clocks can disagree a little about both times, so no function relies on
// the absence of circles.
package genealogy

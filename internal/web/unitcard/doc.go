// Package unitcard has the card of a unit: all its data on one page, with the forms for its next step, readings, notes, certificates and
// corrections, and the card on paper. The scan station shows a part of it (internal/web/scanpages).
package unitcard

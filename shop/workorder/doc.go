// Package workorder describes the order of a job, as values without a store: part, customer, order number, due date and priority.
//
//	order.go    the fields of an order, how a request changes them (OrderInput), and their representation in the audit trail (OrderFacts)
//	gtin.go     the GTIN of a part: its check digit, and the ways to write it
//	late.go     when a due date has passed, and by how many days
//	urgency.go  the order in which pages list waiting work
package workorder

// Package workorder has what a job is for, as values without a store: part, customer, order number, due date and priority.
//
//	order.go    the fields of an order, how a request changes them (OrderInput), and what the trail records of them (OrderFacts)
//	gtin.go     the GTIN of a part: its check digit, and the ways to write it
//	late.go     from which day a due date is late, and by how many days
//	urgency.go  the order in which pages list work that waits
package workorder

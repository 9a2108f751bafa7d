package site

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/workorder"
	"github.com/routecard/routecard/views"
)

// orderField is a field of an order in the forms for jobs.
type orderField struct{ name, label, value string }

// orderFieldsOf returns the fields of an order in the sequence of the forms for jobs.
func orderFieldsOf(order workorder.OrderFields) []orderField {
	return []orderField{
		{"partNumber", "Part number", order.PartNumber},
		{"partRevision", "Revision", order.PartRevision},
		{"gtin", "GTIN", order.GTIN},
		{"customer", "Customer", order.Customer},
		{"orderNumber", "Order", order.OrderNumber},
		{"description", "Description", order.Description},
		{"dueDate", "Due", order.DueDate},
		{"priority", "Priority", strconv.FormatInt(order.Priority.Number(), 10)},
	}
}

// ComparedOrder compares the typed fields of an order with the stored ones, and returns the values for a fresh form.
func ComparedOrder(typed url.Values, now workorder.OrderFields) (values []Compared, fresh url.Values) {
	fresh = url.Values{}
	for _, field := range orderFieldsOf(now) {
		values = append(values, Compared{field.label, typed.Get(field.name), field.value})
		fresh.Set(field.name, field.value)
	}
	return values, fresh
}

// Priorities are the options of the field for a priority.
func (*Frame) Priorities() []string { return []string{"1", "2", "3", "4", "5"} }

// OrderText describes an order: the shop's own job number, part and revision, order, customer, and the priority unless it is the default.
func (f *Frame) OrderText(order views.WorkOrder) string {
	number, first := "", ""
	if order.OrderNumber != "" {
		number = "order " + order.OrderNumber
	}
	if order.Priority != 0 {
		first = "priority " + strconv.FormatInt(order.Priority.Number(), 10)
	} else if order.TicketPriority != "" {
		first = "priority " + order.TicketPriority
	}
	return wording.Listed(order.ExternalID, f.PartText(order), number, order.Customer, first)
}

// PartText returns the part of an order with its revision.
func (*Frame) PartText(order views.WorkOrder) string { return PartText(order) }

// PartText returns the part of an order with its revision.
func PartText(order views.WorkOrder) string {
	if order.PartRevision == "" {
		return order.Part
	}
	return strings.TrimSpace(order.Part + " rev. " + order.PartRevision)
}

// Day writes a due date, with the year if it is not the current one.
func (f *Frame) Day(date string) string {
	day, err := time.Parse(time.DateOnly, date)
	switch {
	case err != nil:
		return date
	case day.Year() != f.Now.In(f.Zone).Year():
		return day.Format("2 Jan 2006")
	}
	return day.Format("2 Jan")
}

// LateBy says by how much an order is late, "" if it is not.
func (*Frame) LateBy(order views.WorkOrder) string {
	if order.DaysLate == 0 {
		return ""
	}
	return wording.Plural(order.DaysLate, "day", "days") + " late"
}

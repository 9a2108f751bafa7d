package site

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/workorder"
	"github.com/routecard/routecard/views"
)

// orderField is a field of an order in the forms for jobs.
type orderField struct {
	name  string
	label lang.Text
	value string
}

// orderFieldsOf returns the fields of an order in the sequence of the forms for jobs.
func orderFieldsOf(order workorder.OrderFields) []orderField {
	return []orderField{
		{"partNumber", "Part number", order.PartNumber},
		{"partRevision", "Revision", order.PartRevision},
		{"gtin", "GTIN", order.GTIN},
		{"customer", "Customer", order.Customer},
		{"orderNumber", "of a customer|Order", order.OrderNumber},
		{"description", "Description", order.Description},
		{"dueDate", "of a job|Due", order.DueDate},
		{"priority", "Priority", strconv.FormatInt(order.Priority.Number(), 10)},
		{"drawingNumber", "Drawing", order.DrawingNumber},
		{"drawingRevision", "Revision of the drawing", order.DrawingRevision},
		{"orderLine", "Line of the order", order.OrderLine},
		{"customerAddress", "Address of the customer", order.CustomerAddress},
		{"language", "Language of papers", order.Language},
	}
}

// ComparedOrder compares the typed fields of an order with the stored ones. It also returns the values for a new form.
func ComparedOrder(typed url.Values, now workorder.OrderFields) (values []Compared, fresh url.Values) {
	fresh = url.Values{}
	for _, field := range orderFieldsOf(now) {
		values = append(values, Compared{Field: field.label, Typed: typed.Get(field.name), Now: field.value})
		fresh.Set(field.name, field.value)
	}
	return values, fresh
}

// Priorities are the options of the field for a priority.
func (*Frame) Priorities() []string { return []string{"1", "2", "3", "4", "5"} }

// OrderText describes an order: the shop's own job number, part and revision, order, customer, and the priority if it is not the default.
func (f *Frame) OrderText(order views.WorkOrder) string {
	number, first := "", ""
	if order.OrderNumber != "" {
		number = f.T("order {number}", "number", order.OrderNumber)
	}
	if order.Priority != 0 {
		first = f.T("priority {priority}", "priority", order.Priority.Number())
	} else if order.TicketPriority != "" {
		first = f.T("priority {priority}", "priority", order.TicketPriority)
	}
	return wording.Listed(order.ExternalID, f.PartText(order), number, order.Customer, first)
}

// PartText returns the part of an order with its revision.
func (f *Frame) PartText(order views.WorkOrder) string { return PartText(f.Language, order) }

// PartText returns the part of an order with its revision.
func PartText(l *lang.Language, order views.WorkOrder) string {
	if order.PartRevision == "" {
		return order.Part
	}
	return strings.TrimSpace(l.T("{part} rev. {revision}", "part", order.Part, "revision", order.PartRevision))
}

// Day formats a due date, with the year if it is not the current year.
func (f *Frame) Day(date string) string {
	day, err := time.Parse(time.DateOnly, date)
	switch {
	case err != nil:
		return date
	case day.Year() != f.Now.In(f.Zone).Year():
		return f.Time(day, lang.YearDay)
	}
	return f.Time(day, lang.Day)
}

// LateBy says by how much an order is late, or returns "" if it is not late.
func (f *Frame) LateBy(order views.WorkOrder) string {
	if order.DaysLate == 0 {
		return ""
	}
	return f.TN(order.DaysLate, "{n} day late", "{n} days late")
}

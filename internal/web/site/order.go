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

// orderFieldsOf are the fields of an order as the forms for jobs have them, in their order.
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

// ComparedOrder is what was typed about an order beside what is there now, and the values of the form as it is now.
func ComparedOrder(typed url.Values, now workorder.OrderFields) (values []Compared, fresh url.Values) {
	fresh = url.Values{}
	for _, field := range orderFieldsOf(now) {
		values = append(values, Compared{field.label, typed.Get(field.name), field.value})
		fresh.Set(field.name, field.value)
	}
	return values, fresh
}

// Priorities are the numbers to choose a priority from.
func (*Frame) Priorities() []string { return []string{"1", "2", "3", "4", "5"} }

// OrderText is what work is for: the shop's own number of a job, part and revision, order, customer, and a priority that is not the
// usual one.
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

// PartText is the part that work makes, with its revision.
func (*Frame) PartText(order views.WorkOrder) string { return PartText(order) }

// PartText is the part of an order with its revision.
func PartText(order views.WorkOrder) string {
	if order.PartRevision == "" {
		return order.Part
	}
	return strings.TrimSpace(order.Part + " rev. " + order.PartRevision)
}

// Day writes a due date, with its year when that is another one than now.
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

// LateBy says by how much work is late, "" when it is not.
func (*Frame) LateBy(order views.WorkOrder) string {
	if order.DaysLate == 0 {
		return ""
	}
	return wording.Plural(order.DaysLate, "day", "days") + " late"
}

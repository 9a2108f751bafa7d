package views

import (
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/workorder"
)

// WorkOrder is the order that work is done for, with its due date.
type WorkOrder struct {
	PartNumber     string             `json:"partNumber,omitempty"`
	PartRevision   string             `json:"partRevision,omitempty"`
	Customer       string             `json:"customer,omitempty"`
	OrderNumber    string             `json:"orderNumber,omitempty"`
	DueDate        string             `json:"dueDate,omitempty"` // due date of the path, or otherwise of the job
	Priority       workorder.Priority `json:"priority,omitempty"`
	Late           bool               `json:"late,omitempty"` // whether fewer units than the goal were completed by the due date
	DaysLate       int                `json:"-"`              // see shop.DaysLate
	Part           string             `json:"-"`              // shown to people: PartNumber, or that of the tracker if there is none
	GTIN           string             `json:"-"`              // the job's own GTIN; "" even if the part number may be a GTIN
	TicketPriority string             `json:"-"`              // priority of the ticket in the tracker
	ExternalID     string             `json:"-"`              // the external id of the job, if the work is shown as a job
}

// Order returns the order of the job.
func (o *JobOverview) Order() WorkOrder { return orderOfJob(&o.Job, o.DaysLate) }

// OrderOf returns the order of a job.
func OrderOf(job *shop.JobDetail) WorkOrder { return orderOfJob(&job.Job, job.DaysLate) }

func orderOfJob(job *shop.Job, daysLate int) WorkOrder {
	order := orderOfRoute(&shop.Route{Order: job.OrderFields, Ticket: job.TicketFields}, "", 0)
	order.Late, order.DaysLate, order.ExternalID = daysLate > 0, daysLate, job.ExternalID
	return order
}

// orderOfRoute returns the order of the work on a path with a number of completed serials.
func orderOfRoute(r *shop.Route, today string, completed int64) WorkOrder {
	order := WorkOrder{
		PartNumber: r.Order.PartNumber, PartRevision: r.Order.PartRevision, Customer: r.Order.Customer,
		OrderNumber: r.Order.OrderNumber, DueDate: r.DueDate(), Priority: r.Order.Priority,
		Part: r.Part(), GTIN: r.Order.GTIN, TicketPriority: r.Ticket.TicketPriority,
	}
	if !r.Closed {
		order.DaysLate = workorder.DaysLate(order.DueDate, today, r.Path.GoalQuantity, completed)
	}
	order.Late = order.DaysLate > 0
	return order
}

// orderOfPath returns the order of the work on a path of a job. It counts completed serials only if there is a due date.
func (v *Views) orderOfPath(tx Reader, path card.Path, job *shop.Job) (WorkOrder, error) {
	route := shop.Route{Path: path, JobName: job.Name, Order: job.OrderFields, Ticket: job.TicketFields, Closed: job.Closed()}
	if route.DueDate() == "" {
		return orderOfRoute(&route, "", 0), nil
	}
	standing, err := v.shop.Standing(tx)
	if err != nil {
		return WorkOrder{}, err
	}
	return orderOfRoute(&route, v.shop.Today(), standing.Completed(path.ID)), nil
}

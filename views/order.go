package views

import (
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/workorder"
)

// WorkOrder is what work is for, and by when it must be finished.
type WorkOrder struct {
	PartNumber     string             `json:"partNumber,omitempty"`
	PartRevision   string             `json:"partRevision,omitempty"`
	Customer       string             `json:"customer,omitempty"`
	OrderNumber    string             `json:"orderNumber,omitempty"`
	DueDate        string             `json:"dueDate,omitempty"` // of the path, or else of the job
	Priority       workorder.Priority `json:"priority,omitempty"`
	Late           bool               `json:"late,omitempty"` // whether fewer units than the goal were completed by then
	DaysLate       int                `json:"-"`              // see shop.DaysLate
	Part           string             `json:"-"`              // what people see: PartNumber, or the tracker's where there is none
	GTIN           string             `json:"-"`              // of the job; "" where only its part number may be one
	TicketPriority string             `json:"-"`              // of the tracker
	ExternalID     string             `json:"-"`              // of the job, where work is shown as a job
}

// Order is what the job is for.
func (o *JobOverview) Order() WorkOrder { return orderOfJob(&o.Job, o.DaysLate) }

// OrderOf is what a job is for.
func OrderOf(job *shop.JobDetail) WorkOrder { return orderOfJob(&job.Job, job.DaysLate) }

func orderOfJob(job *shop.Job, daysLate int) WorkOrder {
	order := orderOfRoute(&shop.Route{Order: job.OrderFields, Ticket: job.TicketFields}, "", 0)
	order.Late, order.DaysLate, order.ExternalID = daysLate > 0, daysLate, job.ExternalID
	return order
}

// orderOfRoute is what the work on a path is for, of whose serials so many are completed.
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

// orderOfPath is what the work on a path of a job is for. It counts only when something is due.
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

package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"sync"

	"github.com/routecard/routecard/client"
)

// An order is the ERP's record of an order.
type order struct {
	number   string
	part     string
	quantity int64
	route    []string
}

// ordersOfTheERP replaces a query of the ERP.
func ordersOfTheERP(count int, quantity int64) []order {
	orders := make([]order, count)
	for i := range orders {
		orders[i] = order{fmt.Sprintf("PO-%06d", i+1), fmt.Sprintf("GH-%03d", i%40+200), quantity, []string{"Saw", "Mill", "Inspect"}}
	}
	return orders
}

// atOnce is the number of orders that are imported at the same time.
const atOnce = 8

// importOrders creates a job with path and units for each order. It may run again with the same orders, also after a kill: the keys of the
// changes are derived from the number of the order, so each change is made once. imported receives the number of completed orders.
func importOrders(ctx context.Context, shop *client.Client, orders []order, imported func(done int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	todo := make(chan order)
	var workers sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range atOnce {
		workers.Go(func() {
			for order := range todo {
				if err := importOrder(ctx, shop, order); err != nil {
					cancel(fmt.Errorf("order %s: %w", order.number, err))
					return
				}
				mu.Lock()
				done++
				err := imported(done)
				mu.Unlock()
				if err != nil {
					cancel(err)
					return
				}
			}
		})
	}
feeding:
	for _, order := range orders {
		select {
		case todo <- order:
		case <-ctx.Done():
			break feeding
		}
	}
	close(todo)
	workers.Wait()
	return context.Cause(ctx)
}

// importOrder makes three changes, each under its own key.
func importOrder(ctx context.Context, shop *client.Client, order order) error {
	job, err := shop.CreateJob(ctx, client.CreateJobRequest{
		Name: order.number + " " + order.part, GoalQuantity: order.quantity, TrackerPartNumber: &order.part, ChangedBy: "erp",
	}, client.Key("erp-"+order.number+"-job"))
	if err != nil {
		return err
	}
	route := client.CreatePathRequest{JobID: job.ID, Name: "Main", GoalQuantity: order.quantity, ChangedBy: "erp"}
	for _, step := range order.route {
		route.Steps = append(route.Steps, client.StepRequest{Name: step})
	}
	path, err := shop.CreatePath(ctx, route, client.Key("erp-"+order.number+"-path"))
	if err != nil {
		return err
	}
	_, err = shop.BatchCreateSerials(ctx, client.BatchCreateSerialsRequest{
		JobID: job.ID, PathID: path.ID, Quantity: new(order.quantity), UserID: "erp",
	}, client.Key("erp-"+order.number+"-units"))
	return err
}

// followed is the result of following the events.
type followed struct {
	events int
	err    error
}

// follow counts the entries of the audit trail until it has seen the units of all orders. A real program stores the id of each processed
// entry and continues after it at the next start.
func follow(ctx context.Context, shop *client.Client, orders int) <-chan followed {
	result := make(chan followed, 1)
	go func() {
		heard, last := followed{}, ""
		actions := map[string]int{}
		for entry, err := range shop.Events(ctx, client.StreamEventsParams{After: "aud_0000000000000000"}) {
			if err != nil {
				heard.err = fmt.Errorf("after %d events: %w", heard.events, err)
				break
			}
			if entry.ID <= last {
				heard.err = fmt.Errorf("%s came behind %s", entry.ID, last)
				break
			}
			last = entry.ID
			heard.events++
			actions[entry.Action]++
			if actions["serial_created"] == orders {
				break
			}
		}
		if heard.err == nil && (actions["job_created"] != orders || actions["path_created"] != orders) {
			heard.err = fmt.Errorf("heard of %d jobs and %d paths of %d orders", actions["job_created"], actions["path_created"], orders)
		}
		result <- heard
	}()
	return result
}

// exportUnits writes a line for each unit to a file.
func exportUnits(ctx context.Context, shop *client.Client, name string) (units int64, err error) {
	file, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	lines := csv.NewWriter(file)
	seen := map[string]bool{}
	for unit, err := range shop.EachSerial(ctx, client.SearchSerialsParams{}) {
		if err != nil {
			return units, err
		}
		if seen[unit.ID] {
			return units, fmt.Errorf("%s came twice", unit.ID)
		}
		seen[unit.ID] = true
		units++
		if err := lines.Write([]string{unit.ID, unit.JobName, unit.CurrentStepName, string(unit.Status)}); err != nil {
			return units, err
		}
	}
	lines.Flush()
	if err := lines.Error(); err != nil {
		return units, err
	}
	return units, file.Close()
}

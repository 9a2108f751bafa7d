// Command integration is an example of a program between an ERP and Routecard, and shows that no change is lost. It builds the service,
// starts it on a new database, and calls it through a proxy that drops every tenth response. It imports orders and follows the events,
// kills the service during the import and starts it again, then exports and counts the units.
//
//	go run ./docs/examples/integration
//
// orders.go is a template for your own integration.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/routecard/routecard/client"
	"github.com/routecard/routecard/internal/process"
)

// trial is the state of one run.
type trial struct {
	program string // of the service
	folder  string // for its database and the export
	orders  int
	units   int64 // of each order
	out     io.Writer
}

func main() {
	orders := flag.Int("orders", 500, "orders to import")
	units := flag.Int64("units", 200, "units of each order")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *orders, *units); err != nil {
		fmt.Fprintln(os.Stderr, "integration:", err)
		os.Exit(1) //nolint:gocritic // nothing else is left to do
	}
}

func run(ctx context.Context, orders int, units int64) (err error) {
	folder, err := os.MkdirTemp("", "integration-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	program, err := process.Build(ctx, folder)
	if err != nil {
		return err
	}
	return trial{program, folder, orders, units, os.Stdout}.run(ctx)
}

// run returns an error if a unit is missing or duplicated.
func (t trial) run(ctx context.Context) error {
	service, err := startService(ctx, t.program, t.folder)
	if err != nil {
		return err
	}
	defer service.end()
	proxy := dropEveryTenth(service.address)
	defer proxy.Close()
	shop, err := client.New(proxy.URL, client.Settings{})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	heard := follow(ctx, shop, t.orders)

	began := time.Now()
	kill := func(done int) error {
		if done != t.orders/2 {
			return nil
		}
		return service.killAndStart(ctx)
	}
	if err := importOrders(ctx, shop, ordersOfTheERP(t.orders, t.units), kill); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "%d orders imported in %v, the service killed once\n", t.orders, time.Since(began).Round(time.Millisecond))

	told := <-heard
	if told.err != nil {
		return told.err
	}
	fmt.Fprintf(t.out, "%d events heard, none missing and none twice\n", told.events)

	began = time.Now()
	file := filepath.Join(t.folder, "units.csv")
	exported, err := exportUnits(ctx, shop, file)
	if err != nil {
		return err
	}
	if want := int64(t.orders) * t.units; exported != want {
		return fmt.Errorf("%d units exported, %d ordered", exported, want)
	}
	fmt.Fprintf(t.out, "%d units exported in %v\n", exported, time.Since(began).Round(time.Millisecond))
	jobs, err := shop.ListJobs(ctx, client.ListJobsParams{})
	if err != nil {
		return err
	}
	if len(jobs) != t.orders {
		return fmt.Errorf("%d jobs were made of %d orders", len(jobs), t.orders)
	}
	fmt.Fprintf(t.out, "%d of %d answers were lost on the way; every order is there once\n", proxy.dropped.Load(), proxy.answers.Load())
	return nil
}

package client_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"time"

	"github.com/routecard/routecard/client"
	"github.com/routecard/routecard/internal/httpapi"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/tail"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// serve starts a service with an empty shop and returns a client of it. A program has client.New("https://...", ...) instead.
func serve() (c *client.Client, end func()) {
	folder, err := os.MkdirTemp("", "routecard-")
	if err != nil {
		panic(err)
	}
	follower := tail.New(slog.New(slog.DiscardHandler))
	store, err := sqlstore.OpenSQLite(context.Background(), filepath.Join(folder, "shop.db"), sqlstore.Options{
		Committed: func(int, time.Duration) { follower.Committed() },
	})
	if err != nil {
		panic(err)
	}
	following, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		follower.Run(following, store)
	}()
	service := shop.New(store, time.Now, ident.NewIdentifiers(time.Now))
	server := httptest.NewServer(httpapi.New(httpapi.Config{
		Service: service, Views: views.New(store, service), Ready: store.Ready, Tail: follower, Stopping: following.Done(),
		Logger: slog.New(slog.DiscardHandler), Metrics: httpapi.NewMetrics(), MaxBody: 1 << 20,
	}))
	if c, err = client.New(server.URL, client.Settings{}); err != nil {
		panic(err)
	}
	return c, func() {
		stop()
		<-ended
		server.Close()
		if err := errors.Join(store.Close(), os.RemoveAll(folder)); err != nil {
			fmt.Println(err)
		}
	}
}

// order makes a job with a path of two steps and some units, and returns the units.
func order(ctx context.Context, c *client.Client, quantity int64) ([]client.SerialNumber, error) {
	job, err := c.CreateJob(ctx, client.CreateJobRequest{Name: "Gearbox housing GH-200", GoalQuantity: quantity})
	if err != nil {
		return nil, err
	}
	path, err := c.CreatePath(ctx, client.CreatePathRequest{
		JobID: job.ID, Name: "Main", GoalQuantity: quantity, Steps: []client.StepRequest{{Name: "Mill"}, {Name: "Inspect"}},
	})
	if err != nil {
		return nil, err
	}
	return c.BatchCreateSerials(ctx, client.BatchCreateSerialsRequest{JobID: job.ID, PathID: path.ID, Quantity: new(quantity), UserID: "erp"})
}

// One unit, from a new job to completed.
func Example() {
	c, end := serve() // client.New("https://routecard.example.com", client.Settings{Token: token})
	defer end()
	ctx := context.Background()

	units, err := order(ctx, c, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	unit := units[0]
	for unit.Status == client.SerialStatusInProgress {
		unit, err = c.AdvanceSerial(ctx, unit.ID, client.AdvanceSerialRequest{ExpectedStepIndex: &unit.CurrentStepIndex, UserID: "robot-4"})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(unit.ID, unit.Status)
	}
	// Output:
	// SN-00001 in_progress
	// SN-00001 completed
}

// A refusal has a code for programs and a message for people.
func ExampleError() {
	c, end := serve()
	defer end()

	_, err := c.CreateJob(context.Background(), client.CreateJobRequest{Name: "Flange", GoalQuantity: 0})
	if refused, ok := errors.AsType[*client.Error](err); ok {
		fmt.Println(refused.StatusCode, refused.Code, refused.Field)
		fmt.Println(refused.Message)
	}
	// Output:
	// 400 must_be_above_zero goalQuantity
	// goalQuantity must be greater than 0
}

// A key that was written down before the call makes the change once, also when the program was killed in between.
func ExampleKey() {
	c, end := serve()
	defer end()
	ctx := context.Background()

	for range 2 { // before it was killed, and after
		job, err := c.CreateJob(ctx, client.CreateJobRequest{Name: "Order 4711", GoalQuantity: 25}, client.Key("erp-order-4711"))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(job.Name)
	}
	jobs, err := c.ListJobs(ctx, client.ListJobsParams{})
	fmt.Println(len(jobs), "job", err)
	// Output:
	// Order 4711
	// Order 4711
	// 1 job <nil>
}

// A change is made only if the record is as it was read.
func ExampleIfMatch() {
	c, end := serve()
	defer end()
	ctx := context.Background()

	job, err := c.CreateJob(ctx, client.CreateJobRequest{Name: "Flange", GoalQuantity: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	var header http.Header
	if _, err := c.GetJob(ctx, job.ID, client.Answered(&header)); err != nil {
		fmt.Println(err)
		return
	}
	read := client.IfMatch(header.Get("ETag"))
	_, err = c.UpdateJob(ctx, job.ID, client.UpdateJobRequest{GoalQuantity: new(int64(6))}, read)
	fmt.Println(err)
	_, err = c.UpdateJob(ctx, job.ID, client.UpdateJobRequest{GoalQuantity: new(int64(7))}, read)
	if refused, ok := errors.AsType[*client.Error](err); ok {
		fmt.Println(refused.Code)
	}
	// Output:
	// <nil>
	// changed_since_read
}

// A long list, page by page.
func ExampleClient_EachSerial() {
	c, end := serve()
	defer end()
	ctx := context.Background()

	if _, err := order(ctx, c, 5); err != nil {
		fmt.Println(err)
		return
	}
	for unit, err := range c.EachSerial(ctx, client.SearchSerialsParams{Step: "Mill", Limit: 2}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(unit.ID, unit.CurrentStepName)
	}
	// Output:
	// SN-00005 Mill
	// SN-00004 Mill
	// SN-00003 Mill
	// SN-00002 Mill
	// SN-00001 Mill
}

// What happens, when it happens.
func ExampleClient_Events() {
	c, end := serve()
	defer end()
	ctx := context.Background()

	if _, err := order(ctx, c, 2); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := c.AdvanceSerial(ctx, "SN-00002", client.AdvanceSerialRequest{UserID: "robot-4"}); err != nil {
		fmt.Println(err)
		return
	}
	for entry, err := range c.Events(ctx, client.StreamEventsParams{After: "aud_0000000000000000"}) { // from the beginning
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(entry.Action, entry.UserID)
		if entry.SerialID == "SN-00002" {
			break
		}
	}
	// Output:
	// job_created anonymous
	// path_created anonymous
	// serial_created erp
	// serial_advanced robot-4
}

// Command client takes one unit from a new job to completed through a client that ogen made from /api/openapi-3.0.json.
//
// The client is not in the repository; how to make it is in docs/api/clients.md.
//
//	go run . http://127.0.0.1:8080
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"

	"github.com/ogen-go/ogen/ogenerrors"

	"example.com/routecard-client-ogen/routecard"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run . http://127.0.0.1:8080")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// anonymous is a caller without credentials: the example calls a service without authentication.
type anonymous struct{}

func (anonymous) Bearer(context.Context, routecard.OperationName) (routecard.Bearer, error) {
	return routecard.Bearer{}, ogenerrors.ErrSkipClientSecurity
}

func (anonymous) Session(context.Context, routecard.OperationName) (routecard.Session, error) {
	return routecard.Session{}, ogenerrors.ErrSkipClientSecurity
}

func run(ctx context.Context, address string) error {
	shop, err := routecard.NewClient(address, anonymous{})
	if err != nil {
		return err
	}
	serial, err := start(ctx, shop)
	if err != nil {
		return err
	}
	fmt.Println(serial.ID, serial.Status)
	for serial.Status == routecard.SerialStatusInProgress {
		if serial, err = advance(ctx, shop, serial); err != nil {
			return err
		}
		fmt.Println(serial.ID, serial.Status)
	}
	late, err := shop.AdvanceSerial(ctx, routecard.NewOptAdvanceSerialRequest(routecard.AdvanceSerialRequest{}),
		routecard.AdvanceSerialParams{ID: string(serial.ID)})
	if err != nil {
		return err
	}
	refused, ok := late.(*routecard.AdvanceSerialBadRequest)
	if !ok {
		return fmt.Errorf("one more step was answered %T", late)
	}
	fmt.Println("one more step:", refused.Message)
	return nil
}

// start makes a job, its path of two steps, and one unit on it.
func start(ctx context.Context, shop *routecard.Client) (*routecard.SerialNumber, error) {
	job, err := shop.CreateJob(ctx, &routecard.CreateJobRequest{Name: "Called by ogen", GoalQuantity: 1},
		routecard.CreateJobParams{IdempotencyKey: key()})
	if err != nil {
		return nil, err
	}
	made, ok := job.(*routecard.JobHeaders)
	if !ok {
		return nil, fmt.Errorf("the job was answered %T", job)
	}
	path, err := shop.CreatePath(ctx, &routecard.CreatePathRequest{
		JobId: made.Response.ID, Name: "Main", GoalQuantity: 1, Steps: []routecard.StepRequest{{Name: "Mill"}, {Name: "Inspect"}},
	}, routecard.CreatePathParams{IdempotencyKey: key()})
	if err != nil {
		return nil, err
	}
	route, ok := path.(*routecard.PathHeaders)
	if !ok {
		return nil, fmt.Errorf("the path was answered %T", path)
	}
	serials, err := shop.BatchCreateSerials(ctx, &routecard.BatchCreateSerialsRequest{
		JobId: made.Response.ID, PathId: route.Response.ID, Quantity: routecard.NewOptInt64(1),
	}, routecard.BatchCreateSerialsParams{IdempotencyKey: key()})
	if err != nil {
		return nil, err
	}
	units, ok := serials.(*routecard.BatchCreateSerialsCreatedApplicationJSON)
	if !ok || len(*units) != 1 {
		return nil, fmt.Errorf("the units were answered %T", serials)
	}
	return &(*units)[0], nil
}

// advance moves the unit one step on from where the caller last saw it, twice under one key: the change is made once.
func advance(ctx context.Context, shop *routecard.Client, seen *routecard.SerialNumber) (*routecard.SerialNumber, error) {
	params := routecard.AdvanceSerialParams{ID: string(seen.ID), IdempotencyKey: key()}
	request := routecard.NewOptAdvanceSerialRequest(routecard.AdvanceSerialRequest{
		ExpectedStepIndex: routecard.NewOptNilExpectedStepIndex(routecard.ExpectedStepIndex(seen.CurrentStepIndex)), UserId: routecard.NewOptString("ogen"),
	})
	var moved *routecard.SerialNumber
	for range 2 {
		answer, err := shop.AdvanceSerial(ctx, request, params)
		if err != nil {
			return nil, err
		}
		again, ok := answer.(*routecard.SerialNumber)
		if !ok {
			return nil, fmt.Errorf("the advance was answered %T", answer)
		}
		if moved != nil && moved.CurrentStepIndex != again.CurrentStepIndex {
			return nil, fmt.Errorf("the repeated request moved the unit to %d", again.CurrentStepIndex)
		}
		moved = again
	}
	return moved, nil
}

// key makes a key for one request.
func key() routecard.OptString { return routecard.NewOptString(rand.Text()) }

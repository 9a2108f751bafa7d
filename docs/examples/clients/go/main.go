// Command client takes one unit from a new job to completed through a client that oapi-codegen generated from
// /api/openapi.yaml.
//
// The client is not in the repository; docs/api/clients.md says how to generate it.
//
//	go run . http://127.0.0.1:8080
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"example.com/routecard-client/routecard"
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

func run(ctx context.Context, address string) error {
	shop, err := routecard.NewClientWithResponses(address)
	if err != nil {
		return err
	}
	serial, err := start(ctx, shop)
	if err != nil {
		return err
	}
	fmt.Println(serial.Id, serial.Status)
	for serial.Status == routecard.SerialStatusInProgress {
		if serial, err = advance(ctx, shop, serial); err != nil {
			return err
		}
		fmt.Println(serial.Id, serial.Status)
	}
	return finished(ctx, shop, serial)
}

// start creates a job, its path of two steps, and one unit on the path.
func start(ctx context.Context, shop *routecard.ClientWithResponses) (*routecard.SerialNumber, error) {
	job, err := shop.CreateJobWithResponse(ctx, &routecard.CreateJobParams{IdempotencyKey: key()},
		routecard.CreateJobRequest{Name: "Called from Go", GoalQuantity: 1})
	if err != nil {
		return nil, err
	}
	if job.JSON201 == nil {
		return nil, refused(job.Body)
	}
	path, err := shop.CreatePathWithResponse(ctx, &routecard.CreatePathParams{IdempotencyKey: key()},
		routecard.CreatePathRequest{
			JobId: job.JSON201.Id, Name: "Main", GoalQuantity: 1,
			Steps: []routecard.StepRequest{{Name: "Mill"}, {Name: "Inspect"}},
		})
	if err != nil {
		return nil, err
	}
	if path.JSON201 == nil {
		return nil, refused(path.Body)
	}
	serials, err := shop.BatchCreateSerialsWithResponse(ctx, &routecard.BatchCreateSerialsParams{IdempotencyKey: key()},
		routecard.BatchCreateSerialsRequest{JobId: job.JSON201.Id, PathId: path.JSON201.Id, Quantity: new(int64(1))})
	if err != nil {
		return nil, err
	}
	if serials.JSON201 == nil || len(*serials.JSON201) != 1 {
		return nil, refused(serials.Body)
	}
	return &(*serials.JSON201)[0], nil
}

// advance moves the unit to the next step, if the unit is still at the step where the caller last saw it. It sends the
// request a second time, as if the response had been lost: with the same key the change is made once, and the second
// response equals the first.
func advance(
	ctx context.Context, shop *routecard.ClientWithResponses, seen *routecard.SerialNumber,
) (*routecard.SerialNumber, error) {
	params := routecard.AdvanceSerialParams{IdempotencyKey: key()}
	user := "go"
	request := routecard.AdvanceSerialRequest{ExpectedStepIndex: &seen.CurrentStepIndex, UserId: &user}
	first, err := shop.AdvanceSerialWithResponse(ctx, seen.Id, &params, request)
	if err != nil {
		return nil, err
	}
	if first.JSON200 == nil {
		return nil, refused(first.Body)
	}
	again, err := shop.AdvanceSerialWithResponse(ctx, seen.Id, &params, request)
	if err != nil {
		return nil, err
	}
	if string(again.Body) != string(first.Body) {
		return nil, fmt.Errorf("the repeated request was answered %s", again.Body)
	}
	return first.JSON200, nil
}

// finished reads the unit again, and tries to advance the completed unit, which is refused.
func finished(ctx context.Context, shop *routecard.ClientWithResponses, serial *routecard.SerialNumber) error {
	card, err := shop.GetSerialWithResponse(ctx, serial.Id, nil)
	if err != nil {
		return err
	}
	if card.JSON200 == nil {
		return refused(card.Body)
	}
	if card.JSON200.Status != routecard.SerialStatusCompleted {
		return fmt.Errorf("%s is %s", serial.Id, card.JSON200.Status)
	}
	late, err := shop.AdvanceSerialWithResponse(ctx, serial.Id, nil, routecard.AdvanceSerialRequest{})
	if err != nil {
		return err
	}
	if late.JSON400 == nil {
		return fmt.Errorf("one more step was answered %s", late.Status())
	}
	fmt.Println("one more step:", late.JSON400.Message)
	return nil
}

// refused returns the error in the body of a response. All errors have the same schema.
func refused(body []byte) error {
	var answer routecard.Error
	if err := json.Unmarshal(body, &answer); err != nil || answer.Message == "" {
		return errors.New("the answer is not what the document says: " + string(body))
	}
	return fmt.Errorf("%d: %s", answer.StatusCode, answer.Message)
}

// key creates a key for one request.
func key() *string {
	text := rand.Text()
	return &text
}

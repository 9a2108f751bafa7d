package sqlstore

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

const stillRunning = "A request with this Idempotency-Key is still running"

// pausing is a store whose Updates pause just before they commit.
type pausing struct {
	Store
	pause func()
}

func (p pausing) Update(ctx context.Context, change func(shop.Tx) error, options ...shop.UpdateOption) error {
	return p.Store.Update(ctx, func(tx shop.Tx) error {
		err := change(tx)
		p.pause()
		return err
	}, options...)
}

// under runs an operation of a service under a key, and returns the caller's error, or "" for success.
func under(t *testing.T, store Store, key string, operation func(context.Context, *shop.Service) error) string {
	t.Helper()
	service := shop.New(store, time.Now, ident.NewIdentifiers(time.Now))
	err := service.Once(t.Context(), card.Once{Key: key, Fingerprint: "f"}, func(ctx context.Context) error {
		return operation(ctx, service)
	})
	if failure, ok := errors.AsType[*refusal.Error](err); ok {
		return failure.Error()
	}
	must(t, err)
	return ""
}

// One instance runs an operation under a key while another instance receives the same request.
func TestPostgresKeyOfAnotherInstance(t *testing.T) {
	t.Parallel()
	address := shopDatabase(t)
	first, second := openPostgres(t, address), openPostgres(t, address)
	second.patient = time.Millisecond // in addition to the second after which the server stops waiting for a lock
	create := func(id *string) func(context.Context, *shop.Service) error {
		return func(ctx context.Context, service *shop.Service) error {
			job, err := service.CreateJob(ctx, shop.CreateJobInput{
				Name: input.Given("Bracket"), GoalQuantity: input.Given(1.0),
			})
			*id = job.ID
			return err
		}
	}
	reached, goOn, heard := make(chan struct{}), make(chan struct{}), make(chan string)
	var made, repeated, another string
	go func() {
		heard <- under(t, pausing{first, func() { close(reached); <-goOn }}, "k", create(&made))
	}()
	<-reached
	if got := under(t, second, "k", create(&repeated)); got != stillRunning {
		t.Errorf("while it runs elsewhere: %q", got)
	}
	if got := under(t, second, "another", create(&another)); got != "" {
		t.Errorf("under another key: %q", got)
	}
	close(goOn)
	if got := <-heard; got != "" {
		t.Errorf("the first one: %q", got)
	}
	if got := under(t, second, "k", create(&repeated)); got != "" || repeated != made || another == made {
		t.Errorf("repeated: %q, made %s, want %s", got, repeated, made)
	}
}

// Another instance has written a key, and its commit does not end. It may also have locked the serial.
func TestPostgresKeyInACommit(t *testing.T) {
	t.Parallel()
	address := shopDatabase(t)
	store := openPostgres(t, address)
	store.patient = time.Millisecond
	stock(t, store, 1)
	conn, err := pgx.Connect(t.Context(), address)
	must(t, err)
	defer conn.Close(t.Context())
	hanging, err := conn.Begin(t.Context())
	must(t, err)
	_, err = hanging.Exec(t.Context(), `SELECT number FROM serial FOR UPDATE`)
	must(t, err)
	_, err = hanging.Exec(t.Context(), `INSERT INTO remembered (`+statement.RememberedColumns+`) VALUES ('', 'k', 'f', '{}', 1)`)
	must(t, err)
	advance := func(ctx context.Context, service *shop.Service) error {
		_, err := service.AdvanceSerial(ctx, "SN-00001", shop.AdvanceSerialInput{})
		return err
	}
	if got := under(t, store, "k", advance); got != stillRunning {
		t.Errorf("while it is committed elsewhere: %q", got)
	}
	if got := under(t, store, "another", advance); got != refusal.DatabaseBusy.Sentence() {
		t.Errorf("under another key: %q", got)
	}
	must(t, hanging.Rollback(t.Context()))
	if got := under(t, store, "k", advance); got != "" {
		t.Errorf("when the other one has failed: %q", got)
	}
}

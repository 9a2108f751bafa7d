package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/routecard/routecard/bench/internal/load"
	"github.com/routecard/routecard/bench/internal/shop"
	"github.com/routecard/routecard/bench/internal/table"
)

const (
	caseNeighbours  = "advance 10,000 neighbours in one call"
	caseScattered   = "advance 10,000 scattered over all in one call"
	caseNoBatch     = "advance, 64 callers, no batch"
	caseBesideBatch = "advance, 64 callers, beside batches of 100,000"
)

// lot makes serials on a path, longest first, and returns their ids in order.
func (r *rig) lot(client *load.Client, quantity int) (path *shop.Path, ids []string, err error) {
	path = &r.data.layout.Paths[0]
	for i := range r.data.layout.Paths {
		if len(r.data.layout.Paths[i].StepIDs) > len(path.StepIDs) {
			path = &r.data.layout.Paths[i]
		}
	}
	var answered bytes.Buffer
	answer, err := client.Do(shop.CreateSerials(path, quantity), &answered)
	if err != nil || answer.Status != http.StatusCreated {
		return nil, nil, fmt.Errorf("make %d serials: status %d (%w)", quantity, answer.Status, err)
	}
	var made []struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(answered.Bytes(), &made); err != nil {
		return nil, nil, err
	}
	for i := range made {
		ids = append(ids, made[i].ID)
	}
	return path, ids, nil
}

// moveMany sends a request that moves many serials.
func moveMany(client *load.Client, request load.Request, quantity int) error {
	var answered bytes.Buffer
	answer, err := client.Do(request, &answered)
	if want := fmt.Sprintf(`"changed":%d,`, quantity); err != nil || !bytes.Contains(answered.Bytes(), []byte(want)) {
		return fmt.Errorf("move %d serials: status %d, %s (%w)", quantity, answer.Status, answered.Bytes()[:min(answered.Len(), 200)], err)
	}
	return nil
}

// manyAtOnce is the number of serials that one call moves.
const manyAtOnce = 10_000

// neighbours makes a lot and moves it from step to step, with one call for each step.
func neighbours(r *rig, name string) ([]row, error) {
	client, err := load.Dial(r.service.base)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	path, ids, err := r.lot(client, manyAtOnce)
	if err != nil {
		return nil, err
	}
	return r.moveOften(client, name, min(len(path.StepIDs)-1, 10), func() []string { return ids }, shop.BatchAdvanceRange)
}

// scattered lists serials from the whole database in random order.
func scattered(r *rig, name string) ([]row, error) {
	if r.data.size < manyAtOnce {
		return nil, nil
	}
	if err := r.prepareMoves(); err != nil {
		return nil, err
	}
	client, err := load.Dial(r.service.base)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	r.stock.Share(1, 0, nil)
	const calls = 5
	return r.moveOften(client, name, min(calls, r.data.size/manyAtOnce), func() []string {
		ids := make([]string, manyAtOnce)
		for i := range ids {
			if card, _ := r.stock.Move(0, 1); card != nil {
				ids[i] = card.ID
			}
		}
		return ids
	}, shop.BatchAdvanceList)
}

// moveOften measures calls that each move many serials.
func (r *rig) moveOften(client *load.Client, name string, calls int, next func() []string, request func([]string) load.Request,
) ([]row, error) {
	forgot := r.service.forgetPeak()
	before := r.service.usage()
	result := load.Result{}
	for range calls {
		moving := request(next())
		sent := time.Now()
		if err := moveMany(client, moving, manyAtOnce); err != nil {
			return nil, err
		}
		result.Requests++
		result.Latencies = append(result.Latencies, time.Since(sent))
		result.Took += time.Since(sent)
	}
	result.Sort()
	measured := row{
		Case: name, Serials: r.data.size, Callers: 1, Requests: result.Requests, Unit: "rows",
		PerSecond: result.PerSecond() * manyAtOnce, P50: result.Quantile(0.5), P99: result.Quantile(0.99), P999: result.Quantile(0.999),
	}
	measured.use(before, r.service.usage(), forgot)
	return []row{measured}, nil
}

// besideBatches measures advances with and without concurrent batches of a hundred thousand serials, which run one after the other.
func besideBatches(r *rig, _ string) ([]row, error) {
	const quantity = 100_000
	calls := 0
	alone, beside, err := r.beside(caseNoBatch, caseBesideBatch, func() (func(context.Context) error, error) {
		client, err := load.Dial(r.service.base)
		if err != nil {
			return nil, err
		}
		path, ids, err := r.lot(client, quantity)
		if err != nil {
			client.Close()
			return nil, err
		}
		return func(ctx context.Context) (err error) {
			defer client.Close()
			for step := 0; err == nil && ctx.Err() == nil && step < len(path.StepIDs)-1; step++ {
				err = moveMany(client, shop.BatchAdvanceEach(ids), quantity)
				calls++
			}
			return err
		}, nil
	})
	if err != nil {
		return nil, fmt.Errorf("beside batches: %w", err)
	}
	beside.Note = fmt.Sprintf("%s serials moved meanwhile", table.Thousands(int64(calls*quantity)))
	return []row{alone, beside}, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/routecard/routecard/bench/internal/load"
	"github.com/routecard/routecard/bench/internal/shop"
)

// row is the outcome of one case.
type row struct {
	Case      string  `json:"case"`
	Serials   int     `json:"serials"` // the number of serials in the database
	Callers   int     `json:"callers,omitempty"`
	Requests  int     `json:"requests,omitempty"`
	Unit      string  `json:"unit,omitempty"`      // the unit of perSecond: requests or rows
	PerSecond float64 `json:"perSecond,omitempty"` //
	// Latencies, in nanoseconds.
	P50       time.Duration `json:"p50,omitempty"`
	P99       time.Duration `json:"p99,omitempty"`
	P999      time.Duration `json:"p999,omitempty"`
	Longest   time.Duration `json:"longest,omitempty"`
	FirstByte time.Duration `json:"firstByte,omitempty"`
	// The server's usage; absent where the system does not report it.
	CPU        time.Duration `json:"cpuPerRequest,omitempty"`
	PeakMemory int64         `json:"peakMemory,omitempty"`
	IdleMemory int64         `json:"idleMemory,omitempty"` // the memory before the case
	// The floor that the case is compared with.
	Floor          string        `json:"floor,omitempty"`
	FloorPerSecond float64       `json:"floorPerSecond,omitempty"`
	FloorP50       time.Duration `json:"floorP50,omitempty"`
	Ratio          float64       `json:"ratio,omitempty"`
	Note           string        `json:"note,omitempty"`
	Turns          []float64     `json:"turns,omitempty"` // the rates in the turns of a row that was measured in turns
}

// against compares the row with a floor.
func (r *row) against(name string, floor *load.Result) {
	r.Floor, r.FloorPerSecond, r.FloorP50 = name, floor.PerSecond(), floor.Quantile(0.5)
	if r.FloorPerSecond > 0 {
		r.Ratio = r.PerSecond / r.FloorPerSecond
	}
}

// rig is a database of one size, with the service running on a copy of it.
type rig struct {
	ctx      context.Context //nolint:containedctx // a rig lives for one run of the program
	binary   string
	folder   string
	data     *dataset
	during   time.Duration
	http     *measured // the floor for HTTP
	service  *measured
	stock    *shop.Stock
	flags    []string // flags of the service, in addition to the defaults
	hasFloor bool     // whether the copy for the SQL floor exists
	progress io.Writer
	before   *rig // the rig of an earlier program, nil for none
}

func (r *rig) database() string { return filepath.Join(r.folder, "bench.db") }

// renew starts the service on a new copy of the database.
func (r *rig) renew() error {
	if err := r.close(); err != nil {
		return err
	}
	if err := copyDatabase(r.data.file, r.database()); err != nil {
		return err
	}
	r.stock = shop.NewStock(r.data.layout)
	return r.restart()
}

// restart restarts the service on the existing copy, and returns when the service is idle.
func (r *rig) restart() error {
	if err := r.start(); err != nil || r.flags != nil {
		return err
	}
	return r.service.awaitLedger() // the ledger first reads the trail
}

// start starts the service on the existing copy, and returns when it responds.
func (r *rig) start() (err error) {
	if err := r.close(); err != nil {
		return err
	}
	r.service, err = startService(r.ctx, r.binary, r.database(), r.flags...)
	return err
}

func (r *rig) close() error {
	if r.service == nil {
		return nil
	}
	err := r.service.stop()
	r.service = nil
	return err
}

// smallSize is the maximum size at which each case gets a new copy, because few serials have few steps left.
const smallSize = 10_000

// prepareMoves makes sure that serials can be moved. A large database is not copied for each case.
func (r *rig) prepareMoves() error {
	if r.data.size > smallSize {
		return nil
	}
	return r.renew()
}

// warmUp is the share of a case's time that is not measured.
const warmUp = 8

// measure drives the service and records its resource usage.
func (r *rig) measure(name string, callers, wanted int, next shop.Next) (row, error) {
	plan := load.Plan{Base: r.service.base, Callers: callers, During: r.during / warmUp, Wanted: wanted, Next: next}
	if _, err := load.Drive(plan); err != nil {
		return row{}, fmt.Errorf("%s: %w", name, err)
	}
	plan.During = r.during
	forgot := r.service.forgetPeak()
	before := r.service.usage()
	result, err := load.Drive(plan)
	if err != nil {
		return row{}, fmt.Errorf("%s: %w", name, err)
	}
	after := r.service.usage()
	measured := row{
		Case: name, Serials: r.data.size, Callers: callers, Requests: result.Requests,
		Unit: "requests", PerSecond: result.PerSecond(),
		P50: result.Quantile(0.5), P99: result.Quantile(0.99), P999: result.Quantile(0.999),
		Longest: result.Quantile(1),
	}
	measured.use(before, after, forgot)
	return measured, nil
}

// use records the resource usage of the server.
func (r *row) use(before, after usage, forgot bool) {
	if before.known && after.known && r.Requests > 0 {
		r.CPU = (after.cpu - before.cpu) / time.Duration(r.Requests)
	}
	if forgot {
		r.PeakMemory, r.IdleMemory = after.peak, before.resident
	}
}

// read compares a read with a handler that writes the same bytes.
func (r *rig) read(name string, callers int, sample string, next shop.Next) ([]row, error) {
	client, err := load.Dial(r.service.base)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	var kept sampler
	answer, err := client.Do(load.Request{Method: "GET", Path: sample}, &kept)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	measured, err := r.measure(name, callers, answer.Status, next)
	if err != nil {
		return nil, err
	}
	floor, err := r.floorHTTP(name, callers, kept.bytes, answer.Bytes, r.during)
	if err != nil {
		return nil, err
	}
	measured.against(bareHandler, &floor)
	return []row{measured}, nil
}

// The names of the floors.
const (
	bareHandler = "bare handler"
	bareGroup   = "bare group commit"
	bareSingle  = "bare transaction"
)

func (r *rig) floorHTTP(name string, callers int, sample []byte, length int64, during time.Duration) (load.Result, error) {
	path, err := learn(r.http, name, sample, length)
	if err != nil {
		return load.Result{}, fmt.Errorf("%s: the floor: %w", name, err)
	}
	return load.Drive(load.Plan{Base: r.http.base, Callers: callers, During: during, Wanted: 200, Next: shop.Get(path)})
}

// write compares changes with a loop that makes the same changes, in groups of the number of callers.
func (r *rig) write(name string, callers, wanted int, next shop.Next, do change) ([]row, error) {
	measured, err := r.measure(name, callers, wanted, next)
	if err != nil {
		return nil, err
	}
	floor, err := r.floorSQL(callers, do, r.during)
	if err != nil {
		return nil, fmt.Errorf("%s: the floor: %w", name, err)
	}
	floorName := bareGroup
	if callers == 1 {
		floorName = bareSingle
	}
	measured.against(floorName, &floor)
	return []row{measured}, nil
}

// floorSQL runs the floor for changes on a copy of its own.
func (r *rig) floorSQL(group int, do change, during time.Duration) (load.Result, error) {
	file := filepath.Join(r.folder, "floor.db")
	if !r.hasFloor {
		if err := copyFile(r.data.file, file); err != nil {
			return load.Result{}, err
		}
		r.hasFloor = true
	}
	pathIDs := make([]string, len(r.data.layout.Paths))
	for i := range pathIDs {
		pathIDs[i] = r.data.layout.Paths[i].ID
	}
	return runSQLFloor(file, pathIDs, during, group, do)
}

var errNothingRan = errors.New("no case has a name that -case matches")

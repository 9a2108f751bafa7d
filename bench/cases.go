package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/routecard/routecard/bench/internal/load"
	"github.com/routecard/routecard/bench/internal/shop"
	"github.com/routecard/routecard/bench/internal/table"
)

// benchCase is a case, with one or a few lines of the table.
type benchCase struct {
	name string
	run  func(r *rig, name string) ([]row, error)
}

// newestSerials is the number of serials that a busy shop works on.
const newestSerials = 10_000

const (
	caseStart       = "start-up"
	caseGetSerial   = "get serial, 64 callers"
	caseListJobs    = "list jobs (1,000)"
	caseAuditFirst  = "audit, first page"
	caseAuditDeep   = "audit, page at 90 % depth"
	caseWorkQueue   = "work queue"
	caseListSerials = "list all serials"
	caseExportCSV   = "export all serials as CSV"
	caseExportXLSX  = "export all serials as a workbook"
	caseAdvance1    = "advance, 1 caller"
	caseAdvance64   = "advance, 64 callers"
	caseKeyed       = "advance, 64 callers, each under a key"
	caseUnkeyed     = "advance, 64 callers, without keys in turn"
	caseCreate      = "create 10,000 serials"
	caseNoReader    = "advance, 64 callers, nobody reads the list"
	caseSlowReader  = "advance, 64 callers, one reads the list slowly"
)

// cases returns the cases in the order in which they run: cases that do not change the database come first.
func cases() []benchCase {
	return []benchCase{
		{caseStart, startUp},
		{casePages, loadPages},
		{caseGetSerial, func(r *rig, name string) ([]row, error) {
			r.stock.Share(64, 0, nil)
			return r.read(name, 64, "/api/serials/"+r.stock.Any(0).ID, r.stock.GetSerial())
		}},
		{caseListJobs, question("/api/jobs", 8)},
		{caseAuditFirst, question("/api/audit?limit=50", 8)},
		{caseAuditDeep, func(r *rig, name string) ([]row, error) {
			return question(fmt.Sprintf("/api/audit?limit=50&offset=%d", r.data.size/10*9), 8)(r, name)
		}},
		{caseWorkQueue, question("/api/operator/work-queue", 1)},
		{caseListSerials, listSerials},
		{caseExportCSV, exportSerials(".csv")},
		{caseExportXLSX, exportSerials(".xlsx")},
		{caseAdvance1, advance(1, 0)},
		{"advance, 8 callers", advance(8, 0)},
		{caseAdvance64, advance(64, 0)},
		{caseKeyed, advanceOnce},
		{"advance, 256 callers", advance(256, 0)},
		{"advance, 64 callers, newest 10,000", advance(64, newestSerials)},
		{"advance-to, 3 bypassed, 64 callers", advanceTo},
		{"mixed shift, 64 callers", mixedShift},
		{"advance, slow reader", besideSlowReader},
		{"create job, 64 callers", func(r *rig, name string) ([]row, error) {
			return r.write(name, 64, http.StatusCreated, shop.CreateJob(), createJobFloor)
		}},
		{caseCreate, createSerials(10_000)},
		{"create 100,000 serials", createSerials(100_000)},
		{caseImport, importOrders},
		{caseNeighbours, neighbours},
		{caseScattered, scattered},
		{caseBesideBatch, besideBatches},
		{"advance and get serial, 64 callers, with tokens", withTokens},
		{"advance, read and sign in, against an earlier version", versions},
		{"readings", measuring},
		{"lots", genealogy},
		{caseUpload, uploadFiles},
		{caseDossier, makeDossiers},
		{caseLedgerOn, ledgerOnAndOff},
		{caseProvable, provable},
		{caseBesideBackup, besideBackups},
		{caseLongNote, listing(longList, writeNote, anywhere)},
		{caseLongAttach, listing(largeChange, attachAll, anywhere)},
		{caseLongOverride, listing(largeChange, override, onOnePath)},
		{caseLongScrap, listing(largeChange, scrapAll, onOnePath)},
		{caseLongReport, listing(largeReport, reportAll, onOnePath)},
		{caseLongNumbers, listing(largeChange, createNumbered, onOnePath)},
		{caseLargestImport, listing(longList, largestOrders, withTemplate)},
	}
}

func question(path string, callers int) func(*rig, string) ([]row, error) {
	return func(r *rig, name string) ([]row, error) {
		return r.read(name, callers, path, shop.Get(path))
	}
}

func advance(callers, newest int) func(*rig, string) ([]row, error) {
	return func(r *rig, name string) ([]row, error) {
		if newest >= r.data.size {
			return nil, nil // they are all there are
		}
		if err := r.prepareMoves(); err != nil {
			return nil, err
		}
		r.stock.Share(callers, newest, nil)
		return r.write(name, callers, http.StatusOK, r.stock.Advance(), advanceFloor(newest))
	}
}

// advanceOnce measures advances with and without keys in turn.
func advanceOnce(r *rig, name string) ([]row, error) {
	return r.inTurns(
		way{caseUnkeyed, r.prepareMoves, func() shop.Next { return r.stock.Advance() }},
		way{name, r.prepareMoves, func() shop.Next { return r.stock.AdvanceOnce() }},
	)
}

func advanceTo(r *rig, name string) ([]row, error) {
	if err := r.prepareMoves(); err != nil {
		return nil, err
	}
	r.stock.Share(64, 0, shop.OnFlexiblePath)
	return r.write(name, 64, http.StatusOK, r.stock.AdvanceTo(), advanceToFloor)
}

// mixedAnswer is a response of typical length for the mixed shift.
var mixedAnswer = []byte(`{"answer":"` + strings.Repeat("-", 480) + `"}`)

// mixedShift measures a mixed shift. Its floor is the bare HTTP handler, which returns the same number of bytes and changes nothing.
func mixedShift(r *rig, name string) ([]row, error) {
	if err := r.prepareMoves(); err != nil {
		return nil, err
	}
	r.stock.Share(64, 0, nil)
	measured, err := r.measure(name, 64, http.StatusOK, r.stock.MixedShift(64, r.data.layout.CertificateID))
	if err != nil {
		return nil, err
	}
	floor, err := r.floorHTTP(name, 64, mixedAnswer, int64(len(mixedAnswer)), r.during)
	measured.against(bareHandler, &floor)
	return []row{measured}, err
}

// starts is the number of starts of the service. The result is their median.
const starts = 5

func startUp(r *rig, name string) ([]row, error) {
	measured := load.Result{}
	for range starts {
		if err := r.start(); err != nil {
			return nil, err
		}
		measured.Latencies = append(measured.Latencies, r.service.ready)
	}
	measured.Sort()
	// The memory and time of an idle service, after the work of starting.
	if err := r.service.awaitLedger(); err != nil {
		return nil, err
	}
	<-time.After(time.Second)
	idle := r.service.usage()
	return []row{{
		Case: name, Serials: r.data.size, Requests: starts, P50: measured.Quantile(0.5), P99: measured.Quantile(1),
		PeakMemory: idle.peak, IdleMemory: idle.resident,
		Note: fmt.Sprintf("%s when idle, database %s", table.Memory(idle.resident), table.Memory(fileSize(r.data.file))),
	}}, nil
}

func fileSize(name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return info.Size()
}

// rowCounter counts the objects of a list whose texts contain no braces.
type rowCounter struct {
	sampler
	rows int
}

func (c *rowCounter) Write(b []byte) (int, error) {
	c.rows += bytes.Count(b, []byte{'{'})
	return c.sampler.Write(b)
}

// alone measures a single caller that reads everything. It calls read until the time is over, and at least the given number of times. read
// returns the duration of a call. The memory is the increase over that of the idle service.
func (r *rig) alone(name string, least int, begin func(*load.Client) error, read func(*load.Client) (time.Duration, error)) (row, error) {
	if err := r.restart(); err != nil {
		return row{}, err
	}
	client, err := load.Dial(r.service.base)
	if err != nil {
		return row{}, err
	}
	defer client.Close()
	forgot := r.service.forgetPeak()
	idle := r.service.usage()
	if err := begin(client); err != nil {
		return row{}, err
	}
	before := r.service.usage()
	result := load.Result{}
	for started := time.Now(); result.Requests < least || time.Since(started) < r.during; result.Requests++ {
		took, err := read(client)
		if err != nil {
			return row{}, err
		}
		result.Latencies = append(result.Latencies, took)
		result.Took += took
	}
	result.Sort()
	after := r.service.usage()
	measured := row{
		Case: name, Serials: r.data.size, Callers: 1, Requests: result.Requests, Unit: "rows", PerSecond: result.PerSecond(),
		P50: result.Quantile(0.5), P99: result.Quantile(0.99), P999: result.Quantile(0.999),
	}
	measured.use(before, after, false)
	if forgot {
		measured.PeakMemory, measured.IdleMemory = after.peak, idle.resident
	}
	measured.Note = table.Memory(measured.PeakMemory-measured.IdleMemory) + " above idle"
	return measured, nil
}

// exportSerials exports all serials as a file, without other load. The time is that of a whole file.
func exportSerials(form string) func(*rig, string) ([]row, error) {
	return func(r *rig, name string) ([]row, error) {
		nothing := func(*load.Client) error { return nil }
		measured, err := r.alone(name, 1, nothing, func(client *load.Client) (time.Duration, error) {
			sent := time.Now()
			answer, err := client.Do(load.Request{Method: http.MethodGet, Path: "/api/export/serials" + form}, nil)
			if err == nil && answer.Status != http.StatusOK {
				err = fmt.Errorf("%s: status %d", name, answer.Status)
			}
			return time.Since(sent), err
		})
		measured.PerSecond *= float64(r.data.size)
		return []row{measured}, err
	}
}

// listSerials reads the whole list a few times, without other load. The time is that of a whole read.
func listSerials(r *rig, name string) ([]row, error) {
	list := load.Request{Method: http.MethodGet, Path: "/api/serials"}
	var counter rowCounter
	var first load.Answer
	firstByte := load.Result{}
	count := func(client *load.Client) (err error) { // only the memory of the first read is measured
		first, err = client.Do(list, &counter)
		return err
	}
	measured, err := r.alone(name, 3, count, func(client *load.Client) (time.Duration, error) {
		sent := time.Now()
		again, err := client.Do(list, nil)
		if err == nil && (again.Status != http.StatusOK || again.Bytes != first.Bytes) {
			err = fmt.Errorf("%s: status %d, %d bytes after %d", name, again.Status, again.Bytes, first.Bytes)
		}
		firstByte.Latencies = append(firstByte.Latencies, again.FirstByte)
		return time.Since(sent), err
	})
	if err != nil {
		return nil, err
	}
	firstByte.Sort()
	measured.FirstByte = firstByte.Quantile(0.5)
	measured.PerSecond *= float64(counter.rows)
	measured.Note = fmt.Sprintf("first byte %s, %s", table.Duration(measured.FirstByte), measured.Note)
	floor, err := r.floorHTTP(name, 1, counter.bytes, first.Bytes, r.during)
	floor.Took /= time.Duration(max(counter.rows, 1)) // per row, not per list
	measured.against(bareHandler, &floor)
	return []row{measured}, err
}

// slowReader reads the full list again and again, at the rate of a slow connection, until ctx ends. It counts the bytes.
func slowReader(ctx context.Context, base string, read *atomic.Int64) error {
	const piece, pause = 16 << 10, 16 * time.Millisecond // a megabyte a second
	address := strings.TrimPrefix(base, "http://")
	for ctx.Err() == nil {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
		if err != nil {
			return ignoreEnd(ctx, err)
		}
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(piece) // otherwise the system would read ahead
		}
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		_, err = fmt.Fprintf(conn, "GET /api/serials HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", address)
		buffer := make([]byte, piece)
		for ticker := time.NewTicker(pause); err == nil; <-ticker.C {
			var n int
			n, err = io.ReadFull(conn, buffer)
			read.Add(int64(n))
		}
		stop()
		_ = conn.Close()
		if err != io.EOF && err != io.ErrUnexpectedEOF { //nolint:errorlint // io.ReadFull returns these errors unwrapped
			return ignoreEnd(ctx, err)
		}
	}
	return nil
}

// ignoreEnd drops the error of a connection that was cut because ctx ended.
func ignoreEnd(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return nil
}

// besideSlowReader measures advances with and without a client that reads the full list slowly.
func besideSlowReader(r *rig, _ string) ([]row, error) {
	var read atomic.Int64
	alone, beside, err := r.beside(caseNoReader, caseSlowReader, func() (func(context.Context) error, error) {
		return func(ctx context.Context) error { return slowReader(ctx, r.service.base, &read) }, nil
	})
	if err != nil {
		return nil, fmt.Errorf("beside a slow reader: %w", err)
	}
	beside.Note = fmt.Sprintf("%s read meanwhile, log %s", table.Memory(read.Load()), table.Memory(fileSize(r.database()+"-wal")))
	return []row{alone, beside}, nil
}

// createSerials measures a few calls that each create a batch of serials.
func createSerials(quantity int) func(*rig, string) ([]row, error) {
	return func(r *rig, name string) ([]row, error) {
		calls := 0
		next := func(int) (load.Request, bool) {
			calls++
			return shop.CreateSerials(&r.data.layout.Paths[calls%len(r.data.layout.Paths)], quantity), true
		}
		during := r.during
		defer func() { r.during = during }()
		r.during = min(during, time.Second)
		rows, err := r.write(name, 1, http.StatusCreated, next, createSerialsFloor(int64(quantity)))
		for i := range rows {
			rows[i].Unit = "rows"
			rows[i].PerSecond *= float64(quantity)
			rows[i].FloorPerSecond *= float64(quantity)
		}
		return rows, err
	}
}

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/routecard/routecard/bench/internal/load"
	"github.com/routecard/routecard/bench/internal/shop"
)

// longList is the maximum number of serials in the list of a request, and largeChange the maximum number that one transaction may change
// one by one.
const (
	longList    = 100_000
	largeChange = 15_000
	largeReport = 10_000
)

// Cases in which another caller advances serials, because a large write of one request blocks all other writers.
const (
	caseLongNote      = "one note on 100,000 scattered"
	caseLongAttach    = "attach to 15,000 scattered"
	caseLongOverride  = "override for 15,000 in no order"
	caseLongScrap     = "scrap 15,000 in no order"
	caseLongReport    = "report with holds on 10,000 in no order"
	caseLongNumbers   = "create 15,000 with serial numbers"
	caseLargestImport = "try an import of 40 orders with 2,500 units each"
)

// largestOrders imports a file that creates the maximum number of units, as a dry run.
func largestOrders(*shop.Path, string, string) load.Request {
	const orders, units = 40, 2500
	var file strings.Builder
	file.WriteString("name,goalQuantity,template,units\n")
	for i := range orders {
		fmt.Fprintf(&file, "Large order %d,%d,Largest,%d\n", i, units, units)
	}
	return load.Request{
		Method: http.MethodPost, Path: "/api/import/jobs?dryRun=true&onRefusal=each", Type: "text/csv", Body: file.String(),
	}
}

// withTemplate makes the template of largestOrders.
func withTemplate(r *rig, client *load.Client) (*shop.Path, []string, error) {
	answer, err := client.Do(load.Request{
		Method: http.MethodPost, Path: "/api/templates", Body: `{"name":"Largest","steps":[{"name":"Saw"},{"name":"Turn"}]}`,
	}, nil)
	if err != nil || answer.Status != http.StatusCreated {
		return nil, nil, fmt.Errorf("make a template: status %d (%w)", answer.Status, err)
	}
	return anywhere(r, client)
}

// list is a request that lists serials.
type list func(path *shop.Path, certificateID, serials string) load.Request

func writeNote(path *shop.Path, _, serials string) load.Request {
	return load.Request{Method: http.MethodPost, Path: "/api/notes", Body: fmt.Sprintf(`{"jobId":%q,"pathId":%q,"stepId":%q,`+
		`"text":"Recalled","userId":"op-17","serialIds":[%s]}`, path.JobID, path.ID, path.StepIDs[0], serials)}
}

func attachAll(_ *shop.Path, certificateID, serials string) load.Request {
	return load.Request{Method: http.MethodPost, Path: "/api/certs/batch-attach", Body: fmt.Sprintf(
		`{"certId":%q,"userId":"op-17","serialIds":[%s]}`, certificateID, serials)}
}

// override makes a step optional that all serials of the path have not reached yet.
func override(path *shop.Path, _, serials string) load.Request {
	first, _, _ := strings.Cut(serials, ",")
	return load.Request{Method: http.MethodPost, Path: "/api/serials/" + strings.Trim(first, `"`) + "/overrides", Body: fmt.Sprintf(
		`{"stepId":%q,"reason":"Agreed","userId":"op-17","serialIds":[%s]}`, path.StepIDs[len(path.StepIDs)-1], serials)}
}

func scrapAll(_ *shop.Path, _, serials string) load.Request {
	return load.Request{Method: http.MethodPost, Path: "/api/serials/batch-scrap", Body: fmt.Sprintf(
		`{"reason":"damaged","userId":"op-17","serialIds":[%s]}`, serials)}
}

func reportAll(_ *shop.Path, _, serials string) load.Request {
	return load.Request{Method: http.MethodPost, Path: "/api/nonconformances", Body: fmt.Sprintf(
		`{"title":"Crack","severity":"major","hold":true,"userId":"op-17","serialIds":[%s]}`, serials)}
}

// createNumbered creates as many serials as the list has.
func createNumbered(path *shop.Path, _, serials string) load.Request {
	return load.Request{Method: http.MethodPost, Path: "/api/serials", Body: fmt.Sprintf(
		`{"jobId":%q,"pathId":%q,"quantity":%d,"userId":"op-17","numbering":{"prefix":"N-","first":1}}`,
		path.JobID, path.ID, strings.Count(serials, ",")+1)}
}

// anywhere returns serials from the whole database.
func anywhere(r *rig, _ *load.Client) (*shop.Path, []string, error) {
	var ids []string
	for i := range r.data.layout.Paths {
		ids = append(ids, r.data.layout.Paths[i].Serials...)
	}
	return &r.data.layout.Paths[0], ids, nil
}

// onOnePath returns new serials on one path.
func onOnePath(r *rig, client *load.Client) (*shop.Path, []string, error) {
	return r.lot(client, longList)
}

// listing measures a request that lists many serials in random order, and the longest wait of one other caller for an advance. A large
// write of one request blocks all other writers.
func listing(size int, request list, from func(*rig, *load.Client) (*shop.Path, []string, error)) func(*rig, string) ([]row, error) {
	return func(r *rig, name string) ([]row, error) {
		if r.data.size < longList {
			return nil, nil // they are all there are
		}
		client, err := load.Dial(r.service.base)
		if err != nil {
			return nil, err
		}
		defer client.Close()
		certificateID, err := makeCertificate(client)
		if err != nil {
			return nil, err
		}
		path, ids, err := from(r, client)
		if err != nil {
			return nil, err
		}
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] }) //nolint:gosec // no secret
		long := request(path, certificateID, `"`+strings.Join(ids[:size], `","`)+`"`)
		over, beside := atomic.Bool{}, make(chan advanced, 1)
		r.stock.Share(1, newestSerials, nil)
		go func() { beside <- r.advanceUntil(&over) }()
		forgot := r.service.forgetPeak()
		before := r.service.usage()
		sent := time.Now()
		answer, err := client.Do(long, nil)
		took := time.Since(sent)
		after := r.service.usage()
		over.Store(true)
		others := <-beside
		if err != nil || others.err != nil || answer.Status/100 != 2 {
			return nil, fmt.Errorf("%s: status %d (%w)", name, answer.Status, cmp.Or(err, others.err))
		}
		measured := row{
			Case: name, Serials: r.data.size, Callers: 1, Requests: 1, Unit: "rows", PerSecond: float64(size) / took.Seconds(),
			P50: took, P99: took, P999: took, Longest: others.longest,
			Note: fmt.Sprintf("an advance beside it waited %v", others.longest.Round(time.Millisecond)),
		}
		measured.use(before, after, forgot)
		return []row{measured}, nil
	}
}

func makeCertificate(client *load.Client) (string, error) {
	var answered bytes.Buffer
	var made struct {
		ID string `json:"id"`
	}
	answer, err := client.Do(load.Request{
		Method: http.MethodPost, Path: "/api/certs", Body: `{"type":"process","name":"Heat treatment"}`,
	}, &answered)
	if err == nil {
		err = json.Unmarshal(answered.Bytes(), &made)
	}
	if err != nil || answer.Status != http.StatusCreated {
		return "", fmt.Errorf("make a certificate: status %d (%w)", answer.Status, err)
	}
	return made.ID, nil
}

// advanced is the result of one caller.
type advanced struct {
	longest time.Duration
	err     error
}

// advanceUntil sends one advance after the other until over is true.
func (r *rig) advanceUntil(over *atomic.Bool) (seen advanced) {
	client, err := load.Dial(r.service.base)
	if err != nil {
		return advanced{err: err}
	}
	defer client.Close()
	for next := r.stock.Advance(); !over.Load(); {
		request, more := next(0)
		if !more {
			return seen
		}
		sent := time.Now()
		answer, err := client.Do(request, nil)
		if err != nil || answer.Status != http.StatusOK {
			return advanced{err: fmt.Errorf("advance: status %d (%w)", answer.Status, err)}
		}
		seen.longest = max(seen.longest, time.Since(sent))
	}
	return seen
}

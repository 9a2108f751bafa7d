package load

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Result is the result of a run.
type Result struct {
	Requests  int
	Bytes     int64
	Took      time.Duration
	Latencies []time.Duration // sorted
}

// PerSecond returns the rate of requests.
func (r *Result) PerSecond() float64 {
	if r.Took <= 0 {
		return 0
	}
	return float64(r.Requests) / r.Took.Seconds()
}

// Sort sorts the latencies.
func (r *Result) Sort() { slices.Sort(r.Latencies) }

// Quantile returns the latency that the share q of the requests did not exceed. It uses the nearest rank, so the result is a measured
// latency. It is 0 without latencies.
func (r *Result) Quantile(q float64) time.Duration {
	n := len(r.Latencies)
	if n == 0 {
		return 0
	}
	rank := int(q * float64(n))
	if float64(rank) < q*float64(n) {
		rank++
	}
	return r.Latencies[min(max(rank, 1), n)-1]
}

// Plan is the number of callers, their requests and the duration of a run.
type Plan struct {
	Base    string // see Dial
	Callers int
	During  time.Duration
	Wanted  int // the status of every response; any other ends the run
	// Next returns the next request of a caller, or false if the caller has nothing more to send: then the run ends for all callers. Each
	// caller calls it from a goroutine of its own.
	Next func(caller int) (Request, bool)
}

// errorLimit is the maximum length of an unwanted response in an error.
const errorLimit = 300

// Drive lets callers send requests one after the other, each waiting for its response.
func Drive(plan Plan) (Result, error) {
	type share struct {
		latencies []time.Duration
		bytes     int64
		err       error
	}
	shares := make([]share, plan.Callers)
	clients := make([]*Client, plan.Callers)
	defer func() {
		for _, client := range clients {
			if client != nil {
				client.Close()
			}
		}
	}()
	for i := range clients {
		client, err := Dial(plan.Base)
		if err != nil {
			return Result{}, err
		}
		clients[i] = client
	}
	over := make(chan struct{})
	end := sync.OnceFunc(func() { close(over) })
	timer := time.AfterFunc(plan.During, end)
	defer timer.Stop()
	var group sync.WaitGroup
	started := time.Now()
	for i := range clients {
		group.Go(func() {
			own := &shares[i]
			for {
				select {
				case <-over:
					return
				default:
				}
				request, ok := plan.Next(i)
				if !ok {
					end()
					return
				}
				sent := time.Now()
				answer, err := expect(clients[i], request, plan.Wanted)
				if err != nil {
					own.err = err
					end()
					return
				}
				own.latencies = append(own.latencies, time.Since(sent))
				own.bytes += answer.Bytes
			}
		})
	}
	group.Wait()
	result := Result{Took: time.Since(started)}
	var errs []error
	for i := range shares {
		result.Latencies = append(result.Latencies, shares[i].latencies...)
		result.Bytes += shares[i].bytes
		errs = append(errs, shares[i].err)
	}
	result.Requests = len(result.Latencies)
	result.Sort()
	return result, errors.Join(errs...)
}

func expect(client *Client, request Request, wanted int) (Answer, error) {
	var said firstBytes
	answer, err := client.Do(request, &said)
	if err != nil {
		return answer, fmt.Errorf("%s %s: %w", request.Method, request.Path, err)
	}
	if answer.Status != wanted {
		return answer, fmt.Errorf("%s %s: status %d, not %d: %s",
			request.Method, request.Path, answer.Status, wanted, bytes.TrimSpace(said.text[:said.n]))
	}
	return answer, nil
}

// firstBytes stores the beginning of its input.
type firstBytes struct {
	text [errorLimit]byte
	n    int
}

func (f *firstBytes) Write(b []byte) (int, error) {
	f.n += copy(f.text[f.n:], b)
	return len(b), nil
}

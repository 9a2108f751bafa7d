package sqlstore

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// BenchmarkAdvance advances random serials of a thousand jobs, without HTTP. It reports the processor time of the process per advance,
// which depends less on other work on the machine than elapsed time does.
func BenchmarkAdvance(b *testing.B) {
	for _, serials := range []int{1000, 10_000, 1_000_000} {
		workshop := &tracedShop{t: b}
		workshop.open(Options{})
		const paths, steps = 1000, 100
		for range paths {
			workshop.makeSerials(workshop.makePath(workshop.makeJob(), steps), serials/paths, "")
		}
		for _, callers := range []int{1, 64} {
			b.Run(fmt.Sprintf("%d serials, %d callers", serials, callers), func(b *testing.B) {
				b.ReportAllocs()
				advanceAll(b, workshop, serials, callers)
			})
		}
	}
}

func advanceAll(b *testing.B, workshop *tracedShop, serials, callers int) {
	var left atomic.Int64
	left.Store(int64(b.N))
	before := processorTime()
	var wait sync.WaitGroup
	for caller := range callers {
		wait.Go(func() {
			random := rand.New(rand.NewPCG(uint64(b.N), uint64(caller)))
			for left.Add(-1) >= 0 {
				// Advancing a completed serial is refused. The refusal costs as much as an advance without its write.
				_, _ = workshop.AdvanceSerial(b.Context(), workshop.Service.SerialPrefix().SerialID(1+random.Int64N(int64(serials))),
					shop.AdvanceSerialInput{UserID: input.Given("ann")})
			}
		})
	}
	wait.Wait()
	b.ReportMetric(float64((processorTime()-before).Microseconds())/float64(b.N), "µs-cpu/op")
}

func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

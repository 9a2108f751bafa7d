package sealer_test

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/shop"
)

// measured returns the length of the benchmarks' trails, which an environment variable can change.
func measured(b *testing.B) int {
	b.Helper()
	count, err := strconv.Atoi(os.Getenv("ROUTECARD_BENCH_ENTRIES"))
	if err != nil || count < 1 {
		return 1_000_000
	}
	return count
}

// processor returns the processor time that this process has used.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkTakeIn seals a trail that was written before the ledger was enabled.
func BenchmarkTakeIn(b *testing.B) {
	count := measured(b)
	for b.Loop() {
		b.StopTimer()
		bench := newBench(b)
		bench.append(count)
		before := processor(b)
		b.StartTimer()
		running := bench.start(func(c *sealer.Config) { c.Interval = time.Second })
		for running.Status().Size < int64(count) {
			<-time.After(5 * time.Millisecond)
		}
		running.stop()
		b.ReportMetric(float64(processor(b)-before)/float64(time.Second), "cpu-s/op")
	}
	b.ReportMetric(float64(count)*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
}

// BenchmarkVerify verifies a sealed trail in a file that is in the system's cache.
func BenchmarkVerify(b *testing.B) {
	bench, count := newBench(b), measured(b)
	bench.append(count)
	running := bench.start(func(c *sealer.Config) { c.Interval = time.Second })
	for running.Status().Size < int64(count) {
		<-time.After(5 * time.Millisecond)
	}
	running.stop()
	runtime.GC()
	before := processor(b)
	var memory runtime.MemStats
	for b.Loop() {
		if err := bench.store.View(b.Context(), func(tx shop.Reader) error {
			verified, err := sealer.Verify(tx, sealer.Evidence{})
			if err == nil && !verified.OK() {
				b.Fatalf("%+v", verified.Findings)
			}
			return err
		}); err != nil {
			b.Fatal(err)
		}
		runtime.ReadMemStats(&memory)
	}
	b.ReportMetric(float64(count)*float64(b.N)/b.Elapsed().Seconds(), "entries/s")
	b.ReportMetric(float64(count)*float64(b.N)/(processor(b)-before).Seconds(), "entries/cpu-s")
	b.ReportMetric(float64(memory.HeapSys)/(1<<20), "heap-MiB")
}

package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/routecard/routecard/bench/internal/table"
)

// target is the required result of a case.
type target struct {
	Name     string `json:"name"`
	Wanted   string `json:"wanted"`
	Measured string `json:"measured,omitempty"` // "" if the case did not run at the required size
	Met      bool   `json:"met"`
}

// outcome is the rows of a run.
type outcome []row

// at returns a case at a size; size 0 is the largest that ran.
func (o outcome) at(name string, serials int) *row {
	var found *row
	for i := range o {
		if r := &o[i]; r.Case == name && (r.Serials == serials || serials == 0 && (found == nil || r.Serials > found.Serials)) {
			found = r
		}
	}
	return found
}

const million = 1_000_000

// judge compares a run with the targets. A target without a size applies to the largest size of the run.
func judge(o outcome) []target {
	var targets []target
	add := func(name, wanted string, met bool, measured string) {
		targets = append(targets, target{Name: name, Wanted: wanted, Measured: measured, Met: met})
	}
	skip := func(name, wanted string) { add(name, wanted, false, "") }
	ratio := func(name, wanted string, r *row, least float64) {
		if r == nil || r.Ratio == 0 {
			skip(name, wanted)
			return
		}
		add(name, wanted, r.Ratio >= least, table.Ratio(r.Ratio)+at(r))
	}

	many, one := o.at(caseAdvance64, 0), o.at(caseAdvance1, 0)
	ratio("advance, 64 callers, against the group-commit loop", "at least 0.5", many, 0.5)
	ratio("advance, 64 callers at 1,000 serials, against the group-commit loop", "at least 0.55", o.at(caseAdvance64, 1000), 0.55)
	if name, wanted := "advance, 64 callers, against one transaction per request", "at least 4 times"; many != nil && one != nil &&
		one.FloorPerSecond > 0 {
		times := many.PerSecond / one.FloorPerSecond
		add(name, wanted, times >= 4, fmt.Sprintf("%.1f times", times)+at(many))
	} else {
		skip(name, wanted)
	}
	if name, wanted := "a key with each advance, 64 callers", "less than 10 % fewer a second"; o.at(caseKeyed, 0) != nil &&
		o.at(caseUnkeyed, 0) != nil {
		with, without := o.at(caseKeyed, 0), o.at(caseUnkeyed, 0)
		rate, _ := with.ratios(without)
		cost := 1 - rate
		add(name, wanted, cost < 0.1, fmt.Sprintf("%.1f %%", 100*cost)+at(with))
	} else {
		skip(name, wanted)
	}
	if name, wanted := "64 callers with the ledger on, against off", "more than 0.95"; o.at(caseLedgerOn, 0) != nil {
		on, off := o.at(caseLedgerOn, 0), o.at(caseLedgerOff, 0)
		rate, _ := on.ratios(off)
		add(name, wanted, rate > 0.95, table.Ratio(rate)+at(on))
	} else {
		skip(name, wanted)
	}
	judgeTokens(o, add, skip)
	if name, wanted := "an entry is provable after its answer", "within 2 s"; o.at(caseProvable, 0) != nil {
		proved := o.at(caseProvable, 0)
		add(name, wanted, proved.P999 < 2*time.Second, table.Duration(proved.P999)+at(proved))
	} else {
		skip(name, wanted)
	}
	if name, wanted := "64 callers beside backups, longest wait", "100 ms longer at most"; o.at(caseBesideBackup, 0) != nil {
		alone, beside := o.at(caseNoBackup, 0), o.at(caseBesideBackup, 0)
		add(name, wanted, beside.Longest-alone.Longest <= 100*time.Millisecond,
			fmt.Sprintf("%s, without %s", table.Duration(beside.Longest), table.Duration(alone.Longest))+at(beside))
	} else {
		skip(name, wanted)
	}
	if name, wanted := "10,000 neighbours in one call, against 64 callers", "at least 10 times"; many != nil &&
		o.at(caseNeighbours, many.Serials) != nil {
		times := o.at(caseNeighbours, many.Serials).PerSecond / many.PerSecond
		add(name, wanted, times >= 10, fmt.Sprintf("%.1f times", times)+at(many))
	} else {
		skip(name, wanted)
	}
	if name, wanted := "64 callers beside batches of 100,000, p99", "at most 3 times that without"; o.at(caseNoBatch, 0) != nil {
		alone, beside := o.at(caseNoBatch, 0), o.at(caseBesideBatch, 0)
		times := float64(beside.P99) / float64(alone.P99)
		add(name, wanted, times <= 3, fmt.Sprintf("%.1f times", times)+at(alone))
	} else {
		skip(name, wanted)
	}
	if name, wanted := "advance, 1 caller, p50 against one transaction", "at most 1.5 times"; one != nil && one.FloorP50 > 0 {
		times := float64(one.P50) / float64(one.FloorP50)
		add(name, wanted, times <= 1.5, fmt.Sprintf("%.2f times", times)+at(one))
	} else {
		skip(name, wanted)
	}
	judgeGrowth(o, add, skip)
	ratio("get serial, 64 callers, against the bare handler", "at least 0.45", o.at(caseGetSerial, 0), 0.45)
	ratio("audit page of 50, against the bare handler", "at least 0.3", o.at(caseAuditFirst, 0), 0.3)
	ratio("list of 1,000 jobs, against the bare handler", "at least 0.3", o.at(caseListJobs, 0), 0.3)
	if name, wanted, r := "work queue of 100,000 serials", "under 60 ms", o.at(caseWorkQueue, 100_000); r != nil {
		add(name, wanted, r.P50 < 60*time.Millisecond, table.Duration(r.P50))
	} else {
		skip(name, wanted)
	}
	judgeList(o, add, skip)
	judgeExports(o, add, skip)
	judgeImport(o, add, skip)
	judgeAudit(o, add, skip)
	if name, wanted, r := "create 10,000 serials in one call", "under 1 s", o.at(caseCreate, 0); r != nil {
		add(name, wanted, r.P50 < time.Second, table.Duration(r.P50)+at(r))
	} else {
		skip(name, wanted)
	}
	if name, wanted, with, without := "p99 of advances while a client reads the full list slowly", "at most doubles",
		o.at(caseSlowReader, 0), o.at(caseNoReader, 0); with != nil && without != nil && without.P99 > 0 {
		times := float64(with.P99) / float64(without.P99)
		add(name, wanted, times <= 2, fmt.Sprintf("%.2f times", times)+at(with))
	} else {
		skip(name, wanted)
	}
	judgeLongest(o, add, skip)
	judgeMeasuring(o, add, skip)
	judgeGenealogy(o, add, skip)
	judgeFiles(o, add, skip)
	judgeDossier(o, add, skip)
	judgeStart(o, add, skip)
	measured, met := slowestPage(o)
	add("every page in a browser, p50", "at most 300 ms", met, measured)
	return targets
}

func at(r *row) string { return " at " + table.Thousands(int64(r.Serials)) }

// judgeLongest evaluates the time for which the largest requests keep other callers from writing.
func judgeLongest(o outcome, add addTarget, skip skipTarget) {
	for _, name := range []string{
		caseLongNote, caseLongAttach, caseLongOverride, caseLongScrap, caseLongReport, caseLongNumbers, caseLargestImport,
	} {
		if r := o.at(name, 0); r != nil {
			add("an advance beside: "+name, "waits under 2 s", r.Longest < 2*time.Second, table.Duration(r.Longest)+at(r))
		} else {
			skip("an advance beside: "+name, "waits under 2 s")
		}
	}
}

type (
	addTarget  = func(name, wanted string, met bool, measured string)
	skipTarget = func(name, wanted string)
)

func judgeTokens(o outcome, add addTarget, skip skipTarget) {
	for _, both := range []struct {
		name, without, with string
		least               float64
	}{
		{"advance, 64 callers with tokens, against without", caseOpenAdvance, caseKnownAdvance, 0.9},
		{"get serial, 64 callers with tokens, against without", caseOpenGet, caseKnownGet, 0.8},
	} {
		wanted := fmt.Sprintf("more than %.1f", both.least)
		without, with := o.at(both.without, 0), o.at(both.with, 0)
		if without == nil || with == nil || without.PerSecond == 0 {
			skip(both.name, wanted)
			continue
		}
		rate := with.PerSecond / without.PerSecond
		add(both.name, wanted, rate > both.least, table.Ratio(rate)+at(with))
	}
}

func judgeGrowth(o outcome, add addTarget, skip skipTarget) {
	const name, wanted = "advance at 1,000,000 serials against 10,000", "at least 0.85"
	large, small := o.at(caseAdvance64, million), o.at(caseAdvance64, smallSize)
	if large == nil || small == nil || small.PerSecond == 0 {
		skip(name, wanted)
		return
	}
	add(name, wanted, large.PerSecond >= 0.85*small.PerSecond, table.Ratio(large.PerSecond/small.PerSecond))
}

func judgeList(o outcome, add addTarget, skip skipTarget) {
	const rate, rateWanted = "list all serials, rows a second", "at least 300,000"
	const first, firstWanted = "list all serials, first byte", "within 20 ms"
	const memory, memoryWanted = "list all serials, peak memory above idle", "at most 32 MiB"
	for _, serials := range []int{100_000, million} {
		size := " at " + table.Thousands(int64(serials))
		r := o.at(caseListSerials, serials)
		if r == nil {
			if serials == 100_000 {
				skip(rate+size, rateWanted)
				skip(first+size, firstWanted)
			}
			skip(memory+size, memoryWanted)
			continue
		}
		if serials == 100_000 {
			add(rate+size, rateWanted, r.PerSecond >= 300_000, table.Rate(r.PerSecond))
			add(first+size, firstWanted, r.FirstByte <= 20*time.Millisecond, table.Duration(r.FirstByte))
		}
		if r.PeakMemory == 0 {
			skip(memory+size, memoryWanted)
			continue
		}
		above := r.PeakMemory - r.IdleMemory
		add(memory+size, memoryWanted, above <= 32<<20, table.Memory(above))
	}
}

// judgeExports evaluates the times of exporting all serials.
func judgeExports(o outcome, add addTarget, skip skipTarget) {
	for _, export := range []struct {
		name   string
		within time.Duration
	}{{caseExportCSV, 2 * time.Second}, {caseExportXLSX, 15 * time.Second}} {
		target, wanted := export.name+", 100,000", "within "+table.Duration(export.within)
		r := o.at(export.name, 100_000)
		if r == nil {
			skip(target, wanted)
			continue
		}
		add(target, wanted, r.P50 <= export.within, table.Duration(r.P50))
	}
}

func judgeImport(o outcome, add addTarget, skip skipTarget) {
	const wanted, within = "within 20 s", 20 * time.Second
	if r := o.at(caseImport, 0); r != nil {
		add(caseImport, wanted, r.P50 <= within, table.Duration(r.P50)+at(r))
	} else {
		skip(caseImport, wanted)
	}
}

func judgeAudit(o outcome, add addTarget, skip skipTarget) {
	const name, wanted = "audit page at 90 % depth of 1,000,000 against the first", "at most 2 times"
	first, deep := o.at(caseAuditFirst, million), o.at(caseAuditDeep, million)
	if first == nil || deep == nil || first.P50 == 0 {
		skip(name, wanted)
		return
	}
	times := float64(deep.P50) / float64(first.P50)
	add(name, wanted, times <= 2, fmt.Sprintf("%.2f times", times))
}

func judgeStart(o outcome, add addTarget, skip skipTarget) {
	const ready, readyWanted = "ready with 1,000,000 serials", "under 300 ms"
	const idle, idleWanted = "memory when idle with 1,000,000 serials", "under 64 MiB"
	r := o.at(caseStart, million)
	if r == nil {
		skip(ready, readyWanted)
		skip(idle, idleWanted)
		return
	}
	add(ready, readyWanted, r.P50 < 300*time.Millisecond, table.Duration(r.P50))
	if r.IdleMemory == 0 {
		skip(idle, idleWanted)
		return
	}
	add(idle, idleWanted, r.IdleMemory < 64<<20, table.Memory(r.IdleMemory))
}

// pageLimit is the maximum time for loading a page in a browser.
const pageLimit = 300 * time.Millisecond

// slowestPage compares the slowest page with the limit.
func slowestPage(o outcome) (measured string, met bool) {
	var slowest *row
	for i := range o {
		if strings.HasPrefix(o[i].Case, casePages+": ") && (slowest == nil || o[i].P50 > slowest.P50) {
			slowest = &o[i]
		}
	}
	if slowest == nil {
		return "", false
	}
	page := strings.TrimPrefix(slowest.Case, casePages+": ")
	return fmt.Sprintf("%s: %d ms", page, slowest.P50.Milliseconds()) + at(slowest), slowest.P50 <= pageLimit
}

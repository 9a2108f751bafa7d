package shop

import (
	"encoding/json"
	"strings"
	"testing"
)

func layout() *Layout {
	steps := make([]string, 16)
	for i := range steps {
		steps[i] = "step"
	}
	return &Layout{CertificateID: "cert_1", Paths: []Path{
		{ID: "path_1", StepIDs: steps, Serials: []string{"SN-00001", "SN-00002", "SN-00003"}},
		{ID: "path_2", StepIDs: steps, Serials: []string{"SN-00004", "SN-00005"}, Flexible: true},
	}}
}

// TestAdvanceRunsOut: every serial is moved through each of its steps by one caller, and no further.
func TestAdvanceRunsOut(t *testing.T) {
	t.Parallel()
	stock := NewStock(layout())
	stock.Share(2, 0, nil)
	if left := stock.Left(1); left != 5*16 {
		t.Fatalf("%d moves are left, want %d", left, 5*16)
	}
	moved := map[string]int{}
	movedBy := map[string]int{}
	next := stock.Advance()
	for caller := range 2 {
		for {
			request, ok := next(caller)
			if !ok {
				break
			}
			if by, known := movedBy[request.Path]; known && by != caller {
				t.Errorf("%s is moved by two callers", request.Path)
			}
			movedBy[request.Path] = caller
			moved[request.Path]++
		}
	}
	if len(moved) != 5 || stock.Left(1) != 0 {
		t.Errorf("%d serials were moved, %d moves are left", len(moved), stock.Left(1))
	}
	for path, n := range moved {
		if n != 16 {
			t.Errorf("%s %d times, want 16", path, n)
		}
	}
}

func TestAdvanceTo(t *testing.T) {
	t.Parallel()
	stock := NewStock(layout())
	stock.Share(1, 0, OnFlexiblePath)
	next := stock.AdvanceTo()
	targets := map[string]int{}
	for {
		request, ok := next(0)
		if !ok {
			break
		}
		var body struct {
			TargetStepIndex int `json:"targetStepIndex"`
		}
		if err := json.Unmarshal([]byte(request.Body), &body); err != nil {
			t.Fatal(err)
		}
		if targets[request.Path] += Jump; body.TargetStepIndex != targets[request.Path] {
			t.Errorf("%s jumps to %d, want %d", request.Path, body.TargetStepIndex, targets[request.Path])
		}
	}
	if len(targets) != 2 || targets["/api/serials/SN-00004/advance-to"] != 16 {
		t.Errorf("jumps: %v", targets)
	}
}

func TestShareNewest(t *testing.T) {
	t.Parallel()
	stock := NewStock(layout())
	stock.Share(1, 2, nil)
	for range 10 {
		if id := stock.Any(0).ID; id != "SN-00004" && id != "SN-00005" {
			t.Errorf("%s is not among the newest two", id)
		}
	}
}

// TestMixedShift: the shares of the requests are as intended, and the bodies are JSON.
func TestMixedShift(t *testing.T) {
	t.Parallel()
	long := layout()
	for i := range long.Paths {
		long.Paths[i].StepIDs = make([]string, 100_000)
	}
	stock := NewStock(long)
	stock.Share(2, 0, nil)
	next := stock.MixedShift(2, "cert_1")
	counts := map[string]int{}
	const requests = 20_000
	for n := range requests {
		request, ok := next(n % 2)
		if !ok {
			t.Fatal("ran out")
		}
		if request.Body != "" && !json.Valid([]byte(request.Body)) {
			t.Fatalf("%s %s", request.Path, request.Body)
		}
		counts[request.Method+" "+request.Path[strings.LastIndexByte(request.Path, '/')+1:]]++
	}
	serials := 0
	for kind, n := range counts {
		if strings.HasPrefix(kind, "GET SN-") {
			serials += n
		}
	}
	for _, test := range []struct{ got, percent int }{
		{counts["POST advance"], 70}, {serials, 10}, {counts["GET step-statuses"], 10},
		{counts["POST notes"], 5}, {counts["POST attach-cert"], 5},
	} {
		if share := float64(test.got) / requests * 100; share < float64(test.percent)-1 || share > float64(test.percent)+1 {
			t.Errorf("a share of %.1f %%, want %d %%: %v", share, test.percent, counts)
		}
	}
}

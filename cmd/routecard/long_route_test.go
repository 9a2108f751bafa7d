package main

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/process"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// The work of a request about a unit on a long route is proportional to the number of its steps, even if all of them were bypassed: for
// four times the steps, no statement of the program runs more than six times as often. With quadratic work it would run sixteen times as
// often. The program is built with counters of statements, so that the result is the same on every machine.
func TestLongRoutesAreReadOnce(t *testing.T) {
	process.Lengthy(t, "counting", "compiles a program that counts, which takes half a minute")
	t.Parallel()
	const short, long, most = 125, 500, 6
	program := filepath.Join(t.TempDir(), "routecard")
	build := exec.Command("go", "build", "-cover", "-covermode=atomic", "-o", program,
		"-coverpkg=github.com/routecard/routecard/shop/...,github.com/routecard/routecard/views,github.com/routecard/routecard/internal/web/...,"+
			"github.com/routecard/routecard/internal/httpapi,github.com/routecard/routecard/cmd/routecard", ".")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	few, many := countedWalk(t, program, short), countedWalk(t, program, long)
	if len(many) == 0 {
		t.Fatal("nothing was counted")
	}
	for _, block := range slices.Sorted(maps.Keys(many)) {
		// Statements that run once a second, or once for a connection, are ignored.
		if limit := most*few[block] + long; many[block] > limit {
			t.Errorf("%s ran %d times with %d steps, and %d times with %d", block, few[block], short, many[block], long)
		}
	}
}

// countedWalk runs all queries about units on a route of this number of steps. It returns how often each block of the program ran.
func countedWalk(t *testing.T, program string, steps int) map[string]int {
	t.Helper()
	folder := t.TempDir()
	route := walkRoute(t, filepath.Join(folder, "shop.db"), steps)
	counters := filepath.Join(folder, "counters")
	if err := os.Mkdir(counters, 0o700); err != nil {
		t.Fatal(err)
	}
	command := process.Command(context.Background(), program, "--database", filepath.Join(folder, "shop.db"), "--ledger=off")
	command.Env = append(os.Environ(), "GOCOVERDIR="+counters)
	p, err := process.Start(command)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	s := served{Server: p}
	questions := []string{
		"/api/paths/" + route.path.ID, "/api/jobs/" + route.path.JobID,
		"/jobs/" + route.path.JobID, "/jobs/" + route.path.JobID + "/paths/" + route.path.ID, "/jobs", "/",
	}
	for _, unit := range []string{route.fresh, route.walked, route.mended, route.waived} {
		questions = append(questions, "/api/serials/"+unit, "/api/serials/"+unit+"/step-statuses", "/serials/"+unit,
			"/serials/"+unit+"/print", "/api/serials/"+unit+"/overrides")
	}
	for _, question := range questions {
		if answer := s.ask(t, http.MethodGet, question, ""); !strings.HasPrefix(answer, "200 ") {
			t.Fatalf("%s answers %.300s", question, answer)
		}
	}
	back := fmt.Sprintf(`{"entryId":%q,"reason":"wrong unit","userId":"ann"}`, route.last)
	if answer := s.ask(t, http.MethodPost, "/api/serials/"+route.walked+"/undo", back); !strings.HasPrefix(answer, "200 ") {
		t.Fatalf("undo answers %.300s", answer)
	}
	if err := p.Stop(); err != nil {
		t.Fatal(err)
	}
	profile := filepath.Join(folder, "profile")
	if text, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+counters, "-o="+profile).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	file, err := os.Open(profile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	counts := map[string]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) == 3 { // file:from,to statements count
			count, err := strconv.Atoi(words[2])
			if err != nil {
				t.Fatal(err)
			}
			counts[words[0]] += count
		}
	}
	return counts
}

// walkedRoute is a route with units at its first step and units that skipped all steps between the first and the last. For some of them,
// the skipped steps were completed late or waived.
type walkedRoute struct {
	path                          card.Path
	fresh, walked, mended, waived string
	last                          string // the identifier of the entry that moved it
}

func walkRoute(t *testing.T, file string, steps int) (route walkedRoute) {
	t.Helper()
	store, err := sqlstore.OpenSQLite(t.Context(), file, sqlstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	service, ctx := shop.New(store, time.Now, ident.NewIdentifiers(time.Now)), t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ann, quantity := input.Given("ann"), input.Given(4.0)
	job, err := service.CreateJob(ctx, shop.CreateJobInput{Name: ann, GoalQuantity: quantity})
	must(err)
	inputs := make([]input.Input[shop.StepInput], steps)
	for i := range inputs {
		inputs[i] = input.Given(shop.StepInput{Name: input.Given(fmt.Sprintf("Step %d", i))})
	}
	route.path, err = service.CreatePath(ctx, shop.CreatePathInput{
		JobID: input.Given(job.ID), Name: ann, GoalQuantity: quantity, AdvancementMode: input.Given("flexible"),
		Steps: input.Given(inputs),
	})
	must(err)
	batch, err := service.CreateSerials(ctx, shop.CreateSerialsInput{
		JobID: input.Given(job.ID), PathID: input.Given(route.path.ID), Quantity: quantity,
	})
	must(err)
	units := make([]string, batch.Quantity)
	for i := range units {
		units[i] = service.SerialPrefix().SerialID(batch.First + int64(i))
		if i == 0 {
			continue
		}
		_, err := service.AdvanceToStep(ctx, units[i], shop.AdvanceToStepInput{
			TargetStepIndex: input.Given(float64(steps - 1)), UserID: ann,
		})
		must(err)
	}
	route.fresh, route.walked, route.mended, route.waived = units[0], units[1], units[2], units[3]
	for _, step := range route.path.Steps[1 : steps-1] {
		_, err := service.CompleteDeferredStep(ctx, route.mended, step.ID, ann)
		must(err)
		_, err = service.WaiveStep(ctx, route.waived, step.ID, shop.WaiveStepInput{
			Reason: ann, ApproverID: ann,
		})
		must(err)
	}
	for entry, err := range service.AuditOfSerial(ctx, route.walked) {
		must(err)
		route.last = entry.ID
	}
	return route
}

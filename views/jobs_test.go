package views_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/workorder"
	"github.com/routecard/routecard/views"
)

// docs/api/jobs.md, "Operations": A client that follows next sees every matching job once, in the requested order, whatever the length of
// the pages.
func TestPagesOfJobs(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx := t.Context()
	var made []shop.Job
	for i := range 23 {
		in := shop.CreateJobInput{Name: shoptest.Given(fmt.Sprintf("%c job", "bACd"[i%4])), GoalQuantity: shoptest.Number(1)}
		in.DueDate = shoptest.Given([]string{"", "2026-01-29", "2026-01-30", "2026-01-31"}[i%4])
		in.Priority = shoptest.Number(float64(1 + i%5))
		made = append(made, shoptest.Must(s.CreateJob(ctx, in)))
		s.Tick()
	}
	late := func(job shop.Job) bool { return job.DueDate != "" && job.DueDate < "2026-01-31" }
	urgency := func(job shop.Job) workorder.Urgency {
		return workorder.Urgency{Late: late(job), Priority: job.Priority, DueDate: job.DueDate, JobID: job.ID}
	}
	orders := map[views.JobSort]func(a, b shop.Job) int{
		views.JobsByCreated: func(a, b shop.Job) int { return cmp.Compare(b.ID, a.ID) },
		views.JobsByUrgency: func(a, b shop.Job) int { return urgency(a).Compare(urgency(b)) },
		views.JobsByName:    func(a, b shop.Job) int { return cmp.Compare(folded(a), folded(b)) },
	}
	for sort, order := range orders {
		for _, status := range []string{"", "late", "open", "done", "done,late"} {
			var want []string
			sorted := slices.Clone(made)
			slices.SortFunc(sorted, order)
			for _, job := range sorted {
				if status == "" || status == "open" || status != "done" && late(job) {
					want = append(want, job.ID)
				}
			}
			for _, limit := range []int{1, 2, 5, 22, 23, 24} {
				var got []string
				for query := (views.JobQuery{Sort: sort, Status: status, Limit: limit}); ; {
					page := shoptest.Must(s.SearchJobs(ctx, query))
					if len(page.Items) > limit || page.Next != "" && len(page.Items) < limit {
						t.Fatalf("%s, %q: a page of %d has %d jobs, and next %q", sort, status, limit, len(page.Items), page.Next)
					}
					for _, job := range page.Items {
						got = append(got, job.ID)
						if job.Late != late(job.Job) {
							t.Errorf("%s is late: %t", job.DueDate, job.Late)
						}
					}
					if query.After = page.Next; page.Next == "" {
						break
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s, %q, pages of %d:\n%q\nwant\n%q", sort, status, limit, got, want)
				}
			}
		}
	}
}

// docs/api/jobs.md, "Late jobs": The time zone of the shop determines the day: at the same moment a job can be late in one zone and not in
// another.
func TestLateByTheZoneOfTheShop(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t) // it is 09:30 UTC on 31 January
	in := shop.CreateJobInput{Name: shoptest.Given("Valve"), GoalQuantity: shoptest.Number(1)}
	in.DueDate = shoptest.Given("2026-01-30")
	job := shoptest.Must(s.CreateJob(t.Context(), in))
	if detail := shoptest.Must(s.Job(t.Context(), job.ID)); !detail.Late || detail.DaysLate != 1 {
		t.Errorf("late %t, by %d days", detail.Late, detail.DaysLate)
	}
	s.Clock.Add(-10 * 60 * 60 * 1000)
	if detail := shoptest.Must(s.Job(t.Context(), job.ID)); detail.Late || detail.DaysLate != 0 {
		t.Errorf("late %t, by %d days, before the day has ended", detail.Late, detail.DaysLate)
	}
}

func folded(job shop.Job) string { return string(job.Name[0]|0x20) + job.ID }

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/routecard/routecard/bench/internal/load"
)

// Pages are measured as users experience them: loaded in a browser, with scripts and fonts, until the load event. The first load of each
// page fills the browser's cache and does not count.

const (
	casePages     = "pages in a browser"
	pageLoads     = 9
	pageViewWidth = 1280
	pageViewHigh  = 900
)

// browserNames are the names of usable browsers.
var browserNames = []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"}

// loadPages loads the pages with the most content.
func loadPages(r *rig, name string) (rows []row, err error) {
	if err := r.renew(); err != nil {
		return nil, err
	}
	program, err := browserProgram()
	if err != nil {
		return []row{{Case: name, Note: "no browser: install chromium"}}, nil //nolint:nilerr // the row reports the missing browser
	}
	paths, err := heavyPages(r)
	if err != nil {
		return nil, err
	}
	allocator, stop := chromedp.NewExecAllocator(r.ctx, append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(pageViewWidth, pageViewHigh))...)
	defer stop()
	browser, end := chromedp.NewContext(allocator)
	defer end()
	for _, path := range paths {
		var loads load.Result
		for i := range pageLoads + 1 {
			took, err := loadPage(browser, r.service.base+path.at)
			if err != nil {
				return rows, fmt.Errorf("load %s: %w", path.at, err)
			}
			if i > 0 {
				loads.Latencies = append(loads.Latencies, took)
			}
		}
		loads.Sort()
		rows = append(rows, row{
			Case: casePages + ": " + path.name, Serials: r.data.size, Requests: pageLoads, P50: loads.Quantile(0.5),
			Longest: loads.Quantile(1),
			Note:    fmt.Sprintf("longest %d ms", loads.Quantile(1).Milliseconds()),
		})
	}
	return rows, nil
}

func browserProgram() (string, error) {
	for _, name := range browserNames {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", errors.New("no browser")
}

// loadPage returns the time from the start of a page's navigation to its load event.
func loadPage(browser context.Context, address string) (time.Duration, error) {
	if err := chromedp.Do(browser, chromedp.Navigate(address)); err != nil {
		return 0, err
	}
	milliseconds, err := chromedp.Run(browser, chromedp.Evaluate[float64](`performance.getEntriesByType("navigation")[0].loadEventEnd`))
	return time.Duration(milliseconds * float64(time.Millisecond)), err
}

type page struct{ name, at string }

// heavyPages returns the pages with the most content. They show the newest unit.
func heavyPages(r *rig) ([]page, error) {
	var found struct {
		Items []struct{ ID, JobID string }
	}
	if err := r.ask("/api/serials/search?status=in_progress&limit=1", &found); err != nil {
		return nil, err
	}
	if len(found.Items) == 0 {
		return nil, errors.New("no unit is in progress")
	}
	unit := found.Items[0]
	return []page{
		{"floor", "/"}, {"jobs", "/jobs"}, {"board", "/jobs/" + unit.JobID}, {"units", "/serials"}, {"units, sorted", "/serials?sort=step"},
		{"card", "/serials/" + unit.ID}, {"queue", "/queue?operator=everybody"}, {"station", "/scan?unit=" + unit.ID},
		{"500 labels", "/labels?first=SN-00001&last=SN-00500"}, {"operators", "/users"}, {"library", "/library"}, {"audit trail", "/audit"},
		{"holds", "/holds"}, {"instruments", "/instruments"}, {"wall", "/wall"},
	}, nil
}

// ask reads a response of the service.
func (r *rig) ask(path string, into any) error {
	request, err := http.NewRequestWithContext(r.ctx, http.MethodGet, r.service.base+path, http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return json.NewDecoder(response.Body).Decode(into)
}

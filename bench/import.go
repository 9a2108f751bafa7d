package main

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/routecard/routecard/bench/internal/load"
)

const caseImport = "import 10,000 orders with a path and 10 units each"

// importOrders imports files of orders that are ready to start, without other load. The time is that of a whole file.
func importOrders(r *rig, name string) ([]row, error) {
	const orders = 10_000
	begin := func(client *load.Client) error {
		answer, err := client.Do(load.Request{
			Method: http.MethodPost, Path: "/api/templates",
			Body: `{"name":"Import","externalId":"bench",` +
				`"steps":[{"name":"Saw"},{"name":"Turn"},{"name":"Mill"},{"name":"Wash"},{"name":"Inspect"}]}`,
		}, nil)
		if err == nil && answer.Status != http.StatusCreated {
			err = fmt.Errorf("make a template: status %d", answer.Status)
		}
		return err
	}
	files := 0
	measured, err := r.alone(name, 1, begin, func(client *load.Client) (time.Duration, error) {
		files++
		var file strings.Builder
		file.WriteString("externalId,name,goalQuantity,partNumber,customer,dueDate,template,units\n")
		for i := range orders {
			fmt.Fprintf(&file, "E-%d-%05d,Housing %d,10,GH-%03d,Harbour Pumps,2026-12-01,ext:bench,10\n", files, i, i, i%200)
		}
		var answered bytes.Buffer
		sent := time.Now()
		answer, err := client.Do(load.Request{
			Method: http.MethodPost, Path: "/api/import/jobs?onRefusal=each", Type: "text/csv", Body: file.String(),
		}, &answered)
		took := time.Since(sent)
		want := fmt.Sprintf(`{"rows":%d,"created":%d,"updated":0,"unchanged":0,"refused":[]}`, orders, orders)
		if err == nil && answered.String() != want {
			err = fmt.Errorf("%s: status %d, %.200s", name, answer.Status, answered.String())
		}
		return took, err
	})
	measured.PerSecond *= orders
	return []row{measured}, err
}

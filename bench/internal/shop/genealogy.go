package shop

import (
	"fmt"
	"net/http"

	"github.com/routecard/routecard/bench/internal/load"
)

// Lots is a shop whose units are made of lots.
type Lots struct {
	maker *maker
	path  Path
}

// MakeLots creates a path for units of lots, through the interface at a base URL. The caller must close the result.
func MakeLots(base string) (*Lots, error) {
	client, err := load.Dial(base)
	if err != nil {
		return nil, err
	}
	l := &Lots{maker: &maker{client: client}}
	job := l.maker.post("/api/jobs", map[string]any{"name": "Flange", "goalQuantity": 1}).ID
	made := l.maker.post("/api/paths", map[string]any{
		"jobId": job, "name": "Of bars", "goalQuantity": 1, "steps": []map[string]any{{"name": "Saw"}, {"name": "Turn"}},
	})
	if l.maker.err != nil {
		client.Close()
		return nil, l.maker.err
	}
	l.path = Path{ID: made.ID, JobID: job, StepIDs: []string{made.Steps[0].ID, made.Steps[1].ID}}
	return l, nil
}

// Close closes the connection.
func (l *Lots) Close() { l.maker.client.Close() }

// Lot records a lot and creates units with an amount of it in each, a part of them in each of several calls. It returns the lot.
func (l *Lots) Lot(units, calls int) (string, error) {
	lot := l.maker.post("/api/lots", map[string]any{
		"material": "bar", "heatNumber": fmt.Sprint(units), "quantity": "1000000000", "unit": "mm", "userId": "bench",
	}).ID
	for range calls {
		l.maker.send(http.MethodPost, "/api/serials", map[string]any{
			"jobId": l.path.JobID, "pathId": l.path.ID, "quantity": units / calls, "lotId": lot, "lotQuantity": "120", "userId": "bench",
		}, nil)
	}
	return lot, l.maker.err
}

// Require makes the first step of the path require parts, material and a certificate.
func (l *Lots) Require() error {
	l.maker.send(http.MethodPut, "/api/steps/"+l.path.StepIDs[0]+"/requirements", map[string]any{
		"components": []string{"Seal"}, "lotRequired": true, "certificateRequired": true, "userId": "bench",
	}, nil)
	return l.maker.err
}

// Install installs an amount of a lot in a random unit of the stock.
func (s *Stock) Install(lot string) Next {
	body := fmt.Sprintf(`{"lotId":%q,"quantity":"1","userId":"op-17"}`, lot)
	return func(caller int) (load.Request, bool) {
		return post("/api/serials/"+s.Any(caller).ID+"/components", body), true
	}
}

package shop

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/routecard/routecard/bench/internal/load"
)

// Measured is a path whose first step requires readings of every unit, or none.
type Measured struct {
	Characteristic string // the first characteristic
	units          []string
	body           string // readings of all characteristics
	next           atomic.Int64
}

// Measure creates a path with the given numbers of characteristics and units, through the interface at a base URL.
func Measure(base string, characteristics, units int) (*Measured, error) {
	client, err := load.Dial(base)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	m := &maker{client: client}
	job := m.post("/api/jobs", map[string]any{"name": "Valve body", "goalQuantity": units}).ID
	path := m.post("/api/paths", map[string]any{
		"jobId": job, "name": "Measured", "goalQuantity": units, "steps": []map[string]any{{"name": "Hone"}, {"name": "Pack"}},
	})
	if m.err != nil {
		return nil, m.err
	}
	demanded := make([]map[string]any, characteristics)
	values := make([]string, characteristics)
	for i := range demanded {
		number := strconv.Itoa(i + 1)
		demanded[i] = map[string]any{"number": number, "name": "Bore", "type": "number", "unit": "mm", "lower": "12.490", "upper": "12.510"}
		values[i] = `{"characteristic":"` + number + `","value":"12.503"}`
	}
	var set struct {
		Characteristics []struct{ ID string }
	}
	m.send(http.MethodPut, "/api/steps/"+path.Steps[0].ID+"/characteristics",
		map[string]any{"characteristics": demanded, "userId": "bench"}, &set)
	var made []struct{ ID string }
	m.send(http.MethodPost, "/api/serials", map[string]any{"jobId": job, "pathId": path.ID, "quantity": units, "userId": "bench"}, &made)
	if m.err != nil {
		return nil, m.err
	}
	measured := &Measured{body: `{"values":[` + strings.Join(values, ",") + `],"userId":"op-17"}`}
	if characteristics > 0 {
		measured.Characteristic = set.Characteristics[0].ID
	}
	for _, unit := range made {
		measured.units = append(measured.units, unit.ID)
	}
	return measured, nil
}

// One records one reading of each unit. After the last unit it has nothing more to send.
func (m *Measured) One() Next {
	var next atomic.Int64
	return func(int) (load.Request, bool) {
		at := int(next.Add(1)) - 1
		if at >= len(m.units) {
			return load.Request{}, false
		}
		// Readings that do not differ have no control limits.
		return post("/api/serials/"+m.units[at]+"/measurements",
			fmt.Sprintf(`{"values":[{"characteristic":"1","value":"12.50%d"}],"userId":"op-17"}`, at%10)), true
	}
}

// All records readings of every characteristic, for one unit after the other.
func (m *Measured) All() Next {
	return func(int) (load.Request, bool) {
		at := int(m.next.Add(1)-1) % len(m.units)
		return post("/api/serials/"+m.units[at]+"/measurements", m.body), true
	}
}

// Chart returns the path of the chart of the first characteristic.
func (m *Measured) Chart() string { return "/api/characteristics/" + m.Characteristic + "/chart" }

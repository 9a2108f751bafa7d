// Package shop creates the shop of the benchmarks, using only the interface, and the requests of a day in it: jobs with paths of many
// steps, operators at the steps, a certificate, and serials spread over all of the paths.
package shop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"

	"github.com/routecard/routecard/bench/internal/load"
)

// Version must change whenever Make creates a different shop for the same Plan.
const Version = 2

// Plan is the size of a shop.
type Plan struct {
	Jobs      int // at least one
	Paths     int // spread over the first jobs; at least two, as every second one is flexible
	Serials   int // spread over the paths; at least as many as paths
	Operators int
}

// PlanFor returns a plan for a number of serials: a thousand jobs, forty operators, and up to 2,500 serials on a path.
func PlanFor(serials int) Plan {
	return Plan{Jobs: 1000, Paths: min(max(serials/500, 4), 400), Serials: serials, Operators: 40}
}

// Layout is the created shop.
type Layout struct {
	CertificateID string `json:"certificateId"` // attached to every serial at its first step
	Paths         []Path `json:"paths"`
}

// Path is a path with the run of serials on it.
type Path struct {
	ID       string   `json:"id"`
	JobID    string   `json:"jobId"`
	Flexible bool     `json:"flexible"`
	StepIDs  []string `json:"stepIds"`
	Serials  []string `json:"serials,omitempty"`
}

// The paths are between 16 and 32 steps long.
const (
	fewestSteps = 16
	stepVariety = 3
	pathsPerJob = 4
)

// pathLength returns the number of steps of the n-th path.
func pathLength(n int) int { return fewestSteps + fewestSteps/2*(n%stepVariety) }

var stepNames = []string{"Saw", "Turn", "Mill", "Drill", "Deburr", "Wash", "Inspect", "Heat treat", "Grind", "Mark", "Pack"}

// Make makes a shop through the interface at a base URL.
func Make(base string, plan Plan) (*Layout, error) {
	client, err := load.Dial(base)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	m := &maker{client: client}
	layout := m.make(plan)
	if m.err != nil {
		return nil, fmt.Errorf("make the shop: %w", m.err)
	}
	return layout, nil
}

// maker stores the first error, and does nothing after it.
type maker struct {
	client *load.Client
	err    error
}

type identified struct {
	ID    string       `json:"id"`
	Steps []identified `json:"steps"`
}

func (m *maker) send(method, path string, body, into any) {
	if m.err != nil {
		return
	}
	var encoded []byte
	if encoded, m.err = json.Marshal(body); m.err != nil {
		return
	}
	var answered bytes.Buffer
	answer, err := m.client.Do(load.Request{Method: method, Path: path, Body: string(encoded)}, &answered)
	switch {
	case err != nil:
		m.err = fmt.Errorf("%s %s: %w", method, path, err)
	case answer.Status != http.StatusOK && answer.Status != http.StatusCreated:
		m.err = fmt.Errorf("%s %s: status %d: %.300s", method, path, answer.Status, answered.Bytes())
	case into != nil:
		if err := json.Unmarshal(answered.Bytes(), into); err != nil {
			m.err = fmt.Errorf("%s %s: %w", method, path, err)
		}
	}
}

func (m *maker) post(path string, body any) (made identified) {
	m.send(http.MethodPost, path, body, &made)
	return made
}

func (m *maker) make(plan Plan) *Layout {
	layout := &Layout{CertificateID: m.post("/api/certs", map[string]any{"type": "material", "name": "3.1 bar stock"}).ID}
	operators := make([]string, plan.Operators)
	for i := range operators {
		operators[i] = m.post("/api/users", map[string]any{"name": fmt.Sprintf("Operator %02d", i)}).ID
	}
	jobs := make([]string, plan.Jobs)
	for i := range jobs {
		jobs[i] = m.post("/api/jobs", map[string]any{
			"name": fmt.Sprintf("Bracket %04d", i), "goalQuantity": 500, "trackerTicketKey": fmt.Sprintf("SHOP-%d", i),
		}).ID
	}
	for i := range plan.Paths {
		if m.err != nil {
			break
		}
		path := m.path(i, jobs[i/pathsPerJob%len(jobs)])
		for n, stepID := range path.StepIDs {
			if len(operators) > 0 && n%2 == 0 {
				m.send(http.MethodPatch, "/api/steps/"+stepID+"/assign", map[string]any{"userId": operators[(i+n)%len(operators)]}, nil)
			}
		}
		path.Serials = m.serials(path, plan.Serials*(i+1)/plan.Paths-plan.Serials*i/plan.Paths, layout.CertificateID)
		layout.Paths = append(layout.Paths, path)
	}
	return layout
}

func (m *maker) path(n int, jobID string) Path {
	flexible := n%2 == 1
	mode := "strict"
	if flexible {
		mode = "flexible"
	}
	steps := make([]map[string]any, pathLength(n))
	for i := range steps {
		steps[i] = map[string]any{
			"name":     fmt.Sprintf("%s %d", stepNames[i%len(stepNames)], i+1),
			"location": fmt.Sprintf("Bay %d", i%12+1), "optional": i%5 == 2,
		}
	}
	made := m.post("/api/paths", map[string]any{
		"jobId": jobID, "name": fmt.Sprintf("Route %d", n+1), "goalQuantity": 500, "advancementMode": mode, "steps": steps,
	})
	path := Path{ID: made.ID, JobID: jobID, Flexible: flexible}
	for _, step := range made.Steps {
		path.StepIDs = append(path.StepIDs, step.ID)
	}
	if m.err == nil && len(path.StepIDs) != len(steps) {
		m.err = fmt.Errorf("path %s was made with %d steps, not %d", made.ID, len(path.StepIDs), len(steps))
	}
	return path
}

// batch is the number of serials that one call creates.
const batch = 10_000

func (m *maker) serials(path Path, quantity int, certificateID string) (ids []string) {
	for quantity > 0 && m.err == nil {
		body := map[string]any{
			"jobId": path.JobID, "pathId": path.ID, "quantity": min(quantity, batch), "certId": certificateID, "userId": "bench",
		}
		var made []identified
		m.send(http.MethodPost, "/api/serials", body, &made)
		for _, serial := range made {
			ids = append(ids, serial.ID)
		}
		quantity -= batch
	}
	return ids
}

// Card is one serial of the shop.
type Card struct {
	ID       string
	Path     *Path
	Position int // the index of the current step after the benchmark's own changes
}

// Stock assigns serials to callers. Each caller has different serials, so that the position of a serial is known without a request.
type Stock struct {
	cards  []Card
	shares []share
}

type share struct {
	cards []*Card
	next  int
}

// NewStock returns the stock of a newly created shop. Serials are in a random order, because work in a shop does not follow the order of
// the numbers. The order is the same in every run.
func NewStock(layout *Layout) *Stock {
	s := &Stock{}
	for i := range layout.Paths {
		path := &layout.Paths[i]
		for _, id := range path.Serials {
			s.cards = append(s.cards, Card{ID: id, Path: path})
		}
	}
	return s
}

// Share distributes the suitable serials among the callers. newest limits the distribution to that many of the newest serials; 0
// distributes all.
func (s *Stock) Share(callers, newest int, suits func(*Card) bool) {
	first := 0
	if newest > 0 {
		first = max(len(s.cards)-newest, 0)
	}
	var dealt []*Card
	for i := range s.cards[first:] {
		if card := &s.cards[first+i]; suits == nil || suits(card) {
			dealt = append(dealt, card)
		}
	}
	random := rand.New(rand.NewPCG(1, uint64(len(dealt))))
	random.Shuffle(len(dealt), func(i, j int) { dealt[i], dealt[j] = dealt[j], dealt[i] })
	s.shares = make([]share, callers)
	for i, card := range dealt {
		to := &s.shares[i%callers]
		to.cards = append(to.cards, card)
	}
}

// Any returns the caller's next serial, at any position.
func (s *Stock) Any(caller int) *Card {
	own := &s.shares[caller]
	card := own.cards[own.next%len(own.cards)]
	own.next++
	return card
}

// Move returns the caller's next serial that can move forward by a number of steps, and updates its position in the stock. from is the
// position before the request. It returns nil if no such serial is left.
func (s *Stock) Move(caller, steps int) (card *Card, from int) {
	own := &s.shares[caller]
	for range own.cards {
		card = own.cards[own.next%len(own.cards)]
		own.next++
		if from = card.Position; from+steps <= len(card.Path.StepIDs) {
			card.Position += steps
			return card, from
		}
	}
	return nil, 0
}

// Left returns the total number of moves with this many steps that the shares still have.
func (s *Stock) Left(steps int) (moves int) {
	for i := range s.shares {
		for _, card := range s.shares[i].cards {
			moves += (len(card.Path.StepIDs) - card.Position) / steps
		}
	}
	return moves
}

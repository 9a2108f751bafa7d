package shop

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"

	"github.com/routecard/routecard/bench/internal/load"
)

// Next makes the requests of callers; see load.Plan.
type Next = func(caller int) (load.Request, bool)

const advanceBody = `{"userId":"op-17"}`

func question(path string) load.Request { return load.Request{Method: http.MethodGet, Path: path} }

func post(path, body string) load.Request {
	return load.Request{Method: http.MethodPost, Path: path, Body: body}
}

// Get repeats a GET of the same path.
func Get(path string) Next {
	return func(int) (load.Request, bool) { return question(path), true }
}

// Advance moves serial after serial one step forward.
func (s *Stock) Advance() Next {
	return func(caller int) (load.Request, bool) {
		card, _ := s.Move(caller, 1)
		if card == nil {
			return load.Request{}, false
		}
		return post("/api/serials/"+card.ID+"/advance", advanceBody), true
	}
}

// AdvanceOnce is Advance with a random Idempotency-Key for each request.
func (s *Stock) AdvanceOnce() Next {
	advance := s.Advance()
	return func(caller int) (load.Request, bool) {
		request, ok := advance(caller)
		request.Key = fmt.Sprintf("%016x-%016x", rand.Uint64(), rand.Uint64()) //nolint:gosec // no secret
		return request, ok
	}
}

// Jump is the number of steps that AdvanceTo moves. It bypasses three steps.
const Jump = 4

// AdvanceTo moves serials of flexible paths over three steps.
func (s *Stock) AdvanceTo() Next {
	return func(caller int) (load.Request, bool) {
		card, from := s.Move(caller, Jump)
		if card == nil {
			return load.Request{}, false
		}
		return post("/api/serials/"+card.ID+"/advance-to",
			`{"targetStepIndex":`+strconv.Itoa(from+Jump)+`,"userId":"op-17"}`), true
	}
}

// OnFlexiblePath reports whether a serial may jump.
func OnFlexiblePath(card *Card) bool { return card.Path.Flexible }

// GetSerial reads serial after serial.
func (s *Stock) GetSerial() Next {
	return func(caller int) (load.Request, bool) { return question("/api/serials/" + s.Any(caller).ID), true }
}

// SignIn signs in again and again.
func SignIn(login, password string) Next {
	body := fmt.Sprintf(`{"login":%q,"password":%q}`, login, password)
	return func(int) (load.Request, bool) { return post("/api/sign-in", body), true }
}

// CreateJob makes job after job.
func CreateJob() Next {
	body := `{"name":"Bearing housing","goalQuantity":250,"trackerTicketKey":"SHOP-417","trackerPriority":"High"}`
	return func(int) (load.Request, bool) { return post("/api/jobs", body), true }
}

// The shares of a mixed shift, in percent.
const (
	shareAdvance  = 70
	shareSerial   = 10
	shareStatuses = 10
	shareNote     = 5 // the remaining requests attach a certificate
)

// MixedShift returns the traffic of forty stations: mostly advances, with some reads, notes and certificates.
func (s *Stock) MixedShift(callers int, certificateID string) Next {
	random := make([]*rand.Rand, callers)
	for i := range random {
		random[i] = rand.New(rand.NewPCG(2, uint64(i)))
	}
	advance := s.Advance()
	return func(caller int) (load.Request, bool) {
		dice := random[caller].IntN(100)
		if dice < shareAdvance {
			return advance(caller)
		}
		card := s.Any(caller)
		switch dice -= shareAdvance; {
		case dice < shareSerial:
			return question("/api/serials/" + card.ID), true
		case dice < shareSerial+shareStatuses:
			return question("/api/serials/" + card.ID + "/step-statuses"), true
		case dice < shareSerial+shareStatuses+shareNote || card.Position >= len(card.Path.StepIDs):
			// A certificate cannot be attached to a completed serial, so it gets a note.
			step := card.Path.StepIDs[min(card.Position, len(card.Path.StepIDs)-1)]
			return post("/api/notes", fmt.Sprintf(`{"jobId":%q,"pathId":%q,"stepId":%q,"serialIds":[%q],`+
				`"text":"Burr on the inner edge, reworked","userId":"op-17"}`, card.Path.JobID, card.Path.ID, step, card.ID)), true
		}
		return post("/api/serials/"+card.ID+"/attach-cert", `{"certId":"`+certificateID+`","userId":"op-17"}`), true
	}
}

// CreateSerials makes a batch of serials on a path.
func CreateSerials(path *Path, quantity int) load.Request {
	return post("/api/serials", fmt.Sprintf(`{"jobId":%q,"pathId":%q,"quantity":%d,"userId":"bench"}`,
		path.JobID, path.ID, quantity))
}

// BatchAdvanceRange moves a run of serials one step forward, all or none.
func BatchAdvanceRange(ids []string) load.Request {
	return post("/api/serials/batch-advance", fmt.Sprintf(`{"ranges":[{"first":%q,"last":%q}],"expectedCount":%d,"userId":"op-17"}`,
		ids[0], ids[len(ids)-1], len(ids)))
}

// BatchAdvanceList moves listed serials one step forward, all or none.
func BatchAdvanceList(ids []string) load.Request {
	return post("/api/serials/batch-advance", `{"serialIds":["`+strings.Join(ids, `","`)+`"],"userId":"op-17"}`)
}

// BatchAdvanceEach moves a run of serials one step forward, except serials that are refused.
func BatchAdvanceEach(ids []string) load.Request {
	return post("/api/serials/batch-advance", fmt.Sprintf(
		`{"ranges":[{"first":%q,"last":%q}],"expectedCount":%d,"onRefusal":"each","userId":"op-17"}`,
		ids[0], ids[len(ids)-1], len(ids)))
}

package selftest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// trial is one test of a claim. After the first failure all its methods do nothing, so that a claim can be written as a plain list of
// steps.
type trial struct {
	ctx  context.Context
	shop *shop
	err  error
}

// answer is a response of the service.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// code returns the code of a refusal.
func (a answer) code() string {
	var refusal struct {
		Code string `json:"code"`
	}
	if json.Unmarshal(a.body, &refusal) != nil {
		return ""
	}
	return refusal.Code
}

func (a answer) String() string {
	const shown = 300
	return fmt.Sprintf("%d %s", a.status, strings.TrimSpace(string(a.body[:min(shown, len(a.body))])))
}

// The methods of requests.
const post, put, get = http.MethodPost, http.MethodPut, http.MethodGet

// answerLimit is the maximum size of a response. The whole trail of the scratch shop is a fraction of it.
const answerLimit = 64 << 20

// send sends a request as a user; who is "" for a request without a session.
func (t *trial) send(who, method, path, body string, header ...string) (got answer) {
	if t.err != nil {
		return answer{}
	}
	request, err := http.NewRequestWithContext(t.ctx, method, t.shop.at.URL()+path, strings.NewReader(body))
	if err != nil {
		t.err = err
		return answer{}
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if who != "" {
		request.Header.Set("Cookie", t.shop.sessions[who])
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := t.shop.client.Do(request)
	if err != nil {
		t.err = err
		return answer{}
	}
	defer response.Body.Close()
	got = answer{status: response.StatusCode, header: response.Header}
	if got.body, err = io.ReadAll(io.LimitReader(response.Body, answerLimit)); err != nil {
		t.err = fmt.Errorf("%s %s: %w", method, path, err)
	}
	return got
}

// do sends a request that must succeed, and decodes the response unless into is nil.
func (t *trial) do(who, method, path, body string, into any, header ...string) answer {
	got := t.send(who, method, path, body, header...)
	switch {
	case t.err != nil:
	case got.status/100 != 2:
		t.err = fmt.Errorf("%s %s by %s answers %s", method, path, orNobody(who), got)
	case into != nil:
		if err := json.Unmarshal(got.body, into); err != nil {
			t.err = fmt.Errorf("%s %s answers %s: %w", method, path, got, err)
		}
	}
	return got
}

// refused sends a request that must be refused with this status and code, and must add nothing to the trail.
func (t *trial) refused(status int, code, who, method, path, body string, header ...string) {
	before := t.newest()
	got := t.send(who, method, path, body, header...)
	if after := t.newest(); t.err == nil {
		switch {
		case got.status != status || got.code() != code:
			t.err = fmt.Errorf("%s %s by %s is not refused with %d %s, and answers %s", method, path, orNobody(who), status, code, got)
		case after != before:
			t.err = fmt.Errorf("%s %s by %s is refused, and the trail has %s after it", method, path, orNobody(who), after)
		}
	}
}

func orNobody(who string) string {
	if who == "" {
		return "nobody"
	}
	return who
}

// wantsf fails the trial if a condition is false.
func (t *trial) wantsf(is bool, format string, args ...any) {
	if t.err == nil && !is {
		t.err = fmt.Errorf(format, args...)
	}
}

// always runs a step even after a failure, because later claims need it.
func (t *trial) always(do func()) {
	found := t.err
	t.err = nil
	do()
	if found != nil {
		t.err = found
	}
}

// entry has the fields of a trail entry that claims check.
type entry struct {
	ID        string         `json:"id"`
	Action    string         `json:"action"`
	UserID    string         `json:"userId"`
	Timestamp string         `json:"timestamp"`
	Means     string         `json:"means"`
	Metadata  map[string]any `json:"metadata"`
}

// newest returns the last entry of the trail.
func (t *trial) newest() string {
	var entries []entry
	t.do(administrator, get, "/api/audit?limit=1", "", &entries)
	if t.err != nil || len(entries) != 1 {
		t.wantsf(false, "the trail has no newest entry")
		return ""
	}
	return entries[0].ID
}

// told returns the entries about a unit.
func (t *trial) told(unit string) (entries []entry) {
	t.do(administrator, get, "/api/audit/serial/"+unit, "", &entries)
	return entries
}

// last returns the last entry about a unit, and requires this action and user.
func (t *trial) last(unit, action, who string) entry {
	entries := t.told(unit)
	if t.err != nil {
		return entry{}
	}
	if len(entries) == 0 {
		t.wantsf(false, "the trail tells nothing of %s", unit)
		return entry{}
	}
	last := entries[len(entries)-1]
	t.wantsf(last.Action == action && last.UserID == who, "the trail tells last of %s: %s by %s, in place of %s by %s",
		unit, last.Action, last.UserID, action, who)
	return last
}

// unit is a unit in a response.
type unit struct {
	ID, Status          string
	CurrentStepIndex    int
	CurrentStepID       string
	OpenDeferredStepIDs []string
	SerialNumber        string
	Certs               []struct{ ID string }
}

// stands requires that a unit has this status and is at this step; -1 if it is at no step any more.
func (t *trial) stands(id string, step int, status string) unit {
	var got unit
	t.do(administrator, get, "/api/serials/"+id, "", &got)
	t.wantsf(got.CurrentStepIndex == step && got.Status == status, "%s is %s at step %d, in place of %s at step %d",
		id, got.Status, got.CurrentStepIndex, status, step)
	return got
}

// body returns an object in JSON.
func body(members map[string]any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(members); err != nil {
		return err.Error() // not an object, so the service refuses it
	}
	return b.String()
}

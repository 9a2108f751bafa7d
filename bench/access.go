package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"strings"

	"github.com/routecard/routecard/bench/internal/shop"
)

const (
	caseOpenAdvance  = "advance, 64 callers, nobody signed in, in turn"
	caseKnownAdvance = "advance, 64 callers, each with a token"
	caseOpenGet      = "get serial, 64 callers, nobody signed in, in turn"
	caseKnownGet     = "get serial, 64 callers, each with a token"
)

// withTokens measures what 64 callers do without and with having to prove who they are, in turn. What that costs does not depend
// on how many serials there are, so the largest databases, which take long to copy, are left out.
func withTokens(r *rig, _ string) (rows []row, err error) {
	if r.data.size > 10*smallSize {
		return nil, nil
	}
	defer func() {
		r.flags = nil
		err = errors.Join(err, r.renew())
	}()
	open := func() error {
		r.flags = []string{"--auth", "off"}
		return r.renew()
	}
	guarded := func() error {
		r.flags = []string{"--auth", "all"}
		if err := r.renew(); err != nil {
			return err
		}
		token, err := r.service.newToken()
		r.service.base = strings.Replace(r.service.base, "://", "://"+token+"@", 1)
		return err
	}
	for _, both := range []struct {
		without, with string
		next          func() shop.Next
	}{
		{caseOpenAdvance, caseKnownAdvance, func() shop.Next { return r.stock.Advance() }},
		{caseOpenGet, caseKnownGet, func() shop.Next { return r.stock.GetSerial() }},
	} {
		measured, err := r.inTurns(way{both.without, open, both.next}, way{both.with, guarded, both.next})
		if err != nil {
			return nil, err
		}
		without, with := &measured[0], &measured[1]
		with.Note = fmt.Sprintf("%.3f of the rate and %.3f times the processor time without", with.PerSecond/without.PerSecond,
			float64(with.CPU)/float64(without.CPU))
		rows = append(rows, measured...)
	}
	return rows, nil
}

// newToken makes the first administrator of a service in which nobody is one, and a token of theirs for the shop's work.
func (m *measured) newToken() (string, error) {
	const before = "/setup?code="
	if !m.server.Stdout.Await(before, m.server.Ended()) {
		return "", errors.New("the service did not say where the first administrator signs in")
	}
	_, code, _ := strings.Cut(m.server.Stdout.String(), before)
	code, _, _ = strings.Cut(code, "\n")
	jar, err := cookiejar.New(nil)
	if err != nil {
		return "", err
	}
	client := &http.Client{Jar: jar}
	const login, password = "bench", "as many as there are callers"
	var user struct{ ID string }
	var made struct{ Token string }
	for _, step := range []struct {
		method, path string
		body, answer any
	}{
		{"POST", "setup", map[string]any{"code": code, "login": login, "name": "Benchmark", "password": password}, &user},
		{"POST", "sign-in", map[string]any{"login": login, "password": password}, nil},
		{"PUT", "users/{id}/account", map[string]any{"login": login, "roles": []string{"admin", "integration"}}, nil},
		{"POST", "users/{id}/tokens", map[string]any{"name": "bench", "permissions": []string{"read", "work", "act-for"}}, &made},
	} {
		err := post(client, step.method, m.base+"/api/"+strings.Replace(step.path, "{id}", user.ID, 1), step.body, step.answer)
		if err != nil {
			return "", err
		}
	}
	return made.Token, nil
}

func post(client *http.Client, method, address string, body, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(method, address, bytes.NewReader(text)) //nolint:noctx // a server on the same machine answers at once
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("%s %s: %s", method, address, response.Status)
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(answer)
}

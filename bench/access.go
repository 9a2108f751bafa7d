package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/routecard/routecard/bench/internal/shop"
)

const (
	caseOpenAdvance  = "advance, 64 callers, nobody signed in, in turn"
	caseKnownAdvance = "advance, 64 callers, each with a token"
	caseOpenGet      = "get serial, 64 callers, nobody signed in, in turn"
	caseKnownGet     = "get serial, 64 callers, each with a token"

	casePerson    = "advance, 64 callers, each with a token of their own"
	caseActFor    = "advance, 64 callers, each with a token for acting for others"
	casePersonGet = "get serial, 64 callers, each with a token of their own"
	caseSignIn    = "sign in, 2 callers"
)

// withTokens measures 64 callers in turns without and with authentication. The cost of authentication does not depend on the number of
// serials, so the largest databases, which take long to copy, are omitted.
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
	guarded := func() error { return r.guarded(true) }
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
		measured[1].compare(&measured[0], "without")
		rows = append(rows, measured...)
	}
	return rows, nil
}

// versions measures this program and an earlier one in turn: advances and reads by callers with tokens, and sign-ins. A caller who acts
// for others names a login with each request.
func versions(r *rig, _ string) (rows []row, err error) {
	if r.before == nil || r.data.size != r.before.data.size || r.data.size > 10*smallSize {
		return nil, nil
	}
	ends := []*rig{r, r.before}
	defer func() {
		for _, of := range ends {
			of.flags = nil
			err = errors.Join(err, of.close())
		}
		err = errors.Join(err, r.renew())
	}()
	advance := func(of *rig) shop.Next { return of.stock.Advance() }
	for _, both := range []struct {
		name    string
		callers int
		actFor  bool
		next    func(of *rig) shop.Next
	}{
		{casePerson, 64, false, advance},
		{caseActFor, 64, true, advance},
		{casePersonGet, 64, false, func(of *rig) shop.Next { return of.stock.GetSerial() }},
		{caseSignIn, 2, false, func(*rig) shop.Next { return shop.SignIn(benchLogin, benchPassword) }},
	} {
		measured := make([]row, len(ends))
		for range turns {
			for i, of := range ends {
				part, err := of.turn(both.name+[]string{"", ", program of -before"}[i], both.callers, both.actFor, both.next)
				if err != nil {
					return nil, err
				}
				measured[i].join(&part)
			}
		}
		measured[0].compare(&measured[1], "before")
		rows = append(rows, measured...)
	}
	return rows, nil
}

// turn measures one turn of a program, which it starts and stops.
func (r *rig) turn(name string, callers int, actFor bool, next func(*rig) shop.Next) (part row, err error) {
	defer func(during time.Duration) { r.during = during }(r.during)
	r.during /= turns
	if err := r.guarded(actFor); err != nil {
		return row{}, err
	}
	r.stock.Share(callers, 0, nil)
	part, err = r.measure(name, callers, http.StatusOK, next(r))
	return part, errors.Join(err, r.close())
}

// benchLogin is the login under which the callers advance serials, and benchPassword its password.
const (
	benchLogin    = "op-17"
	benchPassword = "four lathes and a mill" //nolint:gosec // the database is made for the benchmark
)

// guarded restarts the service with authentication, for callers with a token: of benchLogin, or of a user who may act for them.
func (r *rig) guarded(actFor bool) error {
	r.flags = []string{"--auth", "all"}
	if err := r.renew(); err != nil {
		return err
	}
	token, err := r.service.newToken(r.database(), actFor)
	r.service.base = strings.Replace(r.service.base, "://", "://"+token+"@", 1)
	return err
}

// code returns the setup code for the first administrator. The service writes it to a file; earlier versions printed it.
func (m *measured) code(database string) (string, error) {
	const greeting, before = "First sign-in: ", "/setup?code="
	if !m.server.Stdout.Await("API reference:", m.server.Ended()) || !strings.Contains(m.server.Stdout.String(), greeting) {
		return "", errors.New("the service did not say where the first administrator signs in")
	}
	text := m.server.Stdout.String()
	if !strings.Contains(text, before) {
		told, err := os.ReadFile(strings.TrimSuffix(database, filepath.Ext(database)) + ".first-sign-in")
		if err != nil {
			return "", err
		}
		text = string(told)
	}
	_, code, _ := strings.Cut(text, before)
	code, _, _ = strings.Cut(code, "\n")
	return code, nil
}

// newToken creates the first administrator of a service, and a token for the shop's work: benchLogin's own, or the administrator's, who may
// act for others.
func (m *measured) newToken(database string, actFor bool) (string, error) {
	code, err := m.code(database)
	if err != nil {
		return "", err
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		return "", err
	}
	client := &http.Client{Jar: jar}
	const login, password = "warden", "as many as there are callers"
	var boss, person struct{ ID string }
	var made struct{ Token string }
	type object = map[string]any
	type step struct {
		method, path string
		of           *struct{ ID string } // the record whose identifier is in the path
		body, answer any
	}
	steps := []step{
		{"POST", "setup", &boss, object{"code": code, "login": login, "name": "Benchmark", "password": password}, &boss},
		{"POST", "sign-in", &boss, object{"login": login, "password": password}, nil},
		{"POST", "users", &boss, object{"name": "Seventeen"}, &person},
		{"PUT", "users/{id}/account", &person, object{"login": benchLogin, "roles": []string{"operator"}}, nil},
		{"PUT", "users/{id}/account", &boss, object{"roles": []string{"admin", "integration"}}, nil},
		{"POST", "users/{id}/tokens", &boss, object{"name": "bench", "permissions": []string{"read", "work", "act-for"}}, &made},
	}
	if !actFor {
		const given, own = "given by the warden", benchPassword
		steps = append(steps[:len(steps)-2], []step{
			{"PUT", "users/{id}/password", &person, object{"password": given}, nil},
			{"POST", "sign-in", &person, object{"login": benchLogin, "password": given}, nil},
			{"PUT", "users/{id}/password", &person, object{"password": own, "oldPassword": given}, nil},
			{"POST", "sign-in", &person, object{"login": benchLogin, "password": own}, nil},
			{"POST", "users/{id}/tokens", &person, object{"name": "bench", "permissions": []string{"read", "work"}}, &made},
		}...)
	}
	for _, step := range steps {
		err := post(client, step.method, m.base+"/api/"+strings.Replace(step.path, "{id}", step.of.ID, 1), step.body, step.answer)
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
	request, err := http.NewRequest(method, address, bytes.NewReader(text)) //nolint:noctx // a server on this machine
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

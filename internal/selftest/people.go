package selftest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"time"
)

// The people of the scratch shop, by login.
const (
	administrator = "ruth"
	lead          = "thorwald"
	quality       = "quentin"
	operator      = "orson"
	viewer        = "vivien"
	visitor       = "lorenzo" // the user whose account is locked
)

// patience is the time limit of one response.
const patience = time.Minute

// shop is the scratch shop.
type shop struct {
	at       Installation
	client   *http.Client
	secret   string            // the password of all users, random in each run
	users    map[string]string // identifiers by login
	sessions map[string]string // cookies by login
}

// open creates the accounts and a unit. Each user replaces the initial password, and the accounts of the signers are confirmed.
func open(ctx context.Context, at Installation) (*shop, error) {
	var random [8]byte
	rand.Read(random[:])
	s := &shop{
		at: at, client: &http.Client{Timeout: patience}, secret: "four birds on a wire " + hex.EncodeToString(random[:]),
		users: map[string]string{}, sessions: map[string]string{},
	}
	code, err := at.SetupCode()
	if err != nil {
		return nil, err
	}
	t := &trial{ctx: ctx, shop: s}
	var made struct{ ID string }
	t.do("", post, "/api/setup", body(map[string]any{
		"code": code, "login": administrator, "name": "The administrator", "password": s.secret,
	}), &made)
	s.users[administrator] = made.ID
	t.signIn(administrator, s.secret)
	for _, one := range []struct{ login, role string }{
		{lead, "lead"}, {quality, "quality"}, {operator, "operator"}, {viewer, "viewer"}, {visitor, "operator"},
	} {
		given := t.account(one.login, one.role)
		t.signIn(one.login, given)
		t.do(one.login, put, "/api/users/"+s.users[one.login]+"/password",
			body(map[string]any{"password": s.secret, "oldPassword": given}), nil)
		t.signIn(one.login, s.secret)
	}
	for _, one := range []struct{ whose, by string }{{quality, lead}, {lead, quality}, {operator, quality}} {
		t.do(one.by, post, "/api/users/"+s.users[one.whose]+"/confirm", "", nil)
	}
	t.units(t.plan("strict", step{name: "Turn"}, step{name: "Pack"}), 1) // SN-00001, for the checks after the stop
	return s, t.err
}

// account creates an account with a password that the administrator sets, and returns the password.
func (t *trial) account(login, role string) (given string) {
	var made struct{ ID string }
	given = "handed " + t.shop.secret
	t.do(administrator, post, "/api/users", body(map[string]any{"name": "Somebody in the role " + role}), &made)
	t.shop.users[login] = made.ID
	t.do(administrator, put, "/api/users/"+made.ID+"/account", body(map[string]any{"login": login, "roles": []string{role}}), nil)
	t.do(administrator, put, "/api/users/"+made.ID+"/password", body(map[string]any{"password": given}), nil)
	return given
}

// signIn signs a user in for the following requests.
func (t *trial) signIn(login, secret string) {
	got := t.do("", post, "/api/sign-in", body(map[string]any{"login": login, "password": secret}), nil)
	if t.err != nil {
		return
	}
	cookie, err := http.ParseSetCookie(got.header.Get("Set-Cookie"))
	if err != nil {
		t.err = fmt.Errorf("the sign-in of %s answers no session: %w", login, err)
		return
	}
	t.shop.sessions[login] = cookie.Name + "=" + cookie.Value
}

// step is a step of a path.
type step struct {
	name       string
	dependency string // "" for none
	optional   bool
}

// route is a job with a path.
type route struct {
	job, path string
	steps     []string
}

// plan makes a job with a path of a mode and its steps.
func (t *trial) plan(mode string, steps ...step) (made route) {
	var job struct{ ID string }
	t.do(lead, post, "/api/jobs", body(map[string]any{"name": "Scratch part", "goalQuantity": 10}), &job)
	var listed []map[string]any
	for _, one := range steps {
		members := map[string]any{"name": one.name, "optional": one.optional}
		if one.dependency != "" {
			members["dependencyType"] = one.dependency
		}
		listed = append(listed, members)
	}
	var path struct {
		ID    string
		Steps []struct{ ID string }
	}
	t.do(lead, post, "/api/paths", body(map[string]any{
		"jobId": job.ID, "name": "Main", "goalQuantity": 10, "advancementMode": mode, "steps": listed,
	}), &path)
	made = route{job: job.ID, path: path.ID}
	for _, one := range path.Steps {
		made.steps = append(made.steps, one.ID)
	}
	t.wantsf(len(made.steps) == len(steps), "a path of %d steps has %d", len(steps), len(made.steps))
	if t.err != nil {
		made.steps = make([]string, len(steps)) // the trial has failed, so the remaining steps do nothing
	}
	return made
}

// units makes units on a path.
func (t *trial) units(on route, count int) []string {
	var made []unit
	t.do(lead, post, "/api/serials", body(map[string]any{"jobId": on.job, "pathId": on.path, "quantity": count}), &made)
	t.wantsf(len(made) == count, "%d units were made in place of %d", len(made), count)
	ids := make([]string, count)
	for i := range made {
		if i < count {
			ids[i] = made[i].ID
		}
	}
	return ids
}

// advance advances a unit by one step.
func (t *trial) advance(id string) {
	t.do(operator, post, "/api/serials/"+id+"/advance", "{}", nil)
}

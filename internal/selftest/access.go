package selftest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
)

func identity(t *trial) {
	unit := t.units(t.plan("strict", step{name: "Turn"}), 1)[0]
	t.refused(http.StatusUnauthorized, "authentication_required", "", post, "/api/serials/"+unit+"/advance", `{"userId": "orson"}`)
	t.refused(http.StatusUnauthorized, "authentication_required", "", get, "/api/serials/"+unit, "")
	t.refused(http.StatusUnauthorized, "authentication_required", "", get, "/api/audit", "")
	t.refused(http.StatusUnauthorized, "token_not_valid", "", get, "/api/audit", "", "Authorization", "Bearer rcd_made-up")
	t.refused(http.StatusUnauthorized, "wrong_login_or_password", "", post, "/api/sign-in",
		body(map[string]any{"login": viewer, "password": "not the one"}))
	t.stands(unit, 0, "in_progress")
	t.signIn(viewer, t.shop.secret)
	old := t.shop.sessions[viewer]
	t.do(viewer, post, "/api/sign-out", "", nil)
	t.refused(http.StatusUnauthorized, "authentication_required", "", get, "/api/audit", "", "Cookie", old)
	t.signIn(viewer, t.shop.secret)
}

func roles(t *trial) {
	unit := t.units(t.plan("strict", step{name: "Turn"}, step{name: "Pack"}), 1)[0]
	address := "/api/serials/" + unit
	for _, one := range []struct{ who, method, path, body string }{
		{viewer, post, address + "/advance", "{}"},
		{operator, post, address + "/scrap", `{"reason": "damaged"}`},
		{operator, post, address + "/force-complete", `{"reason": "rush"}`},
		{operator, post, "/api/jobs", `{"name": "x", "goalQuantity": 1}`},
		{quality, post, "/api/jobs", `{"name": "x", "goalQuantity": 1}`},
		{lead, post, "/api/users", `{"name": "x"}`},
		{lead, put, "/api/settings/signatures", `{"scrap": "self"}`},
		{administrator, post, address + "/advance", "{}"},
	} {
		t.refused(http.StatusForbidden, "permission_needed", one.who, one.method, one.path, one.body)
	}
	t.do(viewer, get, address, "", nil)
	t.advance(unit)
	t.do(quality, post, address+"/scrap", `{"reason": "damaged"}`, nil)
	t.stands(unit, 1, "scrapped")
}

func names(t *trial) {
	unit := t.units(t.plan("strict", step{name: "Turn"}, step{name: "Pack"}), 1)[0]
	address := "/api/serials/" + unit
	t.refused(http.StatusForbidden, "may_not_act_for_others", operator, post, address+"/advance",
		body(map[string]any{"userId": quality}))
	t.stands(unit, 0, "in_progress")
	t.do(operator, post, address+"/advance", body(map[string]any{"userId": operator}), nil)
	told := t.last(unit, "serial_advanced", operator)
	t.wantsf(told.Means == "session", "the trail does not tell that somebody with a session did it: %q", told.Means)
}

func givenSecret(t *trial) {
	const login = "newcomer"
	given := t.account(login, "operator")
	unit := t.units(t.plan("strict", step{name: "Turn"}), 1)[0]
	t.signIn(login, given)
	t.refused(http.StatusForbidden, "password_change_needed", login, post, "/api/serials/"+unit+"/advance", "{}")
	t.stands(unit, 0, "in_progress")
	t.do(login, put, "/api/users/"+t.shop.users[login]+"/password",
		body(map[string]any{"password": t.shop.secret, "oldPassword": given}), nil)
	t.signIn(login, t.shop.secret)
	t.do(login, post, "/api/serials/"+unit+"/advance", "{}", nil)
	t.last(unit, "serial_completed", login)
}

// attempts is the number of wrong secrets after which an account is locked.
const attempts = 5

func locked(t *trial) {
	for range attempts {
		t.wrongSecret(http.StatusUnauthorized, "wrong_login_or_password", "not the one")
	}
	t.wrongSecret(http.StatusTooManyRequests, "too_many_attempts", "not the one")
	t.wrongSecret(http.StatusTooManyRequests, "too_many_attempts", t.shop.secret) // the right secret is refused too now
	var entries []entry
	t.do(administrator, get, "/api/audit/search?action=sign_in_locked", "", &entries)
	t.wantsf(len(entries) > 0, "the trail does not tell of the lock")
}

// wrongSecret tries to sign in as the visitor, and requires a refusal.
func (t *trial) wrongSecret(status int, code, secret string) {
	got := t.send("", post, "/api/sign-in", body(map[string]any{"login": visitor, "password": secret}))
	t.wantsf(got.status == status && got.code() == code, "a sign-in is answered %s, in place of %d %s", got, status, code)
}

func signature(t *trial) {
	units := t.units(t.plan("strict", step{name: "Turn"}, step{name: "Pack"}), 2)
	const decision, another = `{"reason":"damaged"}`, `{"reason":"operator_error"}`
	address := "/api/serials/" + units[0] + "/scrap"
	t.do(administrator, put, "/api/settings/signatures", `{"scrap": "second"}`, nil)
	defer t.always(func() { t.do(administrator, put, "/api/settings/signatures", `{"scrap": "none"}`, nil) })
	t.refused(http.StatusForbidden, "signature_needed", lead, post, address, decision)
	first := t.ticket(lead, "responsibility", address, decision)
	t.refused(http.StatusForbidden, "second_signature_needed", lead, post, address, decision, "Signature-Ticket", first)
	second := t.ticket(quality, "approval", address, decision)
	both := []string{"Signature-Ticket", first + ", " + second}
	t.refused(http.StatusForbidden, "signature_ticket_not_valid", lead, post, address, another, both...)
	t.refused(http.StatusForbidden, "signature_ticket_not_valid", lead, post, "/api/serials/"+units[1]+"/scrap", decision, both...)
	got := t.send(quality, post, "/api/signatures", signing("approval", address, decision, "not the secret"))
	t.wantsf(got.status == http.StatusUnauthorized || got.status == http.StatusForbidden,
		"a signature with a wrong secret is answered %s", got)
	t.stands(units[0], 0, "in_progress")
	t.do(lead, post, address, decision, nil, both...)
	t.stands(units[0], 0, "scrapped")
	t.refused(http.StatusForbidden, "signature_ticket_not_valid", lead, post, "/api/serials/"+units[1]+"/scrap", decision, both...)
	var shown []struct {
		PrintedName, Login, Meaning, SignedAt string
		EntryIDs                              []string
	}
	t.do(viewer, get, "/api/serials/"+units[0]+"/signatures", "", &shown)
	t.wantsf(len(shown) == 2, "%s has %d signatures, in place of two", units[0], len(shown))
	var scrapped string
	for _, told := range t.told(units[0]) {
		if told.Action == "serial_scrapped" {
			scrapped = told.ID
		}
	}
	for i, want := range [][2]string{{lead, "responsibility"}, {quality, "approval"}} {
		t.wantsf(i < len(shown) && shown[i].Login == want[0] && shown[i].Meaning == want[1] && shown[i].PrintedName != "" &&
			shown[i].SignedAt != "" && slices.Contains(shown[i].EntryIDs, scrapped),
			"the signatures of %s are %+v, and its entry is %s", units[0], shown, scrapped)
	}
}

// ticket returns a user's ticket for a scrap.
func (t *trial) ticket(who, meaning, target, decision string) string {
	var made struct{ Ticket string }
	t.do(who, post, "/api/signatures", signing(meaning, target, decision, t.shop.secret), &made)
	return made.Ticket
}

// signing returns the body of a request for a ticket. decision must be in the form of RFC 8785.
func signing(meaning, target, decision, secret string) string {
	digest := sha256.Sum256([]byte(decision))
	return body(map[string]any{
		"meaning": meaning, "operation": "scrap", "target": target, "bodySha256": hex.EncodeToString(digest[:]), "password": secret,
	})
}

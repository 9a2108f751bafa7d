package httpapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
)

// TestMeans (docs/access.md, "Names in requests"): every entry of a caller with an identity records how the caller signed in.
func TestMeans(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	s.demand(shop.SignScrap, shop.SignedBySecond)
	unit := s.unit(s.path)
	s.signed(shop.SignScrap, "POST", "/api/serials/"+unit+"/scrap", `{"reason": "damaged"}`)
	session := s.signIn("anna", goodPassword)
	s.ask(201, "POST", "/api/jobs", `{"name": "by session", "goalQuantity": 1}`, session)
	s.token("anna", session, `["read"]`)

	tokens := map[string]string{}
	for _, login := range []string{"anna", "tom"} {
		var listed []struct {
			ID          string
			Permissions []string
		}
		s.reads(s.ask(200, "GET", "/api/users/"+s.users[login]+"/tokens", "", s.tokens[login]), &listed)
		for _, token := range listed {
			if slices.Contains(token.Permissions, "decide") { // the token that the tests use
				tokens[login] = "token:" + token.ID
			}
		}
	}
	told := map[string]int{}
	for i, entry := range s.trail() {
		action, by, means := strings.Trim(string(entry["action"]), `"`), strings.Trim(string(entry["userId"]), `"`), string(entry["means"])
		switch {
		case i == 0: // the first account, created without an identity
			if means != "" {
				t.Errorf("%s by %s: %s", action, by, means)
			}
		case means == "":
			t.Errorf("%s by %s does not say with what", action, by)
		}
		told[fmt.Sprint(action, " ", by, " ", strings.Trim(means, `"`))]++
	}
	for want, count := range map[string]int{
		"serial_scrapped anna " + tokens["anna"]: 1,
		"record_signed anna " + tokens["anna"]:   1,
		"record_signed tom " + tokens["tom"]:     1,
		"job_created anna session":               1,
	} {
		if told[want] != count {
			t.Errorf("%d times %s, want %d: %v", told[want], want, count, told)
		}
	}
	if told["token_created anna session"] == 0 {
		t.Errorf("no token that was made in a session: %v", told)
	}
}

// TestNoMeansInOpenMode: without sign-in, entries have no member "means".
func TestNoMeansInOpenMode(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.Writes)
	g.ask(201, "POST", "/api/users", `{"name": "Kim"}`, g.admin)
	if got := g.ask(200, "GET", "/api/audit?limit=1", "", g.admin); !strings.Contains(got.body, `"means":"`) {
		t.Errorf("with authentication: %s", got.body)
	}
	open := openShop(t, nil)
	open.must(t, 201, "POST", "/api/jobs", `{"name": "j", "goalQuantity": 1, "changedBy": "anna"}`)
	if got := open.must(t, 200, "GET", "/api/audit?limit=1", ""); strings.Contains(got.body, "means") {
		t.Errorf("without: %s", got.body)
	}
}

package httpapi

import (
	"net/http"
	"testing"
)

// TestKeyOfAReleaseStandsForIt releases a hold twice, with different reasons, under one key.
func TestKeyOfAReleaseStandsForIt(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	workshop.makeUnits(t)
	hold := createdID(t, workshop.must(t, http.StatusOK, http.MethodPost, "/api/serials/SN-00001/hold", `{"reason":"Burr","userId":"ann"}`))
	key := [2]string{onceHeader, "release"}
	const target = "/api/serials/SN-00001/release"
	workshop.must(t, http.StatusOK, http.MethodPost, target, `{"holdId":"`+hold+`","reason":"Gone","userId":"ann"}`, key)
	workshop.must(t, http.StatusUnprocessableEntity, http.MethodPost, target, `{"holdId":"`+hold+`","reason":"Ground off","userId":"ann"}`, key)
}

// A key belongs to its caller: another caller with the same key is not refused and does not get the stored response. A caller whose role
// was removed does not get it again either.
func TestKeyBelongsToItsCaller(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	target, key := "/api/serials/"+s.unit(s.path)+"/hold", [2]string{onceHeader, "hold"}
	hold := func(login, reason string) answered {
		return s.ask(http.StatusOK, http.MethodPost, target, `{"reason": "`+reason+`"}`, s.tokens[login], key)
	}
	first := hold("anna", "crack")
	if other := hold("tom", "burr"); other.header.Get(replayedHeader) != "" || other.body == first.body {
		t.Errorf("tom hears %s", other.body)
	}
	if again := hold("anna", "crack"); again.header.Get(replayedHeader) != "true" || again.body != first.body {
		t.Errorf("anna hears %s", again.body)
	}
	s.ask(http.StatusOK, http.MethodPut, "/api/users/"+s.users["anna"]+"/account", `{"roles": ["viewer"]}`, s.boss())
	s.refused(http.StatusForbidden, "This needs the permission work", http.MethodPost, target, `{"reason": "crack"}`, s.tokens["anna"], key)
}

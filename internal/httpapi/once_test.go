package httpapi

import (
	"net/http"
	"testing"
)

// TestKeyOfAReleaseStandsForIt releases a hold twice, in different words, under one key.
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

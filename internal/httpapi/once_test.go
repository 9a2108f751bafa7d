package httpapi

import (
	"net/http"
	"testing"
)

// TestKeyOfAReleaseStandsForIt releases a hold twice, in different words, under one key.
func TestKeyOfAReleaseStandsForIt(t *testing.T) {
	t.Parallel()
	shop := openShop(t, nil)
	shop.makeUnits(t)
	hold := createdID(t, shop.must(t, http.StatusOK, http.MethodPost, "/api/serials/SN-00001/hold", `{"reason":"Burr","userId":"ann"}`))
	key := [2]string{onceHeader, "release"}
	const target = "/api/serials/SN-00001/release"
	shop.must(t, http.StatusOK, http.MethodPost, target, `{"holdId":"`+hold+`","reason":"Gone","userId":"ann"}`, key)
	shop.must(t, http.StatusUnprocessableEntity, http.MethodPost, target, `{"holdId":"`+hold+`","reason":"Ground off","userId":"ann"}`, key)
}

package shop_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// docs/ledger.md, "Contents by their hashes": a person's contents are the same as before kinds of accounts existed; a service account's
// differ.
func TestContentsOfAccounts(t *testing.T) {
	t.Parallel()
	user := shop.User{ID: "user_1", Name: "Ann", Active: true, CreatedAt: 7, Login: "ann", Roles: []string{"lead"}, Salt: "salt"}
	sum := sha256.Sum256([]byte(`{"active":true,"createdAt":"1970-01-01T00:00:00.007Z","department":"","id":"user_1","login":"ann",` +
		`"name":"Ann","roles":["lead"],"salt":"salt"}`))
	person := trail.ContentsSHA256(hex.EncodeToString(sum[:]))
	if got := user.Contents(); got != person {
		t.Errorf("a person: %s, want %s", got, person)
	}
	user.Kind = shop.Program
	if user.Contents() == person {
		t.Error("a program has the contents of a person")
	}
}

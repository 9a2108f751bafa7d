package shop_test

import (
	"slices"
	"testing"

	"github.com/routecard/routecard/shop"
)

// TestOperationsAreWhole checks that the rows of the table of operations agree with each other.
func TestOperationsAreWhole(t *testing.T) {
	t.Parallel()
	known := append(shop.Permissions(), shop.Anyone, shop.Arrived, shop.SignedIn, shop.Entering)
	var seen []shop.Operation
	for _, operation := range shop.Operations() {
		if slices.Contains(seen, operation) {
			t.Errorf("%s has two rows", operation)
		}
		seen = append(seen, operation)
		if !operation.Known() || operation.Subject() == "" {
			t.Errorf("%s is about nothing", operation)
		}
		if !slices.Contains(known, operation.Permission()) {
			t.Errorf("%s needs %q, which is no permission", operation, operation.Permission())
		}
		// A signer of an operation may call it, under any of its names.
		if signed := operation.Signed(); signed != "" && signed.Permission() != operation.Permission() {
			t.Errorf("%s needs %s, and who signs it %s", operation, operation.Permission(), signed.Permission())
		}
		if operation.Many() && operation.Subject() != shop.AboutUnit {
			t.Errorf("%s is done with many, and is not about a unit", operation)
		}
	}
	if none := shop.Operation("nothing"); none.Known() || none.Permission() != "" {
		t.Errorf("an operation that does not exist needs %q", none.Permission())
	}
}

// TestSignedOperations lists the operations of the policy in order, and the permissions that signers need.
func TestSignedOperations(t *testing.T) {
	t.Parallel()
	want := []shop.SignedOperation{
		shop.SignScrap, shop.SignForceComplete, shop.SignWaive, shop.SignOverride, shop.SignRelease, shop.SignDisposition,
		shop.SignUndo, shop.SignRework, shop.SignBOMEdit, shop.SignLotExpiry, shop.SignPathUpdate,
		shop.SignSubstitute, shop.SignConformance, shop.SignFirstArticle, shop.SignAccounts,
	}
	if got := shop.SignedOperations(); !slices.Equal(got, want) {
		t.Errorf("%v can be signed, want %v", got, want)
	}
	for _, operation := range want {
		permission := shop.Decide
		switch operation {
		case shop.SignUndo:
			permission = shop.Work
		case shop.SignBOMEdit, shop.SignPathUpdate:
			permission = shop.Plan
		case shop.SignAccounts:
			permission = shop.Admin
		}
		if got := operation.Permission(); got != permission {
			t.Errorf("who signs %s needs %s, want %s", operation, got, permission)
		}
	}
}

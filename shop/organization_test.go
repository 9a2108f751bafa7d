package shop_test

import (
	"reflect"
	"testing"

	"github.com/routecard/routecard/shop"
)

// docs/ledger.md, "What is compared with the trail": Every stored field of the organization is part of its contents.
func TestContentsOfTheOrganization(t *testing.T) {
	t.Parallel()
	none := shop.Organization{ID: shop.OrganizationID}
	for i := range reflect.TypeFor[shop.Organization]().NumField() {
		changed := none
		reflect.ValueOf(&changed).Elem().Field(i).SetString("x")
		if name := reflect.TypeFor[shop.Organization]().Field(i).Name; (changed.Contents() == none.Contents()) != (name == "ID") {
			t.Errorf("%s is in the contents: %t", name, name == "ID")
		}
	}
}

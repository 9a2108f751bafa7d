package web

import (
	"net/url"
	"reflect"
	"testing"

	"github.com/routecard/routecard/shop"
)

// TestForm reads every kind of field as it is filled in, and as it is when nobody touched it.
func TestForm(t *testing.T) {
	t.Parallel()
	type stepsInput struct {
		Name     shop.TextInput   `field:"name"`
		Quantity shop.NumberInput `field:"quantity" form:"pieces"`
		Inner    struct {
			Hold shop.FlagInput `field:"hold"`
		}
		Roles  shop.TextsInput `field:"roles" form:"role"`
		Hidden shop.TextsInput `field:"hidden" form:"-"`
		Steps  shop.StepsInput `field:"steps"`
	}
	form := formOf[stepsInput]()
	filled := stepsInput{Name: shop.Given(" Saw "), Quantity: shop.Given(5.0), Roles: shop.GivenTexts("a", "b")}
	filled.Inner.Hold = shop.Given(true)
	untouched := stepsInput{Name: shop.Given(""), Roles: shop.GivenTexts()}
	untouched.Inner.Hold = shop.Given(false)
	wrong := stepsInput{Quantity: shop.WholeNumber("0x1p2"), Roles: shop.GivenTexts()}
	wrong.Inner.Hold = shop.Given(false)
	for posted, want := range map[string]stepsInput{
		"name=+Saw+&pieces=+5+&hold=on&role=a&role=b&hidden=x&steps=y&quantity=7&roles=z": filled,
		"name=&pieces=": untouched,
		"pieces=0x1p2":  wrong, "pieces=1.000": wrong, "pieces=1,000": wrong, "pieces=1+000": wrong, "pieces=1e2": wrong, "pieces=000815": wrong,
	} {
		values, err := url.ParseQuery(posted)
		if err != nil {
			t.Fatal(err)
		}
		if got := form.read(values); !reflect.DeepEqual(got, want) {
			t.Errorf("%s was read as %+v, want %+v", posted, got, want)
		}
	}
}

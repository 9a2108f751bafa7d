package site

import (
	"net/url"
	"reflect"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// TestForm reads every kind of field: once filled in, and once left unchanged.
func TestForm(t *testing.T) {
	t.Parallel()
	type stepsInput struct {
		Name     input.TextInput   `field:"name"`
		Quantity input.NumberInput `field:"quantity" form:"pieces"`
		Inner    struct {
			Hold input.FlagInput `field:"hold"`
		}
		Roles  input.TextsInput `field:"roles" form:"role"`
		Hidden input.TextsInput `field:"hidden" form:"-"`
		Steps  shop.StepsInput  `field:"steps"`
	}
	form := FormOf[stepsInput]()
	filled := stepsInput{Name: input.Given(" Saw "), Quantity: input.Given(5.0), Roles: input.GivenTexts("a", "b")}
	filled.Inner.Hold = input.Given(true)
	untouched := stepsInput{Name: input.Given(""), Roles: input.GivenTexts()}
	untouched.Inner.Hold = input.Given(false)
	wrong := stepsInput{Quantity: input.WholeNumber("0x1p2"), Roles: input.GivenTexts()}
	wrong.Inner.Hold = input.Given(false)
	for posted, want := range map[string]stepsInput{
		"name=+Saw+&pieces=+5+&hold=on&role=a&role=b&hidden=x&steps=y&quantity=7&roles=z": filled,
		"name=&pieces=": untouched,
		"pieces=0x1p2":  wrong, "pieces=1.000": wrong, "pieces=1,000": wrong, "pieces=1+000": wrong, "pieces=1e2": wrong, "pieces=000815": wrong,
	} {
		values, err := url.ParseQuery(posted)
		if err != nil {
			t.Fatal(err)
		}
		if got := form.Read(values); !reflect.DeepEqual(got, want) {
			t.Errorf("%s was read as %+v, want %+v", posted, got, want)
		}
	}
}

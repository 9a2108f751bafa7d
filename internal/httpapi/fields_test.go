package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// one is an input with a field of any type.
type one[T any] struct {
	Field input.Input[T] `field:"field"`
}

// fieldOf decodes one field of a body, by any name.
func fieldOf[T any](b body, name string) input.Input[T] {
	fields := input.FieldsOf(reflect.TypeFor[one[T]](), shop.Identifies, "field")
	fields[0].Name = name
	var in one[T]
	decodeFields(b, fields, reflect.ValueOf(&in).Elem())
	return in.Field
}

// TestDecoder fills an input that has structs, lists of objects and an object.
func TestDecoder(t *testing.T) {
	t.Parallel()
	decoder := newDecoder[shop.BatchScrapInput]()
	in := decoder.decode(body(`{"reason": 5, "r\u0065ason": "damaged", "serialIds": ["SN-1", null], "explanation": null, "Reason": "other",
		"ranges": [{"first": "SN-2", "last": 3, "x": {"first": 1}}, null, "SN-3"], "where": {"status": "scrapped", "jobId": true},
		"dryRun": true, "told": 1, "expectedStepIndex": 2, "expectedCount": "2", "userId": "a\"b"}`))
	want := shop.BatchScrapInput{
		BatchInput: shop.BatchInput{
			Selection: shop.SelectionInput{
				SerialIDs: input.Given([]input.TextInput{input.Given("SN-1"), input.Null[string]()}),
				Ranges: input.Given([]input.Input[shop.RangeInput]{
					input.Given(shop.RangeInput{First: input.Given("SN-2"), Last: input.Mistyped[string]()}),
					input.Null[shop.RangeInput](), input.Mistyped[shop.RangeInput](),
				}),
				Where:         input.Given(shop.FilterInput{Status: input.Given("scrapped"), JobID: input.Mistyped[string]()}),
				ExpectedCount: input.Mistyped[float64](),
			},
			DryRun: input.Given(true),
		},
		ScrapSerialInput: shop.ScrapSerialInput{
			ExpectedStepIndex: input.Given(2.0), Reason: input.Given("damaged"), Explanation: input.Null[string](), UserID: input.Given(`a"b`),
		},
	}
	if !reflect.DeepEqual(in, want) {
		t.Errorf("read %+v,\nwant %+v", in, want)
	}
	for _, nothing := range []body{nil, body(`{}`), body(`{"reasons": 1}`)} {
		if in := decoder.decode(nothing); !reflect.DeepEqual(in, shop.BatchScrapInput{}) {
			t.Errorf("%s was read as %+v", nothing, in)
		}
	}
}

// TestUnknownInputDoesNotStart makes handlers with inputs that cannot be decoded.
func TestUnknownInputDoesNotStart(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func() handler{
		"a field with numbers of another kind": func() handler {
			return create(http.StatusOK, func(*shop.Service, context.Context, one[int]) (any, error) { return nil, nil })
		},
		"a list of what is no input": func() handler {
			return create(http.StatusOK, func(*shop.Service, context.Context, one[[]string]) (any, error) { return nil, nil })
		},
		"a field in the items of a list": func() handler {
			return create(http.StatusOK, func(*shop.Service, context.Context, one[[]input.Input[one[int]]]) (any, error) { return nil, nil })
		},
		"a field without a name": func() handler {
			return create(http.StatusOK, func(*shop.Service, context.Context, struct{ Name input.TextInput }) (any, error) { return nil, nil })
		},
		"two fields with one name": func() handler {
			return change(http.StatusOK, func(*shop.Service, context.Context, string, struct {
				One one[string]
				Two one[string]
			}) (any, error) {
				return nil, nil
			})
		},
		"a field that no input has": func() handler {
			return change(http.StatusOK, func(*shop.Service, context.Context, string, struct {
				Quantity int `field:"quantity"`
			}) (any, error) {
				return nil, nil
			})
		},
		"a parameter that is a list": func() handler {
			return ask(func(*shop.Service, context.Context, struct {
				IDs []string `query:"ids"`
			}) (any, error) {
				return nil, nil
			})
		},
		"a parameter without a name": func() handler {
			return ask(func(*shop.Service, context.Context, struct{ Limit int }) (any, error) { return nil, nil })
		},
		"an operation that returns a list": func() handler {
			return read(func(*shop.Service, context.Context, string) ([]shop.Job, error) { return nil, nil })
		},
		"an operation that returns a page": func() handler {
			return ask(func(*shop.Service, context.Context, struct{}) (shop.HoldPage, error) { return shop.HoldPage{}, nil })
		},
		"a method of what the server does not know": func() handler {
			return show(func(*strings.Reader, context.Context) (any, error) { return nil, nil })
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s starts", name)
				}
			}()
			make()
		}()
	}
}

func BenchmarkDecode(b *testing.B) {
	var units strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&units, `"SN-%05d",`, i)
	}
	steps := strings.TrimSuffix(strings.Repeat(`{"name":"Saw","location":"Hall 2","optional":true},`, 30), ",")
	b.Run("advance", benchmarkDecode[shop.AdvanceSerialInput](`{"expectedStepIndex":3,"userId":"usr_01J8ZQ4K7M"}`))
	b.Run("batch", benchmarkDecode[shop.BatchAdvanceInput](`{"serialIds":[`+strings.TrimSuffix(units.String(), ",")+
		`],"onRefusal":"each","expectedStepIndex":3,"userId":"usr_01J8ZQ4K7M"}`))
	b.Run("path", benchmarkDecode[shop.CreatePathInput](`{"jobId":"job_1","name":"Main","goalQuantity":5,"advancementMode":"flexible","steps":[`+
		steps+`]}`))
}

func benchmarkDecode[In any](text string) func(b *testing.B) {
	return func(b *testing.B) {
		decoder, sent := newDecoder[In](), body(text)
		b.ReportAllocs()
		for b.Loop() {
			decoder.decode(sent)
		}
	}
}

package shop_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/routecard/routecard/shop"
	"pgregory.net/rapid"
)

// A range counts own numbers if one of its ends is an own number. An unclear range is never guessed.
func TestKindsOfRanges(t *testing.T) {
	t.Parallel()
	id, short, number := shop.RangeEnd{ID: true}, shop.RangeEnd{Short: true}, shop.RangeEnd{Number: true}
	both := shop.RangeEnd{Short: true, Number: true}
	for _, row := range []struct {
		first, last shop.RangeEnd
		want        shop.RangeKind
	}{
		{id, id, shop.IDRange}, {id, short, shop.IDRange}, {short, short, shop.IDRange}, {id, both, shop.IDRange},
		{number, number, shop.NumberRanges}, {number, both, shop.NumberRanges}, {number, id, shop.NumberRanges}, {id, number, shop.NumberRanges},
		{both, both, shop.EitherRange}, {number, short, shop.UnclearRange}, {short, number, shop.UnclearRange},
		{number, shop.RangeEnd{}, shop.UnclearRange}, {shop.RangeEnd{}, id, shop.UnclearRange},
	} {
		if got := shop.RangeOf(row.first, row.last); got != row.want {
			t.Errorf("%+v to %+v: %s, want %s", row.first, row.last, got, row.want)
		}
	}
}

func TestCountedRanges(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		first, last string
		want        string // "" if the range cannot be counted
	}{
		{"RG-1", "RG-3", "[RG-1 RG-2 RG-3]"}, {"RG-9", "RG-11", "[RG-9 RG-10 RG-11]"}, {"RG-08", "RG-10", "[RG-08 RG-09 RG-10]"},
		{"RG-99", "RG-101", "[RG-99 RG-100 RG-101]"}, {"RG-099", "RG-101", "[RG-099 RG-100 RG-101]"}, {"7", "7", "[7]"}, {"A, 1", "A, 2", "[A, 1 A, 2]"},
		{"RG-5", "RG-4", "[]"}, {"RG-10", "RG-9", "[]"}, {"RG-1", "rg-3", ""}, {"RG-1", "RH-3", ""}, {"RG-A", "RG-B", ""}, {"RG-01", "RG-2", ""},
		{"RG-1", "RG-03", ""}, {"RG-1A", "RG-3A", ""}, {"RG-1", "RG-", ""}, {"1", "999999999999999", "[]"},
		{"X00000000000000000001", "X00000000000000000003", "[X00000000000000000001 X00000000000000000002 X00000000000000000003]"},
	} {
		counted, ok := shop.CountRange(row.first, row.last)
		numbers, _ := counted.Numbers()
		if got := fmt.Sprint(numbers); ok != (row.want != "") || ok && got != row.want {
			t.Errorf("%s to %s: %s, %v, want %s", row.first, row.last, got, ok, row.want)
		}
	}
}

// Ranges of generated numbers are counted the way the numbers were generated.
func TestCountedAsNumbered(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		prefix := rapid.SampledFrom([]string{"", "RG-", "A ", "X9-"}).Draw(t, "prefix")
		first, count, digits := rapid.Int64Range(1, 2000).Draw(t, "first"), rapid.Int64Range(1, 300).Draw(t, "count"), rapid.IntRange(1, 6).Draw(t, "digits")
		var want []string
		for i := range count {
			want = append(want, fmt.Sprintf("%s%0*d", prefix, digits, first+i))
		}
		counted, ok := shop.CountRange(want[0], want[count-1])
		if got, few := counted.Numbers(); !ok || !few || !slices.Equal(got, want) {
			t.Fatalf("%v are counted as %v, %v", want, got, ok)
		}
	})
}

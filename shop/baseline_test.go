package shop_test

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/spc"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// freezing returns the input of Freeze Control Limits for the readings of a period.
func freezing(from, to ident.Timestamp) shop.BaselineInput {
	return shop.BaselineInput{
		From: shoptest.Given(from.String()), To: shoptest.Given(to.String()), Reason: shoptest.Given("study"), UserID: shoptest.Given("ann"),
	}
}

// Limits are computed from the readings of a period that count in a chart, and do not change when those readings change.
func TestFreezeLimits(t *testing.T) {
	t.Parallel()
	b := newBench(t, card.Flexible, "Hone", "Pack")
	ctx := t.Context()
	b.measures(0, shop.CharacteristicInput{Type: shoptest.Given("pass_fail"), Required: input.Given(false)})
	units := b.Units(t, b.path, 8)
	b.Tick()
	b.measure(units[7], "1", "pass") // while it was not a number
	b.measures(0, shoptest.Between("1", "20"), shop.CharacteristicInput{Type: shoptest.Given("text"), Required: input.Given(false)})
	set := shoptest.Must(b.Characteristics(ctx, b.path.Steps[0].ID)).Characteristics
	id := set[0].ID
	var made []card.Measurement
	read := func(unit int, value input.Written) card.Measurement {
		b.Tick()
		made = append(made, b.measure(units[unit], "1", value)[0])
		return made[len(made)-1]
	}
	read(0, "99") // measured again, so that the first reading does not count
	first := read(0, "10")
	read(1, "12")
	last := read(2, "11")
	void := read(3, "19")
	shoptest.Must(b.VoidMeasurement(ctx, void.ID, shop.VoidInput{Reason: b.by, UserID: b.by}))
	later := read(4, "18")
	frozen := shoptest.Must(b.FreezeLimits(ctx, id, freezing(0, later.MeasuredAt-1)))
	want := spc.Limits{Lower: 11 - 3*1.5/1.128379167096, Centre: 11, Upper: 11 + 3*1.5/1.128379167096}
	if frozen.N != 3 || frozen.FirstReadingID != first.ID || frozen.LastReadingID != last.ID || frozen.Rules != spc.WesternElectric ||
		frozen.Subgroup != 1 || frozen.CharacteristicID != id || frozen.StepID != b.path.Steps[0].ID || frozen.FrozenBy != "ann" ||
		math.Abs(frozen.Limits.Upper-want.Upper) > 1e-9 || math.Abs(frozen.Limits.Lower-want.Lower) > 1e-9 || frozen.Limits.Centre != 11 ||
		frozen.Spread.Centre != 1.5 {
		t.Errorf("frozen is %+v", frozen)
	}
	for _, id := range []string{first.ID, made[0].ID} {
		shoptest.Must(b.VoidMeasurement(ctx, id, shop.VoidInput{Reason: b.by, UserID: b.by}))
	}
	b.Tick()
	by2 := freezing(0, later.MeasuredAt)
	by2.Subgroup, by2.Rules = shoptest.Number(1), shoptest.Given("nelson")
	second := shoptest.Must(b.FreezeLimits(ctx, id, by2))
	if second.Rules != spc.Nelson || second.N != 3 || second.LastReadingID != later.ID {
		t.Errorf("frozen next is %+v", second)
	}
	if kept := shoptest.Must(b.Baselines(ctx, id)); !slices.Equal(kept, []shop.Baseline{frozen, second}) {
		t.Errorf("kept is %+v", kept)
	}
	for _, row := range []struct {
		name   string
		id     string
		change func(*shop.BaselineInput)
		want   string
	}{
		{"no characteristic", "char_x", func(*shop.BaselineInput) {}, "Characteristic not found: char_x"},
		{"a text", set[1].ID, func(in *shop.BaselineInput) { in.From = input.TextInput{} }, "Only characteristics of type number have charts"},
		{"no from", id, func(in *shop.BaselineInput) { in.From = input.TextInput{} }, "from is required"},
		{"no time", id, func(in *shop.BaselineInput) { in.To = shoptest.Given("soon") }, "to must be a time (ISO 8601)"},
		{"backwards", id, func(in *shop.BaselineInput) { in.To = shoptest.Given("1960-01-01T00:00:00Z") }, "to must not end before it begins"},
		{"half a subgroup", id, func(in *shop.BaselineInput) { in.Subgroup = shoptest.Number(1.5) }, "subgroup must be an integer from 1 to 10"},
		{"no subgroup", id, func(in *shop.BaselineInput) { in.Subgroup = shoptest.Number(0) }, "subgroup must be an integer from 1 to 10"},
		{"a large subgroup", id, func(in *shop.BaselineInput) { in.Subgroup = shoptest.Number(1e300) }, "subgroup must be an integer from 1 to 10"},
		{"no rules", id, func(in *shop.BaselineInput) { in.Rules = shoptest.Given("all") }, "rules must be one of: western_electric, nelson"},
		{"no reason", id, func(in *shop.BaselineInput) { in.Reason = shoptest.Given(" ") }, "reason is required"},
		{"nobody", id, func(in *shop.BaselineInput) { in.UserID = input.TextInput{} }, "userId is required"},
		{"one point", id, func(in *shop.BaselineInput) { in.Subgroup = shoptest.Number(2) }, "No control limits follow from the readings between from and to: 3"},
		{"nothing", id, func(in *shop.BaselineInput) { in.To = in.From }, "No control limits follow from the readings between from and to: 0"},
	} {
		in := freezing(0, later.MeasuredAt)
		row.change(&in)
		if _, err := b.FreezeLimits(ctx, row.id, in); err == nil || err.Error() != row.want {
			t.Errorf("%s: %v, want %s", row.name, err, row.want)
		}
	}
	alike := []card.Measurement{read(5, "7"), read(6, "7.0")}
	if _, err := b.FreezeLimits(ctx, id, freezing(alike[0].MeasuredAt, alike[1].MeasuredAt)); err == nil {
		t.Error("limits follow from readings that are all alike")
	}
	b.verified()
}

// All fields of a baseline are part of its hashed contents.
func TestContentsOfBaseline(t *testing.T) {
	t.Parallel()
	whole := shop.Baseline{}
	fields := reflect.ValueOf(&whole).Elem()
	for i := range fields.NumField() {
		changed := whole
		switch field := reflect.ValueOf(&changed).Elem().Field(i); field.Kind() {
		case reflect.String:
			field.SetString("x")
		case reflect.Int, reflect.Int64:
			field.SetInt(int64(time.Second))
		case reflect.Struct:
			field.Field(2).SetFloat(1.25)
		default:
			t.Fatalf("%s is a %v", fields.Type().Field(i).Name, field.Kind())
		}
		if changed.Contents() == whole.Contents() {
			t.Errorf("%s is not among the contents", fields.Type().Field(i).Name)
		}
	}
}

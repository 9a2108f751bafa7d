package importing_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
)

// rowsOf returns the rows of a file, filled by functions.
func rowsOf[In any](kind *importing.Kind, fill ...func(*In)) func() iter.Seq2[importing.Row, error] {
	return func() iter.Seq2[importing.Row, error] {
		return func(yield func(importing.Row, error) bool) {
			for i := range fill {
				in, _ := kind.New().(*In)
				fill[i](in)
				if !yield(importing.Row{Row: i + 2, In: in}, nil) {
					return
				}
			}
		}
	}
}

func kindCalled(name string) *importing.Kind {
	kinds := importing.Kinds()
	return &kinds[slices.IndexFunc(kinds, func(k importing.Kind) bool { return k.Name == name })]
}

// toldOf formats the result of an import, including its refusals.
func toldOf(result importing.Result) string {
	text := fmt.Sprintf("%d rows, %d created, %d updated, %d unchanged", result.Rows, result.Created, result.Updated, result.Unchanged)
	for _, row := range result.Refused {
		text += fmt.Sprintf("\n%d %s: %v", row.Row, row.Column, row.Err)
	}
	return text
}

// A trial in parts, each of which is rolled back, has the same result as a trial at once and as the import.
func TestTrialInPartsTellsTheSame(t *testing.T) {
	t.Parallel()
	job := func(key, part string, goal float64, numbers ...string) func(*importing.JobInput) {
		return func(in *importing.JobInput) {
			in.ExternalID, in.Name, in.GoalQuantity = shoptest.Given(key), shoptest.Given("Valve"), shoptest.Number(goal)
			in.PartNumber, in.Template = shoptest.Given(part), shoptest.Given("Turned")
			in.SerialNumbers = input.GivenTexts(numbers...)
		}
	}
	user := func(name string) func(*importing.UserInput) {
		return func(in *importing.UserInput) { in.Name = shoptest.Given(name) }
	}
	lot := func(key, number, material string, quantity string) func(*importing.LotInput) {
		return func(in *importing.LotInput) {
			in.ExternalID, in.LotNumber, in.Material, in.UserID = shoptest.Given(key), shoptest.Given(number), shoptest.Given(material), shoptest.Given("ann")
			in.Quantity, in.Unit = input.Given(input.Written(quantity)), shoptest.Given("kg")
		}
	}
	component := func(parent, unit, lot, quantity, place string) func(*importing.ComponentInput) {
		return func(in *importing.ComponentInput) {
			in.SerialID, in.InstalledBy, in.Place = shoptest.Given(parent), shoptest.Given("ann"), shoptest.Given(place)
			if unit != "" {
				in.ComponentSerialID = shoptest.Given(unit)
			}
			if lot != "" {
				in.LotNumber, in.Quantity = shoptest.Given(lot), input.Given(input.Written(quantity))
			}
		}
	}
	sent := func(key, supplier, unit string) func(*importing.ShipmentInput) {
		return func(in *importing.ShipmentInput) {
			in.ExternalID, in.Supplier, in.SerialID, in.UserID = shoptest.Given(key), shoptest.Given(supplier), shoptest.Given(unit), shoptest.Given("ann")
		}
	}
	for _, c := range []struct {
		kind string
		rows func() iter.Seq2[importing.Row, error]
		want string
	}{
		{"jobs", rowsOf(kindCalled("jobs"),
			job("1", "P", 5, "A", "B"), job("2", "P", 5, "C"), job("1", "P", 5, "A", "B"), job("3", "P", 5, "B", "D"), job("2", "P", 6, "C"),
			job("4", "P", 0, "E"), job("4", "P", 0, "E"), job("5", "Q", 5, "A")),
			"8 rows, 3 created, 0 updated, 1 unchanged"},
		{"users", rowsOf(kindCalled("users"), user("Ann"), user("Bob"), user("Ann"), user(""), user("Bob")),
			"5 rows, 2 created, 0 updated, 2 unchanged"},
		{"lots", rowsOf(kindCalled("lots"),
			lot("1", "A", "bar", "5"), lot("", "A", "bar", "5"), lot("2", "B", "bar", "6"), lot("2", "B", "bar", "7"), lot("1", "A", "bar", "5"),
			lot("", "C", "rod", "1"), lot("", "C", "rod", "1"), lot("3", "C", "rod", "1"), lot("", "STOCK", "bar", "10"), lot("", "STOCK", "bar", "11")),
			"10 rows, 3 created, 0 updated, 3 unchanged"},
		{"components", rowsOf(kindCalled("components"),
			component("SN-00001", "SN-00004", "", "", ""), component("SN-00001", "", "STOCK", "6", "left"),
			component("SN-00002", "", "STOCK", "6", ""), component("SN-00002", "", "STOCK", "4", ""), component("SN-00003", "", "STOCK", "4", ""),
			component("SN-00002", "SN-00004", "", "", ""), component("SN-00001", "SN-00004", "", "", ""),
			component("SN-00003", "", "STOCK", "0.1", "top"), component("SN-00001", "", "STOCK", "6", "left")),
			"9 rows, 3 created, 0 updated, 2 unchanged"},
		{"shipments", rowsOf(kindCalled("shipments"),
			sent("1", "P", "SN-00001"), sent("1", "P", "SN-00002"), sent("1", "P", "SN-00001"), sent("2", "P", "SN-00002"), sent("2", "P", "SN-00003"),
			sent("1", "P", "SN-00001"), sent("3", "P", "SN-00003"), sent("4", "P", "SN-00003"), sent("5", "P", "SN-00004")),
			"9 rows, 2 created, 0 updated, 1 unchanged"},
	} {
		var told []string
		for _, how := range []struct {
			part int64
			try  bool
		}{{shop.WorkLimit, true}, {1, true}, {1, false}, {shop.WorkLimit, false}} {
			s := shoptest.Open(t)
			shoptest.Must(s.CreateTemplate(t.Context(), shop.CreateTemplateInput{
				Name: shoptest.Given("Turned"), Steps: shop.TemplateSteps(shoptest.StepsCalled("Saw", "Turn")),
			}))
			stock(t, s)
			in := importing.Input{Rows: c.rows, OnRefusal: shoptest.Given("each"), DryRun: input.Given(how.try)}
			told = append(told, toldOf(shoptest.Must(importing.Import(t.Context(), s.Service, kindCalled(c.kind), in.InParts(how.part)))))
		}
		for _, other := range told[1:] {
			if diff := cmp.Diff(told[0], other); diff != "" {
				t.Error(c.kind, diff)
			}
		}
		if len(told[0]) < len(c.want) || told[0][:len(c.want)] != c.want {
			t.Error(c.kind, told[0])
		}
	}
}

// stock adds a lot of 10 kg and four units: three at a step with outside work, the last one completed.
func stock(t *testing.T, s *shoptest.Shop) {
	t.Helper()
	ctx := t.Context()
	shoptest.Must(s.CreateLot(ctx, shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{Material: shoptest.Given("bar"), LotNumber: shoptest.Given("STOCK")},
		Quantity:       input.Given(input.Written("10")), Unit: shoptest.Given("kg"), UserID: shoptest.Given("ann"),
	}))
	path := s.Route(t, card.Strict, "Plate")
	shoptest.Must(s.SetRequirements(ctx, path.Steps[0].ID, shop.SetRequirementsInput{
		RequirementsInput: shop.RequirementsInput{Outside: input.Given(shop.OutsideInput{Process: shoptest.Given("Plate")})},
		UserID:            shoptest.Given("pia"),
	}))
	units := s.Units(t, path, 4)
	shoptest.Must(s.ForceComplete(ctx, units[3], shop.ForceCompleteInput{UserID: shoptest.Given("ann")}))
}

// The rows of a file create at most a hundred thousand units.
func TestUnitsOfAFile(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	shoptest.Must(s.CreateTemplate(t.Context(), shop.CreateTemplateInput{
		Name: shoptest.Given("Turned"), Steps: shop.TemplateSteps(shoptest.StepsCalled("Saw")),
	}))
	job := func(units float64) func(*importing.JobInput) {
		return func(in *importing.JobInput) {
			in.Name, in.GoalQuantity = shoptest.Given("Valve"), shoptest.Number(1)
			in.Template, in.Units = shoptest.Given("Turned"), shoptest.Number(units)
		}
	}
	rows := rowsOf(kindCalled("jobs"), job(2), job(100_000), job(100_001), job(3))
	for _, policy := range []string{"none", "each"} {
		for _, part := range []int64{shop.WorkLimit, 1} {
			in := importing.Input{Rows: rows, OnRefusal: shoptest.Given(policy), DryRun: input.Given(true)}
			created := map[string]int{"each": 2}[policy]
			want := fmt.Sprintf("4 rows, %d created, 0 updated, 0 unchanged\n"+
				"3 units: units must make at most 100000 units in a file, and the rows before this one make 2: put the row into another file\n"+
				"4 units: units must be at most 100000", created)
			if diff := cmp.Diff(want, toldOf(shoptest.Must(importing.Import(t.Context(), s.Service, kindCalled("jobs"), in.InParts(part))))); diff != "" {
				t.Error(policy, part, diff)
			}
		}
	}
}

// workedStore has transactions with more work than SQLite allows, as on PostgreSQL.
type workedStore struct{ sqlstore.Store }

func (s workedStore) Update(ctx context.Context, change func(shop.Tx) error, options ...shop.UpdateOption) error {
	return s.Store.Update(ctx, func(tx shop.Tx) error { return change(workedTx{tx}) }, options...)
}

type workedTx struct{ shop.Tx }

func (workedTx) Work() int64 { return shop.WorkLimit + 1 }

// An import in one transaction imports all rows of the file, whatever work a store allows.
func TestImportOfAllTakesEveryRow(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	s.Store = workedStore{s.Store}
	s.Another()
	user := func(name string) func(*importing.UserInput) {
		return func(in *importing.UserInput) { in.Name = shoptest.Given(name) }
	}
	rows := rowsOf(kindCalled("users"), user("Ann"), user("Bob"), user("Cid"))
	for _, dryRun := range []bool{true, false} {
		in := importing.Input{Rows: rows, OnRefusal: shoptest.Given("none"), DryRun: input.Given(dryRun)}
		want := "3 rows, 3 created, 0 updated, 0 unchanged"
		if diff := cmp.Diff(want, toldOf(shoptest.Must(importing.Import(t.Context(), s.Service, kindCalled("users"), in)))); diff != "" {
			t.Error(dryRun, diff)
		}
	}
}

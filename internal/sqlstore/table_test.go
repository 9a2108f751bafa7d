package sqlstore

import (
	"errors"
	"slices"
	"testing"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/migrations"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// tablesRead returns the sorted names of the tables that statements read, according to the programs that SQLite compiles for them.
func tablesRead(t *testing.T, store *SQLite, statements []string) (read []string) {
	t.Helper()
	for _, statement := range statements {
		result, err := store.db.QueryContext(t.Context(), "EXPLAIN "+unnumbered(statement), "")
		must(t, err)
		var pages []int64
		for result.Next() {
			var opcode string
			var page int64
			var other any
			must(t, result.Scan(&other, &opcode, &other, &page, &other, &other, &other, &other))
			if opcode == "OpenRead" {
				pages = append(pages, page)
			}
		}
		must(t, errors.Join(result.Err(), result.Close()))
		for _, page := range pages {
			table, err := db.One(connection(t, store), db.Scalar[string], `SELECT tbl_name FROM sqlite_schema WHERE rootpage = $1`, page)
			must(t, err)
			read = append(read, table)
		}
	}
	slices.Sort(read)
	return slices.Compact(read)
}

// Cards depend on exactly the tables that their statements read. Four are exceptions: certificates and the parents of
// lots never change, the paths of a job change
// when the job is closed or reopened, and the lines of a receipt change when the receipt gets a certificate.
func TestCardTables(t *testing.T) {
	t.Parallel()
	workshop := newTracedShop(t)
	workshop.makeSerials(workshop.path, 1, workshop.cert)
	ctx, id, by := t.Context(), "SN-00001", input.Given("ann")
	must(t, ran(workshop.AdvanceToStep(ctx, id, shop.AdvanceToStepInput{TargetStepIndex: input.Given(2.0), UserID: by})))
	must(t, ran(workshop.CreateOverrides(ctx, id, shop.CreateOverridesInput{
		SerialIDs: input.GivenTexts(id), StepID: input.Given(workshop.path.Steps[3].ID), Reason: by, UserID: by,
	})))
	must(t, ran(workshop.HoldSerial(ctx, id, shop.HoldSerialInput{Reason: by, UserID: by})))
	must(t, ran(workshop.SetCharacteristics(ctx, workshop.path.Steps[0].ID, shop.SetCharacteristicsInput{
		Characteristics: input.Given([]input.Input[shop.CharacteristicInput]{input.Given(shop.CharacteristicInput{
			Number: input.Given[input.Written]("1"), Name: by, Type: input.Given("text"),
		})}), UserID: by,
	})))
	cards := workshop.store.cards
	cards.forgetAll()
	cards.end()
	workshop.store.pathCache = db.NewPathCache()
	cards.pathCache = workshop.store.pathCache
	read := tablesRead(t, workshop.store, workshop.count(func() error { return ran(workshop.detail(id)) }))
	said := []string{"certificate", "job", "lot", "receipt_certificate"}
	for _, table := range migrations.Tables {
		if table.Cards != migrations.NoCard {
			said = append(said, table.Name)
		}
	}
	slices.Sort(said)
	if !slices.Equal(read, said) {
		t.Errorf("read are %s, and said to be %s", read, said)
	}
}

// Each kind of record is stored in the table that it declares, and each table declares the kind of its rows.
func TestTablesOfRecords(t *testing.T) {
	t.Parallel()
	kinds := map[ident.RecordKind]string{"": ""}
	for _, record := range shop.Records() {
		kinds[record.Kind] = record.Table
		if record.Table == "" {
			continue
		}
		row := slices.IndexFunc(migrations.Tables, func(t migrations.Table) bool { return t.Name == record.Table })
		if row < 0 || kinds[migrations.Tables[row].Of] != record.Table {
			t.Errorf("a %s is kept in %s, which says otherwise", record.Kind, record.Table)
		}
	}
	for _, table := range migrations.Tables {
		if _, known := kinds[table.Of]; !known {
			t.Errorf("%s has rows of a kind that there is not: %s", table.Name, table.Of)
		}
	}
}

package wording

import (
	"slices"
	"testing"

	"github.com/routecard/routecard/shop/importing"
)

// TestColumnWords checks that every possible column has a label, and that the labels of a kind differ.
func TestColumnWords(t *testing.T) {
	t.Parallel()
	for _, kind := range importing.Kinds() {
		said := map[string]string{}
		for _, column := range ColumnChoices(&kind) {
			words := ColumnCalled(nil, kind.Name, column)
			if words == column {
				t.Errorf("a column of %s has no words: %s", kind.Name, column)
			}
			if other := said[words]; other != "" {
				t.Errorf("%s and %s of %s are both called %q", column, other, kind.Name, words)
			}
			said[words] = column
		}
	}
}

// TestProposedColumns checks the columns that are proposed for headings from real spreadsheets.
func TestProposedColumns(t *testing.T) {
	t.Parallel()
	kinds := map[string]*importing.Kind{}
	for _, kind := range importing.Kinds() {
		kinds[kind.Name] = &kind
	}
	for _, of := range []struct {
		kind         string
		names, wants []string
	}{
		{
			"jobs",
			[]string{"Works order", "Part", "Rev", "Description", "Qty", "Due", "Customer", "Customer order", "Routing", "Remarks"},
			[]string{"externalId", "partNumber", "partRevision", "description", "goalQuantity", "dueDate", "customer", "orderNumber", "template", ""},
		},
		{
			"jobs",
			[]string{"Auftrags-Nr.", "Artikelnummer", "Index", "Bezeichnung", "Menge", "Liefertermin", "Kunde", "Bestellnr.", "Arbeitsplan"},
			[]string{"externalId", "partNumber", "partRevision", "name", "goalQuantity", "dueDate", "customer", "orderNumber", "template"},
		},
		{"jobs", []string{"Order #", "PO", "Part no.", "Prio"}, []string{"orderNumber", "", "partNumber", "priority"}},
		{"users", []string{"Mitarbeiter", "Abteilung", "Telefon"}, []string{"name", "department", ""}},
		{"serials", []string{"Serial No.", "SN"}, []string{"serialNumber", ""}}, // only one of them can have the column
		{
			"lots", []string{"Charge", "Schmelze", "Lieferant", "Menge", "Material"},
			[]string{"lotNumber", "heatNumber", "supplier", "quantity", "material"},
		},
	} {
		taken := map[string]bool{"": true}
		for i, name := range of.names {
			got := Proposed(name, kinds[of.kind], taken)
			taken[got] = true
			if got != of.wants[i] {
				t.Errorf("%q of %s is taken for %q, want %q", name, of.kind, got, of.wants[i])
			}
		}
	}
	for column := range columnNames {
		if !slices.ContainsFunc(importing.Kinds(), func(kind importing.Kind) bool { return ColumnCalled(nil, kind.Name, column) != column }) {
			t.Errorf("%s is no column", column)
		}
	}
}

package as9102_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/thedatashed/xlsxreader"

	"github.com/routecard/routecard/internal/as9102"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/firstarticle"
)

// inspected is a first article with a text in each field, as the place that the standard gives it.
func inspected() *shop.FirstArticle {
	f := &shop.FirstArticle{
		ID: "FAI-00001", Status: shop.FirstArticleApproved, Kind: firstarticle.Partial, Baseline: "FAI-00000", Reason: "New revision",
	}
	put := func(form, row, field int) {
		f.Fields = append(f.Fields, firstarticle.Field{
			Form: form, Row: row, Field: field, Text: fmt.Sprintf("text %d.%d.%d", form, row, field), Typed: field == 6,
		})
	}
	for _, field := range as9102.Common() {
		put(1, 0, field.Number)
	}
	for _, form := range as9102.Forms() {
		for _, line := range append(form.Head, form.Foot...) {
			for _, field := range line {
				put(form.Number, 0, field.Number)
			}
		}
		for row := 1; row <= 2; row++ {
			for _, field := range form.Columns {
				put(form.Number, row, field.Number)
			}
		}
	}
	return f
}

// Another program reads the workbook: on the sheet of each form, each field has its text below its number and name, and the lines have the
// fields of the standard's form.
func TestWorkbookHasTheFieldsInTheirPlaces(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	f := inspected()
	if err := as9102.Workbook(&file, f, true); err != nil {
		t.Fatal(err)
	}
	book, err := xlsxreader.NewReader(file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for sheet, want := range map[string][]string{
		"Form 1": {
			"1 2 3 4", "5 6 7 8", "9 10 11 12", "13 14", "15 16 17 18", "19", "20 21", "22 23", "24 25", "26",
		},
		"Form 2": {"1 2 3 4", "5 6 7 8 9 10 11 12 13"},
		"Form 3": {"1 2 3 4", "5 6 7 8 9 10 11 12"},
	} {
		form := strings.TrimPrefix(sheet, "Form ")
		rows := map[int]map[string]string{} // texts by row and column
		for row := range book.ReadRows(sheet) {
			if row.Error != nil {
				t.Fatal(row.Error)
			}
			rows[row.Index] = map[string]string{}
			for _, cell := range row.Cells {
				rows[row.Index][cell.Column] = cell.Value
			}
		}
		var lines []string
		for at := 1; at <= len(rows); at++ {
			var numbers []string
			for column := 'A'; column <= 'Z'; column++ {
				var number int
				if n, _ := fmt.Sscanf(rows[at][string(column)], "%d. ", &number); n == 0 {
					continue
				}
				numbers = append(numbers, fmt.Sprint(number))
				of := form
				if number < 5 {
					of = "1"
				}
				for below := 1; below <= 2; below++ {
					text, isTable := rows[at+below][string(column)], number >= 15 && number <= 18 || form != "1" && number >= 5
					name := fmt.Sprintf("text %s.0.%d", of, number)
					if isTable {
						name = fmt.Sprintf("text %s.%d.%d", of, below, number)
					}
					if number == 14 {
						name = "Partial first article, baseline FAI-00000. Reason: New revision"
					}
					if number == 17 {
						name = strings.ToUpper(name[:1]) + name[1:]
					}
					if (below == 1 || isTable) && text != name && text != name+" *" {
						t.Errorf("%s, row %d, below %s%d: %q, want %q", sheet, at+below, string(column), at, text, name)
					}
				}
			}
			if numbers != nil {
				lines = append(lines, strings.Join(numbers, " "))
			}
		}
		if fmt.Sprint(lines) != fmt.Sprint(want) {
			t.Errorf("%s has the lines %q, want %q", sheet, lines, want)
		}
	}
}

// A page shows the words that the service chose in its language, and typed texts and data as they are.
func TestShown(t *testing.T) {
	t.Parallel()
	f := &shop.FirstArticle{Kind: firstarticle.Full, Reason: "Yes"}
	german, found := lang.Find(lang.Languages(), "de")
	if !found {
		t.Fatal("no German")
	}
	for _, one := range []struct {
		field          firstarticle.Field
		english, there string
	}{
		{firstarticle.Field{Form: 1, Field: 13, Text: "Detail"}, "Detail", "Einzelteil"},
		{firstarticle.Field{Form: 1, Field: 13, Text: "Assembly"}, "Assembly", "Baugruppe"},
		{firstarticle.Field{Form: 1, Field: 14, Text: "x"}, "Full first article. Reason: Yes", "Vollständiges Erstmuster. Grund: Yes"},
		{firstarticle.Field{Form: 1, Row: 1, Field: 17, Text: "sub_assembly"}, "Sub assembly", "Unterbaugruppe"},
		{firstarticle.Field{Form: 1, Row: 1, Field: 17, Text: "cots"}, "Commercial off-the-shelf", "Handelsware"},
		{firstarticle.Field{Form: 1, Field: 19, Text: "Yes: NCR-00001"}, "Yes: NCR-00001", "Ja: NCR-00001"},
		{firstarticle.Field{Form: 2, Row: 1, Field: 8, Text: "Customer furnished"}, "Customer furnished", "Vom Kunden beigestellt"},
		{firstarticle.Field{Form: 2, Row: 1, Field: 9, Text: "No"}, "No", "Nein"},
		{firstarticle.Field{Form: 3, Row: 1, Field: 9, Text: "Accepted"}, "Accepted", "Angenommen"},
		{firstarticle.Field{Form: 3, Row: 1, Field: 9, Text: "A: 1: Accepted; B: Rejected; C: 1.5"}, "A: 1: Accepted; B: Rejected; C: 1.5", "A: 1: Angenommen; B: Beanstandet; C: 1.5"},
		{firstarticle.Field{Form: 3, Row: 1, Field: 9, Text: "Accepted", Typed: true}, "Accepted", "Accepted"},
		{firstarticle.Field{Form: 3, Row: 1, Field: 8, Text: "Yes"}, "Yes", "Yes"},
	} {
		if got := as9102.Shown(lang.English(), f, one.field); got != one.english {
			t.Errorf("%s in English: %q, want %q", one.field.Name(), got, one.english)
		}
		if got := as9102.Shown(german, f, one.field); got != one.there {
			t.Errorf("%s in German: %q, want %q", one.field.Name(), got, one.there)
		}
	}
}

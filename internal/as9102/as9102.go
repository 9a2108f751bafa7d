// Package as9102 lays out a first article inspection as the three forms of AS9102 Rev C, with the numbers of their fields.
package as9102

import (
	"fmt"
	"io"
	"slices"

	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/firstarticle"
)

// NotSigned is printed on papers without electronic signatures.
const NotSigned lang.Text = "Not signed electronically"

// Field is a field of a form by its number.
type Field struct {
	Number int
	Label  lang.Text // as the standard has it; the pages translate it
	Wide   int       // quarters of the form's width, for a field that is not in a column
}

// Form is the layout of one form. Every form begins with the fields 1 to 4 of form 1.
type Form struct {
	Number  int
	Title   lang.Text
	Head    [][]Field // the lines below the common fields
	Columns []Field   // of the rows
	Foot    [][]Field // the lines below the rows
}

// Common returns the first fields of every form.
func Common() []Field {
	return []Field{{1, "Part number", 1}, {2, "Part name", 1}, {3, "Serial number", 1}, {4, "FAIR identifier", 1}}
}

// Forms returns the three forms.
func Forms() []Form {
	return []Form{
		{
			1, "Part Number Accountability",
			[][]Field{
				{{5, "Part revision level", 1}, {6, "Drawing number", 1}, {7, "Drawing revision level", 1}, {8, "Additional changes", 1}},
				{
					{9, "Manufacturing process reference", 1}, {10, "Organization name", 1}, {11, "Supplier code", 1},
					{12, "Purchase order number", 1},
				},
				{{13, "Detail or assembly", 1}, {14, "Full or partial FAI, baseline, reason", 3}},
			},
			[]Field{{15, "Part number", 0}, {16, "Part name", 0}, {17, "Part type", 0}, {18, "FAIR identifier", 0}},
			[][]Field{
				{{19, "FAI contains a documented nonconformance", 4}},
				{{20, "FAIR verified by", 3}, {21, "Date", 1}},
				{{22, "FAIR reviewed and approved by", 3}, {23, "Date", 1}},
				{{24, "Customer approval", 3}, {25, "Date", 1}},
				{{26, "Comments", 4}},
			},
		},
		{
			2, "Product Accountability - Materials, Special Processes and Functional Testing", nil,
			[]Field{
				{5, "Material or process name", 0}, {6, "Specification number", 0}, {7, "Code", 0}, {8, "Supplier", 0},
				{9, "Customer approval verification", 0}, {10, "Certificate of conformance number", 0},
				{11, "Functional test procedure number", 0}, {12, "Acceptance report number", 0}, {13, "Comments", 0},
			}, nil,
		},
		{
			3, "Characteristic Accountability, Verification and Compatibility Evaluation", nil,
			[]Field{
				{5, "Char. no.", 0}, {6, "Reference location", 0}, {7, "Characteristic designator", 0}, {8, "Requirement", 0},
				{9, "Results", 0}, {10, "Designed or qualified tooling", 0}, {11, "Nonconformance number", 0},
				{12, "Additional data and comments", 0},
			}, nil,
		},
	}
}

// columns is the width of all forms in columns, and width that of a column.
const (
	columns  = 18
	width    = 9
	quarters = 4 // see Field.Wide
)

// Workbook writes the forms of a first article inspection as a workbook. signed says whether its verification and approval, as far as they
// were made, are signed electronically. The same inspection gives the same bytes.
func Workbook(to io.Writer, f *shop.FirstArticle, signed bool) error {
	texts := map[string]string{}
	rows := map[int]int{}
	for i := range f.Fields {
		field := &f.Fields[i]
		text := Shown(lang.English(), f, *field)
		if field.Typed {
			text += " *"
		}
		texts[field.Name()] = text
		rows[field.Form] = max(rows[field.Form], field.Row)
	}
	for _, missing := range f.Missing {
		rows[missing.Form] = max(rows[missing.Form], missing.Row)
	}
	var sheets []sheet.Form
	for _, form := range Forms() {
		b := &building{texts: texts, form: form.Number}
		title := fmt.Sprintf("AS9102 Rev C, Form %d: %s", form.Number, form.Title) // not a text: the standard is in English
		b.row(sheet.Box{Text: title, Style: sheet.Title, Wide: columns})
		b.row(sheet.Box{Text: state(f, signed), Style: sheet.Remark, Wide: columns})
		b.boxes(1, Common())
		for _, line := range form.Head {
			b.boxes(form.Number, line)
		}
		b.table(form.Columns, rows[form.Number])
		for _, line := range form.Foot {
			b.boxes(form.Number, line)
		}
		const remark = "* typed, not filled from records" // not a text: as the title
		b.row(sheet.Box{Text: remark, Style: sheet.Remark, Wide: columns})
		sheets = append(sheets, sheet.Form{
			Name: fmt.Sprintf("Form %d", form.Number), Widths: slices.Repeat([]int{width}, columns), Rows: b.rows,
		})
	}
	return sheet.WriteForms(to, sheets)
}

// state returns the line below the title of a form.
func state(f *shop.FirstArticle, signed bool) string {
	text := fmt.Sprintf("%s, %s", f.ID, f.Status)
	if f.Voided() {
		text += ", voided"
	}
	if f.SHA256 != "" {
		text += ", content SHA-256 " + f.SHA256 // not a text: of the workbook
	}
	if f.Status != shop.FirstArticleDraft && !signed {
		text += ". " + string(NotSigned) // not a text: of the workbook
	}
	return text
}

// building builds the rows of a sheet.
type building struct {
	texts map[string]string
	form  int
	rows  [][]sheet.Box
}

func (b *building) row(boxes ...sheet.Box) { b.rows = append(b.rows, boxes) }

// spread divides the columns among the boxes of a table.
func spread(boxes []sheet.Box) []sheet.Box {
	for i := range boxes {
		boxes[i].Wide = columns*(i+1)/len(boxes) - columns*i/len(boxes)
	}
	return boxes
}

// label returns the box with the number and the name of a field.
func label(field Field) sheet.Box {
	return sheet.Box{Text: fmt.Sprintf("%d. %s", field.Number, field.Label), Style: sheet.Label}
}

func (b *building) text(form, row, field int) sheet.Box {
	place := firstarticle.Missing{Form: form, Row: row, Field: field}
	return sheet.Box{Text: b.texts[place.Name()]}
}

// boxes adds fields next to each other, each with its label above it.
func (b *building) boxes(form int, fields []Field) {
	labels, texts := make([]sheet.Box, len(fields)), make([]sheet.Box, len(fields))
	for i, field := range fields {
		labels[i], texts[i] = label(field), b.text(form, 0, field.Number)
	}
	before := 0
	for i, field := range fields {
		wide := columns*(before+field.Wide)/quarters - columns*before/quarters
		labels[i].Wide, texts[i].Wide = wide, wide
		before += field.Wide
	}
	b.row(labels...)
	b.row(texts...)
}

// table adds the rows of a form, one that is empty if it has none.
func (b *building) table(fields []Field, rows int) {
	labels := make([]sheet.Box, len(fields))
	for i, field := range fields {
		labels[i] = label(field)
	}
	b.row(spread(labels)...)
	for row := 1; row <= max(rows, 1); row++ {
		texts := make([]sheet.Box, len(fields))
		for i, field := range fields {
			if texts[i] = b.text(b.form, row, field.Number); rows == 0 {
				texts[i].Text = firstarticle.NotApplicable
			}
		}
		b.row(spread(texts)...)
	}
}

package sheet

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Form is a sheet that is filled like a printed form: boxes of different widths below each other. It is printed on A4, across, as wide as a
// page.
type Form struct {
	Name   string
	Widths []int // of the columns, in characters
	Rows   [][]Box
}

// Box is a cell of a form. Its text is always a text cell, which no program interprets as a formula, and wraps.
type Box struct {
	Text  string
	Style BoxStyle
	Wide  int // the number of columns; 0 for 1
}

// BoxStyle is the print style of a box.
type BoxStyle int

// The styles of boxes.
const (
	Plain  BoxStyle = iota // with a border
	Label                  // bold, with a border
	Title                  // bold, without a border
	Remark                 // without a border
)

// WriteForms writes forms as an Office Open XML workbook (.xlsx), one on each sheet. The same forms give the same bytes. The names of the
// forms must be different and suitable for sheets.
func WriteForms(to io.Writer, forms []Form) error {
	archive := zip.NewWriter(to)
	put := func(name, text string) error {
		part, err := archive.Create(name)
		if err == nil {
			_, err = io.WriteString(part, xmlHead+text)
		}
		return err
	}
	var types, sheets, relations strings.Builder
	for i := range forms {
		name := fmt.Sprintf("sheet%d", i+1)
		if err := put("xl/worksheets/"+name+".xml", forms[i].xml()); err != nil {
			return err
		}
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/%s.xml" ContentType="%s.worksheet+xml"/>`, name, spreadsheetType)
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="%s"/>`, appendXML(nil, forms[i].Name), i+1, name)
		fmt.Fprintf(&relations, `<Relationship Id="%s" Type="%s/worksheet" Target="worksheets/%s.xml"/>`, name, relationSpace, name)
	}
	for _, part := range packageParts(formStyles, types.String(), sheets.String(), relations.String()) {
		if err := put(part[0], part[1]); err != nil {
			return err
		}
	}
	return archive.Close()
}

// xml returns the worksheet of a form.
func (f *Form) xml() string {
	var b, merged strings.Builder
	b.WriteString(`<worksheet xmlns="` + mainSpace + `"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><cols>`)
	for i, width := range f.Widths {
		fmt.Fprintf(&b, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, i+1, i+1, width)
	}
	b.WriteString(`</cols><sheetData>`)
	merges := 0
	for r, row := range f.Rows {
		fmt.Fprintf(&b, `<row r="%d" ht="%d" customHeight="1">`, r+1, f.height(row))
		column := 0
		for i := range row {
			box := &row[i]
			wide := max(box.Wide, 1)
			if wide > 1 {
				merges++
				fmt.Fprintf(&merged, `<mergeCell ref="%s:%s"/>`, place(column, r), place(column+wide-1, r))
			}
			for part := range wide {
				if part > 0 || box.Text == "" {
					fmt.Fprintf(&b, `<c r="%s" s="%d"/>`, place(column+part, r), box.Style+1)
					continue
				}
				fmt.Fprintf(&b, `<c r="%s" s="%d" t="inlineStr"><is><t xml:space="preserve">%s</t></is></c>`, place(column, r), box.Style+1,
					appendXML(nil, fitting(box.Text)))
			}
			column += wide
		}
		b.WriteString(`</row>`)
	}
	b.WriteString(`</sheetData>`)
	if merges > 0 {
		fmt.Fprintf(&b, `<mergeCells count="%d">%s</mergeCells>`, merges, merged.String())
	}
	b.WriteString(`<pageMargins left="0.4" right="0.4" top="0.4" bottom="0.4" header="0.2" footer="0.2"/>` +
		`<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/></worksheet>`)
	return b.String()
}

// Heights in points. Programs do not fit the height of a row to merged cells, and have no higher rows than maxHeight.
const (
	lineHeight = 13
	padding    = 2
	maxHeight  = 409
)

// height returns the height of a row in which the text of each box fits.
func (f *Form) height(row []Box) int {
	most, column := 1, 0
	for i := range row {
		box, characters := &row[i], 0
		for range max(box.Wide, 1) {
			if column < len(f.Widths) {
				characters += f.Widths[column]
			}
			column++
		}
		if box.Style == Plain || box.Style == Label {
			most = max(most, lines(box.Text, characters, box.Style == Label))
		}
	}
	return min(most*lineHeight+padding, maxHeight)
}

// lines returns the number of lines of a text that wraps between words. It counts a wide letter as two characters, and assumes that letters
// are narrower than digits, which are the unit of widths, unless they are bold.
func lines(text string, characters int, bold bool) (count int) {
	if !bold {
		characters = characters * 11 / 10
	}
	characters = max(characters, 1)
	for paragraph := range strings.SplitSeq(text, "\n") {
		count++
		used := 0
		for word := range strings.FieldsSeq(paragraph) {
			length := utf8.RuneCountInString(word)
			for _, letter := range word {
				if letter >= firstWide {
					length++
				}
			}
			if used > 0 && used+1+length > characters {
				count, used = count+1, 0
			}
			if used > 0 {
				used++
			}
			used += length
			for ; used > characters; used -= characters {
				count++
			}
		}
	}
	return count
}

// firstWide is the first letter that is as wide as two others: scripts of Asia begin there.
const firstWide = '\u1100'

// place returns the name of a cell, such as B7. Forms have at most 26 columns.
func place(column, row int) string { return fmt.Sprintf("%c%d", 'A'+column, row+1) }

// formStyles has the styles of boxes, in the order of BoxStyle, after the style of cells that are not in a box.
const formStyles = `<styleSheet xmlns="` + mainSpace + `">` +
	`<fonts count="2"><font><sz val="10"/><name val="Calibri"/></font><font><b/><sz val="10"/><name val="Calibri"/></font></fonts>` +
	`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
	`<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left style="thin"/><right style="thin"/>` +
	`<top style="thin"/><bottom style="thin"/><diagonal/></border></borders>` +
	`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
	`<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
	`<xf numFmtId="49" fontId="0" fillId="0" borderId="1" xfId="0" applyNumberFormat="1" applyBorder="1" applyAlignment="1">` +
	wrapped + `</xf>` +
	`<xf numFmtId="49" fontId="1" fillId="0" borderId="1" xfId="0" applyNumberFormat="1" applyFont="1" applyBorder="1" ` +
	`applyAlignment="1">` + wrapped + `</xf>` +
	`<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>` +
	`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`

const wrapped = `<alignment vertical="top" wrapText="1"/>`

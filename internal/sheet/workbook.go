package sheet

import (
	"archive/zip"
	"compress/flate"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	fastflate "github.com/klauspost/compress/flate"
)

// The limits of a sheet in spreadsheet programs.
const (
	sheetRows = 1 << 20
	cellChars = 32767 // in UTF-16
)

// Workbook writes a table as an Office Open XML workbook (.xlsx), row by row, without storing rows. Texts are text cells, which no program
// interprets as numbers, dates or formulas. If a table has more rows than fit into a sheet, it continues in the next sheet, which repeats
// the column names. A text that is too long for a cell is cut and ends in an ellipsis.
type Workbook struct {
	zip     *zip.Writer
	columns []string
	sheet   io.Writer // nil before the first sheet
	sheets  int
	rows    int // the number of rows in the sheet
	limit   int // the maximum number of rows in a sheet
	row     []byte
}

// NewWorkbook begins a workbook whose sheets have these columns.
func NewWorkbook(to io.Writer, columns []string) (*Workbook, error) {
	w := &Workbook{zip: zip.NewWriter(to), columns: columns, limit: sheetRows}
	w.zip.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return fastflate.NewWriter(out, flate.BestSpeed)
	})
	err := w.begin()
	return w, err
}

// begin begins a sheet.
func (w *Workbook) begin() (err error) {
	w.sheets++
	if w.sheet, err = w.zip.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", w.sheets)); err != nil {
		return err
	}
	head := xmlHead + `<worksheet xmlns="` + mainSpace + `"><sheetViews><sheetView workbookViewId="0">` +
		`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
		fmt.Sprintf(`<cols><col min="1" max="%d" width="18" style="%d" customWidth="1"/></cols><sheetData>`, len(w.columns), textStyle)
	if _, err := io.WriteString(w.sheet, head); err != nil {
		return err
	}
	w.rows = 0
	return w.write(names(w.columns), headStyle)
}

// Row writes one row.
func (w *Workbook) Row(cells []Cell) error {
	if w.rows == w.limit {
		if err := w.end(); err != nil {
			return err
		}
		if err := w.begin(); err != nil {
			return err
		}
	}
	return w.write(cells, textStyle)
}

func (w *Workbook) write(cells []Cell, style int) error {
	w.rows++
	b := w.row[:0]
	b = append(b, "<row>"...)
	for i := range cells {
		switch cell := &cells[i]; cell.Kind {
		case Nothing:
			b = append(b, "<c/>"...)
		case NumberKind:
			b = fmt.Appendf(b, `<c s="%d"><v>%d</v></c>`, numberStyle, cell.number)
		default:
			b = fmt.Appendf(b, `<c s="%d" t="inlineStr"><is><t xml:space="preserve">`, style)
			b = appendXML(b, fitting(unmistakable(cell.text)))
			b = append(b, "</t></is></c>"...)
		}
	}
	b = append(b, "</row>"...)
	w.row = b
	_, err := w.sheet.Write(w.row)
	return err
}

func (w *Workbook) end() error {
	_, err := io.WriteString(w.sheet, "</sheetData></worksheet>")
	return err
}

// Close ends the workbook.
func (w *Workbook) Close() error {
	if err := w.end(); err != nil {
		return err
	}
	var types, sheets, relations strings.Builder
	for i := range w.sheets {
		name := fmt.Sprintf("sheet%d", i+1)
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/%s.xml" ContentType="%s.worksheet+xml"/>`, name, spreadsheetType)
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="%s"/>`, name, i+1, name)
		fmt.Fprintf(&relations, `<Relationship Id="%s" Type="%s/worksheet" Target="worksheets/%s.xml"/>`, name, relationSpace, name)
	}
	for _, part := range packageParts(styles, types.String(), sheets.String(), relations.String()) {
		to, err := w.zip.Create(part[0])
		if err != nil {
			return err
		}
		if _, err := io.WriteString(to, xmlHead+part[1]); err != nil {
			return err
		}
	}
	return w.zip.Close()
}

// packageParts returns the names and texts of the parts of a workbook except its sheets. types, sheets and relations describe the sheets.
func packageParts(styles, types, sheets, relations string) [][2]string {
	return [][2]string{
		{"xl/styles.xml", styles},
		{
			"xl/workbook.xml",
			`<workbook xmlns="` + mainSpace + `" xmlns:r="` + relationSpace + `"><sheets>` + sheets + `</sheets></workbook>`,
		},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packageSpace + `">` + relations +
			`<Relationship Id="styles" Type="` + relationSpace + `/styles" Target="styles.xml"/></Relationships>`},
		{"_rels/.rels", `<Relationships xmlns="` + packageSpace + `"><Relationship Id="workbook" Type="` + relationSpace +
			`/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + spreadsheetType + `.sheet.main+xml"/>` +
			`<Override PartName="/xl/styles.xml" ContentType="` + spreadsheetType + `.styles+xml"/>` + types + `</Types>`},
	}
}

// The styles of cells, by their index in cellXfs.
const (
	textStyle   = 1 // the text format, so that a text typed into the cell stays a text
	numberStyle = 2 // all digits, regardless of the width of the column
	headStyle   = 3
)

const (
	xmlHead         = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	mainSpace       = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"           //nolint:revive // a name
	relationSpace   = "http://schemas.openxmlformats.org/officeDocument/2006/relationships" //nolint:revive // a name
	packageSpace    = "http://schemas.openxmlformats.org/package/2006/relationships"        //nolint:revive // a name
	spreadsheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml"
	styles          = `<styleSheet xmlns="` + mainSpace + `">` +
		`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
		`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
		`<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="1" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
		`<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`
)

// unmistakable returns a text unchanged, unless it looks as if Harmless had changed it. Otherwise a reader of the sheet would reverse a
// change that was never made.
func unmistakable(text string) string {
	if Original(text) == text {
		return text
	}
	return Harmless(text)
}

// fitting cuts a text that is too long for a cell.
func fitting(text string) string {
	if len(text) <= cellChars { // a text has at most as many UTF-16 units as bytes
		return text
	}
	units := 0
	end := 0 // the place at which the text is cut if necessary
	for i, char := range text {
		if units <= cellChars-1 {
			end = i
		}
		units++
		if char > 0xFFFF {
			units++
		}
	}
	if units <= cellChars {
		return text
	}
	return text[:end] + "…"
}

// appendXML appends a text for use between tags. Characters that XML does not allow are escaped as in Office Open XML, and so are texts
// that look like such an escape.
func appendXML(b []byte, text string) []byte {
	for i := 0; i < len(text); {
		char, width := utf8.DecodeRuneInString(text[i:])
		switch {
		case char == '&':
			b = append(b, "&amp;"...)
		case char == '<':
			b = append(b, "&lt;"...)
		case char == '>':
			b = append(b, "&gt;"...)
		case char < ' ' && char != '\n' && char != '\t', char == 0xFFFE, char == 0xFFFF:
			b = fmt.Appendf(b, "_x%04X_", char)
		case char == '_' && escapes(text[i:]):
			b = append(b, "_x005F_"...)
		case char == utf8.RuneError && width == 1:
			b = append(b, "\uFFFD"...)
		default:
			b = append(b, text[i:i+width]...)
		}
		i += width
	}
	return b
}

// escapes reports whether a text begins like an escape of Office Open XML.
func escapes(text string) bool {
	const length = len("_x0000_")
	return len(text) >= length && text[1] == 'x' && text[length-1] == '_' && strings.Trim(text[2:length-1], "0123456789abcdefABCDEF") == ""
}

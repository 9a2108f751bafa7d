package paper

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop/conformance"
)

// Measures of a page in millimetres, and sizes of letters in points.
const (
	pageWidth, pageHeight = 210.0, 297.0
	margin                = 15.0
	textWidth             = pageWidth - 2*margin
	lineHeight            = 4.6
	logoHeight            = 14.0
	labelSize, textSize   = 7.0, 9.5
	titleSize             = 15.0
	family                = "go"
	pageCount             = "{pages}"
)

// absent stands for an empty field. AS9163 asks for it in all languages.
const absent = "N/A"

// Texts of certificates: the names of the fields of AS9163.
const (
	title            lang.Text = "Certificate of conformance"
	fieldPage        lang.Text = "certificate|Page"
	fieldNumber      lang.Text = "certificate|Certificate number and revision"
	fieldDate        lang.Text = "certificate|Date"
	fieldMaker       lang.Text = "certificate|Organization"
	fieldCustomer    lang.Text = "Customer"
	fieldOrder       lang.Text = "certificate|Purchase order number"
	fieldItem        lang.Text = "certificate|Item and part number"
	fieldQuantity    lang.Text = "Quantity"
	fieldDescription lang.Text = "Description"
	fieldRevision    lang.Text = "Revision"
	fieldTraced      lang.Text = "certificate|Traceability"
	fieldRemarks     lang.Text = "certificate|Remarks"
	fieldDetails     lang.Text = "certificate|Conformity details"
	fieldStatement   lang.Text = "certificate|Statement of conformity and release"
	usualStatement   lang.Text = "We certify that the listed products conform to the requirements of the order."
	signedWords      lang.Text = "Document electronically generated and validated."
	unsignedWords    lang.Text = "Not signed electronically"
)

// sheet is a certificate that is being printed.
type sheet struct {
	*fpdf.Fpdf
	printer *Printer
	l       *lang.Language
	paper   *conformance.Paper
}

// Conformance returns the PDF of a certificate of conformance. Equal papers have equal bytes.
func (p *Printer) Conformance(paper conformance.Paper) ([]byte, error) {
	s := &sheet{Fpdf: fpdf.New("P", "mm", "A4", ""), printer: p, l: p.language(paper.Language), paper: &paper}
	issued := paper.IssuedAt.Time().UTC().Truncate(time.Second)
	s.SetCatalogSort(true)
	s.SetCreationDate(issued)
	s.SetModificationDate(issued)
	s.SetProducer("Routecard", true)
	s.SetLang(s.l.Tag())
	s.SetTitle(s.l.T(title)+" "+paper.Number, true)
	s.AddUTF8FontFromBytes(family, "", goregular.TTF)
	s.AddUTF8FontFromBytes(family, "B", gobold.TTF)
	s.AliasNbPages(pageCount)
	s.SetMargins(margin, margin, margin)
	s.SetAutoPageBreak(true, margin)
	if len(paper.Logo) > 0 {
		s.RegisterImageOptionsReader("logo", fpdf.ImageOptions{ImageType: "PNG"}, bytes.NewReader(paper.Logo))
	}
	s.SetHeaderFunc(s.head)
	s.AddPage()
	s.parties()
	for i := range paper.Lines {
		s.line(&paper.Lines[i])
	}
	s.details()
	s.release()
	var out bytes.Buffer
	err := s.Output(&out)
	return out.Bytes(), err
}

// write writes a text below the last one, on as many lines and pages as it needs.
func (s *sheet) write(style string, size float64, text string) {
	s.SetFont(family, style, size)
	s.SetX(margin)
	s.MultiCell(textWidth, lineHeight*max(1, size/textSize), s.printer.printable(text), "", "L", false)
}

// rule draws a line across the page, on the next page if the field below it would be alone at the bottom.
func (s *sheet) rule() {
	const least = 5 * lineHeight
	if s.GetY()+least > pageHeight-margin {
		s.AddPage()
	}
	s.Ln(1.2)
	s.SetDrawColor(150, 150, 150)
	s.Line(margin, s.GetY(), pageWidth-margin, s.GetY())
	s.Ln(1.2)
}

// label returns the label of a field with its number.
func (s *sheet) label(number int, text lang.Text) string {
	return strconv.Itoa(number) + ". " + s.l.T(text)
}

// field writes a field across the page.
func (s *sheet) field(number int, label lang.Text, text string) {
	s.rule()
	s.write("B", labelSize, s.label(number, label))
	s.write("", textSize, cmp.Or(text, absent))
}

// cell is a field in a row of fields.
type cell struct {
	number int
	label  lang.Text
	text   string
	width  float64 // share of the width of the page
}

// row writes fields side by side.
func (s *sheet) row(cells ...cell) {
	s.SetFont(family, "", textSize)
	lines, most := make([][]string, len(cells)), 1
	for i, c := range cells {
		text := s.printer.printable(cmp.Or(c.text, absent))
		for part := range strings.SplitSeq(text, "\n") {
			lines[i] = append(lines[i], s.wrapped(part, c.width*textWidth-2)...)
		}
		most = max(most, len(lines[i]))
	}
	if s.GetY()+lineHeight*float64(most+1) > pageHeight-margin && most < 40 {
		s.AddPage()
	}
	s.rule()
	x := margin
	s.SetFont(family, "B", labelSize)
	for _, c := range cells {
		s.SetX(x)
		s.CellFormat(c.width*textWidth, lineHeight, s.label(c.number, c.label), "", 0, "L", false, 0, "")
		x += c.width * textWidth
	}
	s.Ln(lineHeight)
	s.SetFont(family, "", textSize)
	for n := range most {
		x = margin
		for i, c := range cells {
			if n < len(lines[i]) {
				s.SetX(x)
				s.CellFormat(c.width*textWidth, lineHeight, lines[i][n], "", 0, "L", false, 0, "")
			}
			x += c.width * textWidth
		}
		s.Ln(lineHeight)
	}
}

// wrapped breaks a text into lines that fit a width: between words, and within a word that is wider.
func (s *sheet) wrapped(text string, width float64) (lines []string) {
	line := ""
	for word := range strings.SplitSeq(text, " ") {
		if joined := strings.TrimPrefix(line+" "+word, " "); s.GetStringWidth(joined) <= width {
			line = joined
			continue
		}
		if line != "" {
			lines, line = append(lines, line), ""
		}
		for _, c := range word {
			if s.GetStringWidth(line+string(c)) > width && line != "" {
				lines, line = append(lines, line), ""
			}
			line += string(c)
		}
	}
	return append(lines, line)
}

// head writes what each page has: fields 1 to 3.
func (s *sheet) head() {
	paper, top := s.paper, margin
	if len(paper.Logo) > 0 {
		s.ImageOptions("logo", margin, margin, 0, logoHeight, false, fpdf.ImageOptions{ImageType: "PNG"}, 0, "")
		top += logoHeight + 2
	}
	s.SetY(top)
	s.write("B", titleSize, s.l.T(title))
	s.row(
		cell{1, fieldPage, s.l.T("certificate|{page} of {pages}", "page", s.PageNo(), "pages", pageCount), 0.2},
		cell{2, fieldNumber, paper.Number + " / " + strconv.Itoa(paper.Revision), 0.45},
		cell{3, fieldDate, s.l.Time(paper.IssuedAt.Time().In(s.printer.zone), lang.YearDay), 0.35},
	)
}

// parties writes the shop, the customer and the order. They are not part of the head, which must fit on a page.
func (s *sheet) parties() {
	maker := filled(s.paper.Organization, s.paper.Address)
	if s.paper.SupplierCode != "" {
		maker = append(maker, s.l.T("certificate|Supplier code: {code}", "code", s.paper.SupplierCode))
	}
	s.field(4, fieldMaker, strings.Join(maker, "\n"))
	s.row(
		cell{5, fieldCustomer, strings.Join(filled(s.paper.Customer, s.paper.CustomerAddress), "\n"), 0.6},
		cell{6, fieldOrder, s.paper.OrderNumber, 0.4},
	)
}

// line writes the fields of one line of the order.
func (s *sheet) line(line *conformance.Line) {
	s.row(
		cell{7, fieldItem, cmp.Or(line.OrderLine, absent) + " / " + cmp.Or(line.PartNumber, absent), 0.32},
		cell{8, fieldQuantity, s.l.Number(line.Quantity), 0.13},
		cell{9, fieldDescription, line.Description, 0.38},
		cell{10, fieldRevision, line.Revision, 0.17},
	)
	s.rule()
	s.write("B", labelSize, s.label(11, fieldTraced))
	var lots []string
	for _, lot := range line.Lots {
		if lot.Heat != "" {
			lots = append(lots, s.l.T("certificate|{lot} (heat {heat})", "lot", lot.Number, "heat", lot.Heat))
			continue
		}
		lots = append(lots, lot.Number)
	}
	s.named("certificate|Serial numbers", line.Serials)
	s.named("certificate|Lots and heats", lots)
	s.field(12, fieldRemarks, line.Remarks)
}

// named writes a list after its name.
func (s *sheet) named(name lang.Text, items []string) {
	s.write("", textSize, s.l.T(name)+": "+cmp.Or(strings.Join(items, "; "), absent))
}

// details writes field 13.
func (s *sheet) details() {
	d := &s.paper.Details
	s.rule()
	s.write("B", labelSize, s.label(13, fieldDetails))
	var concessions, reports, waived, skipped, certificates []string
	for _, report := range d.Reports {
		text := report.ID
		if report.Disposition != "" {
			text += ", " + lang.InSentence(s.l, report.Disposition)
		}
		reports = append(reports, text+" ("+strings.Join(report.Serials, ", ")+")")
		if report.Concession != "" {
			concessions = append(concessions, report.Concession+" ("+strings.Join(report.Serials, ", ")+")")
		}
	}
	for _, step := range d.Steps {
		text := step.Name + " (" + strings.Join(step.Serials, ", ") + ")"
		if step.Waived {
			waived = append(waived, text)
		} else {
			skipped = append(skipped, text)
		}
	}
	for _, certificate := range d.Certificates {
		certificates = append(certificates, strings.Join(filled(certificate.Name, certificate.Number), " "))
	}
	s.named("certificate|Concessions", concessions)
	s.named("certificate|Nonconformance reports", reports)
	s.named("certificate|Waived steps", waived)
	s.named("certificate|Skipped steps", skipped)
	s.named("certificate|First articles", d.FirstArticles)
	s.named("certificate|Certificates", certificates)
	s.named("certificate|Earliest expiry", filled(s.day(d.EarliestExpiry)))
	s.named("certificate|Reason for the update", filled(d.Reason))
}

// day writes a day in the language.
func (s *sheet) day(day string) string {
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return s.l.Time(at, lang.YearDay)
}

// release writes field 14.
func (s *sheet) release() {
	statement := cmp.Or(s.paper.Statement, s.l.T(usualStatement))
	words := unsignedWords
	if s.paper.Signed {
		words = signedWords
	}
	s.field(14, fieldStatement, strings.Join([]string{
		statement,
		s.l.T("certificate|Released by {name}, {time}", "name", s.paper.Releaser,
			"time", s.l.Time(s.paper.IssuedAt.Time().In(s.printer.zone), lang.PaperMinute)),
		s.l.T(words),
	}, "\n"))
}

// filled returns the texts that are not empty.
func filled(texts ...string) (some []string) {
	for _, text := range texts {
		if text != "" {
			some = append(some, text)
		}
	}
	return some
}

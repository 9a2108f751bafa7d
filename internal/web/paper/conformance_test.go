package paper

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/shop/conformance"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/workorder"
)

// aPaper returns a certificate with something in every field.
func aPaper() conformance.Paper {
	return conformance.Paper{
		Number: "COC-00012", Revision: 2, IssuedAt: ident.TimestampOf(time.Date(2026, 3, 4, 23, 30, 15, 0, time.UTC)), Language: "en",
		Organization: "Müller Präzision", Address: "Straße 1\n86150 Augsburg", SupplierCode: "V-77", Customer: "Ñandú Łódź",
		CustomerAddress: "Ελλάδα 5", OrderNumber: "PO-4711",
		Lines: []conformance.Line{{
			OrderLine: "10", PartNumber: "HX-9", Quantity: 2, Description: "Housing", Revision: "C", Serials: []string{"SN-00001", "A-17"},
			Lots: []conformance.Lot{{Number: "LOT-00001", Heat: "H-88"}}, Remarks: "Export packed",
		}},
		Details: conformance.Details{
			Reports:        []conformance.Report{{ID: "NCR-00003", Disposition: "use_as_is", Concession: "W-5", Serials: []string{"SN-00001"}}},
			Steps:          []conformance.Step{{Name: "Polish", Waived: true, Serials: []string{"A-17"}}, {Name: "Mark", Serials: []string{"A-17"}}},
			FirstArticles:  []string{"FAI-00001"},
			Certificates:   []conformance.Certificate{{Name: "Material 3.1", Number: "M-9"}},
			EarliestExpiry: "2027-05-06", Reason: "Wrong order number",
		},
		Releaser: "Quinn Quality (qq)", Signed: true,
	}
}

// read returns the text of a PDF, with single blanks, and its number of pages, as pdftotext reads them.
func read(t *testing.T, document []byte) (text string, pages int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "document.pdf")
	if err := os.WriteFile(file, document, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "pdftotext", "-layout", file, "-").Output()
	if err != nil {
		t.Fatalf("pdftotext (package poppler-utils): %v", err)
	}
	return strings.Join(strings.Fields(string(out)), " "), bytes.Count(out, []byte("\f"))
}

func printed(t *testing.T, paper conformance.Paper) []byte {
	t.Helper()
	document, err := New(time.UTC, nil).Conformance(paper)
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// The certificate has the fields of AS9163 with their numbers, and all values.
func TestFieldsOfCertificates(t *testing.T) {
	t.Parallel()
	text, pages := read(t, printed(t, aPaper()))
	if pages != 1 {
		t.Errorf("%d pages", pages)
	}
	for _, want := range []string{
		"Certificate of conformance", "1. Page", "1 of 1", "2. Certificate number and revision", "COC-00012 / 2", "3. Date", "4 Mar 2026",
		"4. Organization", "Müller Präzision", "86150 Augsburg", "V-77", "5. Customer", "Ñandú Łódź", "Ελλάδα 5", "6. Purchase order number",
		"PO-4711", "7. Item and part number", "10 / HX-9", "8. Quantity", "9. Description", "Housing", "10. Revision", "11. Traceability",
		"SN-00001; A-17", "LOT-00001 (heat H-88)", "12. Remarks", "Export packed", "13. Conformity details", "Concessions: W-5 (SN-00001)",
		"NCR-00003, use as is (SN-00001)", "Waived steps: Polish (A-17)", "Skipped steps: Mark (A-17)", "First articles: FAI-00001",
		"Certificates: Material 3.1 M-9", "6 May 2027", "Wrong order number", "14. Statement of conformity and release",
		"We certify that the listed products conform", "Quinn Quality (qq)", "23:30", "Document electronically generated and validated.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the certificate does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "N/A") {
		t.Errorf("something is absent:\n%s", text)
	}
}

// An empty field is N/A and never blank, in every language of papers.
func TestEmptyFieldsAreNotBlank(t *testing.T) {
	t.Parallel()
	for _, language := range workorder.Languages() {
		text, _ := read(t, printed(t, conformance.Paper{Language: language, Lines: []conformance.Line{{}}}))
		// 4, 5, 6, 7 twice, 9, 10, 11 twice, 12, and eight in 13
		if got := strings.Count(text, "N/A"); got != 18 {
			t.Errorf("%s: %d fields are absent:\n%s", language, got, text)
		}
		for field := range 14 {
			if !strings.Contains(text, fmt.Sprintf("%d. ", field+1)) {
				t.Errorf("%s: field %d is missing", language, field+1)
			}
		}
		if language != "en" && strings.Contains(text, "Traceability") {
			t.Errorf("%s: the certificate is in English", language)
		}
	}
	if text, _ := read(t, printed(t, conformance.Paper{})); !strings.Contains(text, "Not signed electronically") {
		t.Errorf("the certificate does not say that it is not signed:\n%s", text)
	}
}

// A certificate of thousands of units has all serial numbers, and the number of pages on each page.
func TestEverySerialIsPrinted(t *testing.T) {
	t.Parallel()
	for _, units := range []int{1000, 10_000} {
		paper := aPaper()
		paper.Lines[0].Serials = nil
		for n := range units {
			paper.Lines[0].Serials = append(paper.Lines[0].Serials, ident.DefaultPrefix.SerialID(int64(n+1)))
		}
		document := printed(t, paper)
		text, pages := read(t, document)
		found := map[string]bool{}
		for _, serial := range regexp.MustCompile(`SN-\d{5,}`).FindAllString(text, -1) {
			found[serial] = true
		}
		if len(found) != units {
			t.Errorf("%d of %d serial numbers are printed", len(found), units)
		}
		if want := fmt.Sprintf("%d of %d", pages, pages); pages < 2 || !strings.Contains(text, want) {
			t.Errorf("%d pages, and none says %q", pages, want)
		}
		if len(document) > 2<<20 {
			t.Errorf("%d units take %d bytes", units, len(document))
		}
	}
}

// Equal papers have equal bytes, also from two printers and at once.
func TestSamePaperSameBytes(t *testing.T) {
	t.Parallel()
	first, printer := printed(t, aPaper()), New(time.UTC, nil)
	answers := make(chan []byte)
	for range 8 {
		go func() {
			document, err := printer.Conformance(aPaper())
			if err != nil {
				t.Error(err)
			}
			answers <- document
		}()
	}
	for range 8 {
		if !bytes.Equal(<-answers, first) {
			t.Error("the bytes differ")
		}
	}
}

// Characters that the font does not have are printed as their codes. Long texts, many lines and a logo of any shape do not break the page.
func TestStrangeTexts(t *testing.T) {
	t.Parallel()
	paper := aPaper()
	paper.Customer, paper.Releaser = "中文 e\u0301 \U0001F600 a\u200db", "שלום"
	paper.Address = strings.Repeat("line\n", 400)
	paper.Lines[0].Description, paper.OrderNumber = strings.Repeat("W", 2000), strings.Repeat("long ", 100)
	var logo bytes.Buffer
	if err := png.Encode(&logo, image.NewNRGBA(image.Rect(0, 0, 600, 3))); err != nil {
		t.Fatal(err)
	}
	paper.Logo = logo.Bytes()
	text, _ := read(t, printed(t, paper))
	for _, want := range []string{"[U+4E2D]", "[U+6587]", "é", "[U+1F600]", "a[U+200D]b", "[U+05E9]"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not printed", want)
		}
	}
	if got := strings.Count(text, "line"); got != 400 {
		t.Errorf("%d of 400 lines are printed", got)
	}
	if got := strings.Count(text, "W"); got < 2000 {
		t.Errorf("%d of 2000 letters are printed", got)
	}
}

package httpapi

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
)

// pdfText returns the text of a PDF, with single blanks.
func pdfText(t *testing.T, document string) string {
	t.Helper()
	read := exec.CommandContext(t.Context(), "pdftotext", "-layout", "-", "-")
	read.Stdin = strings.NewReader(document)
	text, err := read.Output()
	if err != nil {
		t.Fatalf("pdftotext (package poppler-utils): %v", err)
	}
	return strings.Join(strings.Fields(string(text)), " ")
}

// The PDF of each revision is the stored file, in whole and in part. Nothing makes it again: with its bytes missing, it is refused.
func TestDocumentOfConformance(t *testing.T) {
	t.Parallel()
	s, folder := openFilingShop(t, nil)
	job := s.createdAs(t, 201, "POST", "/api/jobs", `{"name": "Ring", "goalQuantity": 1}`, "id")
	path := s.createdAs(t, 201, "POST", "/api/paths", `{"jobId": "`+job+`", "name": "Main", "goalQuantity": 1, "steps": [{"name": "Mill"}]}`, "id")
	s.must(t, 201, "POST", "/api/serials", `{"jobId": "`+job+`", "pathId": "`+path+`", "quantity": 1, "userId": "ann"}`)
	s.must(t, 200, "POST", "/api/serials/SN-00001/advance", `{"userId": "ann"}`)
	body := `{"serialIds": ["SN-00001"], "customer": "中文 GmbH", "orderNumber": "PO-7", "userId": "quinn"`
	first := s.createdAs(t, 201, "POST", "/api/conformances", body+`}`, "sha256")
	s.must(t, 200, "PUT", "/api/settings/organization", `{"name": "Northfield", "address": "1 Lane", "lang": "es"}`)
	second := s.createdAs(t, 201, "POST", "/api/conformances/COC-00001/reissue", body+`, "reason": "Name of the shop"}`, "sha256")
	const at = "/api/conformances/COC-00001.pdf"
	newest := s.must(t, http.StatusOK, "GET", at, "")
	if tag, kind := newest.header.Get("ETag"), newest.header.Get("Content-Type"); tag != `"`+second+`"` || kind != "application/pdf" ||
		!strings.Contains(newest.header.Get("Content-Disposition"), "COC-00001.pdf") {
		t.Errorf("the PDF comes with %v", newest.header)
	}
	if text := pdfText(t, newest.body); !strings.Contains(text, "Northfield") || !strings.Contains(text, "[U+4E2D][U+6587] GmbH") ||
		!strings.Contains(text, "Certificado de conformidad") {
		t.Errorf("the second revision says:\n%s", text)
	}
	old := s.must(t, http.StatusOK, "GET", at+"?revision=1", "")
	if text := pdfText(t, old.body); old.header.Get("ETag") != `"`+first+`"` || strings.Contains(text, "Northfield") {
		t.Errorf("the first revision says:\n%s", text)
	}
	if again := s.must(t, http.StatusOK, "GET", "/api/files/"+first, ""); again.body != old.body {
		t.Error("the file has other bytes than the PDF")
	}
	s.must(t, http.StatusNotModified, "GET", at, "", [2]string{"If-None-Match", `"` + second + `"`})
	if part := s.must(t, http.StatusPartialContent, "GET", at, "", [2]string{"Range", "bytes=0-3"}); part.body != "%PDF" {
		t.Errorf("the first bytes are %q", part.body)
	}
	s.must(t, http.StatusRequestedRangeNotSatisfiable, "GET", at, "", [2]string{"Range", "bytes=99999999-"})
	s.must(t, http.StatusBadRequest, "GET", at+"?page=1", "")
	s.must(t, http.StatusMethodNotAllowed, "DELETE", at, "")
	if err := os.Remove(filepath.Join(folder, first[:2], first[2:4], first)); err != nil {
		if found, _ := filepath.Glob(filepath.Join(folder, "*", "*", first+"*")); len(found) != 1 || os.Remove(found[0]) != nil {
			t.Fatal(err, found)
		}
	}
	if gone := s.must(t, http.StatusNotFound, "GET", at+"?revision=1", ""); !strings.Contains(gone.body, "The bytes of the file are missing: "+first) {
		t.Errorf("without its bytes: %s", gone.body)
	}
	if newestAgain := s.must(t, http.StatusOK, "GET", at, ""); !bytes.Equal([]byte(newestAgain.body), []byte(newest.body)) {
		t.Error("the PDF changed")
	}
}

// A signed certificate says so; without a place for files there is none.
func TestSignedConformance(t *testing.T) {
	t.Parallel()
	s := openSigning(t)
	text := pdfText(t, s.must(t, 200, "GET", "/api/conformances/"+s.conformance()+".pdf", "", s.tokens["anna"]).body)
	if !strings.Contains(text, "Document electronically generated and validated.") || !strings.Contains(text, "anna") {
		t.Errorf("the signed certificate says:\n%s", text)
	}
	var made struct{ ID string }
	s.reads(s.try("POST", "/api/conformances", s.conforming("")), &made)
	if text := pdfText(t, s.must(t, 200, "GET", "/api/conformances/"+made.ID+".pdf", "", s.tokens["anna"]).body); !strings.Contains(text, "Not signed electronically") {
		t.Errorf("the certificate says:\n%s", text)
	}
	s.demand(shop.SignConformance, shop.SignedBySelf)
	got := s.try("POST", "/api/conformances", s.conforming(""))
	if got.status != http.StatusForbidden {
		t.Errorf("an unsigned certificate: %d %s", got.status, got.body)
	}

	plain := openShop(t, nil)
	if got := plain.must(t, http.StatusNotFound, "GET", "/api/conformances/COC-00001.pdf", ""); !strings.Contains(got.body, "Conformance not found") {
		t.Errorf("an unknown certificate: %s", got.body)
	}
}
